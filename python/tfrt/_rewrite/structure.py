"""The values of variables on their way through branches and loops of a traced program.

Tensors may lie in tuples, lists, dicts and other containers (containers.py); anything else must not depend on the way.
"""

import contextlib
import weakref

from . import containers
from .changes import Again, Notes, note_twins, twins_of
from .protocol import RewriteError, protocol


# The result of a loop is in a variable of such a name, which is used only if the loop has returned.
_RETURNED = "ag__value"


class Undefined:
    """A variable that has no value on every way. Whatever is done with it says so."""

    def __init__(self, name, place=None):
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_place", place)

    def _fail(self, *_args, **_kwargs):
        name, place = object.__getattribute__(self, "_name"), object.__getattribute__(self, "_place")
        where = f" behind the branch or loop at {place[0]}:{place[1]}, which may not give it one" if place else ""
        raise UnboundLocalError(f"variable '{name}' has no value{where}")

    def __getattribute__(self, name):
        if name in ("_fail", "__class__", "_name", "_place"):
            return object.__getattribute__(self, name)
        self._fail()


def _forward(name):
    return lambda self, *args, **kwargs: self._fail()


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "matmul", "rmatmul", "neg", "pos",
              "abs", "bool", "int", "float", "index", "len", "iter", "getitem", "setitem", "call", "lt", "le", "gt",
              "ge", "eq",
              "ne", "contains", "repr", "str", "floordiv", "mod", "pow", "enter", "exit"):
    setattr(Undefined, f"__{_name}__", _forward(_name))
Undefined.__hash__ = object.__hash__


def is_undefined(value):
    return type(value) is Undefined


def flatten(value):
    """The leaves of nested containers, and a function that builds the same of others."""
    if isinstance(value, (list, tuple)):
        parts = [flatten(item) for item in value]
        return _join(parts, lambda items: containers.build_sequence(value, items), (type(value), len(value)))
    if type(value) is dict:
        parts = [flatten(item) for item in value.values()]
        keys = list(value)
        return _join(parts, lambda items: dict(zip(keys, items)), (dict, tuple(keys)))
    if apart := containers.take_result_apart(value):
        parts, rest, make = apart
        return _join([flatten(part) for part in parts], make, (type(value), rest))
    return [value], (lambda leaves: leaves[0]), None


def _join(parts, make, kind):
    sizes = [len(leaves) for leaves, _, _ in parts]

    def build(leaves):
        items, at = [], 0
        for size, (_, part, _) in zip(sizes, parts):
            items.append(part(leaves[at:at + size]))
            at += size
        return make(items)

    return [leaf for leaves, _, _ in parts for leaf in leaves], build, (kind, tuple(shape for _, _, shape in parts))


def _is_number(value):
    return isinstance(value, (bool, int, float, complex))


def same(x, y):
    """Whether two values of Python are one, whichever way was taken."""
    return x is y or (type(x) is type(y) and isinstance(x, (bool, int, float, complex, str, bytes, type(None)))
                      and x == y)


class _Way:
    """A value that one branch ends with, in leaves."""

    def __init__(self, value):
        self.leaves, self.build, self.shape = flatten(value)


def _as_tensor(value, like, what, place):
    if protocol().is_traced(value):
        return value
    try:
        return protocol().to_tensor(value, like)
    except (TypeError, ValueError) as error:
        raise RewriteError(place, f"{what} depends on a tensor, but is no tensor on every way: {error}") from None


def _becomes_tensor(leaf):
    return protocol().is_tensor(leaf) or _is_number(leaf)


