#!/usr/bin/env bash
# Runs all cases that there are and compares what becomes of them with the lists beside this file.
#   conformance_test.sh PYTHON_FOLDER RUNNER CASES_FOLDER [--update]
set -euo pipefail

here=$(dirname "$0")
python=$1/bin/python
if [ ! -x "$python" ]; then
  [ -d /usr/share/libonnx-testdata ] || exit 77
  python=python3
fi
exec "$python" "$here/conformance.py" "$2" "$3" "${@:4}"
