"""Optimizers, whose update of all variables is one call of a traced function, learning rates over time, and clipping.

    optimizer = tfrt.optim.AdamW(1e-3)
    gradients = tfrt.value_and_grad(loss, variables=weights)
    value, by = gradients(x, y)
    optimizer.update(weights, by)

In a traced function of its own the update becomes part of that program. What an optimizer keeps are Variables:
`state_dict()` has them, and `tfrt.save` writes them.
"""

from __future__ import annotations

import math as _math
from collections.abc import Callable, Mapping
from functools import partial as _partial
from typing import Any, Union

from . import _tfrt
from ._operands import known_shape as _known_shape, like as _like
from ._rewrite import structure as _structure
from ._tfrt import Tensor, Variable, bf16, f16, f32, f64, i64, tensor
from ._tfrt import _from_bytes, _ops
from ._trees import assign_all as _assign_all, variables_by_name as _variables_by_name
from .control_flow import as_tensor

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "RMSprop", "clip_by_global_norm", "clip_by_value", "constant", "cosine",
           "exponential", "linear_warmup", "step"]

Schedule = Callable[[Any], Tensor]
Rate = Union[float, Schedule]

_add, _sub, _mul, _div = _ops["add"], _ops["sub"], _ops["mul"], _ops["div"]
_sqrt, _pow, _minimum, _maximum, _select = _ops["sqrt"], _ops["pow"], _ops["minimum"], _ops["maximum"], _ops["select"]


# --- Learning rates over time ---

def _number(value):
    return tensor(float(value), dtype=f64)


def _at(step):
    """The number of the step, f64."""
    step = as_tensor(step)
    return step if step.dtype == f64 else _ops["cast"](step, f64)


def _positive_steps(steps):
    if not steps > 0:
        raise ValueError(f"a schedule needs a number of steps above 0, not {steps}")
    return float(steps)


def _constant(rate, step):
    return _add(_number(rate), _mul(_at(step), _number(0.0)))


def constant(rate: float) -> Schedule:
    """The same rate at each step."""
    return _partial(_constant, rate)


def _cosine(rate, steps, final, step):
    part = _minimum(_div(_at(step), _number(steps)), _number(1.0))
    half = _mul(_add(_ops["cos"](_mul(part, _number(_math.pi))), _number(1.0)), _number(0.5))
    return _add(_number(final), _mul(half, _number(rate - final)))


def cosine(rate: float, steps: int, final: float = 0.0) -> Schedule:
    """From `rate` to `final` in so many steps along half a cosine, then `final`."""
    return _partial(_cosine, rate, _positive_steps(steps), final)


def _linear_warmup(after, steps, start, step):
    step = _at(step)
    later = _maximum(_sub(step, _number(steps)), _number(0.0))
    part = _div(_minimum(step, _number(steps)), _number(steps))
    rising = _add(_number(start), _mul(part, _sub(_like(after(_number(0.0)), part), _number(start))))
    return _select(_ops["less"](step, _number(steps)), rising, _like(after(later), part))


def linear_warmup(rate: Rate, steps: int, start: float = 0.0) -> Schedule:
    """From `start` to `rate` in so many steps, then that rate, or what a schedule gives for the steps that follow."""
    return _partial(_linear_warmup, rate if callable(rate) else constant(rate), _positive_steps(steps), start)


def _step(rate, every, factor, step):
    return _mul(_number(rate), _pow(_number(factor), _ops["floor"](_div(_at(step), _number(every)))))


def step(rate: float, every: int, factor: float = 0.1) -> Schedule:
    """`rate * factor^k` after k times `every` steps."""
    return _partial(_step, rate, _positive_steps(every), factor)


def _exponential(rate, factor, every, step):
    return _mul(_number(rate), _pow(_number(factor), _div(_at(step), _number(every))))


def exponential(rate: float, factor: float, every: int = 1) -> Schedule:
    """`rate * factor^(step / every)`."""
    return _partial(_exponential, rate, factor, _positive_steps(every))


# --- Clipping ---

