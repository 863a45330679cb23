"""Item assignment in traced functions: as when they run op by op, in branches, loops, on aliases and on arguments."""

import copy
import os

import numpy as np
import pytest

import tfrt

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")

T = tfrt.tensor


def check(function, *arguments, traces=None):
    """The traced function, and the same op by op: results and arguments are the same."""
    traced = tfrt.function(function)
    for given in arguments:
        mine, theirs = [T(x) for x in given], [T(x) for x in given]
        with tfrt.stance("force_eager"):
            expected = tfrt.function(function)(*theirs)
        found = traced(*mine)
        for one, other in zip(found if isinstance(found, tuple) else (found,),
                              expected if isinstance(expected, tuple) else (expected,)):
            assert one.tolist() == other.tolist(), given
        assert [x.tolist() for x in mine] == [x.tolist() for x in theirs], given
    assert traced.statistics["traces"] == (traces or 1)


X, Y = [1.0, 2.0, 3.0], [-1.0, 5.0, 6.0]


def test_straight():
    def f(x):
        y = x * 2.0
        z = y
        y[0] = x[1]
        y[1:] += 1.0
        w = tfrt.tensor([0.0, 0.0])
        w[1] = y[0]
        return y, z, w

    check(f, [X], [Y])


def test_arguments_change_as_their_own_objects():
    def f(x, y):
        x[0] = y[0] + 1.0
        y = y + 1.0
        y[0] = 7.0
        return x.sum()

    x, y = T(X), T(Y)
    same, other = x, copy.copy(x)
    traced = tfrt.function(f)
    for number in range(3):
        y[0] = float(number)
        traced(x, y)
        assert same[0].item() == number + 1.0 and other.tolist() == X and y.tolist() == [float(number), 5.0, 6.0]


def test_arguments_in_containers():
    def f(state, pair):
        state["x"][1] = pair[0].sum()
        pair[1][0] = 3.0

    state, pair = {"x": T(X), "n": 2}, (T(Y), T(Y))
    tfrt.function(f)(state, pair)
    assert state["x"].tolist() == [1.0, 10.0, 3.0] and [each.tolist() for each in pair] == [Y, [3.0, 5.0, 6.0]]


def test_arguments_of_called_functions():
    inner = tfrt.function(lambda x, v: x.__setitem__(0, v))

    def f(x):
        y = x + 1.0
        inner(y, x[1])
        if x[0] > 0.0:
            inner(x, y[0] * 3.0)
        return y

    check(f, [X], [Y])


def test_an_argument_that_is_given_twice():
    f = tfrt.function(lambda x, y: x.__setitem__(0, y[1]))
    x = T(X)
    with pytest.raises(ValueError, match="<lambda> assigns items of an argument, which is given twice"):
        f(x, x)
    with pytest.raises(TypeError, match="which is a ndarray here; pass a tensor"):
        f(np.ones(3, "f4"), x)
    assert x.tolist() == X
    f(x, copy.copy(x))
    assert x[0].item() == 2.0


def test_programs_return_what_arguments_become():
    @tfrt.function
    def f(x):
        x[0] = x[1] + x[2]
        return x.sum()

    x = T(X)
    total, became = f.concrete(x)(x)
    assert total.item() == 10.0 and became.tolist() == [5.0, 2.0, 3.0] and x.tolist() == X


def test_branches():
    def f(x):
        y, z = x * 2.0, x * 3.0
        same = y
        if x[0] > 0.0:
            y[0] = 7.0
            y[1] = y[0] + x[2]
        else:
            z[1] = 8.0
        return y, z, same

    check(f, [X], [Y])


def test_one_branch_and_nested_ones():
    def f(x):
        y = x + 0.0
        if x[0] > 0.0:
            if x[1] > 2.5:
                y[0] = 1.5
            elif x[2] > 2.0:
                y[1] = 2.5
                x[2] = 4.5
            y[2] = x[2]
        return y

    check(f, [X], [Y], [[3.0, 3.0, 3.0]], [[3.0, 1.0, 1.0]])


def _set_first(x, value):
    x[0] = value


class Holder:
    def __init__(self, x):
        self.x, self.many = x, [x, x + 1.0]


def test_branches_that_change_by_others_names():
    def f(x):
        a, b, holder = x * 2.0, x * 3.0, Holder(x * 4.0)
        inside = holder.x
        if x[0] > 0.0:
            _set_first(a, 5.0)
        else:
            _set_first(b, 6.0)
            holder.x[1] = 9.0
            holder.many[1][2] = x[0]
        return a, b, inside, holder.many[0], holder.many[1]

    check(f, [X], [Y])


def test_branches_that_return():
    def f(x):
        y = x + 1.0
        if x[0] > 0.0:
            y[0] = 3.0
            return y
        y[1] = 4.0
        x[0] = 2.0
        return y * 2.0

    check(f, [X], [Y])


