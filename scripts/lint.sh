#!/usr/bin/env bash
# Reads all Python with ruff (rules in pyproject.toml) and all shell scripts with shellcheck. Fails if one of them finds
# something; ends with 77, which CTest reports as skipped, if one of them is not installed.
#   scripts/lint.sh
set -euo pipefail
cd "$(dirname "$0")/.."

ruff=build/python_packages/bin/ruff
if [ ! -x "$ruff" ] || ! command -v shellcheck >/dev/null; then
  echo "lint: no ruff or no shellcheck: run scripts/install_dependencies.sh" >&2
  exit 77
fi

wrong=0
"$ruff" check --quiet --output-format concise . || wrong=1
find . -type d \( -name .git -o -name .cache -o -name build -o -name 'build-*' -o -name out \) -prune \
  -o -type f \( -name '*.sh' -o -path './.ci/run' \) -print0 | xargs -0 shellcheck --format gcc || wrong=1
exit "$wrong"
