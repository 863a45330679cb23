"""Calls of traced functions: their errors, and what their arguments and results may be made of."""

import collections
import dataclasses
import os
import types
import typing

import numpy as np
import pytest

import tfrt
from tfrt import tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")


# --- Errors of calls without tensors as results ---

LAST = tfrt.Variable([1.0])


def failing_assert(x):
    assert x.sum() > 0.0, "positive"


def failing_division(x):
    tfrt.ops.assert_(tfrt.div(10, x) > 0, [x], message="never")


def failing_check(x):
    LAST.assign(tfrt.ops.check_numerics(x, "bad"))


def failing_host_call(x):
    def host(_):
        raise ValueError("disk full")
    tfrt.host_call(host, [x], [])


@pytest.mark.parametrize("result", [None, (None, []), {"a": None}])
@pytest.mark.parametrize("body, argument, message", [
    (failing_assert, [-1.0], "positive"),
    (failing_division, [0], "integer division by zero"),
    (failing_check, [float("nan")], "bad"),
    (failing_host_call, [1.0], "disk full"),
])
def test_errors_of_calls_without_tensors_are_raised(body, argument, message, result):
    variable = tfrt.Variable(1)

    @tfrt.function
    def train(x):
        variable.assign_add(1)
        body(x)
        return result

    @tfrt.function
    def outer(x):
        train(x)

    for function in (train, train, outer):
        with pytest.raises(tfrt.errors.Error, match=message):
            function(T(argument))
    assert variable.value.item() == 1, "a call that fails changes nothing"


def test_a_value_that_a_variable_does_not_take_is_an_error():
    variable = tfrt.Variable([1.0])

    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None])])
    def train(x):
        variable.assign(x)

    train(T([2.0]))
    with pytest.raises(tfrt.errors.InvalidArgumentError, match="new value f32 \\[2\\]"):
        train(T([1.0, 2.0]))
    assert variable.value.tolist() == [2.0]


# --- Arguments and results that hold tensors ---

class Circle(typing.NamedTuple):
    r: object
    pad: object


class Rect(typing.NamedTuple):
    w: object
    h: object


class Pair(tuple):
    def swapped(self):
        return self[1], self[0]


@dataclasses.dataclass
class State:
    w: object
    name: str = "state"

    def doubled(self):
        return self.w * 2.0


@dataclasses.dataclass(frozen=True)
class Options:
    scale: float
    sizes: tuple = ()


class Fraction:
    def __init__(self, above, below):
        self.above, self.below = above, below


def test_classes_of_tuples_have_traces_of_their_own():
    @tfrt.function
    def area(s):
        if isinstance(s, Circle):
            return s.r * s.r * 3.0
        return s.w * s.h if isinstance(s, Rect) else s[0] + s[1]

    assert area(Circle(T(2.0), T(0.0))).item() == 12.0
    assert area(Rect(T(2.0), T(5.0))).item() == 10.0
    assert area((T(2.0), T(5.0))).item() == 7.0
    assert area.statistics["traces"] == 3
    assert area(Circle(T(3.0), T(0.0))).item() == 27.0 and area.statistics["traces"] == 3

    @tfrt.function
    def swap(pair):
        return type(pair), Rect(*pair.swapped())[0], Pair(pair.swapped())

    with pytest.raises(TypeError, match="returns tensors"):
        swap(Pair([T(1.0), T(2.0)]))
    result = tfrt.function(lambda pair: (Rect(*pair.swapped()), Pair(pair.swapped())))(Pair([T(1.0), T(2.0)]))
    assert type(result[0]) is Rect and result[0].w.item() == 2.0
    assert type(result[1]) is Pair and result[1][1].item() == 1.0


@pytest.mark.parametrize("make, change", [
    (lambda w: collections.OrderedDict(w=w), lambda s, w: s.__setitem__("w", w)),
    (lambda w: collections.defaultdict(list, w=w), lambda s, w: s.__setitem__("w", w)),
    (lambda w: State(w), lambda s, w: setattr(s, "w", w)),
    (lambda w: types.SimpleNamespace(w=w), lambda s, w: setattr(s, "w", w)),
    (lambda w: collections.deque([w], 3), lambda s, w: s.__setitem__(0, w)),
    (lambda w: [types.MappingProxyType({"w": w})], lambda s, w: s.__setitem__(0, types.MappingProxyType({"w": w}))),
    (lambda w: {"w": State(collections.deque([w]))}, lambda s, w: s["w"].w.__setitem__(0, w)),
])
@pytest.mark.parametrize("tensor", [T, lambda x: np.array(x, "f4")])
def test_containers_of_tensors(make, change, tensor):
    def total(value):
        if isinstance(value, tfrt.Tensor):
            return value
        if isinstance(value, State):
            return total(value.w)
        if isinstance(value, types.SimpleNamespace):
            value = vars(value)
        return sum(total(part) for part in (value.values() if hasattr(value, "values") else value))

    @tfrt.function
    def f(s, x):
        return total(s) * x, s

    s = make(tensor(2.0))
    for value in (2.0, 3.0, 4.0):
        change(s, tensor(value))
        result, same = f(s, T(10.0))
        assert result.item() == value * 10.0 and type(same) is type(s)
        assert f(make(tensor(value)), T(1.0))[0].item() == value
    assert f.statistics["traces"] == 1


