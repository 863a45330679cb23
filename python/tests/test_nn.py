"""Layers against NumPy, names of variables, copies and pickles of modules, and training."""

import copy
import math
import os
import pickle

import numpy as np
import pytest

import tfrt
from tfrt import losses, nn, optim, tensor as T

traced = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
RNG = np.random.default_rng(3)


def assert_close(found, wanted, tolerance=1e-5):
    np.testing.assert_allclose(found.numpy(), wanted, rtol=tolerance, atol=tolerance)


def test_linear():
    layer = nn.Linear(3, 2, key=1)
    w, b = layer.weight.numpy(), layer.bias.numpy()
    assert w.shape == (3, 2) and b.shape == (2,) and np.abs(w).max() <= 1 / math.sqrt(3) and len(np.unique(w)) == 6
    assert nn.Linear(3, 2, key=1).weight.tolist() == layer.weight.tolist() != nn.Linear(3, 2, key=2).weight.tolist()
    for shape in ((3,), (4, 3), (2, 4, 3), (0, 3)):
        x = RNG.standard_normal(shape).astype("f4")
        assert_close(layer(x), x @ w + b)
    plain = nn.Linear(3, 2, bias=False, dtype="f64")
    x = RNG.standard_normal((5, 3))
    assert plain.bias is None and list(plain.named_variables()) == ["weight"]
    assert_close(plain(x), x @ plain.weight.numpy(), 1e-12)


def test_embedding_norm_and_dropout():
    table = nn.Embedding(5, 2, key=3)
    assert table(T([[0, 4], [1, 1]])).tolist() == table.weight.numpy()[[[0, 4], [1, 1]]].tolist()
    norm = nn.LayerNorm(4)
    norm.scale.assign([1.0, 2.0, 1.0, 1.0])
    norm.offset.assign([0.0, 0.0, 5.0, 0.0])
    x = RNG.standard_normal((2, 3, 4)).astype("f4")
    wanted = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    assert_close(norm(x), wanted * [1, 2, 1, 1] + [0, 0, 5, 0])
    dropout = nn.Dropout(0.5, seed=1)
    assert dropout(x).numpy().tolist() == x.tolist()
    first, second = dropout(x, training=True).numpy(), dropout(x, training=True).numpy()
    assert set(np.unique((first / x).round(3))) == {0.0, 2.0} and (first != second).any()
    assert list(dropout.state_dict()) == ["generator.state"] and dropout.generator.state.tolist() == [1, 2]


@pytest.mark.parametrize("causal", [False, True])
def test_attention(causal):
    layer = nn.MultiHeadAttention(6, 2, causal=causal, key=4)
    x = RNG.standard_normal((2, 5, 6)).astype("f4")
    q, k, v = np.moveaxis(layer.inputs(x).numpy().reshape(2, 5, 3, 2, 3), 2, 0)
    scores = np.einsum("bshd,bthd->bhst", q, k) / math.sqrt(3)
    mask = np.tril(np.ones((5, 5), bool)) if causal else np.ones((5, 5), bool)

    def wanted(mask):
        weights = np.exp(np.where(mask, scores, -np.inf))
        weights /= weights.sum(-1, keepdims=True)
        return layer.output(np.einsum("bhst,bthd->bshd", weights, v).reshape(2, 5, 6).astype("f4")).numpy()

    assert_close(layer(x), wanted(mask))
    given = np.ones((2, 1, 5, 5), bool)
    given[0, :, :, 1:2] = False
    given[0, :, 1, 0] = True
    assert_close(layer(x, T(given)), wanted(mask & given))


def test_names():
    model = nn.Sequential(nn.Linear(2, 3), tfrt.relu, nn.Dropout(0.1), nn.Linear(3, 1, bias=False))
    assert list(model.named_variables()) == ["layers.0.weight", "layers.0.bias", "layers.3.weight"]
    assert list(model.state_dict()) == ["layers.0.weight", "layers.0.bias", "layers.2.generator.state",
                                        "layers.3.weight"]
    assert model.variables()[0] is model[0].weight and len(model) == 4
    assert repr(nn.Linear(2, 3)) == "<Linear with weight [2, 3], bias [3]>"

    class Tied(nn.Module):
        def __init__(self):
            self.parts = {"a": nn.Embedding(4, 2), "b": [nn.LayerNorm(2)]}
            self.again, self.itself, self.rate = self.parts["a"], self, 0.5

    tied = Tied()
    assert list(tied.named_variables()) == ["parts.a.weight", "parts.b.0.scale", "parts.b.0.offset"]
    with pytest.raises(NotImplementedError, match="Tied has no method 'forward'"):
        tied(1)


def model_of(seed):
    keys = tfrt.random.split(seed, 2)
    return nn.Sequential(nn.Linear(2, 8, key=keys[0]), tfrt.tanh, nn.Dropout(0.2, seed=5), nn.Linear(8, 1, key=keys[1]))