def test_variables_that_are_other_tensors_behind_a_branch():
    def f(x):
        y = x + 1.0
        if x[0] > 0.0:
            y = y * 2.0
            y[0] = 0.5
        y[1] = 4.0
        return y

    check(f, [X], [Y])


def test_one_tensor_under_two_names_behind_a_branch():
    def f(x):
        if x[0] > 0.0:
            y = z = x * 2.0
        else:
            y = z = x * 3.0
        y[1] = 4.0
        return y, z

    check(f, [X], [Y])


def test_for_over_a_range():
    def f(x, n):
        y, z = tfrt.zeros_like(x), x * 1.0
        for i in range(n):
            y[i] = z[i] * 2.0
            z[0] += y[i]
        return y, z

    check(f, [X, 3], [Y, 2], [X, 0])


def test_for_over_rows_with_break():
    def f(x):
        y = tfrt.zeros_like(x)
        k = 0
        for row in x:
            if row > 2.5:
                break
            y[k] = row
            k += 1
        return y

    check(f, [X], [Y])


def test_while():
    def f(x):
        y, i = x + 0.0, 0
        while y[0] < 10.0:
            y[0] *= 2.0
            _set_first(x, y[0])
            y[1] = y[1] + x[0]
            i = i + 1
        return y

    check(f, [X], [[0.5, 1.0, 1.0]], [[20.0, 1.0, 1.0]])


def test_loops_that_change_by_others_names():
    def f(x, n):
        holder = Holder(x * 1.0)
        first = holder.many[0]
        for i in range(n):
            _set_first(holder.x, holder.x[0] + 1.0)
            if x[0] > 0.0:
                holder.many[1][i] = holder.x[0]
        return first, holder.many[1]

    check(f, [X, 3], [Y, 2], [X, 0])


def test_nested_loops():
    def f(x, n):
        y = tfrt.zeros_like(x)
        for i in range(n):
            for j in range(i):
                y[j] += x[i]
            y[i] = y[i] - 1.0
        return y

    check(f, [X, 3], [Y, 2])


def test_tensors_that_a_loop_carries():
    def f(x, n):
        y, z = x * 1.0, x * 2.0
        for i in range(n):
            for _ in range(n):
                y[0] += 0.5
                z[1] -= y[0]
            y = y * 2.0
        rows = tfrt.stack([x, x + 1.0])
        for row in rows:
            row[2] = 7.0
            z = z + row
        return y, z, rows

    check(f, [X, 2], [Y, 0])


def test_new_tensors_in_loops():
    def f(x, n):
        y = x * 1.0
        for i in range(n):
            y = y * 2.0
            y[i] = -1.0
            z = y + 1.0
            z[0] = 3.0
            y = y + z
        return y

    check(f, [X, 3], [Y, 2], [X, 0])


def test_variables_in_branches_and_loops():
    variable = tfrt.Variable(X)

    @tfrt.function
    def f(x, n):
        if x[0] > 0.0:
            variable[0] = x[1]
        for i in range(n):
            variable[i] += 1.0
        return variable * 1.0

    assert f(T(X), T(2)).tolist() == [3.0, 3.0, 3.0] == variable.read().tolist()
    assert f(T(Y), T(1)).tolist() == [4.0, 3.0, 3.0] and f.statistics["traces"] == 1


def test_masks_and_arrays():
    def f(x):
        y = x + 0.0
        y[x > 2.0] = 0.0
        y[[0, 1]] = y[[1, 0]]
        if x[0] > 0.0:
            y[y > 0.0] *= 3.0
        return y

    check(f, [X], [Y])


def test_open_sizes():
    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None, 3]), tfrt.TensorSpec("f32", [3])])
    def f(x, row):
        y = x + 0.0
        y[0] = row
        y[1:, 1] = 0.5
        y[[-1]] = row[::-1]
        y[x > 4.5] = 9.0
        z = x + 1.0
        z[...] = row
        return y, z

    for size in (2, 4):
        x = np.arange(size * 3, dtype="f4").reshape(size, 3)
        y, row = x.copy(), np.array(X, "f4")
        y[0], y[1:, 1], y[[-1]] = row, 0.5, row[::-1]
        y[x > 4.5] = 9.0
        found = f(T(x), T(row))
        assert np.array_equal(found[0].numpy(), y) and np.array_equal(found[1].numpy(), np.broadcast_to(row, (size, 3)))
    assert f.statistics["traces"] == 1


def test_gradients_through_branches_and_loops():
    def f(x, n):
        y = x * 1.0
        for i in range(n):
            y[i] = y[i] * x[0]
        if x[0] > 0.0:
            y[0] = 3.0 * y[1]
        return (y * y).sum()

    # y = [3 * (b * a), b * a, c]
    a, b, c = X
    found = tfrt.grad(lambda x: f(x, tfrt.tensor(2)))(T(X))
    np.testing.assert_allclose(found.numpy(), [20.0 * a * b * b, 20.0 * a * a * b, 2.0 * c], rtol=1e-5)


