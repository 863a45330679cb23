#!/usr/bin/env bash
# Runs a Python test with the packages of FOLDER; skipped (77) where they could not be had.
#   run_test.sh FOLDER TEST.py [ARGUMENT...]
set -euo pipefail

folder=$1
shift
if [ ! -f "$folder/packages" ]; then
  echo "run_test: there are no packages in $folder"
  exit 77
fi
PYTHONDONTWRITEBYTECODE=1 exec "$folder/bin/python" "$@"
