#!/usr/bin/env python3
"""Tests the PTX lint: it must object to every kernel whose table was broken, and to any instruction that is missing.

usage: lint_test.py TARGET PROMISES KERNELS.cu COMPILER [ARGUMENT...]

The kernels run mutants of tests/run/table_mutants.hpp, the promises are those of the sound tables. Which mutants can be
told from their instructions, the languages of the broken tables say. Each kernel must agree with its own, broken table,
but not without one of its instructions.
"""
import copy
import re
import sys

import lint
import ptx


def without(kernel, place):
    """The kernel as if this instruction did nothing."""
    less = copy.copy(kernel)
    less.edges = list(kernel.edges)
    less.edges[place] = [(None, to) for _, to in kernel.edges[place]]
    less.instructions = list(kernel.instructions)
    less.instructions[place] = ptx.Instruction("pragma", [], None, kernel.instructions[place].line)
    less.symbols = [s for s in kernel.symbols if s is not kernel.edges[place][0][0]]
    return less


def overlooked(kernel, promise):
    """How many instructions were tried, and which of them the lint does not miss.

    How many cp.async a thread needs for its share of a copy is no matter of synchronisation."""
    places = [p for p, edges in enumerate(kernel.edges)
              if edges and edges[0][0] is not None and edges[0][0].op != "cp.async.shared.global"]
    return len(places), [str(kernel.instructions[p]) for p in places if not lint.faults(without(kernel, p), promise)]


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    target, program, source, *compiler = sys.argv[1:]
    defines = ["-DPENSTOCK_LINT_MUTANTS", f"-DPENSTOCK_TEST_TARGET={target}"]
    kernels = ptx.read_kernels(lint.compile_ptx(source, target, compiler + defines), r"lint_kernelILi(\d+)E")
    promises = lint.promises_of(program, target, "mutants")
    if len(kernels) != len(promises):
        sys.exit(f"{len(promises)} mutants are promised, but the PTX holds {len(kernels)}")
    wrong, visible, dropped = 0, [], 0
    for number, promise in enumerate(promises):
        found = lint.faults(kernels[str(number)], lint.Promise(promise["language"]))
        broken, sound = promise["broken"], promise["language"]
        differs = (lint.prescribed(broken) != lint.prescribed(sound) or
                   bool(lint.faults_of_paths(lint.Ideal(broken), lint.Promise(sound))))
        if differs:
            visible.append(promise["name"])
        if bool(found) != differs:
            wrong += 1
            print(f"FAIL {promise['name']}: " + ("not found" if differs else "; ".join(found)))
        if "agree of" in promise["name"]:  # whose table still speaks of a stop, which its kernel never hears of
            continue
        own = lint.Promise(broken)
        if found := lint.faults(kernels[str(number)], own):
            wrong += 1
            print(f"FAIL {promise['name']}, by its own table: " + "; ".join(found))
        if number % 8 == 0:
            tried, missed = overlooked(kernels[str(number)], own)
            dropped += tried
            wrong += len(missed)
            for text in missed:
                print(f"FAIL {promise['name']}: not found without `{text}`")
    print(f"{len(promises)} mutants, {len(visible)} of them with other instructions than promised; {dropped} "
          f"instructions left out one by one; {wrong} wrong verdicts")
    # a list of mutants that lost a kind would not go unnoticed
    kinds = ["barrier"]
    if 80 <= int(target) < 90:
        kinds += ["wait_groups", "one more pending", "commit"]
    elif int(target) >= 90:
        kinds += ["wait_signal", "wait_first", "wait_reads", "wait_writes", "one more pending", "fence", "signal of",
                  "told before", "one arrival more", "one nearer", "one slot fewer", "a phase late"]
    lost = [kind for kind in kinds if not any(kind in name for name in visible)]
    if int(target) >= 90 and not any(re.search("three stages 1 1.*one nearer.*wait_signal", name) for name in visible):
        lost.append("a wrong parity of a ring of one slot")
    if lost:
        print(f"FAIL no visible mutant of the kind {', '.join(lost)}")
    sys.exit(1 if wrong or lost else 0)


if __name__ == "__main__":
    main()