def test_gradients_leave_arguments():
    x = T(X)

    def loss(x):
        x[0] = 0.0
        return (x * x).sum()

    assert tfrt.grad(loss)(x).tolist() == [0.0, 4.0, 6.0] and x.tolist() == X


OUTSIDE = tfrt.tensor([1.0, 2.0])


def _outside(x):
    OUTSIDE[0] = x[0]


def _closure():
    kept = tfrt.tensor([1.0])

    def f(x):
        kept[0] = x[0]
    return f


def _alias_behind_branch(x):
    y = z = x * 2.0
    if x[0] > 0.0:
        y = x * 3.0
    y[0] = 1.0
    return y, z


def _alias_behind_branch_of_argument(x):
    if x[0] > 0.0:
        x = x * 3.0
    x[0] = 1.0
    return x


def _other_alias_behind_branch(x):
    y = z = x * 2.0
    if x[0] > 0.0:
        y = x * 3.0
    z[0] = 1.0
    return y, z


def _alias_in_loop(x):
    n = x[0]
    while n > 0.0:
        x[0] = 1.0
        x = x * 2.0
        n = n - 1.0
    return x


def _alias_behind_loop(x):
    y = x * 1.0
    z = y
    while x[0] > 0.0:
        y = y * 2.0
        x = x - 1.0
    y[0] = 1.0
    return y, z


def _in_loop_names_of_one(x):
    y, z, n = x * 1.0, x * 2.0, x[0]
    while n > 0.0:
        y[0] = 1.0
        z = y = y * 2.0
        n = n - 1.0
    return y, z


def _alias_behind_two_branches(x):
    y, z = x * 1.0, x * 2.0
    if x[0] > 0.0:
        if x[1] > 0.0:
            y = z
        x = x * 1.0
    y[0] = 1.0
    return y, z


def _in_condition(x):
    y = x * 1.0
    while _changes(y):
        x = x - 1.0
    return y


def _changes(y):
    y[0] = 1.0
    return y[1] > 0.0


def _in_operand(x):
    y = x * 1.0
    return x[0] > 0.0 and _changes(y)


def _in_body(x):
    y = x * 1.0

    def body(i, total):
        y[0] = total
        return total + 1.0
    return tfrt.for_range(T(2), body, x[0]), y


def _in_cond(x):
    y = x * 1.0
    return tfrt.cond(x[0] > 0.0, lambda: _changes(y), lambda: x[0] > 1.0)


@pytest.mark.parametrize("function, error", [
    (_outside, "a tensor of outside of the traced function would change"),
    (_closure(), "a tensor of outside of the traced function would change"),
    (_alias_behind_branch, "whether another tensor changes, too, depends on the branch or loop at"),
    (_alias_behind_branch_of_argument, "whether another tensor changes, too, depends on the branch or loop at"),
    (_other_alias_behind_branch, "whether another tensor changes, too, depends on the branch or loop at"),
    (_alias_behind_two_branches, "whether another tensor changes, too, depends on the branch or loop at"),
    (_alias_in_loop, "whether another tensor changes, too, depends on the branch or loop at"),
    (_alias_behind_loop, "whether another tensor changes, too, depends on the branch or loop at"),
    (_in_loop_names_of_one, "may be the same tensor as another one when the loop's body runs again"),
    (_in_condition, "the condition of a loop changes a tensor"),
    (_in_operand, "whether a tensor changes depends on a tensor; assign its items in a statement"),
    (_in_body, "a function that is given to tfrt.for_range changes a tensor of outside"),
    (_in_cond, "a function that is given to tfrt.cond changes a tensor of outside"),
])
def test_what_cannot_be_traced(function, error):
    x = T(X)
    with pytest.raises(tfrt.RewriteError, match=rf"test_item_assignment_traced.py:\d+: .*{error}"):
        tfrt.function(function)(x)
    assert x.tolist() == X and OUTSIDE.tolist() == [1.0, 2.0]


def test_bad_input_has_its_line():
    def f(x):
        x[5] = 1.0

    with pytest.raises(IndexError, match="index 5 is out of range for axis 0 with size 3"):
        tfrt.function(f)(T(X))

    def g(x, i):
        y = x * 1.0
        y[i] = 2.0
        return y

    with pytest.raises(ValueError, match=r"test_item_assignment_traced.py:\d+"):
        tfrt.function(g)(T(X), T([5]))


def test_dicts_of_objects_are_still_refused():
    def f(x):
        d = {"a": x}
        if x[0] > 0.0:
            d["a"] = x * 2.0
        return d["a"]

    with pytest.raises(tfrt.RewriteError, match=r"whether d\['a'\] is assigned depends on a tensor"):
        tfrt.function(f)(T(X))


def test_a_program_is_as_small_as_its_changes():
    """A tensor that no way changes is no result of a branch."""
    @tfrt.function
    def f(x):
        y, z = x * 2.0, x * 3.0
        if x[0] > 0.0:
            y[0] = 7.0
        return y, z

    f(T(X))
    text = f.concrete(T(X)).mlir()
    assert text.count("scatter") == 1 and f.statistics["traces"] == 1
