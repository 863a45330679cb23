#!/usr/bin/env python3
"""Times one inference of LeNet-5, ours and ONNX Runtime's, in turns on one thread, and prints a table.

usage: lenet.py BUILD_DIR [--rounds N]

Makes a virtual environment with numpy, onnx and onnxruntime in BUILD_DIR/onnxruntime-venv at first (needs
PyPI). The network is built from the same weights; the logits are compared before anything is timed.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
WEIGHTS = HERE.parent / "examples/lenet/data/weights.f32"
IMAGES = HERE.parent / "examples/digits/data/images.u8"
SHAPES = [(5, 5, 1, 6), (6,), (5, 5, 6, 16), (16,), (400, 120), (120,), (120, 84), (84,), (84, 10),
          (10,)]


def enter_venv(build_dir):
    """Runs this script again in a virtual environment that has what it needs."""
    venv = build_dir / "onnxruntime-venv"
    python = venv / "bin/python"
    if pathlib.Path(sys.prefix) == venv.resolve():
        return
    if not python.exists():
        subprocess.check_call([sys.executable, "-m", "venv", venv])
        subprocess.check_call([python, "-m", "pip", "install", "-q", "numpy", "onnx", "onnxruntime"])
    os.execv(python, [str(python)] + sys.argv)


def make_model(weights):
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    # ONNX has images NCHW and filters OIHW; the rows of the first dense layer follow.
    w1, b1, w2, b2, w3, b3, w4, b4, w5, b5 = weights
    w3 = w3.reshape(5, 5, 16, 120).transpose(2, 0, 1, 3).reshape(400, 120)
    constants = {"w1": w1.transpose(3, 2, 0, 1), "b1": b1, "w2": w2.transpose(3, 2, 0, 1), "b2": b2,
                 "w3": w3, "b3": b3, "w4": w4, "b4": b4, "w5": w5, "b5": b5}
    node = helper.make_node
    nodes = [
        node("Conv", ["image", "w1", "b1"], ["c1"], pads=[2, 2, 2, 2]), node("Relu", ["c1"], ["r1"]),
        node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Conv", ["p1", "w2", "b2"], ["c2"]), node("Relu", ["c2"], ["r2"]),
        node("MaxPool", ["r2"], ["p2"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Flatten", ["p2"], ["f"]),
        node("Gemm", ["f", "w3", "b3"], ["d1"]), node("Relu", ["d1"], ["e1"]),
        node("Gemm", ["e1", "w4", "b4"], ["d2"]), node("Relu", ["d2"], ["e2"]),
        node("Gemm", ["e2", "w5", "b5"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes, "lenet", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 28, 28])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 10])],
        [numpy_helper.from_array(np.ascontiguousarray(v), k) for k, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return model.SerializeToString()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    enter_venv(options.build_dir.resolve())

    import numpy as np
    import onnxruntime

    flat = np.fromfile(WEIGHTS, "<f4")
    weights, begin = [], 0
    for shape in SHAPES:
        size = int(np.prod(shape))
        weights.append(flat[begin:begin + size].reshape(shape))
        begin += size
    image = np.zeros((1, 1, 28, 28), np.float32)
    image[0, 0, 2:26, 2:26] = np.fromfile(IMAGES, "u1", 64).reshape(8, 8).repeat(3, 0).repeat(3, 1) / 16

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(make_model(weights), settings,
                                           providers=["CPUExecutionProvider"])
    feeds = {"image": image}

    def theirs(runs):
        begin = time.perf_counter_ns()
        for _ in range(runs):
            session.run(None, feeds)
        return (time.perf_counter_ns() - begin) / runs

    def ours():
        return json.loads(subprocess.check_output(
            [options.build_dir / "bin/lenet_times", options.build_dir / "benchmarks/lenet.bef", WEIGHTS,
             IMAGES, "--seconds", "0.2"], text=True))

    logits = session.run(None, feeds)[0][0]
    first = ours()
    for name in ("logits", "eager_logits"):
        difference = np.abs(logits - np.array(first[name])).max()
        assert difference < 1e-4, f"{name} differ by {difference}"
    theirs(1000)
    rounds = [(ours(), theirs(5000)) for _ in range(options.rounds)]
    median = statistics.median
    run = median(o["run_ns"] for o, _ in rounds)
    kernels = median(o["kernels_ns"] for o, _ in rounds)
    share = 1 - median(o["kernels_over_run"] for o, _ in rounds)
    eager = median(o["eager_ns"] for o, _ in rounds)
    eager_ratio = median(o["eager_over_run"] for o, _ in rounds)
    other = median(t for _, t in rounds)
    ratio = median(o["run_ns"] / t for o, t in rounds)
    print(f"| LeNet-5, batch 1, one thread | us | x ONNX Runtime {onnxruntime.__version__} |")
    print("|---|---:|---:|")
    print(f"| run of the BEF file | {run / 1e3:.1f} | {ratio:.2f} |")
    print(f"| its kernels in a loop | {kernels / 1e3:.1f} | |")
    print(f"| op by op, eager | {eager / 1e3:.1f} | {median(o['eager_ns'] / t for o, t in rounds):.2f} |")
    print(f"| ONNX Runtime | {other / 1e3:.1f} | 1 |")
    print(f"\nRun over kernels: {1 / (1 - share):.2f}; outside of kernels: {100 * share:.0f} %. "
          f"Eager over run: {eager_ratio:.2f}.")


if __name__ == "__main__":
    main()
