#!/usr/bin/env python3
"""Checks that a program which uses no GPU looks for no library of a GPU's vendor, and that one which does is seen.

The loader says what it looks for (LD_DEBUG). A library that could be found is put in its way.

usage: check_start.py LIBRARY_FOLDER GPU_PROGRAM -- PROGRAM ARGUMENT...
"""

import os
import pathlib
import subprocess
import sys
import tempfile

LIBRARY = "libcuda"


def searched(library_folder, command):
    """Whether the loader looked for the library, and the program's exit status."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LD_DEBUG": "libs,files", "LD_DEBUG_OUTPUT": f"{folder}/loader",
                       "TFRT_GPU_LIBRARY_PATH": library_folder}
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
        text = "".join(path.read_text(errors="replace") for path in pathlib.Path(folder).iterdir())
    if "calling init" not in text:
        sys.exit("check_start: the loader said nothing")
    return f"{LIBRARY}." in text, result


def main():
    library_folder, gpu_program = sys.argv[1:3]
    command = sys.argv[sys.argv.index("--") + 1:]
    seen, result = searched(library_folder, [gpu_program])
    if not seen or result.returncode != 0:
        sys.exit(f"check_start: {gpu_program} ({result.returncode}) was not seen to open {LIBRARY}")
    seen, result = searched(library_folder, command)
    if result.returncode != 0:
        sys.exit(f"check_start: {' '.join(command)} ends with {result.returncode}:\n{result.stdout}{result.stderr}")
    if seen:
        sys.exit(f"check_start: {command[0]} looked for {LIBRARY}")
    print(f"check_start: {command[0]} looked for no {LIBRARY}")


if __name__ == "__main__":
    main()
