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
# For models of fewer bits than f32.
NARROW = {np.float32: [(elementwise, 1), (movement, 1), (layers, 2), (quantized, 8)],
          np.float16: [(elementwise, 2), (movement, 1), (reductions, 1), (layers, 4), (attention, 2), (quantized, 2)]}


@dataclasses.dataclass
class Case:
    """A model with what it is fed, once for each set of sizes."""
    name: str
    model: onnx.ModelProto
    feeds: list
    # The names of nodes that take a scale which is none, and may refuse it, and of those with which they may be fused.
    bad_nodes: list = ()
    fused_nodes: list = ()


def weighted(rng, pairs):
    weights = np.array([weight for _, weight in pairs], float)
    return pairs[int(rng.choice(len(pairs), p=weights / weights.sum()))][0]


def make(seed, index, narrow=False):
    """The model `index` of a seed, always the same, and how many nodes ONNX Runtime refused while it grew. `narrow`:
    quantised, or with floats of 16 bits; some have a scale that is none."""
    rng = np.random.default_rng([seed, index])
    if narrow:
        dtype = rng.choice(np.array([np.float32] * 3 + [np.float16]))
    else:
        dtype = rng.choice(np.array([np.float32] * 7 + [np.float64, np.float16, np.float64]))
    opset = int(rng.choice([13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]))
    graph = growing.Graph(rng, opset, dtype)
    if narrow and graph.chance(0.2):
        graph.bad_scale = ""
    wanted = graph.int(3, 10) if narrow else graph.int(5, 22)
    # Few families in a model make it likelier that patterns meet.
    families = NARROW[dtype] if narrow else FAMILIES
    families = [weighted(rng, families) for _ in range(graph.int(1, 3))]
    for _ in range(60):
        if len(graph.nodes) >= wanted:
            break
        try:
            weighted(rng, graph.choose(families).EMITTERS)(graph)
        except growing.Rejected:
            pass
    case = Case(f"{seed}-{index}", *growing.finish(graph))
    if graph.bad_scale:
        name_nodes(case, graph.bad_scale)
    return case, graph.num_rejected


def name_nodes(case, bad_scale):
    for i, node in enumerate(case.model.graph.node):
        node.name = f"node_{i}"
    nodes, near = case.model.graph.node, {bad_scale}
    case.bad_nodes = [node.name for node in nodes if bad_scale in node.input]
    for _ in range(5):
        found = [node for node in nodes if near.intersection([*node.input, *node.output])]
        near.update(name for node in found for name in [*node.input, *node.output])
    case.fused_nodes = [node.name for node in found]
