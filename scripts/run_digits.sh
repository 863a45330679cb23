#!/usr/bin/env bash
# From a fresh clone to recognised digits: installs what is missing, builds the release preset, compiles
# the network in examples/digits to a BEF file and runs it on the 450 held-out images.
#   scripts/run_digits.sh [arguments of the digits program]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

# Results go to standard output, what is being done to standard error.
exec 3>&1 1>&2
say_plan "compiles a small neural network and recognises 450 handwritten digits" \
  release "${build_minutes[run_digits]}" digits
scripts/install_dependencies.sh
use_compiler_cache
configure_release
build release digits
say "running it: build/release/bin/digits $*"
exec build/release/bin/digits "$@" >&3
