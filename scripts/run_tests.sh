#!/usr/bin/env bash
# From a fresh clone to tested: installs what is missing, builds the preset ci and runs all tests; then
# the runtime island: optimised, with its benchmarks' instruction counts; with address and
# undefined-behaviour sanitizers; with the thread sanitizer. Prints the minutes of each stage and fails
# if all together took more than an hour.
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

max_minutes=60
stages=()

test_preset() {
  local preset=$1 begin=$SECONDS
  say "configuring build/$preset"
  cmake --preset "$preset"
  say "building build/$preset"
  cmake --build "build/$preset" --parallel "$(build_jobs)"
  say "testing build/$preset"
  ctest --preset "$preset" --parallel "$(build_jobs)"
  stages+=("$(printf '%-14s %5.1f min' "$preset" "$(((SECONDS - begin) * 10 / 60))e-1")")
}

test_preset ci
test_preset bench
if [ "$sanitizers" = 1 ]; then
  # The sanitizers are there for the runtime's own code; examples and tools add nothing.
  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
  test_preset asan
  test_preset tsan
fi
say "stages:"
printf '  %s\n' "${stages[@]}"
if [ "$SECONDS" -gt $((max_minutes * 60)) ]; then
  say "took $((SECONDS / 60)) minutes, more than $max_minutes" >&2
  exit 1
fi
say "all tests passed"
