#!/usr/bin/env bash
# From a fresh clone to a page that says where the time of a model goes: installs what is missing, builds the release
# preset, takes a trained model that finds lines of text in pictures out of a package of PyPI, records it at three
# levels and makes the report build/profile/report.html.
#   scripts/run_profile.sh [THREADS]     default: all processors
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

threads=${1:-$(nproc)}
folder=build/profile
models=build/models
bin=build/release/bin

scripts/install_dependencies.sh
use_compiler_cache
say "configuring build/release"
cmake --preset release >build-release.log 2>&1 || { cat build-release.log >&2; exit 1; }
rm -f build-release.log
say "building the importer, tfrt_run and tfrt_prof (some minutes the first time)"
cmake --build build/release --parallel "$(build_jobs)" --target tfrt_import tfrt_run tfrt_prof >build-release.log 2>&1 ||
  { cat build-release.log >&2; exit 1; }
rm -f build-release.log
python3 benchmarks/models.py fetch "$models" rapidocr-onnxruntime || {
  say "the model comes from PyPI, which cannot be reached"
  exit 1
}
mkdir -p "$folder"
"$bin/tfrt_import" "$models/ocr_detector.onnx" -o "$folder/detector.bef"
rm -rf "$folder/traces"
say "recording it at the levels model, layer and kernel"
"$bin/tfrt_prof" record --level all --runs 3 -o "$folder/traces" -- \
  "$bin/tfrt_run" "$folder/detector.bef" --random --runs 5 --threads "$threads" --shape x=1,3,480,640
"$bin/tfrt_prof" xsp "$folder/traces" --analysis 6
"$bin/tfrt_prof" report "$folder/traces" -o "$folder/report.html"
