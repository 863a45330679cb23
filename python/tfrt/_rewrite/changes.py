"""Item assignment while a function is traced.

A tensor that a branch or loop changes, when tensors decide whether it runs, is a result of that branch or loop. The
`Notes` of each name the tensors that its code changes, and give these back the values from before. Then they get those
of the result.
"""

import contextlib
import contextvars
import os
import sys
import weakref

from .protocol import RewriteError, protocol

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class _Trace:
    """The function that is traced."""

    def __init__(self, first_number):
        self.first_number = first_number  # tensors with smaller ones are of outside
        self.notes = []  # of the branches and loops that the code is in
        self.twins = {}  # id: [(the tensor, one that may be the same to the program, place)], weak references


_current = contextvars.ContextVar("tfrt_changes", default=None)


@contextlib.contextmanager
def tracing(first_number):
    """For the code of a function that is traced, whose tensors have this number or a larger one."""
    token = _current.set(_Trace(first_number))
    try:
        yield
    finally:
        _current.reset(token)


class Again(Exception):
    """Tells the construct `owner` to be traced again, with these tensors among its results."""

    def __init__(self, owner, changed):
        super().__init__("a branch or loop is traced again")
        self.owner, self.changed = owner, changed


class Notes:
    """The tensors that some code changes, and that were there before it. They are as before when it ends."""

    def __init__(self, place, why_none=None, own=()):
        """`own`: tensors that are made for the code alone.

        Where it changes others, `why_none` is the error, if it is given.
        """
        self.place, self.why_none, self.own = place, why_none, own
        self.before = {}  # id: (tensor, one with the value that it had)
        self.assigned = {}  # id: tensor; also those that the code has made

    def __enter__(self):
        numbers = [tensor._number for tensor in self.own if hasattr(tensor, "_number")]
        self.first_number = min(numbers, default=protocol().next_number())
        self.trace = _current.get()
        if self.trace:
            self.trace.notes.append(self)
        return self

    def __exit__(self, *_):
        if self.trace:
            self.trace.notes.pop()
        for tensor, value in self.before.values():
            tensor._replace(value)

    def note(self, tensor):
        self.assigned[id(tensor)] = tensor
        if self.is_outside(tensor) and id(tensor) not in self.before:
            if self.why_none:
                raise RewriteError(_place_of_caller() or self.place, self.why_none)
            self.before[id(tensor)] = tensor, tensor.__copy__()

    def is_outside(self, tensor):
        return getattr(tensor, "_number", self.first_number) < self.first_number

    def results(self, owner, tensors, changed):
        """The tensors, and then the values of those that are changed; Again if others are."""
        known = {id(tensor) for tensor in changed}
        others = [tensor for tensor, _ in self.before.values() if id(tensor) not in known]
        if others:
            raise Again(owner, [*changed, *others])
        # Copies: the notes give the tensors other values before the caller reads them.
        return [tensor.__copy__() for tensor in (*tensors, *changed)] if changed else list(tensors)


def assign(tensor, made):
    """Makes a tensor what another one is."""
    if protocol().is_tracing():
        _note(tensor)
    tensor._replace(made)


def _note(tensor):
    trace = _current.get()
    if trace is None:
        return
    if tensor._number < trace.first_number:
        raise RewriteError(_place_of_caller(),
                           "a tensor of outside of the traced function would change while that is traced, and "
                                               "not when its program runs; pass it as an argument, assign to a copy, "
                                               "or use a tfrt.Variable")
    for weak, other, place in trace.twins.get(id(tensor), ()):
        if weak() is tensor and other() is not None:
            raise RewriteError(_place_of_caller(),
                               f"whether another tensor changes, too, depends on the branch or loop at "
                                                   f"{place[0]}:{place[1]}, behind which it may be the same; assign to "
                                                   "a copy, such as copy.copy(x)")
    for notes in trace.notes:
        notes.note(tensor)


def note_twins(tensors, others, place):
    """Each of `tensors` may be another of them, or one of `others`, to the program: no assignment to one of two is
    right."""
    trace = _current.get()
    if trace is None:
        return
    for tensor in tensors:
        for other in (*tensors, *others):
            if other is not tensor:
                for one, two in ((tensor, other), (other, tensor)):
                    trace.twins.setdefault(id(one), []).append((weakref.ref(one), weakref.ref(two), place))


def twins_of(tensor):
    """Those that may be the same tensor to the program, and that something still holds."""
    trace = _current.get()
    rows = trace.twins.get(id(tensor), ()) if trace else ()
    found = [other() for weak, other, _ in rows if weak() is tensor]
    return [other for other in found if other is not None]


def unchanging(name):
    """For the code of a function that is given to `name`, in which tensors of outside of it must not change."""
    if not protocol().is_tracing():
        return contextlib.nullcontext()
    return Notes(None, f"a function that is given to tfrt.{name} changes a tensor of outside of it; return the new one "
                       "instead")


def change_arguments(function, tensors, changed, made):
    """Gives the tensors among the arguments of a call, those with the numbers `changed`, the values that it leaves them
    with."""
    from .._tfrt import Tensor
    for number in changed:
        if type(tensors[number]) is not Tensor:
            raise TypeError(f"{function.__name__} assigns items of an argument, which is a "
                            f"{type(tensors[number]).__name__} here; pass a tensor")
        if sum(tensor is tensors[number] for tensor in tensors) > 1:
            raise ValueError(f"{function.__name__} assigns items of an argument, which is given twice; pass a copy, "
                             "such as copy.copy(x)")
    for number, value in zip(changed, made):
        assign(tensors[number], value)


def _place_of_caller():
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame else None
