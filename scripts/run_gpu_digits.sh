#!/usr/bin/env bash
# From a fresh clone to digits recognised on a GPU: installs what is missing, builds the release preset, compiles the
# network and the kernels of examples/gpu, and runs them on the 450 held-out images. Where there is no GPU the program
# runs on the library that takes the driver's place in tests, which executes the same bytes, and says so.
#   scripts/run_gpu_digits.sh [arguments of the program]
# TFRT_GPU_LIBRARY_PATH, if set, names the driver; PRESET another preset of the build.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

preset=${PRESET:-release}
build=build/$preset
scripts/install_dependencies.sh
use_compiler_cache
say "configuring $build"
cmake --preset "$preset" >build-gpu.log 2>&1 || { cat build-gpu.log >&2; exit 1; }
rm -f build-gpu.log
say "building the tools, the GPU half and compiling examples/gpu (some minutes the first time)"
cmake --build "$build" --parallel "$(build_jobs)" --target digits_gpu tfrt_double_cuda

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
say "running it: $build/bin/digits_gpu $*"
if "$build/bin/digits_gpu" "$@" 2>"$errors"; then
  cat "$errors" >&2
  exit 0
fi
# No driver, or one without a device: nothing else is a reason to go on.
if [ -n "${TFRT_GPU_LIBRARY_PATH:-}" ] ||
  ! grep -qE 'libcuda\.so\.1 cannot be loaded;|CUDA_ERROR_(NO_DEVICE|STUB_LIBRARY)' "$errors"; then
  cat "$errors" >&2
  exit 1
fi
say "no GPU here: $(tail -n 1 "$errors")"
say "running it on the test double: the same program and kernels, executed on the CPU"
TFRT_GPU_LIBRARY_PATH=$build/lib/gpu_double "$build/bin/digits_gpu" "$@"