class _Merge:
    """Values that two branches end with. Each branch is called once, the second knowing the first's values.

    What are tensors or numbers in the first are results of the program's `cond`. Numbers that are the same in both stay
    numbers; all else must be the same.
    """

    def __init__(self, test, whats, befores, place, must_be_defined=False, fills=()):
        self.test, self.whats, self.place, self.must_be_defined = test, whats, place, must_be_defined
        self.fills = fills  # indices of what nobody uses on ways that do not give it
        self.likes = befores
        self.changed = []  # tensors that the branches assign items of

    def run(self, then_values, else_values):
        def trace():
            self.ways, self.results, self.notes = [], [], []  # results: (value, leaf) of the first branch
            return protocol().cond(self.test, lambda: self._with_notes(self._first, then_values),
                                   lambda: self._with_notes(self._second, else_values))

        merged = list(_until_settled(self, trace))
        values = self._rebuild(merged)
        for tensor, value in zip(self.changed, merged[len(self.results):]):
            tensor._replace(value)
        return values

    def _with_notes(self, branch, values):
        with Notes(self.place) as notes:
            self.notes.append(notes)
            tensors = branch(values)
            if len(self.notes) == 1:
                known = {id(tensor) for tensor in self.changed}
                self.changed += [tensor for tensor, _ in notes.before.values() if id(tensor) not in known]
            return notes.results(self, tensors, self.changed)

    def _ways(self, values):
        values = values()
        for value in values:
            if is_undefined(value) and self.must_be_defined:
                value._fail()
        self.ways.append([None if is_undefined(value) else _Way(value) for value in values])
        return self.ways[-1]

    def _first(self, values):
        ways = self._ways(values)
        tensors = []
        for i, way in enumerate(ways):
            for j, leaf in enumerate(way.leaves if way else ()):
                if _becomes_tensor(leaf):
                    self.results.append((i, j))
                    tensors.append(_as_tensor(leaf, self.likes[i] if j == 0 else None, self.whats[i], self.place))
        self.tensors = tensors
        return tensors

    def _second(self, values):
        ways = self._ways(values)
        for i, (way, first) in enumerate(zip(ways, self.ways[0])):
            if way and first:
                self._check(way, first, i)
        tensors = []
        for (i, j), like in zip(self.results, self.tensors):
            # A variable without a value on this way has none behind it, but the branches have as many results.
            tensors.append(_as_tensor(ways[i].leaves[j], like, self.whats[i], self.place) if ways[i]
                           else protocol().filler(like))
        return tensors

    def _check(self, way, first, i):
        if way.shape != first.shape:
            raise RewriteError(self.place, f"{self.whats[i]} has another structure on one way than on the other, and "
                                           "which one is taken depends on a tensor")
        for x, y in zip(first.leaves, way.leaves):
            if _becomes_tensor(x) and _becomes_tensor(y):
                continue
            if not same(x, y):
                raise RewriteError(self.place, f"{self.whats[i]} is {_show(x)} on one way and {_show(y)} on the other, "
                                               "and which one is taken depends on a tensor")

    def _rebuild(self, merged):
        tensors = dict(zip(self.results, merged))
        values, undefined = [], []
        made = {}  # what is one tensor on both ways is one
        for i, (first, second) in enumerate(zip(*self.ways)):
            undefined.append(not (first and (second or i in self.fills)))
            if first and not second and i in self.fills:
                values.append(first.build([tensors.get((i, j), x) for j, x in enumerate(first.leaves)]))
                continue
            if first is None or second is None:
                if second and i in self.fills:
                    raise _return_in_loop(self.place)
                values.append(None)
                continue
            leaves = []
            for j, (x, y) in enumerate(zip(first.leaves, second.leaves)):
                is_same = same(x, y) and (protocol().is_tensor(x) or not protocol().is_traced(y))
                keeps = (i, j) not in tensors or is_same
                leaves.append(x if keeps else made.setdefault((id(x), id(y)), (tensors[i, j], x, y))[0])
            values.append(first.build(leaves))
        self._note_twins(made.values())
        return values, undefined

    def _note_twins(self, made):
        for way, notes in enumerate(self.notes):
            of_leaf = {}
            for tensor, *leaves in made:
                if protocol().is_tensor(leaves[way]):
                    of_leaf.setdefault(id(leaves[way]), (leaves[way], []))[1].append(tensor)
            for leaf, tensors in of_leaf.values():
                others = [leaf] if notes.is_outside(leaf) else twins_of(leaf)
                note_twins(tensors, others, self.place)


def _show(value):
    return type(value).__name__ if not isinstance(value, (type(None), str)) else repr(value)


def _until_settled(owner, trace):
    """The result of `trace()`, once `owner.changed` are all tensors that change in it."""
    while True:
        try:
            return protocol().attempt(trace, Again)
        except Again as again:
            if again.owner is not owner:
                raise
            owner.changed = again.changed


def merge_states(test, then_branch, else_branch, before, names, place):
    """The values of variables behind an `if`."""
    likes = [value if protocol().is_tensor(value) else None for value in before]
    fills = [i for i, name in enumerate(names) if name.startswith(_RETURNED)]
    whats = ["what is returned" if i in fills else f"variable '{name}'" for i, name in enumerate(names)]
    merge = _Merge(test, whats, likes, place, fills=fills)
    values, undefined = merge.run(then_branch, else_branch)
    return tuple(Undefined(name, place) if gone else value for name, value, gone in zip(names, values, undefined))


def merge(test, then_value, else_value, what, place):
    """The value of a conditional expression, or of a function that returns in branches."""
    return _Merge(test, [what], [None], place, True).run(lambda: [then_value()], lambda: [else_value()])[0][0]


def _return_in_loop(place):
    return RewriteError(place, "a return in a loop that depends on a tensor; assign to a variable, break, and return "
                               "it behind the loop")


