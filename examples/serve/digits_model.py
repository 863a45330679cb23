#!/usr/bin/env python3
"""Writes the trained network of examples/digits as an ONNX model. usage: digits_model.py FOLDER

The model is FOLDER/digits/1/model.onnx, as tfrt_serve takes it. Its input "pixels" is f32
[batch,64], 0 (paper) to 1 (ink); its result "probabilities" is f32 [batch,10]. Needs NumPy and
onnx.
"""

import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

DATA = pathlib.Path(__file__).resolve().parent.parent / "digits" / "data"


def main():
    weights = np.fromfile(DATA / "weights.f32", dtype="<f4")
    shapes = {"w1": (64, 32), "b1": (32,), "w2": (32, 10), "b2": (10,)}
    initializers, begin = [], 0
    for name, shape in shapes.items():
        end = begin + int(np.prod(shape))
        initializers.append(numpy_helper.from_array(weights[begin:end].reshape(shape), name))
        begin = end
    nodes = [
        helper.make_node("Gemm", ["pixels", "w1", "b1"], ["sums"]),
        helper.make_node("Relu", ["sums"], ["hidden"]),
        helper.make_node("Gemm", ["hidden", "w2", "b2"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["probabilities"], axis=1),
    ]
    values = [
        helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["batch", 64]),
        helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["batch", 10]),
    ]
    graph = helper.make_graph(nodes, "digits", values[:1], values[1:], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    folder = pathlib.Path(sys.argv[1]) / "digits" / "1"
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / "new"
    new.write_bytes(model.SerializeToString())
    path = folder / "model.onnx"
    if path.exists() and path.read_bytes() == new.read_bytes():
        new.unlink()  # what was compiled of it stays
    else:
        new.rename(path)


if __name__ == "__main__":
    main()
