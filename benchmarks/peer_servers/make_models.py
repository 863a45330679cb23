"""Writes FOLDER/id and FOLDER/net, models as tfrt_serve takes them. usage: make_models.py FOLDER"""

import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

SIZES = (256, 512, 512, 10)


def write(folder, nodes, sizes, weights=()):
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes[name]) for name in "xy")
    graph = helper.make_graph(nodes, folder.name, [x], [y], weights)
    folder = folder / "1"
    folder.mkdir(parents=True, exist_ok=True)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def main():
    root = pathlib.Path(sys.argv[1])
    write(root / "id", [helper.make_node("Identity", ["x"], ["y"])], {"x": ["n"], "y": ["n"]})
    random = np.random.default_rng(0)
    nodes, weights, last = [], [], "x"
    for i, (rows, columns) in enumerate(zip(SIZES, SIZES[1:])):
        values = random.standard_normal((rows, columns), np.float32) / rows**0.5
        weights.append(numpy_helper.from_array(values, f"w{i}"))
        nodes.append(helper.make_node("MatMul", [last, f"w{i}"], [f"p{i}"]))
        last = f"r{i}"
        nodes.append(helper.make_node("Relu", [f"p{i}"], [last]))
    nodes[-1] = helper.make_node("Softmax", [nodes[-1].input[0]], ["y"])
    write(root / "net", nodes, {"x": ["n", SIZES[0]], "y": ["n", SIZES[-1]]}, weights)


main()
