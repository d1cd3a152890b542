#!/usr/bin/env python3
"""Compiles each header alone, warnings being errors, and links all of them from two translation units.

usage: check_headers.py host INCLUDE_DIR DEVICE_ONLY COMPILER [ARGUMENT...]
       check_headers.py device INCLUDE_DIR DEVICE_ONLY COMPILER [ARGUMENT...]

host:   every header but the device-only ones, included twice. Any include of a header that is neither penstock's nor
        the C++ standard library's is an error, whether or not a CUDA Toolkit is installed: plain C++ needs none.
device: the device side of each device-only header.
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
HOST_FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
NVCC_FLAGS = ["-std=c++20", "-Xcompiler=-Wall,-Wextra,-Werror", "-Werror=all-warnings"]

# A function that a header defines but does not declare inline is defined twice here, and an inline variable that is
# static by accident has two addresses.
FIRST_UNIT = "const int* address_in_second_unit();\nint main() { return &penstock::version != address_in_second_unit(); }\n"
SECOND_UNIT = "const int* address_in_second_unit() { return &penstock::version; }\n"


def lay_traps(folder, headers):
    """Makes every header that is not plain C++ exist in folder as an #error, so that including it shows."""
    for header in headers:
        for name in INCLUDE.findall(header.read_text(encoding="utf-8")):
            if name.startswith("penstock/") or not re.search(r"[./]", name):
                continue
            trap = folder / name
            trap.parent.mkdir(parents=True, exist_ok=True)
            trap.write_text(f'#error "plain C++ must not include <{name}>"\n', encoding="utf-8")


class Checker:
    def __init__(self, compiler, folder, suffix):
        self.compiler, self.folder, self.suffix = compiler, folder, suffix
        self.failed, self.count = [], 0

    def step(self, what, *command):
        start = time.monotonic()
        run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             encoding="utf-8", errors="replace", check=False)
        print(f"{'FAIL' if run.returncode else 'ok  '} {time.monotonic() - start:5.1f} s  {what}\n{run.stdout}", end="")
        self.count += 1
        if run.returncode:
            self.failed.append(what)
        return run.returncode == 0

    def write(self, name, text):
        source = self.folder / (name + self.suffix)
        source.write_text(text, encoding="utf-8")
        return source

    def alone(self, header, flags):
        self.step(header, *self.compiler, *flags, self.write("alone", f"#include <{header}>\n" * 2))

    def two_units(self, headers, flags):
        includes = "".join(f"#include <{header}>\n" for header in headers)
        objects = []
        for name, text in (("first", FIRST_UNIT), ("second", SECOND_UNIT)):
            objects.append(self.folder / f"{name}.o")
            if not self.step(f"all headers in the {name} of two translation units", *self.compiler, *flags, "-c", "-o",
                             objects[-1], self.write(name, includes + text)):
                return
        program = self.folder / "program"
        if self.step("both linked", *self.compiler, "-o", program, *objects):
            self.step("both run", program)


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
            flags = [*HOST_FLAGS, f"-I{include_dir}", f"-I{traps}"]
            host = [name for name in names if not name.startswith(device_only)]
            checker = Checker(compiler, folder, ".cpp")
            for name in host:
                checker.alone(name, [*flags, "-fsyntax-only"])
            checker.two_units(host, flags)
        else:
            flags = [*NVCC_FLAGS, f"-I{include_dir}"]
            checker = Checker(compiler, folder, ".cu")
            for name in names:
                if name.startswith(device_only):
                    checker.alone(name, [*flags, "-ptx", "-o", os.devnull])
            checker.two_units(names, flags)
    if checker.failed:
        sys.exit(f"{len(checker.failed)} of {checker.count} failed: {', '.join(checker.failed)}")


if __name__ == "__main__":
    main()
