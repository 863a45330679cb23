#!/usr/bin/env python3
"""Trained models of PyPI, most of them quantised, give what ONNX Runtime gives without optimisation.

usage: trained_models_test.py BIN FOLDER [MODEL...]     BIN: folder of tfrt_import and tfrt_run; FOLDER: keeps models

Each part of a model between two roundings gets ONNX Runtime's numbers, and must give its results: a sum in another
order may change an integer by 1, after which nothing is alike. Whole models may be off by as much as ONNX Runtime
itself is with slightly different weights. Ends with 77 where PyPI cannot be reached.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "random_models"))

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import peer
from onnx_models import trained

# Parts end at these numbers, too. Kokoro takes the sine of angles up to 8,900, and the angles of numbers that are
# nearly 0.
SHARP = {"/decoder/decoder/generator/m_source/l_sin_gen/Transpose_3_output_0",
         "/decoder/decoder/generator/STFT_output_0"}
TOLERANCE = 1e-5  # as a share of the root of the mean square


# Inputs that are weights of 8 bits, and their zero points.
BYTES = {"MatMulInteger": (1, 3), "DynamicQuantizeLSTM": (1, 2, 9, 11)}
# Their first inputs become integers. A number next to the middle of two becomes either, by any rounding before it.
ROUNDS = ("DynamicQuantizeLinear", "DynamicQuantizeLSTM", "Round")


def without_saturation(graph, outer=None):
    """Shifts weights of i8 and their zero points by 128: the products are the same, and no sum of those of u8
    saturates."""
    weights = {**(outer or {}), **{tensor.name: tensor for tensor in graph.initializer}}
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                without_saturation(attribute.g, weights)
        for i in BYTES.get(node.op_type, ()):
            if i >= len(node.input) or not node.input[i]:
                continue
            tensor = weights[node.input[i]]
            if tensor.data_type == TensorProto.INT8:
                shifted = numpy_helper.from_array((numpy_helper.to_array(tensor) + np.int16(128)).astype(np.uint8),
                                                  f"{tensor.name}/u8")
                if shifted.name not in weights:
                    weights[shifted.name] = shifted
                    graph.initializer.append(shifted)
                node.input[i] = shifted.name
        if node.op_type == "MatMulInteger" and len(node.input) < 4:
            raise SystemExit(f"{node.name}: the second factor has no zero point to shift")


def read_by(model, ops):
    """The names of the numbers that nodes of these ops read first, apart from inputs of the model."""
    made = {output for node in model.graph.node for output in node.output}
    return sorted({node.input[0] for node in model.graph.node if node.op_type in ops} & made)


def ends(model):
    """The names of the numbers at which parts of the model end."""
    return read_by(model, ROUNDS) + sorted(SHARP & {output for node in model.graph.node for output in node.output})


def giving(model, names):
    """The same model, which also gives these numbers."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    return copy


def given(model, values):
    """A model that gives these numbers, and whose nodes read these values instead: each part of it between two
    roundings on its own."""
    copy = giving(model, values)
    for name, value in values.items():
        dtype = helper.np_dtype_to_tensor_dtype(value.dtype)
        copy.graph.input.append(helper.make_tensor_value_info(f"{name}/given", dtype, value.shape))
    for node in copy.graph.node:
        for i, name in enumerate(node.input):
            if name in values:
                node.input[i] = f"{name}/given"
    return copy


NUDGES = (1e-6, -1e-6, 3e-6)


