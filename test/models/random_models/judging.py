"""Whether results are those of ONNX Runtime, as far as rounding lets one say."""

import copy

import numpy as np
import onnx
from onnx import TensorProto, helper

import known
import peer

FLOATS = {TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.FLOAT16: np.float16}
# Units of the last place by which results may differ, of a number and, a tenth of it, of the largest one beside it. The
# functions of ONNX Runtime, as Sigmoid, lose several digits of float64.
UNITS, UNITS_OF_F64 = 64, 4096
NUM_TRIALS = 24
# Of the differences that rounding noise makes in the trials.
NOISE_FACTOR = 8


def difference(actual, expected, also_allowed=0, coarsest=np.finfo(np.float64).eps):
    """What differs, or None. No float is more exact than an eps of `coarsest`."""
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return f"is {actual.dtype} {list(actual.shape)}, expected {expected.dtype} {list(expected.shape)}"
    if expected.dtype.kind != "f":
        differs = (actual != expected) & ~np.asarray(also_allowed, bool)
    else:
        a, b = actual.astype(np.float64), expected.astype(np.float64)
        finite = np.isfinite(b)
        largest = np.abs(b[finite]).max(initial=0)
        with np.errstate(invalid="ignore"):
            unit = max(np.finfo(expected.dtype).eps, coarsest)
            units = UNITS_OF_F64 if unit < np.finfo(np.float32).eps else UNITS
            # Where ONNX Runtime's Sigmoid and Gelu are almost 0, they are off by some units of 1.
            allowed = units * unit * (np.abs(b) + 0.1 * largest) + 4 * unit + also_allowed
            differs = ~((a == b) | (np.isnan(a) & np.isnan(b)) | (finite & (np.abs(a - b) <= allowed)))
    if not differs.any():
        return None
    at = int(np.flatnonzero(differs)[0])
    return (f"differs in {int(differs.sum())} of {differs.size} places, first at {at}: {actual.flat[at]!r}, "
            f"expected {expected.flat[at]!r}")


def noise_function(dtype, opset, coarsest):
    """y is x with another factor of about 1 for each element, as coarse as that of the dtype and `coarsest`.
    RandomUniformLike would be shorter, but ONNX Runtime has it for older models alone."""
    def number(name, value=None):
        node = helper.make_node("Constant", [], [name])
        node.attribute.append(helper.make_attribute("value_float", value) if value is not None else onnx.AttributeProto(
            name="value_float", ref_attr_name=name, type=onnx.AttributeProto.FLOAT))
        return node
    eps = 4 * max(float(np.finfo(FLOATS[dtype]).eps), float(coarsest))
    nodes = [number("seed"), number("frequency", 12.9898), number("eps", eps), number("one", 1.0)]
    nodes += [helper.make_node("Constant", [], [name], value_int=value) for name, value in (("first", 0), ("step", 1))]
    steps = [("Shape", ["x"], "shape"), ("Size", ["x"], "size"), ("Range", ["first", "size", "step"], "places"),
             ("Cast", ["places"], "numbers"), ("Mul", ["numbers", "frequency"], "phases"),
             ("Add", ["phases", "seed"], "all"), ("Sin", ["all"], "sines"), ("Mul", ["sines", "eps"], "small"),
             ("Cast", ["small"], "typed"), ("Cast", ["one"], "typed_one"), ("Add", ["typed", "typed_one"], "factors"),
             ("Reshape", ["factors", "shape"], "shaped"), ("Mul", ["x", "shaped"], "y")]
    for op, inputs, output in steps:
        to = {"numbers": TensorProto.FLOAT, "typed": dtype, "typed_one": dtype}.get(output)
        nodes.append(helper.make_node(op, inputs, [output], **({"to": to} if to else {})))
    return helper.make_function("noise", f"noise_{dtype}", ["x"], ["y"], nodes, [helper.make_opsetid("", opset)],
                                attributes=["seed"])


def with_noise(model, seed):
    """The model with a random factor of about 1, for each element, behind each float that a node makes."""
    noisy = onnx.ModelProto()
    noisy.CopyFrom(onnx.shape_inference.infer_shapes(model))
    rng = np.random.default_rng(seed)

    def disturb(graph):
        types = {info.name: info.type.tensor_type.elem_type for info in [*graph.value_info, *graph.output]}
        nodes = []
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    disturb(attribute.g)
            nodes.append(node)
            for i, name in enumerate(node.output):
                if types.get(name) in FLOATS and node.op_type != "Constant":
                    node.output[i] = f"{name}_plain"
                    nodes.append(helper.make_node(f"noise_{types[name]}", [node.output[i]], [name], domain="noise",
                                                  seed=float(rng.uniform(0, 100))))
        nodes = [copy.deepcopy(node) for node in nodes]
        del graph.node[:]
        graph.node.extend(nodes)
        del graph.value_info[:]

    disturb(noisy.graph)
    opset = next(each.version for each in model.opset_import if not each.domain)
    noisy.functions.extend(noise_function(dtype, opset, known.coarsest(model)) for dtype in FLOATS)
    noisy.opset_import.append(helper.make_opsetid("noise", 1))
    return noisy


def disturbed_array(array, rng):
    if array.dtype.kind != "f":
        return array
    # NumPy makes a number of an array without dimensions.
    return np.asarray(array * (1 + rng.uniform(-1, 1, array.shape) * np.finfo(array.dtype).eps), array.dtype)


def sensitivity(model, feeds, expected):
    """For each output of each set, by how much rounding noise changes it: numbers for floats, for others whether it
    does. None if the noise makes another form of it."""
    changes = [[np.zeros(array.shape) for array in outputs] for outputs in expected]
    rng = np.random.default_rng(0)
    for trial in range(NUM_TRIALS):
        disturbed = [{name: disturbed_array(array, rng) for name, array in each.items()} for each in feeds]
        try:
            outputs = peer.run(with_noise(model, trial + 1), disturbed)
        except peer.Refused:  # noise decides on other branches and sizes: nothing can be said
            return [[None] * len(outputs) for outputs in expected]
        for change, actual, wanted in zip(changes, outputs, expected):
            for i in range(len(wanted)):
                if actual[i].shape != wanted[i].shape:
                    change[i] = None
                elif change[i] is not None and wanted[i].dtype.kind == "f":
                    with np.errstate(invalid="ignore"):
                        moved = np.abs(actual[i].astype(np.float64) - wanted[i])
                    change[i] = np.maximum(change[i], np.nan_to_num(moved, nan=np.inf, posinf=np.inf))
                elif change[i] is not None:
                    change[i] = np.maximum(change[i], actual[i] != wanted[i])
    return changes


def compare(model, feeds, results, expected):
    """What is wrong with results, or None. Costs little where they are as good as equal."""
    changes, coarsest = None, known.coarsest(model)
    for k, (actual, wanted) in enumerate(zip(results, expected)):
        for i in range(len(wanted)):
            if difference(actual[i], wanted[i], coarsest=coarsest) is None:
                continue
            if changes is None:
                changes = sensitivity(model, feeds, expected)
            change = changes[k][i]
            if change is None:
                continue
            if wanted[i].dtype.kind == "f":
                change = NOISE_FACTOR * change + 2 * np.median(change) if change.size else change
            elif change.mean() > 0.1:
                # Ties: which of them wins is not settled by a few trials.
                continue
            found = difference(actual[i], wanted[i], change, coarsest)
            if found:
                return f"output {i} ({model.graph.output[i].name}) of set {k} {found}"
    return None
