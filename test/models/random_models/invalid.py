"""Models that are invalid on purpose, each by one rule. ONNX Runtime refuses them, and so must tfrt: by the importer,
or when they run, as where sizes are open."""

import collections

import numpy as np
from onnx import TensorProto, helper

import growing
import known
import peer
import running
from making import Case

PER_RULE = 4


def sized(g, *dims, dtype=None):
    """A weight or an input."""
    return g.weight(dims, dtype=dtype) if g.chance(0.5) else g.input(dims, dtype=dtype)


def other(g, size):
    """Another size, which does not broadcast with it."""
    return g.choose([size + 1, size + 2] + ([size - 1] if size > 2 else []))


# Each returns the node that is invalid: its op, inputs and attributes; "outputs" is how many, 1 if it is not there.

def split_sizes(g):
    first, second = g.choose([(2, 2), (3, 5), (7, 1), (2, 6)])
    sizes = np.array([first, second], np.int64)
    sizes = g.input([2], arrays=[sizes] * 2) if g.chance(0.3) else g.constant(sizes)
    return "Split", [g.input([6, 3]), sizes], {"outputs": 2}


def split_size_negative(g):
    return "Split", [g.input([6]), g.ints(-1, 7)], {"outputs": 2}


def split_count(g):
    return "Split", [g.input([6]), g.ints(2, 2, 2)], {"outputs": 2}


def conv_bias(g):
    return "Conv", [g.input([1, 2, 4, 4]), g.weight([3, 2, 2, 2]), sized(g, g.choose([1, 2, 4]))], {}


def conv_channels(g):
    return "Conv", [g.input([1, 2, 4, 4]), sized(g, 3, g.choose([1, 3]), 2, 2)], {}


def conv_groups(g):
    return "Conv", [g.input([1, 4, 5]), g.weight([3, 2, 2])], {"group": 2}


def conv_kernel(g):
    return "Conv", [g.input([1, 2, 4, 4]), g.weight([3, 2, 2, 2])], {"kernel_shape": [3, 3]}


def conv_transpose_bias(g):
    return "ConvTranspose", [g.input([1, 2, 4, 4]), g.weight([2, 3, 2, 2]), sized(g, g.choose([1, 2, 4]))], {}


def conv_transpose_channels(g):
    return "ConvTranspose", [g.input([1, 2, 4, 4]), sized(g, 3, 2, 2, 2)], {}


def batch_norm(g):
    sizes = [3, 3, 3, 3]
    sizes[g.int(0, 3)] = g.choose([1, 2, 4])
    return "BatchNormalization", [g.input([2, 3, 4]), *[sized(g, size) for size in sizes]], {}


def instance_norm(g):
    sizes = g.choose([(3, 2), (4, 3), (1, 3)])
    return "InstanceNormalization", [g.input([2, 3, 4]), *[sized(g, size) for size in sizes]], {}


def layer_norm(g):
    g.opset = max(g.opset, 17)
    return "LayerNormalization", [g.input([2, 6]), sized(g, g.choose([3, 5, 7]))], {}


def gemm_bias(g):
    return "Gemm", [g.input([2, 3]), g.weight([3, 4]), sized(g, *g.choose([[3], [3, 4], [2, 3], [2]]))], {}


def gemm_depth(g):
    return "Gemm", [g.input([2, 3]), sized(g, other(g, 3), 4)], {}


def matmul_depth(g):
    return "MatMul", [g.input([2, 2, 3]), sized(g, other(g, 3), 4)], {}


def matmul_batch(g):
    return "MatMul", [g.input([2, 2, 3]), sized(g, 3, 3, 4)], {}


def broadcast(g):
    op = g.choose(["Add", "Mul", "Sub", "Div", "Less", "Max", "Pow"])
    return op, [g.input([2, 3]), sized(g, *g.choose([[2], [4], [3, 3], [2, 2]]))], {}


def where_shapes(g):
    return "Where", [sized(g, 2, dtype=bool), g.input([2, 3]), g.weight([])], {}


def slopes(g):
    return "PRelu", [g.input([2, 3]), sized(g, g.choose([2, 4]))], {}


