"""Layers of networks: objects that hold Variables, by attribute, and are called.

    model = tfrt.nn.Sequential(tfrt.nn.Linear(4, 8), tfrt.relu, tfrt.nn.Linear(8, 3))
    gradients = tfrt.value_and_grad(loss, variables=model.named_variables())

A traced function takes a module as any other object: it has a trace for each, in which all attributes but Variables are
fixed. First weights are those of `key`, of `tfrt.random`, or of the default generator.
"""

from __future__ import annotations

import inspect as _inspect
import math as _math
from collections.abc import Iterator, Mapping
from typing import Any

from . import random as _random
from ._operands import sizes_of as _sizes_of
from ._tfrt import Tensor, Variable, i64, tensor
from ._tfrt import _ops
from ._trees import assign_all as _assign_all
from .control_flow import as_tensor

__all__ = ["Dropout", "Embedding", "LayerNorm", "Linear", "Module", "MultiHeadAttention", "Sequential"]


class Module:
    """The base of layers and networks. A class derived from it has `forward`, which calls of the object call.

    Variables, modules and generators of random numbers may be attributes, or in lists, tuples and dicts of attributes.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Computes the module's result."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'forward'")

    def named_variables(self) -> dict[str, Variable]:
        """The Variables of floats by name, as "layers.0.weight"; one with several names has the first one."""
        named = self.state_dict()
        return {name: variable for name, variable in named.items() if variable.dtype.name.startswith(("f", "bf"))}

    def variables(self) -> list[Variable]:
        """The Variables of floats, in the order of `named_variables`."""
        return list(self.named_variables().values())

    def state_dict(self) -> dict[str, Variable]:
        """All Variables by name, also those of other dtypes and the states of generators."""
        named: dict[str, Variable] = {}
        seen: set[int] = set()
        for name, variable in _walk(self, "", set()):
            if id(variable) not in seen:
                seen.add(id(variable))
                named[name] = variable
        return named

    def load_state_dict(self, values: Mapping[str, Any]) -> None:
        """Assigns tensors or arrays to the Variables of the same names; if one does not fit, to none."""
        _assign_all(self.state_dict(), values, "the state")

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {list(variable.shape)}" for name, variable in self.state_dict().items())
        return f"<{type(self).__name__} with {shapes or 'no variables'}>"


def _walk(value, name, above) -> Iterator[tuple[str, Variable]]:
    if isinstance(value, Variable):
        yield name, value
        return
    if isinstance(value, (Module, _random.Generator)):
        items = list(vars(value).items())
    elif isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, (list, tuple)):
        items = [(str(key), part) for key, part in enumerate(value)]
    else:
        return
    if id(value) in above:  # a part that holds the whole
        return
    for key, part in items:
        yield from _walk(part, f"{name}.{key}" if name else str(key), above | {id(value)})


def _size(number, name):
    if not hasattr(number, "__index__") or number < 1:
        raise ValueError(f"{name} is {number!r}, not a whole number above 0")
    return int(number)


def _constant(number, shape, dtype):
    return _ops["fill"](list(shape), tensor(number, dtype=dtype))


def _last_as(x, size):
    """The sizes of a tensor with another last one."""
    sizes = _sizes_of(x)
    if isinstance(sizes, list):
        return [*sizes[:-1], size]
    return _ops["concat"]([_ops["slice"](sizes, [0], [x.ndim - 1]), tensor([size], dtype=i64)], 0)


class Linear(Module):
    """`x @ weight + bias` of x [..., inputs]: [..., outputs]. First weights are uniform within 1 / sqrt(inputs)."""

    weight: Variable
    bias: Variable | None

    def __init__(self, inputs: int, outputs: int, *, bias: bool = True, dtype: Any = "f32", key: Any = None) -> None:
        bound = 1.0 / _math.sqrt(_size(inputs, "inputs"))
        _size(outputs, "outputs")
        of_weight, of_bias = (key, key) if key is None else _random.split(key)
        self.weight = Variable(_random.uniform((inputs, outputs), -bound, bound, dtype=dtype, key=of_weight))
        self.bias = Variable(_random.uniform((outputs,), -bound, bound, dtype=dtype, key=of_bias)) if bias else None

    def forward(self, x: Any) -> Tensor:
        """Shape [..., inputs]: [..., outputs]."""
        x, (inputs, outputs) = as_tensor(x), self.weight.shape
        rows = x if x.ndim == 2 else _ops["reshape"](x, [-1, inputs])
        if self.bias is None:
            made = _ops["matmul"](rows, self.weight)
        else:
            made = _ops["matmul_bias"](rows, self.weight, self.bias)
        return made if x.ndim == 2 else _ops["reshape"](made, _last_as(x, outputs))


class Embedding(Module):
    """Rows of a table [number, size] by integers [...]: [..., size]. First weights are normally distributed."""

    weight: Variable

    def __init__(self, number: int, size: int, *, dtype: Any = "f32", key: Any = None) -> None:
        self.weight = Variable(_random.normal((_size(number, "number"), _size(size, "size")), dtype=dtype, key=key))

    def forward(self, indices: Any) -> Tensor:
        """Integers [...]: [..., size]."""
        return _ops["gather"](self.weight, as_tensor(indices), 0)


class LayerNorm(Module):
    """x [..., size] with mean 0 and variance 1 over the last dimension, times `scale`, plus `offset`."""

    scale: Variable
    offset: Variable

    def __init__(self, size: int, *, epsilon: float = 1e-5, dtype: Any = "f32") -> None:
        self.scale = Variable(_constant(1.0, [_size(size, "size")], dtype))
        self.offset = Variable(_constant(0.0, [size], dtype))
        self.epsilon = float(epsilon)

    def forward(self, x: Any) -> Tensor:
        """Shape [..., size], and the same again."""
        return _ops["layer_norm"](as_tensor(x), self.scale, self.offset, epsilon=self.epsilon)


class Dropout(Module):
    """Zeros in place of elements with the probability `rate` in training; the others are divided by 1 - rate.

    Its generator's state is part of the module's. Without a seed it is one of the default generator's numbers.
    """

    def __init__(self, rate: float = 0.5, *, seed: int | None = None) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"rate is {rate}, but a probability is between 0 and 1")
        self.rate = float(rate)
        self.generator = _random.Generator(int(_random.default_generator().key()) if seed is None else seed)

    def forward(self, x: Any, *, training: bool = False) -> Tensor:
        """x, or with `training` a part of it."""
        return self.generator.dropout(x, self.rate) if training and self.rate else +as_tensor(x)


class Sequential(Module):
    """Layers one after the other: modules, and functions of a tensor. `training` goes to the modules that take it."""

    def __init__(self, *layers: Any) -> None:
        for layer in layers:
            if not callable(layer):
                raise TypeError(f"a layer is a module or a function, not {type(layer).__name__}")
        self.layers = list(layers)

    def forward(self, x: Any, *, training: bool = False) -> Any:
        """The result of the last layer."""
        for layer in self.layers:
            x = layer(x, training=training) if _takes_training(layer) else layer(x)
        return x

    def __len__(self) -> int:
        return len(self.layers)

    def __getitem__(self, index: int) -> Any:
        return self.layers[index]


def _takes_training(layer):
    return isinstance(layer, Module) and "training" in _inspect.signature(layer.forward).parameters


class MultiHeadAttention(Module):
    """Each place of x [batch, places, size] looks at all, or with `causal` at those up to itself, in several heads."""

    def __init__(self, size: int, heads: int, *, causal: bool = False, dropout: float = 0.0, bias: bool = True,
                 dtype: Any = "f32", key: Any = None) -> None:
        if _size(size, "size") % _size(heads, "heads"):
            raise ValueError(f"{heads} heads do not divide {size}")
        self.heads, self.causal = heads, causal
        of_inputs, of_output = (key, key) if key is None else _random.split(key)
        self.inputs = Linear(size, 3 * size, bias=bias, dtype=dtype, key=of_inputs)
        self.output = Linear(size, size, bias=bias, dtype=dtype, key=of_output)
        self.dropout = Dropout(dropout) if dropout else None

    def forward(self, x: Any, mask: Any = None, *, training: bool = False) -> Tensor:
        """x and the result are [batch, places, size]; the mask, i1, is broadcast to [batch, heads, places, places] and
        says where each looks."""
        x = as_tensor(x)
        size = self.output.weight.shape[0]
        sizes = _sizes_of(x)
        parts = _ops["reshape"](self.inputs(x), _with_heads(sizes, self.heads, size // self.heads))
        q, k, v = (_ops["gather"](parts, part, 2) for part in range(3))
        scale = 1.0 / _math.sqrt(size // self.heads)
        seen = _ops["attention"](q, k, v, mask, causal=self.causal, layout="bshd", scale=scale)
        made = self.output(_ops["reshape"](seen, sizes))
        return self.dropout(made, training=training) if self.dropout else made


def _with_heads(sizes, heads, size):
    """[batch, places, 3, heads, size]"""
    if isinstance(sizes, list):
        return [*sizes[:2], 3, heads, size]
    return _ops["concat"]([_ops["slice"](sizes, [0], [2]), tensor([3, heads, size], dtype=i64)], 0)