def test_what_is_in_containers_beside_tensors_is_fixed():
    @tfrt.function
    def f(state):
        assert type(state) is State and state.name in ("a", "b")
        return state.doubled() if state.name == "a" else state.w

    for w, name, result in ((1.0, "a", 2.0), (1.0, "b", 1.0), (3.0, "a", 6.0)):
        assert f(State(T(w), name)).item() == result
    assert f.statistics["traces"] == 2

    @tfrt.function
    def of_keys(named):
        return list(named.values())[0] if type(named) is dict else named.default_factory() + named["y"]

    for named in ({"x": T(1.0)}, collections.defaultdict(float, y=T(1.0)), collections.defaultdict(int, y=T(1.0))):
        assert of_keys(named).item() == 1.0
    assert of_keys.statistics["traces"] == 3


def test_containers_in_branches_loops_and_gradients():
    @tfrt.function
    def f(x):
        state = State(x)
        while state.w < 10.0:
            state = State(state.w * 2.0)
        if x > 2.0:
            named = collections.OrderedDict(a=x, b=state)
        else:
            named = collections.OrderedDict(a=-x, b=state)
        return named

    result = f(T(3.0))
    assert type(result) is collections.OrderedDict and result["a"].item() == 3.0 and result["b"].w.item() == 12.0
    of_named = tfrt.grad(lambda named: named["w"] * named["w"])(collections.OrderedDict(w=T(3.0)))
    assert type(of_named) is collections.OrderedDict and of_named["w"].item() == 6.0


def test_objects_that_are_no_containers_must_not_hold_tensors():
    class Named(dict):
        pass

    f = tfrt.function(lambda s, x: x)
    for named in (Named(w=T(1.0)), collections.UserDict(w=[np.zeros(1)]), collections.ChainMap({"w": T(1.0)})):
        with pytest.raises(TypeError, match=f"a .*{type(named).__name__} among .* holds tensors.*register_container"):
            f(named, T(1.0))
    assert f(Named(w=1), T(1.0)).item() == 1.0

    class Model:  # whose own tensors are captured
        def __init__(self):
            self.w = T(2.0)
            self.parts = [self]

        @tfrt.function
        def step(self, x):
            return self.w * x

    model = Model()
    assert model.step(T(2.0)).item() == 4.0


def test_registered_containers():
    f = tfrt.function(lambda s: Fraction(s.above * 2.0, s.below))
    tfrt.register_container(Fraction, lambda s: ((s.above, s.below), None), lambda parts, _: Fraction(*parts))
    for above in (1.0, 2.0):
        result = f(Fraction(T(above), T(4.0)))
        assert (result.above / result.below).item() == above / 2
    assert f.statistics["traces"] == 1
    with pytest.raises(TypeError, match="a class can be registered"):
        tfrt.register_container("Fraction", None, None)


def test_equal_values_are_one_trace():
    class Thing:
        pass

    thing = Thing()
    values = [lambda: range(1, 5, 2), lambda: slice(0, 1), lambda: slice(None), lambda: frozenset(["a", "b", "c"]),
              lambda: {("a", 1), ("b", 2)}, lambda: Options(2.0, (1, 2)), lambda: [slice(0, 2), range(2)],
              lambda: thing]
    for make in values:
        f = tfrt.function(lambda x, value: x)
        for _ in range(3):
            f(T(1.0), make())
        assert f.statistics["traces"] == 1, make()
    f = tfrt.function(lambda x, value: x + value.scale)
    assert f(T(1.0), Options(1.0)).item() == 2.0 and f(T(1.0), Options(2.0)).item() == 3.0
    g = tfrt.function(lambda x, rows: x[rows])
    assert g(T([1.0, 2.0]), slice(0, 1)).tolist() == [1.0] and g(T([1.0, 2.0]), slice(1, 2)).tolist() == [2.0]
    sums = tfrt.function(lambda x, numbers: x + sum(numbers))
    assert sums(T(0), {1, 2}).item() == 3 and sums(T(0), {1, 2, 3}).item() == 6
    assert sums(T(0), range(4)).item() == 6


class HasDlpack:
    """As arrays of libraries that are no buffers."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_with_dlpack_are_tensors_of_the_trace():
    elements = np.array([1.0, 2.0], "f4")
    array = HasDlpack(elements)
    f = tfrt.function(lambda x, pair: x * 2.0 + pair[0])
    assert f(array, (array, 1)).tolist() == [3.0, 6.0]
    elements[0] = 5.0
    assert f(array, (array, 1)).tolist() == [15.0, 6.0] and f.statistics["traces"] == 1
    assert f(HasDlpack(np.zeros(2, "f4")), (array, 1)).tolist() == [5.0, 2.0] and f.statistics["traces"] == 1
    # tensor() copies.
    copied, borrowed = T(array), T(array, copy=False)
    elements[0] = 7.0
    assert copied.tolist() == [5.0, 2.0] and borrowed.tolist() == [7.0, 2.0]


@pytest.mark.parametrize("queue", ["s", "mstd:1,1", "mstd:2,2"])
def test_calls_of_python_in_calls_of_python(queue):
    spec = tfrt.TensorSpec("f32", [2])
    double = tfrt.function(lambda x: x * 2.0)

    def inner(x):
        variable = tfrt.Variable(x)
        return double(variable.assign_add(T([1.0, 1.0])))

    def outer(x):
        return tfrt.host_call(inner, [x], spec) + tfrt.function(lambda x: tfrt.host_call(inner, [x], spec))(x)

    f = tfrt.function(lambda x: tfrt.host_call(outer, [x], spec))
    with tfrt.Context(work_queue=queue):
        for mode in ("sync", "async"):
            with tfrt.Scope(mode=mode, context=tfrt.current_context()):
                assert f(T([1.0, 2.0])).tolist() == [8.0, 12.0]
