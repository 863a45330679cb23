"""Optimizers against PyTorch and NumPy in doubles, schedules, clipping, and the number of calls."""

import copy
import math
import os
import pickle
import warnings

import numpy as np
import pytest

import tfrt
from tfrt import optim, tensor as T

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
X, Y = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, -1.5]]), np.array([0.3, -0.7])

OPTIMIZERS = {
    "sgd": lambda: optim.SGD(0.05),
    "sgd_decay": lambda: optim.SGD(0.05, weight_decay=0.1),
    "momentum": lambda: optim.SGD(0.02, 0.9, weight_decay=0.01),
    "nesterov": lambda: optim.SGD(0.02, 0.9, nesterov=True),
    "adam": lambda: optim.Adam(0.05),
    "adam_decay": lambda: optim.Adam(0.05, (0.8, 0.95), 1e-3, weight_decay=0.1),
    "adamw": lambda: optim.AdamW(0.05, weight_decay=0.1),
    "rmsprop": lambda: optim.RMSprop(0.01),
    "rmsprop_all": lambda: optim.RMSprop(0.01, 0.9, 1e-4, momentum=0.5, centered=True, weight_decay=0.01),
}
# x and y after 20 steps of PyTorch 2.15.0 in f64, with the gradients of `gradients`.
OF_PYTORCH = {
    "sgd": ([0.143173050023452, -1.08876532220739, 4.89410720838839, 0.0607217917418353, 0, -0.337787688899433],
            [0.17173719625278, -0.0267802180855577]),
    "sgd_decay": ([0.127208319164773, -0.809029479581449, 4.79576404588402, 0.0543581488125168, 0, -0.290361973062215],
                  [0.159379768835883, -0.0366847570920997]),
    "momentum": ([-0.31971818166978, 0.373809011497395, 4.52489513304829, -0.141287187904825, 0, 0.50321471064831],
                 [-0.0408277264658248, 0.0990621572340098]),
    "nesterov": ([-0.213846532484702, 0.305284958019086, 4.72073371446012, -0.0928928986033475, 0, 0.373307114073804],
                 [-0.0012946203653219, 0.197233109816213]),
    "adam": ([0.0847707304008328, -0.980287007386399, 4.01685299652385, -0.134620816549263, 0, -0.495435256131538],
             [-0.166064504580986, 0.0192376266617102]),
    "adam_decay": ([0.118124472853161, -0.979942937213875, 4.02110560988759, -0.0540488461836589, 0,
                    -0.504037554235569],
                   [-0.0716831036420519, -0.0493003795885813]),
    "adamw": ([0.0465694068864922, -0.834291345484416, 3.68489164683529, -0.129242740276318, 0, -0.405103428087096],
              [-0.16266028017273, 0.0271381916781578]),
    "rmsprop": ([0.334246743370049, -1.17117752043575, 3.8139113166607, 0.0339421046633444, 0, -0.707240786977766],
                [0.0442439204273704, -0.246618571882338]),
    "rmsprop_all": ([0.259305832276983, -1.0472730397303, 3.93962262976442, 0.0214533027320689, 0, -0.590347205041341],
                    [0.0388142623028004, -0.233734159090533]),
}


def gradients(x, y):
    """The gradients of sum(x sin(x)) + sum((x[:, :2] y)^2) / 2 + sum(y^4)."""
    of_x = np.cos(x) * x + np.sin(x)
    of_x[:, :2] += x[:, :2] * y * y
    return of_x, (x[:, :2] ** 2).sum(0) * y + 4 * y**3


