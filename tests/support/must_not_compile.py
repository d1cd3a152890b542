#!/usr/bin/env python3
"""Passes if a source file is rejected by the compiler with the message that the file itself promises.

usage: must_not_compile.py SOURCE COMPILER [ARGUMENT...]

The file says what it expects in comment lines:
  // expect: REGEX   must match one of the first lines that the compiler prints; at least one, all must match
  // flags: FLAGS    compiler flags for this file; a -std among them replaces the -std=c++20 used otherwise
"""
import os
import re
import shlex
import subprocess
import sys

# A person sees this much without scrolling; a message further down has not been said.
FIRST_LINES = 20


def directives(text, name):
    return re.findall(rf"^// {name}: (.*\S)", text, re.MULTILINE)


def verdict(source, compiler):
    """Returns None if the file is rejected as it promises, else one sentence that says what was wrong."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    expected = directives(text, "expect")
    if not expected:
        return f"{source} has no '// expect: REGEX' line"
    flags = [flag for line in directives(text, "flags") for flag in shlex.split(line)]
    if not any(flag.startswith("-std") for flag in flags):
        flags.insert(0, "-std=c++20")
    run = subprocess.run([*compiler, *flags, source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         encoding="utf-8", errors="replace", check=False,
                         env={**os.environ, "LC_ALL": "C"})  # gcc speaks the user's language
    if run.returncode == 0:
        return f"{source} compiled, but must not"
    head = "\n".join(run.stdout.splitlines()[:FIRST_LINES])
    for regex in expected:
        if not any(re.search(regex, line) for line in head.splitlines()):
            return f"{source} was rejected, but its first {FIRST_LINES} lines lack /{regex}/:\n{head}"
    print(head)
    return None


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    complaint = verdict(sys.argv[1], sys.argv[2:])
    if complaint:
        sys.exit(complaint)


if __name__ == "__main__":
    main()
