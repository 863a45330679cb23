#!/usr/bin/env python3
"""Makes the corpus: every lit program that runs, as a BEF file with what it prints.

usage: make_corpus.py MLIR_TO_BEF BEF_EXECUTOR SOURCE_DIR OUTPUT_DIR

Per program PATH/NAME.mlir below test/lit: PATH.NAME.bef, and PATH.NAME.out with the exit code and the standard output
of `bef_executor` under the single-threaded queue. Left out are programs that do not compile alone, that print
something else each time, and files of more than 8 KB.
"""

import pathlib
import subprocess
import sys

MAX_BYTES = 8192


def run_program(executor, source_dir, bef):
    done = subprocess.run([executor, bef], cwd=source_dir, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=60)
    return f"exit code {done.returncode}\n".encode() + done.stdout


def main():
    compiler, executor, source, output = map(pathlib.Path, sys.argv[1:])
    compiler, executor, source = compiler.resolve(), executor.resolve(), source.resolve()
    output.mkdir(parents=True, exist_ok=True)
    for program in sorted((source / "test/lit").rglob("*.mlir")):
        relative = program.relative_to(source)
        if relative.parts[2] == "gpu":  # what these print, the machine decides
            continue
        # Relative, because locations hold the path and the executor looks for the source there.
        compiled = subprocess.run([compiler, relative], cwd=source, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        if compiled.returncode != 0 or len(compiled.stdout) > MAX_BYTES:
            continue
        name = ".".join(relative.with_suffix("").parts[2:])
        bef = (output / f"{name}.bef").resolve()
        bef.write_bytes(compiled.stdout)
        try:
            texts = {run_program(executor, source, bef) for _ in range(3)}
        except subprocess.TimeoutExpired:
            texts = set()
        if len(texts) != 1 or b"--- Running" not in next(iter(texts)):
            bef.unlink()
            continue
        (output / f"{name}.out").write_bytes(texts.pop())


if __name__ == "__main__":
    main()
