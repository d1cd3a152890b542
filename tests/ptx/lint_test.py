#!/usr/bin/env python3
"""Tests the PTX lint: it must object to every kernel whose table was broken, and to no other.

usage: lint_test.py TARGET PROMISES KERNELS.cu COMPILER [ARGUMENT...]

The kernels run mutants of tests/run/table_mutants.hpp, the promises are those of the sound tables. Which mutants can be
told from their instructions, the languages of the broken tables say: not a wait that is off by whole rings, which
addresses the same slot.
"""
import sys

import lint
import ptx


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    target, program, source, *compiler = sys.argv[1:]
    defines = ["-DPENSTOCK_LINT_MUTANTS", f"-DPENSTOCK_TEST_TARGET={target}"]
    kernels = ptx.read_kernels(lint.compile_ptx(source, target, compiler + defines), r"lint_kernelILi(\d+)E")
    promises = lint.promises_of(program, target, "mutants")
    if len(kernels) != len(promises):
        sys.exit(f"{len(promises)} mutants are promised, but the PTX holds {len(kernels)}")
    wrong, visible = 0, []
    for number, promise in enumerate(promises):
        found = lint.faults(kernels[str(number)], lint.Promise(promise["language"]))
        differs = bool(lint.faults(lint.Ideal(promise["broken"]), lint.Promise(promise["language"])))
        if differs:
            visible.append(promise["name"])
        if bool(found) != differs:
            wrong += 1
            print(f"FAIL {promise['name']}: " + ("not found" if differs else "; ".join(found)))
    print(f"{len(promises)} mutants, {len(visible)} of them with other instructions than promised; "
          f"{wrong} wrong verdicts")
    # a list of mutants that lost a kind would not go unnoticed
    kinds = ["barrier"]
    if 80 <= int(target) < 90:
        kinds += ["wait_groups", "one more pending", "commit"]
    elif int(target) >= 90:
        kinds += ["wait_signal", "wait_first", "wait_reads", "wait_writes", "one more pending", "fence", "signal of",
                  "told before", "one arrival more", "one nearer", "one slot fewer", "a phase late"]
    lost = [kind for kind in kinds if not any(kind in name for name in visible)]
    if lost:
        print(f"FAIL no visible mutant of the kind {', '.join(lost)}")
    sys.exit(1 if wrong or lost else 0)


if __name__ == "__main__":
    main()