def nudged(model, share):
    """The same model with weights that are larger by this share, which is about a rounding: how far its results change
    says how sharp it is. Where a value lies between two integers, any rounding decides."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for tensor in copy.graph.initializer:
        # Single numbers may be sizes.
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) > 16:
            values = numpy_helper.to_array(tensor) * np.float32(1 + share)
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float32), tensor.name))
    return copy


def ours(tools, model, feeds):
    outputs = [value.name for value in model.graph.output]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        onnx.save(model, folder / "model.onnx")
        subprocess.run([tools / "tfrt_import", folder / "model.onnx", "-o", folder / "model.bef"], check=True)
        arguments = []
        for i, (name, values) in enumerate(feeds.items()):
            np.save(folder / f"in_{i}.npy", values)
            arguments += ["--input", f"{name}={folder}/in_{i}.npy"]
        for i, name in enumerate(outputs):
            arguments += ["--output", f"{name}={folder}/out_{i}.npy"]
        subprocess.run([tools / "tfrt_run", folder / "model.bef", *arguments], check=True)
        return {name: np.load(folder / f"out_{i}.npy") for i, name in enumerate(outputs)}


def oracle(model, feeds):
    """What ONNX Runtime gives, by name."""
    exact = onnx.ModelProto()
    exact.CopyFrom(model)
    without_saturation(exact.graph)
    return dict(zip([value.name for value in model.graph.output], peer.run(exact, [feeds])[0]))


def off(found, wanted):
    """The root of the mean square of the difference, as a share of that of what is wanted."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return np.inf
    wanted = wanted.astype(np.float64)
    size, difference = (np.sqrt(np.mean(np.square(each))) for each in (wanted, found - wanted))
    return difference / size if size > 0 else np.inf if difference > 0 else 0


def check_parts(name, model, feeds, tools):
    """Compares all parts of the model. Returns whether they are right."""
    results = oracle(giving(model, ends(model)), feeds)
    values = {end: results[end] for end in ends(model)}
    parts = given(model, values)
    inputs = {**feeds, **{f"{end}/given": value for end, value in values.items()}}
    found = ours(tools, parts, inputs)
    worst = {each: off(found[each], wanted) for each, wanted in results.items()}
    wrong = [each for each, difference in worst.items() if not difference <= TOLERANCE]
    # Layers round their state inside of a part, which other vectors than those of this processor may change.
    others = [oracle(nudged(parts, share), inputs) for share in NUDGES] if wrong else []
    wrong = [each for each in wrong if not worst[each] <= 2 * max(off(other[each], results[each]) for other in others)]
    for each in wrong:
        print(f"{name}: {each} is {found[each].dtype} {found[each].shape}, off by {worst[each]:.2g}; "
              f"expected {results[each].dtype} {results[each].shape}: WRONG")
    print(f"{name}: {len(worst)} parts are off by {max(worst.values()):.2g} at most, allowed {TOLERANCE}")
    return not wrong


def check_whole(name, model, feeds, tools):
    """Compares the results of the whole model, and the numbers that become sizes. Returns whether they are right."""
    model = giving(model, read_by(model, ["Round"]))
    found, wanted = ours(tools, model, feeds), oracle(model, feeds)
    others = [oracle(nudged(model, share), feeds) for share in NUDGES]
    differences = {}
    for each in wanted:
        difference, sharp = off(found[each], wanted[each]), max(off(other[each], wanted[each]) for other in others)
        print(f"{name}: {each} {list(found[each].shape)} is off by {difference:.2g}, ONNX Runtime by {sharp:.2g} with "
              "other weights")
        # A result whose sizes change by a nudge says nothing.
        if np.isfinite(sharp):
            differences[each] = difference <= max(TOLERANCE, 2 * sharp) and wanted[each].std() > 0
    if not differences or not all(differences.values()):
        print(f"{name}: WRONG: {[each for each, is_right in differences.items() if not is_right]}")
        return False
    return True


def check(name, tools, folder):
    model, feeds = onnx.load(trained.path_of(name, folder)), trained.INPUTS[name]
    return all([test(name, model, feeds, tools) for test in (check_parts, check_whole)])


def main():
    tools, folder = map(pathlib.Path, sys.argv[1:3])
    if not all([check(name, tools, folder) for name in sys.argv[3:] or trained.INPUTS]):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
