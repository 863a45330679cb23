#!/usr/bin/env bash
# Fills a quarter of an hour with a GPU: runs a bundle (scripts/make_gpu_bundle.sh) on the GPU that is there.
# First what would make all else void, then times of loading, the tests, times of calls and copies; last the tests on the
# test double, and where the two differ. Each step has a limit, and is recorded when it ends; without a GPU all runs on
# the double, and says so.
#   scripts/run_gpu_day.sh [--bundle FOLDER] [--record FOLDER] [--driver auto|real|double] [--minutes N] [--tests REGEX]
#                          [--short]
# Default: the bundle that the script lies in, else build/gpu_bundle; records in hardware/; at most 12 minutes.
# Fails if a step or a test fails, or if not all could run in time.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
if [ -e "$here/bundle.tar.gz" ]; then bundle=$here; else bundle=$here/../build/gpu_bundle; fi
record=hardware
arguments=()
while [ $# -gt 0 ]; do
  case "$1" in
    --bundle) bundle=$2; shift 2 ;;
    --record) record=$2; shift 2 ;;
    --driver | --minutes | --tests) arguments+=("$1" "$2"); shift 2 ;;
    --short) arguments+=("$1"); shift ;;
    *) echo "run_gpu_day: unknown argument '$1'; see the head of $0" >&2; exit 2 ;;
  esac
done
if [ ! -e "$bundle/bundle.tar.gz" ]; then
  echo "run_gpu_day: $bundle is no bundle: scripts/make_gpu_bundle.sh makes one" >&2
  exit 1
fi
exec python3 "$bundle/gpu_bundle.py" run --bundle "$bundle" --record "$record" "${arguments[@]}"
