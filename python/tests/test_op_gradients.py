"""The gradients of each op of the table against central differences, or that it has none.

The op table says why an op has no gradient; docs/reference/eager_ops.md lists the reasons.
"""

import os
import re

import numpy as np
import pytest

import tfrt
import test_every_op as every

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")

# The arguments that get gradients; the others keep the elements of the case, as they belong together.
SOME_ARGUMENTS = {"max_pool2d_grad": {0, 2}, "batch_norm_grad": {0}}
# How many results have gradients, from the first on.
SOME_RESULTS = {"batch_norm": 1, "max_pool_with_places": 1}
# Where elements are: their sizes, and whether some are negative.
RANGES = {**dict.fromkeys(("log", "sqrt", "rsqrt", "pow", "reduce_log_sum", "dequantize", "log2", "log10"),
                          (0.5, 1.5, False)),
          **dict.fromkeys(("log1p", "asin", "acos", "atanh"), (0.1, 0.8, True)),
          **dict.fromkeys(("acosh",), (1.2, 2.5, False)), "batch_norm": (0.5, 1.5, False)}
USUAL = (0.3, 1.7, True)
CASES_OF_ONE_ROW = 6
# The errors of rules for calls that have no gradient although other calls of the row have one.
PLAIN_WINDOWS = "there is a rule for convolutions without dilations and explicit padding"
UPDATES = "there is a rule for updates that are set or added"
LIMITS = {
    "batch_norm_grad": {"there is a rule for training on [N,H,W,C]"},
    "conv2d": {PLAIN_WINDOWS},
    "conv2d_bias": {PLAIN_WINDOWS},
    "conv2d_bias_add": {PLAIN_WINDOWS},
    "max_pool2d_grad": {"there is a rule for windows side by side, without padding"},
    "pow": {"the exponent must be of the dtype of the base"},
    "scatter_elements": {UPDATES},
    "scatter_nd": {UPDATES},
}


# Rows of which no gradient is asked for, by reason.
NO_GRADIENTS = {row: reason for reason, rows in {
    "results are no floats": """argmax argmin argsort assert bitwise_and bitwise_not bitwise_or bitwise_xor conv_integer
        equal greater greater_equal is_inf is_nan less less_equal logical_and logical_not logical_or logical_xor
        matmul_integer non_max_suppression nonzero not_equal print quantize search_sorted shape_of shift_left
        shift_right signbit split_sizes""",
    "arguments are no floats that a function can be given": "constant random_bits range",
    "it is about bits": "bit_cast",
    "its numbers are complex, as in test_fft.py": "dft imag make_complex real",
    "the host has no such op": "fused_batch_norm",
}.items() for row in rows.split()}


def own_cases():
    """Of rows that have no case of NumPy."""
    calls = []

    def call(row, *arguments, **attributes):
        arguments = [np.ones(value, "f4") if isinstance(value, tuple) else np.asarray(value) for value in arguments]
        calls.append(every.Case(f"graph.{row}", attributes.items(), arguments, []))

    image, window = (1, 4, 5, 2), {"channels_last": True, "kernel": [2, 2]}
    recurrent = [(2, 1, 3), (1, 4, 3), (1, 4, 4)]
    call("attention", (1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 4), scale=0.5)
    call("attention", (1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 4), (1, 1, 3, 5))
    call("check_numerics", (2, 3), message="wrong")
    call("check_numerics_v2", (2, 3), message="wrong")
    call("ensure_shape", (2, 3), shape=[2, -1])
    call("identity", (2, 3))
    call("list_write", (2, 3), 1, (3,))
    for row in ("eigh", "qr", "svd"):
        call(row, (3, 3))
    call("squeeze", (1, 3, 1), squeeze_dims=[0])
    call("sum_to", (2, 3), [1, 3])
    for row in ("average_pool", "lp_pool", "max_pool", "max_pool_with_places"):
        call(row, image, **window)
    for row in ("conv", "conv_transpose", "fused_conv"):
        call(row, image, (2, 2, 2, 2), channels_last=True)
    call("fused_batch_matmul", (2, 3, 4), (4, 2))
    call("fused_matmul", (3, 4), (4, 2), (2,), fused_ops=["BiasAdd"])
    calls[-1].op = lambda a, b, bias, **attributes: tfrt.ops.fused_matmul(a, b, [bias], **attributes)
    call("rnn", *recurrent)
    call("gru", recurrent[0], (1, 12, 3), (1, 12, 4))
    call("lstm", recurrent[0], (1, 16, 3), (1, 16, 4))
    return calls


