#!/usr/bin/env bash
# Collects a test of a build and runs scripts/run_gpu_day.sh with it on the test double.
#   day_test.sh SOURCE BUILD FOLDER
set -euo pipefail

source=$1 build=$2 folder=$3
rm -rf "$folder"
python3 "$source/test/gpu/hardware/gpu_bundle.py" collect --source "$source" --build "$build" --to "$folder/bundle" \
  --max-mib 300 --tests '^gpu/cts/'
cp "$source/scripts/run_gpu_day.sh" "$folder/bundle"
"$folder/bundle/run_gpu_day.sh" --driver double --short --record "$folder" | tee "$folder/output"
grep -q 'NO GPU (asked not to): on the test double' "$folder/output"
python3 - "$folder/tfrt_test_double.json" <<END
import json, sys
record = json.load(open(sys.argv[1]))
results = {name: step["result"] for name, step in record["steps"].items()}
times = results.pop("times")  # skipped in a build without benchmarks
assert times in ("passed", "skipped"), times
assert results == {"first": "passed", "cudnn": "skipped", "modules": "passed", "modules_from_the_cache": "passed",
                   "streams": "passed", "kernels": "passed"}, results
assert record["steps"]["streams"]["found"]["graph_nodes"] == 20, record["steps"]["streams"]
assert [test["result"] for test in record["tests"]] == ["passed"], record["tests"]
assert record["no_gpu"] == "asked not to"
END
rm -r "$folder/bundle"
