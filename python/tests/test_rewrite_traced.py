"""Rewritten functions as programs of the runtime, against what Python does."""

import importlib.util
import os

import pytest
from test_rewrite import CASES, Writer

import tfrt
from tfrt import tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


def values(result):
    """The results of a function as numbers of Python."""
    if isinstance(result, (tuple, list)):
        return type(result)(values(item) for item in result)
    if isinstance(result, dict):
        return {key: values(item) for key, item in result.items()}
    return result.tolist() if isinstance(result, tfrt.Tensor) else result


def as_tensors(arguments):
    return [T(argument, dtype="i32") for argument in arguments]


@pytest.mark.parametrize("function, list_of", CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_the_cases_of_the_rewriter(function, list_of):
    traced = tfrt.function(function)
    for arguments in list_of:
        assert values(traced(*as_tensors(arguments))) == function(*arguments)


def mod(x, n):
    """x % n; the runtime divides towards zero."""
    if isinstance(x, int):
        return x % n
    x = x - tfrt.div(x, n) * n + n
    return x - tfrt.div(x, n) * n


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_random_programs(tmp_path, seed):
    path = tmp_path / f"program{seed}.py"
    path.write_text(Writer(seed, "mod({}, {})".format).write())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.mod = mod
    traced = tfrt.function(module.function)
    for arguments in ((0, 0, 0), (5, 3, 8), (-4, 9, 2)):
        expected = module.function(*arguments)
        assert tuple(values(traced(*as_tensors(arguments)))) == expected, f"{path.read_text()}\n{arguments}"


# --- Bools of one branch ---

def bool_of_one_branch(x):
    if x > 0.0:
        big = x > 1.0
        known = True
        if big and known:
            x = x * 2.0
    return x


def bool_of_the_else_branch(x):
    if x > 0.0:
        x = x + 1.0
    else:
        big = x > -1.0
        if big:
            x = x * 2.0
    return x


def break_in_a_branch(x):
    if x > 0.0:
        for i in range(3):
            if x > 5.0:
                break
            x = x + 2.0
    return x


def break_always(x):
    while x > 0.0:
        x = x - 1.0
        break
    return x


def bool_in_a_tuple(x):
    if x > 0.0:
        parts = (x > 1.0, [x, True])
        x = x + parts[1][0]
    return x


@pytest.mark.parametrize("function", [bool_of_one_branch, bool_of_the_else_branch, break_in_a_branch, break_always,
                                      bool_in_a_tuple])
def test_bools_that_one_branch_assigns(function):
    traced = tfrt.function(function)
    for x in (-3.0, -0.5, 0.5, 2.0, 7.0):
        assert traced(T(x)).item() == function(x)


# --- What the first operand guards ---

def guarded_search(x, key):
    i = T(0)
    while i < x.shape[0] and x[i] != key:
        i = i + 1
    return i


def guarded_division(a, b):
    if b != 0 and tfrt.div(a, b) > 2:
        return a
    return b


def guarded_by_or(a, b):
    if b == 0 or tfrt.div(a, b) > 2:
        return a
    return b


def guarded_by_comparison(a, b):
    return 1 if 0 < b < tfrt.div(a, b) else 0


def guarded_by_condition(a, b):
    return tfrt.div(a, b) if b != 0 else a


def test_second_operands_that_would_fail_are_not_computed():
    search = tfrt.function(guarded_search)
    assert search(T([1.0, 2.0, 3.0]), T(2.0)).item() == 1
    assert search(T([1.0, 2.0, 3.0]), T(9.0)).item() == 3
    for function, with_zero, without in ((guarded_division, 0, 9), (guarded_by_or, 9, 9), (guarded_by_comparison, 0, 1),
                                         (guarded_by_condition, 9, 4)):
        traced = tfrt.function(function)
        assert traced(T(9), T(0)).item() == with_zero, function.__name__
        assert traced(T(9), T(2)).item() == without, function.__name__


def test_values_of_second_operands():
    yes, flag = T(True), T(False)
    assert tfrt.function(lambda x: x > 0.0 or flag)(T(-1.0)).item() is False
    assert tfrt.function(lambda x: x > 0.0 and yes)(T(1.0)).item() is True
    assert tfrt.function(lambda x: x > 0.0 or True)(T(-1.0)).item() is True
    # Where only the truth counts, it may be of anything.
    assert tfrt.function(lambda x: 1.0 if x > 0.0 and [0] else x)(T(2.0)).item() == 1.0
    assert tfrt.function(lambda x: 1.0 if not (x > 0.0 and None) else x)(T(2.0)).item() == 1.0
    for function in (lambda x: x > 0.0 or 7.5, lambda x: x > 0.0 and None, lambda x: (x > 0.0 and 5) + 1):
        with pytest.raises(tfrt.RewriteError, match="say which by a conditional expression"):
            tfrt.function(function)(T(-1.0))


def test_effects_of_second_operands_happen_where_these_are_computed():
    v = tfrt.Variable(0.0)

    def bump():
        v.assign_add(1.0)
        return v.read() > 0.0

    @tfrt.function
    def both(x):
        return x > 10.0 and bump()

    @tfrt.function
    def either(x):
        return x > 10.0 or bump()

    @tfrt.function
    def between(x):
        return 10.0 < x < v.assign_add(1.0)

    for function, effects in ((both, [0.0, 1.0]), (either, [1.0, 0.0])):
        for x, effect in zip((1.0, 20.0), effects):
            v.assign(0.0)
            function(T(x))
            assert v.value.item() == effect, (function.__name__, x)
