#!/usr/bin/env python3
"""Passes if declaring, checking and deriving the three-stage plan costs a compiler less than 0.3 s beyond its headers.

usage: plan_cost.py INCLUDE_DIR COMPILER [ARGUMENT...]

A benchmark (meson test --benchmark), because a busy machine takes longer: processor time, the least of a few runs each.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

LIMIT = 0.3
RUNS = 3
HEADERS = "#include <penstock/plan/reject.hpp>\n"
PLAN = """using namespace penstock;
using line = pipeline<buffer<"in", float[1024], depth<4>>, buffer<"out", float[1024], depth<2>>,
                      stage<"read", async, writes<"in">>, stage<"compute", penstock::sync, reads<"in">, writes<"out">>,
                      stage<"write", async, reads<"out">>>;
static_assert(accepted<line>);
static_assert(derive_guards<count_candidates(line::plan)>(line::plan).needed.size() == 4);
"""


def seconds(compiler, source):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*compiler, source], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    compiler = [*sys.argv[2:], "-std=c++20", "-I", sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        least = []
        for name, text in (("headers", HEADERS), ("plan", HEADERS + PLAN)):
            source = pathlib.Path(folder, name + ".cpp")
            source.write_text(text, encoding="utf-8")
            least.append(min(seconds(compiler, source) for _ in range(RUNS)))
    cost = least[1] - least[0]
    print(f"the plan costs {cost:.3f} s beyond {least[0]:.3f} s for its headers; at most {LIMIT} s are allowed")
    sys.exit(cost >= LIMIT)


if __name__ == "__main__":
    main()
