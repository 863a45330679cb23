#!/usr/bin/env python3
"""Runs the programs of the corpus and compares what they print. Needs no compiler.

usage: check_corpus.py BEF_EXECUTOR SOURCE_DIR
"""

import pathlib
import subprocess
import sys


def main():
    executor, source = map(pathlib.Path, sys.argv[1:])
    failures = 0
    programs = sorted((source / "test/corpus").glob("*.bef"))
    for program in programs:
        done = subprocess.run([executor, program], cwd=source, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        text = f"exit code {done.returncode}\n".encode() + done.stdout
        if text != program.with_suffix(".out").read_bytes():
            failures += 1
            print(f"{program.name} printed\n{text.decode(errors='replace')}\nand said\n"
                  f"{done.stderr.decode(errors='replace')}")
    print(f"check_corpus: {len(programs) - failures} of {len(programs)} programs print what they should")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
