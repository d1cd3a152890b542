#!/usr/bin/env bash
# Explains the rows of docs/benchmarks.md that miss their targets: profiles each, beside what it is compared with, and
# prints one table.
# usage: benchmarks/profile.sh [--only PART_OF_A_ROW] [OUT]     (OUT: build-benchmarks/profile; keeps ncu's reports)
# Needs a GPU whose counters the user may read, nvcc, ncu (Nsight Compute) and python3 on PATH; takes a few minutes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
refuse() { printf '%s\n' "profile.sh: $1" >&2; exit 1; }
only='' out=''
while (($#)); do
  case $1 in
    --only) only=${2:?--only needs a part of a row}; shift ;;
    -*) sed -n '2,5s/^# //p' "$0"; exit 2 ;;
    *) out=$1 ;;
  esac
  shift
done
for tool in ncu nvcc python3; do
  command -v "$tool" >/dev/null || refuse "there is no $tool on PATH; profiling needs ncu (Nsight Compute), nvcc and python3"
done
nvidia-smi -L 2>/dev/null | grep -q GPU || refuse "nvidia-smi sees no GPU here; profiling needs one"

out=${out:-$here/../build-benchmarks/profile}
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out"/row-*.csv
nvcc -std=c++20 -O3 -lineinfo -arch="${PENSTOCK_BENCHMARK_ARCH:-native}" -I"$here/../include" -I"$here" -o "$out/profile" \
  "$here/profile.cu" >"$out/profile.log" 2>&1 || { cat "$out/profile.log" >&2; refuse "cannot build profile.cu"; }
"$out/profile" --list >"$out/rows.txt" || refuse "the program that holds the rows does not run here"

metrics=gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed,dram__bytes_read.sum,dram__bytes_write.sum
metrics+=,sm__warps_active.avg.pct_of_peak_sustained_active,smsp__issue_active.avg.per_cycle_active,launch__registers_per_thread
metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
number=0 profiled=0
while IFS=$'\t' read -r row who; do
  number=$((number + 1))
  [[ $row == *"$only"* ]] || continue
  profiled=$((profiled + 1))
  report=$out/row-$number.csv
  # The section holds the reasons why warps stall, whatever this architecture's are.
  if ! ncu --profile-from-start off --clock-control none --metrics "$metrics" --section WarpStateStats --csv --page raw \
    --print-units base "$out/profile" "$number" >"$report" </dev/null || ! grep -q '^"ID"' "$report"; then
    cat "$report" >&2
    grep -q ERR_NVGPUCTRPERM "$report" &&
      refuse "this user may not read the GPU's counters: run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0"
    refuse "ncu profiled nothing of '$row' by $who"
  fi
done <"$out/rows.txt"
((profiled)) || refuse "no row has '$only' in its name; $out/rows.txt lists them"

python3 - "$out" <<'PYTHON' | tee "$out/profile.md"
import csv, pathlib, re, sys

STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return float("nan")


def stall(kernel):
    shares = {m[1]: number(v) for name, v in kernel.items() if name and (m := STALL.fullmatch(name)) and "not_issued" not in m[1]}
    whole = sum(v for v in shares.values() if v == v)
    shares = {k: v for k, v in shares.items() if k not in ("selected", "not_selected") and v == v}
    if not whole or not shares:
        return "not reported"
    top = max(shares, key=shares.get)
    return f"{top.replace('_', ' ')} {100 * shares[top] / whole:.0f} %"


folder = pathlib.Path(sys.argv[1])
print("| row | who | kernel | us | DRAM, % of peak | MB read | MB written | warps active, % | issue slots used, % | top stall "
      "| registers | bank conflicts, loads + stores |")
print("|---|---|---|--:|--:|--:|--:|--:|--:|---|--:|--:|")
for index, line in enumerate((folder / "rows.txt").read_text(encoding="utf-8").splitlines(), 1):
    report = folder / f"row-{index}.csv"
    if not report.is_file():
        continue
    lines = [text for text in report.read_text(encoding="utf-8").splitlines() if text.startswith('"')]
    kernels = list(csv.DictReader(lines))[1:]  # the first one holds the units
    row, who = line.split("\t")
    for k in kernels:
        get = lambda metric: number(k.get(metric) or "")
        name = k["Kernel Name"].removeprefix("void ").replace("(anonymous namespace)::", "").replace("penstock::detail::", "")
        name = re.sub(r"\(\w[\w ]*\)(?=-?\w)", "", name).split("(")[0]  # without casts, then without parameters
        cells = [row, who, name if len(name) <= 60 else name[:57] + "...",
                 f"{get('gpu__time_duration.sum') / 1000:.1f}",
                 f"{get('dram__throughput.avg.pct_of_peak_sustained_elapsed'):.1f}",
                 f"{get('dram__bytes_read.sum') / 1e6:.1f}", f"{get('dram__bytes_write.sum') / 1e6:.1f}",
                 f"{get('sm__warps_active.avg.pct_of_peak_sustained_active'):.1f}",
                 f"{100 * get('smsp__issue_active.avg.per_cycle_active'):.1f}", stall(k),
                 f"{get('launch__registers_per_thread'):.0f}",
                 f"{get('l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum'):.0f} + "
                 f"{get('l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'):.0f}"]
        print("| " + " | ".join(cells) + " |")
PYTHON
