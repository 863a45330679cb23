"""Attention as programs spell it out: heads split and joined, grouped keys, scales, masks, softmax."""

import numpy as np

from growing import Rejected
from movement import computed_shape, reshape_to, size_of


def some(g, high):
    """A Dim, seldom of 1: transposes of such are reshapes, which passes do not take for attention."""
    return g.free_dim(g.choose([1, 2, 2, 2]), max(high, 2))


def scaled(g, x, scale, share):
    """x, or with this probability x times the scale."""
    if scale == 1 or not g.chance(share):
        return x
    number = np.array(scale, x.dtype).reshape([1] * g.choose([0, 0, 1]))
    if g.chance(0.3):
        return g.op("Div", [x, g.constant(np.array(1 / number, x.dtype))])
    operands = [x, g.constant(number)]
    return g.op("Mul", operands if g.chance(0.7) else operands[::-1])


def heads(g, batch, length, count, width, projected=None):
    """Values [B,H,T,D]: an input, or one whose heads are split."""
    if projected is None:
        projected = g.chance(0.35)
    if not projected:
        return g.input([batch, count, length, width])
    x = g.input([batch, length, count * width])
    if g.chance(0.3):
        x = g.op("MatMul", [x, g.weight([count * width, count * width], 0.5)])
        if g.chance(0.5):
            x = g.op("Add", [x, g.weight([count * width])])
    entries = g.choose([[("of", 0), ("of", 1), count, width], [0, 0, count, width], [0, -1, count, width]])
    return g.op("Transpose", [reshape_to(g, x, entries)], perm=[0, 2, 1, 3])


