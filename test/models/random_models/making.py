"""A random model: its type, version and size, and the patterns that it is made of."""

import dataclasses

import numpy as np
import onnx

import attention
import control_flow
import elementwise
import growing
import layers
import movement
import quantized
import reductions

FAMILIES = [(elementwise, 3), (movement, 3), (reductions, 2), (layers, 4), (attention, 3), (quantized, 1),
            (control_flow, 1)]


@dataclasses.dataclass
class Case:
    """A model with what it is fed, once for each set of sizes."""
    name: str
    model: onnx.ModelProto
    feeds: list


def weighted(rng, pairs):
    weights = np.array([weight for _, weight in pairs], float)
    return pairs[int(rng.choice(len(pairs), p=weights / weights.sum()))][0]


def make(seed, index):
    """The model `index` of a seed, always the same, and how many nodes ONNX Runtime refused while it grew."""
    rng = np.random.default_rng([seed, index])
    dtype = rng.choice(np.array([np.float32] * 7 + [np.float64, np.float16, np.float64]))
    opset = int(rng.choice([13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
    graph = growing.Graph(rng, opset, dtype)
    wanted = int(rng.integers(5, 23))
    # Few families in a model make it likelier that patterns meet.
    families = [weighted(rng, FAMILIES) for _ in range(int(rng.integers(1, 4)))]
    for _ in range(60):
        if len(graph.nodes) >= wanted:
            break
        try:
            weighted(rng, graph.choose(families).EMITTERS)(graph)
        except growing.Rejected:
            pass
    return Case(f"{seed}-{index}", *growing.finish(graph)), graph.num_rejected
