#!/usr/bin/env bash
# Runs random programs with errors and cancellations, graphs and eager ones, for a long time, optimised, and plots
# kernels per second and memory over time.
#   scripts/run_soak.sh [SECONDS]          default 3600; leaves build/bench/soak.csv and soak.svg
# Fails on a wrong result, on a value that is left over, and if memory grows.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

seconds=${1:-3600}
say_plan "runs random programs for $seconds s" bench "${build_minutes[run_soak]}" soak
use_compiler_cache
configure bench
build bench soak
csv=build/bench/soak.csv svg=build/bench/soak.svg
say "running for $seconds s"
build/bench/bin/soak "$seconds" >"$csv" || { tail -3 "$csv" >&2; exit 1; }
gnuplot <<PLOT
set datafile separator ','
set terminal svg size 900,900 dynamic background rgb 'white'
set output '$svg'
set multiplot layout 3,1
set key outside right
set xlabel 'seconds'
set yrange [0:*]
do for [kind in 'graph eager'] {
  set ylabel kind . ': kernels per second'
  plot for [queue in 's mstd:1 mstd:2 mstd:4'] '$csv' skip 1 \
    using 1:(strcol(2) eq kind && strcol(3) eq queue ? \$4 : NaN) with points pointtype 7 pointsize 0.4 title queue
}
set ylabel 'resident memory [MB]'
plot '$csv' skip 1 using 1:5 with lines title 'all'
unset multiplot
PLOT
say "wrote $csv and $svg"