def steps_of_numpy(name, x, y, steps=20):
    """The same in doubles, with the documented formulas, one by one."""
    values, kept = [x.copy(), y.copy()], [{}, {}]
    for step in range(1, steps + 1):
        for x, slots, g in zip(values, kept, gradients(*values)):
            if name.startswith(("sgd", "momentum", "nesterov")):
                rate, decay, momentum = {"sgd": (0.05, 0, 0), "sgd_decay": (0.05, 0.1, 0),
                                         "momentum": (0.02, 0.01, 0.9),
                                         "nesterov": (0.02, 0, 0.9)}[name]
                g = g + decay * x
                b = slots["b"] = momentum * slots.get("b", 0) + g
                x -= rate * (g + momentum * b if name == "nesterov" else b)
            elif name.startswith("adam"):
                beta, beta2, epsilon, decay = {"adam": (0.9, 0.999, 1e-8, 0), "adam_decay": (0.8, 0.95, 1e-3, 0.1),
                                               "adamw": (0.9, 0.999, 1e-8, 0.1)}[name]
                if name == "adamw":
                    x -= 0.05 * decay * x
                else:
                    g = g + decay * x
                m = slots["m"] = beta * slots.get("m", 0) + (1 - beta) * g
                v = slots["v"] = beta2 * slots.get("v", 0) + (1 - beta2) * g * g
                x -= 0.05 * (m / (1 - beta**step)) / (np.sqrt(v / (1 - beta2**step)) + epsilon)
            else:
                alpha, epsilon, momentum, decay = (0.99, 1e-8, 0, 0) if name == "rmsprop" else (0.9, 1e-4, 0.5, 0.01)
                g = g + decay * x
                v = slots["v"] = alpha * slots.get("v", 0) + (1 - alpha) * g * g
                if name == "rmsprop_all":
                    m = slots["m"] = alpha * slots.get("m", 0) + (1 - alpha) * g
                    v = v - m * m
                b = slots["b"] = momentum * slots.get("b", 0) + g / (np.sqrt(v) + epsilon)
                x -= 0.01 * b
    return values


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_twenty_steps(name):
    x, y = tfrt.Variable(X, dtype="f64"), tfrt.Variable(Y, dtype="f64")
    optimizer = OPTIMIZERS[name]()
    for _ in range(20):
        optimizer.update([x, y], [T(g) for g in gradients(x.numpy(), y.numpy())])
    for found, numpys, pytorchs in zip((x, y), steps_of_numpy(name, X, Y), OF_PYTORCH[name]):
        np.testing.assert_allclose(found.numpy(), numpys, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(found.numpy().ravel(), pytorchs, rtol=1e-11, atol=1e-13)
    assert optimizer.steps.item() == 20
    # All variables are updated by one call of one program, and nothing else is called.
    assert optimizer._traced.statistics["calls"] == 20 and optimizer._traced.statistics["traces"] == 1
    given, context = [T(g) for g in gradients(X, Y)], tfrt.current_context()
    before = context.cache_statistics()
    optimizer.update([x, y], given)
    after = context.cache_statistics()
    assert after["hits"] + after["misses"] - before["hits"] - before["misses"] == 1  # the call of the program


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_in_a_traced_step_of_training(name):
    weights = {"x": tfrt.Variable(X, dtype="f64"), "y": tfrt.Variable(Y, dtype="f64")}
    optimizer = OPTIMIZERS[name]()

    def loss():
        x, y = weights["x"].read(), weights["y"].read()
        inner = x[:, :2] * y
        return (tfrt.ops.sin(x) * x).sum() + (inner * inner).sum() * 0.5 + (y * y * y * y).sum()

    gradient = tfrt.value_and_grad(loss, variables=weights)

    @tfrt.function
    def train():
        value, by = gradient()
        optimizer.update(weights, by)
        return value

    for _ in range(20):
        value = train()
    assert math.isfinite(value.item()) and optimizer.steps.item() == 20
    for found, wanted in zip((weights["x"], weights["y"]), OF_PYTORCH[name]):
        np.testing.assert_allclose(found.numpy().ravel(), wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype, tolerance", [("f32", 1e-5), ("bf16", 0.1), ("f16", 0.02)])
def test_other_dtypes(dtype, tolerance):
    x, y = tfrt.Variable(T(X), dtype=dtype), tfrt.Variable(T(Y), dtype=dtype)
    optimizer = optim.AdamW(0.05, weight_decay=0.1)
    for _ in range(20):
        values = [tfrt.cast(v, "f64").numpy() for v in (x, y)]
        optimizer.update([x, y], [tfrt.cast(T(g), dtype) for g in gradients(*values)])
    assert x.dtype == getattr(tfrt, dtype) and optimizer.state_dict()["mean.0"].dtype == tfrt.f32
    np.testing.assert_allclose(tfrt.cast(x, "f64").numpy().ravel(), OF_PYTORCH["adamw"][0], rtol=tolerance,
                               atol=tolerance)


def test_the_state_is_saved_and_restored():
    def start():
        return {"x": tfrt.Variable(X, dtype="f64"), "y": tfrt.Variable(Y, dtype="f64")}

    def steps(weights, optimizer, count):
        for _ in range(count):
            optimizer.update(weights, [T(g) for g in gradients(weights["x"].numpy(), weights["y"].numpy())])

    weights, optimizer = start(), OPTIMIZERS["rmsprop_all"]()
    steps(weights, optimizer, 8)
    state = {name: variable.numpy().copy() for name, variable in optimizer.state_dict().items()}
    assert sorted(state) == ["learning_rate", "mean.x", "mean.y", "momentum.x", "momentum.y", "square.x", "square.y",
                             "steps"]
    others, restored = start(), OPTIMIZERS["rmsprop_all"]()
    for name, variable in others.items():
        variable.assign(weights[name])
    restored.init(others)
    restored.load_state_dict(state)
    steps(others, restored, 12)
    np.testing.assert_allclose(others["x"].numpy().ravel(), OF_PYTORCH["rmsprop_all"][0], rtol=1e-11, atol=1e-13)
    del state["mean.x"]
    with pytest.raises(ValueError, match=r"lacks \['mean.x'\], and has nothing"):
        restored.load_state_dict(state)
    state["mean.x"] = np.zeros(3)
    with pytest.raises(ValueError, match=r"'mean.x' has the shape \(2, 3\), but the state gives \(3,\)"):
        restored.load_state_dict(state)


def test_the_learning_rate():
    x = tfrt.Variable([1.0])
    optimizer = optim.SGD(0.5)
    optimizer.update([x], [T([1.0])])
    assert x.tolist() == [0.5] and optimizer.learning_rate.item() == 0.5
    optimizer.learning_rate = 0.25  # also of the program that is there
    optimizer.update([x], [T([1.0])])
    assert x.tolist() == [0.25] and optimizer._traced.statistics["traces"] == 1

    scheduled = optim.SGD(optim.step(1.0, 2, 0.5))
    x.assign([0.0])
    rates = []
    for _ in range(6):
        rates.append(scheduled.learning_rate.item())
        scheduled.update([x], [T([-1.0])])
    assert rates == [1.0, 1.0, 0.5, 0.5, 0.25, 0.25] and x.tolist() == [3.5]
    assert "learning_rate" not in scheduled.state_dict()
    with pytest.raises(ValueError, match="that of a schedule"):
        scheduled.learning_rate = 1.0


def test_schedules():
    steps = range(0, 25, 3)
    cosine = [0.1 + 0.9 * (1 + math.cos(math.pi * min(s / 20, 1))) / 2 for s in steps]
    cases = [
        (optim.constant(0.3), [0.3 for _ in steps]),
        (optim.cosine(1.0, 20, 0.1), cosine),
        (optim.step(2.0, 7, 0.5), [2.0 * 0.5 ** (s // 7) for s in steps]),
        (optim.exponential(2.0, 0.5, 7), [2.0 * 0.5 ** (s / 7) for s in steps]),
        (optim.linear_warmup(2.0, 10, 1.0), [1 + min(s, 10) / 10 for s in steps]),
        (optim.linear_warmup(optim.exponential(2.0, 0.5), 10),
         [s / 5 if s < 10 else 2.0 * 0.5 ** (s - 10) for s in steps]),
    ]
    for schedule, expected in cases:
        traced = tfrt.function(schedule)
        for at, wanted in zip(steps, expected):
            for found in (schedule(at), schedule(T(at, "i64")), traced(T(at, "i64"))):
                assert found.dtype == tfrt.f64 and found.item() == pytest.approx(wanted, rel=1e-12)


def test_clipping():
    gradients = {"a": T([3.0, 0.0]), "b": [T([[4.0]], dtype="f64")]}
    clipped, norm = optim.clip_by_global_norm(gradients, 1.0)
    assert norm.item() == 5.0 and clipped["a"].tolist() == pytest.approx([0.6, 0.0])
    assert clipped["b"][0].tolist() == [[0.8]] and clipped["b"][0].dtype == tfrt.f64
    clipped, norm = optim.clip_by_global_norm(gradients, 10.0)
    assert clipped["a"].tolist() == [3.0, 0.0] and clipped["b"][0].tolist() == [[4.0]]
    assert optim.clip_by_global_norm([T([0.0])], 1.0)[0][0].tolist() == [0.0]
    half, norm = optim.clip_by_global_norm([T([200.0] * 4, dtype="f16")], 4.0)
    assert norm.item() == 400.0 and half[0].tolist() == [2.0] * 4 and half[0].dtype == tfrt.f16
    assert optim.clip_by_value((T([-2.0, 0.5, 3.0]),), -1.0, 1.0)[0].tolist() == [-1.0, 0.5, 1.0]
    traced = tfrt.function(lambda g: optim.clip_by_global_norm(g, 1.0))
    assert traced([T([3.0]), T([4.0])])[0][1].tolist() == pytest.approx([0.8])


@pytest.mark.parametrize("call, error, message", [
    (lambda: optim.SGD(0.1, 1.5), ValueError, "momentum is 1.5"),
    (lambda: optim.SGD(0.1, nesterov=True), ValueError, "nesterov needs a momentum"),
    (lambda: optim.Adam(0.1, (0.9, 1.0)), ValueError, "beta is 1.0"),
    (lambda: optim.AdamW(0.1, weight_decay=-1.0), ValueError, "weight_decay is -1.0"),
    (lambda: optim.RMSprop(0.1, epsilon=-1.0), ValueError, "epsilon is -1.0"),
    (lambda: optim.SGD(0.1).update([], []), ValueError, "no variables"),
    (lambda: optim.SGD(0.1).update([T([1.0])], [T([1.0])]), TypeError, "'0' is Tensor"),
    (lambda: optim.SGD(0.1).update([tfrt.Variable(1)], [T(1)]), TypeError, "'0' is of i32, not of floats"),
    (lambda: optim.SGD(0.1).update([tfrt.Variable([1.0])], []), ValueError, "0 gradients for 1 variables"),
    (lambda: optim.SGD(0.1).update({"w": tfrt.Variable([1.0])}, [T([1.0, 2.0])]), ValueError,
     r"'w' has the shape \(1,\).*\(2,\)"),
    (lambda: optim.SGD(0.1).update({"w": tfrt.Variable([1.0])}, [T([1])]), TypeError,
     "'w' is of f32, but its gradient of i32"),
    (lambda: optim.cosine(0.1, 0), ValueError, "above 0, not 0"),
    (lambda: optim.clip_by_global_norm([T([1.0])], 0.0), ValueError, "max_norm is 0.0"),
    (lambda: optim.clip_by_value([T([1.0])], 2.0, 1.0), ValueError, "low is 2.0"),
])
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_many_variables_are_no_loop_of_the_program():
    weights = [tfrt.Variable([float(i)]) for i in range(40)]
    optimizer = optim.AdamW(0.1)

    @tfrt.function
    def train(x):
        optimizer.update(weights, [x] * 40)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train(T([1.0]))
    assert weights[3].item() == pytest.approx(3.0 * 0.999 - 0.1)


def test_copies_and_pickles():
    x = tfrt.Variable([1.0])
    optimizer = optim.SGD(optim.linear_warmup(optim.cosine(1.0, 8), 4, 0.5), 0.5)
    optimizer.update([x], [T([1.0])])
    copies = [copy.deepcopy((x, optimizer)), pickle.loads(pickle.dumps((x, optimizer)))]
    optimizer.update([x], [T([1.0])])
    for other, copied in copies:
        assert other.tolist() == [0.5] and copied.steps.item() == 1
        copied.update([other], [T([1.0])])
        assert other.tolist() == x.tolist() == [0.5 - 0.625 * 1.5]
        assert copied.learning_rate.item() == optimizer.learning_rate.item() == 0.75


def test_an_optimizer_belongs_to_its_variables():
    optimizer = optim.SGD(0.1)
    optimizer.update([tfrt.Variable([1.0])], [T([1.0])])
    with pytest.raises(ValueError, match="first given, and no others"):
        optimizer.update([tfrt.Variable([1.0])], [T([1.0])])
