"""What rewritten functions do where Python binds names, changes objects or takes items out of sight."""

import collections
import contextlib
import functools
import heapq
import importlib.util
import itertools
import logging
import re
import sys
import threading
import types
from unittest import mock

import pytest
from fake_protocol import FakeProtocol, Traced
from test_rewrite import traced

from tfrt._rewrite import RewriteError, rewrite, use_protocol
from tfrt._rewrite.watch import Watch


def doubled(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments) * 2
    return wrapper


@doubled
def one_more(x):
    return x + 1


class Base:
    def scaled(self, x):
        return x * 2


class Private(Base):
    def __init__(self):
        self.__scale = 3

    def __call(self, x):
        return x * self.__scale

    def scaled(self, x):
        return super().scaled(x) + self.__call(x) if x > 0 else x


def of_helpers(x):
    return one_more(x) + Private().scaled(x)


def walrus(x):
    y = 100
    if (y := x * 2) > 4 and x < 100:
        x = x + 1
    while (z := x + y) < 60:
        x = x + 40
    return x, y, z


def walrus_of_python(x):
    count = 0
    while (count := count + 1) < 3:
        x = x + count
    assert (last := count)
    return x + last


def iterator_goes_on(x):
    numbers = iter([1, 2, 3, 4])
    for number in numbers:
        if number == 2:
            break
    return x + sum(numbers)


def own_lists(x):
    total = x
    for i in range(3):
        if x > i:
            more = [x, x + i]
            more.append(x)
            total = total + more[2]
    return total


changed = 0


def both_kinds(x):
    count = 1

    def change():
        nonlocal count
        global changed
        if True:
            count, changed = 2, 7
    change()
    return x + count * 10 + changed


@pytest.mark.parametrize("function", [of_helpers, walrus, walrus_of_python, iterator_goes_on, own_lists, both_kinds])
@pytest.mark.parametrize("x", [-3, 5, 200])
def test_hidden_state_is_as_in_python(function, x):
    assert traced(function, x)[0] == function(x)


def test_decorators_count_for_the_function_itself():
    assert traced(one_more, 4)[0] == 10


def late_walrus(x):
    y = 0
    if x < 100 and (y := x) > 0:
        x = x + 1
    return x + y


def branch_walrus(x):
    y = 0
    x = (y := x) if x > 0 else x
    return x + y


def else_walrus(x):
    while (y := x) < 10:
        x = x + 1
    else:
        x = y
    return x


def grown_list(x):
    parts = [x]
    if x > 0:
        parts.append(x)
    return x + len(parts)


def counted(x):
    count = []
    while x < 10:
        x = x + 1
        count.append(1)
    return x + len(count)


def added_list(x):
    parts = [x]
    if x > 0:
        parts += [x]
    return x + len(parts)


def counted_by_another(x):
    count = 0

    def more():
        nonlocal count
        count = count + 1
    if x > 0:
        more()
    return x + count


@pytest.mark.parametrize("function, line, message", [
    (late_walrus, 2, "not always reached"), (branch_walrus, 2, "not always reached"), (else_walrus, 1, "with `else`"),
    (grown_list, 2, "whether parts changes"), (counted, 2, "whether count changes"),
    (added_list, 2, "whether parts changes"),
    (counted_by_another, 5, "whether count is assigned")])
def test_hidden_state_that_depends_on_tensors_is_an_error(function, line, message):
    with pytest.raises(RewriteError, match=message) as raised:
        traced(function, 5)
    assert raised.value.line == function.__code__.co_firstlineno + line


# --- `else` of `try` ---

def else_behind_continue(x):
    total = 0
    for i in range(3):
        try:
            if i == 1:
                continue
            total = total + 10
        except ValueError:
            pass
        else:
            total = total + 1
    return x + total


def else_behind_break(x):
    total = 0
    for i in range(3):
        try:
            if i == 1:
                break
        finally:
            total = total + 100
    for i in range(3):
        try:
            with contextlib.nullcontext():
                if i == 1:
                    break
        except ValueError:
            pass
        else:
            total = total + 1
    return x + total


def else_behind_return(x):
    log = [0]

    def first():
        for i in range(3):
            try:
                if i == 1:
                    return i
            except ValueError:
                pass
            else:
                log[0] = log[0] + 1
        return 7
    return x + first() * 10 + log[0]


def else_with_jumps(x):
    total = 0
    for i in range(4):
        try:
            if i == 0:
                continue
            int("x" if i == 2 else "1")
        except ValueError:
            total = total + 100
        else:
            if i == 3:
                break
            total = total + 1
        total = total + 10
    return x + total


@pytest.mark.parametrize("function", [else_behind_continue, else_behind_break, else_behind_return, else_with_jumps])
def test_else_of_try_is_not_reached_by_jumps(function):
    assert traced(function, 5)[0] == function(5)
    assert rewrite(function)(5) == function(5)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is of Python 3.11")
