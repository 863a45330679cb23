#!/usr/bin/env bash
# run_pytest.sh PYTHON FILE: runs the tests of a file. Ends with 77 where the packages that they need are not installed.
set -euo pipefail
"$1" -c "import pytest, numpy, ml_dtypes" 2>/dev/null || { echo "pytest, numpy and ml_dtypes are not installed"; exit 77; }
exec "$1" -X faulthandler -m pytest -q -p no:cacheprovider "$2"
