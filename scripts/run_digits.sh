#!/usr/bin/env bash
# From a fresh clone to recognised digits: installs what is missing, builds the release preset, compiles
# the network in examples/digits to a BEF file and runs it on the 450 held-out images.
#   scripts/run_digits.sh [arguments of the digits program]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

scripts/install_dependencies.sh
use_compiler_cache
say "configuring build/release"
cmake --preset release >build-release.log 2>&1 || { cat build-release.log >&2; exit 1; }
rm -f build-release.log
say "building the tools and compiling examples/digits/digits.mlir to BEF (some minutes the first time)"
cmake --build build/release --parallel "$(build_jobs)" --target digits
say "running it: build/release/bin/digits $*"
exec build/release/bin/digits "$@"
