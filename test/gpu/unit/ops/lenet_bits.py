#!/usr/bin/env python3
"""Trains LeNet-5 on the test double under seeds 1 to 8, which choose among streams that may go on, and on threads. All
runs must give the same bits.

usage: lenet_bits.py PROGRAM     with TFRT_LENET_WHOLE all steps, of more images
"""

import concurrent.futures
import os
import re
import subprocess
import sys

SETTINGS = [f"mode=lazy,seed={seed}" for seed in range(1, 9)] + ["mode=threads"]


def bits_of(settings):
    done = subprocess.run([sys.argv[1], "--gtest_filter=LenetTest.Bits"], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "TFRT_GPU_DOUBLE": settings})
    found = re.search(r"^bits (\w+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found:
        sys.exit(f"{settings}: exit code {done.returncode}\n{done.stdout}")
    return found.group(1)


def main():
    with concurrent.futures.ThreadPoolExecutor(2) as runs:
        bits = list(runs.map(bits_of, SETTINGS))
    for settings, each in zip(SETTINGS, bits):
        print(settings, each)
    sys.exit(len(set(bits)) != 1)


main()
