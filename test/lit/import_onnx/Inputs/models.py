"""Writes ONNX models by name: models.py NAME > model.onnx. With an encoder of its own, so that no package is needed."""

import struct
import sys


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """A field of a message: an integer, a float, text, or bytes (a message or packed numbers)."""
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


FLOAT, INT64, BOOL = 1, 7, 9


def tensor(name, dims, kind, data):
    return b"".join(field(1, dim) for dim in dims) + field(2, kind) + field(8, name) + field(9, data)


def floats(name, dims, values):
    return tensor(name, dims, FLOAT, struct.pack(f"<{len(values)}f", *values))


def integers(name, values, dims=None):
    return tensor(name, [len(values)] if dims is None else dims, INT64, struct.pack(f"<{len(values)}q", *values))


def value(name, dims, kind=FLOAT):
    sizes = b"".join(field(1, field(1 if isinstance(dim, int) else 2, dim) if dim != "" else b"") for dim in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, sizes)))


class Graph(bytes):
    """A graph as an attribute."""


def attribute(name, given):
    if isinstance(given, Graph):
        return field(1, name) + field(6, bytes(given)) + field(20, 5)
    if isinstance(given, list):
        return field(1, name) + b"".join(field(8, number) for number in given) + field(20, 7)
    number, kind = {float: (2, 1), int: (3, 2), str: (4, 3), bytes: (5, 4)}[type(given)]
    return field(1, name) + field(number, given) + field(20, kind)


def node(op, inputs, outputs, name="", domain="", **attributes):
    return (b"".join(field(1, each) for each in inputs) + b"".join(field(2, each) for each in outputs) +
            field(3, name) + field(4, op) + field(7, domain) +
            b"".join(field(5, attribute(key, given)) for key, given in attributes.items()))


def graph_of(nodes, inputs, outputs, initializers=()):
    return Graph(b"".join(field(1, each) for each in nodes) + field(2, "graph") +
                 b"".join(field(5, each) for each in initializers) + b"".join(field(11, each) for each in inputs) +
                 b"".join(field(12, each) for each in outputs))


def model(nodes, inputs, outputs, initializers=(), opset=17, functions=(), more_opsets=()):
    graph = bytes(graph_of(nodes, inputs, outputs, initializers))
    opsets = [("", opset), *more_opsets] if opset else []
    return (field(1, 8) + field(7, graph) +
            b"".join(field(8, field(1, domain) + field(2, version)) for domain, version in opsets) +
            b"".join(field(25, each) for each in functions))


def branches():
    return {"then_branch": graph_of([node("Relu", ["x"], ["a"])], [], [value("a", [])]),
            "else_branch": graph_of([node("Concat", ["x", "x"], ["b"], axis=0)], [], [value("b", [])])}


def function(name, nodes, inputs=("a",), outputs=("b",)):
    return (field(1, name) + field(10, "own") + b"".join(field(4, each) for each in inputs) +
            b"".join(field(5, each) for each in outputs) + b"".join(field(7, each) for each in nodes) +
            field(9, field(2, 17)) + field(9, field(1, "own") + field(2, 1)))


def deep(levels):
    """Branches in each other."""
    inner = [node("Relu", ["x"], ["y"])]
    for _ in range(levels):
        branch = graph_of(inner, [], [value("y", [])])
        inner = [node("If", ["c"], ["y"], then_branch=branch, else_branch=graph_of([], [], [value("x", [])]))]
    return model(inner, [x, value("c", [], BOOL)], [y])


def network(number):
    """A convolution, its activation and a mean."""
    return model([node("Conv", ["x", "w"], ["c"], "conv", pads=[1, 1, 1, 1]), node("Relu", ["c"], ["r"], "relu"),
                  node("GlobalAveragePool", ["r"], ["g"], "mean"), node("ReduceSum", ["r"], ["s"], "sum")],
                 [value("x", ["n", 2, 4, 4])], [value("g", ["n", 4, 1, 1]), value("s", [])],
                 [floats("w", [4, 2, 3, 3], [number + i % 3 for i in range(72)])])


