#!/usr/bin/env python3
"""Has the tools of the compiler write files over others: inputs, older outputs, models that are mapped.

usage: check_outputs.py TOOLS_DIR SOURCE_DIR
"""

import mmap
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading

TOOLS, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MODEL = (SOURCE / "test/lit/tfrt_run/Inputs/model.mlir").read_text()
OTHER = MODEL.replace("0x04000000000020410000A041000000C2", "0x04000000000000000000000000000000")
BROKEN = "func.func @f() {\n  tfrt.return %x : i32\n}\n"
ONNX = SOURCE / "test/fuzz/onnx/functions.onnx"
PATH = pathlib.Path(tempfile.mkdtemp())


def run(tool, *arguments, fails=False, **options):
    command = [TOOLS / tool, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, timeout=120, **options)
    assert done.returncode == (1 if fails else 0), (command, done)
    return done.stderr.decode() if fails else done.stdout


def text(name, content):
    (PATH / name).write_text(content)
    return PATH / name


def compiled(name, content):
    run("mlir_to_bef", text("source.mlir", content), "-o", PATH / name)
    return PATH / name


def files():
    return sorted(os.listdir(PATH))


good, other, broken = text("good.mlir", MODEL), text("other.mlir", OTHER), text("broken.mlir", BROKEN)
first, second = compiled("first.bef", MODEL).read_bytes(), compiled("second.bef", OTHER).read_bytes()
damaged = PATH / "damaged.bef"
damaged.write_bytes(first[:100])
no_model = text("no.onnx", "no model")
assert first != second

# Each tool that writes a file: what it writes from a good input, and an input that it refuses.
WRITERS = {
    "mlir_to_bef": (["mlir_to_bef"], other, broken),
    "bef_to_mlir": (["bef_to_mlir"], PATH / "second.bef", damaged),
    "mlir_to_bef of tfrt_translate": (["tfrt_translate", "--mlir-to-bef"], other, broken),
    "bef_to_mlir of tfrt_translate": (["tfrt_translate", "--bef-to-mlir"], PATH / "second.bef", damaged),
    "tfrt_gpu_translate": (["tfrt_gpu_translate", "--mlir-to-bef"], other, broken),
    "tfrt_opt": (["tfrt_opt"], other, broken),
    "tfrt_opt in pieces": (["tfrt_opt", "--split-input-file"], other, broken),
    "tfrt_opt with a pass": (["tfrt_opt", "--canonicalize"], other, broken),
    "tfrt_opt to bytecode": (["tfrt_opt", "--emit-bytecode"], other, broken),
    "tfrt_gpu_opt": (["tfrt_gpu_opt"], other, broken),
    "tfrt_import": (["tfrt_import"], ONNX, no_model),
}