class Loop:
    """The variables of a loop: those that are tensors or numbers are carried; others must stay what they are."""

    def __init__(self, state, put, get, names, place):
        self.put, self.get, self.names, self.place = put, get, names, place
        self.changed = []  # tensors that the loop assigns items of
        self.twins = {}  # of a variable's leaf, (what it may be to the program, as references)
        self.ways = [None if is_undefined(value) else _Way(value) for value in state]
        self.carried = []  # (variable, leaf)
        if any(name.startswith(_RETURNED) for name in names):
            raise _return_in_loop(place)
        for i, way in enumerate(self.ways):
            for j, leaf in enumerate(way.leaves if way else ()):
                if _becomes_tensor(leaf):
                    self.carried.append((i, j))
                    if hasattr(leaf, "_replace"):
                        # Another tensor: whether the program has the variable's own elsewhere is seen by who else holds
                        # it.
                        self.twins[i, j] = [weakref.ref(leaf)]
                        way.leaves[j] = leaf.__copy__()

    def run(self, trace):
        """Traces the loop by a function that gives its last values."""
        self.finish(_until_settled(self, trace))

    def start(self):
        self.starts = {(i, j): _as_tensor(self.ways[i].leaves[j], None, f"variable '{self.names[i]}'", self.place)
                       for i, j in self.carried}
        return [*self.starts.values(), *(tensor.__copy__() for tensor in self.changed)]

    def _with(self, values):
        leaves = [list(way.leaves) if way else None for way in self.ways]
        for (i, j), value in zip(self.carried, values):
            leaves[i][j] = value
        return [way.build(leaves[i]) if way else Undefined(self.names[i], self.place)
                for i, way in enumerate(self.ways)]

    @contextlib.contextmanager
    def entered(self, values, why_none=None, item=None):
        """For the code of the loop, with values of what it carries, and what it goes over."""
        with Notes(self.place, own=(*values, item)) as notes:
            for tensor, value in zip(self.changed, values[len(self.carried):]):
                notes.note(tensor)
                tensor._replace(value)
            notes.assigned.clear()
            notes.why_none = why_none
            self.notes_now, self.now = notes, dict(zip(self.carried, values))
            self._note_twins()
            self.put(tuple(self._with(values)))
            yield

    def _note_twins(self):
        by_start = {}
        for key, value in self.now.items():
            others = [other for other in (each() for each in self.twins.get(key, ())) if other is not None]
            for other in others:
                by_start.setdefault(id(other), (other, []))[1].append(value)
        for other, values in by_start.values():
            note_twins(values, [other], self.place)

    def _find_twins(self, key, leaf, by_leaf):
        """Notes what a variable may be at the next run of the body."""
        if leaf is self.now[key] or not hasattr(leaf, "_replace"):
            return
        first_key = by_leaf.setdefault(id(leaf), key)
        others = [leaf] if self.notes_now.is_outside(leaf) or first_key != key else twins_of(leaf)
        if not others:
            return
        if {id(self.now[key]), id(self.now[first_key])} & self.notes_now.assigned.keys():
            raise RewriteError(self.place, f"variable '{self.names[key[0]]}' may be the same tensor as another one "
                                           "when the loop's body runs again, which assigns its items; assign to a "
                                           "copy, such as copy.copy(x)")
        for each in {key, first_key}:
            self.twins.setdefault(each, []).extend(map(weakref.ref, others))

    def leave(self):
        """The tensors that the body ends with."""
        results, state, by_leaf = [], self.get(), {}
        for i, way in enumerate(self.ways):
            if way is None:
                continue  # of the body alone
            name = f"variable '{self.names[i]}'"
            if is_undefined(state[i]):
                raise RewriteError(self.place, f"{name} has no value at the end of the loop's body")
            new = _Way(state[i])
            if new.shape != way.shape:
                raise RewriteError(self.place, f"{name} changes its structure in a loop that depends on a tensor")
            for j, (leaf, start) in enumerate(zip(new.leaves, way.leaves)):
                if (i, j) in self.starts:
                    results.append(_as_tensor(leaf, self.starts[i, j], name, self.place))
                    self._find_twins((i, j), leaf, by_leaf)
                elif not same(leaf, start):
                    raise RewriteError(self.place, f"{name} is no tensor, and changes in a loop that depends on a "
                                                   "tensor")
        return self.notes_now.results(self, results, self.changed)

    def finish(self, values):
        self.now = dict(zip(self.carried, values))
        self._note_twins()
        self.put(tuple(self._with(list(values))))
        for tensor, value in zip(self.changed, values[len(self.carried):]):
            tensor._replace(value)
