#!/usr/bin/env python3
"""Runs compiled GPU programs and compares what they print. Needs no compiler.

usage: check_gpu_corpus.py BEF_EXECUTOR FOLDER

Addresses of memory differ from run to run and are not compared, but that there is one, and of which vendor, is.
"""

import difflib
import pathlib
import re
import subprocess
import sys

QUEUES = ("s", "mstd:2")
# The executor's own lines; the queue's name is part of them.
HEAD = re.compile(r"^Choosing .*\n", re.MULTILINE)
# A library of the vendor that the machine lacks: its programs are skipped, which is printed.
MISSING = re.compile(r"lib(cublas|cublasLt|cudnn)\.so\.\d+ cannot be loaded")
ADDRESS = re.compile(r"pointer=0x[1-9a-f][0-9a-f]*")


def run_program(executor, bef, queue, functions):
    """What it prints; all functions if none is named. Run where it does not find its source, whose comments would
    tell it what diagnostics to expect."""
    command = [executor, f"--work_queue_type={queue}", *([f"--functions={','.join(functions)}"] if functions else []),
               bef]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120,
                            cwd=bef.parent)
    text = ADDRESS.sub("pointer=ADDRESS", HEAD.sub("", result.stdout))
    if result.returncode != 0:
        text += result.stderr
    return f"exit code {result.returncode}\n{text}"


def main():
    executor, folder = map(pathlib.Path, sys.argv[1:])
    programs = sorted(folder.glob("*.bef"))
    num_wrong = num_skipped = 0
    for bef in programs:
        head, expected = bef.with_suffix(".out").read_text().split("\n", 1)
        functions = head.removeprefix("functions ").split(",")
        for queue in QUEUES:
            text = run_program(executor.resolve(), bef.resolve(), queue, functions)
            if text == expected:
                continue
            if missing := MISSING.search(text):
                num_skipped += 1
                print(f"{bef.name} on the queue {queue}: skipped: {missing[0]}")
                continue
            num_wrong += 1
            print(f"{bef.name} on the queue {queue}:")
            print("\n".join(difflib.unified_diff(expected.splitlines(), text.splitlines(), "expected", "printed",
                                                 lineterm="")))
    print(f"check_gpu_corpus: {len(programs)} programs on {len(QUEUES)} queues, {num_skipped} skipped, {num_wrong} "
          "wrong")
    sys.exit(1 if num_wrong or not programs else 0)


if __name__ == "__main__":
    main()
