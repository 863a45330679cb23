#!/usr/bin/env bash
# From a fresh clone to tested: installs what is missing, then goes through the stages below, prints the minutes of
# each and fails if all together took more than 130 minutes of processors, 65 of two cores: neighbours of a virtual
# machine take time from it, and add nothing to that.
#   scripts/run_tests.sh [--quick | --no-sanitizers]
# --quick stops after the first stage: one build of everything, and all its tests.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

quick=0 sanitizers=1
for argument in "$@"; do
  case "$argument" in
    --quick) quick=1 ;;
    --no-sanitizers) sanitizers=0 ;;
    *) say "unknown argument '$argument'; see the head of $0" >&2; exit 2 ;;
  esac
done

max_processor_minutes=130
stages=()

# stage NAME COMMAND...
stage() {
  local name=$1 begin=$SECONDS
  shift
  "$@"
  stages+=("$(printf '%-14s %5.1f min' "$name" "$(((SECONDS - begin) * 10 / 60))e-1")")
}

# run_tests PRESET TESTS: those whose names match.
run_tests() {
  say "testing build/$1"
  ctest --test-dir "build/$1" --output-on-failure --no-tests=error --parallel "$(build_jobs)" -R "$2"
}

# test_preset PRESET TARGETS TESTS: builds the targets and runs the tests.
test_preset() {
  local preset=$1 targets=$2 tests=$3
  say "building $targets of build/$preset"
  cmake --preset "$preset"
  # shellcheck disable=SC2086 # several targets
  cmake --build "build/$preset" --parallel "$(build_jobs)" --target $targets
  run_tests "$preset" "$tests"
}

# unit_targets FOLDER...: what to build for the unit tests of some folders.
unit_targets() { printf 'test/unit/%s/all ' "$@"; }
# unit_tests FOLDER...: a pattern of their names.
unit_tests() { local IFS='|'; printf '^unit/(%s)/' "$*"; }

scripts/install_dependencies.sh
use_compiler_cache

# Everything, with assertions and counters.
stage ci test_preset ci all .
if [ "$quick" = 0 ]; then
  # Optimised, and by the system's compiler: what is measured, what other processors run, and the programs of the corpus.
  stage bench test_preset bench \
    "benchmarks/all bef_executor soak $(unit_targets executor kernels_tensor kernels_contraction kernels_cpu)" \
    '^(benchmarks|portability|corpus)/'
  stage minimal test_preset minimal minimal_runtime '^examples/minimal_runtime'
  if [ "$sanitizers" = 1 ]; then
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
    # The sanitizers are there for the runtime's own code; examples and other tools add nothing.
    units=$(find test/unit -mindepth 1 -maxdepth 1 -type d ! -name compiler -printf '%f ')
    gpu=
    if [ -e test/gpu/CMakeLists.txt ]; then # which may be left out
      gpu=$(printf 'test/gpu/%s/all ' unit/wrapper unit/runtime unit/tensor unit/kernels unit/profiler cts)
    fi
    # shellcheck disable=SC2086 # several folders
    stage asan test_preset asan \
      "$(unit_targets $units) $gpu test/corpus/all test/fuzz/all bef_executor unit_custom_work_queue unit_read_text unit_file_types" \
      '^(unit|corpus|gpu/(unit|cts))/'
    stage fuzz scripts/run_fuzzer.sh 60 1 # a fixed seed: a failure can be run again
    threads=(support async work_queue host_context executor kernel_maths kernels kernels_cpu core_runtime core_runtime_ops
             graph_ops model eager function order_checker sim driver tracing)
    stage tsan test_preset tsan \
      "$(unit_targets "${threads[@]}" profiler/collect profiler/eager) $gpu bef_executor unit_custom_work_queue" \
      "$(unit_tests "${threads[@]}" collect examples)|^corpus/|^gpu/(unit|cts)/"
    # Once more with the pools of small blocks, which the other sanitizer runs leave out.
    TFRT_SMALL_BLOCK_POOL=1 stage tsan-pool run_tests tsan "$(unit_tests async work_queue host_context executor)"
  fi
  stage soak scripts/run_soak.sh 60
fi
say "stages:"
printf '  %s\n' "${stages[@]}"
# The last line of `times` is user and system time of all that ran, as 61m2.345s.
times >build/times.txt
processor_minutes=$(tail -1 build/times.txt | tr 'ms' '  ' | awk '{ printf "%.0f", $1 + $2 / 60 + $3 + $4 / 60 }')
took="$((SECONDS / 60)) minutes, of processors $processor_minutes"
if [ "$processor_minutes" -gt $max_processor_minutes ]; then
  say "took $took, which is more than $max_processor_minutes" >&2
  exit 1
fi
say "took $took; all tests passed"