def test_jumps_out_of_exception_groups(tmp_path):
    (tmp_path / "groups.py").write_text(
        "def groups(x):\n    total = 0\n    for i in range(3):\n        try:\n            if i == 1:\n                "
        "continue\n            int('x' if i == 2 else '1')\n        except* ValueError:\n            total = total + "
        "100\n        else:\n            total = total + 1\n    return x + total\n")
    spec = importlib.util.spec_from_file_location("groups", tmp_path / "groups.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert traced(module.groups, 5)[0] == module.groups(5)


# --- Threads ---

def test_threads_trace_without_each_other():
    protocol, inside, done = FakeProtocol(), threading.Event(), threading.Event()

    def waits(x):
        if x > 0:
            inside.set()
            done.wait(30)
        return x

    class Counter:
        n = 0

    counter = Counter()

    def plain(x):
        counter.n = 3
        try:
            raise KeyError("n")
        except KeyError:
            return x

    def trace_waits():
        with use_protocol(protocol):
            rewrite(waits)(Traced(None))

    thread = threading.Thread(target=trace_waits)
    thread.start()
    try:
        assert inside.wait(30)
        with use_protocol(protocol):
            rewrite(plain)(Traced(None))
    finally:
        done.set()
        thread.join()
    assert counter.n == 3


# --- Objects that branches change ---

class Holder:
    __slots__ = ("items",)

    def __init__(self):
        self.items = []


class Log:
    def __init__(self):
        self.h = []
        self.d = {"a": [], "b": {"c": set()}}
        self.queue = collections.deque()
        self.holder = Holder()
        self.n = 0

    def append(self, x):
        if x > 0:
            self.h.append("positive")
        else:
            self.h.append("negative")
        return x

    def through_a_method(self, x):
        if x > 0:
            self.note("positive")
        return x

    def note(self, what):
        self.h.append(what)

    def nested(self, x):
        while x > 0:
            x = x - 1
            self.d["b"]["c"].add(1)
        return x

    def of_slots(self, x):
        if x > 0:
            self.holder.items.append(x)
        return x

    def of_queue(self, x):
        x = x + 1 if x > 0 else self.queue.append(x) or x
        return x

    def of_setattr(self, x):
        if x > 0:
            setattr(self, "n", 3)
        return x


def note(log, what):
    log.append(what)


def given_list(x, log=None):
    log = log or []
    if x > 0:
        note(log, "positive")
    return x


def parameter(x, log=[]):
    if x > 0:
        log.append("positive")
    return x


def in_dict(x):
    d = {"a": []}
    if x > 0:
        d["a"].append(1)
    return x


def by_another_name(x):
    parts = []

    def more():
        other = parts
        if x > 0:
            other.append(1)
    more()
    return x


def by_method(x):
    parts = []
    f = parts.append
    if x > 0:
        f(1)
    return x


def by_partial(x):
    f = functools.partial(note, [])
    if x > 0:
        f(1)
    return x


def on_a_heap(x):
    heap = [3]
    for i in range(2):
        if x > i:
            heapq.heappush(heap, 1)
    return x


def taken(x):
    numbers = iter([1, 2, 3])
    if x > 0:
        x = x + next(numbers)
    return x


def taken_of_zip(x):
    pairs = zip([1, 2], [3, 4])
    if x > 0:
        x = x + next(pairs)[0]
    return x


def taken_of_enumerate(x):
    rows = enumerate([1, 2])
    if x > 0:
        x = x + next(rows)[0]
    return x


def taken_of_map(x):
    texts = map(int, map(str, [1, 2]))
    if x > 0:
        x = x + next(texts)
    return x


def counted(x):
    numbers = itertools.count()
    if x > 0:
        x = x + next(numbers)
    return x


def taken_of_cycle(x):
    numbers = itertools.cycle([1, 2])
    if x > 0:
        x = x + next(numbers)
    return x


def added_in_place(x):
    a = b = [x]
    if x > 0:
        b += [x * 2]
    else:
        b += [x * 4]
    return a[-1]


def in_bytes(x):
    data = bytearray()
    if x > 0:
        data.append(1)
    return x


def in_an_operand(x):
    parts = []
    return x > 0 and (parts.append(1) or x > 2)


def in_a_comparison(x):
    parts = [3, 2]
    return 0 < x < parts.pop()


def of_namespace(x):
    space = types.SimpleNamespace(n=0)
    if x > 0:
        setattr(space, "n", 1)
    return x


@pytest.mark.parametrize("function, line, message", [
    (Log().append, 1, r"whether self\.h changes"), (Log().through_a_method, 1, r"whether self\.h changes"),
    (Log().nested, 1, r"whether self\.d\['b'\]\['c'\] changes"),
    (Log().of_slots, 1, r"whether self\.holder\.items changes"), (Log().of_queue, 1, r"whether self\.queue changes"),
    (Log().of_setattr, 1, r"whether self\.n changes"), (given_list, 2, "whether log changes"),
    (parameter, 1, "whether log changes"), (in_dict, 2, r"whether d\['a'\] changes"),
    (by_another_name, 5, "whether other changes"), (by_method, 3, "whether (f.__self__|parts) changes"),
    (by_partial, 2, r"whether f\.args\[0\] changes"), (on_a_heap, 3, "whether heap changes"),
    (taken, 2, "whether numbers changes"), (taken_of_zip, 2, "whether pairs"), (taken_of_enumerate, 2, "whether rows"),
    (taken_of_map, 2, "whether texts"), (counted, 2, "whether numbers"), (taken_of_cycle, 2, "whether numbers"),
    (added_in_place, 2, "variable 'b' has another structure|whether [ab] changes"),
    (in_bytes, 2, "whether data changes"), (in_an_operand, 2, "whether parts changes"),
    (in_a_comparison, 2, "whether parts changes"), (of_namespace, 2, r"whether space\.n changes")],
    ids=lambda value: getattr(value, "__name__", ""))
def test_changes_of_objects_that_depend_on_tensors_are_errors(function, line, message):
    with pytest.raises(RewriteError, match=message) as raised:
        traced(function, 5)
    assert raised.value.line == function.__code__.co_firstlineno + line


class Harmless:
    """What may happen in branches: new objects, caches, logs of the module and of libraries."""

    logger = logging.getLogger(__name__)

    def __init__(self):
        self.numbers = list(range(20000))
        self.own_logger = logging.getLogger("own")
        self.me = self

    @functools.cached_property
    def scale(self):
        return 3

    def f(self, x):
        if x > 0:
            made = [x]
            made.append(x + self.scale)
            self.own_logger.debug("positive")
            re.compile("a+b")
            x = x + sorted([2, 1])[0] + sum(made[1:])
        names = {"a": x}
        if x > 3:
            names = dict(names, b=x)
            names = {"a": names["b"] * 2}
        return x + names["a"]


@pytest.mark.parametrize("x", [-1, 1, 5])
def test_changes_that_no_branch_decides(x):
    assert traced(Harmless().f, x)[0] == Harmless().f(x)


class OfAnotherClass:
    """A proxy says that it is what it stands for."""

    @property
    def __class__(self):
        return dict


class WithoutAttributes:
    def __getattribute__(self, name):
        raise RuntimeError(name)


@pytest.mark.parametrize("make", [OfAnotherClass, WithoutAttributes, lambda: mock.Mock(spec=dict)])
def test_objects_that_are_not_what_they_say(make):
    def f(x):
        thing = make()
        if x > 0:
            x = x + 1
        return x if thing is not None else 0

    assert traced(f, 2)[0] == 3


def test_what_is_seen_of_many_large_objects_has_a_bound():
    assert len(Watch([("rows", lambda: [list(range(5000)) for _ in range(100)], True)]).seen) < 10


# --- := that is not always reached ---

def walrus_of_and(x):
    n, total = 3, 0
    while n and (m := n * 2) and m < 100:
        total = total + m
        n = n - 1
    if total > 5 and (k := total + 1) > 6:
        total = total + k
    if total < 0 or (last := total) > 0:
        total = total + last
    y = (z := total) if total > 3 else 0
    text = "a" if total < 0 else (b := "b")
    ok = 0 < total < (limit := 1000)
    assert total < 0 and (never := 1) or total
    return x + total + y + z + len(text + b) + limit + ok


def walrus_in_a_branch(x):
    n, m = 3, 0
    if x > 0:
        if n and (m := n * 2):
            x = x + m
    return x + m


def walrus_of_functions(x):
    def f():
        nonlocal m
        return x > -100 if (n := 3) > 4 and (m := n) else n
    m = 1
    g = lambda: 1 if (k := 2) else k  # noqa: E731
    return x + m + f() + g() + sum([last for i in range(3) if (last := i)])


@pytest.mark.parametrize("function", [walrus_of_and, walrus_in_a_branch, walrus_of_functions])
@pytest.mark.parametrize("x", [-3, 5])
def test_walrus_that_is_not_always_reached(function, x):
    assert traced(function, x)[0] == function(x)
    assert rewrite(function)(x) == function(x)


# --- Variables without a value ---

def unbound(flag):
    if flag:
        y = 1
    return y + 1


def unbound_in_a_branch(flag):
    try:
        if not flag:
            print(y)
            y = 1
    except UnboundLocalError:
        return "unbound"
    return "bound"


def unbound_in_the_same_branch(flag):
    if not flag:
        try:
            for _ in range(2):
                flag = y
                y = 1
        except UnboundLocalError:
            return "unbound"
    return "bound"


def free_in_a_branch(flag):
    def inner():
        if not flag:
            return y
        return 1
    try:
        inner()
    except UnboundLocalError:
        return "unbound"
    except NameError:
        return "free"
    y = 1
    return y


def global_in_a_branch(flag):
    if not flag:
        try:
            return not_there  # noqa: F821
        except UnboundLocalError:
            return "unbound"
        except NameError:
            return "global"
    return "bound"


@pytest.mark.parametrize("function", [unbound_in_a_branch, unbound_in_the_same_branch, free_in_a_branch,
                                      global_in_a_branch])
def test_variables_without_a_value_are_errors_as_in_python(function):
    for flag in (False, True):
        assert rewrite(function)(flag) == function(flag)
    with pytest.raises(UnboundLocalError, match="'y'"):
        rewrite(unbound)(False)
