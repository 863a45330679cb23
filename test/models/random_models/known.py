"""Where tfrt or ONNX Runtime is known to differ, and why: the only exceptions of the random models."""

import re

import numpy as np
import onnx
from onnx import TensorProto, helper

FLOATS = (TensorProto.FLOAT16, TensorProto.FLOAT, TensorProto.DOUBLE)
# Valid models that tfrt refuses, by what it says.
REFUSALS = [
    ("Flatten: neither the sizes before axis", "both sizes of the result would have to be computed"),
]
# Rules of invalid.py whose models tfrt takes, and what it makes of them.
ACCEPTED = {
    "pads_beyond": "a dimension from which more is cut than it has is empty",
}
# Ops of float64 that ONNX Runtime computes in float32.
COARSE = {
    "Attention": "the softmax is one of float32",
    "Gelu": "the numbers of approximate are float32",
    "GroupNormalization": "stash_type is float, which tfrt takes for at least that",
    "HardSwish": "its third and sixth are float32",
    "Shrink": "its kernel has float attributes and rounds",
}
# Ops that are computed so that large numbers cancel each other, inside of them, where no noise shows it.
CANCELLING = {
    **dict.fromkeys(("Celu", "Elu", "Selu"), "exp(x) - 1 of a small x"),
    "InstanceNormalization": "x * factor + (bias - mean * factor), where the factor is large if all numbers are alike",
}


def is_known_refusal(reason):
    return any(re.search(pattern, reason) for pattern, _ in REFUSALS)


def coarsest(model):
    """The eps that bounds what can be expected of results: that of the coarsest floats that the model has."""
    def graphs(graph):
        yield graph
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    yield from graphs(attribute.g)
    found, cancels = {TensorProto.DOUBLE}, False
    for graph in graphs(model.graph):
        found.update(value.type.tensor_type.elem_type for value in graph.input)
        found.update(tensor.data_type for tensor in graph.initializer)
        for node in graph.node:
            cancels |= node.op_type in CANCELLING
            if node.op_type in COARSE:
                found.add(TensorProto.FLOAT)
            found.update(attribute.i for attribute in node.attribute if attribute.name == "to")
            found.update(attribute.t.data_type for attribute in node.attribute if attribute.name == "value")
    types = [helper.tensor_dtype_to_np_dtype(each) for each in found if each in FLOATS]
    return max(np.finfo(dtype).eps for dtype in types) * (16 if cancels else 1)