class Differences:
    """A case with elements for which it has derivatives."""

    def __init__(self, case, seed):
        self.case, self.random = case, np.random.default_rng(seed)
        given = [value for host, value in zip(case.is_host, case.arguments) if not host]
        chosen = SOME_ARGUMENTS.get(case.row, range(len(given)))
        self.floats = [i for i, value in enumerate(given) if i in chosen and is_float(value) and value.size]
        low, high, signs = RANGES.get(case.row, USUAL)
        self.given = list(given)
        for i in self.floats:
            value = self.random.uniform(low, high, given[i].shape)
            value = np.asarray(value * self.random.choice([-1, 1], value.shape) if signs else value)
            self.given[i] = value @ value.swapaxes(-1, -2) + np.eye(len(value[-1])) if case.row == "cholesky" else value
        # As exactly as the op can.
        for self.dtype in ("f8", "f4"):
            self.given = [value.astype(self.dtype) if is_float(value) else value for value in self.given]
            try:
                results = [result.numpy() for result in case(self.tensors())]
                break
            except tfrt.Error:
                if self.dtype == "f4":
                    raise
        some = SOME_RESULTS.get(case.row, len(results))
        self.weights = [self.random.uniform(0.5, 1.5, result.shape).astype(result.dtype)
                        if is_float(result) and i < some else None for i, result in enumerate(results)]

    def tensors(self, replaced={}):
        return [tfrt.tensor(np.asarray(replaced.get(i, value))) for i, value in enumerate(self.given)]

    def weighted(self, results):
        return [(result, weights) for result, weights in zip(results, self.weights) if weights is not None]

    def loss(self, replaced):
        """Sums up the float results with weights."""
        return sum(np.sum(result.numpy().astype("f8") * weights)
                   for result, weights in self.weighted(self.case(self.tensors(replaced))))

    def traced_loss(self, floats):
        given = self.tensors()
        for i, value in zip(self.floats, floats):
            given[i] = value
        return sum(tfrt.ops.cast((result * tfrt.tensor(weights)).sum(), DstT=tfrt.f64)
                   for result, weights in self.weighted(self.case(given)))

    def inputs(self):
        return [tfrt.tensor(self.given[i]) for i in self.floats]

    def difference(self, i, direction, step):
        """Of the loss, central, along a direction of argument i."""
        above, below = (self.loss({i: (self.given[i] + sign * step * direction).astype(self.dtype)})
                        for sign in (1, -1))
        return (above - below) / (2 * step)

    def check(self, gradients):
        exact = self.dtype == "f8" and all(weights.dtype == "f8" for weights in self.weights if weights is not None)
        step, tolerance = (1e-6, 1e-6) if exact else (4e-3, 1e-2)
        for i, gradient in zip(self.floats, gradients):
            shape = self.given[i].shape
            for attempt in range(20):  # directions, until there is one without a kink: of all elements, then of some
                direction = self.random.uniform(-1, 1, shape) * (self.random.choice([0, 1], shape) if attempt else 1)
                if not direction.any():
                    continue
                parts = gradient.numpy().astype("f8") * direction
                allowed = tolerance * (1 + np.sum(np.abs(parts)))
                difference = self.difference(i, direction, step)
                if abs(difference - self.difference(i, direction, step / 2)) <= allowed / 2:
                    break
            else:
                pytest.fail(f"argument {i} is at a kink")
            assert abs(np.sum(parts) - difference) <= allowed, (self.case.attributes, i, self.given, gradient.numpy())


def is_float(value):
    return value.dtype.kind == "f" or value.dtype.name == "bfloat16"


def different_cases():
    """Of each row some calls that differ in attributes and shapes."""
    found = {}
    for case in [case for family in every.FAMILIES for case in every.cases(family)] + own_cases():
        results = [value for *_, value in case.results]
        if case.row in NO_GRADIENTS or not any(is_float(value) and value.size for value in case.arguments):
            continue
        # Results that are rounded to 16 bits have no usable differences.
        if results and not any(value.dtype.kind == "f" and value.dtype.itemsize > 2 for value in results):
            continue
        key = repr((case.attributes, [value.shape for value in case.arguments]))
        of_row = found.setdefault(case.row, {})
        if len(of_row) < CASES_OF_ONE_ROW and sum(value.size for value in case.arguments) < 4000:
            of_row.setdefault(key, case)
    return {row: list(of_row.values()) for row, of_row in found.items()}


CASES = different_cases()


@pytest.mark.parametrize("row", CASES)
def test_gradients_are_as_differences(row):
    refused = set()
    for seed, case in enumerate(CASES[row]):
        differences = Differences(case, seed)
        try:
            gradients = tfrt.grad(differences.traced_loss)(differences.inputs())
        except tfrt.Error as error:
            refused.add(re.search("has no gradient|there is a rule for .*|the exponent must be of the dtype of the "
                                  "base|$",
                                  str(error))[0] or str(error))
        else:
            differences.check(gradients)
            refused.add("")
    # Some calls have no rule, which says so; or none of the row has.
    assert "" in refused and refused - {""} <= LIMITS.get(row, set()) or refused == {"has no gradient"}


def test_no_row_is_missing():
    assert set(CASES) | set(NO_GRADIENTS) == set(every.ROWS) and not set(CASES) & set(NO_GRADIENTS)


def test_gradients_of_products_of_zeros():
    numbers = tfrt.tensor([2.0, 0.0, 3.0, 0.0, 5.0])

    def gradient(**attributes):
        return tfrt.grad(lambda x: tfrt.ops.cumulative_product(x, 0, **attributes).sum())(numbers).numpy().tolist()

    assert gradient() == [1, 8, 0, 0, 0]  # of 2 + 2x + 6x + ... at x = 0
    assert gradient(exclusive=True) == [1, 8, 0, 0, 0]
    assert gradient(reverse=True) == [0, 0, 0, 20, 1]
    assert gradient(exclusive=True, reverse=True) == [0, 0, 0, 20, 1]
