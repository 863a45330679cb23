#!/usr/bin/env bash
# Builds the libFuzzer targets and runs them from the committed files, one after the other:
#   bef     three eighths of the time: BEF files are opened, bound and run with the kernels of the runtime, those of
#           eager ops (corert.*) with all ops of the host among them
#   onnx    a quarter: ONNX models are read, with the elements of all their tensors, and safetensors files
#   perfetto, profile   an eighth each: profiles are read, written and read again; in JSON, XSpaces and profiles
#   http, rpc, infer   a twenty-fourth each: requests of HTTP and gRPC are read, whole and in parts; then their bodies
#   scripts/run_fuzzer.sh [SECONDS [SEED]]    default 60 and a random seed; what they find is left in build/fuzz
# Fails on a finding, and if clearly fewer features of the code are reached than in a second on a good tree.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

seconds=${1:-60} seed=${2:-0}

# fuzz NAME SECONDS MIN_FEATURES FILE...: runs NAME_fuzzer from the files, and from what it found in earlier runs.
fuzz() {
  local name=$1 seconds=$2 min_features=$3 corpus=build/fuzz/$1 log=build/fuzz/$1.log features runs
  shift 3
  mkdir -p "$corpus"
  cp "$@" "$corpus"
  say "$name: fuzzing for $seconds s"
  # Programs print to standard output; the fuzzer's own lines go to standard error.
  "build/asan/bin/${name}_fuzzer" -max_total_time=$((seconds > 0 ? seconds : 1)) -seed="$seed" -max_len=8192 -timeout=30 \
    -rss_limit_mb=2048 -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="build/fuzz/$name-" "$corpus" 2>"$log" ||
    { tail -50 "$log" >&2; say "$name: the fuzzer found something, see $log" >&2; return 1; }
  features=$(grep -oE 'ft: [0-9]+' "$log" | tail -1 | cut -d' ' -f2)
  runs=$(grep -oE 'number_of_executed_units: [0-9]+' "$log" | cut -d' ' -f2)
  say "$name: $runs files, $features features, no finding"
  if [ "$features" -lt "$min_features" ]; then
    say "$name: fewer than $min_features features: the fuzzer does not reach what it should" >&2
    return 1
  fi
}

fuzzers=(bef_fuzzer onnx_fuzzer perfetto_fuzzer profile_fuzzer http_fuzzer rpc_fuzzer infer_fuzzer)
say_plan "fuzzes for $seconds s" asan "${build_minutes[run_fuzzer]}" "${fuzzers[@]}"
use_compiler_cache
configure asan
build asan "${fuzzers[@]}"
fuzz bef $((seconds * 3 / 8)) 22000 test/corpus/*.bef
fuzz onnx $((seconds / 4)) 5500 test/fuzz/onnx/*.onnx test/fuzz/reader/*.onnx test/fuzz/reader/*.safetensors
fuzz perfetto $((seconds / 8)) 5000 test/fuzz/perfetto/*.pftrace
fuzz profile $((seconds / 8)) 5000 test/unit/profiler/files/data/*.json test/unit/profiler/files/data/*.pb
fuzz http $((seconds / 24)) 600 test/fuzz/http/*.http
fuzz rpc $((seconds / 24)) 900 test/fuzz/rpc/*.bin
fuzz infer $((seconds / 24)) 1500 test/fuzz/infer/*.bin