def concat_sizes(g):
    return "Concat", [g.input([2, 3]), sized(g, 2, 4)], {"axis": 0}


def concat_ranks(g):
    return "Concat", [g.input([2, 3]), sized(g, 2)], {"axis": 0}


def reshape_count(g):
    return "Reshape", [g.input([2, 3]), g.ints(*g.choose([[4], [5, -1], [2, 2], [0, 4], [0, 0, 2]]))], {}


def reshape_unknowns(g):
    return "Reshape", [g.input([2, 3]), g.ints(-1, -1)], {}


def permutation(g):
    return "Transpose", [g.input([2, 3, 4])], {"perm": g.choose([[0, 0, 1], [0, 1], [0, 1, 3], [0, 1, 2, 3]])}


def gather_index(g):
    index = np.array(g.choose([[3], [-4], [0, 7]]), np.int64)
    inputs = [g.input([3, 2]), g.constant(index) if g.chance(0.5) else g.input(index.shape, arrays=[index] * 2)]
    return "Gather", inputs, {}


def gather_elements_index(g):
    return "GatherElements", [g.input([3, 2]), g.constant(np.array([[0, 3]], np.int64))], {}


def gather_nd_index(g):
    return "GatherND", [g.input([3, 2]), g.constant(np.array(g.choose([[[3, 0]], [[0, -3]]]), np.int64))], {}


def scatter_nd_index(g):
    return "ScatterND", [g.input([3, 2]), g.constant(np.array([[g.choose([3, -4])]], np.int64)), g.weight([1, 2])], {}


def scatter_elements_index(g):
    return "ScatterElements", [g.input([3, 2]), g.constant(np.array([[0, 5]], np.int64)), g.weight([1, 2])], {}


def squeeze_size(g):
    return "Squeeze", [g.input([2, 1, 3]), g.ints(g.choose([0, 2, -1]))], {}


def axis_beyond(g):
    axis = g.choose([2, -3, 5])
    op = g.choose(["Softmax", "Concat", "ArgMax", "Gather", "Flatten"])
    inputs = [g.input([2, 3])]
    if op == "Gather":
        inputs.append(g.constant(np.array([0], np.int64)))
    return op, inputs, {"axis": 5 if op == "Flatten" else axis}


def axes_beyond(g):
    op = g.choose(["ReduceSum", "Unsqueeze", "Squeeze"])
    return op, [g.input([1, 1]), g.ints(g.choose([4, -5]))], {}


def slice_lengths(g):
    return "Slice", [g.input([4, 3]), g.ints(0, 1), g.ints(2)], {}


def slice_step(g):
    return "Slice", [g.input([4, 3]), g.ints(0), g.ints(2), g.ints(0), g.ints(0)], {}


def slice_axis(g):
    return "Slice", [g.input([4, 3]), g.ints(0), g.ints(2), g.ints(g.choose([2, -3]))], {}


def expand_shape(g):
    return "Expand", [g.input([2, 3]), g.ints(*g.choose([[2, 4], [3, 3], [2]]))], {}


def tile_repeats(g):
    return "Tile", [g.input([2, 3]), g.ints(*g.choose([[2], [1, 1, 2]]))], {}


def pads(g):
    return "Pad", [g.input([2, 3]), g.ints(*g.choose([[1, 1], [1, 1, 1]]))], {}


def pads_beyond(g):
    return "Pad", [g.input([2, 3]), g.ints(0, -4, 0, 0)], {}


def top_k(g):
    return "TopK", [g.input([2, 3]), g.ints(g.choose([4, -1]))], {"outputs": 2}


def kernel_rank(g):
    return g.choose(["MaxPool", "AveragePool"]), [g.input([1, 2, 4, 4])], {"kernel_shape": g.choose([[2], [2, 2, 2]])}


def block_size(g):
    return "DepthToSpace", [g.input([1, 6, 2, 2])], {"blocksize": 2}


def resize_count(g):
    return "Resize", [g.input([1, 1, 2, 2]), None, g.constant(np.array([1, 2, 2], np.float32))], {}


def einsum_sizes(g):
    return "Einsum", [g.input([2, 3]), sized(g, 4, 2)], {"equation": "ab,bc->ac"}


