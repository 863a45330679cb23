"""Element-wise ops, comparisons, conversions, and chains of them."""

import numpy as np

from growing import Rejected, type_of

UNARY = ["Relu", "LeakyRelu", "Elu", "Selu", "Celu", "Sigmoid", "Tanh", "HardSigmoid", "HardSwish", "Softplus",
         "Softsign", "Erf", "Neg", "Abs", "Exp", "Sin", "Cos", "Atan", "Asinh", "Ceil", "Floor", "Round", "Sign",
         "ThresholdedRelu", "Clip", "Gelu", "Mish", "Identity", "Dropout", "Shrink", "Sinh", "Cosh", "Tan"]
POSITIVE = ["Sqrt", "Log", "Reciprocal", "Acosh"]
SINCE = {"HardSwish": 14, "Gelu": 20, "Mish": 18, "BitwiseNot": 18, "BitwiseAnd": 18, "BitwiseOr": 18, "BitwiseXor": 18}
BINARY = ["Add", "Sub", "Mul", "Div", "Add", "Mul", "Sub", "Max", "Min", "Pow", "PRelu", "Mod"]


def operand(g, x, dtype=None):
    """A value that broadcasts with x: one that is there, a weight, or an input."""
    dtype = np.dtype(dtype or x.dtype)
    kind = g.int(0, 3)
    if kind == 0:
        def wanted(value):
            return value.dtype == dtype and broadcasts(value, x)
        return g.pick(wanted, lambda: g.weight([], dtype=dtype), fresh=0.0)
    dims = list(x.dims)
    for axis in range(len(dims)):
        if g.chance(0.3):
            dims[axis] = (1, 1)
    dims = dims[g.int(0, len(dims)):] if g.chance(0.4) else dims
    if kind == 1:
        return g.input(dims, dtype=dtype)
    if any(len(set(dim)) > 1 for dim in dims) or g.chance(0.3):
        dims = []
    return g.weight([dim[0] for dim in dims], dtype=dtype)


def broadcasts(value, x):
    for a, b in zip(reversed(value.dims), reversed(x.dims)):
        if a != b and set(a) != {1} and set(b) != {1}:
            return False
    return value.rank <= 5


def positive(g, x):
    """Of x, numbers from about a quarter."""
    if g.chance(0.5):
        return g.op("Add", [g.op("Abs", [x]), g.constant(np.array(g.choose([0.25, 1.0, 1.5]), x.dtype))])
    return g.op("Exp", [g.op("Tanh", [x])])


def unary_of(g, x):
    op = g.choose(UNARY + POSITIVE)
    if SINCE.get(op, 0) > g.opset:
        raise Rejected("later")
    attributes = {}
    if op in POSITIVE:
        x = positive(g, x)
        if op == "Acosh":
            x = g.op("Add", [x, g.constant(np.array(1.0, x.dtype))])
    if op in ("LeakyRelu", "Elu", "Celu", "ThresholdedRelu") and g.chance(0.6):
        attributes["alpha"] = float(g.choose([0.1, 0.5, 1.0, 1.5]))
    if op == "HardSigmoid" and g.chance(0.6):
        attributes.update(alpha=0.3, beta=0.4)
    if op == "Shrink":
        attributes.update(lambd=0.5, bias=float(g.choose([0.0, 0.25])))
    if op == "Gelu":
        attributes["approximate"] = g.choose(["none", "tanh"])
    if op == "Clip":
        low, high = [g.constant(np.array(number, x.dtype)) for number in (g.choose([-1.0, 0.0, -0.5]),
                                                                          g.choose([0.75, 1.0, 6.0]))]
        return g.op("Clip", [x, low if g.chance(0.7) else None, high if g.chance(0.7) else None])
    return g.op(op, [x], **attributes)


def binary_of(g, x):
    op = g.choose(BINARY)
    y = operand(g, x)
    attributes = {}
    if op in ("Div", "Mod"):
        y = y if y.is_constant and np.abs(y.arrays[0]).min() > 0.1 else positive(g, y)
    if op == "Pow":
        if g.chance(0.6):
            y = g.constant(np.array(g.choose([2.0, 0.5, 3.0, -1.0, 1.0, 0.0, -0.5, -2.0]), x.dtype))
        x = positive(g, x)
    if op == "Mod":
        attributes["fmod"] = 1
    if op == "PRelu":
        slope = [1 if sizes != (1,) * len(sizes) and x.size(axis) is None else x.size(axis)
                 for axis, sizes in enumerate(x.dims)]
        return g.op(op, [x, g.weight([size if g.chance(0.6) else 1 for size in slope])])
    swapped = op in ("Add", "Sub", "Mul", "Max", "Min") and g.chance(0.4)
    return g.op(op, [y, x] if swapped else [x, y], **attributes)


