#!/usr/bin/env bash
# A folder with a Python environment that has some packages of PyPI, made at the first call.
#   scripts/python_environment.sh FOLDER PACKAGE==VERSION...
# Ends with 77 if PyPI cannot be reached, which tests report as skipped. Run again with other packages, it adds them.
set -euo pipefail

folder=$1
shift
stamp="$folder/packages"
wanted=$(printf '%s\n' "$@")
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && exit 0

# An interrupted call leaves a folder without pip.
"$folder/bin/python" -m pip --version >/dev/null 2>&1 || python3 -m venv --clear "$folder"
# On a terminal pip shows how far it is. Standard output is left to the caller.
quiet=(--quiet)
if [ -t 2 ]; then quiet=(); fi
echo "python_environment: taking from PyPI into $folder: $*" >&2
if ! "$folder/bin/python" -m pip "${quiet[@]}" --disable-pip-version-check --retries 2 --timeout 30 install "$@" >&2; then
  if "$folder/bin/python" -m pip --quiet --disable-pip-version-check --retries 0 --timeout 30 \
      download --no-deps --dest "$folder/probe" wheel >/dev/null 2>&1; then
    echo "python_environment: PyPI does not have what is wanted: $*" >&2
    exit 1
  fi
  echo "python_environment: PyPI cannot be reached" >&2
  exit 77
fi
printf '%s\n' "$wanted" >"$stamp"
