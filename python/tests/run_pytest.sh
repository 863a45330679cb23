#!/usr/bin/env bash
# run_pytest.sh [--program] PYTHON FILE [ARGUMENT...]: runs the tests of a file; with --program the
# file itself. Ends with 77 where the packages that they need are not installed, and (conftest.py)
# where all its tests are skipped: at once, where the file says that it needs the compiler library.
# TFRT_TEST_PRELOAD names libraries that the interpreter, and those that it starts, load first.
set -euo pipefail
run=(-m pytest -q -p no:cacheprovider)
[[ $1 != --program ]] || { run=(); shift; }
# Importing them would take half a second of each test.
"$1" -c "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, ('pytest', 'numpy', 'ml_dtypes'))))" ||
  { echo "pytest, numpy and ml_dtypes are not installed"; exit 77; }
if [[ -z ${TFRT_COMPILER_LIBRARY:-} ]] && grep -qs '^pytestmark = .*"needs the compiler library"' "$2"; then
  echo "needs the compiler library"
  exit 77
fi
[[ -z ${TFRT_TEST_PRELOAD:-} ]] || export LD_PRELOAD=$TFRT_TEST_PRELOAD
exec "$1" -X faulthandler "${run[@]}" "${@:2}"
