#!/usr/bin/env bash
# Builds the libFuzzer target for BEF files and runs it from the committed corpus: the programs are opened, bound and
# run with the kernels of the runtime, those of eager ops (corert.*) with all ops of the host among them.
#   scripts/run_fuzzer.sh [SECONDS [SEED]]    default 60 and a random seed; what it finds is left in build/fuzz
# Fails on a finding, and if fewer features of the code are reached than the corpus alone is known to reach.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

seconds=${1:-60} seed=${2:-0}
min_features=24000

use_compiler_cache
cmake --preset asan
cmake --build build/asan --parallel "$(build_jobs)" --target bef_fuzzer
corpus=build/fuzz/corpus
mkdir -p "$corpus"
cp test/corpus/*.bef "$corpus"
say "fuzzing for $seconds s"
log=build/fuzz/fuzzer.log
# Programs print to standard output; the fuzzer's own lines go to standard error.
build/asan/bin/bef_fuzzer -max_total_time="$seconds" -seed="$seed" -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
  -close_fd_mask=1 -print_final_stats=1 -artifact_prefix=build/fuzz/ "$corpus" 2>"$log" ||
  { tail -50 "$log" >&2; say "the fuzzer found something, see $log" >&2; exit 1; }
features=$(grep -oE 'ft: [0-9]+' "$log" | tail -1 | cut -d' ' -f2)
runs=$(grep -oE 'number_of_executed_units: [0-9]+' "$log" | cut -d' ' -f2)
say "$runs files, $features features, no finding"
if [ "$features" -lt "$min_features" ]; then
  say "fewer than $min_features features: the fuzzer does not reach what it should" >&2
  exit 1
fi
