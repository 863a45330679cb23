"""Runs models with numbers: run_case.py CASE FOLDER imports a model there and runs it; its results must be those here.

Ends as tfrt_import or tfrt_run does: what they print says what is wrong. The numbers are those of ONNX Runtime, where
it has the op, and of the text of ONNX.
"""

import math
import os
import struct
import subprocess
import sys

from models import BOOL, FLOAT, INT64, field, floats, function, integers, model, node, value

CODES = {FLOAT: ("<f4", "f"), INT64: ("<i8", "q"), BOOL: ("|b1", "?")}


class Array:
    def __init__(self, dims, numbers, kind=FLOAT):
        self.dims, self.numbers, self.kind = dims, list(numbers), kind

    def write(self, path):
        code, letter = CODES[self.kind]
        header = repr({"descr": code, "fortran_order": False, "shape": tuple(self.dims)}).encode()
        header += b" " * (118 - 1 - len(header)) + b"\n"
        with open(path, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                       struct.pack(f"<{len(self.numbers)}{letter}", *self.numbers))


def ints(*numbers):
    return Array([len(numbers)], numbers, INT64)


def row(*numbers):
    return Array([len(numbers)], numbers)


def count(*dims):
    """0, 1, 2, ... in a shape."""
    return Array(list(dims), range(math.prod(dims)))


def calls(overloads, nodes, **more):
    """A model whose functions are `F` with bodies by overload."""
    own = [function("F", [body], **more) + field(13, name) for name, body in overloads.items()]
    return model(nodes, [value("x", [3])], [value(name, [3]) for name in "yz"], functions=own, more_opsets=[("own", 1)])


def called(overload, result):
    return node("F", ["x"], [result], domain="own") + field(8, overload)


def one(op, inputs, shapes, results=("y",), weights=(), opset=17, ranks=None, **attributes):
    """A node alone; shapes are those of the inputs that are no weights."""
    kinds = {name: shape if isinstance(shape, tuple) else (shape, FLOAT) for name, shape in shapes.items()}
    return model([node(op, inputs, results, op.lower(), **attributes)],
                 [value(name, shape, kind) for name, (shape, kind) in kinds.items()],
                 [value(name, ranks or []) for name in results], weights, opset)


def split(sizes, shape, outputs=2, **attributes):
    """Sizes are known, or None where the run has them."""
    shapes = {"x": shape} if sizes else {"x": shape, "p": ([outputs], INT64)}
    return one("Split", ["x", "p"], shapes, [f"y{i}" for i in range(outputs)], [integers("p", sizes)] if sizes else [],
               opset=18, **attributes)


def backwards(shape, starts, ends, axes, steps, known):
    """Slices, of which some of the numbers are known."""
    given = {"s": starts, "e": ends, "a": axes, "t": steps}
    return one("Slice", ["x", *given],
               {"x": shape, **{n: ([len(v)], INT64) for n, v in given.items() if n not in known}},
               weights=[integers(n, v) for n, v in given.items() if n in known])


def resized(shape, scales, op="Resize", opset=17, known=True, roi="", **attributes):
    inputs = ["x", roi, "s"] if op == "Resize" else ["x", "s"]
    return one(op, inputs, {"x": shape} if known else {"x": shape, "s": [len(scales)]},
               weights=([floats("s", [len(scales)], scales)] if known else []) +
                       ([floats("roi", [4], [0.25, 0.5, 1, 1])] if roi else []), opset=opset, **attributes)


def attended(steps):
    """softmax(q k) v, which becomes one op."""
    return model([node("Transpose", ["k"], ["t"], perm=[0, 1, 3, 2]), node("MatMul", ["q", "t"], ["s"]),
                  node("Softmax", ["s"], ["w"]), node("MatMul", ["w", "v"], ["y"])],
                 [value("q", [1, 2, 3, 4]), value("k", [1, 2, steps, 4]), value("v", [1, 2, steps, 4])],
                 [value("y", [1, 2, 3, 4])])


def normed(sizes, channels=4):
    return one("BatchNormalization", ["x", "g", "b", "m", "v"], {"x": [1, channels, 2]},
               weights=[floats(n, [size], [1] * size) for n, size in zip("gbmv", sizes)])


def one_hot(values, shape=None):
    return one("OneHot", ["x", "d", "v"], {"x": ([2], INT64), **({"v": shape} if shape else {})},
               weights=[integers("d", [3], [])] + ([] if shape else [floats("v", [len(values)], values)]), opset=13)


