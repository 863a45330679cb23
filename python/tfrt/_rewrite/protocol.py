"""What rewritten functions need of whoever traces them."""

import contextlib
import contextvars


class RewriteError(Exception):
    """Something that cannot be rewritten, with its place: "train.py:7: MESSAGE"."""

    def __init__(self, place, message):
        super().__init__(f"{place[0]}:{place[1]}: {message}" if place else message)
        self.file, self.line = place or (None, None)


class Protocol:
    """Control flow on traced tensors. This one has none: all conditions are values of Python."""

    def is_tracing(self):
        """Whether code runs to be traced, and will not run when the program does."""
        return False

    def is_traced(self, value):
        """Whether the value is a tensor that has no elements while a function is traced."""
        return False

    def is_tensor(self, value):
        """Whether the value is a tensor, traced or with elements."""
        return self.is_traced(value)

    def to_tensor(self, value, like=None):
        """A traced tensor of a number, of the type of the tensor `like` if there is one.

        TypeError for what has none.
        """
        raise TypeError(f"{type(value).__name__} does not become a tensor")

    def filler(self, like):
        """A tensor of the type of the tensor `like`, of another branch, whose elements nobody uses."""
        raise NotImplementedError

    def cond(self, condition, then_branch, else_branch):
        """Calls both branches, functions without arguments that return lists of tensors, once each; returns the
        list."""
        raise NotImplementedError

    def while_loop(self, condition, body, carried):
        """Calls `condition(*carried)`, a tensor, and `body(*carried)`, a list; returns the list of last values."""
        raise NotImplementedError

    def for_each(self, rows, body, carried):
        """`body(row, *carried)` for each row of a tensor; returns the list of last values."""
        raise NotImplementedError

    def for_range(self, begin, end, step, body, carried):
        """`body(i, *carried)` for each number of a range with a traced bound."""
        raise NotImplementedError

    def row(self, rows, index):
        """One row of a tensor."""
        raise NotImplementedError

    def num_rows(self, rows):
        """Their number, as a traced tensor or an int."""
        raise NotImplementedError

    def logical_not(self, x):
        raise NotImplementedError

    def takes_items(self, value):
        """Whether items of the value may be assigned where tensors decide: what it becomes is known to the program."""
        return self.is_tensor(value)

    def next_number(self):
        """That of the next tensor that is made; later ones have larger numbers."""
        return 0

    def attempt(self, call, exception):
        """Calls `call`. If it raises an exception of that class, what it has traced is dropped."""
        return call()

    def check(self, condition, message):
        """The assertion of a traced condition."""
        raise NotImplementedError


_current = contextvars.ContextVar("tfrt_protocol", default=Protocol())  # noqa: B039  # nobody changes it

# How many branches and loops that depend on tensors the code is in. Each thread and task has its own number: several
# trace at the same time.
depth = contextvars.ContextVar("tfrt_depth", default=0)

# How many of these have what follows them in both of their branches.
doublings = contextvars.ContextVar("tfrt_doublings", default=0)


def protocol():
    """That of the code that runs."""
    return _current.get()


@contextlib.contextmanager
def use_protocol(chosen):
    token = _current.set(chosen)
    try:
        yield chosen
    finally:
        _current.reset(token)
