"""Control flow on tensors by name, lists of tensors, and calls of the program's own functions.

In a traced function these become part of the program; outside of one they do the same at once.
"""

from . import _tfrt
from ._rewrite import changes, converted, structure
from ._rewrite.containers import register_container
from ._tfrt import Tensor, TensorSpec, Variable, i64, tensor
from ._tfrt import _from_bytes, _ops

__all__ = ["TensorArray", "cond", "for_each", "for_range", "host_call", "register_container", "scan", "while_loop"]

TensorSpec._tfrt_is_array = True  # of arguments that stand for arrays


def as_tensor(value, like=None):
    """The value as a tensor; a number as one of the type of `like`."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Variable):
        return value.read()
    if like is not None and isinstance(value, (bool, int, float, complex)):
        return tensor(value, dtype=like.dtype)
    return tensor(value)


def _zeros(spec):
    count = spec.dtype.itemsize
    for size in spec.shape:
        count *= size
    return _from_bytes(bytes(count), spec.dtype, list(spec.shape))


def _one(results):
    return results[0] if len(results) == 1 else tuple(results)


def _flat(value):
    leaves, build, _ = structure.flatten(value)
    return [as_tensor(leaf) for leaf in leaves], build


def _code(function, name):
    """The function to call for a branch or body of `name`: in a trace, where tensors decide in it, too, the function
    rewritten."""
    if not _tfrt._is_tracing():
        return function
    rewritten = converted(function)

    def call(*values):
        with changes.unchanging(name):
            return rewritten(*values)

    return call


def cond(condition, then_branch, else_branch):
    """What `then_branch()` returns if the condition, a tensor of one element, is true, else what `else_branch()` does.

    In a traced function both are called, once each, and return as many tensors of the same types.
    """
    built = []

    def run(branch):
        leaves, build = _flat(_code(branch, "cond")())
        built.append(build)
        return leaves

    results = _tfrt._cond(as_tensor(condition), lambda: run(then_branch), lambda: run(else_branch))
    return built[0](list(results))


def while_loop(condition, body, *carried):
    """`carried = body(*carried)` as long as `condition(*carried)`; the last values."""
    condition, body = _code(condition, "while_loop"), _code(body, "while_loop")

    def run_body(*values):
        return _flat(body(*values))[0]

    return _one(_tfrt._while(lambda *values: [as_tensor(condition(*values))], run_body,
                             [as_tensor(x) for x in carried]))


def for_range(count, body, *carried):
    """`carried = body(i, *carried)` for i from 0 to count - 1, an i64; the last values."""
    count, body = _ops["cast"](as_tensor(count), i64), _code(body, "for_range")
    return _one(_tfrt._for(count, [], lambda i, *values: _flat(body(i, *values))[0], [as_tensor(x) for x in carried]))


def for_each(rows, body, *carried, row=None):
    """`carried = body(*carried, row)` for each row of a tensor; the last values.

    `rows` may also be a function of Python that gives a row at each call, and None when there are no more, or an
    iterator. Then `row` is the TensorSpec of one; rows are asked for when the program runs: each call of a traced
    function goes on where the last one has stopped. Such a function cannot be saved.
    """
    body = _code(body, "for_each")
    if callable(rows) or hasattr(rows, "__next__"):
        return _for_each_asked(rows, body, carried, row)
    if row is not None:
        raise TypeError("for_each takes `row` with a function or an iterator; rows of a tensor are what they are")
    return _one(_tfrt._for(None, [as_tensor(rows)], lambda _, *values: _flat(body(*values))[0],
                           [as_tensor(x) for x in carried]))


def _for_each_asked(rows, body, carried, row):
    if not isinstance(row, TensorSpec):
        raise TypeError("for_each over a function or an iterator needs row=TensorSpec(...): what its rows are")
    if row.shape is None or None in row.shape:
        raise ValueError(f"for_each needs rows of known sizes, not {row!r}")
    source = rows if callable(rows) else lambda: next(rows, None)

    def ask_host():
        try:
            made = source()
        except StopIteration:
            made = None
        return (made is not None, _zeros(row) if made is None else made)

    ask_host.__name__ = getattr(rows, "__name__", "for_each")

    def ask():
        return host_call(ask_host, [], [TensorSpec("i1", []), row])

    def step(_, now, *values):
        made = _flat(body(*values, now))[0]
        return [*ask(), *made]

    return _one(_tfrt._while(lambda more, *_: [more], step, [*ask(), *(as_tensor(x) for x in carried)])[2:])


def scan(body, carried, rows):
    """`carried, y = body(carried, row)` for each row of a tensor; the last `carried`, and the ys stacked."""
    body = _code(body, "scan")

    def run(_, value, row):
        carried, y = body(value, row)
        return [as_tensor(carried), as_tensor(y)]

    last, stacked = _tfrt._for(None, [as_tensor(rows)], run, [as_tensor(carried)])
    return last, stacked


def host_call(function, inputs, results):
    """Calls a function of Python with tensors, each time that the program runs; it may block.

    `results` is a list of TensorSpecs, or one. A function with host calls cannot be saved.
    """
    single = isinstance(results, TensorSpec)

    def run(*tensors):
        made = function(*tensors)
        return [as_tensor(made)] if single else [as_tensor(one) for one in made]

    made = _tfrt._host_call(getattr(function, "__name__", "host_call"), run, [as_tensor(x) for x in inputs],
                            [results] if single else list(results))
    return made[0] if single else tuple(made)


class TensorArray:
    """A list of tensors of one dtype and shape that grows, in loops that depend on tensors, too.

        outputs = tfrt.TensorArray("f32", [2])
        for i in tfrt.range(n): ...
            outputs = outputs.write(i, y)
        return outputs.stack()

    It never changes: `write` and `append` give a new one.
    """

    __slots__ = ("_rows",)

    def __init__(self, dtype, shape=()):
        """An empty one, of elements like these, whose sizes are known."""
        self._rows = _zeros(TensorSpec(dtype, [0, *shape]))

    @classmethod
    def of(cls, rows):
        """One of the rows of a tensor."""
        made = cls.__new__(cls)
        made._rows = as_tensor(rows)
        return made

    def write(self, index, value):
        """The same with a tensor at an index. Behind its end it grows; elements between are 0."""
        return self.of(_ops["list_write"](self._rows, _ops["cast"](as_tensor(index), i64),
                                          as_tensor(value, self._rows)))

    def append(self, value):
        return self.write(self.size(), value)

    def read(self, index):
        """The tensor at an index."""
        return _ops["gather"](self._rows, as_tensor(index), 0)

    def size(self):
        """How many there are, an i64."""
        return _ops["cast"](_ops["shape_of"](self._rows)[0], i64)

    def stack(self):
        """All in one tensor, [size, ...]."""
        return self._rows

    def __repr__(self):
        return f"<TensorArray of {self._rows.dtype!r}>"


# So that traced functions, and their branches and loops, take it for the tensor that it is.
register_container(TensorArray, lambda array: ((array.stack(),), None), lambda parts, _: TensorArray.of(parts[0]))
