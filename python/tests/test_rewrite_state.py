"""What rewritten functions do where Python binds names, changes objects or takes items out of sight."""

import functools

import pytest
from test_rewrite import traced

from tfrt._rewrite import RewriteError


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
    (grown_list, 2, "whether parts changes"), (counted, 2, "whether count changes"), (added_list, 2, "structure"),
    (counted_by_another, 5, "whether count is assigned")])
def test_hidden_state_that_depends_on_tensors_is_an_error(function, line, message):
    with pytest.raises(RewriteError, match=message) as raised:
        traced(function, 5)
    assert raised.value.line == function.__code__.co_firstlineno + line
