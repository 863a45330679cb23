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

# On a terminal the installers show how far they are. Standard output is left to the caller.
quiet=(--quiet)
if [ -t 2 ]; then quiet=(); fi
of_pip=(-m pip "${quiet[@]}" --disable-pip-version-check)

# uv takes a tenth of pip's time of a processor; all environments of the clone are made by one. It does not read the
# configuration of pip, so pip is next where it fails.
tools=$(cd "$(dirname "$0")/.." && pwd)/build/uv
mkdir -p "$tools"
install_with_uv() {
  (
    flock 9
    if ! "$tools/bin/uv" --version >/dev/null 2>&1; then
      # An environment with pip takes three times as long to make as uv takes to install.
      pip=python3
      if ! python3 -m pip --version >/dev/null 2>&1; then
        python3 -m venv --clear "$tools/pip"
        pip="$tools/pip/bin/python"
      fi
      "$pip" "${of_pip[@]}" --retries 0 install --no-compile --target "$tools/new" uv==0.13.9 >&2 &&
        mkdir -p "$tools/bin" && mv "$tools/new/bin/uv" "$tools/bin/uv"
      rm -rf "$tools/new" "$tools/pip"
    fi
  ) 9>"$tools/lock"
  [ -x "$tools/bin/uv" ] || return 1
  "$folder/bin/python" -c "" 2>/dev/null || python3 -m venv --clear --without-pip "$folder"
  rm -rf "$folder/pycache"
  "$tools/bin/uv" "${quiet[@]}" pip install --python "$folder/bin/python" pip==26.3 "$@" >&2 || return 1
  # Modules are compiled when they are imported first, also by tests that must not write beside their own sources.
  printf 'import sys; sys.dont_write_bytecode = False; sys.pycache_prefix = sys.prefix + "/pycache"\n' \
    >"$("$folder/bin/python" -c "import sysconfig; print(sysconfig.get_path('purelib'))")/compile_at_import.pth"
}

install_with_pip() {
  # An interrupted call leaves a folder without pip.
  "$folder/bin/python" -m pip --version >/dev/null 2>&1 || python3 -m venv --clear "$folder"
  "$folder/bin/python" "${of_pip[@]}" --retries 2 --timeout 30 install "$@" >&2
}

echo "python_environment: taking from PyPI into $folder: $*" >&2
if ! install_with_uv "$@" && ! install_with_pip "$@"; then
  if "$folder/bin/python" "${of_pip[@]}" --retries 0 --timeout 30 download --no-deps --dest "$folder/probe" wheel \
      >/dev/null 2>&1; then
    echo "python_environment: PyPI does not have what is wanted: $*" >&2
    exit 1
  fi
  echo "python_environment: PyPI cannot be reached" >&2
  exit 77
fi
printf '%s\n' "$wanted" >"$stamp"
