#!/usr/bin/env bash
# From a fresh clone to tested: installs what is missing, builds everything once, with assertions
# and counters, and runs all tests. Prints the minutes of each stage, and fails if they are far
# more than the goals below.
#   scripts/run_tests.sh [--all]
# --all goes on with the builds and stages that a change needs besides: the runtime optimised by the
# system's compiler (bench, minimal), the sanitizers (asan, tsan, tsan-pool), a minute of fuzzing
# and a minute of random programs (soak). Without clang 22 the preset dev takes the place of ci, and
# --all fails before it begins.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

# The goals of the first stages and of all, in minutes of processors, from a fresh clone without a compiler
# cache. Neighbours of a virtual machine take time on the clock from it, but add little to that.
# Processors differ by half, however, share their units with neighbours, and the goals are not reached
# everywhere (benchmarks/README.md). So a run fails only if it is far over its goal.
goal_first=20 goal_all=60 margin_percent=155

all=0
for argument in "$@"; do
  case "$argument" in
    --all) all=1 ;;
    *) say "unknown argument '$argument'; see the head of $0" >&2; exit 2 ;;
  esac
done

# The lines that stages add, in the order in which they end.
mkdir -p build
lines=build/run_tests.stages
: >"$lines"

# processor_seconds PROCESS: prints those of all its commands that have ended: fields 16 and 17 of its line.
processor_seconds() { awk -v ticks="$(getconf CLK_TCK)" '{ printf "%d", ($16 + $17) / ticks }' "/proc/$1/stat"; }

# stage NAME COMMAND...: runs the command, and adds a line with its minutes to what is printed at
# the end. It is a process of its own, so that other stages at the same time do not count.
stage() (
  name=$1 begin=$SECONDS
  shift
  say "stage $name"
  "$@"
  clock=$((SECONDS - begin)) self=$BASHPID
  processors=$(processor_seconds "$self")
  awk -v name="$name" -v clock=$clock -v processors="$processors" \
    'BEGIN { printf "  %-14s %5.1f min, of processors %5.1f\n", name, clock / 60, processors / 60 }' >>"$lines"
)

# The process group of a build that runs beside tests; empty if none does.
builder=
end_builder() {
  if [ -n "$builder" ]; then
    kill -TERM -- "-$builder" 2>/dev/null || true
    wait "$builder" 2>/dev/null || true
    # Ninja deletes what is half made, and may end after the shell that called it.
    for ((i = 0; i < 100; ++i)); do
      kill -0 -- "-$builder" 2>/dev/null || break
      sleep 0.1
    done
  fi
  rm -rf "${unfinished[@]}"
}
trap end_builder EXIT

# build_beside PRESET TARGETS: begins to build what a later stage tests. Tests wait for each other, for deadlines and
# for the longest of them; the build takes what they leave of the processors, and little besides.
build_beside() {
  set -m # with a process group of its own, so that all of it ends with this script
  (
    set +m
    renice -n 19 -p "$BASHPID" >/dev/null
    plain_progress=1
    stage "$1 build" build_preset "$@"
  ) </dev/null &
  builder=$! beside=$1
  set +m
}
# wait_for_build: until that is built; fails if it cannot be.
wait_for_build() {
  local status=0
  wait "$builder" || status=$?
  builder=
  # Its own words may be far above, between those of the tests.
  [ $status = 0 ] || say "build/$beside cannot be built; what failed is above, and in build/$beside.log" >&2
  return $status
}

# build_preset PRESET TARGETS. In place of ci, dev compiles several sources at a time, too.
build_preset() {
  if [ "$1" = dev ]; then configure dev -DTFRT_UNITY_BUILD=ON; else configure "$1"; fi
  # shellcheck disable=SC2086 # several targets
  build "$1" $2
}

# run_tests PRESET TESTS: those whose names match.
run_tests() {
  ctest --test-dir "build/$1" --output-on-failure --no-tests=error --parallel "$(build_jobs)" -R "$2" ||
    { say "tests failed; to see more: ctest --test-dir build/$1 --rerun-failed --output-on-failure" >&2; return 1; }
}

# unit_targets FOLDER...: what to build for the unit tests of some folders.
unit_targets() { printf 'test/unit/%s/all ' "$@"; }
# unit_tests FOLDER...: a pattern of their names.
unit_tests() { local IFS='|'; printf '^unit/(%s)/' "$*"; }

