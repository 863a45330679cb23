"""Rewritten functions keep the texts, names and scopes of their sources."""

import inspect

import pytest
from test_rewrite import traced

from tfrt._rewrite import RewriteError, rewrite


# --- Texts ---

class Texts:
    def method(self, x):
        text = """a
        b"""
        if x > 0:
            x = x + len(text)
        return x, text

    def at_the_margin(self, x):
        text = """a
b
"""
        if x > 0:
            x = x + len(text)
        return x, text

    def comments(self, x):
# at the margin
        if x > 0:
            x = x + 1
  # and near it
        return x, f"""{x!r}
      of {'''several
  lines'''}""" and ""

    def wrong_line(self, x):
        text = """
        """
        if x > 0:
            raise ValueError(text)
        return x


@pytest.mark.parametrize("name", ["method", "at_the_margin", "comments"])
def test_texts_stay_as_they_are(name):
    function = getattr(Texts(), name)
    assert traced(function, 5)[0] == function(5)


def test_lines_behind_texts():
    with pytest.raises(RewriteError, match="whether this raises") as caught:
        traced(Texts().wrong_line, 5)
    assert caught.value.line == inspect.getsourcelines(Texts.wrong_line)[1] + 4
    with pytest.raises(ValueError) as raised:
        rewrite(Texts().wrong_line)(1)
    assert raised.traceback[-1].lineno + 1 == inspect.getsourcelines(Texts.wrong_line)[1] + 4


# --- Private names ---

class _Secrets:
    def __init__(self):
        self.__w = 3

    def nested(self, x):
        def g():
            return self.__w
        if x > 0:
            x = x + g()
        return x

    def imports(self, x):
        import math as __m
        from math import floor as __floor
        if x > 0:
            x = x + __m.floor(2.5) + __floor(1.5)
        return x

    def excepts(self, x):
        try:
            raise ValueError("three")
        except ValueError as __error:
            x = x + len(__error.args[0])
        return x

    def functions(self, x):
        __y = 1

        def __h(__z=0, **named):
            nonlocal __y
            __y = __y + 1 + __z + named.get("_Secrets__k", 0)
            return self.__twice(__y)
        if x > 0:
            x = x + 1
        return x + __h(__z=2) + __h(__k=3) + __y

    def __twice(self, x):
        return 2 * x

    def classes(self, x):
        class __Inner:
            __scale = 3

            def scaled(self, x):
                if x > 0:
                    x = x * self.__scale
                return x
        return __Inner().scaled(x)

    def matches(self, x):
        match [1, 2, 3]:
            case [__first, *__rest]:
                x = x + __first + len(__rest)
        return x


@pytest.mark.parametrize("name", ["nested", "imports", "excepts", "functions", "classes", "matches"])
@pytest.mark.parametrize("x", [-2, 5])
def test_private_names(name, x):
    function = getattr(_Secrets(), name)
    assert traced(function, x)[0] == function(x)


# --- Functions in functions ---

counted = 0


def one_is_global(x):
    counted = 1

    def of_module():
        global counted
        if True:
            counted = 7
        return 0

    def of_function(_):
        nonlocal counted
        if True:
            counted = counted + 1
        return counted

    of_module()
    if x > 0:
        x = x + 1
    return x, list(map(of_function, [0, 0])), counted


def test_global_of_one_function_is_not_of_another():
    expected = (6, [2, 3], 3)
    assert one_is_global(5) == expected and traced(one_is_global, 5)[0] == expected
    assert counted == 7


def test_nested_functions_are_rewritten_once(monkeypatch):
    from tfrt._rewrite import functions

    rewritten = []
    original = functions._rewrite_code
    monkeypatch.setattr(functions, "_rewrite_code",
                        lambda function: rewritten.append(function.__name__) or original(function))

    def outer(x):
        """Of outer."""
        def inner(y):
            """Of inner."""
            def innermost(z):
                if z > 3:
                    z = z + 1
                return z
            return innermost(y) + 1
        return inner(x), inner.__doc__, inner.__qualname__, inner

    new = rewrite(outer)
    results = new(5)
    assert results[:3] == outer(5)[:3]
    assert rewrite(results[3]) is results[3] and rewrite(new) is new
    assert rewritten == ["outer"]


class Factory:
    def make(self, x):
        class Local:
            def method(self, y):
                if y > 2:
                    y = y + 1
                return y

        def inner(y, *, scale=2):
            return y * scale
        return Local, inner


def test_names_of_what_functions_make():
    of_python, rewritten = Factory().make(1), rewrite(Factory().make)(1)
    for one, other in zip(of_python, rewritten):
        assert one.__qualname__ == other.__qualname__ and one.__module__ == other.__module__
    assert of_python[0].method.__qualname__ == rewritten[0].method.__qualname__
    assert traced(rewritten[0]().method, 5)[0] == 6
