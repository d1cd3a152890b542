#!/usr/bin/env bash
# Builds the benchmarks for the GPU at hand, runs them and writes one table: OUT/benchmarks.md, .json and SVG plots.
# usage: benchmarks/run.sh [--quick] [--tune] [--only PART_OF_A_CASE] [OUT]     (OUT: build-benchmarks/results)
#   --quick  a minute of GPU time; without it up to five
#   --tune   measures every policy as well; then prints the tables of include/penstock/algorithm/policy_table.hpp anew
# Needs nvcc on PATH and python3; plots need matplotlib, instruction counts cuobjdump (see benchmarks/sass.py).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=(overhead copies transforms boxes rows)
tuned=(copies transforms boxes)
arguments=() tune=() out=
while (($#)); do
  case $1 in
    --quick) arguments+=(--quick) ;;
    --tune) tune=(--tune) ;;
    --only) arguments+=(--only "${2:?--only needs a part of a case}"); shift ;;
    -*) sed -n '2,7s/^# //p' "$0"; exit 2 ;;
    *) out=$1 ;;
  esac
  shift
done
out=${out:-$here/../build-benchmarks/results}
mkdir -p "$out"
out=$(cd "$out" && pwd)
bin=$out/../bin
mkdir -p "$bin"
bin=$(cd "$bin" && pwd)

((${#tune[@]})) && programs=("${tuned[@]}")
jobs=()
for name in "${programs[@]}"; do
  nvcc -std=c++20 -O3 -lineinfo -arch="${PENSTOCK_BENCHMARK_ARCH:-native}" -I"$here/../include" -I"$here" \
    -o "$bin/$name" "$here/$name.cu" >"$bin/$name.log" 2>&1 &
  jobs+=("$!")
done
for k in "${!jobs[@]}"; do
  wait "${jobs[$k]}" || { cat "$bin/${programs[$k]}.log" >&2; echo "cannot build ${programs[$k]}" >&2; exit 1; }
done

rm -f "$out/results.jsonl"
failed=()
for name in "${programs[@]}"; do
  start=$SECONDS
  "$bin/$name" ${arguments[@]+"${arguments[@]}"} ${tune[@]+"${tune[@]}"} --json "$out/results.jsonl" | tee "$out/$name.txt" || failed+=("$name")
  echo "== $name: $((SECONDS - start)) s"
done
if [[ -x $bin/overhead && ${#tune[@]} -eq 0 ]]; then
  python3 "$here/sass.py" "$bin/overhead" overhead --json "$out/results.jsonl" >"$out/sass.txt" || [[ $? -eq 77 ]] || failed+=("sass.py")
fi
if ((${#tune[@]})); then
  python3 "$here/tune.py" "$out/results.jsonl"
fi
python3 "$here/table.py" "$out/results.jsonl" "$out" || failed+=("table.py")
((${#failed[@]})) && { printf 'failed: %s\n' "${failed[*]}" >&2; exit 1; }
exit 0
