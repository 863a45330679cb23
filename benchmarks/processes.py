#!/usr/bin/env python3
"""Times whole processes: the compiler, and the start of bef_executor. Prints one table.

usage: processes.py BUILD_DIR [--repetitions N]

BUILD_DIR is an optimised build with compiler and benchmarks (preset release). Commands run interleaved; a
time is the median of the repetitions, a ratio the median of the ratios of one round, memory the largest
resident set of a process, from its own accounting.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

NUM_OPS = 100_000


def program(num_ops):
    """Chains of additions in functions of 1,000 ops, as a compiler would print them."""
    lines = []
    per_function = 1000
    for f in range(num_ops // per_function):
        lines.append(f"func.func @chain_{f}(%v0: i32) -> i32 {{")
        lines.append("  %one = tfrt.constant.i32 1")
        lines += [f"  %v{i + 1} = tfrt.add.i32 %v{i}, %one" for i in range(per_function - 2)]
        lines.append(f"  tfrt.return %v{per_function - 2} : i32")
        lines.append("}")
    return "\n".join(lines) + "\n"


def run(measure, command):
    """Seconds and largest resident set in MB."""
    done = subprocess.run([measure, *command], text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}")
    seconds, kilobytes = done.stdout.split()
    return float(seconds), float(kilobytes) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=15)
    options = parser.parse_args()
    tool = lambda name: str((options.build_dir / "bin" / name).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text, bef = str(folder / "ops.mlir"), str(folder / "ops.bef")
        empty_text, empty = str(folder / "empty.mlir"), str(folder / "empty.bef")
        large = str(folder / "large.bef")
        pathlib.Path(text).write_text(program(NUM_OPS))
        pathlib.Path(empty_text).write_text("func.func @main() {\n  tfrt.return\n}\n")
        measure = tool("measure_process")
        run(measure, [tool("mlir_to_bef"), empty_text, "-o", empty])
        run(measure, [tool("make_large_file"), "400", large])
        rows = {
            "floor: MLIR parses 100k ops": ([tool("compile_floor"), text], None),
            "mlir_to_bef, 100k ops": ([tool("mlir_to_bef"), text, "-o", bef],
                                      "floor: MLIR parses 100k ops"),
            "floor: /bin/true": (["/bin/true"], None),
            "bef_executor, empty function, s": ([tool("bef_executor"), empty], "floor: /bin/true"),
            "bef_executor, empty function, mstd": (
                [tool("bef_executor"), "--work_queue_type=mstd", empty], "floor: /bin/true"),
            "bef_executor, file with a constant of 400 MB": (
                [tool("bef_executor"), "--functions=main", large], "floor: /bin/true"),
        }
        measured = {row: [] for row in rows}
        for _ in range(options.repetitions):
            for row, (command, _) in rows.items():
                measured[row].append(run(measure, command))
        size = os.path.getsize(bef)
    print("| process | ms | x floor | MB |")
    print("|---|---:|---:|---:|")
    for row, (_, floor) in rows.items():
        ms = statistics.median(seconds for seconds, _ in measured[row]) * 1e3
        megabytes = max(memory for _, memory in measured[row])
        ratio = ""
        if floor:
            ratio = statistics.median(a / b for (a, _), (b, _) in zip(measured[row], measured[floor]))
            ratio = f"{ratio:.2f}"
        print(f"| {row} | {ms:.1f} | {ratio} | {megabytes:.1f} |")
    print(f"\nBEF file of {NUM_OPS:,} ops: {size / NUM_OPS:.1f} bytes per op")


if __name__ == "__main__":
    main()
