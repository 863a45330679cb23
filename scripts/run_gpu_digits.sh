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
targets=(digits_gpu tfrt_double_cuda)

# Results go to standard output, what is being done to standard error.
exec 3>&1 1>&2
say_plan "recognises 450 handwritten digits on a GPU, or on the library that takes its place in tests" \
  "$preset" "${build_minutes[run_gpu_digits]}" "${targets[@]}"
scripts/install_dependencies.sh
use_compiler_cache
if [ "$preset" = release ]; then configure_release; else configure "$preset"; fi
if ! ninja -C "$build" -t query digits_gpu >/dev/null 2>&1; then
  say "clang 22, which compiles device code, is not installed; scripts/run_digits.sh does not need it"
  exit 1
fi
build "$preset" "${targets[@]}"

errors=$(mktemp)
unfinished+=("$errors")
say "running it: $build/bin/digits_gpu $*"
if "$build/bin/digits_gpu" "$@" >&3 2>"$errors"; then
  cat "$errors"
  exit 0
fi
# No driver, or one without a device: nothing else is a reason to go on.
if [ -n "${TFRT_GPU_LIBRARY_PATH:-}" ] ||
  ! grep -qE 'libcuda\.so\.1 cannot be loaded;|CUDA_ERROR_(NO_DEVICE|STUB_LIBRARY)' "$errors"; then
  cat "$errors"
  exit 1
fi
say "no GPU here: $(tail -n 1 "$errors")"
say "running it on the test double: the same program and kernels, executed on the CPU"
TFRT_GPU_LIBRARY_PATH=$build/lib/gpu_double "$build/bin/digits_gpu" "$@" >&3
