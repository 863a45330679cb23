"""A graph that grows node by node. Each node is run by ONNX Runtime at once, for two sets of inputs whose open sizes
differ, so that the concrete shape, type and numbers of each value are known, and what is made is valid."""

import numpy as np
import onnx
from onnx import helper

import peer

NUM_SETS = 2
MAX_ELEMENTS = 4096
# Larger numbers than this are left out, as differences of them would be mostly rounding.
MAX_NUMBER = {np.dtype(np.float16): 500, np.dtype(np.float32): 4e4, np.dtype(np.float64): 4e4}


class Rejected(Exception):
    """A node that cannot be: ONNX Runtime refuses it, or its numbers or sizes are too large."""


class Dim(tuple):
    """Sizes of a dimension, one for each set, and how inputs declare it: a size, a symbol or None."""
    declared = None


class Value:
    """The name of a value, and its array for each set of inputs."""

    def __init__(self, name, arrays, is_constant=False):
        self.name, self.arrays, self.is_constant = name, arrays, is_constant
        self.dtype = arrays[0].dtype
        self.rank = arrays[0].ndim
        # The sizes of each dimension, one for each set.
        self.dims = list(zip(*(array.shape for array in arrays)))

    def size(self, axis):
        """None where it differs from set to set."""
        sizes = self.dims[axis]
        return sizes[0] if len(set(sizes)) == 1 else None

    @property
    def shape(self):
        """Sizes, if all are the same in each set; else None."""
        sizes = [self.size(axis) for axis in range(self.rank)]
        return None if None in sizes else sizes

    @property
    def is_float(self):
        return self.dtype.kind == "f"


def type_of(dtype):
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def free_names(graph):
    """The names that a subgraph takes from outside, in order."""
    known = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
    names = []
    for node in graph.node:
        for name in used_names(node):
            if name not in known and name not in names:
                names.append(name)
        known.update(node.output)
    for output in graph.output:
        if output.name not in known and output.name not in names:
            names.append(output.name)
    return names


def used_names(node):
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            names += free_names(attribute.g)
    return list(dict.fromkeys(names))