def repeated(g, x, groups, count, length, width):
    """[B,H/groups,T,D] as [B,H,T,D]."""
    one = g.op("Unsqueeze", [x, g.ints(2)])
    batch = x.dims[0]
    if None in (x.size(0), x.size(2)) or g.chance(0.5):
        many = g.op("Expand", [one, computed_shape(g, x, [("of", 0), ("of", 1), groups, ("of", 2), ("of", 3)])])
        return reshape_to(g, many, [0, count, -1, width])
    many = g.op("Expand", [one, g.ints(batch[0], count // groups, groups, length[0], width)])
    return g.op("Reshape", [many, g.ints(batch[0], count, length[0], width)])


def keys_or_values(g, batch, length, count, width, groups):
    """[B,H,T,D], of which so many heads are the same."""
    if groups == 1:
        return heads(g, batch, length, count, width)
    return repeated(g, heads(g, batch, length, count // groups, width), groups, count, length, width)


def causal_mask(g, q_length, k_length, scores):
    """A mask [T,S] of the keys that come before."""
    kind = g.int(0, 2)
    rows, columns = size_of(g, scores, 2), size_of(g, scores, 3)
    if kind == 0 and len(set(q_length)) == 1 and len(set(k_length)) == 1:
        offset = g.choose([0, 0, k_length[0] - q_length[0]])
        return g.constant(np.tril(np.ones([q_length[0], k_length[0]], bool), offset))
    if kind == 1 and g.opset >= 14:
        ones = g.op("ConstantOfShape", [g.op("Concat", [rows, columns], axis=0)])
        ones = g.op("Add", [ones, g.constant(np.array(1, np.float32))])
        return g.op("Cast", [g.op("Trilu", [ones], upper=0)], to=9)
    zero, one = g.constant(np.array(0, np.int64)), g.constant(np.array(1, np.int64))
    ranges = [g.op("Range", [zero, g.op("Squeeze", [size, g.ints(0)]), one]) for size in (rows, columns)]
    first = g.op("Unsqueeze", [ranges[0], g.ints(1)])
    return g.op(g.choose(["GreaterOrEqual", "Greater"]), [first, g.op("Unsqueeze", [ranges[1], g.ints(0)])])


def masked(g, scores, batch, q_length, k_length, count):
    kind = g.int(0, 3)
    low = np.array(-400 if scores.dtype == np.float16 else g.choose([-1e4, -3e4]), scores.dtype)
    dims = [g.choose([batch, (1, 1)]), g.choose([(1, 1), (count, count)]), g.choose([q_length, (1, 1)]), k_length]
    if kind == 0:
        return g.op("Add", [scores, g.input(dims)])
    if kind == 1:
        mask = g.input(dims[g.choose([0, 1, 2]):], dtype=bool)
    else:
        mask = causal_mask(g, q_length, k_length, scores)
    if g.chance(0.4):
        # As a summand.
        summand = g.op("Where", [mask, g.constant(np.array(0, scores.dtype)), g.constant(low)])
        operands = [scores, summand]
        return g.op("Add", operands if g.chance(0.8) else operands[::-1])
    number = g.constant(low)
    return g.op("Where", [mask, scores, number] if g.chance(0.8) else [mask, number, scores])


def spelled_attention(g):
    batch, q_length = some(g, 2), some(g, 5)
    k_length = q_length if g.chance(0.4) else some(g, 6)
    count, width = g.choose([1, 2, 4]), g.choose([2, 4, 8])
    scale = g.choose([width**-0.25, width**-0.5, 0.5])
    # Shares of the heads that are repeated, of keys and of values; mostly the same of both.
    groups = g.choose([n for n in (1, 2, 4) if count % n == 0])
    k_groups, v_groups = g.choose([(1, 1), (groups, groups), (groups, groups), (groups, 1), (1, groups)])
    # What is scaled: queries, keys before and after they are turned, scores.
    shares = g.choose([(1, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1), (0.5, 0.5, 0.3, 0.5)])
    q = scaled(g, heads(g, batch, q_length, count, width), scale, shares[0])
    k = keys_or_values(g, batch, k_length, count, width, k_groups)
    v = keys_or_values(g, batch, k_length, count, width, v_groups)
    k = scaled(g, k, scale, shares[1])
    turned = scaled(g, g.op("Transpose", [k], perm=[0, 1, 3, 2]), scale, shares[2])
    scores = scaled(g, g.op("MatMul", [q, turned]), scale, shares[3])
    if g.chance(0.5):
        scores = masked(g, scores, batch, q_length, k_length, count)
        if g.chance(0.15):
            scores = scaled(g, scores, scale, 1)
        if g.chance(0.2):
            scores = masked(g, scores, batch, q_length, k_length, count)
    weights = g.op("Softmax", [scores], axis=g.choose([-1, 3]))
    if g.chance(0.1):
        weights = g.op("Where", [g.op("IsNaN", [weights]), g.constant(np.array(0, weights.dtype)), weights])
    out = g.op("MatMul", [weights, v])
    if g.chance(0.5):
        joined = g.op("Transpose", [out], perm=[0, 2, 1, 3])
        if g.chance(0.7):
            reshape_to(g, joined, [0, 0, count * width])


def packed_attention(g):
    """Queries, keys and values are parts of one product."""
    batch, length, count, width = some(g, 2), some(g, 5), g.choose([1, 2]), g.choose([2, 4])
    x = g.input([batch, length, count * width])
    x = g.op("MatMul", [x, g.weight([count * width, 3 * count * width], 0.5)])
    if g.chance(0.6):
        x = g.op("Add", [x, g.weight([3 * count * width])])
    if g.chance(0.5):
        x = reshape_to(g, x, [0, 0, 3, count, width])
        x = g.op("Transpose", [x], perm=[2, 0, 3, 1, 4])
        parts = [g.op("Gather", [x, g.constant(np.array(i, np.int64))], axis=0) for i in range(3)]
    else:
        parts = g.op("Split", [x, g.ints(*[count * width] * 3)], outputs=3, axis=-1)
        parts = [g.op("Transpose", [reshape_to(g, part, [0, 0, count, width])], perm=[0, 2, 1, 3]) for part in parts]
    q, k, v = parts
    q = scaled(g, q, width**-0.5, 0.5)
    scores = g.op("MatMul", [q, g.op("Transpose", [k], perm=[0, 1, 3, 2])])
    if g.chance(0.4):
        scores = masked(g, scores, batch, length, length, count)
    out = g.op("MatMul", [g.op("Softmax", [scores], axis=-1), v])
    reshape_to(g, g.op("Transpose", [out], perm=[0, 2, 1, 3]), [0, 0, count * width])


def flat_attention(g):
    """Of rank 3, with heads in the batch, as older exporters write it."""
    batch, q_length, k_length, width = some(g, 4), some(g, 5), some(g, 5), g.choose([2, 4])
    q, k, v = g.input([batch, q_length, width]), g.input([batch, k_length, width]), g.input([batch, k_length, 3])
    q = scaled(g, q, width**-0.5, 0.6)
    scores = g.op("MatMul", [q, g.op("Transpose", [k], perm=[0, 2, 1])])
    if g.chance(0.4):
        scores = g.op("Add", [scores, g.input([(1, 1), q_length, k_length])])
    g.op("MatMul", [g.op("Softmax", [scores], axis=-1), v])


def rotary(g):
    """Half of each row turned by the other, as in rotary embeddings."""
    batch, length, count, half = some(g, 2), some(g, 4), g.choose([1, 2]), g.choose([1, 2, 4])
    x = heads(g, batch, length, count, 2 * half)
    cos, sin = g.input([(1, 1), (1, 1), length, 2 * half]), g.input([length, 2 * half])
    if g.chance(0.5):
        first, second = g.op("Split", [x, g.ints(half, half)], outputs=2, axis=-1)
    else:
        first = g.op("Slice", [x, g.ints(0), g.ints(half), g.ints(3)])
        second = g.op("Slice", [x, g.ints(half), g.ints(2**63 - 1), g.ints(3)])
    turned = g.op("Concat", [g.op("Neg", [second]), first], axis=-1)
    g.op("Add", [g.op("Mul", [x, cos]), g.op("Mul", [turned, sin])])


def attention_op(g):
    if g.opset < 23:
        raise Rejected("later")
    batch, q_length, k_length, width = some(g, 2), some(g, 4), some(g, 5), g.choose([2, 4])
    count = g.choose([1, 2, 4])
    groups = g.choose([n for n in (1, 2) if count % n == 0])
    inputs = [g.input([batch, count, q_length, width]), g.input([batch, count // groups, k_length, width]),
              g.input([batch, count // groups, k_length, 3])]
    if g.chance(0.4):
        inputs.append(g.input([q_length, k_length], dtype=g.choose([bool, g.dtype])))
    g.op("Attention", inputs, is_causal=g.int(0, 1), scale=g.choose([None, 0.7]), softcap=g.choose([None, 2.0]))


EMITTERS = [(spelled_attention, 6), (packed_attention, 1), (flat_attention, 1), (rotary, 1), (attention_op, 1)]