def _taken_apart(tree):
    leaves, build, _ = _structure.flatten(tree)
    return [as_tensor(leaf) for leaf in leaves], build


def clip_by_global_norm(gradients: Any, max_norm: float) -> tuple[Any, Tensor]:
    """Gradients, built as they were, whose norm in all is at most `max_norm`; and the norm before, f32 or f64."""
    if not max_norm > 0:
        raise ValueError(f"max_norm is {max_norm}, not a number above 0")
    leaves, build = _taken_apart(gradients)
    dtype = f64 if any(leaf.dtype == f64 for leaf in leaves) else f32
    total = tensor(0.0, dtype=dtype)
    for leaf in leaves:
        wide = leaf if leaf.dtype == dtype else _ops["cast"](leaf, dtype)
        total = _add(total, _ops["reduce_sum"](_mul(wide, wide), list(range(leaf.ndim))))
    norm, most = _sqrt(total), tensor(float(max_norm), dtype=dtype)
    factor = _div(most, _maximum(norm, most))
    return build([_mul(leaf, _like(factor, leaf)) for leaf in leaves]), norm


def clip_by_value(gradients: Any, low: float, high: float) -> Any:
    """Gradients, built as they were, whose elements are at least `low` and at most `high`."""
    if not low <= high:
        raise ValueError(f"low is {low}, but high is {high}")
    leaves, build = _taken_apart(gradients)
    return build([_ops["clip"](leaf, tensor(float(low), dtype=leaf.dtype), tensor(float(high), dtype=leaf.dtype))
                  for leaf in leaves])


# --- Optimizers ---