class Graph:
    """A model's graph, or one within another, whose values it sees. Takes `rng`, a numpy.random.Generator."""

    def __init__(self, rng, opset, dtype, parent=None):
        self.rng, self.opset, self.dtype, self.parent = rng, opset, np.dtype(dtype), parent
        self.root = parent.root if parent else self
        self.nodes, self.initializers, self.values = [], [], []
        if parent is None:
            self.inputs = []  # name, Value, declared dims
            self.functions = []
            self.used = set()  # names of values that a node takes
            self.known = {}  # name -> Value, of all graphs
            self.count = 0
            self.num_rejected = 0
            self.bad_scale = None  # else the name of a scale that is none, "" as long as there is not one
            self.symbols = {}  # the sizes for each set -> name
            self.open_share = float(rng.choice([0.0, 0.0, 0.3, 0.6]))
            self.has_varying = bool(rng.random() < 0.4)
            self.domains = {"": opset}

    # --- chance

    def chance(self, probability):
        return bool(self.rng.random() < probability)

    def choose(self, items):
        return items[int(self.rng.integers(len(items)))]

    def int(self, low, high):
        """From low to high, both within."""
        return int(self.rng.integers(low, high + 1))

    def name(self, stem="v"):
        self.root.count += 1
        return f"{stem}{self.root.count}"

    # --- values

    def in_scope(self):
        return (self.parent.in_scope() if self.parent else []) + self.values

    def numbers(self, shape, dtype, scale=1.0):
        """Random ones that keep results well-conditioned: floats of a few quarters and a little more."""
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.rng.random(shape) < 0.5
        if dtype.kind in "iu":
            low = 0 if dtype.kind == "u" else -9
            return self.rng.integers(low, 10, shape).astype(dtype)
        return (self.rng.uniform(-2, 2, shape) * scale).astype(dtype)

    def constant(self, array):
        """A weight: an initializer, or a node Constant."""
        array = np.asarray(array)
        name = self.name("w")
        value = self.remember(Value(name, [array] * NUM_SETS, is_constant=True))
        tensor = onnx.numpy_helper.from_array(array, name)
        if self.chance(0.7):
            (self.root if self.parent and self.chance(0.5) else self).initializers.append(tensor)
        else:
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        return value

    def ints(self, *numbers):
        return self.constant(np.array(numbers, np.int64))

    def weight(self, shape, scale=1.0, dtype=None):
        return self.constant(self.numbers(shape, dtype or self.dtype, scale))

    def input(self, dims, dtype=None, scale=1.0, arrays=None):
        """A new input of the model; dims are sizes, or a size for each set. `arrays` instead of random numbers."""
        dims = [dim if isinstance(dim, tuple) else (dim,) * NUM_SETS for dim in dims]
        if arrays is None:
            arrays = [self.numbers([dim[i] for dim in dims], dtype or self.dtype, scale) for i in range(NUM_SETS)]
        if any(array.size > MAX_ELEMENTS for array in arrays):
            raise Rejected("too large")
        root = self.root
        value = self.remember(Value(self.name("x"), arrays))
        root.inputs.append((value, [self.declared(dim) for dim in dims]))
        root.values.append(value)
        return value

    def declared(self, sizes):
        root = self.root
        if isinstance(sizes, Dim) and self.chance(0.85):
            return sizes.declared
        if len(set(sizes)) == 1 and not self.chance(root.open_share):
            return sizes[0]
        if self.chance(0.15):
            return None
        if sizes not in root.symbols or self.chance(0.1):
            root.symbols[sizes] = self.name("s")
        return root.symbols[sizes]

    def free_dim(self, low=1, high=6):
        """A Dim that nothing else decides."""
        dim = Dim(self.free_sizes(low, high))
        dim.declared = self.declared(tuple(dim))
        return dim

    def free_sizes(self, low, high):
        if self.root.has_varying and self.chance(0.4):
            varying = [sizes for sizes in self.root.symbols if len(set(sizes)) > 1]
            if varying and self.chance(0.5):
                return self.choose(varying)
            return (self.int(low, high), self.int(low, high))
        size = self.int(low, high)
        return (size,) * NUM_SETS

    def pick(self, wanted, new=None, fresh=0.15):
        """A value in scope that is wanted; else, or with probability `fresh`, new(). Mostly a late one that nothing
        uses yet: another use of what is within a pattern keeps passes from fusing it."""
        found = [value for value in self.in_scope() if wanted(value)]
        if new is not None and (not found or self.chance(fresh)):
            return new()
        if not found:
            raise Rejected("none is there")
        unused = [value for value in found if value.name not in self.root.used]
        if unused and self.chance(0.85):
            found = unused
        return self.choose(found[-4:] if self.chance(0.7) else found)

    def any_float(self, rank=None, low_rank=0, high_rank=5):
        """A float value of the model's type."""
        def wanted(value):
            return (value.dtype == self.dtype and low_rank <= value.rank <= high_rank and 0 not in value.arrays[0].shape
                    and (rank is None or value.rank == rank))
        new_rank = self.int(max(low_rank, 1), min(high_rank, 4)) if rank is None else rank
        return self.pick(wanted, lambda: self.input([self.free_dim() for _ in range(new_rank)]))

    # --- nodes

    def op(self, op_type, inputs, outputs=1, domain="", **attributes):
        """Adds a node and returns its Value, or several. An input that is None is left out."""
        names = [value.name if value is not None else "" for value in inputs]
        while names and not names[-1]:
            names.pop()
        node = helper.make_node(op_type, names, [self.name() for _ in range(outputs)], domain=domain,
                                **{key: value for key, value in attributes.items() if value is not None})
        values = self.results_of(node)
        self.nodes.append(node)
        self.root.used.update(used_names(node))
        self.values += values
        return values[0] if outputs == 1 else values

    def results_of(self, node):
        used = {name: self.root.known[name] for name in used_names(node)}
        # Numbers that a bad scale has made infinite, or none, become any bytes, and sums of them either.
        if self.root.bad_scale and any(
                array.dtype.kind == "f" and not np.isfinite(array).all() for value in used.values()
                if value.name != self.root.bad_scale for array in value.arrays):
            raise Rejected("not finite")
        graph = helper.make_graph(
            [node], "node", [helper.make_tensor_value_info(value.name, type_of(value.dtype), [None] * value.rank)
                             for value in used.values() if not value.is_constant],
            [onnx.ValueInfoProto(name=name) for name in node.output],
            [onnx.numpy_helper.from_array(value.arrays[0], value.name) for value in used.values() if value.is_constant])
        model = make_model(graph, self.root)
        try:
            sets = peer.run(model, [{value.name: value.arrays[i] for value in used.values() if not value.is_constant}
                                    for i in range(NUM_SETS)])
        except peer.Refused as error:
            self.root.num_rejected += 1
            raise Rejected(str(error)) from None
        results = []
        for name, *arrays in zip(node.output, *sets):
            for array in arrays:
                if array.size > MAX_ELEMENTS or array.size == 0 or array.ndim > 6:
                    raise Rejected("too large")
                if (array.dtype.kind == "f" and not self.root.bad_scale
                        and not np.all(np.abs(array) < MAX_NUMBER[array.dtype])):
                    raise Rejected("numbers too large")
            if len({array.ndim for array in arrays}) > 1:
                raise Rejected("the rank differs")
            results.append(self.remember(Value(name, arrays)))
        return results

    def remember(self, value):
        self.root.known[value.name] = value
        return value


def make_model(graph, root):
    domains = dict(root.domains)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(name, version)
                                                    for name, version in domains.items()])
    model.ir_version = 10 if root.opset < 23 else 11
    model.functions.extend(root.functions)
    return model


def finish(graph):
    """The model and, for each set, its inputs by name. Outputs are the values that nothing uses, and a few others."""
    used = {name for node in graph.nodes for name in used_names(node)}
    made = [value for value in graph.values if any(value.name in node.output for node in graph.nodes)]
    outputs = [value for value in made if value.name not in used or graph.chance(0.04)]
    inputs = [helper.make_tensor_value_info(value.name, type_of(value.dtype), dims)
              for value, dims in graph.inputs if value.name in used]
    declared = []
    for value in outputs:
        dims = [value.size(axis) if graph.chance(0.5) and not graph.open_share else None for axis in range(value.rank)]
        declared.append(helper.make_tensor_value_info(value.name, type_of(value.dtype), dims))
    proto = helper.make_graph(graph.nodes, "random", inputs, declared,
                              [tensor for tensor in graph.initializers if tensor.name in used])
    feeds = [{value.name: value.arrays[i] for value, _ in graph.inputs if value.name in used} for i in range(NUM_SETS)]
    return make_model(proto, graph), feeds
