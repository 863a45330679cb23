#!/usr/bin/env python3
"""Runs the benchmarks and prints one table: time, ratio to the floor, instructions, allocations.

usage: report.py BUILD_DIR [--filter REGEX] [--repetitions N] [--no-counts]

All cases run interleaved in random order; a time is the median of the repetitions, a ratio the median
of the ratios of the repetitions with the same number.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess

import counts


def times(binary, names, repetitions):
    """Nanoseconds of one run, by case: a list with one entry per repetition."""
    pattern = "^(" + "|".join(re.escape(name) for name in names) + ")/(real|manual)_time$"
    text = subprocess.check_output(
        [binary, f"--benchmark_filter={pattern}", f"--benchmark_repetitions={repetitions}",
         "--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.05",
         "--benchmark_format=json"], text=True, stderr=subprocess.DEVNULL)
    result = {}
    for run in json.loads(text)["benchmarks"]:
        if run["run_type"] == "iteration":
            name = re.sub("/(real|manual)_time$", "", run["run_name"])
            scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[run["time_unit"]]
            result.setdefault(name, {})[run["repetition_index"]] = run["real_time"] * scale
    return {name: [by_index[i] for i in sorted(by_index)] for name, by_index in result.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("--filter", default="", help="only cases whose name matches")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--no-counts", action="store_true",
                        help="no instruction and allocation counts")
    options = parser.parse_args()
    timer = str(options.build_dir / "bin/tfrt_benchmarks")
    counter = str(options.build_dir / "bin/tfrt_benchmark_counts")

    everything = {case["name"]: case for case in counts.cases(counter)}
    chosen = [name for name in everything if re.search(options.filter, name)]
    floors = {everything[name]["floor"] for name in chosen} - {""}
    measured = list(dict.fromkeys(chosen + sorted(floors)))
    measured_times = times(timer, measured, options.repetitions)
    deterministic = [name for name in chosen if everything[name]["deterministic"]]
    instruction_counts, allocation_counts = {}, {}
    if not options.no_counts and deterministic:
        instruction_counts = counts.instructions(counter, deterministic)
        allocation_counts = counts.allocations(counter)

    print("| case | per | ns | x floor | floor | instructions | allocations per run |")
    print("|---|---|---:|---:|---|---:|---:|")
    for name in chosen:
        case = everything[name]
        ns = statistics.median(measured_times[name]) / case["units"]
        ratio, floor = "", case["floor"]
        if floor:
            floor_units = everything[floor]["units"]
            ratios = [(a / case["units"]) / (b / floor_units)
                      for a, b in zip(measured_times[name], measured_times[floor])]
            ratio = f"{statistics.median(ratios):.2f}"
        instructions = ""
        if name in instruction_counts:
            instructions = f"{instruction_counts[name] / case['units']:.1f}"
        print(f"| {name} | {case['unit']} | {ns:.1f} | {ratio} | {floor} | {instructions} "
              f"| {allocation_counts.get(name, '')} |")


if __name__ == "__main__":
    main()
