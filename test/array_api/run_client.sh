#!/usr/bin/env bash
# run_client.sh FOLDER ARGUMENT...: runs the Python of an environment with arguments. Ends with 77 if the environment
# is not there, or is of another version of Python than the package tfrt was built for.
set -euo pipefail
folder=$1
[ -f "$folder/packages" ] || { echo "no Python packages: skipped" >&2; exit 77; }
suffix=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
[ -f "$PYTHONPATH/tfrt/_tfrt$suffix" ] || { echo "tfrt was not built for this Python: skipped" >&2; exit 77; }
exec "$folder/bin/python" -X faulthandler "${@:2}"
