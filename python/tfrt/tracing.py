"""Traced functions: ordinary code that is traced at its first call, compiled, cached, and run as one program."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import sys
import types

from . import _tfrt
from ._compiler import open_compiler
from ._rewrite import Protocol, RewriteError, rewrite, use_protocol, why_not
from ._rewrite import changes, structure
from ._tfrt import ConcreteFunction, Tensor, TensorSpec, Variable, i64, tensor
from ._tfrt import _ops
from .control_flow import _zeros, as_tensor
from .errors import FailedPreconditionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, overload
else:
    def overload(function):  # that of Python keeps it, and the module with it, beyond the end of the interpreter
        return function

__all__ = ["BoundFunction", "Function", "RewriteError", "function", "stance"]


class _Tracing(Protocol):
    """Control flow on tensors that are traced, by that of the runtime."""

    def is_tracing(self):
        return _tfrt._is_tracing()

    def is_traced(self, value):
        return type(value) is Tensor and value.is_traced

    def is_tensor(self, value):
        return type(value) is Tensor

    def to_tensor(self, value, like=None):
        return as_tensor(value, like)

    def filler(self, like):
        # It has that shape, with 0 for sizes that are not known: branches whose sizes differ have a result of an open
        # size.
        shape = [size or 0 for size in like.shape or ()]
        return _zeros(TensorSpec(like.dtype, shape))

    def cond(self, condition, then_branch, else_branch):
        return _tfrt._cond(condition, then_branch, else_branch)

    def while_loop(self, condition, body, carried):
        return _tfrt._while(lambda *values: [condition(*values)], body, list(carried))

    def for_each(self, rows, body, carried):
        return _tfrt._for(None, [rows], lambda _, *values: body(values[-1], *values[:-1]), list(carried))

    def for_range(self, begin, end, step, body, carried):
        # As a loop that counts from 0, with the numbers of the type of the bound that is traced.
        like = next(bound for bound in (begin, end, step) if self.is_traced(bound))
        if isinstance(step, Tensor):
            raise TypeError("the step of a range in a traced function is an int, not a tensor")
        if step == 0:
            raise ValueError("the step of a range is not 0")
        begin = as_tensor(begin, like)
        count = _ops["cast"](_ops["maximum"](_ops["div"](end - begin + (step - (1 if step > 0 else -1)), step), 0), i64)
        return _tfrt._for(count, [], lambda i, *values: body(begin + _ops["cast"](i, like.dtype) * step, *values),
                          list(carried))

    def row(self, rows, index):
        return _ops["gather"](rows, index, 0)

    def num_rows(self, rows):
        return _ops["shape_of"](rows)[0]

    def logical_not(self, x):
        return _ops["equal"](x, tensor(False))

    def takes_items(self, value):
        return isinstance(value, (Tensor, Variable))

    def next_number(self):
        return _tfrt._next_tensor_number()

    def attempt(self, call, exception):
        return _tfrt._attempt(call, exception)

    def check(self, condition, message):
        _ops["assert_"](condition, [], message=message)


_TRACING = _Tracing()


def _without_elements(message):
    """The error of code that asks a traced tensor for its elements. Code that was not rewritten is told why."""
    found = why_not(sys._getframe(1))
    if found is None:
        return FailedPreconditionError(message)
    place, name, why = found
    return RewriteError(place, f"'{name}' needs the elements of a tensor, which has none while a function is traced; "
                               f"'{name}' was not rewritten, because {why}; decide with tfrt.cond, tfrt.while_loop or "
                               "tfrt.for_range")


# --- Functions ---

_OPTIONS = ("input_signature", "reduce_retracing", "max_traces", "when_full", "run_eagerly", "exact", "fuse", "pack",
            "cache_folder")


class Function(_tfrt._Function):
    """A traced function; made by `tfrt.function`. Called as the function that it is made of."""

    def __init__(self, python_function, *, _name=None, **options):
        if not callable(python_function) or isinstance(python_function, (type, staticmethod, classmethod, Function)):
            raise TypeError(f"a function of Python can be traced, not {type(python_function).__name__}")
        for option in options:
            if option not in _OPTIONS:
                raise TypeError(f"a traced function has no option {option!r}, but {', '.join(_OPTIONS)}")
        is_function = isinstance(python_function, (types.FunctionType, types.MethodType))
        # The attributes of an object are not those of the function.
        functools.update_wrapper(self, python_function, updated=functools.WRAPPER_UPDATES if is_function else ())
        self.__name__ = _name_of(python_function)
        self._python_function = python_function
        self._signature = inspect.signature(python_function, follow_wrapped=not is_function)
        kinds = [parameter.kind for parameter in self._signature.parameters.values()]
        self._is_positional = all(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                                  for kind in kinds)
        super().__init__(_name or self.__name__, list(self._signature.parameters), self._is_positional, **options)

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Function: ...
    @overload
    def __get__(self, instance: object, owner: Any = None) -> BoundFunction: ...
    def __get__(self, instance, owner=None):
        """A method: each object has traces of its own."""
        return self if instance is None else BoundFunction(self, instance)

    def _bind(self, args, kwargs):
        """The arguments as the runtime takes them, where they are not one for each parameter."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        if self._is_positional:
            return bound.args
        return (bound.args, bound.kwargs)

    def _body(self, args, first_number):
        """Called by the runtime while a trace is made, or in place of it; its tensors have this number or larger
        ones."""
        if _tfrt._is_tracing():
            open_compiler()
        args, kwargs = (args, {}) if self._is_positional else args
        with use_protocol(_TRACING), changes.tracing(first_number):
            result = self._run(args, kwargs)
        if type(result) is Tensor:
            return [result], None
        return self._taken_apart(result)

    def _code(self):
        """What is called: where ops run at once, the function as it is."""
        return rewrite(self._python_function) if _tfrt._is_tracing() else self._python_function

    def _run(self, args, kwargs):
        return self._code()(*args, **kwargs)

    def _taken_apart(self, result):
        """The tensors of a result, and what builds one like it of others."""
        leaves, build, _ = structure.flatten(result)
        tensors, places = [], []
        for i, leaf in enumerate(leaves):
            if structure.is_undefined(leaf):
                leaf._fail()
            if leaf is not None:
                places.append(i)
                tensors.append(self._result(leaf))
        count = len(leaves)

        def rebuild(results):
            filled = [None] * count
            for place, one in zip(places, results):
                filled[place] = one
            return build(filled)

        return tensors, rebuild

    def _result(self, leaf):
        if isinstance(leaf, (Tensor, Variable, bool, int, float, complex)) or hasattr(leaf, "__dlpack__"):
            return as_tensor(leaf)
        raise TypeError(f"{self.__name__} returns tensors, numbers, None, and tuples, lists and dicts of them, "
                        f"not {type(leaf).__name__}")

    def concrete(self, *args, **kwargs) -> ConcreteFunction:
        """The trace for such arguments, which is made if there is none; tensors may be given as TensorSpecs."""
        return self._concrete(self._bind(args, kwargs))

    def save(self, path):
        """Writes the only trace to a file that `tfrt.load` opens without the compiler."""
        self._save(os.fspath(path))

    # As functions of Python: copies are the function, and a pickled one is its name.
    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        if not hasattr(self, "__qualname__"):
            raise TypeError(f"{self!r} cannot be pickled: it has no name of a module")
        return self.__qualname__

    def __repr__(self):
        return f"<traced function {self.__name__}{self._signature}>"


