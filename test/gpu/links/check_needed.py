#!/usr/bin/env python3
"""Checks that no program and no library of a build needs a library of a GPU's vendor to start.

They are opened when an op first needs them, so that one build runs everywhere. Reads the dynamic section of each
ELF file below the folder. Left out are Python environments that tests have made there, which hold programs of others,
and the doubles of the vendor's libraries, which need each other.

usage: check_needed.py READELF BUILD_DIR
"""

import os
import pathlib
import re
import struct
import subprocess
import sys

VENDOR = re.compile(r"lib(cuda|cudart|cublas|cublasLt|cudnn\w*|cufft|cusolver|curand|cusparse|nccl|nvrtc|cupti"
                    r"|nvidia-ml|amdhip64|hipblas|miopen|rocblas|rccl)\.so")
NEEDED = re.compile(r"\(NEEDED\).*\[(.*)\]")
LEFT_OUT = {"site-packages", "CMakeFiles", "Testing", "gpu_double"}
EXECUTABLE, SHARED = 2, 3  # e_type


def is_linked(path):
    """Whether it is an ELF program or shared library."""
    with open(path, "rb") as file:
        head = file.read(18)
    return len(head) == 18 and head[:4] == b"\x7fELF" and struct.unpack_from("<H", head, 16)[0] in (EXECUTABLE, SHARED)


def linked_files(build):
    for folder, folders, files in os.walk(build):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        for name in sorted(files):
            path = pathlib.Path(folder, name)
            if name.endswith((".o", ".a", ".pch")) or path.is_symlink() or not path.is_file():
                continue
            if is_linked(path):
                yield path


def check_build(readelf, build):
    """The number of files, and what is wrong."""
    num_files, errors = 0, []
    for path in linked_files(build):
        num_files += 1
        result = subprocess.run([readelf, "-d", path], capture_output=True, text=True)
        if result.returncode != 0:
            errors.append(f"{path}: cannot be read: {result.stderr.strip()}")
        errors += [f"{path}: needs {library}" for library in NEEDED.findall(result.stdout) if VENDOR.match(library)]
    return num_files, errors


def main():
    num_files, errors = check_build(sys.argv[1], pathlib.Path(sys.argv[2]))
    for error in errors:
        print(error)
    print(f"check_needed: {num_files} programs and libraries, {len(errors)} errors")
    sys.exit(1 if errors or not num_files else 0)


if __name__ == "__main__":
    main()