def scattered(write, mode="linear"):
    return one("TensorScatter", ["x", "u", "w"],
               {"x": [1, 4, 1], "u": [1, 2, 1], **({} if write else {"w": ([1], INT64)})},
               weights=[integers("w", write)] if write else [], opset=24, mode=mode)


HALVES = [x / 2 for x in range(8)]
SIX, FIVE, TEN = row(*range(6)), row(*range(5)), Array([1, 1, 1, 10], range(10))
HUGE = (1 << 63) - 1
AT_LARGE = {"y": Array([1, 1, 1, 7], [0, 2, 3, 4, 6, 7, 9])}
EMPTY = {"q": count(1, 2, 3, 4), "k": Array([1, 2, 0, 4], []), "v": Array([1, 2, 0, 4], [])}
ZEROS = {"y": Array([1, 2, 3, 4], [0] * 24)}
BACK = (-1 - HUGE, -1)

# Name: the model, its inputs, and what comes of them.
CASES = {
    # The function is that of the overload.
    "overloads": (calls({"a": node("Add", ["a", "a"], ["b"]), "b": node("Mul", ["a", "a"], ["b"])},
                        [called("a", "y"), called("b", "z")]),
                  {"x": row(1, 3, 5)}, {"y": row(2, 6, 10), "z": row(1, 9, 25)}),
    "no_overload": (calls({"a": node("Add", ["a", "a"], ["b"])}, [called("a", "y"), called("c", "z")]), {}, {}),
    # Inputs that a call leaves out, at the end or before others, also where a function hands them on.
    "left_out": (model([node("F", ["x"], ["y"], domain="own"), node("F", ["x", "", "top"], ["z"], domain="own"),
                        node("G", ["x"], ["w"], domain="own")],
                       [value("x", [3])], [value(name, [3]) for name in "yzw"], [floats("top", [], [2])],
                       functions=[function("F", [node("Clip", ["a", "low", "high"], ["b"])], ("a", "low", "high")),
                                  function("G", [node("F", ["a", "low", "high"], ["b"], domain="own")],
                                           ("a", "low", "high"))], more_opsets=[("own", 1)]),
                 {"x": row(1, 2, 3)}, {"y": row(1, 2, 3), "z": row(1, 2, 2), "w": row(1, 2, 3)}),
    "needed": (model([node("F", ["x"], ["y"], domain="own")], [value("x", [3])], [value("y", [3])],
                     functions=[function("F", [node("Add", ["a", "c"], ["b"], "sum")], ("a", "c"))],
                     more_opsets=[("own", 1)]), {}, {}),
    # Nothing is dropped.
    "split_short": (split([2, 2], [6]), {}, {}),
    "split_negative": (split([8, -2], [6]), {}, {}),
    "split_count": (split(None, [6], num_outputs=3), {}, {}),
    "split_open": (split([2, 4], ["n"]), {"x": SIX}, {"y0": row(0, 1), "y1": row(2, 3, 4, 5)}),
    "split_open_short": (split([2, 2], ["n"]), {"x": SIX}, {}),
    "split_run": (split(None, [2, "n"], axis=1), {"x": count(2, 3), "p": ints(1, 2)},
                  {"y0": Array([2, 1], [0, 3]), "y1": Array([2, 2], [1, 2, 4, 5])}),
    "split_run_short": (split(None, [6]), {"x": SIX, "p": ints(2, 2)}, {}),
    "split_run_negative": (split(None, [6]), {"x": SIX, "p": ints(5, -1)}, {}),
    "split_run_all": (split(None, [6], outputs=1), {"x": SIX, "p": ints(-1)}, {}),
    # A slice that goes backwards begins at the first place where its start is before that.
    **{f"backwards_{name}": (backwards(shape, [-6], BACK[:1], [0], [-1], known), {"x": FIVE, **more}, {"y": row(0)})
       for name, shape, known, more in (
           ("known", [5], "seat", {}), ("open", ["n"], "seat", {}),
           ("start", [5], "eat", {"s": ints(-6)}),
           ("axes", [5], "set", {"a": ints(0)}), ("steps", [5], "sea", {"t": ints(-1)}))},
    "backwards_all": (backwards(["n"], [-1], BACK[:1], [0], [-1], "seat"), {"x": FIVE}, {"y": row(4, 3, 2, 1, 0)}),
    "backwards_none": (backwards(["n"], [-2], BACK[:1], [0], [-1], "seat"), {"x": row()}, {"y": row()}),
    "backwards_two": (backwards([2, 5], [-9, 1], [BACK[0], HUGE], [1, 0], [-1, 1], "seat"), {"x": count(2, 5)},
                      {"y": Array([1, 1], [5])}),
    # Ten times 0.7 are 7, as 32 bits have it, and 2.3 times ten 23.
    **{f"resize_{name}": (resized([1, 1, 1, size], [1, 1, 1, 0.7], known=known, **more), {"x": TEN, **inputs}, AT_LARGE)
       for name, size, known, inputs, more in (
           ("known", 10, True, {}, {}), ("open", "n", True, {}, {}),
           ("run", "n", False, {"s": row(1, 1, 1, 0.7)}, {}))},
    "resize_up": (resized([1, 1, 1, 10], [1, 1, 1, 2.3], coordinate_transformation_mode="asymmetric",
                          nearest_mode="floor"), {"x": TEN},
                  {"y": Array([1, 1, 1, 23], [int(i / 2.3) for i in range(23)])}),
    "upsample": (resized([1, 1, 1, 10], [1, 1, 1, 2.3], "Upsample", 9), {"x": TEN},
                 {"y": Array([1, 1, 1, 23], [int(i / 2.3) for i in range(23)])}),
    "no_keys": (attended("t"), EMPTY, ZEROS),
    "attention_no_keys": (one("Attention", ["q", "k", "v"], {n: [1, 2, 3 if n == "q" else "t", 4] for n in "qkv"},
                              opset=23, ranks=[1, 2, 3, 4]), EMPTY, ZEROS),
    "scatter": (scattered(None), {"x": count(1, 4, 1), "u": Array([1, 2, 1], [8, 9]), "w": ints(1)},
                {"y": Array([1, 4, 1], [0, 8, 9, 3])}),
    "scatter_negative": (scattered([-1]), {}, {}),
    "scatter_run_negative": (scattered(None), {"x": count(1, 4, 1), "u": count(1, 2, 1), "w": ints(-1)}, {}),
    "scatter_circular_negative": (scattered(None, "circular"),
                                  {"x": count(1, 4, 1), "u": count(1, 2, 1), "w": ints(-1)}, {}),
    "norm_scale": (normed([1, 4, 4, 4]), {}, {}),
    "norm_open": (one("BatchNormalization", ["x", "g", "b", "m", "v"], {"x": ["n", "c", 2], "b": ["s"]},
                      weights=[floats(n, [4], [1] * 4) for n in "gmv"]),
                  {"x": count(1, 4, 2), "b": row(1)}, {}),
    "norm_channels": (normed([4] * 4, "c"), {"x": count(1, 1, 2)}, {}),
    # Numbers that are alike keep their digits.
    "alike": (one("MeanVarianceNormalization", ["x"], {"x": [1, 1, 1, 2]}),
              {"x": Array([1, 1, 1, 2], [1000, 1000.25])}, {"y": Array([1, 1, 1, 2], [-1, 1])}),
    # Said sizes of a filter, and dropped sizes.
    "kernel": (one("Conv", ["x", "w"], {"x": [1, 2, 4, 4], "w": [3, 2, 2, 2]}, kernel_shape=[3, 3]), {}, {}),
    "kernel_open": (one("Conv", ["x", "w"], {"x": [1, 1, 4, 4], "w": [1, 1, "h", "w"]}, kernel_shape=[3, 3]),
                    {"x": count(1, 1, 4, 4), "w": count(1, 1, 2, 2)}, {}),
    "squeezed": (one("Squeeze", ["x", "a"], {"x": [2, "n", "m"]}, weights=[integers("a", [2])]),
                 {"x": count(2, 1, 3)}, {}),
    "concat_one": (one("Concat", ["x"], {"x": [2, 3]}, axis=2), {}, {}),
    "norm_variance": (normed([4, 4, 4, 3]), {}, {}),
    "one_hot": (one_hot([], ["n"]), {"x": ints(2, 0), "v": row(5, 7)}, {"y": Array([2, 3], [5, 5, 7, 7, 5, 5])}),
    "one_hot_three": (one_hot([0, 1, 2]), {}, {}),
    "one_hot_run_three": (one_hot([], ["n"]), {"x": ints(2, 0), "v": row(0, 1, 2)}, {}),
    "diagonal": (one("Einsum", ["x"], {"x": ["n", "m"]}, equation="ii->i"), {"x": count(3, 3)}, {"y": row(0, 4, 8)}),
    "diagonal_known": (one("Einsum", ["x"], {"x": [2, 3]}, equation="ii->i"), {}, {}),
    "diagonal_run": (one("Einsum", ["x"], {"x": ["n", "m"]}, equation="ii->i"), {"x": count(2, 3)}, {}),
    # Sizes that only the run knows on both sides.
    "flatten": (one("Flatten", ["x"], {"x": ["a", "b", "c", "d"]}, axis=2), {"x": count(2, 3, 1, 2)},
                {"y": Array([6, 2], range(12))}),
    "flatten_none": (one("Flatten", ["x"], {"x": ["a", "b", "c", "d"]}, axis=2), {"x": Array([2, 0, 1, 2], [])},
                     {"y": Array([0, 2], [])}),
    **{f"old_{op.lower()}": (one(op, ["x"], {"x": [2, "b", "c"]}, opset=11),
                             {"x": Array([2, 1, 2], [0, math.log(3)] * 2)},
                             {"y": Array([2, 1, 2], numbers * 2)})
       for op, numbers in (("Softmax", [0.25, 0.75]), ("LogSoftmax", [math.log(0.25), math.log(0.75)]),
                           ("Hardmax", [0, 1]))},
    "old_softmax_none": (one("Softmax", ["x"], {"x": [2, "b", "c"]}, opset=11), {"x": Array([2, 0, 2], [])},
                         {"y": Array([2, 0, 2], [])}),
    # Places are those of [1,1,4,4]: a row and a column of zeros follow.
    "unpool": (one("MaxUnpool", ["x", "i", "s"], {"x": [1, 1, 2, 2], "i": ([1, 1, 2, 2], INT64), "s": ([4], INT64)},
                   opset=11, kernel_shape=[2, 2], strides=[2, 2]),
               {"x": count(1, 1, 2, 2), "i": Array([1, 1, 2, 2], [5, 7, 13, 15], INT64), "s": ints(1, 1, 5, 5)},
               {"y": Array([1, 1, 5, 5], [{8: 1, 16: 2, 18: 3}.get(i, 0) for i in range(25)])}),
    # Signals 1 2 3 4 and 1 2 3 4 5 from half of their frequencies.
    "inverse_even": (one("DFT", ["x"], {"x": [1, 3, 2]}, opset=17, inverse=1, onesided=1),
                     {"x": Array([1, 3, 2], [10, 0, -2, 2, -2, 0])}, {"y": Array([1, 4, 1], [1, 2, 3, 4])}),
    "inverse_odd": (one("DFT", ["x", "n"], {"x": [1, "f", 2]}, weights=[integers("n", [5], [])], inverse=1, onesided=1),
                    {"x": Array([1, 3, 2], [part for k in range(3) for part in (
                        sum(t * math.cos(2 * math.pi * k * (t - 1) / 5) for t in range(1, 6)),
                        -sum(t * math.sin(2 * math.pi * k * (t - 1) / 5) for t in range(1, 6)))])},
                    {"y": Array([1, 5, 1], [1, 2, 3, 4, 5])}),
    # The size is that of the whole input times the scale: the region does not count.
    "crop": (resized([4, 4], [0.5, 0.75], roi="roi", mode="linear",
                     coordinate_transformation_mode="tf_crop_and_resize"),
             {"x": count(4, 4)}, {"y": Array([2, 3], [4.5, 5.25, 6, 13.5, 14.25, 15])}),
    # There is no version to read the ops by.
    "no_opset": (model([node("Relu", ["x"], ["y"])], [value("x", [3])], [value("y", [3])], opset=None), {}, {}),
    "no_opset_of_old": (b"\x08\x02" + model([node("Relu", ["x"], ["y"])], [value("x", [3])], [value("y", [3])],
                                            opset=None)[2:],
                        {"x": row(-1, 0, 1)}, {"y": row(0, 0, 1)}),
}


def run(case, folder):
    onnx, inputs, results = CASES[case]
    os.makedirs(folder, exist_ok=True)
    at = os.path.join(folder, case)
    with open(at + ".onnx", "wb") as file:
        file.write(onnx)
    done = subprocess.run(["tfrt_import", at + ".onnx", "-o", at + ".bef"])
    if done.returncode != 0 or not inputs:
        return done.returncode
    options = []
    for option, arrays in (("--input", inputs), ("--expect", results)):
        for name, array in arrays.items():
            array.write(f"{at}.{name}.npy")
            options += [option, f"{name}={at}.{name}.npy"]
    return subprocess.run(["tfrt_run", at + ".bef", *options]).returncode


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
