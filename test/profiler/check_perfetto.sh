#!/usr/bin/env bash
# Runs check_perfetto.py in the environment of a folder; skipped if that is not there.
set -euo pipefail
folder=$1
shift
[ -f "$folder/packages" ] || { echo "no Python packages: skipped" >&2; exit 77; }
exec "$folder/bin/python" "$(dirname "$0")/check_perfetto.py" "$@"
