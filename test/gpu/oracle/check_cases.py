#!/usr/bin/env python3
"""The test double of cuDNN and the vendor's library say the same of good and of bad descriptors.

usage: check_cases.py CUDNN_CASES SHIM DEVICE.json DOUBLE_FOLDER

Ends with 77 if the vendor's library is not installed, with 1 for each case in which they differ.
"""

import os
import subprocess
import sys

MIN_CASES = 500


def lines_of(program, shim, device, folder):
    environment = dict(os.environ)
    environment.pop("TFRT_GPU_LIBRARY_PATH", None)
    if folder:
        environment["TFRT_GPU_LIBRARY_PATH"] = folder
    result = subprocess.run([program, shim, device], env=environment, capture_output=True, text=True, check=False)
    if result.returncode == 77 and not folder:
        print("check_cases: skipped: no cuDNN of the vendor", file=sys.stderr)
        sys.exit(77)
    if result.returncode != 0:
        sys.exit(f"check_cases: {folder or 'the library'} ended with {result.returncode}: {result.stderr[-2000:]}")
    return dict(line.split(": ", 1) for line in result.stdout.splitlines())


def main():
    program, shim, device, double = sys.argv[1:]
    vendor = lines_of(program, shim, device, "")
    ours = lines_of(program, "-", device, double)
    errors = 0
    for name, said in vendor.items():
        if ours.get(name) != said:
            errors += 1
            print(f"{name}: the vendor: {said}; the double: {ours.get(name)}")
    refused = sum(said != "taken" for said in vendor.values())
    print(f"check_cases: {len(vendor)} cases, {refused} of them refused; {errors} differ")
    if len(vendor) < MIN_CASES or errors:
        sys.exit(1)


main()
