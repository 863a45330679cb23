#!/usr/bin/env python3
"""Makes the traces of other systems that foreign_trace_test.cc reads, with the system that is installed:
ONNX Runtime (PyPI onnxruntime, onnx), PyTorch (torch) or TensorFlow (tensorflow-cpu), one at a time because their
packages do not get on with each other. All run one small network of our own, twice, with a batch of 4.

usage: make_foreign_traces.py onnxruntime|pytorch|tensorflow [FOLDER]

Times differ each time it is run: the figures that the test expects have to be changed with the files. Made with
onnxruntime 1.32, torch 2.15 and tensorflow-cpu 2.21.
"""

import glob
import gzip
import os
import pathlib
import shutil
import sys
import tempfile

import numpy as np

BATCH, RUNS = 4, 2


def weights():
    random = np.random.RandomState(0)
    return random.randn(4, 3, 3, 3).astype("f"), random.randn(144, 10).astype("f")


def onnxruntime(folder):
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper

    filters, dense = weights()
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "filters"], ["c"], name="conv1"),
         helper.make_node("Relu", ["c"], ["r"], name="relu1"),
         helper.make_node("Flatten", ["r"], ["f"], name="flat"),
         helper.make_node("MatMul", ["f", "weights"], ["m"], name="dense"),
         helper.make_node("Softmax", ["m"], ["y"], name="soft")],
        "tiny",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 10])],
        [numpy_helper.from_array(filters, "filters"), numpy_helper.from_array(dense, "weights")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with tempfile.TemporaryDirectory() as temporary:
        path = os.path.join(temporary, "tiny.onnx")
        onnx.save(model, path)
        options = ort.SessionOptions()
        options.enable_profiling = True
        options.profile_file_prefix = os.path.join(temporary, "profile")
        options.intra_op_num_threads = 2
        session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        for _ in range(RUNS):
            session.run(None, {"x": np.ones((BATCH, 3, 8, 8), "f")})
        shutil.copyfile(session.end_profiling(), folder / "onnxruntime.json")


def pytorch(folder):
    import torch
    from torch import nn
    from torch.profiler import ProfilerActivity, profile, record_function

    torch.manual_seed(0)
    torch.set_num_threads(2)
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 10), nn.Softmax(-1)).eval()
    image = torch.ones(BATCH, 3, 8, 8)
    with torch.no_grad(), tempfile.TemporaryDirectory() as temporary:
        model(image)
        with profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True) as trace:
            for _ in range(RUNS):
                with record_function("tiny"):
                    model(image)
        path = os.path.join(temporary, "trace.json")
        trace.export_chrome_trace(path)
        pack(path, folder / "pytorch.json.gz")


def tensorflow(folder):
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import tensorflow as tf

    filters, dense = (tf.constant(w) for w in weights())
    filters = tf.transpose(filters, [2, 3, 1, 0])

    @tf.function
    def tiny(image):
        c = tf.nn.relu(tf.nn.conv2d(image, filters, 1, "VALID", name="conv1"), name="relu1")
        return tf.nn.softmax(tf.matmul(tf.reshape(c, [-1, 144]), dense, name="dense"), name="soft")

    image = tf.ones((BATCH, 8, 8, 3))
    tiny(image)
    with tempfile.TemporaryDirectory() as temporary:
        options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=0)
        tf.profiler.experimental.start(temporary, options=options)
        for run in range(RUNS):
            with tf.profiler.experimental.Trace("step", step_num=run, _r=1):
                tiny(image)
        tf.profiler.experimental.stop()
        path, = glob.glob(os.path.join(temporary, "**", "*.xplane.pb"), recursive=True)
        shutil.copyfile(path, folder / "tensorflow.xplane.pb")


def pack(path, packed):
    with open(path, "rb") as source, open(packed, "wb") as target:
        with gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0) as out:
            shutil.copyfileobj(source, out)


def main():
    makers = {"onnxruntime": onnxruntime, "pytorch": pytorch, "tensorflow": tensorflow}
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in makers:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else pathlib.Path(__file__).absolute().parent
    makers[sys.argv[1]](folder)


if __name__ == "__main__":
    main()
