#!/usr/bin/env bash
# Cuts larger models at random places; skipped where there are none.
#   larger_models.sh HOSTILE_MODELS FOLDER
set -euo pipefail
shopt -s nullglob
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for model in "$2"/*/model.onnx; do
  ln -s "$(realpath "$model")" "$folder/$(basename "$(dirname "$model")").onnx"
done
models=("$folder"/*.onnx)
[ ${#models[@]} -gt 0 ] || exit 77
"$1" --cuts=2000 --changes=0 --save="$(dirname "$1")" "${models[@]}"
