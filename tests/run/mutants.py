#!/usr/bin/env python3
"""Runs every mutant of tests/run/mutants.cu by itself and tells which of them hardware and sanitizers notice.

usage: mutants.py TABLE.md LIST PROGRAM [RACECHECK_PROGRAM]

LIST prints the mutants, PROGRAM runs one natively and under synccheck; RACECHECK_PROGRAM, compiled with
PENSTOCK_FOR_RACECHECK, runs under racecheck, which cannot follow an arrival that one lane makes for its warp. A mutant
that hangs is not run under the sanitizers. Fails if anything objects to a table with nothing broken, or if hardware
shows a fault of a table that the checker calls sound. Exit status 77: no device.
"""
import collections
import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

AT_ONCE = 8
RIGHT, WRONG, FAILED, HANGS, NO_DEVICE, TOOL_OBJECTS = 0, 1, 2, 3, 77, 9
PATIENCE_S = 60  # beyond the program's own
Mutant = collections.namedtuple("Mutant", "pipeline broken checker")
Outcome = collections.namedtuple("Outcome", "caught text")


def execute(command, **environment):
    """Exit status and output; status None where the process had to be killed, with all that it started."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
                          env={**os.environ, **environment}, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE_S)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]


def run_natively(program, number):
    status, output = execute([program, str(number)])
    if status == NO_DEVICE:
        print(output, end="")
        sys.exit(NO_DEVICE)
    last = output.strip().splitlines()[-1] if output.strip() else f"status {status}"
    if status == RIGHT:
        return Outcome(False, "right")
    if status == WRONG:
        return Outcome(True, "**" + last.split(",")[0] + "**")
    if status == FAILED:
        return Outcome(True, f"**launch failure**: {last}")
    if status in (HANGS, None):
        return Outcome(True, "**hangs**")
    raise RuntimeError(f"{program} {number}: status {status}: {last}")


def run_under(tool, program, number):
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(TOOL_OBJECTS), program, str(number)]
    status, output = execute(command, PENSTOCK_SHORT_TESTS="1")
    if status == TOOL_OBJECTS:
        return Outcome(True, "**reported**")
    if status == RIGHT:
        return Outcome(False, "silent")
    if status in (WRONG, FAILED):
        return Outcome(False, "silent (" + ("wrong words" if status == WRONG else "launch failure") + ")")
    if status in (HANGS, None):
        return Outcome(False, "silent (hangs)")
    raise RuntimeError(f"{tool} on {program} {number}: status {status}: {output[-400:]}")


def in_parallel(job, numbers):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(numbers, pool.map(job, numbers)))


def device_name():
    if not shutil.which("nvidia-smi"):
        return "the GPU"
    status, output = execute(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"])
    return output.splitlines()[0].strip() if status == 0 and output.strip() else "the GPU"


def write_table(path, mutants, detectors):
    """detectors: heading -> {number: Outcome}. Returns the lines of the summary."""
    killed = [n for n, m in enumerate(mutants) if m.checker != "sound"]
    text = ["# Which broken tables are noticed", "",
            "Each row is a kernel whose lowering table was broken in one place, run by itself with delays at random",
            "places (`tests/gpu.sh BUILD_FOLDER mutants` makes this page). *Checker* is what the model of `penstock/check`",
            "says of the table without running it. What hangs was not run under the sanitizers; racecheck saw a build in",
            "which every lane arrives by itself.", ""]
    summary = ["| detector | faults noticed, of those that the checker finds |", "|---|---|",
               f"| checker | {len(killed)} of {len(killed)} |"]
    for heading, outcomes in detectors.items():
        asked = [n for n in killed if n in outcomes]
        summary.append(f"| {heading} | {sum(outcomes[n].caught for n in asked)} of {len(asked)} |")
    together = sum(any(n in o and o[n].caught for o in detectors.values()) for n in killed)
    summary.append(f"| all but the checker | {together} of {len(killed)} |")
    text += summary
    pipeline = None
    for n, m in enumerate(mutants):
        if m.pipeline != pipeline:
            pipeline = m.pipeline
            text += ["", f"## {pipeline[0].upper()}{pipeline[1:]}", "",
                     f"| what is broken | checker | {' | '.join(detectors)} |", "|---|---|" + "---|" * len(detectors)]
        cells = [outcomes[n].text if n in outcomes else "–" for outcomes in detectors.values()]
        text.append(f"| {m.broken} | {m.checker} | {' | '.join(cells)} |")
    pathlib.Path(path).write_text("\n".join(text) + "\n", encoding="utf-8")
    return summary


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    path, lister, program = sys.argv[1:4]
    status, output = execute([lister])
    if status != 0:
        sys.exit(f"{lister}: status {status}")
    mutants = [Mutant(*line.split("\t")) for line in output.splitlines()]
    begin = time.monotonic()
    run_natively(program, 0)  # alone: without a device there is nothing to do
    detectors = {device_name(): in_parallel(lambda n: run_natively(program, n), list(range(len(mutants))))}
    native = next(iter(detectors.values()))
    if shutil.which("compute-sanitizer"):
        runs = [n for n, outcome in native.items() if "hangs" not in outcome.text]
        if len(sys.argv) == 5:
            detectors["racecheck"] = in_parallel(lambda n: run_under("racecheck", sys.argv[4], n), runs)
        detectors["synccheck"] = in_parallel(lambda n: run_under("synccheck", program, n), runs)
    print("\n".join(write_table(path, mutants, detectors)))
    print(f"{len(mutants)} mutants, {time.monotonic() - begin:.0f} s: {path}")
    alarms = [f"{heading} objects to {m.pipeline} with nothing broken: {outcomes[n].text}"
              for heading, outcomes in detectors.items() for n, m in enumerate(mutants)
              if m.broken == "nothing" and n in outcomes and outcomes[n].text not in ("right", "silent")]
    alarms += [f"the checker calls it sound, but {native[n].text}: {m.pipeline}: {m.broken}"
               for n, m in enumerate(mutants) if m.checker == "sound" and native[n].caught]
    for alarm in alarms:
        print("FAIL", alarm)
    sys.exit(1 if alarms else 0)


if __name__ == "__main__":
    main()