x, y = value("x", ["batch", 3]), value("y", ["batch", 3])
MODELS = {
    "network": network(0.25),
    "other_network": network(0.5),
    "add": model([node("Add", ["x", "w"], ["y"], "sum")], [x], [y], [floats("w", [3], [1, 2, 3])]),
    "equals_signs": model([node("Relu", ["x=in"], ["y=out"])], [value("x=in", ["n=2", 3])],
                          [value("y=out", ["n=2", 3])]),
    # "?" is no name: two of them are not equal.
    "unknown_sizes": model([node("Relu", ["x"], ["y"])], [value("x", ["?", "?"])], [value("y", ["?", "?"])]),
    # What the output does not need goes; large weights stay in the file.
    "external": model([node("Add", ["x", "w"], ["y"])], [x], [y], [
        field(1, 3) + field(2, FLOAT) + field(8, "w") + field(14, 1) +
        field(13, field(1, "location") + field(2, "w.bin"))]),
    "unused": model([node("Relu", ["x"], ["y"]), node("Exp", ["x"], ["z"])], [x], [y],
                    [floats("big", [1000], [0] * 1000)]),
    "large": model([node("MatMul", ["x", "w"], ["y"])], [x], [value("y", ["batch", 500])],
                   [floats("w", [3, 500], [0] * 1500)]),
    "conv": model([node("Conv", ["x", "w"], ["c"], "conv1", strides=[2, 2], pads=[3, 3, 3, 3]),
                   node("Relu", ["c"], ["r"]),
                   node("MaxPool", ["r"], ["p"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
                   node("GlobalAveragePool", ["p"], ["y"])],
                  [value("x", ["n", 3, 224, 224])], [value("y", ["n", 8, 1, 1])],
                  [floats("w", [8, 3, 7, 7], [0] * 8 * 3 * 49)]),
    # A small classifier; docs/onnx.md goes through it.
    "classifier": model([node("Conv", ["image", "w"], ["c"], "conv1", pads=[1, 1, 1, 1]),
                         node("BatchNormalization", ["c", "g", "b", "m", "v"], ["n"], "norm1"),
                         node("Relu", ["n"], ["r"], "relu1"),
                         node("GlobalAveragePool", ["r"], ["p"], "pool"),
                         node("Flatten", ["p"], ["f"], "flatten"),
                         node("Gemm", ["f", "u", "o"], ["scores"], "classify")],
                        [value("image", ["batch", 3, "height", "width"])], [value("scores", ["batch", 4])],
                        [floats("w", [16, 3, 3, 3], [(i % 7 - 3) / 8 for i in range(432)]),
                         *(floats(name, [16], [1 + i / 16 for i in range(16)]) for name in "gbmv"),
                         floats("u", [16, 4], [(i % 5 - 2) / 4 for i in range(64)]), floats("o", [4], [0, 1, 2, 3])]),
    # Two layers of a network, for products in 8 bits.
    "two_layers": model([node("Gemm", ["x", "w", "b"], ["h"], "first"), node("Relu", ["h"], ["r"]),
                         node("Gemm", ["r", "v", "c"], ["y"], "last", transB=1)],
                        [value("x", ["batch", 64])], [value("y", ["batch", 64])],
                        [floats("w", [64, 256], [(i * 7919 % 101 - 50) / 400 for i in range(16384)]),
                         floats("b", [256], [i / 256 for i in range(256)]),
                         floats("v", [64, 256], [(i * 6007 % 97 - 48) / 800 for i in range(16384)]),
                         floats("c", [64], [i / 64 for i in range(64)])]),
    # Shape, Gather, Unsqueeze, Concat, Reshape: what exporters make of x.view(x.size(0), -1).
    "view": model([node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]),
                   node("Unsqueeze", ["n", "axes"], ["v"]), node("Concat", ["v", "rest"], ["t"], axis=0),
                   node("Reshape", ["x", "t"], ["y"])],
                  [value("x", ["n", 4, 5])], [value("y", ["n", 20])],
                  [integers("zero", [0], []), integers("axes", [0]), integers("rest", [-1])]),
    "slice": model([node("Slice", ["x", "b", "e", "a", "s"], ["y"])], [value("x", [10, 20])], [value("y", [10, 5])],
                   [integers("b", [-1]), integers("e", [-(1 << 62)]), integers("a", [1]), integers("s", [-4])]),
    "old_clip": model([node("Clip", ["x"], ["y"], min=0.0, max=6.0)], [x], [y], opset=10),
    "norm": model([node("BatchNormalization", ["x", "g", "b", "m", "v"], ["y"], "bn")],
                  [value("x", [1, 2, 4, 4])], [value("y", [1, 2, 4, 4])],
                  [floats(name, [2], [1, 1]) for name in "gbmv"]),
    "function": model([node("Twice", ["x"], ["y"], domain="my.ops", factor=3.0)], [x], [y], functions=[
        field(1, "Twice") + field(10, "my.ops") + field(4, "a") + field(5, "b") + field(6, "factor") +
        field(7, node("Constant", [], ["f"]) +
              field(5, field(1, "value_float") + field(21, "factor") + field(20, 1))) +
        field(7, node("Mul", ["a", "f"], ["b"])) + field(9, field(2, 17))], more_opsets=[("my.ops", 1)]),
    "if": model([node("If", ["c"], ["y"], **branches())], [x, value("c", [], BOOL)], [y]),
    "known_if": model([node("If", ["c"], ["y"], **branches())], [x], [y], [tensor("c", [], BOOL, b"\1")]),
    # What is carried grows: its rows are not known in the region.
    "loop": model([node("Loop", ["n", "", "x"], ["y", "all"], body=graph_of(
        [node("Concat", ["v", "x"], ["next"], axis=0), node("Identity", ["go"], ["on"])],
        [value("i", [], INT64), value("go", [], BOOL), value("v", ["r", 3])],
        [value("on", [], BOOL), value("next", ["s", 3]), value("x", ["t", 3])]))],
        [value("x", [2, 3])], [y, value("all", [4, 2, 3])], [integers("n", [4], [])]),
    "scan": model([node("Scan", ["s", "x"], ["t", "y"], num_scan_inputs=1, scan_input_axes=[1],
                        scan_input_directions=[1], scan_output_axes=[1], body=graph_of(
                            [node("Add", ["a", "b"], ["c"]), node("Relu", ["c"], ["d"])],
                            [value("a", [2]), value("b", [2])], [value("c", [2]), value("d", [2])]))],
                  [value("s", [2]), value("x", [2, 5])], [value("t", [2]), value("y", [2, 5])]),
    "run_axes": model([node("Squeeze", ["x", "a"], ["s"]), node("Unsqueeze", ["s", "a"], ["y"])],
                      [value("x", [1, 3, 1]), value("a", [2], INT64)], [value("y", [1, 3, 1])]),
    "run_slice": model([node("Slice", ["x", "b", "e", "a"], ["s"]), node("Split", ["s", "p"], ["y", "z"])],
                       [value("x", [10, 20]), *(value(name, [1], INT64) for name in "bea"), value("p", [2], INT64)],
                       [y, value("z", [])]),
    "run_pad": model([node("Pad", ["x", "p"], ["y"])], [x, value("p", [4], INT64)], [y]),
    "reflect": model([node("Pad", ["x", "p"], ["y"], mode="reflect")], [value("x", [2, 5])], [value("y", [2, 8])],
                     [integers("p", [0, 2, 0, 1])]),
    "cut": model([node("Pad", ["x", "p"], ["y"])], [value("x", [2, 5])], [value("y", [3, 3])],
                 [integers("p", [1, -2, 0, 0])]),
    "scores": model([node("Einsum", ["q", "k"], ["y"], equation="bqhd,bkhd->bhqk")],
                    [value("q", [2, 7, 4, 8]), value("k", [2, 9, 4, 8])], [value("y", [2, 4, 7, 9])]),
    "heads": model([node("Einsum", ["x", "w"], ["y"], equation="bshd,hdm->bsm")],
                   [value("x", ["b", 7, 4, 8]), value("w", [4, 8, 32])], [value("y", ["b", 7, 32])]),
    "trace": model([node("Einsum", ["x"], ["y"], equation="...ii->...")],
                   [value("x", [2, 3, 3])], [value("y", [2])]),
    "bad_einsum": model([node("Einsum", ["x"], ["y"], "e", equation="ij->k")], [x], [y]),
    "old_add": model([node("Add", ["x", "w"], ["y"], axis=0, broadcast=1)], [value("x", [2, 3])], [value("y", [2, 3])],
                     [floats("w", [2], [1, 2])], opset=6),
    "loss": model([node("NegativeLogLikelihoodLoss", ["x", "t"], ["y"], ignore_index=-1)],
                  [value("x", [5, 3]), value("t", [5], INT64)], [value("y", [])]),
    "norm_parts": model([node("LayerNormalization", ["x", "g"], ["y", "m", "d"])],
                        [value("x", [2, 3])], [value("y", [2, 3]), value("m", [2, 1]), value("d", [2, 1])],
                        [floats("g", [3], [1, 1, 1])]),
    "bad_loop": model([node("Loop", ["n", "", "x"], ["y"], "l", body=graph_of(
        [node("Identity", ["go"], ["on"]), node("Cast", ["v"], ["next"], to=7)],
        [value("i", [], INT64), value("go", [], BOOL), value("v", [])],
        [value("on", [], BOOL), value("next", [])]))], [x, value("n", [], INT64)], [y]),
    # Attention spelled out, with a table of what each query sees.
    "causal": model([node("Transpose", ["k"], ["t"], perm=[0, 1, 3, 2]), node("MatMul", ["q", "t"], ["p"]),
                     node("Div", ["p", "root"], ["s"]), node("Where", ["table", "s", "lowest"], ["m"]),
                     node("Softmax", ["m"], ["w"]), node("MatMul", ["w", "v"], ["y"])],
                    [value(name, [2, 3, 40, 8]) for name in "qkv"], [value("y", [2, 3, 40, 8])],
                    [floats("root", [], [8 ** 0.5]), floats("lowest", [], [-3.4e38]),
                     tensor("table", [1, 1, 40, 40], BOOL, bytes(j <= i for i in range(40) for j in range(40)))]),
    # As one op of the table, without transposes; with a past; in steps, as scores are capped.
    "attention": model([node("Attention", ["q", "k", "v", "m"], ["y"], q_num_heads=4, kv_num_heads=2)],
                       [value("q", ["b", 5, 32]), value("k", ["b", 7, 16]), value("v", ["b", 7, 16]),
                        value("m", [5, 7], BOOL)], [value("y", ["b", 5, 32])], opset=23),
    "past_attention": model([node("Attention", ["q", "k", "v", "", "pk", "pv"], ["y", "k2", "v2"], is_causal=1)],
                            [*(value(name, [1, 2, "s", 8]) for name in "qkv"),
                             *(value(name, [1, 2, "p", 8]) for name in ("pk", "pv"))],
                            [value("y", [1, 2, "s", 8]), value("k2", [1, 2, "t", 8]), value("v2", [1, 2, "t", 8])],
                            opset=23),
    "capped_attention": model([node("Attention", ["q", "k", "v"], ["y"], softcap=2.0)],
                              [value(name, [1, 2, 5, 8]) for name in "qkv"], [value("y", [1, 2, 5, 8])], opset=23),
    "flat_keys": model([node("Attention", ["q", "k", "v"], ["y"], "att")],
                       [value("q", [1, 2, 5, 8]), value("k", [1, 5, 16]), value("v", [1, 2, 5, 8])],
                       [value("y", [1, 2, 5, 8])], opset=23),
    "lp": model([node("LpNormalization", ["x"], ["n"], axis=1, p=1), node("Celu", ["n"], ["y"])], [x], [y]),
    "unsupported": model([node("SplitToSequence", ["x"], ["parts"]),
                          node("TreeEnsemble", ["x"], ["t"], "trees", "ai.onnx.ml"),
                          node("TreeEnsemble", ["t"], ["y"], "/head/trees_1", "ai.onnx.ml")], [x], [y],
                         opset=11, more_opsets=[("ai.onnx.ml", 5)]),
    "sizes": model([node("MatMul", ["x", "w"], ["y"], "mm")], [value("x", [2, 3])], [value("y", [2, 2])],
                   [floats("w", [5, 2], [0] * 10)]),
    "unbound": model([node("Relu", ["z"], ["y"], "r")], [x], [y]),
    "twice": model([node("Relu", ["x"], ["y"]), node("Exp", ["x"], ["y"], "again")], [x], [y]),
    "short": model([node("Add", ["x", "w"], ["y"])], [x], [y],
                   [field(1, 1000) + field(2, FLOAT) + field(8, "fc.bias") + field(9, bytes(40))]),
    "training": model([node("BatchNormalization", ["x", "g", "b", "m", "v"], ["y"], "bn", training_mode=1)],
                      [value("x", [1, 2])], [value("y", [1, 2])],
                      [floats(name, [2], [1, 1]) for name in "gbmv"]),
    "dropout": model([node("Dropout", ["x", "", "t"], ["y"], "drop")], [x], [y], [tensor("t", [], BOOL, b"\1")]),
    "few_inputs": model([node("MatMul", ["x"], ["y"], "mm")], [x], [y]),
    "left_out": model([node("Add", ["", "x"], ["y"], "sum")], [x], [y]),
    "no_outputs": model([node("Split", ["x"], [], "cut"), node("Relu", ["x"], ["y"])], [x], [y]),
    "weight_twice": model([node("Add", ["x", "w"], ["y"])], [x], [y], [floats("w", [1], [0]), floats("w", [1], [1])]),
    "input_twice": model([node("Relu", ["x"], ["y"])], [x, x], [y]),
    "cycle": model([node("Add", ["x", "z"], ["y"], "a"), node("Relu", ["y"], ["z"], "b")], [x], [y]),
    "future": model([node("Relu", ["x"], ["y"], "r")], [x], [y], opset=99),
    "many_dims": model([node("Relu", ["x"], ["y"])], [value("x", [1] * 40)], [y]),
    "huge_input": model([node("Relu", ["x"], ["y"])], [value("x", [1 << 40, 1 << 40])], [y]),
    "huge_weight": model([node("Relu", ["w"], ["y"])], [x], [y], [floats("w", [1 << 62, 1 << 62, 4], [])]),
    "huge_result": model([node("Expand", ["x", "to"], ["y"], "wide")], [value("x", [1])], [y],
                         [integers("to", [1 << 40, 1 << 40])]),
    "huge_run": model([node("Expand", ["x", "to"], ["y"], "wide")], [value("x", [1])], [y],
                      [integers("to", [1 << 46])]),
    "huge_pad": model([node("Pad", ["x", "to"], ["y"], "mirror", mode="reflect")], [value("x", [3])], [y],
                      [integers("to", [1 << 46, 1 << 46])]),
    "deep": deep(40),
    "calls_itself": model([node("F", ["x"], ["y"], domain="own")], [x], [y], functions=[function(
        "F", [node("F", ["a"], ["b"], domain="own")])]),
    "many_calls": model([node("F0", ["x"], ["y"], domain="own")], [x], [y], functions=[function(
        f"F{i}", [node(f"F{i + 1}", ["a"], ["c"], domain="own"), node(f"F{i + 1}", ["c"], ["b"], domain="own")])
        for i in range(25)] + [function("F25", [node("Relu", ["a"], ["b"])])]),
    "kind": model([node("Flatten", ["x"], ["y"], "flat", axis=1.0)], [x], [y]),
}

if __name__ == "__main__":
    sys.stdout.buffer.write(MODELS[sys.argv[1]])
