"""Ops that move, cut, join and choose elements, and shapes that are computed."""

import numpy as np

from growing import Rejected


def any_value(g, low_rank=1, high_rank=5):
    if g.chance(0.85):
        return g.any_float(low_rank=low_rank, high_rank=high_rank)
    return g.pick(lambda value: low_rank <= value.rank <= high_rank, lambda: g.any_float(low_rank=low_rank))


def axis_of(g, x):
    axis = g.int(0, x.rank - 1)
    return axis, axis - x.rank if g.chance(0.5) else axis


def size_of(g, x, axis):
    """A value [1] with the size of a dimension."""
    if g.opset >= 15 and g.chance(0.4):
        return g.op("Shape", [x], start=axis, end=axis + 1)
    shape = g.op("Shape", [x])
    if g.chance(0.5):
        return g.op("Slice", [shape, g.ints(axis), g.ints(axis + 1), g.ints(0)])
    size = g.op("Gather", [shape, g.constant(np.array(axis, np.int64))], axis=0)
    return g.op("Unsqueeze", [size, g.ints(0)])


def computed_shape(g, x, entries):
    """A shape of which each entry is a number, or ('of', axis): the size of x's dimension."""
    parts = [size_of(g, x, entry[1]) if isinstance(entry, tuple) else g.ints(entry) for entry in entries]
    return g.op("Concat", parts, axis=0)


def reshape_to(g, x, entries):
    if any(isinstance(entry, tuple) for entry in entries):
        return g.op("Reshape", [x, computed_shape(g, x, entries)])
    return g.op("Reshape", [x, g.ints(*entries)])


def reshape(g):
    x = any_value(g)
    if x.shape is None or g.chance(0.3):
        kind = g.int(0, 3)
        if kind == 0:
            entries = [-1]
        elif kind == 1:
            entries = [0, -1]
        elif kind == 2:
            entries = [-1, 1, x.size(x.rank - 1) or ("of", x.rank - 1)]
        else:
            entries = [("of", axis) if g.chance(0.6) else 0 for axis in range(x.rank)] + [1]
        return reshape_to(g, x, entries)
    count = int(np.prod(x.shape))
    entries = []
    for _ in range(g.int(0, 3)):
        divisors = [n for n in range(1, min(count, 12) + 1) if count % n == 0]
        entries.append(g.choose(divisors))
        count //= entries[-1]
    entries.append(count)
    order = g.rng.permutation(len(entries))
    entries = [entries[i] for i in order]
    if g.chance(0.4):
        entries[g.int(0, len(entries) - 1)] = -1
    return reshape_to(g, x, entries)


def transpose(g):
    x = any_value(g, 2)
    perm = [int(axis) for axis in g.rng.permutation(x.rank)]
    y = g.op("Transpose", [x], perm=perm if g.chance(0.9) else None)
    if g.chance(0.3):
        g.op("Transpose", [g.op(g.choose(["Identity", "Identity"] + (["Relu", "Sigmoid"] if y.is_float else [])), [y])],
             perm=[int(axis) for axis in np.argsort(perm)])


def squeezes(g):
    x = any_value(g, 1, 4)
    if g.chance(0.5):
        return g.op("Unsqueeze", [x, g.ints(*g.choose([[0], [-1], [0, -1], [1]]))])
    ones = [axis for axis in range(x.rank) if x.size(axis) == 1]
    if not ones:
        raise Rejected("no dimension of one")
    g.op("Squeeze", [x, g.ints(g.choose(ones) - (x.rank if g.chance(0.4) else 0))])


def flatten(g):
    x = any_value(g)
    g.op("Flatten", [x], axis=g.int(-x.rank, x.rank))


def slices(g):
    x = any_value(g)
    axes = [int(axis) for axis in g.rng.permutation(x.rank)[:g.int(1, min(2, x.rank))]]
    starts, ends, steps = [], [], []
    for axis in axes:
        smallest = min(x.dims[axis])
        step = g.choose([1, 1, 2, -1, -2])
        start, end = sorted((g.int(0, smallest), g.int(0, smallest)))
        if step < 0:
            start, end = g.choose([(end, start - 1 if start > 0 else -1000), (-1, -1000), (1000, start)])
        else:
            start, end = g.choose([(start, end), (start, 2**31), (-g.int(1, smallest), 2**63 - 1), (0, -1)])
        starts.append(start), ends.append(end), steps.append(step)
    negative = [axis - x.rank if g.chance(0.3) else axis for axis in axes]
    inputs = [x, g.ints(*starts), g.ints(*ends), g.ints(*negative)]
    if any(step != 1 for step in steps) or g.chance(0.3):
        inputs.append(g.ints(*steps))
    if g.chance(0.2):
        # An end that is computed.
        inputs[1:4] = [g.ints(0), size_of(g, x, axes[0]), g.ints(negative[0])]
        inputs = inputs[:4]
    g.op("Slice", inputs)


