#!/usr/bin/env python3
"""Gives the compiler's tools damaged text, bytecode and models: an error in words and exit code 1, or a program that is
good all the same.

usage: check_damaged_programs.py TOOLS_DIR SOURCE_DIR [CHANGES]
"""

import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOOLS, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
CHANGES = int(sys.argv[3]) if len(sys.argv) > 3 else 25  # of each tool and kind
FOLDER = pathlib.Path(tempfile.mkdtemp())
os.environ["LLVM_DISABLE_SYMBOLIZATION"] = "1"  # of stacks: takes a second
CRASH = "the input crashes MLIR"
SPLIT = b"\n// -----\n"
WORD = re.compile(rb"[A-Za-z_.!@%#]+[A-Za-z0-9_.]*|[^\sA-Za-z0-9]+|\d+")
PROGRAMS = ["round_trip/programs.mlir", "round_trip/corert.mlir", "round_trip/extras.mlir",
            "tfrt_run/Inputs/model.mlir", "round_trip/compiled_module.mlir", "mlir_to_bef/Inputs/locations.mlir",
            "graph/ops.mlir"]


def run(tool, *arguments):
    """The exit code and what was said. Any crash ends the test."""
    done = subprocess.run([TOOLS / tool, *map(str, arguments)], capture_output=True, timeout=60)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def save(name, data):
    (FOLDER / name).write_bytes(data)
    return FOLDER / name


def change(choose, data, words):
    """A copy that is cut, or of which bytes or words are others, away, or there twice."""
    data = bytearray(data)
    for _ in range(choose.choice((1, 1, 1, 2, 4))):
        place = choose.randrange(len(data) + 1)
        kind = choose.randrange(6)
        if kind == 0:
            del data[place:]
        elif kind == 1 and data:
            data[choose.randrange(len(data))] = choose.randrange(256)
        elif kind == 2:
            del data[place:place + choose.randrange(1, 20)]
        elif kind == 3:
            data[place:place] = choose.choice(words) if words else bytes([choose.randrange(256)])
        elif kind == 4 and words:
            found = choose.choice(list(WORD.finditer(bytes(data))) or [None])
            if found:
                data[found.start():found.end()] = choose.choice(words)
        else:
            start = choose.randrange(len(data) + 1)
            data[place:place] = data[start:start + choose.randrange(40)]
    return bytes(data)


def check(number, data, tool, *options):
    path = save(f"{number}", data)
    code, said = run(tool, *options, path, "-o", "/dev/null")
    assert CRASH not in said and (code == 0 or code == 1 and "error" in said or tool == "tfrt_import" and said), (
        path, tool, options, code, said[-2000:])
    path.unlink()


texts = [(SOURCE / "test/lit" / name).read_bytes() for name in PROGRAMS if (SOURCE / "test/lit" / name).exists()]
assert len(texts) >= 6
words = [word for text in texts for word in WORD.findall(text)]
bytecode = []
for text in texts:
    source, output = save("source.mlir", text), FOLDER / "bytecode"
    code, said = run("tfrt_opt", "-allow-unregistered-dialect", "-emit-bytecode", source, "-o", output)
    if code == 0:
        bytecode.append(output.read_bytes())
assert len(bytecode) >= 4
models = [path.read_bytes() for path in sorted((SOURCE / "test/fuzz/onnx").glob("*.onnx"))]
choose = random.Random(20)
jobs = []
for _ in range(CHANGES):
    text = change(choose, choose.choice(texts), words)
    code = change(choose, choose.choice(bytecode), None)
    jobs += [(text, "mlir_to_bef"), (code, "mlir_to_bef"), (code, "tfrt_opt", "-allow-unregistered-dialect"),
             (choose.choice((text, code)), "tfrt_translate", "-mlir-to-bef"),
             (change(choose, choose.choice(models), None), "tfrt_import")]
    # Many pieces in one file, each of which is read although others are broken.
    pieces = SPLIT.join(change(choose, choose.choice(texts), words) for _ in range(5))
    jobs.append((pieces, "tfrt_opt", "-allow-unregistered-dialect", "-split-input-file"))
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for done in [pool.submit(check, i, *job) for i, job in enumerate(jobs)]:
        done.result()

# Texts that crash parsers of MLIR itself: an op that is cut off, and what is nested without an end.
reduce = b"func.func @b() {\n  %x = linalg.reduce ins(%q : tensor<16xf16>) dimensions = 0 (1) ({ -1 })\n}\n"
for text in (reduce, b"module {" * 50000, b"func.func @f() attributes {a = " + b"[" * 100000):
    for command in (["mlir_to_bef"], ["tfrt_translate", "-mlir-to-bef"],
                    ["tfrt_opt"]) if text == reduce else (["mlir_to_bef"],):
        path, old = save("crash.mlir", text), save("old", b"old")
        code, said = run(*command, path, "-o", old)
        assert code == 1 and "error: " in said, (command, code, said[-2000:])
        assert old.read_bytes() == b"old"
