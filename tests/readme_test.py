#!/usr/bin/env python3
"""Passes if the README's first program compiles and prints what the README says it prints.

usage: readme_test.py README.md INCLUDE_DIR COMPILER...
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    readme, include, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
    found = re.search(r"```cpp\n(.*?)```\n\n```\n(.*?)```", pathlib.Path(readme).read_text(encoding="utf-8"), re.S)
    if not found:
        sys.exit(f"{readme} does not begin with a program and its output")
    program, expected = found.groups()
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "program.cpp"), pathlib.Path(folder, "program")
        source.write_text(program, encoding="utf-8")
        subprocess.run([*compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", include, source, "-o", binary],
                       check=True)
        printed = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    if printed != expected:
        sys.exit(f"the README promises:\n{expected}the program prints:\n{printed}")


if __name__ == "__main__":
    main()