class Optimizer:
    """The base of optimizers: the learning rate, the number of steps, and Variables for each variable of a network.

    Slots of variables in 16 bits are f32, and updates are computed in f32.
    """

    _SLOTS: tuple[str, ...] = ()

    def __init__(self, learning_rate: Rate, weight_decay: float = 0.0) -> None:
        """`learning_rate` is a number, which may be assigned anew, or a schedule, a function of the step's number."""
        self._steps = Variable(0, dtype=i64)
        self._schedule: Any = learning_rate if callable(learning_rate) else None
        self._rate: Any = None if callable(learning_rate) else Variable(float(learning_rate), dtype=f64)
        self._weight_decay = _not_negative(weight_decay, "weight_decay")
        self._variables: dict[str, Variable] = {}
        self._slots: dict[str, list[Variable]] = {}
        self._traced: Any = None

    @property
    def learning_rate(self) -> Tensor:
        """That of the next step, f64."""
        return self._schedule(self._steps.read()) if self._schedule else self._rate.read()

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        if self._schedule:
            raise ValueError("the learning rate is that of a schedule, and cannot be assigned")
        self._rate.assign(_number(rate))

    @property
    def steps(self) -> Tensor:
        """The number of updates so far, i64."""
        return self._steps.read()

    def init(self, variables: Any) -> None:
        """Makes what the optimizer keeps for these variables: a module, or a tree. The first update does it, too."""
        named = _variables_by_name(variables)
        if self._variables:
            if list(map(id, named.values())) != list(map(id, self._variables.values())):
                raise ValueError("an optimizer updates the variables that it was first given, and no others")
            return
        if not named:
            raise ValueError("there are no variables to update")
        for name, variable in named.items():
            if variable.dtype not in (bf16, f16, f32, f64):
                raise TypeError(f"the variable {name!r} is of {variable.dtype}, not of floats")
        self._slots = {slot: [_zeros_for(variable) for variable in named.values()] for slot in self._SLOTS}
        self._variables = named

    def update(self, variables: Any, gradients: Any) -> None:
        """One step: changes the variables, a module or a tree, by their gradients, as many in the same order."""
        self.init(variables)
        leaves, _ = _taken_apart(gradients)
        if len(leaves) != len(self._variables):
            raise ValueError(f"{len(leaves)} gradients for {len(self._variables)} variables")
        for (name, variable), gradient in zip(self._variables.items(), leaves):
            if gradient.dtype != variable.dtype:
                raise TypeError(f"the variable {name!r} is of {variable.dtype}, but its gradient of {gradient.dtype}")
            sizes = _known_shape(gradient)
            if sizes is not None and sizes != list(variable.shape):
                raise ValueError(f"the variable {name!r} has the shape {tuple(variable.shape)}, but its gradient "
                                 f"{tuple(sizes)}")
        if _tfrt._is_tracing():
            self._update_all(leaves)
            return
        if self._traced is None:
            from .tracing import function
            self._traced = function(self._update_all)
        self._traced(leaves)

    def _update_all(self, gradients):
        from .tracing import function
        rate = _ops["reshape"](_at(self.learning_rate), [])
        step = _ops["cast"](self._steps.assign_add(tensor(1, dtype=i64)), f64)
        scales = self._scales(rate, step)
        slots = list(zip(*self._slots.values())) if self._slots else [()] * len(gradients)
        for variable, gradient, kept in zip(self._variables.values(), gradients, slots):
            # A function for each: otherwise the ops of all would count as a loop at the line of the call.
            function(_partial(self._update_one, variable, kept))(gradient, *scales)

    def _update_one(self, variable, slots, gradient, *scales):
        dtype = f64 if variable.dtype == f64 else f32
        value = variable.read()
        if variable.dtype != dtype:
            value, gradient = _ops["cast"](value, dtype), _ops["cast"](gradient, dtype)
        made = self._updated(value, gradient, [_ops["cast"](scale, dtype) for scale in scales], slots)
        variable.assign(made if variable.dtype == dtype else _ops["cast"](made, variable.dtype))

    def _scales(self, rate, step):
        """The factors that are the same for all variables, in f64."""
        return [rate]

    def _updated(self, value, gradient, scales, slots):
        """The new value; assigns the slots."""
        raise NotImplementedError

    def _decayed(self, value, gradient):
        """The gradient of the loss and of the squares of the weights."""
        return _add(gradient, _mul(value, _c(self._weight_decay, value))) if self._weight_decay else gradient

    def __getstate__(self) -> dict[str, Any]:
        # A copy has other variables, and needs a program of its own.
        return {**vars(self), "_traced": None}

    def state_dict(self) -> dict[str, Variable]:
        """The Variables that are kept, by name: of the slots, as "momentum.NAME", with the names of the variables."""
        kept = {"steps": self._steps}
        if self._rate is not None:
            kept["learning_rate"] = self._rate
        for slot, variables in self._slots.items():
            kept.update(zip((f"{slot}.{name}" for name in self._variables), variables))
        return kept

    def load_state_dict(self, values: Mapping[str, Any]) -> None:
        """Assigns what `state_dict` gave; after `init`, which tells the variables."""
        _assign_all(self.state_dict(), values, "the state")


def _c(number, like):
    return tensor(float(number), dtype=like.dtype)


def _zeros_for(variable):
    dtype, shape = (f64 if variable.dtype == f64 else f32), list(variable.shape)
    return Variable(_from_bytes(bytes(dtype.itemsize * _math.prod(shape)), dtype, shape))


def _not_negative(number, name):
    if not number >= 0:
        raise ValueError(f"{name} is {number}, not 0 or more")
    return float(number)


def _part(number, name):
    if not 0 <= number < 1:
        raise ValueError(f"{name} is {number}, not 0 or more and below 1")
    return float(number)


def _mixed(old, new, keep):
    """`keep * old + (1 - keep) * new`"""
    return _add(_mul(old, _c(keep, old)), _mul(new, _c(1.0 - keep, new)))


class SGD(Optimizer):
    """Gradient descent: `b = momentum * b + g`, `x -= rate * b`, or with `nesterov` `x -= rate * (g + momentum * b)`.

    g includes `weight_decay * x`.
    """

    def __init__(self, learning_rate: Rate, momentum: float = 0.0, *, nesterov: bool = False,
                 weight_decay: float = 0.0) -> None:
        super().__init__(learning_rate, weight_decay)
        self._momentum, self._nesterov = _part(momentum, "momentum"), nesterov
        if nesterov and not momentum:
            raise ValueError("nesterov needs a momentum above 0")
        self._SLOTS = ("momentum",) if momentum else ()

    def _updated(self, value, gradient, scales, slots):
        by = self._decayed(value, gradient)
        if self._momentum:
            of = _c(self._momentum, value)
            kept = slots[0].assign(_add(_mul(slots[0].read(), of), by))
            by = _add(by, _mul(kept, of)) if self._nesterov else kept
        return _sub(value, _mul(by, scales[0]))


