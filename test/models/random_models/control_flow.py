"""If, Loop and Scan, whose bodies see the values outside, and functions of the model."""

import numpy as np
from onnx import helper

from growing import Graph, NUM_SETS, Rejected, Value, type_of


def body_of(g):
    return Graph(g.rng, g.opset, g.dtype, parent=g)


def fill(body, emitters, count):
    """Grows a body by so many patterns."""
    for _ in range(count):
        try:
            body.choose(emitters)(body)
        except Rejected:
            pass


def subgraph(body, name, inputs, outputs):
    """The proto of a body with these Values."""
    def info(value):
        return helper.make_tensor_value_info(value.name, type_of(value.dtype), None)
    return helper.make_graph(body.nodes, name, [info(value) for value in inputs], [info(value) for value in outputs],
                             body.initializers)


def formal(body, stem, like):
    """An input of the body, whose arrays are those of `like`."""
    value = Value(body.name(stem), list(like.arrays))
    body.root.remember(value)
    body.values.append(value)
    return value


def same_form(body, x):
    """A value in the body with the type and sizes of x, but made there."""
    made = [value for value in body.values if value.dtype == x.dtype and value.dims == x.dims
            and any(value.name in node.output for node in body.nodes)]
    if made and body.chance(0.8):
        return body.choose(made[-3:])
    if not x.is_float:
        return body.op("Identity", [x])
    y = body.op("Mul", [x, body.weight([], 0.5, x.dtype)])
    if body.chance(0.5):
        y = body.op("Tanh", [y])
    return y


def simple_emitters():
    import attention
    import elementwise
    import layers
    import movement
    import reductions
    return [elementwise.unary, elementwise.binary, elementwise.chain, elementwise.select, movement.reshape,
            movement.transpose, movement.slices, movement.concat, reductions.reduction, layers.matmul, layers.matmul,
            layers.conv, layers.activation, layers.layer_norm, attention.flat_attention]


def condition_of(g):
    kind = g.int(0, 2)
    if kind == 0:
        return g.constant(np.array(g.chance(0.5)))
    if kind == 1:
        return g.input([], arrays=[np.array(g.chance(0.5)) for _ in range(NUM_SETS)])
    x = g.any_float()
    mean = g.op("ReduceMean", [x], keepdims=0)
    return g.op("Greater", [mean, g.constant(np.array(0, x.dtype))])


def conditional(g):
    x = g.any_float(low_rank=1, high_rank=3)
    condition = condition_of(g)
    branches, results = [], g.int(1, 2)
    for name in ("then_branch", "else_branch"):
        body = body_of(g)
        fill(body, simple_emitters(), g.int(0, 3))
        outputs = [same_form(body, x) for _ in range(results)]
        if results == 2 and body.chance(0.3) and g.opset >= 16:
            outputs[1] = body.op("Identity", [g.pick(lambda value: value.dtype == x.dtype and value.rank == x.rank)])
        if results == 2 and outputs[1] is outputs[0]:
            outputs[1] = body.op("Identity", [outputs[0]])
        branches.append(subgraph(body, name, [], outputs))
    g.op("If", [condition], outputs=results, then_branch=branches[0], else_branch=branches[1])


def loop(g):
    x = g.any_float(low_rank=1, high_rank=3)
    body = body_of(g)
    iteration = formal(body, "i", Value("", [np.array(0, np.int64)] * NUM_SETS))
    goes_on = formal(body, "c", Value("", [np.array(True)] * NUM_SETS))
    carried = [formal(body, "l", x)]
    initial = [x]
    if g.chance(0.3):
        total = g.constant(np.array(0, np.int64))
        initial.append(total)
        carried.append(formal(body, "l", total))
    fill(body, simple_emitters(), g.int(0, 3))
    updated = same_form(body, carried[0])
    if updated.dims != x.dims:
        raise Rejected("its form changes")
    outputs = [updated]
    if len(initial) == 2:
        outputs.append(body.op("Add", [carried[1], iteration]))
    if g.chance(0.3):
        condition = body.op("Less", [iteration, body.constant(np.array(g.int(0, 2), np.int64))])
    else:
        condition = body.op("Identity", [goes_on])
    scanned = []
    if g.chance(0.4):
        scanned = [body.op("Identity", [updated]) if g.chance(0.5) else same_form(body, x)]
    proto = subgraph(body, "body", [iteration, goes_on, *carried], [condition, *outputs, *scanned])
    count = g.constant(np.array(g.int(1, 3), np.int64))
    if g.chance(0.2):
        count = g.input([], arrays=[np.array(g.int(1, 3), np.int64) for _ in range(NUM_SETS)])
    condition = g.constant(np.array(True)) if g.chance(0.6) else None
    g.op("Loop", [count, condition, *initial], outputs=len(outputs) + len(scanned), body=proto)


