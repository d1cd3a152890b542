#!/usr/bin/env bash
# Everything that needs a GPU, in one go, with a short table last:
#   tests/gpu.sh [BUILD_FOLDER] [PART…]     parts: test sanitize examples bench (default: these), mutants
# mutants runs broken lowering tables and writes BUILD_FOLDER/mutants.md: which of them hardware and sanitizers notice.
# Builds with Meson; device tests run on hopper, ampere and portable (see -Ddevice_test_targets).
set -u -o pipefail
cd "$(dirname "$0")/.."
build=${1:-build-gpu}
shift || true
parts=${*:-test sanitize examples bench}
table=()
note() { table+=("$(printf '%-44s %s' "$1" "$2")"); }
check() {  # name, command…: a row of the table
  local name=$1 log="$build/$(tr -c 'a-zA-Z0-9\n' _ <<<"$1").log" begin=$SECONDS
  shift
  if "$@" >"$log" 2>&1; then note "$name" "ok ($((SECONDS - begin)) s)"; else note "$name" "FAILED, status $? ($((SECONDS - begin)) s): $log"; tail -n 15 "$log"; fi
}
has() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

if has test || has sanitize || has examples || has bench; then
  if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" -Dcuda=enabled -Dexamples=auto -Dbenchmarks=auto >"$build.setup.log" 2>&1 || { tail -n 30 "$build.setup.log"; exit 1; }
  fi
  begin=$SECONDS
  ninja -C "$build" -k 0 >"$build/build.log" 2>&1 || { grep -E -B2 -A12 'FAILED|error' "$build/build.log" | head -n 60; note "build" "FAILED"; }
  note "build" "$((SECONDS - begin)) s"
fi
mkdir -p "$build"

if has test; then
  for t in "$build"/tests/*_test_sm_*; do
    [ -x "$t" ] && [ ! -d "$t" ] || continue
    check "$(basename "$t")" timeout 300 "$t"
  done
fi

if has sanitize; then
  export PENSTOCK_SHORT_TESTS=1
  for sm in 90 80 75; do
    for tool in memcheck synccheck; do
      check "$tool behaviour sm_$sm" timeout 300 compute-sanitizer --tool $tool --error-exitcode 9 "$build/tests/run_behaviour_test_sm_$sm"
    done
    check "memcheck tile sm_$sm" timeout 300 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/tests/run_tile_test_sm_$sm"
  done
  # racecheck follows a warp's arrival only when every lane makes it
  for sm in 90 80 75; do
    nvcc -std=c++20 -O2 -lineinfo -DPENSTOCK_FOR_RACECHECK -DPENSTOCK_TEST_TARGET=$sm -gencode arch=compute_$sm,code=compute_$sm \
      -Iinclude -Itests tests/run/behaviour_test.cu tests/support/device_main.cu tests/support/run_doctest.cpp -o "$build/racecheck_$sm" &
  done
  nvcc -std=c++20 -O2 -lineinfo -DPENSTOCK_FOR_RACECHECK -gencode arch=compute_90,code=sm_90 -Iinclude -Itests tests/run/planted_fault.cu -o "$build/planted_fault" &
  wait
  for sm in 90 80 75; do
    check "racecheck behaviour sm_$sm" timeout 400 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/racecheck_$sm"
  done
  if timeout 100 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/planted_fault" >"$build/planted.log" 2>&1; then
    note "racecheck sees the planted fault" "FAILED: it reported nothing"
  else
    note "racecheck sees the planted fault" "ok: $(grep -E 'RACECHECK SUMMARY|ERROR SUMMARY' "$build/planted.log" | tail -n 1)"
  fi
  unset PENSTOCK_SHORT_TESTS
fi

if has mutants; then
  mutants="nvcc -std=c++20 -O2 -lineinfo -gencode arch=compute_90,code=sm_90 -Iinclude -Itests tests/run/mutants.cu"
  $mutants -o "$build/mutants" &
  $mutants -DPENSTOCK_FOR_RACECHECK -o "$build/mutants_racecheck" &
  "${CXX:-g++}" -std=c++20 -O1 -Iinclude -Itests tests/run/mutant_list.cpp -o "$build/mutant_list" &
  wait
  check "mutants" timeout 500 python3 tests/run/mutants.py "$build/mutants.md" "$build/mutant_list" \
    "$build/mutants" "$build/mutants_racecheck"
  cat "$build/mutants.log"
fi

if has examples && [ -x "$build/examples/stencil" ]; then
  for backend in hopper ampere portable; do
    check "stencil 512^3 x 100 on $backend" timeout 300 "$build/examples/stencil" --size 512 --steps 100 --verify --backend $backend
    tail -n 4 "$build/stencil_512_3_x_100_on_$backend.log"
  done
fi

if has bench && [ -x benchmarks/run.sh ]; then benchmarks/run.sh "$build" --quick; fi

echo "---"
printf '%s\n' "${table[@]}"
! printf '%s\n' "${table[@]}" | grep -q FAILED
