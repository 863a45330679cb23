"""Makes a case that fails smaller while it fails in the same way."""

import copy

import onnx
from onnx import helper

import peer
from growing import type_of, used_names
from making import Case

MAX_ROUNDS = 60


def pruned(case):
    """Without what no output needs."""
    graph = case.model.graph
    needed = {output.name for output in graph.output}
    nodes = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            nodes.append(node)
            needed.update(used_names(node))
    keep = {"node": nodes[::-1], "input": [value for value in graph.input if value.name in needed],
            "initializer": [tensor for tensor in graph.initializer if tensor.name in needed]}
    for field, items in keep.items():
        items = [copy.deepcopy(item) for item in items]
        del getattr(graph, field)[:]
        getattr(graph, field).extend(items)
    called = {node.op_type for node in graph.node}
    functions = [copy.deepcopy(function) for function in case.model.functions if function.name in called]
    del case.model.functions[:]
    case.model.functions.extend(functions)
    case.feeds = [{name: array for name, array in feeds.items() if name in needed} for feeds in case.feeds]
    return case


def duplicate(case):
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    return Case(case.name, model, [dict(feeds) for feeds in case.feeds], case.bad_nodes, case.fused_nodes)


def all_values(case):
    """The arrays of every value at the top, for each set, by name."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    del model.graph.output[:]
    names = [name for node in model.graph.node for name in node.output if name]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    sets = peer.run(model, case.feeds)
    values = {name: [outputs[i] for outputs in sets] for i, name in enumerate(names)}
    for tensor in model.graph.initializer:
        values[tensor.name] = [onnx.numpy_helper.to_array(tensor)] * len(case.feeds)
    for name in case.feeds[0]:
        values[name] = [feeds[name] for feeds in case.feeds]
    return values


def replace_name(graph, old, new):
    for node in graph.node:
        for i, name in enumerate(node.input):
            if name == old:
                node.input[i] = new
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                replace_name(attribute.g, old, new)
    for output in graph.output:
        if output.name == old:
            output.name = new


def smaller(case):
    """Cases that are a little smaller, the boldest first."""
    graph = case.model.graph
    if len(case.feeds) > 1:
        for i in range(len(case.feeds)):
            fewer = duplicate(case)
            fewer.feeds = [fewer.feeds[i]]
            yield fewer
    if len(graph.output) > 1:
        for output in graph.output:
            one = duplicate(case)
            del one.model.graph.output[:]
            one.model.graph.output.append(copy.deepcopy(output))
            yield one
    values = all_values(case)
    wanted = {output.name for output in graph.output}
    for i in reversed(range(len(graph.node))):
        # An input in the place of a node.
        if any(name in wanted for name in graph.node[i].output) or graph.node[i].op_type == "Constant":
            continue
        cut = duplicate(case)
        node = cut.model.graph.node[i]
        for name in node.output:
            if name:
                arrays = values[name]
                dims = [sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*(array.shape for array in arrays))]
                cut.model.graph.input.append(helper.make_tensor_value_info(name, type_of(arrays[0].dtype), dims))
                for feeds, array in zip(cut.feeds, arrays):
                    feeds[name] = array
        del cut.model.graph.node[i]
        yield cut
    for i in reversed(range(len(graph.node))):
        # One of its inputs in the place of a node.
        node = graph.node[i]
        for name in dict.fromkeys(node.input):
            if name and node.output[0] not in wanted and same_form(values[name], values[node.output[0]]):
                bypass = duplicate(case)
                replace_name(bypass.model.graph, node.output[0], name)
                yield bypass
        # Its input as the result.
        for name in dict.fromkeys(node.input):
            is_made = any(name in other.output for other in graph.node)
            if len(wanted) == 1 and node.output[0] in wanted and name in values and is_made:
                earlier = duplicate(case)
                array = values[name][0]
                info = helper.make_tensor_value_info(name, type_of(array.dtype), [None] * array.ndim)
                del earlier.model.graph.output[:]
                earlier.model.graph.output.append(info)
                yield earlier
    yield from smaller_bodies(case)
    for i, value in enumerate(graph.input):
        dims = value.type.tensor_type.shape.dim
        if any(not dim.HasField("dim_value") for dim in dims) and len(case.feeds) == 1:
            closed = duplicate(case)
            closed.model.graph.input[i].CopyFrom(helper.make_tensor_value_info(
                value.name, value.type.tensor_type.elem_type, case.feeds[0][value.name].shape))
            yield closed


def same_form(arrays, others):
    return all(a.shape == b.shape and a.dtype == b.dtype for a, b in zip(arrays, others))


def smaller_bodies(case):
    """With a node less in a body; whether that is valid is seen when it is run."""
    def bodies(graph):
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH:
                    yield attribute.g
                    yield from bodies(attribute.g)
    for n, body in enumerate(bodies(case.model.graph)):
        for i in range(len(body.node)):
            if not body.node[i].input:
                continue
            less = duplicate(case)
            graph = list(bodies(less.model.graph))[n]
            node = graph.node[i]
            names = node.input[0], node.output[0]
            if node.output[0] in [output.name for output in graph.output]:
                node.CopyFrom(helper.make_node("Identity", [names[0]], [names[1]]))
                if body.node[i].op_type == "Identity":
                    continue
            else:
                replace_name(graph, names[1], names[0])
                del graph.node[i]
            yield less


def minimise(case, still_fails):
    """`still_fails` takes a list of cases and says of each whether it fails as the first one did."""
    case = pruned(duplicate(case))
    for _ in range(MAX_ROUNDS):
        candidates = []
        try:
            for candidate in smaller(case):
                candidates.append(pruned(candidate))
        except peer.Refused:
            pass
        for begin in range(0, len(candidates), 24):
            some = candidates[begin:begin + 24]
            failing = [candidate for candidate, fails in zip(some, still_fails(some)) if fails]
            if failing:
                case = min(failing, key=lambda each: len(each.model.graph.node))
                break
        else:
            return case
    return case
