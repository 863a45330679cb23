"""Traced functions: ordinary code that is recorded at its first call, compiled, cached, and run as one program."""

import functools
import inspect

from . import _tfrt
from ._rewrite import Protocol, RewriteError, rewrite, use_protocol
from ._rewrite import structure
from ._rewrite.protocol import protocol
from ._tfrt import ConcreteFunction, Tensor, TensorSpec, Variable, i1, i64, tensor
from ._tfrt import _ops

__all__ = ["ConcreteFunction", "Function", "RewriteError", "TensorSpec", "cond", "for_range", "function", "host_call", "scan",
           "while_loop"]


def _as_tensor(value, like=None):
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Variable):
        return value.read()
    if like is not None and isinstance(value, (bool, int, float, complex)):
        return tensor(value, dtype=like.dtype)
    return tensor(value)


class _Recording(Protocol):
    """Control flow on tensors that are traced, by that of the runtime."""

    def is_traced(self, value):
        return type(value) is Tensor and value.is_traced

    def to_tensor(self, value, like=None):
        return _as_tensor(value, like)

    def cond(self, condition, then_branch, else_branch):
        return _tfrt._cond(condition, then_branch, else_branch)

    def while_loop(self, condition, body, carried):
        return _tfrt._while(lambda *values: [condition(*values)], body, list(carried))

    def for_each(self, rows, body, carried):
        return _tfrt._for(None, [rows], lambda _, *values: body(values[-1], *values[:-1]), list(carried))

    def for_range(self, begin, end, step, body, carried):
        # As a loop that counts from 0, with the numbers of the type of the bound that is traced.
        like = next(bound for bound in (begin, end, step) if self.is_traced(bound))
        begin, step = _as_tensor(begin, like), _as_tensor(step, like)
        count = _ops["cast"](_ops["maximum"](_ops["div"](end - begin + (step - (1 if self._is_up(step) else -1)), step), 0), i64)
        return _tfrt._for(count, [], lambda i, *values: body(begin + _ops["cast"](i, like.dtype) * step, *values), list(carried))

    @staticmethod
    def _is_up(step):
        if step.is_traced:
            raise TypeError("the step of a range in a traced function is an int")
        return step.item() > 0

    def row(self, rows, index):
        return _ops["gather"](rows, index, 0)

    def num_rows(self, rows):
        return _ops["shape_of"](rows)[0]

    def logical_not(self, x):
        return _ops["equal"](x, tensor(False))

    def logical_and(self, x, y):
        return _ops["minimum"](x, y) if x.dtype != i1 else _tfrt._cond(x, lambda: [y], lambda: [tensor(False)])[0]

    def logical_or(self, x, y):
        return _tfrt._cond(x, lambda: [tensor(True)], lambda: [y])[0]

    def check(self, condition, message):
        _ops["assert_"](condition, [tensor(list(message.encode()) or [0], dtype="u8")])


_RECORDING = _Recording()


def _one(results):
    return results[0] if len(results) == 1 else tuple(results)


def _flat(value):
    leaves, build, _ = structure.flatten(value)
    return [_as_tensor(leaf) for leaf in leaves], build


# --- Control flow by name ---

def cond(condition, then_branch, else_branch):
    """What `then_branch()` returns if the condition, a tensor of one element, is true, else what `else_branch()` does.

    In a traced function both are called, once each, and return as many tensors of the same types.
    """
    built = []

    def run(branch):
        leaves, build = _flat(branch())
        built.append(build)
        return leaves

    results = _tfrt._cond(_as_tensor(condition), lambda: run(then_branch), lambda: run(else_branch))
    return built[0](list(results))


def while_loop(condition, body, *carried):
    """`carried = body(*carried)` as long as `condition(*carried)`; the last values."""
    def run_body(*values):
        return _flat(body(*values))[0]

    return _one(_tfrt._while(lambda *values: [_as_tensor(condition(*values))], run_body, [_as_tensor(x) for x in carried]))


def for_range(count, body, *carried):
    """`carried = body(i, *carried)` for i from 0 to count - 1, an i64; the last values."""
    count = _ops["cast"](_as_tensor(count), i64)
    return _one(_tfrt._for(count, [], lambda i, *values: _flat(body(i, *values))[0], [_as_tensor(x) for x in carried]))


def scan(body, carried, rows):
    """`carried, y = body(carried, row)` for each row of a tensor; the last `carried`, and the ys stacked."""
    def run(_, value, row):
        carried, y = body(value, row)
        return [_as_tensor(carried), _as_tensor(y)]

    last, stacked = _tfrt._for(None, [_as_tensor(rows)], run, [_as_tensor(carried)])
    return last, stacked