def split(g):
    x = any_value(g)
    axis, written = axis_of(g, x)
    size = x.size(axis)
    if g.opset >= 18 and g.chance(0.4):
        count = g.int(2, 3)
        parts = g.op("Split", [x], outputs=count, axis=written, num_outputs=count)
    elif size is not None and size > 1:
        first = g.int(1, size - 1)
        sizes = [first, size - first]
        if sizes[1] > 1 and g.chance(0.4):
            sizes = [first, 1, size - first - 1]
        parts = g.op("Split", [x, g.ints(*sizes)], outputs=len(sizes), axis=written)
    else:
        raise Rejected("cannot be split")
    if g.chance(0.5):
        order = g.rng.permutation(len(parts)) if g.chance(0.5) else range(len(parts))
        g.op("Concat", [parts[i] for i in order], axis=written)


def concat(g):
    x = any_value(g)
    axis, written = axis_of(g, x)

    def wanted(value):
        return value.dtype == x.dtype and value.rank == x.rank and all(
            value.dims[i] == x.dims[i] for i in range(x.rank) if i != axis)
    others = [g.pick(wanted, fresh=0.0) for _ in range(g.int(1, 2))]
    if g.chance(0.4):
        dims = list(x.dims)
        dims[axis] = g.free_dim(1, 3)
        others[0] = g.input(dims, dtype=x.dtype)
    parts = [x, *others]
    g.rng.shuffle(parts)
    g.op("Concat", parts, axis=written)


def indices(g, sizes, shape):
    """Indices into a dimension of these sizes, some of them negative."""
    low = min(sizes)
    return g.rng.integers(-low if g.chance(0.4) else 0, low, shape).astype(g.choose([np.int64, np.int32]))


def gather(g):
    x = any_value(g)
    axis, written = axis_of(g, x)
    shape = g.choose([[], [1], [3], [2, 2]])
    array = indices(g, x.dims[axis], shape)
    if g.chance(0.25):
        index = g.input(shape, arrays=[array, indices(g, x.dims[axis], shape).astype(array.dtype)])
    else:
        index = g.constant(array)
    g.op("Gather", [x, index], axis=written)


def gather_others(g):
    x = any_value(g)
    axis, written = axis_of(g, x)
    if x.shape is None:
        raise Rejected("open")
    kind = g.int(0, 3)
    shape = list(x.shape)
    if kind == 0:
        shape[axis] = g.int(1, 4)
        return g.op("GatherElements", [x, g.constant(indices(g, x.dims[axis], shape))], axis=written)
    if kind == 1:
        count = g.int(1, x.rank)
        index = np.stack([g.rng.integers(0, x.shape[i], [3]) for i in range(count)], -1).astype(np.int64)
        return g.op("GatherND", [x, g.constant(index)])
    if not x.is_float:
        raise Rejected("integers")
    shape[axis] = min(shape[axis], g.int(1, 3))
    if kind == 2:
        # No place twice.
        rows = int(np.prod(shape)) // shape[axis]
        index = np.stack([g.rng.permutation(x.shape[axis])[:shape[axis]] for _ in range(rows)])
        index = np.moveaxis(index.reshape([s for i, s in enumerate(shape) if i != axis] + [shape[axis]]), -1, axis)
        reduction = g.choose(["none", "add", "mul", None]) if g.opset >= 16 else None
        inputs = [x, g.constant(index.astype(np.int64)), g.weight(shape, dtype=x.dtype)]
        return g.op("ScatterElements", inputs, axis=written, reduction=reduction)
    rows = g.rng.permutation(x.shape[0])[:g.int(1, x.shape[0])].astype(np.int64).reshape(-1, 1)
    g.op("ScatterND", [x, g.constant(rows), g.weight([len(rows), *x.shape[1:]], dtype=x.dtype)])


