#!/usr/bin/env python3
"""Counts the machine instructions of the kernels in a program: all, inside loops, spills.

usage: sass.py PROGRAM [PART_OF_A_KERNEL_NAME] [--json FILE]

Needs cuobjdump: of the CUDA Toolkit, or from `pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm`; CUOBJDUMP may name
it. Exits 77 where there is none. An instruction is inside a loop if control can come back to it: the spinning part of a
wait belongs to the loop that waits. With --json a line is appended for each kernel.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"^\s*Function\s*:\s*(\S+)")
INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:\{\s*)?(.*?);?\s*(?:\*/|/\*|$)")
BRANCH = re.compile(r"\bBRA(?:\.\w+)*\s+(?:[!\w]+,\s*)?(?:`\(.*?\)|0x([0-9a-f]+))")


def find_cuobjdump():
    named = os.environ.get("CUOBJDUMP")
    candidates = [named] if named else [shutil.which("cuobjdump"), "/usr/local/cuda/bin/cuobjdump"]
    if not named:
        for folder in map(pathlib.Path, sys.path):
            candidates += folder.glob("nvidia/*/bin/cuobjdump")
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return str(candidate)
    return None


def demangle(names):
    tool = shutil.which("cu++filt") or shutil.which("c++filt")
    if not tool or not names:
        return names
    run = subprocess.run([tool], input="\n".join(names), stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return run.stdout.splitlines()


def short_name(name):
    """Without return type, parameters and what all names share."""
    name = re.sub(r"\((?:unsigned )?int\)|\(penstock::arrangement\)", "", name)  # how cu++filt spells arguments
    name = name.replace("(bool)0", "false").replace("(bool)1", "true")
    name = re.sub(r"penstock::mapping<(\d), \d+>", lambda m: ("uniform", "specialised")[int(m[1])], name)
    name = re.sub(r"^void |(?<=>)\(.*$", "", name.replace("(anonymous namespace)", "{anonymous}"))
    return name.replace(" >", ">")


def listings(cuobjdump, program):
    """Yields (mangled name, [(address, text)…]) of every kernel."""
    environment = dict(os.environ, PATH=f"{pathlib.Path(cuobjdump).parent}:{os.environ.get('PATH', '')}")
    run = subprocess.run([cuobjdump, "-sass", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                         errors="replace", env=environment, check=False)
    if run.returncode:
        sys.exit(f"cuobjdump cannot read {program}: {run.stderr.strip() or run.stdout.strip()}")
    name, code = None, []
    for line in run.stdout.splitlines():
        if found := FUNCTION.match(line):
            if name:
                yield name, code
            name, code = found[1], []
        elif name and (found := INSTRUCTION.match(line)):
            code.append((int(found[1], 16), found[2].strip()))
    if name:
        yield name, code


def opcode(text):
    words = text.split()
    return words[1] if words and words[0].startswith("@") and len(words) > 1 else words[0] if words else ""


def successors(code):
    """For each instruction, the indices of those that may run next."""
    at = {address: k for k, (address, _) in enumerate(code)}
    following = []
    for k, (_, text) in enumerate(code):
        targets = []
        conditional = text.startswith("@") or re.search(r"\bBRA(?:\.\w+)*\s+!?U?P\d", text) is not None
        found = BRANCH.search(text)
        if found and found[1] and int(found[1], 16) in at:
            targets.append(at[int(found[1], 16)])
        if k + 1 < len(code) and (conditional or opcode(text).split(".")[0] not in ("BRA", "EXIT", "RET")):
            targets.append(k + 1)
        following.append(targets)
    return following


def inside_loops(following):
    """The instructions that can be reached from themselves: the nodes of cyclic strong components (Kosaraju)."""
    def walk(start, edges, seen):
        order, stack = [], [(start, iter(edges[start]))]
        seen.add(start)
        while stack:
            node, rest = stack[-1]
            for other in rest:
                if other not in seen:
                    seen.add(other)
                    stack.append((other, iter(edges[other])))
                    break
            else:
                order.append(node)
                stack.pop()
        return order

    finished, seen = [], set()
    for node in range(len(following)):
        if node not in seen:
            finished += walk(node, following, seen)
    preceding = [[] for _ in following]
    for node, targets in enumerate(following):
        for target in targets:
            preceding[target].append(node)
    loops, seen = [], set()
    for node in reversed(finished):
        if node not in seen:
            component = walk(node, preceding, seen)
            if len(component) > 1 or node in following[node]:
                loops.append(component)
    return loops


def count(code):
    code = [(address, text) for address, text in code if not opcode(text).startswith("NOP")]
    while code and opcode(code[-1][1]) == "BRA" and f"0x{code[-1][0]:x}" in code[-1][1]:  # the trap behind the end
        code.pop()
    loops = inside_loops(successors(code))
    return {"instructions": len(code), "in_loops": sum(map(len, loops)), "longest_loop": max(map(len, loops), default=0),
            "spills": sum(opcode(text).startswith(("STL", "LDL")) for _, text in code)}


def main():
    arguments = sys.argv[1:]
    json_path = None
    if "--json" in arguments:
        place = arguments.index("--json")
        json_path = arguments[place + 1] if place + 1 < len(arguments) else None
        del arguments[place:place + 2]
        if json_path is None:
            sys.exit(__doc__)
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    cuobjdump = find_cuobjdump()
    if cuobjdump is None:
        print("skipped: no cuobjdump; pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm", file=sys.stderr)
        sys.exit(77)
    kernels = list(listings(cuobjdump, arguments[0]))
    readable = demangle([name for name, _ in kernels])
    rows = []
    for name, (_, code) in zip(readable, kernels):
        short = short_name(name)
        if len(arguments) == 2 and arguments[1] not in short:
            continue
        rows.append({"kernel": short, **count(code)})
    print(f"{'instructions':>12} {'in loops':>9} {'longest':>8} {'spills':>7}  kernel")
    for row in sorted(rows, key=lambda r: r["kernel"]):
        print(f"{row['instructions']:12} {row['in_loops']:9} {row['longest_loop']:8} {row['spills']:7}  {row['kernel']}")
    if json_path:
        with open(json_path, "a", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