def check_writer(command, source, refused):
    output = PATH / "output"
    expected = run(*command, source, "-o", "-")
    assert expected

    # An older output stays where nothing new is written, and is left to those who have it open.
    output.write_bytes(first)
    output.chmod(0o640)
    names = files()
    run(*command, refused, "-o", output, fails=True)
    assert output.read_bytes() == first
    run(*command, PATH / "missing", "-o", output, fails=True)
    assert output.read_bytes() == first
    with open(output, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
        run(*command, source, "-o", output)
        assert mapped[:] == first
    assert output.read_bytes() == expected
    assert output.stat().st_mode & 0o777 == 0o640
    run(*command, "--help")
    assert files() == names, (files(), names)

    # A link is followed.
    target = PATH / "target"
    target.write_bytes(first)
    output.unlink()
    output.symlink_to("target")
    run(*command, refused, "-o", output, fails=True)
    assert output.is_symlink() and target.read_bytes() == first
    run(*command, source, "-o", output)
    assert output.is_symlink() and target.read_bytes() == expected
    output.unlink()
    target.unlink()

    # Places that are no files.
    assert run(*command, source, "-o", "/dev/null") == b""
    assert run(*command, source, "-o", "/dev/stdout") == expected
    with open(target, "wb+") as file:
        file.write(b"before\n")
        file.flush()
        command_line = [TOOLS / command[0], *command[1:], source, "-o", "/dev/stdout"]
        subprocess.run(command_line, stdout=file, check=True, timeout=120)
        file.seek(0)
        assert file.read() == b"before\n" + expected
    target.unlink()
    run(*command, refused, "-o", "/dev/stdout", fails=True)
    assert os.path.lexists("/dev/stdout") and os.path.lexists("/dev/null")
    os.mkfifo(output)
    got = []
    reader = threading.Thread(target=lambda: got.append(output.read_bytes()))
    reader.start()
    run(*command, source, "-o", output)
    reader.join()
    assert got == [expected]
    output.unlink()

    # Not there to be written.
    message = run(*command, source, "-o", PATH / "no/folder", fails=True)
    assert "no/folder" in message and "No such file" in message, message
    if os.path.exists("/dev/full"):
        message = run(*command, source, "-o", "/dev/full", fails=True)
        assert "No space left on device" in message, message


for name, (command, source, refused) in WRITERS.items():
    print(name, flush=True)
    check_writer(command, source, refused)

# Input and output are one file: text is replaced by text, a source is not lost to what is made of it.
same = PATH / "same"
for content in (MODEL, OTHER):
    for options in ([], ["--split-input-file"]):
        same.write_text(content)
        expected = run("tfrt_opt", *options, same)
        run("tfrt_opt", *options, same, "-o", same)
        assert same.read_bytes() == expected
for command in (["mlir_to_bef"], ["tfrt_translate", "--mlir-to-bef"]):
    same.write_text(MODEL)
    message = run(*command, same, "-o", same, fails=True)
    assert f"'{same}' is the file that is read" in message, message
    assert same.read_text() == MODEL
for command in (["bef_to_mlir"], ["tfrt_translate", "--bef-to-mlir"]):
    same.write_bytes(first)
    message = run(*command, same, "-o", same, fails=True)
    assert f"'{same}' is the file that is read" in message, message
    assert same.read_bytes() == first
same.write_bytes(ONNX.read_bytes())
message = run("tfrt_import", same, "-o", same, fails=True)
assert f"'{same}' is the file that is read" in message, message
assert same.read_bytes() == ONNX.read_bytes()
same.unlink()

# Profiles and results beside the program that runs: it is mapped.
model = PATH / "model.bef"
model.write_bytes(first)
for command in (["tfrt_run", model, "--random", "--record", model],
                ["tfrt_run", model, "--random", "--output", f"y={model}"], ["bef_executor", "--record", model, model],
                ["bef_executor", "--trace_file", model, model]):
    message = run(*command, fails=True)
    assert f"'{model}' is the file that is read" in message, message
    assert model.read_bytes() == first

# A model that runs while another takes its name: tfrt_run has the file mapped when it reads the input.
row = struct.pack("<3f", 1, -30, 3)
header = repr({"descr": "<f4", "fortran_order": False, "shape": (1, 3)}).encode()
header += b" " * (118 - 1 - len(header)) + b"\n"
npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + row
pipe = PATH / "x.npy"
os.mkfifo(pipe)
(PATH / "plain.npy").write_bytes(npy)
for write in (["mlir_to_bef", other], ["tfrt_translate", "--mlir-to-bef", other], ["bef_to_mlir", PATH / "second.bef"],
              ["tfrt_opt", "--emit-bytecode", other], ["tfrt_import", ONNX]):
    model.write_bytes(first)
    expected = run("tfrt_run", model, "--input", PATH / "plain.npy")
    runner = subprocess.Popen([TOOLS / "tfrt_run", model, "--input", pipe], stdout=subprocess.PIPE)
    with open(pipe, "wb") as file:  # once the runner has opened it
        run(*write, "-o", model)
        assert model.read_bytes() != first
        file.write(npy)
    assert runner.communicate(timeout=120)[0] == expected and runner.returncode == 0, (write, runner.returncode)
