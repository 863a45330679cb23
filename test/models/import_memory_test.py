#!/usr/bin/env python3
"""Importing a model needs little more memory than the program and the model's graph, however large its weights are.

usage: import_memory_test.py TFRT_IMPORT
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lit/import_onnx/Inputs"))

from models import FLOAT, model, node, tensor, value

LAYERS, SIZE = 6, 2048  # 96 MiB, about as ResNet-50


def write_model(path):
    weights = [tensor(f"w{i}", [SIZE, SIZE], FLOAT, os.urandom(4 * SIZE * SIZE)) for i in range(LAYERS)]
    nodes = [node("MatMul", [f"v{i}", f"w{i}"], [f"v{i + 1}"]) for i in range(LAYERS)]
    path.write_bytes(model(nodes, [value("v0", ["batch", SIZE])], [value(f"v{LAYERS}", ["batch", SIZE])], weights))


def main():
    with tempfile.TemporaryDirectory() as name:
        onnx, bef = pathlib.Path(name, "model.onnx"), pathlib.Path(name, "model.bef")
        # In a process of its own: what is started has the memory of who starts it in its peak.
        if os.fork() == 0:
            write_model(onnx)
            os._exit(0)
        os.wait()
        child = subprocess.Popen([sys.argv[1], onnx, "-o", bef])
        _, status, usage = os.wait4(child.pid, 0)
        assert status == 0, status
        peak = usage.ru_maxrss * 1024
        size = onnx.stat().st_size
        assert bef.stat().st_size > 0.99 * size
    print(f"import_memory_test: {size / 2**20:.0f} MiB, peak {peak / 2**20:.0f} MiB, {peak / size:.2f} x")
    sys.exit(peak > 1.5 * size)


if __name__ == "__main__":
    main()
