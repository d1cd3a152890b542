#!/usr/bin/env python3
"""Compiles each header of a folder in a translation unit of its own, warnings being errors.

usage: headers_compile_alone.py host INCLUDE_DIR DEVICE_ONLY COMPILER [ARGUMENT...]
       headers_compile_alone.py device INCLUDE_DIR DEVICE_ONLY COMPILER [ARGUMENT...]

host:   every header but the device-only ones, included twice. Any include of a header that is neither penstock's nor
        the C++ standard library's is an error, whether or not a CUDA Toolkit is installed: plain C++ needs none.
device: all headers in one translation unit, then each device-only header alone.
DEVICE_ONLY is a comma-separated list of path prefixes relative to INCLUDE_DIR, such as penstock/arch/hopper/.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

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
    run = subprocess.run([*compiler, str(source)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         encoding="utf-8", errors="replace", check=False)
    print(f"{'ok  ' if run.returncode == 0 else 'FAIL'} {name}\n{run.stdout}", end="")
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
        if side == "host":
            traps = folder / "traps"
            lay_traps(traps, paths)
            compiler = [*compiler, f"-I{traps}"]
            units = {name: f"#include <{name}>\n" * 2 for name in names if not name.startswith(device_only or "\0")}
        else:
            units = {"all headers": "".join(f"#include <{name}>\n" for name in names)}
            units |= {name: f"#include <{name}>\n" for name in names if name.startswith(device_only or "\0")}
        if not units:
            sys.exit(f"no header found under {include_dir}")
        suffix = ".cpp" if side == "host" else ".cu"
        failed = [name for name, text in units.items() if not compile_text(compiler, folder, name, suffix, text)]
    if failed:
        sys.exit(f"{len(failed)} of {len(units)} do not compile: {', '.join(failed)}")


if __name__ == "__main__":
    main()
