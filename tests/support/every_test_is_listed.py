#!/usr/bin/env python3
"""Passes if every test source under a folder is one of the files given: a file that nobody lists never runs.

usage: every_test_is_listed.py TESTS_DIR LISTED_FILE...
"""
import pathlib
import sys

PATTERNS = ("**/*_test.cpp", "**/*_test.cu", "**/*_test.py", "compile_fail/*.cpp", "compile_fail/*.cu")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    present = {path.relative_to(folder).as_posix() for pattern in PATTERNS for path in folder.glob(pattern)}
    missing = sorted(present - set(sys.argv[2:]))
    if missing:
        sys.exit(f"not listed in {folder / 'meson.build'}: {', '.join(missing)}")


if __name__ == "__main__":
    main()