def scan(g):
    x = g.any_float(low_rank=2, high_rank=3)
    body = body_of(g)
    state = g.input(x.dims[1:]) if g.chance(0.5) or None in (x.shape or [None]) else g.weight(x.shape[1:])
    carried = formal(body, "s", state)
    row = formal(body, "r", Value("", [array[0] for array in x.arrays]))
    fill(body, simple_emitters(), g.int(0, 2))
    updated = body.op(g.choose(["Add", "Sub", "Mul"]), [carried, same_form(body, row)])
    updated = body.op("Tanh", [updated])
    outputs = [updated, body.op("Identity", [updated])]
    proto = subgraph(body, "body", [carried, row], outputs)
    g.op("Scan", [state, x], outputs=2, body=proto, num_scan_inputs=1, scan_input_directions=[g.int(0, 1)],
         scan_output_directions=[g.int(0, 1)])


def function(g):
    """Calls of a function of the model: with an input left out, or an attribute."""
    root = g.root
    domain = "local"
    if g.parent:
        raise Rejected("functions are made at the top")
    root.domains[domain] = 1
    kind = g.int(0, 2)
    name = g.name("F")
    opsets = [helper.make_opsetid("", g.opset)]
    x = g.any_float()
    y = g.any_float() if g.chance(0.2) else x

    def node(op, inputs, output, **attributes):
        return helper.make_node(op, inputs, [output], **attributes)

    if kind == 0:
        nodes = [node("Mul", ["a", "a"], "m"), node(g.choose(["Tanh", "Sigmoid"]), ["m"], "n"),
                 node("Add", ["n", "b"], "o")]
        root.functions.append(helper.make_function(domain, name, ["a", "b"], ["o"], nodes, opsets))
        return g.op(name, [x, y], domain=domain)
    if kind == 1:
        # The second limit of Clip may be left out.
        nodes = [node("Clip", ["a", "low", "high"], "m"), node("Neg", ["m"], "o")]
        root.functions.append(helper.make_function(domain, name, ["a", "low", "high"], ["o"], nodes, opsets))
        low, high = g.constant(np.array(-0.5, x.dtype)), g.constant(np.array(0.75, x.dtype))
        g.op(name, g.choose([[x, low], [x, None, high], [x, low, high], [x]]), domain=domain)
        return
    # An attribute of the call, with a default or not.
    alpha = helper.make_node("LeakyRelu", ["a"], ["o"])
    reference = alpha.attribute.add()
    reference.name, reference.ref_attr_name, reference.type = "alpha", "slope", 1
    if g.chance(0.5):
        root.functions.append(helper.make_function(domain, name, ["a"], ["o"], [alpha], opsets, attributes=["slope"]))
        return g.op(name, [x], domain=domain, slope=0.3)
    root.functions.append(helper.make_function(domain, name, ["a"], ["o"], [alpha], opsets,
                                               attribute_protos=[helper.make_attribute("slope", 0.2)]))
    g.op(name, [x], domain=domain, slope=g.choose([None, 0.4]))


def overloads(g):
    if g.parent:
        raise Rejected("functions are made at the top")
    root = g.root
    root.domains["local"] = 1
    name = g.name("F")
    opsets = [helper.make_opsetid("", g.opset)]
    for overload, op in (("one", "Add"), ("two", "Mul")):
        nodes = [helper.make_node(op, ["a", "a"], ["o"])]
        root.functions.append(helper.make_function("local", name, ["a"], ["o"], nodes, opsets, overload=overload))
    x = g.any_float()
    for overload in ("one", "two") if g.chance(0.5) else ("two", "one"):
        g.op(name, [x], domain="local", overload=overload)


EMITTERS = [(conditional, 3), (loop, 3), (scan, 1), (function, 2), (overloads, 1)]
