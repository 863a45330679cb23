#!/usr/bin/env python3
"""Random numbers of ONNX's ops have the wanted distribution, and are the same in each run.

usage: random_numbers_test.py RUNNER     RUNNER: conformance_runner
"""

import dataclasses
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "random_models"))

import numpy as np
import onnx
from onnx import TensorProto, helper

import running

SIZES = [40, 500]


@dataclasses.dataclass
class Case:
    name: str
    model: onnx.ModelProto
    feeds: list


def case(name, nodes, feeds, outputs=1):
    infos = [helper.make_tensor_value_info(key, helper.np_dtype_to_tensor_dtype(array.dtype), [None] * array.ndim)
             for key, array in feeds.items()]
    results = [onnx.ValueInfoProto(name=f"o{i}") for i in range(outputs)]
    model = helper.make_model(helper.make_graph(nodes, "graph", infos, results),
                              opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
    return Case(name, model, [feeds, feeds])


def refused(name, error, op, inputs=(), feeds=None, **attributes):
    return case(name, [helper.make_node(op, inputs, ["o0"], "node", **attributes)], feeds or {}), error


LIKELY = np.full(SIZES, 0.3, np.float32)
LOGS = np.log(np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 1e-9]], np.float32))
LIKE = {"x": np.zeros(SIZES, np.float32)}
CASES = [
    case("normal", [helper.make_node("RandomNormal", [], ["o0"], shape=SIZES, mean=2.0, scale=3.0),
                    helper.make_node("RandomNormalLike", ["x"], ["o1"])], LIKE, 2),
    case("uniform", [helper.make_node("RandomUniform", [], ["o0"], shape=SIZES, low=-1.0, high=3.0, seed=5.0),
                     helper.make_node("RandomUniformLike", ["x"], ["o1"], low=-1.0, high=3.0, seed=5.0),
                     helper.make_node("RandomUniformLike", ["x"], ["o2"], low=-1.0, high=3.0, seed=6.0)], LIKE, 3),
    case("half", [helper.make_node("RandomNormal", [], ["o0"], shape=SIZES, dtype=TensorProto.FLOAT16),
                  helper.make_node("RandomUniform", [], ["o1"], shape=SIZES, dtype=TensorProto.DOUBLE)], {}, 2),
    case("bernoulli", [helper.make_node("Bernoulli", ["x"], ["o0"], dtype=TensorProto.INT32)], {"x": LIKELY}),
    case("sure", [helper.make_node("Bernoulli", ["x"], ["o0"]), helper.make_node("Bernoulli", ["y"], ["o1"])],
         {"x": np.ones(SIZES, np.float16), "y": np.zeros(SIZES, np.float16)}, 2),
    case("multinomial", [helper.make_node("Multinomial", ["x"], ["o0"], sample_size=10000),
                         helper.make_node("Multinomial", ["x"], ["o1"], sample_size=10000, dtype=TensorProto.INT64)],
         {"x": LOGS}, 2),
]
REFUSED = [
    refused("no_shape", "RandomNormal: there is no shape", "RandomNormal"),
    refused("negative", "RandomNormal: a size is -2", "RandomNormal", shape=[3, -2]),
    refused("turned", "RandomUniform: low is 2.000000, but high is 1.000000", "RandomUniform", shape=[3], low=2.0),
    refused("integers", "RandomNormal: there are random numbers of floats alone", "RandomNormal", shape=[3],
            dtype=TensorProto.INT32),
    refused("rank", "Multinomial: the input is of rank 1, expected 2", "Multinomial", ["x"], {"x": LOGS[0]}),
    refused("samples", "Multinomial: sample_size is 0, expected 1 or more", "Multinomial", ["x"], {"x": LOGS},
            sample_size=0),
    refused("classes", "Multinomial: classes are INT32 or INT64", "Multinomial", ["x"], {"x": LOGS},
            dtype=TensorProto.FLOAT),
]


def near(found, wanted, what, tolerance=0.03):
    assert abs(found - wanted) <= tolerance * max(1, abs(wanted)), f"{what} is {found}, expected {wanted}"


def check(results):
    first, second = results["normal"]
    near(first.mean(), 2, "the mean")
    near(first.std(), 3, "the deviation")
    near(second.mean(), 0, "the mean")
    near(second.std(), 1, "the deviation")
    near((np.abs(second) < 1).mean(), 0.6827, "the share within one deviation")
    near(np.corrcoef(first.ravel(), second.ravel())[0, 1], 0, "the correlation of two nodes")
    first, same, other = results["uniform"]
    assert np.array_equal(first, same) and not np.array_equal(first, other)
    assert first.min() >= -1 and first.max() < 3
    near(first.mean(), 1, "the mean")
    near(first.std(), 4 / 12**0.5, "the deviation")
    half, double = results["half"]
    assert half.dtype == np.float16 and double.dtype == np.float64
    near(half.astype(np.float32).std(), 1, "the deviation")
    near(double.mean(), 0.5, "the mean")
    drawn = results["bernoulli"][0]
    assert drawn.dtype == np.int32 and set(np.unique(drawn)) == {0, 1}
    near(drawn.mean(), 0.3, "the share of ones")
    for drawn, wanted in zip(results["sure"], (1, 0)):
        assert drawn.dtype == np.float16 and (drawn == wanted).all(), f"{(drawn != wanted).sum()} are not {wanted}"
    classes, wide = results["multinomial"]
    assert classes.dtype == np.int32 and wide.dtype == np.int64 and classes.shape == (2, 10000)
    for drawn in (classes, wide):
        for row, shares in zip(drawn, np.exp(LOGS)):
            for i, share in enumerate(shares):
                near((row == i).mean(), share, f"the share of class {i}")


def main():
    outcomes = running.run(sys.argv[1], [*CASES, *(each for each, _ in REFUSED)], "fast")
    for each in CASES:
        assert outcomes[each.name].state == "pass", (each.name, outcomes[each.name].reason)
        for first, again in zip(*outcomes[each.name].results):
            assert np.array_equal(first, again), f"{each.name}: another run gives other numbers"
    check({each.name: outcomes[each.name].results[0] for each in CASES})
    for each, error in REFUSED:
        outcome = outcomes[each.name]
        assert outcome.state == "refused" and error in outcome.reason, (each.name, outcome)


if __name__ == "__main__":
    main()