preset=dev
if has_clang; then preset=ci; fi
say_plan "builds everything and runs all tests" $preset "${build_minutes[$preset]}" all
say "then tests for about $((build_minutes[tests] / $(build_jobs) + 1)) min"
[ $all = 0 ] || say "then the other stages, about $(((goal_all - goal_first) / $(build_jobs))) min"
scripts/install_dependencies.sh
use_compiler_cache

if has_clang; then
  preset=ci
elif [ $all = 1 ]; then
  say "clang-22 and ld.lld-22 are not on PATH: asan, fuzz, tsan and tsan-pool cannot be built;" \
      "without --all the system's compiler is enough" >&2
  exit 1
else
  preset=dev
  say "clang-22 and ld.lld-22 are not on PATH: the preset dev takes the place of ci." \
      "Left out: device code of GPUs and its tests (gpu/device, examples/digits_gpu), which clang compiles" >&2
fi

# Everything, with assertions and counters.
stage "$preset build" build_preset $preset all
goal=$goal_first
if [ $all = 0 ]; then
  stage "$preset tests" run_tests $preset .
else
  goal=$goal_all
  # Optimised, and by the system's compiler: what is measured, what other processors run, and the
  # programs of the corpus.
  build_beside bench \
    "benchmarks/all bef_executor soak $(unit_targets executor kernels_tensor kernels_contraction kernels_cpu)"
  stage "ci tests" run_tests ci .
  wait_for_build

  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1} TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
  # The sanitizers are there for the runtime's own code; examples and other tools add nothing.
  units=$(find test/unit -mindepth 1 -maxdepth 1 -type d ! -name compiler -printf '%f ')
  gpu=
  if [ -e test/gpu/CMakeLists.txt ]; then # which may be left out
    gpu=$(printf 'test/gpu/%s/all ' unit/wrapper unit/runtime unit/libraries unit/tensor unit/kernels unit/ops unit/profiler cts)
  fi
  # shellcheck disable=SC2086 # several folders
  build_beside asan \
    "$(unit_targets $units) $gpu test/corpus/all test/fuzz/all python/all bef_executor unit_custom_work_queue unit_read_text unit_file_types"
  stage "bench tests" run_tests bench '^(benchmarks|portability|corpus)/'
  TFRT_CONFIGURED=bench stage soak scripts/run_soak.sh 60
  stage "minimal build" build_preset minimal minimal_runtime
  stage "minimal tests" run_tests minimal '^examples/minimal_runtime'
  wait_for_build

  threads=(support async work_queue host executor maths kernels kernels_cpu handles op_call host_ops
           graph_kernels model eager function order_checker sim bef_run tracing http serve_models)
  build_beside tsan "$(unit_targets "${threads[@]}" profiler/collect profiler/eager) $gpu bef_executor unit_custom_work_queue"
  stage "asan tests" run_tests asan '^(unit|corpus|python|gpu/(unit|cts))/'
  TFRT_CONFIGURED=asan stage fuzz scripts/run_fuzzer.sh 60 1 # a fixed seed: a failure can be run again
  wait_for_build

  # The tests of ops on GPUs in which threads and streams meet, and not those of each row's numbers.
  gpu_ops='(context|dlpack|driver_calls|placement|plans|tandem)_test'
  stage "tsan tests" run_tests tsan \
    "$(unit_tests "${threads[@]}" collect examples)|^corpus/|^gpu/(unit/(wrapper|runtime|libraries|tensor|kernels|profiler)/|unit/ops/$gpu_ops|cts/)"
  # Once more with the pools of small blocks, which the other sanitizer runs leave out.
  TFRT_SMALL_BLOCK_POOL=1 stage tsan-pool run_tests tsan "$(unit_tests support async work_queue host executor)"
fi
say "stages:"
cat "$lines"
used=$(processor_seconds $$)
took="$((SECONDS / 60)) minutes, of processors $((used / 60))"
limit=$((goal * (100 + margin_percent) / 100))
if [ $preset = dev ]; then
  say "the goal of $goal minutes of processors is for clang, which takes half as long as the system's compiler"
elif [ $((used / 60)) -ge $limit ]; then
  say "took $took: more than $limit, the goal of $goal and a margin of $margin_percent %" >&2
  exit 1
fi
say "took $took; all tests passed"