class Adam(Optimizer):
    """Adam: the mean m and the mean square v of gradients; `x -= rate * m' / (sqrt(v') + epsilon)`.

    m' and v' are m and v over `1 - beta^step`. The gradients include `weight_decay * x`.
    """

    _SLOTS = ("mean", "square")

    def __init__(self, learning_rate: Rate = 1e-3, betas: tuple[float, float] = (0.9, 0.999), epsilon: float = 1e-8, *,
                 weight_decay: float = 0.0) -> None:
        super().__init__(learning_rate, weight_decay)
        self._betas = tuple(_part(beta, "a beta") for beta in betas)
        self._epsilon = _not_negative(epsilon, "epsilon")

    def _scales(self, rate, step):
        of_mean, of_square = (_sub(_number(1.0), _pow(_number(beta), step)) for beta in self._betas)
        return [rate, _div(rate, of_mean), _sqrt(of_square)]

    def _updated(self, value, gradient, scales, slots):
        return self._moved(value, self._decayed(value, gradient), scales, slots)

    def _moved(self, value, gradient, scales, slots):
        mean = slots[0].assign(_mixed(slots[0].read(), gradient, self._betas[0]))
        square = slots[1].assign(_mixed(slots[1].read(), _mul(gradient, gradient), self._betas[1]))
        root = _add(_div(_sqrt(square), scales[2]), _c(self._epsilon, value))
        return _sub(value, _mul(scales[1], _div(mean, root)))


class AdamW(Adam):
    """Adam whose weights shrink apart from the gradients: first `x -= rate * weight_decay * x`."""

    def __init__(self, learning_rate: Rate = 1e-3, betas: tuple[float, float] = (0.9, 0.999), epsilon: float = 1e-8, *,
                 weight_decay: float = 0.01) -> None:
        super().__init__(learning_rate, betas, epsilon, weight_decay=weight_decay)

    def _updated(self, value, gradient, scales, slots):
        value = _sub(value, _mul(value, _mul(scales[0], _c(self._weight_decay, value))))
        return self._moved(value, gradient, scales, slots)


class RMSprop(Optimizer):
    """`v = decay * v + (1 - decay) * g^2`, `x -= rate * g / (sqrt(v) + epsilon)`.

    With `centered` v loses the square of the mean of gradients. With `momentum` x goes by `b = momentum * b + g / ...`.
    g includes `weight_decay * x`.
    """

    def __init__(self, learning_rate: Rate = 1e-2, decay: float = 0.99, epsilon: float = 1e-8, *, momentum: float = 0.0,
                 centered: bool = False, weight_decay: float = 0.0) -> None:
        super().__init__(learning_rate, weight_decay)
        self._decay, self._momentum = _part(decay, "decay"), _part(momentum, "momentum")
        self._epsilon, self._centered = _not_negative(epsilon, "epsilon"), centered
        self._SLOTS = ("square", *(["mean"] if centered else []), *(["momentum"] if momentum else []))

    def _updated(self, value, gradient, scales, slots):
        kept, by = dict(zip(self._SLOTS, slots)), self._decayed(value, gradient)
        square = kept["square"].assign(_mixed(kept["square"].read(), _mul(by, by), self._decay))
        if self._centered:
            mean = kept["mean"].assign(_mixed(kept["mean"].read(), by, self._decay))
            square = _sub(square, _mul(mean, mean))
        by = _div(by, _add(_sqrt(square), _c(self._epsilon, value)))
        if self._momentum:
            by = kept["momentum"].assign(_add(_mul(kept["momentum"].read(), _c(self._momentum, value)), by))
        return _sub(value, _mul(by, scales[0]))
