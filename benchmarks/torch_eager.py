#!/usr/bin/env python3
"""Times one addition of tensors with one element, ours and PyTorch's, in turns on one thread.

usage: torch_eager.py BUILD_DIR [--rounds N]

Where PyTorch cannot be imported it says so and ends.
"""

import argparse
import pathlib
import statistics
import sys
import time

import report

OPS = 1000  # of one run of the case eager/add


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("torch_eager: skipped, PyTorch is not installed")
        return 0

    torch.set_num_threads(1)
    one = torch.ones(1)
    add = torch.add

    def theirs():
        with torch.inference_mode():
            begin = time.perf_counter_ns()
            for _ in range(20 * OPS):
                add(one, one)
            return (time.perf_counter_ns() - begin) / (20 * OPS)

    def ours():
        return report.times(str(options.build_dir / "bin/tfrt_benchmarks"), ["eager/add"], 1)["eager/add"][0] / OPS

    theirs()
    rounds = [(ours(), theirs()) for _ in range(options.rounds)]
    print("| addition of one element | ns | x PyTorch |\n|---|---:|---:|")
    print(f"| tfrt::eager, C++ | {statistics.median(o for o, _ in rounds):.0f} "
          f"| {statistics.median(o / t for o, t in rounds):.2f} |")
    print(f"| PyTorch {torch.__version__}, from Python | {statistics.median(t for _, t in rounds):.0f} | 1 |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
