#!/usr/bin/env python3
"""Holds kernels to limits: no spills, so many registers, and a declared loop close to the one written by hand.

usage: sass_gate.py SOURCE_ROOT ARCH NVCC [ARGUMENT...]

Compiles tests/algorithm/kernels.cu for sm_ARCH and reads the code with cuobjdump (see benchmarks/sass.py). Exits 77, which
Meson reports as skipped, where there is no cuobjdump.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Registers a thread on sm_90 and later, and before: what still lets the blocks fill a multiprocessor that hides memory's
# latency.
REGISTERS = [
    (r"copy_kernel<", 32, 32),
    (r"copy_tiles_kernel<", 64, 72),
    (r"transform_kernel<1", 32, 32),
    (r"transform_kernel<", 64, 64),
    (r"transform_each_kernel<", 32, 32),
    (r"transform_tiles_kernel<", 72, 80),
    (r"reduce_(partials_)?kernel<", 64, 64),
    (r"row_box_kernel<", 40, 40),
    (r"row_list_kernel<", 48, 48),
    (r"transpose_kernel<", 42, 48),
    (r"gather_kernel<", 64, 64),
    (r"batch_kernel<", 72, 72),
    (r"overhead::", 40, 48),
]
LOOP_INSTRUCTIONS = 1.05  # of the loop by hand
LOOP_REGISTERS = 2        # more or less than it


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    root, arch, nvcc = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    sys.path.insert(0, str(root / "benchmarks"))
    sys.dont_write_bytecode = True
    import sass
    cuobjdump = sass.find_cuobjdump()
    if cuobjdump is None:
        print("skipped: no cuobjdump; pip install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        cubin = str(pathlib.Path(folder) / "kernels.cubin")
        subprocess.run([*nvcc, "-std=c++20", "-O3", "-cubin", f"-arch=sm_{arch}", f"-I{root / 'include'}", f"-I{root / 'benchmarks'}",
                        "-o", cubin, str(root / "tests/algorithm/kernels.cu")], check=True)
        environment = dict(os.environ, PATH=f"{pathlib.Path(cuobjdump).parent}:{os.environ.get('PATH', '')}")
        usage = subprocess.run([cuobjdump, "-res-usage", cubin], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                               check=True, env=environment).stdout
        registers = {name: int(count) for name, count in re.findall(r"Function (\S+?):\s+REG:(\d+)", usage)}
        listings = list(sass.listings(cuobjdump, cubin))
    names = [sass.short_name(name) for name in sass.demangle([name for name, _ in listings])]
    kernels = {name: dict(sass.count(code), registers=registers[mangled]) for name, (mangled, code) in zip(names, listings)}
    problems = []
    for name, k in sorted(kernels.items()):
        limits = next((limits for pattern, *limits in REGISTERS if re.search(pattern, name)), [None, None])
        limit = limits[0 if int(arch) >= 90 else 1]
        print(f"{k['registers']:4} registers of {limit}, {k['instructions']:5} instructions, {k['in_loops']:4} in loops, {k['spills']:2} spills  {name}")
        if limit is None:
            problems.append(f"{name}: no limit is set for it in {pathlib.Path(__file__).name}")
        elif k["registers"] > limit:
            problems.append(f"{name}: {k['registers']} registers, more than {limit}")
        if k["spills"]:
            problems.append(f"{name}: {k['spills']} loads and stores of spilled registers")
    compared = 0
    for name, k in kernels.items():
        if not (found := re.match(r"overhead::declared<(\d+), (overhead::\w+), specialised>", name)):
            continue
        hand = kernels[f"overhead::by_hand<{found[1]}, {found[2]}>"]
        if int(arch) < 90 or hand["in_loops"] == 0:
            continue
        compared += 1
        if k["in_loops"] > LOOP_INSTRUCTIONS * hand["in_loops"]:
            problems.append(f"{name}: {k['in_loops']} instructions in loops, more than {LOOP_INSTRUCTIONS} of {hand['in_loops']} by hand")
        if abs(k["registers"] - hand["registers"]) > LOOP_REGISTERS:
            problems.append(f"{name}: {k['registers']} registers, {hand['registers']} by hand; they may differ by {LOOP_REGISTERS}")
    if int(arch) >= 90 and compared < 4:
        problems.append(f"only {compared} loops were compared with the ones by hand")
    sys.exit("\n".join(problems) if problems else 0)


if __name__ == "__main__":
    main()