def test_state_dicts_copies_and_pickles():
    first, second = model_of(1), model_of(2)
    x = T([[0.5, -1.0]])
    expected = first(x).tolist()
    assert second(x).tolist() != expected
    second.load_state_dict(first.state_dict())
    assert second(x).tolist() == expected
    second[0].weight.assign_add(tfrt.ops.fill([2, 8], 1.0))
    assert first(x).tolist() == expected

    for copied in (copy.deepcopy(first), *(pickle.loads(pickle.dumps(first, protocol)) for protocol in (2, 5))):
        assert copied(x).tolist() == expected and list(copied.state_dict()) == list(first.state_dict())
        copied[3].bias.assign([100.0])
        copied(x, training=True)
        assert first(x).tolist() == expected and first[2].generator.state.tolist() == [5, 0]
        assert copied[2].generator.state.tolist() == [5, 1]

    shared = [first[0].weight, first[0].weight]
    copied = copy.deepcopy(shared)
    assert copied[0] is copied[1] and copied[0] is not shared[0]


def test_variables_are_copied_and_pickled():
    class Weight(tfrt.Variable):
        pass

    for dtype in ("f32", "bf16", "i64", "i1"):
        v = tfrt.Variable(T([[1, 0]]), dtype=dtype)
        for made in (copy.copy(v), copy.deepcopy(v), *(pickle.loads(pickle.dumps(v, p)) for p in range(2, 6))):
            assert type(made) is tfrt.Variable and made.dtype == v.dtype and made.tolist() == v.tolist()
            made.assign(T([[0, 0]]).astype(dtype))
            assert v.tolist() == T([[1, 0]]).astype(dtype).tolist()
    w = Weight([1.0, 2.0])
    w.name = "of w"
    made = copy.deepcopy(w)
    assert type(made) is Weight and made.name == "of w" and made.tolist() == [1.0, 2.0]


@traced
def test_training_of_copies_gives_the_same():
    x = RNG.standard_normal((32, 2)).astype("f4")
    y = (x[:, :1] * x[:, 1:] > 0).astype("f4")

    def training(model, optimizer):
        gradient = tfrt.value_and_grad(lambda x, y: losses.sigmoid_cross_entropy(model(x, training=True), y),
                                       variables=model.named_variables())

        @tfrt.function
        def step(x, y):
            value, by = gradient(x, y)
            by, _ = optim.clip_by_global_norm(by, 1.0)
            optimizer.update(model, by)
            return value

        return lambda count: [step(T(x), T(y)).item() for _ in range(count)]

    model, optimizer = model_of(1), optim.Adam(0.05)
    optimizer.init(model)
    train = training(model, optimizer)
    found = train(5)
    copied, optimizer_copied = copy.deepcopy((model, optimizer))
    expected = train(20)
    assert training(copied, optimizer_copied)(20) == expected and expected[-1] < 0.95 * found[0]
    assert copied[0].weight.tolist() == model[0].weight.tolist()


@traced
def test_open_sizes():
    model = nn.Sequential(nn.Embedding(7, 4, key=1), nn.MultiHeadAttention(4, 2, causal=True, key=2), nn.LayerNorm(4),
                          nn.Linear(4, 3, key=3))
    f = tfrt.function(lambda x: model(x), input_signature=[tfrt.TensorSpec("i32", [None, None])])
    for shape in ((2, 3), (1, 6)):
        x = T(RNG.integers(0, 7, shape).astype("i4"))
        assert_close(f(x), model(x).numpy())
    assert f.statistics["traces"] == 1


@pytest.mark.parametrize("call, error, message", [
    (lambda: nn.Linear(0, 2), ValueError, "inputs is 0"),
    (lambda: nn.Linear(2, 2.0), ValueError, "outputs is 2.0"),
    (lambda: nn.Embedding(3, 0), ValueError, "size is 0"),
    (lambda: nn.LayerNorm(-1), ValueError, "size is -1"),
    (lambda: nn.Dropout(2.0), ValueError, "rate is 2.0"),
    (lambda: nn.MultiHeadAttention(6, 4), ValueError, "4 heads do not divide 6"),
    (lambda: nn.Sequential(1), TypeError, "not int"),
    (lambda: nn.Linear(2, 3).load_state_dict({"weight": T([[1.0]])}), ValueError, r"lacks \['bias'\]"),
    (lambda: nn.Linear(2, 1).load_state_dict({"weight": T([[1.0]]), "bias": T([1.0])}), ValueError,
     "'weight' has the shape"),
    (lambda: nn.LayerNorm(1).load_state_dict({"scale": T([1]), "offset": T([1.0])}), TypeError, "'scale' is of f32"),
])
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_dtype_that_does_not_fit_changes_nothing():
    layer = tfrt.nn.Linear(2, 2)
    before = layer.weight.numpy().tolist()
    with pytest.raises(TypeError, match="'bias' is of f32, but .* gives f64"):
        layer.load_state_dict({"weight": np.zeros((2, 2), np.float32), "bias": np.zeros(2)})
    assert layer.weight.numpy().tolist() == before
