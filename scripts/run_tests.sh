#!/usr/bin/env bash
# From a fresh clone to tested: installs what is missing, builds the preset ci and runs all tests; then
# the runtime island without LLVM: optimised, with its benchmarks' instruction counts; for size; with address and
# undefined-behaviour sanitizers; with the thread sanitizer, once more with pools of small blocks for the
# libraries that have them; a minute of fuzzing, a minute of soaking. Prints the minutes of each stage and
# fails if all together took more than 80 minutes.
#   scripts/run_tests.sh [--no-sanitizers]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

sanitizers=1
for argument in "$@"; do
  case "$argument" in
    --no-sanitizers) sanitizers=0 ;;
    *) say "unknown argument '$argument'; see the head of $0" >&2; exit 2 ;;
  esac
done

scripts/install_dependencies.sh
use_compiler_cache

max_minutes=80
stages=()

# stage NAME COMMAND...
stage() {
  local name=$1 begin=$SECONDS
  shift
  "$@"
  stages+=("$(printf '%-14s %5.1f min' "$name" "$(((SECONDS - begin) * 10 / 60))e-1")")
}

# test_preset PRESET [FOLDER...]: of some folders with tests, or all.
test_preset() {
  local preset=$1 folder
  shift
  say "configuring build/$preset"
  cmake --preset "$preset"
  say "building build/$preset"
  cmake --build "build/$preset" --parallel "$(build_jobs)" ${1:+--target "${@/%//all}"}
  say "testing build/$preset"
  if [ $# -eq 0 ]; then
    ctest --preset "$preset" --parallel "$(build_jobs)"
  else
    for folder in "$@"; do
      ctest --test-dir "build/$preset/$folder" --output-on-failure --parallel "$(build_jobs)"
    done
  fi
}

stage ci test_preset ci
stage bench test_preset bench
stage minimal test_preset minimal examples/minimal_runtime
if [ "$sanitizers" = 1 ]; then
  # The sanitizers are there for the runtime's own code; examples and tools add nothing.
  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
  stage asan test_preset asan
  stage tsan test_preset tsan
  stage tsan-pool test_preset tsan-pool test/unit/async test/unit/host_context test/unit/executor
  stage fuzz scripts/run_fuzzer.sh 60 1 # a fixed seed: a failure can be run again
fi
stage soak scripts/run_soak.sh 60
say "stages:"
printf '  %s\n' "${stages[@]}"
if [ "$SECONDS" -gt $((max_minutes * 60)) ]; then
  say "took $((SECONDS / 60)) minutes, more than $max_minutes" >&2
  exit 1
fi
say "all tests passed"
