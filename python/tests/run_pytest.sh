#!/usr/bin/env bash
# run_pytest.sh [--program] PYTHON FILE [ARGUMENT...]: runs the tests of a file; with --program the
# file itself. Ends with 77 where the packages that they need are not installed, and (conftest.py)
# where all its tests are skipped. TFRT_TEST_PRELOAD names libraries that the interpreter, and
# those that it starts, load first.
set -euo pipefail
run=(-m pytest -q -p no:cacheprovider)
[[ $1 != --program ]] || { run=(); shift; }
"$1" -c "import pytest, numpy, ml_dtypes" 2>/dev/null || { echo "pytest, numpy and ml_dtypes are not installed"; exit 77; }
[[ -z ${TFRT_TEST_PRELOAD:-} ]] || export LD_PRELOAD=$TFRT_TEST_PRELOAD
exec "$1" -X faulthandler "${run[@]}" "${@:2}"