def pad(g):
    x = any_value(g, 1, 4)
    mode = g.choose(["constant", "constant", "reflect", "edge"] + (["wrap"] if g.opset >= 19 else []))
    pads = []
    for axis in range(2 * x.rank):
        most = min(min(x.dims[axis % x.rank]) - 1, 2) if mode in ("reflect", "wrap") else 2
        pads.append(g.int(0, max(most, 0)) if g.chance(0.6) else 0)
    inputs = [x, g.ints(*pads)]
    if mode == "constant":
        if g.chance(0.2):
            pads[g.int(0, x.rank - 1)] = -1
            inputs[1] = g.ints(*pads)
        if g.chance(0.5):
            inputs.append(g.weight([], dtype=x.dtype))
    if g.opset >= 18 and g.chance(0.3):
        axis, written = axis_of(g, x)
        inputs[1] = g.ints(pads[axis], pads[axis + x.rank])
        inputs = (inputs + [None])[:3] + [g.ints(written)]
    g.op("Pad", inputs, mode=mode)


def expand(g):
    x = any_value(g, 0, 4)
    if g.chance(0.5) and x.rank:
        entries = [("of", axis) if x.size(axis) != 1 else g.int(1, 3) for axis in range(x.rank)]
        return g.op("Expand", [x, computed_shape(g, x, entries)])
    entries = [g.int(1, 3) if x.size(axis) == 1 else 1 for axis in range(x.rank)]
    if g.chance(0.4):
        entries.insert(0, 2)
    if g.chance(0.3):
        return g.op("Tile", [x, g.ints(*[g.int(1, 2) for _ in range(x.rank)])])
    g.op("Expand", [x, g.ints(*(entries or [1]))])


def blocks(g):
    x = g.any_float(rank=4)
    if g.chance(0.5):
        if (x.size(1) or 0) % 4:
            x = g.input([g.free_dim(1, 2), 4 * g.int(1, 2), 2, 3])
        return g.op("DepthToSpace", [x], blocksize=2, mode=g.choose(["DCR", "CRD"]))
    if any(size is None or size % 2 for size in (x.size(2), x.size(3))):
        x = g.input([g.free_dim(1, 2), g.int(1, 3), 4, 2])
    g.op("SpaceToDepth", [x], blocksize=2)


def sizes(g):
    """Integers that are computed from shapes."""
    x = any_value(g)
    kind = g.int(0, 4)
    if kind == 0:
        return g.op("Size", [x])
    if kind == 1:
        return g.op("ConstantOfShape", [size_of(g, x, g.int(0, x.rank - 1))])
    size = g.op("Squeeze", [size_of(g, x, g.int(0, x.rank - 1)), g.ints(0)])
    if kind == 2:
        numbers = g.op("Range", [g.constant(np.array(0, np.int64)), size, g.constant(np.array(1, np.int64))])
        return g.op("Cast", [numbers], to=1)
    if kind == 3:
        return g.op("Mul", [size, g.constant(np.array(2, np.int64))])
    g.op("Div", [g.op("Cast", [size], to=1), g.constant(np.array(3, np.float32))])


def triangles(g):
    x = any_value(g, 2, 4)
    if g.opset < 14:
        raise Rejected("later")
    g.op("Trilu", [x] + ([g.constant(np.array(g.int(-1, 2), np.int64))] if g.chance(0.5) else []), upper=g.int(0, 1))


def others(g):
    x = any_value(g, 1, 4)
    kind = g.int(0, 3)
    axis, written = axis_of(g, x)
    if kind == 0:
        depth = g.int(2, 5)
        index = g.constant(indices(g, (depth,), [3]).astype(np.int64))
        return g.op("OneHot", [index, g.constant(np.array(depth, np.int64)), g.weight([2])], axis=g.choose([0, -1]))
    if kind == 1:
        if x.size(axis) is None:
            raise Rejected("open")
        keep = g.rng.random(x.size(axis)) < 0.6
        keep[0] = True
        return g.op("Compress", [x, g.constant(keep)], axis=written)
    if kind == 2:
        if x.rank < 2 or None in (x.size(0), x.size(1)):
            raise Rejected("open")
        lengths = g.rng.integers(1, x.size(0) + 1, [x.size(1)])
        return g.op("ReverseSequence", [x, g.constant(lengths.astype(np.int64))], time_axis=0, batch_axis=1)
    y = g.any_float(rank=2)
    g.op("EyeLike", [y], k=g.int(-1, 1))


EMITTERS = [(reshape, 4), (transpose, 3), (squeezes, 2), (flatten, 1), (slices, 3), (split, 2), (concat, 3),
            (gather, 2), (gather_others, 2), (pad, 2), (expand, 2), (blocks, 1), (sizes, 1), (triangles, 1),
            (others, 1)]
