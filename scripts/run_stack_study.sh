#!/usr/bin/env bash
# Models across the stack: builds the release preset, records ten networks at four batches and three levels, and the same
# networks by ONNX Runtime; makes one report of all, and prints what recording costs.
#   scripts/run_stack_study.sh [--quick] [FOLDER]      (build/stack_study)
# --quick takes two networks at two batches. ONNX Runtime and two of the networks come from PyPI. BUILD_DIR in the
# environment names an optimised build that is there, with tfrt_import, tfrt_run and tfrt_prof.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

flags=()
if [ "${1:-}" = --quick ]; then
  flags+=(--quick)
  shift
fi
folder=${1:-build/stack_study}

if [ -z "${BUILD_DIR:-}" ]; then
  BUILD_DIR=build/release
  targets=(tfrt_import tfrt_run tfrt_prof)
  {
    say_plan "records networks at several batches and levels, here and by ONNX Runtime" \
      release "${build_minutes[run_stack_study]}" "${targets[@]}"
    scripts/install_dependencies.sh
    use_compiler_cache
    configure_release
    build release "${targets[@]}"
  } >&2
fi
exec python3 benchmarks/models.py stack "$BUILD_DIR" "$folder" "${flags[@]}"
