#!/usr/bin/env python3
"""Holds docs/waits.md to the command: what the page shows of its output is what it prints.

usage: waits_page_test.py PENSTOCK

Each ```console block starts with "$ penstock …" and shows lines of the output in order; between two lines "…" stands
for any others. The files that the commands read are the ```json blocks before which the page names them.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "waits.md"


def blocks(text, language):
    found = re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(m[1], text[:m.start()]) for m in found]


def stretches(shown):
    """The lines shown, in runs that must follow each other directly."""
    runs = [[]]
    for line in shown:
        if line == "…":
            runs.append([])
        else:
            runs[-1].append(line)
    return [run for run in runs if run]


def first_missing(shown, printed):
    at = 0
    for run in stretches(shown):
        places = [k for k in range(at, len(printed) - len(run) + 1) if printed[k:k + len(run)] == run]
        if not places:
            return run
        at = places[0] + len(run)
    return None


def main():
    program, = sys.argv[1:]
    text = PAGE.read_text(encoding="utf-8")
    wrong, commands = 0, blocks(text, "console")
    with tempfile.TemporaryDirectory() as folder:
        for content, before in blocks(text, "json"):
            pathlib.Path(folder, re.findall(r"`(\w+\.json)`", before)[-1]).write_text(content, encoding="utf-8")
        for content, _ in commands:
            command, *shown = content.splitlines()
            if not command.startswith("$ penstock "):
                sys.exit(f"{PAGE.name}: not a command: {command}")
            run = subprocess.run([program, *command.split()[2:]], cwd=folder, stdout=subprocess.PIPE, encoding="utf-8",
                                 check=False)
            missing = first_missing(shown, run.stdout.splitlines())
            if run.returncode or missing:
                wrong += 1
                print(f"FAIL {command}: status {run.returncode}; not printed:", *(missing or []), sep="\n")
    print(f"{len(commands)} commands, {wrong} of which print something else than {PAGE.name} shows")
    sys.exit(1 if wrong or not commands else 0)


if __name__ == "__main__":
    main()
