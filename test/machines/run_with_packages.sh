#!/usr/bin/env bash
# run_with_packages.sh FOLDER PROGRAM [ARGUMENT...]: runs a program of Python in the environment of a
# folder; skipped if that is not there.
set -euo pipefail
[ -f "$1/packages" ] || { echo "no Python packages: skipped" >&2; exit 77; }
exec "$1/bin/python" -X faulthandler "${@:2}"
