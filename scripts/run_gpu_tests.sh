#!/usr/bin/env bash
# Runs the tests of a bundle (scripts/make_gpu_bundle.sh) on the GPU that is there and on the test double, and records
# what each said and where they differ; without a GPU on the double alone, and says so.
#   scripts/run_gpu_tests.sh [--bundle FOLDER] [--record FOLDER] [--driver auto|real|double] [--minutes N] [--tests REGEX]
# Default: the bundle that the script lies in, else build/gpu_bundle; records in hardware/; at most 10 minutes.
# Fails if a test fails, or if not all could run in time.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
if [ -e "$here/manifest.json" ]; then bundle=$here; else bundle=$here/../build/gpu_bundle; fi
record=hardware
arguments=()
while [ $# -gt 0 ]; do
  case "$1" in
    --bundle) bundle=$2; shift 2 ;;
    --record) record=$2; shift 2 ;;
    --driver | --minutes | --tests) arguments+=("$1" "$2"); shift 2 ;;
    *) echo "run_gpu_tests: unknown argument '$1'; see the head of $0" >&2; exit 2 ;;
  esac
done
if [ ! -e "$bundle/manifest.json" ]; then
  echo "run_gpu_tests: $bundle is no bundle: scripts/make_gpu_bundle.sh makes one" >&2
  exit 1
fi
exec python3 "$bundle/gpu_bundle.py" run --bundle "$bundle" --record "$record" "${arguments[@]}"
