# shellcheck shell=bash
# Sourced by the scripts of this folder: messages, compiler, configuring, building with progress,
# interruption. The test is test/scripts/build_environment_test.py.

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*"; }

# Processor minutes of a first build, and of the tests, without a compiler cache: what a script says
# before it begins. Divided by the number of jobs they are about the time on the clock. Read by the
# scripts that source this file.
# shellcheck disable=SC2034
declare -A build_minutes=(
  [run_models]=6 [run_digits]=5 [run_gpu_digits]=6 [run_profile]=7 [run_stack_study]=8
  [run_eager_study]=6 [run_server]=6 [run_soak]=3 [run_fuzzer]=8
  [make_packages]=10 [wheels]=11 [ci]=13 [dev]=21 [tests]=5
)

# A script adds here the files and folders that are deleted when it ends, however it ends.
unfinished=()
trap 'rm -rf "${unfinished[@]}"' EXIT
trap 'say "interrupted; the same command goes on where this one stopped" >&2; exit 130' INT
trap 'say "ended by a signal; the same command goes on where this one stopped" >&2; exit 143' TERM HUP

# Prints the number of build jobs: one per core, but no more than one per 1.5 GB of memory, which
# sources that include MLIR need.
build_jobs() {
  local cores memory_kb by_memory
  cores=$(nproc)
  memory_kb=$(awk '/MemAvailable/ {print $2}' /proc/meminfo)
  by_memory=$((memory_kb / 1500000))
  [ "$by_memory" -ge 1 ] || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# Gives the presets ccache, where it is installed, unless the environment names another launcher.
# Called once the packages are there.
use_compiler_cache() {
  if [ -z "${TFRT_COMPILER_LAUNCHER:-}" ] && command -v ccache >/dev/null; then export TFRT_COMPILER_LAUNCHER=ccache; fi
}

# Succeeds if clang 22 and its linker are on PATH: they build in half the time that the system's
# compiler takes.
has_clang() {
  command -v clang-22 && command -v clang++-22 && { command -v ld.lld-22 || command -v ld.lld; }
} >/dev/null

# Prints the options of CMake, one a line, with which the first configure of a build folder takes
# clang and lld. Prints nothing where they are missing: CMake then takes the system's compiler.
clang_options() {
  has_clang || return 0
  printf -- '-DCMAKE_%s\n' C_COMPILER=clang-22 CXX_COMPILER=clang++-22 EXE_LINKER_FLAGS=-fuse-ld=lld \
    SHARED_LINKER_FLAGS=-fuse-ld=lld MODULE_LINKER_FLAGS=-fuse-ld=lld
}

# cached_value FOLDER NAME: prints the value of a variable of a build folder; fails if it has none.
cached_value() { grep -m 1 "^$2:" "$1/CMakeCache.txt" | cut -d= -f2-; }

# configure PRESET [-DNAME=VALUE...]: configures build/PRESET with these options. The first time,
# presets that leave the compiler open get clang where that is installed; bench, minimal and aarch64
# stay with the system's compiler, and the other presets name clang themselves. A folder that has a
# cache keeps its compiler, its launcher and its values of the options. What CMake prints goes to
# build/PRESET.configure.log, and is shown if it fails. TFRT_CONFIGURED names the preset that the caller of a
# script has just configured, which takes ten seconds of a processor.
configure() {
  local preset=$1 folder=build/$1 log=build/$1.configure.log options=() option name value
  shift
  [ "$preset" != "${TFRT_CONFIGURED:-}" ] || return 0
  mkdir -p build
  local launcher=${TFRT_COMPILER_LAUNCHER:-}
  if [ -e "$folder/CMakeCache.txt" ]; then
    for option in "$@"; do
      name=${option#-D} name=${name%%=*}
      if value=$(cached_value "$folder" "$name"); then option=-D$name=$value; fi
      options+=("$option")
    done
    value=$(cached_value "$folder" CMAKE_CXX_COMPILER_LAUNCHER) || value=$launcher
    if [ -z "$value" ] || command -v "$value" >/dev/null; then launcher=$value; fi
  else
    options=("$@")
    case "$preset" in
      release | dev | runtime-only) mapfile -t -O "${#options[@]}" options < <(clang_options) ;;
    esac
  fi
  say "configuring $folder"
  if ! TFRT_COMPILER_LAUNCHER=$launcher cmake --preset "$preset" "${options[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    say "$folder cannot be configured; to try again: cmake --preset $preset ${options[*]}" >&2
    return 1
  fi
}

# configure_release: configures build/release, which the scripts that run models share. Benchmarks
# are left out: one of them needs OpenMP, which clang has not by itself. Tests stay, as the driver's
# double of run_gpu_digits.sh is theirs.
configure_release() { configure release -DTFRT_BUILD_BENCHMARKS=OFF; }

# build PRESET TARGET...: builds targets of build/PRESET. On a terminal it shows ninja's own line, unless
# plain_progress is set, as where others write to it at the same time.
# Otherwise ninja's output goes to build/PRESET.log; shown are a line each half minute
# (TFRT_PROGRESS_SECONDS) and, if it fails, what the failing commands printed. The last line of a
# failure is the command that shows more.
build() {
  local preset=$1 status=0
  shift
  local command=(cmake --build "build/$preset" --parallel "$(build_jobs)" --target "$@")
  if [ -t 1 ] && [ -z "${plain_progress:-}" ]; then
    "${command[@]}" || status=$?
  else
    NINJA_STATUS='[%f/%t] ' "${command[@]}" 2>&1 | report_progress "build/$preset.log" || status=$?
    [ "$status" = 0 ] || print_errors "build/$preset.log" >&2
  fi
  [ "$status" = 0 ] || say "the build failed; to see more: cmake --build build/$preset --target $* --verbose" >&2
  return "$status"
}

# report_progress LOG: copies ninja's output, which may be indented, from standard input to a log,
# and says from time to time and at the end how far it is. It outlives an interrupt, so that ninja
# can write its last lines and delete what is half made.
report_progress() {
  local log=$1 interval=${TFRT_PROGRESS_SECONDS:-30} begin=$SECONDS last=$SECONDS line='' part status finished=0 total=0
  trap '' INT
  while true; do
    status=0
    # A status above 128 says that the time is over: PART is then the begin of a line.
    IFS= read -r -t $((last + interval > SECONDS ? last + interval - SECONDS : 1)) part || status=$?
    line+=$part
    if [ "$status" -le 128 ] && [ -n "$line" ]; then
      printf '%s\n' "$line" >&4
      # Steps in which ninja looks after its own file are left out.
      if [[ $line =~ ^\ *\[([0-9]+)/([0-9]+)\] && $line != *"] Re-"* ]]; then
        finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
      fi
      line=''
    fi
    [ "$status" = 0 ] || [ "$status" -gt 128 ] || break
    if [ $((SECONDS - last)) -ge "$interval" ]; then
      last=$SECONDS
      [ "$total" = 0 ] || say "$finished of $total steps, $((finished * 100 / total)) %, $(elapsed "$begin")"
    fi
  done 4>"$log"
  if [ "$total" = 0 ]; then say "nothing had to be built"; else say "built $finished of $total steps in $(elapsed "$begin")"; fi
}

# elapsed BEGIN: prints the time since BEGIN, a value of SECONDS.
elapsed() { printf '%d min %02d s' $(((SECONDS - $1) / 60)) $(((SECONDS - $1) % 60)); }

# print_errors LOG: prints what the failing commands of a build printed, without their command
# lines; at most 60 lines.
print_errors() {
  awk '/^ *\[[0-9]+\/[0-9]+\] / { shown = 0 }
       /^ *FAILED: / { shown = 1; command = NR + 1 }
       /^ *(ninja: (error|fatal)|CMake Error|ERROR: )/ { shown = 1 }
       shown && NR != command && ++lines <= 60
       END { if (lines > 60) print "... and " lines - 60 " more lines in " FILENAME }' "$1"
}

# percent_left PRESET TARGET...: prints how much of these targets is not built, in percent of the
# steps. Ninja is asked without the rule that runs CMake, as its dry run ends there.
percent_left() {
  local folder=build/$1 left total
  shift
  if [ ! -e "$folder/build.ninja" ]; then echo 100; return; fi
  awk '/^build build\.ninja:/ { skipped = 1 } !skipped; /^$/ { skipped = 0 }' "$folder/build.ninja" >"$folder/plan.ninja"
  left=$(ninja -C "$folder" -f plan.ninja -n "$@" 2>/dev/null | grep -c '^\[') || true
  total=$(ninja -C "$folder" -f plan.ninja -t commands "$@" 2>/dev/null | wc -l) || true
  rm -f "$folder/plan.ninja"
  if [ "$total" = 0 ]; then echo 100; else echo $(((left * 100 + total - 1) / total)); fi
}

# say_plan WHAT PRESET MINUTES TARGET...: says what the script does, and about how long that takes
# which is not built, if all of it takes so many minutes of one processor.
say_plan() {
  local what=$1 preset=$2 minutes=$3 jobs left
  shift 3
  jobs=$(build_jobs)
  left=$(percent_left "$preset" "$@")
  say "$what"
  case "$left" in
    0) say "what it needs is built" ;;
    *) minutes=$(((minutes * left + jobs * 100 - 1) / (jobs * 100)))
       say "builds first: $left % of the steps, about $minutes min with $jobs jobs; less where ccache has the objects" ;;
  esac
}
