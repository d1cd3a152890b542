#!/usr/bin/env python3
"""Counts the machine instructions of the kernels in a program: all, inside loops, spills.

usage: sass.py PROGRAM [PART_OF_A_KERNEL_NAME] [--json FILE]

Needs cuobjdump: of the CUDA Toolkit, or from `pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm`; CUOBJDUMP may name
it. Exits 77 where there is none. A loop is what lies between a backward branch and its target; nested loops and the
spinning part of waits count once, with the loop they lie in or by themselves. With --json a line is appended for each
kernel.
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


def count(code):
    code = [(address, text) for address, text in code if not opcode(text).startswith("NOP")]
    while code and opcode(code[-1][1]) == "BRA" and f"{code[-1][0]:x}" in code[-1][1]:  # the trap behind the end
        code.pop()
    loops = []
    for address, text in code:
        found = BRANCH.search(text)
        if found and found[1] and int(found[1], 16) <= address:
            loops.append((int(found[1], 16), address))
    inside = [text for address, text in code if any(a <= address <= b for a, b in loops)]
    longest = max((sum(a <= address <= b for address, _ in code) for a, b in loops), default=0)
    return {"instructions": len(code), "in_loops": len(inside), "longest_loop": longest,
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
        short = re.sub(r"penstock::mapping<\(penstock::arrangement\)(\d), \d+>", lambda m: ("uniform", "specialised")[int(m[1])], name)
        short = re.sub(r"^void |(?<=>)\(.*$", "", short).replace("> >", ">>")
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
