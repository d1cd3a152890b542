#!/usr/bin/env bash
# Everything that needs a GPU, in one go, with a short table last:
#   tests/gpu.sh [BUILD_FOLDER] [PART…]     parts: test sanitize examples bench (default: these), mutants, profile
# test and sanitize run several programs at a time, the others one. Device tests run on hopper, ampere and portable (see
# -Ddevice_test_targets). mutants runs broken lowering tables and writes BUILD_FOLDER/mutants.md: which of them hardware
# and sanitizers notice. profile asks ncu what holds back the kernels that miss their target.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit
build=${1:-build-gpu}
shift || true
parts=${*:-test sanitize examples bench}
mkdir -p "$build"
rows=$(mktemp -d)
trap 'rm -rf "$rows"' EXIT
count=0
at_once=$(($(nproc) / 2))
((at_once > 8)) && at_once=8
((at_once < 1)) && at_once=1

has() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

next_row() { printf -v row '%s/%04d' "$rows" $((++count)); }

note() {  # name, what is to be said of it: a row of the table
  next_row
  printf '%-44s %s\n' "$1" "$2" >"$row"
}

check() {  # name, command…: a row, from a command that runs beside others
  local name=$1 log
  log=$build/$(tr -c 'a-zA-Z0-9\n' _ <<<"$1").log
  next_row
  shift
  while (($(jobs -rp | wc -l) >= at_once)); do wait -n; done
  {
    begin=$SECONDS status=0
    "$@" >"$log" 2>&1 || status=$?
    case $status in
      0) said="ok ($((SECONDS - begin)) s)" ;;
      77) said="skipped: $(tail -n 1 "$log")" ;;
      *) said="FAILED, status $status ($((SECONDS - begin)) s): $log"; tail -n 15 "$log" ;;
    esac
    printf '%-44s %s\n' "$name" "$said" >"$row"
  } &
}

alone() {  # name, command…: as check, with nothing beside it; prints the end of what it said
  local log
  log=$build/$(tr -c 'a-zA-Z0-9\n' _ <<<"$1").log
  wait
  check "$@"
  wait
  printf -- '-- %s\n' "$1"
  tail -n 6 "$log"
}

if has test || has sanitize || has examples; then
  if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" -Dcuda=enabled -Dexamples=auto >"$build.setup.log" 2>&1 || { tail -n 30 "$build.setup.log"; exit 1; }
  fi
  begin=$SECONDS
  if ninja -C "$build" -k 0 >"$build/build.log" 2>&1; then note build "ok ($((SECONDS - begin)) s)"
  else note build "FAILED: $build/build.log"; grep -E -B2 -A12 'FAILED|error' "$build/build.log" | head -n 60; fi
fi

if has test; then
  for t in "$build"/tests/*_test_sm_*; do
    [ -x "$t" ] && [ ! -d "$t" ] && check "$(basename "$t")" timeout 300 "$t"
  done
fi

if has sanitize; then
  export PENSTOCK_SHORT_TESTS=1
  racecheck() {  # name, source, target: racecheck follows a warp's arrival only when every lane makes it
    nvcc -std=c++20 -O2 -lineinfo -DPENSTOCK_FOR_RACECHECK -DPENSTOCK_TEST_TARGET="$3" -Iinclude -Itests \
      -gencode "arch=compute_$3,code=compute_$3" -o "$build/racecheck_$1_$3" "$2" tests/support/device_main.cu \
      tests/support/run_doctest.cpp && timeout 400 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/racecheck_$1_$3"
  }
  planted_fault() {
    nvcc -std=c++20 -O2 -lineinfo -DPENSTOCK_FOR_RACECHECK -arch=sm_90 -Iinclude -Itests -o "$build/planted_fault" \
      tests/run/planted_fault.cu || return
    ! timeout 100 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/planted_fault" | tee "$build/planted.log" || return
    grep -E '[1-9][0-9]* (hazard|error)' "$build/planted.log"
  }
  for sm in 90 80 75; do
    for name in behaviour dynamic; do
      check "racecheck run/$name sm_$sm" racecheck "$name" "tests/run/${name}_test.cu" "$sm"
    done
    for test in run/behaviour run/dynamic run/tile ring/channel ring/stress ring/tiles; do
      [ -x "$build/tests/${test/\//_}_test_sm_$sm" ] || continue
      for tool in memcheck synccheck; do
        check "$tool $test sm_$sm" timeout 400 compute-sanitizer --tool $tool --error-exitcode 9 "$build/tests/${test/\//_}_test_sm_$sm"
      done
    done
  done
  check "racecheck sees the planted fault" planted_fault
  wait
  unset PENSTOCK_SHORT_TESTS
fi

if has mutants; then
  mutants="nvcc -std=c++20 -O2 -lineinfo -gencode arch=compute_90,code=sm_90 -Iinclude -Itests tests/run/mutants.cu"
  $mutants -o "$build/mutants" &
  $mutants -DPENSTOCK_FOR_RACECHECK -o "$build/mutants_racecheck" &
  "${CXX:-g++}" -std=c++20 -O1 -Iinclude -Itests tests/run/mutant_list.cpp -o "$build/mutant_list" &
  alone mutants timeout 500 python3 tests/run/mutants.py "$build/mutants.md" "$build/mutant_list" \
    "$build/mutants" "$build/mutants_racecheck"
fi

if has examples; then
  for backend in hopper ampere portable; do
    alone "stencil 512^3 x 100, $backend" timeout 300 "$build/examples/stencil" --size 512 --steps 100 --verify --backend $backend
    for bytes in 16777216 268435456 4294967296; do
      [ $backend = hopper ] && alone "copy of $bytes bytes" timeout 60 "$build/examples/copy" --bytes $bytes --verify
    done
    alone "copy at any address, $backend" timeout 60 "$build/examples/copy" --bytes 100000007 --source-offset 3 \
      --target-offset 9 --verify --backend $backend
    alone "early stop, $backend" timeout 60 "$build/examples/early_stop" --verify --backend $backend
    alone "attention, $backend" timeout 60 "$build/examples/attention" --verify --backend $backend
  done
  alone "gemm 8192^3" timeout 60 "$build/examples/gemm" --verify
  alone "gemm 8192^3, half the depth filled" timeout 60 "$build/examples/gemm" --filled 50 --verify
  for backend in hopper ampere; do
    alone "gemm, any shape, $backend" timeout 60 "$build/examples/gemm" --rows 1000 --columns 1096 --depth 1048 --ragged \
      --filled 80 --verify --backend $backend
  done
fi

has bench && alone benchmarks benchmarks/run.sh --quick "$build/results"
has profile && alone profile benchmarks/profile.sh "$build/profile"

wait
echo ---
cat "$rows"/*
! grep -q FAILED "$rows"/*
