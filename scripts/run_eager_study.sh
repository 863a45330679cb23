#!/usr/bin/env bash
# Where the time of eager execution goes: LeNet-5 (batches 1, 64, 8192), ResNet-50 and BERT (1, 4, 16), called op by op
# in SYNC and ASYNC mode, recorded, and made into one page. Prints the three laws that are expected to hold as batches
# grow, with their verdicts; figures that differ by at most 2 % are ties. Takes some minutes of two cores, without the build.
#   scripts/run_eager_study.sh [FOLDER]       default: build/eager_study; its profiles are made anew
# In the environment: STUDY_MODES (sync async-fifo async-dataflow), STUDY_STEPS, how many steps of each are recorded (5),
# STUDY_THREADS (those of the machine), STUDY_BUILD, the folder of a build that has the programs (built if not given).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

folder=${1:-build/eager_study}
read -r -a modes <<<"${STUDY_MODES:-sync async-fifo async-dataflow}"
steps=${STUDY_STEPS:-5}
threads=${STUDY_THREADS:-$(nproc)}
build=${STUDY_BUILD:-build/bench}

# Results go to standard output, what is being done to standard error.
exec 3>&1 1>&2
if [ -z "${STUDY_BUILD:-}" ]; then
  say_plan "records three models, called op by op" bench "${build_minutes[run_eager_study]}" tfrt_prof eager_models
  use_compiler_cache
  configure bench
  build bench tfrt_prof eager_models
fi

mkdir -p "$folder/profiles"
rm -f "$folder"/profiles/*.pftrace "$folder"/*.txt
started=$SECONDS
# record MODEL BATCH MODE
record() {
    say "$1, batch $2, $3"
  "$build/bin/tfrt_prof" record --no-peaks --level kernel -o "$folder/profiles/$1.$3.b$2.pftrace" -- \
    "$build/bin/eager_models" --model "$1" --batch "$2" --mode "$3" --steps "$steps" --threads "$threads" \
    >"$folder/$1.$3.b$2.txt"
}
for mode in "${modes[@]}"; do
  for batch in 1 64 8192; do record lenet "$batch" "$mode"; done
  for model in resnet50 bert; do
    for batch in 1 4 16; do record "$model" "$batch" "$mode"; done
  done
done
say "recorded in $((SECONDS - started)) s"

"$build/bin/tfrt_prof" eager "$folder/profiles" -o "$folder/eager.html" --json >"$folder/eager.json"
python3 scripts/print_eager_laws.py "$folder/eager.json" >&3
echo "the page: $folder/eager.html" >&3
