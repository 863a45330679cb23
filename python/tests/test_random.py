"""Random numbers: known answers, distributions, keys, generators, and the same numbers everywhere."""

import math
import os

import numpy as np
import pytest

import tfrt
from tfrt import tensor as T

traced = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
R = tfrt.random


def philox(count, seed, stream):
    """Words of Philox 4x32-10, with Python's integers."""
    mask, words = (1 << 32) - 1, []
    for block in range((count + 3) // 4):
        c = [block & mask, block >> 32, stream & mask, stream >> 32 & mask]
        k = [seed & mask, seed >> 32 & mask]
        for _ in range(10):
            first, second = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
            c = [second >> 32 ^ c[1] ^ k[0], second & mask, first >> 32 ^ c[3] ^ k[1], first & mask]
            k = [k[0] + 0x9E3779B9 & mask, k[1] + 0xBB67AE85 & mask]
        words += c
    return words[:count]


def distance(numbers, cdf):
    """The statistic of Kolmogorov and Smirnov, times the root of the number: above 2.2 in one of 8000 cases."""
    at = np.array([cdf(x) for x in np.sort(np.asarray(numbers, "f8").ravel())])
    n = len(at)
    return max((np.arange(1, n + 1) / n - at).max(), (at - np.arange(n) / n).max()) * math.sqrt(n)


def test_words_of_keys_and_generators():
    assert philox(4, 0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]  # of Random123
    of_zero = R.uniform((4,), key=0)
    assert of_zero.dtype == tfrt.f32
    assert of_zero.tolist() == [(word >> 8) / 2**24 for word in philox(4, 0, 0)]
    for seed in (7, -1, 2**63 - 1, 2**64 - 1):
        wide = R.uniform((3,), dtype="f64", key=R.key(seed)).tolist()
        words = philox(6, seed, 0)
        assert wide == [((a >> 5) * 2**26 + (b >> 6)) / 2**53 for a, b in zip(words[:3], words[3:])]
    generator = R.Generator(9)
    for call in (1, 2, 3):
        assert generator.uniform((5,)).tolist() == [(word >> 8) / 2**24 for word in philox(5, 9, call)]
    assert generator.state.tolist() == [9, 3]
    generator.seed(9)
    assert generator.uniform((2,), dtype="f16").tolist() == [(word >> 21) / 2**11 for word in philox(2, 9, 1)]
    assert generator.uniform((2,), dtype="bf16").tolist() == [(word >> 24) / 2**8 for word in philox(2, 9, 2)]

    words = philox(6, 5, 1 << 62)
    keys = R.split(R.key(5), 3)
    assert [key % 2**64 for key in keys.tolist()] == [a + (b << 32) for a, b in zip(words[::2], words[1::2])]
    for data in (0, 8, 2**63 - 1):
        words = philox(2, 5, -1 - data)
        for given in (data, T(data, "i64")):
            folded = R.fold_in(R.key(5), given)
            assert folded.shape == () and folded.item() % 2**64 == words[0] + (words[1] << 32)


def test_default_generators():
    R.seed(3)
    first = [R.normal((2, 2)), R.uniform(()), R.integers(10, shape=3)]
    R.seed(3)
    assert [x.tolist() for x in first] == [R.normal((2, 2)).tolist(), R.uniform(()).tolist(),
                                           R.integers(10, shape=3).tolist()]
    assert R.default_generator().state.tolist()[1] == 3 and R.normal((2, 2)).tolist() != first[0].tolist()
    with tfrt.Context() as context, tfrt.Scope(context=context):
        assert R.normal((2, 2)).tolist() == first[0].tolist()  # a generator of its own, of the same seed
        assert R.uniform(()).tolist() == first[1].tolist()
    assert R.default_generator().state.tolist()[1] == 4
    assert R.Generator().state.tolist()[0] != R.Generator().state.tolist()[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_default_generators_of_its_own():
    R.seed(8)
    expected = R.normal((2,)).tolist()
    process = os.fork()
    if process == 0:
        os._exit(0 if R.normal((2,)).tolist() == expected else 1)
    assert os.waitpid(process, 0)[1] == 0


def test_contexts_are_equal_if_they_are_one():
    assert tfrt.current_context() == tfrt.current_context() and tfrt.current_context() != 1
    with tfrt.Context() as context, tfrt.Scope(context=context):
        assert context == tfrt.current_context() and context != tfrt.default_context()
        assert len({context, tfrt.current_context(), tfrt.default_context()}) == 2


NUMBERS = {
    "uniform": lambda key: R.uniform((5, 7), key=key),
    "uniform_between": lambda key: R.uniform((5,), -3.0, 5.5, key=key),
    "uniform_of_tensors": lambda key: R.uniform((5, 2), T([0.0, 1.0]), T([1.0, 9.0]), key=key),
    "uniform_f64": lambda key: R.uniform((5,), 0.0, 3.0, dtype="f64", key=key),
    "normal": lambda key: R.normal((3, 3), key=key),
    "normal_f64": lambda key: R.normal((4,), 1.0, 0.3, dtype="f64", key=key),
    "normal_f16": lambda key: R.normal((4,), 1.0, 0.3, dtype="f16", key=key),
    "normal_bf16": lambda key: R.normal((), dtype="bf16", key=key),
    "nothing": lambda key: R.normal((0, 3), key=key),
    "exponential": lambda key: R.exponential((9,), 2.0, key=key),
    "gamma": lambda key: R.gamma(T([0.3, 1.0, 40.0]), (4, 3), 2.0, key=key),
    "integers": lambda key: R.integers(-5, 6, (20,), key=key),
    "integers_u8": lambda key: R.integers(0, 255, (20,), dtype="u8", endpoint=True, key=key),
    "integers_i64": lambda key: R.integers(-2**63, 2**63, (5,), dtype="i64", key=key),
    "integers_wide": lambda key: R.integers(0, 10**15, (5,), dtype="i64", key=key),
    "permutation": lambda key: R.permutation(11, key=key),
    "permutation_of_rows": lambda key: R.permutation(T([[1, 2], [3, 4], [5, 6]]), -2, key=key),
    "shuffle": lambda key: R.shuffle(T([[1, 2], [3, 4]]), 1, key=key),
    "choice": lambda key: R.choice(T([1.5, 2.5, 3.5]), (4, 2), key=key),
    "choice_once": lambda key: R.choice(9, 4, replace=False, key=key),
    "choice_weighted": lambda key: R.choice(3, (30,), p=[0.5, 0.0, 0.5], key=key),
    "choice_weighted_once": lambda key: R.choice(3, (2,), replace=False, p=[0.5, 0.0, 0.5], key=key),
    "bernoulli": lambda key: R.bernoulli(0.3, (40,), key=key),
    "bernoulli_f64": lambda key: R.bernoulli(T([0.0, 0.5, 1.0], "f64"), key=key),
    "dropout": lambda key: R.dropout(T([[1.0] * 30] * 2), 0.25, key=key),
    "split": lambda key: R.split(key, 3),
    "fold_in": lambda key: R.fold_in(key, 6),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_same_numbers_everywhere(name):
    of, key = NUMBERS[name], R.key(17)
    expected = of(key).tolist()
    assert of(17).tolist() == expected
    with tfrt.Scope(mode="async"):
        assert of(key).tolist() == expected
    with tfrt.Context(devices=["cpu:0", "sim:0"], work_queue="mstd:3") as context:
        with tfrt.Scope(context=context):
            assert of(17).tolist() == expected
        with tfrt.Scope(context=context, device="sim:0"):
            assert of(17).tolist() == expected
    if "TFRT_COMPILER_LIBRARY" in os.environ:
        assert tfrt.function(of)(key).tolist() == expected


def test_the_same_numbers_on_several_threads():
    sizes = (300, 1001)
    expected = [R.normal(sizes, key=4).numpy(), R.integers(1000, shape=sizes, key=4).numpy()]
    with tfrt.Context(work_queue="mstd:4") as context, tfrt.Scope(context=context):
        assert (R.normal(sizes, key=4).numpy() == expected[0]).all()
        assert (R.integers(1000, shape=sizes, key=4).numpy() == expected[1]).all()


@traced
def test_generators_in_traced_functions():
    generator, other = R.Generator(1), R.Generator(1)
    step = tfrt.function(lambda x: x + generator.normal((3,)))
    found = [step(T([0.0, 0.0, 0.0])).tolist() for _ in range(3)]
    assert found == [other.normal((3,)).tolist() for _ in range(3)]
    assert generator.state.tolist() == [1, 3] and step.statistics["traces"] == 1

    @tfrt.function
    def of_argument(generator, n):
        total = T(0.0)
        for _ in range(n):
            total = total + generator.uniform()
        return total

    assert of_argument(other, T(4)).item() == pytest.approx(sum(generator.uniform().item() for _ in range(4)))
    assert other.state.tolist() == [1, 7] == generator.state.tolist()

    R.seed(5)
    default = tfrt.function(lambda: R.uniform((2,)))
    found = [default().tolist(), default().tolist()]
    R.seed(5)
    assert found == [R.uniform((2,)).tolist(), R.uniform((2,)).tolist()]
    assert default().tolist() != found[0]


@traced
def test_open_sizes():
    @tfrt.function(input_signature=[tfrt.TensorSpec("f32", [None, 2])])
    def f(x):
        shape = tfrt.shape_of(x)
        return (R.dropout(x, 0.5, key=3), R.normal(shape, key=3), R.normal(shape, dtype="f64", key=3),
                R.uniform((shape[0], 3), dtype="f64", key=3), R.integers(9, shape=shape, key=3),
                R.exponential(shape, key=3),
                R.shuffle(x, key=3))

    for n in (0, 1, 3, 4):
        x = T(np.arange(2 * n, dtype="f4").reshape(n, 2))
        expected = (R.dropout(x, 0.5, key=3), R.normal((n, 2), key=3), R.normal((n, 2), dtype="f64", key=3),
                    R.uniform((n, 3), dtype="f64", key=3), R.integers(9, shape=(n, 2), key=3),
                    R.exponential((n, 2), key=3),
                    R.shuffle(x, key=3))
        for found, wanted in zip(f(x), expected):
            assert found.shape == wanted.shape and found.tolist() == wanted.tolist()


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def test_distributions_of_floats():
    generator, n = R.Generator(2024), 2500
    for dtype in ("f32", "f64"):
        assert distance(generator.uniform((n,), dtype=dtype), lambda x: x) < 2.2
        assert distance(generator.normal((n,), dtype=dtype), normal_cdf) < 2.2
        assert distance(generator.normal((n,), 3.0, 0.5, dtype=dtype), lambda x: normal_cdf((x - 3) / 0.5)) < 2.2
        assert distance(generator.exponential((n,), 2.0, dtype=dtype), lambda x: 1 - math.exp(-x / 2)) < 2.2
        for alpha in (1, 3, 20):  # the sums of a Poisson distribution
            numbers = generator.gamma(float(alpha), (n,), dtype=dtype)
            assert numbers.dtype == getattr(tfrt, dtype)
            terms = [math.lgamma(k + 1) for k in range(alpha)]
            assert distance(numbers, lambda x: 1 - sum(math.exp(k * math.log(x) - x - terms[k])
                                                       for k in range(alpha))) < 2.2
        half = generator.gamma(0.5, (n,), 2.0, dtype=dtype)  # the square of a normal one
        assert distance(half, lambda x: math.erf(math.sqrt(x / 2))) < 2.2
    assert distance(generator.uniform((n,), T([-2.0]), T([6.0])), lambda x: (x + 2) / 8) < 2.2
    for dtype in ("f16", "bf16"):
        numbers = generator.uniform((n,), dtype=dtype).astype("f32").numpy()
        assert 0 <= numbers.min() and numbers.max() < 1 and abs(numbers.mean() - 0.5) < 0.02
        assert abs(generator.normal((n,), dtype=dtype).astype("f32").numpy().std() - 1) < 0.05
    special = pytest.importorskip("scipy.special")
    for alpha in (0.1, 1.7, 1e4):
        assert distance(generator.gamma(alpha, (n,), dtype="f64"), lambda x: special.gammainc(alpha, x)) < 2.2


def test_moments():
    x = R.normal((200_000,), key=1).numpy().astype("f8")
    assert abs(x.mean()) < 0.01 and abs(x.var() - 1) < 0.02 and abs((x**3).mean()) < 0.04
    assert abs((x**4).mean() - 3) < 0.1
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 0.01 and abs(np.corrcoef(x[:100_000], x[100_000:])[0, 1]) < 0.015
    assert np.abs(x).max() > 4


def chi_squared(counts, expected):
    """In units of its deviation, about normal."""
    statistic = ((counts - expected) ** 2 / expected).sum()
    return (statistic - (counts.size - 1)) / math.sqrt(2 * (counts.size - 1))


def test_distributions_of_integers():
    generator, n = R.Generator(7), 20_000
    for low, high in ((0, 2), (-3, 4), (0, 1000)):
        counts = np.bincount(generator.integers(low, high, (n,)).numpy() - low, minlength=high - low)
        assert len(counts) == high - low and chi_squared(counts, n / (high - low)) < 4
    for low, high, dtype in ((-2**63, 2**63 - 1, "i64"), (0, 2**64 - 1, "u64"), (-2**31, 2**31 - 1, "i32"),
                             (0, 2**62, "i64"),
                             (0, 2**33 + 5, "u64"), (0, 2**32, "i64")):
        x = generator.integers(low, high, (n,), dtype=dtype, endpoint=True)
        assert x.dtype == getattr(tfrt, dtype)
        numbers = [int(number) for number in x.tolist()]
        assert low <= min(numbers) and max(numbers) <= high
        assert chi_squared(np.bincount([(number - low) * 16 // (high - low + 1) for number in numbers]), n / 16) < 4
        assert abs(sum(number % 2 for number in numbers) / n - 0.5) < 0.015  # the lowest bit
    assert generator.integers(5, 6, (3,)).tolist() == [5, 5, 5]
    words = philox(2, 4, 0)
    assert R.integers(10**6, key=4).item() == ((words[0] << 32) + words[1]) * 10**6 >> 64


def test_distributions_of_choices():
    generator, n = R.Generator(11), 1200
    orders = [tuple(generator.permutation(3).tolist()) for _ in range(n)]
    assert chi_squared(np.array([orders.count(order) for order in sorted(set(orders))]), n / 6) < 4
    assert len(set(orders)) == 6
    assert sorted(generator.permutation(1000).tolist()) == list(range(1000)) and generator.permutation(0).shape == (0,)
    assert sorted(generator.permutation(np.int64(4)).tolist()) == sorted(generator.permutation([3, 1, 0, 2]).tolist())
    x = T(np.arange(12).reshape(3, 4))
    columns = generator.permutation(x, 1).numpy()
    assert sorted(map(tuple, columns.T)) == sorted(map(tuple, x.numpy().T)) and x.tolist()[0] == [0, 1, 2, 3]

    for p in ([0.1, 0.0, 0.6, 0.3], [1.0], [0.25] * 4):
        counts = np.bincount(generator.choice(len(p), (n,), p=p).numpy(), minlength=len(p))
        assert (counts[np.array(p) == 0] == 0).all()
        assert np.abs(counts / n - p).max() < 0.06
    pairs = [tuple(generator.choice(3, (2,), replace=False, p=[0.2, 0.3, 0.5]).tolist()) for _ in range(n)]
    assert abs(sum(first == 2 for first, _ in pairs) / n - 0.5) < 0.06 and all(a != b for a, b in pairs)
    assert abs(pairs.count((0, 1)) / n - 0.2 * 0.3 / 0.8) < 0.05
    assert generator.choice(T([10, 20, 30]), 3, replace=False).numpy().sum() == 60
    assert generator.choice(T([[1, 2], [3, 4]]), (5,), axis=1).shape == (2, 5)
    assert abs(generator.bernoulli(0.3, (n,)).astype("f32").numpy().mean() - 0.3) < 0.06
    assert generator.bernoulli(T([0.0, 1.0]), (n, 2)).astype("i32").sum(axis=0).tolist() == [0, n]
    dropped = generator.dropout(T(np.ones(n, "f4")), 0.2).numpy()
    assert set(dropped.tolist()) == {0.0, 1.25} and abs((dropped == 0).mean() - 0.2) < 0.06
    assert generator.dropout(T([1.0]), 0.0).tolist() == [1.0] and generator.dropout(T([1.0]), 1.0).tolist() == [0.0]


def test_independent_keys():
    key, n = R.key(123), 4000
    children = [key, *R.split(key, 4), *(R.fold_in(key, i) for i in range(4)), *R.split(R.split(key)[0], 2)]
    assert len({child.item() for child in children}) == len(children)
    numbers = np.stack([R.normal((n,), key=child).numpy() for child in children])
    correlations = np.corrcoef(numbers) - np.eye(len(children))
    assert np.abs(correlations).max() < 4.5 / math.sqrt(n)
    first, second = R.split(key)
    grid, _, _ = np.histogram2d(R.uniform((n,), key=first).numpy(), R.uniform((n,), key=second).numpy(), bins=8,
                                range=[[0, 1], [0, 1]])
    assert chi_squared(grid.ravel(), n / 64) < 4


def test_the_state_is_saved_and_restored():
    generator = R.Generator(3)
    generator.normal((3,))
    state = generator.state.numpy().copy()
    expected = [generator.normal((3,)).tolist(), generator.key().item()]
    other = R.Generator(99)
    other.state.assign(state)
    assert [other.normal((3,)).tolist(), other.key().item()] == expected


@traced
def test_gradients_go_through_dropout_and_scales():
    x = T([1.0, 2.0, 3.0, 4.0])
    kept = R.dropout(x, 0.5, key=1).numpy() != 0
    assert tfrt.grad(lambda x: R.dropout(x, 0.5, key=1).sum())(x).tolist() == [2.0 * keep for keep in kept]
    noise = R.normal((4,), key=2).tolist()
    assert tfrt.grad(lambda std: R.normal((4,), 0.0, std, key=2).sum())(x).tolist() == noise


@pytest.mark.parametrize("call, error, message", [
    (lambda: R.key(2**64), ValueError, "64 bits"),
    (lambda: R.key(1.5), TypeError, "integer"),
    (lambda: R.uniform((2,), key=T([1, 2], "i64")), ValueError, "reshape|Reshape|2"),
    (lambda: R.uniform((2,), key=T(1)), TypeError, "a key is of i64, not i32"),
    (lambda: R.uniform((2, -1)), ValueError, r"\(2, -1\) has the size -1"),
    (lambda: tfrt.ops.random_bits([2], T([1, 2])), ValueError, "the key is i32, expected i64"),
    (lambda: tfrt.ops.random_bits([2], T([1, 2, 3], "i64")), ValueError, "2"),
    (lambda: R.uniform((2.5,)), TypeError, "integer"),
    (lambda: R.uniform((2,), dtype="i32"), TypeError, "uniform gives bf16, f16, f32, f64, not i32"),
    (lambda: R.integers(5, 5), ValueError, "no integers from 5 below 5"),
    (lambda: R.integers(0, 257, dtype="u8"), ValueError, "from 0 below 257 do not fit u8"),
    (lambda: R.integers(-1, 3, dtype="u8"), ValueError, "from -1 below 3 do not fit u8"),
    (lambda: R.integers(2.5), TypeError, "integer"),
    (lambda: R.integers(5, dtype="f32"), TypeError, "integers gives i8.*not f32"),
    (lambda: R.gamma(0.0), ValueError, "alpha is 0.0"),
    (lambda: R.bernoulli(1.5), ValueError, "p is 1.5"),
    (lambda: R.bernoulli(T([1])), TypeError, "p is of i32"),
    (lambda: R.dropout(T([1.0]), 1.5), ValueError, "rate is 1.5"),
    (lambda: R.dropout(T([1])), TypeError, "x is of i32"),
    (lambda: R.permutation(-1), ValueError, "no -1 numbers"),
    (lambda: R.permutation(T([1, 2]), 1), ValueError, "axis 1 of a tensor of 1 dimensions"),
    (lambda: R.choice(0, (1,)), ValueError, "1 of 0"),
    (lambda: R.choice(3, (4,), replace=False), ValueError, "4 of 3 cannot be chosen without"),
    (lambda: R.choice(3, p=[0.5, 0.5]), ValueError, r"p has the shape \(2,\), but there are 3"),
    (lambda: R.choice(2, p=[0.5, 0.6]), ValueError, "whose sum is 1, not 1.1"),
    (lambda: R.choice(2, p=[-0.5, 1.5]), ValueError, "0 or more"),
    (lambda: R.choice(2, (2,), replace=False, p=[0.0, 1.0]), ValueError, "fewer than 2"),
    (lambda: R.split(1, -1), ValueError, "not -1"),
    (lambda: R.fold_in(1, -1), ValueError, "not -1"),
])
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_gamma_of_what_is_not_above_0_is_nan():
    assert [math.isnan(x) for x in R.gamma(T([-1.0, 0.0, 2.0, float("nan")]),
                                           key=1).tolist()] == [True, True, False, True]


def test_parameters_do_not_make_more_numbers():
    for call in (lambda: tfrt.random.normal((2,), mean=tfrt.zeros((3, 2))),
                 lambda: tfrt.random.uniform((), low=tfrt.zeros(3)),
                 lambda: tfrt.random.exponential((2,), scale=tfrt.ones(3))):
        with pytest.raises(ValueError, match="is not broadcast to the shape"):
            call()
    assert tfrt.random.normal((2, 3), mean=tfrt.zeros(3)).shape == (2, 3)


def test_gamma_of_infinity():
    assert tfrt.random.gamma(float("inf")).item() == float("inf")
    made = tfrt.random.gamma(tfrt.tensor([float("inf"), 2.0, float("nan"), -1.0])).numpy()
    assert made[0] == np.inf and 0 < made[1] < 50 and np.isnan(made[2:]).all()
