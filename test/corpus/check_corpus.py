#!/usr/bin/env python3
"""Runs the programs of the corpus and compares what they print. Needs no compiler.

usage: check_corpus.py BEF_EXECUTOR SOURCE_DIR [EMULATOR...]

EMULATOR is a command that runs programs of another processor.
"""

import pathlib
import subprocess
import sys


# The leak checker stops all threads at the end of the program, and crashes itself if one is just ending:
# that says nothing of the program, which is run again. A leak, or any other report, is not this message.
CHECKER_CRASHED = b"LeakSanitizer has encountered a fatal error"
MAX_RUNS = 3


def run(command, folder):
    for _ in range(MAX_RUNS):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        if CHECKER_CRASHED not in done.stderr:
            break
    return done


def main():
    executor, source = map(pathlib.Path, sys.argv[1:3])
    emulator = sys.argv[3:]
    failures = 0
    programs = sorted((source / "test/corpus").glob("*.bef"))
    for program in programs:
        try:
            done = run([*emulator, executor, program], source)
        except subprocess.TimeoutExpired:
            failures += 1
            print(f"{program.name} has not ended after 60 s")
            continue
        text = f"exit code {done.returncode}\n".encode() + done.stdout
        if text != program.with_suffix(".out").read_bytes():
            failures += 1
            print(f"{program.name} printed\n{text.decode(errors='replace')}\nand said\n"
                  f"{done.stderr.decode(errors='replace')}")
    print(f"check_corpus: {len(programs) - failures} of {len(programs)} programs print what they should")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
