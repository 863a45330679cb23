#!/usr/bin/env python3
"""Makes the corpus of GPU programs: those of test/gpu/lit as BEF files, with what they print.

usage: make_gpu_corpus.py TFRT_GPU_TRANSLATE BEF_EXECUTOR SOURCE_DIR OUTPUT_DIR

Run on the test double (TFRT_GPU_LIBRARY_PATH). Per program NAME.mlir that bef_executor runs: NAME.bef, and NAME.out as
check_gpu_corpus.py compares it. Functions with errors are left out: the texts of the driver's are partly its own, and
diagnostics want the program's source.
"""

import pathlib
import re
import subprocess
import sys

import check_gpu_corpus

FUNCTION = re.compile(r"^--- Running '(.*)':$", re.MULTILINE)
RUN_LINE = "RUN: bef_executor %t.bef | FileCheck %s"
# A comment of programs that name engines or texts which only the double of a library has.
OF_DOUBLE = "// For the test double alone"


def runs(executor, bef, function):
    text = check_gpu_corpus.run_program(executor, bef, check_gpu_corpus.QUEUES[0], [function])
    return text.startswith("exit code 0\n") and "error" not in text


def main():
    translate, executor, source, output = map(pathlib.Path, sys.argv[1:])
    translate, executor, source = translate.resolve(), executor.resolve(), source.resolve()
    output.mkdir(parents=True, exist_ok=True)
    num_programs = 0
    for program in sorted((source / "test/gpu/lit").glob("*.mlir")):
        text = program.read_text()
        if RUN_LINE not in text or OF_DOUBLE in text:
            continue
        # Relative, because locations hold the path.
        compiled = subprocess.run([translate, "-mlir-to-bef", program.relative_to(source)], cwd=source,
                                  stdout=subprocess.PIPE, check=True)
        bef = output.resolve() / f"{program.stem}.bef"
        bef.write_bytes(compiled.stdout)
        text = check_gpu_corpus.run_program(executor, bef, check_gpu_corpus.QUEUES[0], [])
        functions = [name for name in FUNCTION.findall(text) if runs(executor, bef, name)]
        if functions in ([], ["open"]):  # which does nothing by itself
            bef.unlink()
            continue
        text = check_gpu_corpus.run_program(executor, bef, check_gpu_corpus.QUEUES[0], functions)
        (output / f"{program.stem}.out").write_text(f"functions {','.join(functions)}\n{text}")
        num_programs += 1
    sys.exit(0 if num_programs else f"make_gpu_corpus: no program of {source}/test/gpu/lit runs")


if __name__ == "__main__":
    main()