def host_call(function, inputs, results):
    """Calls a function of Python with tensors, each time that the program runs; it may block.

    `results` is a list of TensorSpecs, or one. A function with host calls cannot be saved.
    """
    single = isinstance(results, TensorSpec)

    def run(*tensors):
        made = function(*tensors)
        return [_as_tensor(made)] if single else [_as_tensor(one) for one in made]

    made = _tfrt._host_call(getattr(function, "__name__", "host_call"), run, [_as_tensor(x) for x in inputs],
                            [results] if single else list(results))
    return made[0] if single else tuple(made)


# --- Functions ---

class Function:
    """A traced function; made by `tfrt.function`. Called as the function that it is made of."""

    def __init__(self, python_function, **options):
        functools.update_wrapper(self, python_function)
        self._python_function = python_function
        self._run_eagerly = options.get("run_eagerly", False)
        self._rewritten = None
        self._signature = inspect.signature(python_function)
        kinds = [parameter.kind for parameter in self._signature.parameters.values()]
        self._is_positional = all(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                                  for kind in kinds)
        self._count = len(kinds)
        self._impl = _tfrt._Function(python_function.__name__, list(self._signature.parameters) if self._is_positional else [],
                                     **options)
        # How results are built, by what is no tensor among the arguments, and the number of results.
        self._builds = {}
        self._methods = None

    def __call__(self, *args, **kwargs):
        if kwargs or len(args) != self._count or not self._is_positional:
            args = self._bind(args, kwargs)
        if not self._run_eagerly and not _tfrt._compiler_is_open():
            self._open_compiler()
        result = self._impl.call(args, self._body)
        if type(result) is Tensor:
            return result
        key, tensors = result
        return self._builds[key, len(tensors)][0](tensors)

    def __get__(self, instance, owner=None):
        """A method: each object has traces of its own."""
        return self if instance is None else functools.partial(self, instance)

    def _bind(self, args, kwargs):
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        if self._is_positional:
            return bound.args
        return (bound.args, bound.kwargs)

    @staticmethod
    def _open_compiler():
        import os
        from ._compiler import open_compiler
        if os.environ.get("TFRT_EAGER") != "1":
            open_compiler()

    def _body(self, key, args):
        """Called by the runtime while a trace is made, or in place of it."""
        if self._rewritten is None:
            self._rewritten = rewrite(self._python_function)
        with use_protocol(_RECORDING):
            result = self._rewritten(*args) if self._is_positional else self._rewritten(*args[0], **args[1])
        leaves, build, shape = structure.flatten(result)
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

        known = self._builds.setdefault((key, len(tensors)), (rebuild, shape, places))
        if known[1:] != (shape, places):
            raise TypeError(f"{self.__name__} returned another structure before for the same arguments but for their types and "
                            "shapes; return one structure, or make the choice an argument")
        return tensors, type(result) is Tensor

    def _result(self, leaf):
        if isinstance(leaf, (Tensor, Variable, bool, int, float, complex)) or hasattr(leaf, "__dlpack__"):
            return _as_tensor(leaf)
        raise TypeError(f"{self.__name__} returns tensors, numbers, None, and tuples, lists and dicts of them, "
                        f"not {type(leaf).__name__}")

    def concrete(self, *args, **kwargs):
        """The trace for such arguments, which is made if there is none; tensors may be given as TensorSpecs."""
        self._open_compiler()
        return self._impl.concrete(self._bind(args, kwargs), self._body)

    def save(self, path):
        """Writes the only trace to a file that `tfrt.load` opens without the compiler."""
        import os
        self._impl.save(os.fspath(path))

    def report(self):
        """Calls, traces, why the last one was made, what it cost, and how to have fewer."""
        return self._impl.report()

    @property
    def statistics(self):
        return self._impl.statistics()

    def clear_cache(self):
        """Drops all traces; calls make new ones."""
        self._impl.clear_cache()

    def __repr__(self):
        return f"<traced function {self.__name__}{self._signature}>"


def function(python_function=None, **options):
    """Makes a traced function of a function, also as a decorator.

        @tfrt.function
        def step(x, depth):
            for _ in range(depth):
                x = tfrt.relu(x @ w)
            return x

    Tensors, arrays and variables among the arguments are tensors of the trace; numbers, texts and other objects are
    fixed when it is made, and each value has a trace of its own. `if`, `while`, `for`, `and`, `or`, `not`, `break` and
    `continue` that depend on tensors become part of the program.

    Options: input_signature (TensorSpecs), reduce_retracing, max_traces, when_full (evict, error, run_eagerly), run_eagerly,
    exact (no optimisation changes the rounding), fuse, pack, cache_folder.
    """
    if python_function is None:
        return lambda chosen: Function(chosen, **options)
    return Function(python_function, **options)
