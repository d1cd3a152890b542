#!/usr/bin/env python3
"""Compiles each header of a folder in a translation unit of its own, warnings being errors.

usage: headers_compile_alone.py host INCLUDE_DIR DEVICE_ONLY COMPILER [ARGUMENT...]
       headers_compile_alone.py device INCLUDE_DIR DEVICE_ONLY COMPILER [ARGUMENT...]

host:   every header but the device-only ones, included twice. Any include of a header that is neither penstock's nor
        the C++ standard library's is an error, whether or not a CUDA Toolkit is installed: plain C++ needs none.
device: all headers in one translation unit, then the device side of each device-only header alone.
DEVICE_ONLY is a comma-separated list of path prefixes relative to INCLUDE_DIR, such as penstock/arch/hopper/.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", re.MULTILINE)


def lay_traps(folder, headers):
    """Makes every header that is not plain C++ exist in folder as an #error, so that including it shows."""
    for header in headers:
        for name in INCLUDE.findall(header.read_text(encoding="utf-8")):
            if name.startswith("penstock/") or not re.search(r"[./]", name):
                continue
            trap = folder / name
            trap.parent.mkdir(parents=True, exist_ok=True)
            trap.write_text(f'#error "plain C++ must not include <{name}>"\n', encoding="utf-8")


def compile_text(compiler, folder, name, suffix, text):
    source = folder / (re.sub(r"\W", "_", name) + suffix)
    source.write_text(text, encoding="utf-8")
    start = time.monotonic()
    run = subprocess.run([*compiler, str(source)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         encoding="utf-8", errors="replace", check=False)
    seconds = time.monotonic() - start
    print(f"{'ok  ' if run.returncode == 0 else 'FAIL'} {seconds:5.1f} s  {name}\n{run.stdout}", end="")
    return run.returncode == 0


def main():
    if len(sys.argv) < 5 or sys.argv[1] not in ("host", "device"):
        sys.exit(__doc__)
    side, include_dir, compiler = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[4:]
    device_only = tuple(filter(None, sys.argv[3].split(",")))
    paths = sorted(include_dir.rglob("*.hpp"))
    names = [path.relative_to(include_dir).as_posix() for path in paths]
    for prefix in device_only:
        if not any(name.startswith(prefix) for name in names):
            sys.exit(f"no header's path begins with {prefix}, which is said to be device-only")

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        alone = {name: f"#include <{name}>\n" * 2 for name in names}
        if side == "host":
            traps = folder / "traps"
            lay_traps(traps, paths)
            host = [*compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{traps}"]
            jobs = [(host, name, ".cpp", alone[name]) for name in names if not name.startswith(device_only)]
        else:
            nvcc = [*compiler, "-std=c++20", "-Xcompiler=-Wall,-Wextra,-Werror", "-Werror=all-warnings", "-o", os.devnull]
            jobs = [([*nvcc, "-c"], "all headers", ".cu", "".join(alone.values()))]
            jobs += [([*nvcc, "-ptx"], name, ".cu", alone[name]) for name in names if name.startswith(device_only)]
        if not jobs:
            sys.exit(f"no header found under {include_dir}")
        failed = [name for command, name, suffix, text in jobs
                  if not compile_text([*command, f"-I{include_dir}"], folder, name, suffix, text)]
    if failed:
        sys.exit(f"{len(failed)} of {len(jobs)} do not compile: {', '.join(failed)}")


if __name__ == "__main__":
    main()
