#!/usr/bin/env python3
"""Prints the tables of include/penstock/algorithm/policy_table.hpp from a run of `benchmarks/run.sh --tune`.

usage: tune.py RESULTS.jsonl

For each step (the bytes that one vector of each array makes) and each size of problem the policy with the best geometric
mean over all types leads; a rule is printed where the leader changes and gains at least half a percent over the one before.
"""
import collections
import json
import math
import pathlib
import re
import sys

GAIN = 1.005
POLICY = re.compile(r"vectorised\{(\d+), (\d+), (true|false)\}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    capability, rates = 0, collections.defaultdict(lambda: collections.defaultdict(list))
    for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "device" in row:
            capability = row["capability"]
        if "case" not in row or not (policy := POLICY.fullmatch(row["who"])):
            continue
        if row["case"] == "copy":
            rates["copy_rules", 0][int(2 * row["size"]), policy[0]].append(row["median"])
        elif found := re.match(r"step (\d+), (\d+) bytes", row["more"]):
            rates["transform_rules", int(found[1])][int(found[2]), policy[0]].append(row["median"])
    if not rates:
        sys.exit(f"{sys.argv[1]} holds no results of --tune")
    for table in ("copy_rules", "transform_rules"):
        print(f"inline constexpr stream_rule {table}[] = {{")
        for (name, step), points in sorted(rates.items()):
            if name != table:
                continue
            means = {key: math.exp(sum(map(math.log, values)) / len(values)) for key, values in points.items()}
            current, smallest = None, min(size for size, _ in means)
            for size in sorted({size for size, _ in means}):
                here = {policy: rate for (s, policy), rate in means.items() if s == size}
                best = max(here, key=here.get)
                if current is None or here[best] > GAIN * here.get(current, 0):
                    current = best
                    print(f"    {{{capability}, {step}, {0 if size == smallest else size}, {current.removeprefix('vectorised')}}},")
        print("};")


if __name__ == "__main__":
    main()
