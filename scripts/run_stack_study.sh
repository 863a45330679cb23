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
  scripts/install_dependencies.sh >&2
  use_compiler_cache
  say "building the importer and two programs (some minutes the first time)" >&2
  {
    cmake --preset release
    cmake --build "$BUILD_DIR" --parallel "$(build_jobs)" --target tfrt_import tfrt_run tfrt_prof
  } >build-release.log 2>&1 || { cat build-release.log >&2; exit 1; }
  rm -f build-release.log
fi
exec python3 benchmarks/models.py stack "$BUILD_DIR" "$folder" "${flags[@]}"
