"""A started tfrt_serve with small models, for tests."""

import http.client
import json
import pathlib
import signal
import subprocess
import time

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

# Element types that the protocol has and models take: the protocol's name, and ONNX's.
DATATYPES = {
    "BOOL": TensorProto.BOOL,
    "UINT8": TensorProto.UINT8,
    "UINT16": TensorProto.UINT16,
    "UINT32": TensorProto.UINT32,
    "UINT64": TensorProto.UINT64,
    "INT8": TensorProto.INT8,
    "INT16": TensorProto.INT16,
    "INT32": TensorProto.INT32,
    "INT64": TensorProto.INT64,
    "FP16": TensorProto.FLOAT16,
    "BF16": TensorProto.BFLOAT16,
    "FP32": TensorProto.FLOAT,
    "FP64": TensorProto.DOUBLE,
}

NUMPY = {
    "BOOL": np.bool_, "UINT8": np.uint8, "UINT16": np.uint16, "UINT32": np.uint32, "UINT64": np.uint64,
    "INT8": np.int8, "INT16": np.int16, "INT32": np.int32, "INT64": np.int64, "FP16": np.float16,
    "BF16": ml_dtypes.bfloat16, "FP32": np.float32, "FP64": np.float64,
}  # fmt: skip


def elements(name, shape):
    """Elements of which BF16 holds each, with the extremes of integers."""
    dtype = NUMPY[name]
    values = np.arange(int(np.prod(shape))) % 100
    if dtype == np.bool_:
        return (values % 2 == 1).reshape(shape)
    values = values.astype(dtype).reshape(shape)
    if np.issubdtype(dtype, np.integer) and values.size:
        values.flat[0], values.flat[-1] = np.iinfo(dtype).max, np.iinfo(dtype).min
    return values


def write_model(folder, nodes, inputs, outputs, version=1):
    """Writes FOLDER/VERSION/model.onnx. Inputs and outputs: name, ONNX type, sizes."""
    make = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node(*node) if isinstance(node, tuple) else node for node in nodes],
        "test",
        [make(*value) for value in inputs],
        [make(*value) for value in outputs],
    )
    save_model(folder, graph, version)


def save_model(folder, graph, version=1):
    """Puts FOLDER/VERSION/model.onnx in place, by a rename."""
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = pathlib.Path(folder) / str(version)
    path.mkdir(parents=True, exist_ok=True)
    (path / "new").write_bytes(model.SerializeToString())
    (path / "new").rename(path / "model.onnx")


def write_identities(folder, names=tuple(DATATYPES)):
    """One model for many element types: each input x_TYPE is its output y_TYPE."""
    write_model(
        folder,
        [("Identity", ["x_" + name], ["y_" + name]) for name in names],
        [("x_" + name, DATATYPES[name], ["batch", "width_" + name]) for name in names],
        [("y_" + name, DATATYPES[name], ["batch", "width_" + name]) for name in names],
    )


def write_sum(folder, version=1, kind="Add"):
    """c = a + b, elements of FP32 in rows of any size."""
    write_model(
        folder,
        [(kind, ["a", "b"], ["c"])],
        [(name, TensorProto.FLOAT, ["batch", "width"]) for name in "ab"],
        [("c", TensorProto.FLOAT, ["batch", "width"])],
        version,
    )


def write_largest(folder):
    """y = the largest element of each row of x, elements of FP32."""
    make = helper.make_node("ReduceMax", ["x"], ["y"], axes=[1], keepdims=1)
    sizes = {"x": ["batch", "width"], "y": ["batch", 1]}
    x, y = ((name, TensorProto.FLOAT, sizes[name]) for name in sizes)
    write_model(folder, [make], [x], [y])


def write_zeros(folder):
    """As many zeros as the element of "n" says."""
    write_model(folder, [("ConstantOfShape", ["n"], ["zeros"])], [("n", TensorProto.INT64, [1])],
                [("zeros", TensorProto.FLOAT, ["size"])])


class Server:
    """Runs the program until `stop`; `port` is that of HTTP. Its log goes to FOLDER.log.

    `wrapper`: a command that starts the one that follows it. `log`: where the log goes instead.
    """

    def __init__(self, program, folder, *options, wrapper=(), log=None, port=0):
        folder = pathlib.Path(folder)
        port_file = folder.with_suffix(".port")
        port_file.unlink(missing_ok=True)
        self.log = folder.with_suffix(".log")
        with open(self.log, "wb") as file:
            self.process = subprocess.Popen(
                [*wrapper, program, f"--models={folder}", "--address=127.0.0.1", f"--port={port}", "--threads=2",
                 f"--port_file={port_file}", *options], stderr=log or file)
        deadline = time.monotonic() + 60
        while not port_file.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the server does not start: " + self.log.read_text())
            time.sleep(0.01)
        self.port = int(port_file.read_text())
        self.url = f"127.0.0.1:{self.port}"

    def await_ready(self):
        deadline = time.monotonic() + 60
        while self.call("GET", "/v2/health/ready")[0] != 200:
            if time.monotonic() > deadline:
                raise RuntimeError("the server is not ready: " + self.log.read_text())
            time.sleep(0.01)
        return self

    def call(self, method, path, body=None, headers=()):
        """Status, headers and body of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body=body, headers=dict(headers))
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, headers=()):
        """Status and parsed JSON."""
        text = None if body is None else body if isinstance(body, (str, bytes)) else json.dumps(body)
        status, _, answer = self.call(method, path, text, headers)
        return status, json.loads(answer)

    def stop(self, number=signal.SIGTERM):
        """Ends the server and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
