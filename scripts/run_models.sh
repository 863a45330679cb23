#!/usr/bin/env bash
# From a fresh clone to a page that is read: installs what is missing, builds the release preset, takes trained models
# out of two packages of PyPI, imports them to BEF files, reads the lines of a picture and names the types of 20 files.
# The results are compared with the committed ones; the exit code is 0 if they are the same.
#   scripts/run_models.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

models=build/models
targets=(tfrt_import read_text file_types)

# Results go to standard output, what is being done to standard error.
exec 3>&1 1>&2
say_plan "reads a page and names the types of 20 files, with four trained models from PyPI (20 MB)" \
  release "${build_minutes[run_models]}" "${targets[@]}"
scripts/install_dependencies.sh
use_compiler_cache
configure_release
build release "${targets[@]}"

python3 benchmarks/models.py fetch "$models" rapidocr-onnxruntime magika || {
  say "the models come from PyPI, which cannot be reached; scripts/run_digits.sh needs no network"
  exit 1
}
importer=build/release/bin/tfrt_import
for model in ocr_detector ocr_direction ocr_recogniser magika; do
  bef="$models/$model.bef"
  if [ "$bef" -nt "$models/$model.onnx" ] && [ "$bef" -nt "$importer" ]; then continue; fi
  say "importing $model.onnx"
  "$importer" "$models/$model.onnx" -o "$bef.new"
  mv "$bef.new" "$bef"
done

failed=0
say "reading examples/read_text/data/page.pgm"
build/release/bin/read_text "examples/read_text/data/page.pgm" --expect="examples/read_text/data/page.txt" \
  --detector="$models/ocr_detector.bef" --direction="$models/ocr_direction.bef" \
  --recogniser="$models/ocr_recogniser.bef" >&3 || failed=1
say "naming the types of 20 files"
build/release/bin/file_types --expect="examples/file_types/expected.txt" --model="$models/magika.bef" \
  --config="$models/magika_config.json" --content_types="$models/magika_content_types.json" >&3 || failed=1
exit "$failed"
