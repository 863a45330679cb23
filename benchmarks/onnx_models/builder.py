"""Writes models node by node, in the forms of PyTorch's two exporters.

"ts" is the form of the TorchScript exporter at opset 17: small constants are Constant nodes, sizes are computed by
chains of Shape and Gather, equal parameters are one initialiser with an Identity for each further use. "dynamo" is
that of the exporter on torch.export at opset 20: sizes are fixed numbers and small constants are initialisers.
"""

import contextlib
import re
import zlib

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FORMS = {"ts": 17, "dynamo": 20}
# Larger parameters are left out by "without weights".
SMALL_BYTES = 1024


def np_dtype(elem_type):
    return helper.tensor_dtype_to_np_dtype(elem_type)


class Builder:
    """One model in the making. Values are named by strings, as in the file."""

    def __init__(self, name, form, with_weights=True):
        self.name, self.form, self.with_weights = name, form, with_weights
        self.torchscript = form == "ts"
        self.nodes, self.identities, self.initializers, self.inputs, self.outputs = [], [], [], [], []
        self._scopes, self._counts, self._constants, self._shared = [], {}, {}, {}
        self._hole_bytes = 0

    @contextlib.contextmanager
    def scope(self, name):
        """Nodes made inside belong to this module, which shows in their names."""
        self._scopes.append(name)
        yield
        self._scopes.pop()

    # Inputs, outputs and parameters.

    def input(self, name, shape, elem_type=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, elem_type, shape))
        return name

    def output(self, value, name, shape, elem_type=TensorProto.FLOAT):
        """Makes a value of a node an output; exporters name the value itself."""
        for node in self.nodes:
            for list_ in (node.input, node.output):
                for i, each in enumerate(list_):
                    if each == value:
                        list_[i] = name
        self.outputs.append(helper.make_tensor_value_info(name, elem_type, shape))

    def parameter(self, name, shape, std=None, mean=0.0, low=None, high=None):
        """A weight: normal with `std` around `mean`, or evenly spread in [low, high]. Its values follow from its
        name alone, so both forms of a model compute the same."""
        full = ".".join([s for s in self._scopes if s] + [name])
        size = int(np.prod(shape)) * 4
        if not self.with_weights and size > SMALL_BYTES:
            self.initializers.append(self._hole(full, shape, size))
            return full
        random = np.random.default_rng(zlib.crc32(full.encode()))
        if low is not None:
            values = random.uniform(low, high, shape).astype(np.float32)
        else:
            values = random.standard_normal(shape, dtype=np.float32) * np.float32(std) + np.float32(mean)
        self.initializers.append(numpy_helper.from_array(values, full))
        return full

    def shared_parameter(self, key, name, shape, **how):
        """A weight that is equal in many modules. In the form "ts" they share an initialiser through Identity."""
        if not self.torchscript:
            return self.parameter(name, shape, **how)
        if (key, tuple(shape)) not in self._shared:
            self._shared[key, tuple(shape)] = self.parameter(name, shape, **how)
            return self._shared[key, tuple(shape)]
        full = ".".join([s for s in self._scopes if s] + [name])
        self.identities.append(helper.make_node(
            "Identity", [self._shared[key, tuple(shape)]], [full], f"Identity_{len(self.identities)}"))
        return full

    def array(self, name, values):
        """A buffer of a module: an initialiser with these values."""
        self.initializers.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def _hole(self, name, shape, size):
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape)
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", ""), ("offset", self._hole_bytes), ("length", size)):
            tensor.external_data.add(key=key, value=str(value))
        self._hole_bytes += (size + 4095) // 4096 * 4096
        return tensor

    # Nodes.

    def op(self, op_type, *inputs, outputs=1, **attributes):
        """Adds a node and returns the name of its result, or the list of several."""
        if self.torchscript:
            stem = "/".join(["", *[s.replace(".", "/") for s in self._scopes if s], op_type])
            count = self._counts.get(stem, 0)
            self._counts[stem] = count + 1
            name = f"{stem}_{count}" if count else stem
            results = [f"{name}_output_{i}" for i in range(outputs)]
        else:
            stem = re.sub(r"(?<!^)(?=[A-Z])", "_", op_type).lower()
            count = self._counts.get(stem, 0)
            self._counts[stem] = count + 1
            result = f"{stem}_{count}" if count else stem
            name = f"node_{result}"
            results = [result] if outputs == 1 else [f"{result}_split_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op_type, list(inputs), results, name, **attributes))
        return results[0] if outputs == 1 else results

    def constant(self, value, dtype=np.int64):
        values = np.array(value, dtype)
        if self.torchscript:
            return self.op("Constant", value=numpy_helper.from_array(values))
        key = (values.tobytes(), values.dtype.str, values.shape)
        if key not in self._constants:
            self._constants[key] = self.array(f"val_{len(self._constants)}", values)
        return self._constants[key]

    def scalar(self, value):
        return self.constant(value, np.float32)

    def size(self, value, axis):
        """A size of a value as a computed scalar."""
        return self.op("Gather", self.op("Shape", value), self.constant(axis), axis=0)

    def dims(self, dims):
        """An operand that holds sizes; each is a number or the name of a computed scalar."""
        if all(isinstance(dim, int) for dim in dims):
            return self.constant(dims)
        parts = [self.constant([dim]) if isinstance(dim, int) else
                 self.op("Unsqueeze", dim, self.constant([0])) for dim in dims]
        return self.op("Concat", *parts, axis=0)

    def reshape(self, value, dims):
        return self.op("Reshape", value, self.dims(dims))

    def transpose(self, value, *perm):
        return self.op("Transpose", value, perm=perm)

    # Modules of PyTorch that have the same parameters in both forms.

    def linear(self, name, value, size_in, size_out, std, rank=3):
        """torch.nn.Linear on a value of this rank."""
        with self.scope(name):
            bias = self.parameter("bias", [size_out], std=0.02)
            if rank == 2:
                return self.op("Gemm", value, self.parameter("weight", [size_out, size_in], std=std), bias,
                               transB=1)
            product = self.op("MatMul", value, self.parameter("weight_t", [size_in, size_out], std=std))
            return self.op("Add", bias, product) if self.torchscript else self.op("Add", product, bias)

    def layer_norm(self, name, value, size, epsilon):
        with self.scope(name):
            scale = self.parameter("weight", [size], std=0.1, mean=1.0)
            bias = self.parameter("bias", [size], std=0.1)
            if not self.torchscript:
                return self.op("LayerNormalization", value, scale, bias, axis=-1, epsilon=epsilon)
            centred = self.op("Sub", value, self.op("ReduceMean", value, axes=[-1]))
            variance = self.op("ReduceMean", self.op("Pow", centred, self.scalar(2.0)), axes=[-1])
            deviation = self.op("Sqrt", self.op("Add", variance, self.scalar(epsilon)))
            return self.op("Add", self.op("Mul", self.op("Div", centred, deviation), scale), bias)

    def gelu(self, name, value):
        with self.scope(name):
            if not self.torchscript:
                return self.op("Gelu", value)
            erf = self.op("Erf", self.op("Div", value, self.scalar(np.sqrt(2.0))))
            product = self.op("Mul", value, self.op("Add", erf, self.scalar(1.0)))
            return self.op("Mul", product, self.scalar(0.5))

    # The end.

    def model(self, data_file=""):
        """The whole model. `data_file` is where the holes of a model without weights lie."""
        for tensor in self.initializers:
            if tensor.data_location == TensorProto.EXTERNAL:
                tensor.external_data[0].value = data_file
        graph = helper.make_graph(self.identities + self.nodes, "main_graph", self.inputs, self.outputs,
                                  self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", FORMS[self.form])],
                                  producer_name=f"tfrt benchmarks ({self.form})")
        model.ir_version = 8 if self.torchscript else 10
        return model

    def hole_bytes(self):
        return self._hole_bytes
