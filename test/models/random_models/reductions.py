"""Reductions, and ops that go along an axis."""

import numpy as np

from movement import axis_of

# With their axes as an input since version 18, but for ReduceSum, which has it since 13.
REDUCTIONS = ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
              "ReduceLogSumExp", "ReduceSumSquare"]


def reduce(g, op, x, axes, keepdims=1):
    axes = [int(axis) for axis in axes]
    if g.opset >= 18 or op == "ReduceSum":
        return g.op(op, [x, g.ints(*axes)], keepdims=keepdims)
    return g.op(op, [x], axes=axes, keepdims=keepdims)


def reduction(g):
    x = g.any_float(low_rank=1)
    if g.chance(0.2):
        x = g.pick(lambda value: value.dtype in (np.int32, np.int64) and value.rank > 0, lambda: x)
    op = g.choose(["ReduceSum", "ReduceMax", "ReduceMin"] if x.dtype.kind == "i" else REDUCTIONS)
    axes = g.rng.permutation(x.rank)[:g.int(1, x.rank)]
    axes = [axis - x.rank if g.chance(0.4) else axis for axis in axes]
    if op == "ReduceLogSum":
        x = g.op("Add", [g.op("Abs", [x]), g.constant(np.array(0.5, x.dtype))])
    if g.chance(0.1):
        return g.op(op, [x], keepdims=g.int(0, 1))
    if g.chance(0.05) and op == "ReduceSum":
        return g.op(op, [x], noop_with_empty_axes=1)
    reduce(g, op, x, axes, g.int(0, 1))


def along_axis(g):
    x = g.any_float(low_rank=1)
    axis, written = axis_of(g, x)
    op = g.choose(["Softmax", "Softmax", "LogSoftmax", "Hardmax", "CumSum", "ArgMax", "ArgMin", "TopK",
                   "LpNormalization"])
    if op == "CumSum":
        return g.op(op, [x, g.constant(np.array(written, np.int64))], exclusive=g.int(0, 1), reverse=g.int(0, 1))
    if op in ("ArgMax", "ArgMin"):
        return g.op(op, [x], axis=written, keepdims=g.int(0, 1), select_last_index=g.int(0, 1))
    if op == "TopK":
        k = g.int(1, min(x.dims[axis]))
        values, _ = g.op(op, [x, g.ints(k)], outputs=2, axis=written, largest=g.int(0, 1))
        return values
    if op == "LpNormalization":
        x = g.op("Add", [g.op("Abs", [x]), g.constant(np.array(0.5, x.dtype))])
        return g.op(op, [x], axis=written, p=g.int(1, 2))
    g.op(op, [x], axis=written)


def einsum(g):
    a, b, c, d = g.int(1, 3), g.int(2, 4), g.int(2, 5), g.int(2, 5)
    sizes = {"a": a, "b": b, "c": c, "d": d, "e": 3}
    equation = g.choose(["abc,acd->abd", "abcd,abed->abce", "ab,cb->ac", "abc,bc->ab", "ab,ab->a", "abcd->adbc",
                         "abc->ac", "ab,b->a", "abcd,cde->abe", "abc,cde->abde", "ab,cd->abcd", "bacd,baed->baec"])
    left = equation.split("->")[0].split(",")
    operands = [g.input([sizes[letter] for letter in term]) if i == 0 or g.chance(0.4) else
                g.weight([sizes[letter] for letter in term]) for i, term in enumerate(left)]
    g.op("Einsum", operands, equation=equation)


EMITTERS = [(reduction, 4), (along_axis, 3), (einsum, 1)]
