#!/usr/bin/env bash
# Completes some command lines as an interactive shell would and compares.
#   check_completions.sh COMPLETIONS BIN_DIRECTORY
set -euo pipefail
completions=$1 bin=$2
# shellcheck disable=SC1090
. "$completions"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
touch program.bef program.mlir kernels.so weights.btf
mkdir sub

failures=0
# expect WORDS LINE...: the last word of the line is the one to complete.
expect() {
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _tfrt_complete "$1" "${*: -1}" "${@: -2:1}"
  if [ "${COMPREPLY[*]-}" != "$expected" ]; then
    echo "$*: got '${COMPREPLY[*]-}', expected '$expected'" >&2
    failures=$((failures + 1))
  fi
}

expect "mstd mstd:" "$bin/bef_executor" --work_queue_type m
expect "mstd mstd:" "$bin/bef_executor" --work_queue_type = m
expect "s" "$bin/bef_executor" -work_queue_type s
expect "--trace_file --tracing_level" "$bin/bef_executor" --trac
expect "program.bef" "$bin/bef_executor" p
expect "sub/ kernels.so" "$bin/bef_executor" --shared_libs ""
expect "--json" "$bin/bef_inspect" --j
expect "" "$bin/bef_inspect" --no-such
expect "weights.btf" "$bin/btf_info" w
expect "--version" "$bin/btf_info" --v
expect "program.bef" "$bin/tfrt_run" p
expect "--profile" "$bin/tfrt_run" --pr
if [ -x "$bin/mlir_to_bef" ]; then
  expect "program.mlir" "$bin/mlir_to_bef" p
  expect "program.bef" "$bin/mlir_to_bef" program.mlir -o p
  expect "--v0-exact" "$bin/mlir_to_bef" --v0
fi
[ "$failures" -eq 0 ] && echo "all completions are as expected"
