#!/usr/bin/env python3
"""Turns benchmark results (JSON lines) into one Markdown table, one JSON file and, with matplotlib, SVG plots.

usage: table.py RESULTS.jsonl OUT_DIR

Writes OUT_DIR/benchmarks.md, OUT_DIR/benchmarks.json and OUT_DIR/<case>.svg for every case with several sizes.
"""
import collections
import json
import math
import pathlib
import re
import sys

OURS = "penstock"
YARDSTICK = "penstock::copy of as many bytes"


def load(path):
    rows, devices, kernels = [], [], []
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
        except ValueError as problem:
            sys.exit(f"{path}:{number}: {problem}")
        (rows if "case" in row else devices if "device" in row else kernels).append(row)
    return rows, devices, kernels


def is_peer(name):
    return not name.startswith(OURS) and not name.startswith("vectorised{")


def by_case(rows):
    cases = collections.OrderedDict()
    for row in rows:
        cases.setdefault(row["case"], collections.OrderedDict()).setdefault(row["size"], {})[row["who"]] = row
    return cases


def size_text(size):
    for unit, scale in (("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10)):
        if size >= scale and size % scale == 0:
            return f"{size // scale:.0f} {unit}"
    return f"{size:.0f}"


def ratio(point, peer=None):
    """Ours over the best peer, or over the named one; above 1 is better, whatever the unit."""
    if OURS not in point:
        return None
    peers = [p["median"] for who, p in point.items() if (is_peer(who) if peer is None else who == peer)]
    if not peers:
        return None
    ours = point[OURS]["median"]
    return ours / max(peers) if point[OURS]["unit"] == "TB/s" else min(peers) / ours


class Targets:
    """The figures to reach, each against what was measured in the same run."""

    def __init__(self, cases, kernels):
        self.cases, self.kernels, self.lines = cases, kernels, []

    def points(self, pattern, low=0, high=math.inf, peer=None):
        for case, sizes in self.cases.items():
            if re.search(pattern, case):
                for size, point in sizes.items():
                    value = ratio(point, peer)
                    if low <= size <= high and value:
                        yield f"{case}, {size_text(size)}", value

    def add(self, what, target, points, at_least=True):
        points = list(points)
        if not points:
            return
        name, worst = (min if at_least else max)(points, key=lambda p: p[1])
        mean = math.exp(sum(math.log(v) for _, v in points) / len(points))
        met = worst >= target if at_least else worst <= target
        self.lines.append((what, f"{'≥' if at_least else '≤'} {target}", f"{worst:.3f}", name, f"{mean:.3f}", "yes" if met else "**no**"))

    def loops(self, who, unit="cycles"):
        """Cycles of a version of the loop over those of another, for every body and depth."""
        for case, sizes in self.cases.items():
            if case.startswith("loop, ") and not case.endswith("all SMs"):
                for depth, point in sizes.items():
                    if who in point and "penstock, specialised" in point:
                        yield f"{case}, depth {depth:.0f}", point["penstock, specialised"]["median"] / point[who]["median"]

    def code(self, field):
        counts = {k["kernel"]: k for k in self.kernels}
        for name, ours in counts.items():
            if found := re.search(r"declared<(\d+), overhead::(\w+), specialised", name):
                hand = counts.get(f"overhead::by_hand<{found[1]}, overhead::{found[2]}>")
                if hand:
                    yield f"{found[2]}, depth {found[1]}", ours[field] / hand[field]

    def registers(self):
        for case, sizes in self.cases.items():
            if case.startswith("loop, ") and not case.endswith("all SMs"):
                for depth, point in sizes.items():
                    found = [re.search(r"registers (\d+)", point[w]["more"]) for w in ("penstock, specialised", "by hand, PTX") if w in point]
                    if len(found) == 2 and all(found):
                        yield f"{case}, depth {depth:.0f}", int(found[0][1]) - int(found[1][1])

    def unaligned(self):
        aligned = self.cases.get("copy", {})
        for case, sizes in self.cases.items():
            if re.match(r"copy, .* off", case):
                for size, point in sizes.items():
                    if size in aligned and OURS in point:
                        yield f"{case}, {size_text(size)}", point[OURS]["median"] / aligned[size][OURS]["median"]

    def evaluate(self):
        mib = 1 << 20
        self.add("contiguous copy, 64 MiB and more, of the best peer", 0.99, self.points("^copy$", 64 * mib))
        self.add("contiguous copy, 1 to 16 MiB, of the best peer", 1.05, self.points("^copy$", mib, 16 * mib))
        self.add("unaligned copy, of our aligned one", 0.9, self.unaligned())
        self.add("transform and convert, of cub::DeviceTransform", 1.0,
                 self.points("^(transform|convert), (?!200)", peer="cub::DeviceTransform"))
        self.add("boxes, rows of 256 bytes and more, of our copy", 0.97, self.points("^box, ", 256, peer=YARDSTICK))
        self.add("boxes, rows of 16 to 255 bytes, of cudaMemcpy3DAsync", 2.0, self.points("^box, ", 16, 255, peer="cudaMemcpy3DAsync"))
        self.add("boxes, all, of cudaMemcpy3DAsync", 1.0, self.points("^box, ", peer="cudaMemcpy3DAsync"))
        self.add("transpose, 4 and 8 bytes, of our copy", 0.95, self.points("^transpose, [48] bytes", peer=YARDSTICK))
        self.add("transpose, 1 and 2 bytes, of our copy", 0.9, self.points("^transpose, [12] bytes", peer=YARDSTICK))
        self.add("halo pack, of 26 cudaMemcpy3DAsync", 3.0, self.points("^halo .*, pack"))
        self.add("batches of 256 B to 16 KiB, of cub::DeviceMemcpy::Batched", 1.25,
                 self.points("^batch of (equal|mixed)", 256, 16384, peer="cub::DeviceMemcpy::Batched"))
        self.add("reduce, of cub::DeviceReduce", 1.0, self.points("^reduce", peer="cub::DeviceReduce"))
        self.add("loop, cycles, of hand-written PTX", 1.02, self.loops("by hand, PTX"), at_least=False)
        self.add("loop, cycles, of cuda::pipeline", 0.6, self.loops("cuda::pipeline"), at_least=False)
        self.add("loop, instructions in loops, of hand-written PTX", 1.05, self.code("in_loops"), at_least=False)
        differences = list(self.registers())
        if differences:
            name, worst = max(differences, key=lambda d: abs(d[1]))
            self.lines.append(("loop, registers more than hand-written PTX", "± 2", f"{worst:+d}", name, "", "yes" if abs(worst) <= 2 else "**no**"))
        return self.lines


def markdown(cases, devices, kernels):
    out = []
    if devices:
        d = devices[0]
        out += [f"{d['device']}, {d['processors']} SMs, {d['l2'] / (1 << 20):.0f} MiB L2, driver {d['driver']}, CUDA runtime {d['runtime']}.", "",
                "SM clock, memory clock, temperature and power before and after each program: "
                + "; ".join(d["clocks"] or "not reported" for d in devices) + ".", ""]
    out += ["Rates count bytes read and written. Medians; `[10 %, 90 %]` of the samples. Every result was verified"
            + ("." if all(p["verified"] for s in cases.values() for q in s.values() for p in q.values()) else ", **and some were wrong**."), ""]
    targets = Targets(cases, kernels).evaluate()
    if targets:
        out += ["## Targets", "", "| what | target | worst point | which | geometric mean | met |", "|---|---|---|---|---|---|"]
        out += ["| " + " | ".join(line) + " |" for line in targets] + [""]
    for case, sizes in cases.items():
        names = list(collections.OrderedDict.fromkeys(who for point in sizes.values() for who in point))
        unit = next(iter(next(iter(sizes.values())).values()))["unit"]
        compared = any(ratio(point) for point in sizes.values())
        out += [f"## {case} ({unit})", "", "| size | " + " | ".join(names) + (" | of the best peer |" if compared else " |"),
                "|---" * (len(names) + 1 + compared) + "|"]
        for size, point in sizes.items():
            cells = []
            for name in names:
                p = point.get(name)
                cells.append("" if p is None else f"{p['median']:.4g} [{p['low']:.4g}, {p['high']:.4g}]" + ("" if p["verified"] else " **wrong**"))
            if compared:
                value = ratio(point)
                cells.append("" if value is None else f"{value:.3f}")
            out.append(f"| {size_text(size)} | " + " | ".join(cells) + " |")
        out.append("")
    if kernels:
        out += ["## Instructions", "", "| kernel | all | in loops | spills |", "|---|---|---|---|"]
        out += [f"| `{k['kernel']}` | {k['instructions']} | {k['in_loops']} | {k['spills']} |" for k in sorted(kernels, key=lambda k: k["kernel"])] + [""]
    return "\n".join(out)


def plot(cases, folder):
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        print("no plots: matplotlib is not installed", file=sys.stderr)
        return
    for case, sizes in cases.items():
        if len(sizes) < 3 or any(p["unit"] != "TB/s" for q in sizes.values() for p in q.values()):
            continue
        figure, axes = pyplot.subplots(figsize=(8, 4.5))
        names = collections.OrderedDict.fromkeys(who for point in sizes.values() for who in point if not who.startswith("vectorised{"))
        for name in names:
            found = [(size, point[name]) for size, point in sizes.items() if name in point]
            axes.plot([s for s, _ in found], [p["median"] for _, p in found], marker="o", linewidth=2.5 if name == OURS else 1.2, label=name)
            axes.fill_between([s for s, _ in found], [p["low"] for _, p in found], [p["high"] for _, p in found], alpha=0.15)
        axes.set(title=case, xlabel="size", ylabel="TB/s, read and written", ylim=(0, None))
        axes.set_xscale("log", base=2)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
        figure.tight_layout()
        figure.savefig(folder / (re.sub(r"[^a-z0-9]+", "_", case.lower()).strip("_") + ".svg"))
        pyplot.close(figure)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows, devices, kernels = load(sys.argv[1])
    if not rows:
        sys.exit(f"{sys.argv[1]} holds no results")
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    cases = by_case(rows)
    text = markdown(cases, devices, kernels)
    (folder / "benchmarks.md").write_text(text + "\n", encoding="utf-8")
    (folder / "benchmarks.json").write_text(json.dumps({"devices": devices, "results": rows, "kernels": kernels}, indent=1) + "\n", encoding="utf-8")
    plot(cases, folder)
    for line in Targets(cases, kernels).evaluate():
        print(f"{line[5].strip('*'):4} {line[0]}: {line[2]} (target {line[1]}) at {line[3]}" + (f"; mean {line[4]}" if line[4] else ""))
    if not all(row["verified"] for row in rows):
        sys.exit("some results were wrong")


if __name__ == "__main__":
    main()