def unary(g):
    unary_of(g, g.any_float())


def binary(g):
    binary_of(g, g.any_float())


def chain(g):
    x = g.any_float()
    for _ in range(g.int(2, 5)):
        x = g.choose([unary_of, binary_of])(g, x)


def scalars(g):
    """A number that is made of others, by which a value is scaled: x * (a * b), x + (a - b), ..."""
    x = g.any_float()
    number = g.constant(np.array(g.choose([1.0, 0.5, 2.0, 0.0, 1 + 1e-3]), x.dtype))
    for _ in range(g.int(1, 3)):
        other = np.array(g.choose([1.0, 2.0, -1.0, 0.5, 1 + 1e-6, 1 / 3]), x.dtype)
        other = g.constant(other.reshape([1] * g.int(0, 1)))
        number = g.op(g.choose(["Add", "Sub", "Mul", "Div"]), [number, other])
    g.op(g.choose(["Add", "Sub", "Mul"]), g.choose([[x, number], [number, x]]))


def variadic(g):
    x = g.any_float()
    g.op(g.choose(["Sum", "Mean", "Max", "Min"]), [x] + [operand(g, x) for _ in range(g.int(1, 3))])


def condition(g, x):
    """A bool that broadcasts with x."""
    if g.chance(0.3):
        return g.pick(lambda value: value.dtype == bool and broadcasts(value, x), lambda: g.weight([], dtype=bool))
    y = operand(g, x)
    mask = g.op(g.choose(["Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Equal"]), [x, y])
    if g.chance(0.3):
        mask = g.op("Not", [mask])
    if g.chance(0.3):
        mask = g.op(g.choose(["And", "Or", "Xor"]), [mask, operand(g, mask)])
    return mask


def select(g):
    x = g.any_float()
    mask = condition(g, x)
    y = operand(g, x)
    g.op("Where", [mask, x, y] if g.chance(0.6) else [mask, y, x])


def convert(g):
    x = g.pick(lambda value: True, lambda: g.any_float())
    to = g.choose([np.float32, np.float64, np.float16, np.int32, np.int64, np.int8, np.uint8, np.int16, np.bool_,
                   g.dtype])
    if x.is_float and np.dtype(to).kind in "iu":
        x = g.op("Clip", [x, g.constant(np.array(0, x.dtype)), g.constant(np.array(100, x.dtype))])
    y = g.op("Cast", [x], to=type_of(to))
    if g.chance(0.5):
        g.op("Cast", [y], to=type_of(g.dtype))


def integers(g):
    dtype = g.choose([np.int32, np.int64, np.int32, np.int8, np.uint8])
    x = g.pick(lambda value: value.dtype == dtype and value.rank > 0,
               lambda: g.input([g.free_dim() for _ in range(g.int(1, 3))], dtype=dtype))
    op = g.choose(["Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Neg",
                   "Abs", "Sign", "Clip", "Equal", "Less", "Where", "BitShift", "Pow", "Relu"])
    if SINCE.get(op, 0) > g.opset:
        raise Rejected("later")
    if op in ("Neg", "Abs", "Sign", "Relu"):
        return g.op(op, [x])
    if op == "Clip":
        return g.op(op, [x, g.constant(np.array(1, dtype)), g.constant(np.array(5, dtype))])
    y = operand(g, x)
    if op in ("Div", "Mod"):
        y = g.op("Max", [g.op("Abs", [y]) if np.dtype(dtype).kind == "i" else y, g.constant(np.array(1, dtype))])
    if op == "Where":
        return g.op(op, [condition(g, x), x, y])
    if op == "Pow":
        return g.op(op, [x, g.constant(np.array(g.int(0, 3), dtype))])
    if op == "BitShift":
        return g.op(op, [x, g.constant(np.array(g.int(0, 3), dtype))], direction=g.choose(["LEFT", "RIGHT"]))
    return g.op(op, [x, y])


EMITTERS = [(unary, 3), (binary, 4), (chain, 3), (scalars, 1), (variadic, 1), (select, 2), (convert, 2), (integers, 2)]
