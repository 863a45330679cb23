#!/usr/bin/env bash
# Collects the tests that can run on a GPU into one folder, for a machine with a GPU and without LLVM, CMake or a
# compiler: copy the folder there and run scripts/run_gpu_day.sh of it.
#   scripts/make_gpu_bundle.sh [FOLDER [MAX_MIB]]       default: build/gpu_bundle, 44
# The programs are linked with the C++ library in them; they need a C library as new as this machine's.
set -euo pipefail
bundle=${1:+$(realpath -m "$1")}
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

bundle=${bundle:-build/gpu_bundle} max_mib=${2:-44}
use_compiler_cache
static="-static-libstdc++ -static-libgcc -s"
cmake --preset runtime-only -B build/gpu -DTFRT_BUILD_BENCHMARKS=ON -DCMAKE_EXE_LINKER_FLAGS="$static" -DCMAKE_SHARED_LINKER_FLAGS="$static" \
  -DCMAKE_MODULE_LINKER_FLAGS="$static"
programs=$(python3 test/gpu/hardware/gpu_bundle.py targets --build build/gpu)
# shellcheck disable=SC2086 # several targets
build gpu gpu/all $programs
python3 test/gpu/hardware/gpu_bundle.py collect --source . --build build/gpu --to "$bundle" --max-mib "$max_mib"
cp scripts/run_gpu_day.sh "$bundle"
