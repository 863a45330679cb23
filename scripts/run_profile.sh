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
targets=(tfrt_import tfrt_run tfrt_prof)

# Results go to standard output, what is being done to standard error.
exec 3>&1 1>&2
say_plan "records a model from PyPI (5 MB) and makes a report of where its time goes" \
  release "${build_minutes[run_profile]}" "${targets[@]}"
scripts/install_dependencies.sh
use_compiler_cache
configure_release
build release "${targets[@]}"
python3 benchmarks/models.py fetch "$models" rapidocr-onnxruntime || {
  say "the model comes from PyPI, which cannot be reached"
  exit 1
}
mkdir -p "$folder"
"$bin/tfrt_import" "$models/ocr_detector.onnx" -o "$folder/detector.bef"
rm -rf "$folder/profiles"
say "recording it at the levels model, layer and kernel"
"$bin/tfrt_prof" record --level all --runs 3 -o "$folder/profiles" -- \
  "$bin/tfrt_run" "$folder/detector.bef" --random --runs 5 --threads "$threads" --shape x=1,3,480,640
"$bin/tfrt_prof" xsp "$folder/profiles" --analysis 6 >&3
"$bin/tfrt_prof" report "$folder/profiles" -o "$folder/report.html" >&3
