#!/usr/bin/env python3
"""Prints the tables of include/penstock/algorithm/policy_table.hpp from a run of `benchmarks/run.sh --tune`.

usage: tune.py RESULTS.jsonl

For each number of input arrays, size of elements and size of problem the fastest policy leads; a rule is printed where
the leader changes and gains at least half a percent over the one before it.
"""
import collections
import json
import pathlib
import re
import sys

GAIN = 1.005
POLICY = re.compile(r"vectorised\{(\d+), (\d+), (true|false)\}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    capability, rates = 0, collections.defaultdict(dict)
    for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "device" in row:
            capability = row["capability"]
        if "case" not in row or not (policy := POLICY.fullmatch(row["who"])):
            continue
        if row["case"] == "copy":
            rates["copy_rules", 1, 1][int(2 * row["size"]), policy[0]] = row["median"]
        elif found := re.match(r"transform, (\d) inputs?, (\d+) bytes?", row["case"]):
            arrays, element = int(found[1]), int(found[2])
            rates["transform_rules", arrays, element][int(row["size"]) * element * (arrays + 1), policy[0]] = row["median"]
    if not rates:
        sys.exit(f"{sys.argv[1]} holds no results of --tune")
    for table in ("copy_rules", "transform_rules"):
        print(f"inline constexpr stream_rule {table}[] = {{")
        for (name, arrays, element), points in sorted(rates.items()):
            if name != table:
                continue
            current, smallest = None, min(size for size, _ in points)
            for size in sorted({size for size, _ in points}):
                here = {policy: rate for (s, policy), rate in points.items() if s == size}
                best = max(here, key=here.get)
                if current is None or here[best] > GAIN * here.get(current, 0):
                    current = best
                    print(f"    {{{capability}, {arrays}, {element}, {0 if size == smallest else size}, {current.removeprefix('vectorised')}}},")
        print("};")


if __name__ == "__main__":
    main()