def _name_of(python_function):
    while isinstance(python_function, functools.partial):
        python_function = python_function.func
    return getattr(python_function, "__name__", type(python_function).__name__)


class BoundFunction(functools.partial):
    """A traced function as a method of an object, which is its first argument. Traces, statistics and the report are
    those of all objects together."""

    def concrete(self, *args, **kwargs) -> ConcreteFunction:
        """The trace for this object and such arguments, which is made if there is none."""
        return self.func.concrete(*self.args, *args, **kwargs)

    def save(self, path):
        """Writes the only trace to a file; with traces of several objects use `concrete(...).save(path)`."""
        self.func.save(path)

    @property
    def __name__(self) -> str:
        return self.func.__name__

    @property
    def statistics(self) -> dict[str, int]:
        """Calls, traces and their costs, by name."""
        return self.func.statistics

    def report(self) -> str:
        """Calls, traces, why the last one was made, what it cost, and how to have fewer."""
        return self.func.report()

    def clear_cache(self):
        """Drops all traces; calls make new ones."""
        self.func.clear_cache()

    def __repr__(self):
        return f"<bound {self.func!r} of {self.args[0]!r}>"


@overload
def function(python_function: Callable[..., Any], **options: Any) -> Function: ...
@overload
def function(python_function: None = None, **options: Any) -> Callable[[Callable[..., Any]], Function]: ...
def function(python_function=None, **options):
    """Makes a traced function of a function, also as a decorator; or of what is called as one: a method, a
    functools.partial, an object with `__call__`.

        @tfrt.function
        def step(x, depth):
            for _ in range(depth):
                x = tfrt.relu(x @ w)
            return x

    Tensors, arrays and variables among the arguments are tensors of the trace; numbers, texts and other objects are
    fixed when it is made, and each value has a trace of its own. `if`, `while`, `for`, `and`, `or`, `not`, `break` and
    `continue` that depend on tensors become part of the program.

    Options: input_signature (TensorSpecs), reduce_retracing, max_traces, when_full (evict, error, run_eagerly),
    run_eagerly, exact (no optimisation changes the rounding), fuse, pack, cache_folder.
    """
    if python_function is None:
        return lambda chosen: Function(chosen, **options)
    return Function(python_function, **options)


class stance(contextlib.ContextDecorator):
    """What calls in this `with` statement, or in the decorated function, do that would need a trace.

        with tfrt.stance("fail_on_retrace"):
            step(x)

    "default": they make one. "force_eager": all calls run op by op, so that breakpoints and prints work.
    "eager_on_retrace": such calls run op by op. "fail_on_retrace": such calls fail, but a function's first. It belongs
    to the code that enters it: to a task of asyncio, not to its thread. TFRT_EAGER=1 in the environment is
    "force_eager" where no stance is entered.
    """

    _NUMBERS = {"default": 0, "force_eager": 1, "eager_on_retrace": 2, "fail_on_retrace": 3}

    def __init__(self, name):
        if name not in self._NUMBERS:
            raise ValueError(f"a stance is one of {', '.join(self._NUMBERS)}, not {name!r}")
        self._number = self._NUMBERS[name]
        self._tokens = []

    def __enter__(self):
        self._tokens.append(_tfrt._enter_stance(self._number))
        return self

    def __exit__(self, *_):
        _tfrt._leave_stance(self._tokens.pop())
