# Sourced by the scripts of this folder: messages, number of build jobs, compiler cache.

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*"; }

# One job per core, but no more than one per 1.5 GB of memory: sources that include MLIR need that much.
build_jobs() {
  local cores memory_kb by_memory
  cores=$(nproc)
  memory_kb=$(awk '/MemAvailable/ {print $2}' /proc/meminfo)
  by_memory=$((memory_kb / 1500000))
  [ "$by_memory" -ge 1 ] || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# The presets take the launcher from the environment. Called once the packages are there.
use_compiler_cache() {
  if command -v ccache >/dev/null; then export TFRT_COMPILER_LAUNCHER=ccache; fi
}
