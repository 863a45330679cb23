#!/usr/bin/env bash
# Runs exchange_test.py in the environment of a folder; skipped if that is not there.
set -euo pipefail
folder=$1 library=$2
[ -f "$folder/packages" ] || { echo "no Python packages: skipped" >&2; exit 77; }
exec "$folder/bin/python" "$(dirname "$0")/exchange_test.py" "$library"