def einsum_rank(g):
    return "Einsum", [g.input([2, 3]), sized(g, 3)], {"equation": "ab,bc->ac"}


def quantize_scale(g):
    scales = g.constant(np.ones(g.choose([2, 4]), np.float32))
    return "DequantizeLinear", [g.input([2, 3], dtype=np.uint8), scales], {"axis": 1}


def integer_depth(g):
    return "MatMulInteger", [g.input([2, 3], dtype=np.uint8), sized(g, other(g, 3), 2, dtype=np.uint8)], {}


def cumulative_axis(g):
    return "CumSum", [g.input([2, 3]), g.constant(np.array(g.choose([2, -3]), np.int64))], {}


def types(g):
    op = g.choose(["Add", "MatMul", "Concat", "Where", "Max", "Conv"])
    x, y = g.input([1, 1, 3, 3]), sized(g, 1, 1, 3, 3, dtype=g.choose([np.float64, np.int32]))
    if op == "Where":
        return op, [g.weight([], dtype=bool), x, y], {}
    return op, [x, y], {"axis": 0} if op == "Concat" else {}


def condition_type(g):
    return "Where", [sized(g, 2, 3), g.input([2, 3]), g.input([2, 3])], {}


def index_type(g):
    return "Gather", [g.input([2, 3]), sized(g, 2)], {}


def op_name(g):
    return g.choose(["Addd", "add", "Conv4"]), [g.input([2, 3])], {}


def missing_input(g):
    return g.choose(["Add", "MatMul", "Conv", "Concat", "Reshape"]), [g.input([2, 3, 4])][:1], {}


RULES = [value for name, value in list(globals().items())
         if callable(value) and getattr(value, "__module__", "") == __name__ and name not in ("sized", "other")]


def make(seed, rule, number):
    rng = np.random.default_rng([seed, number, RULES.index(rule)])
    graph = growing.Graph(rng, int(rng.integers(13, 23)), np.float32)
    graph.open_share = [0, 1, 0.5][number % 3]
    graph.has_varying = False
    op, inputs, attributes = rule(graph)
    outputs = attributes.pop("outputs", 1)
    # Something in front of it, so that passes meet more than one op.
    if graph.chance(0.4) and inputs[0].dtype == np.float32:
        inputs[0] = graph.op("Relu", [inputs[0]])
    names = [graph.name() for _ in range(outputs)]
    graph.nodes.append(helper.make_node(op, [value.name if value else "" for value in inputs], names, **attributes))
    used = {name for each in graph.nodes for name in each.input}
    declared = [helper.make_tensor_value_info(value.name, growing.type_of(value.dtype), dims)
                for value, dims in graph.inputs if value.name in used]
    result = TensorProto.BOOL if op == "Less" else TensorProto.INT64 if op == "ArgMax" else (
        TensorProto.INT32 if op == "MatMulInteger" else TensorProto.FLOAT)
    results = [helper.make_tensor_value_info(name, result, None) for name in names]
    if op == "TopK":
        results[1] = helper.make_tensor_value_info(names[1], TensorProto.INT64, None)
    proto = helper.make_graph(graph.nodes, "invalid", declared, results, graph.initializers)
    feeds = [{value.name: value.arrays[0] for value, _ in graph.inputs if value.name in used}]
    return Case(f"{rule.__name__}-{number}", growing.make_model(proto, graph), feeds)


def check(runner, seed):
    """How many there were, a line for each that tfrt takes, or that ended its process, and how many of each rule ONNX
    Runtime takes, which are left out."""
    cases, taken = [], collections.Counter()
    for rule in RULES:
        if rule.__name__ in known.ACCEPTED:
            continue
        for number in range(PER_RULE):
            case = make(seed, rule, number)
            try:
                peer.run(case.model, case.feeds)
                taken[rule.__name__] += 1
            except peer.Refused:
                cases.append(case)
    lines = []
    for numerics in ("fast", "exact"):
        for name, outcome in running.run(runner, cases, numerics).items():
            if outcome.state != "refused":
                lines.append(f"{name} ({numerics}): refused by ONNX Runtime alone: {outcome.state} {outcome.reason}")
    return len(cases), lines, taken
