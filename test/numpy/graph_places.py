"""Graph ops that move elements, choose and sample them: families of make_graph_cases.py. What NumPy has no function for
the reference evaluator of onnx computes.
"""

import math

import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from make_op_cases import COMPLEX, F16, F32, FLOATS, INTS, File, Type, as_type, random, special_values, wide

I32, I64 = np.int32, np.int64
TYPES = INTS + [F16, F32, np.float64, bool] + COMPLEX
SIZES = [np.int8, F16, F32, I64, np.complex128]  # one type of each size


def values(rng, dtype, *shape):
    return rng.integers(0, 2, shape).astype(bool) if dtype is bool else random(rng, dtype, *shape)


def ints(*numbers, dtype=I64):
    return np.array(numbers, dtype)


def scalar(number, dtype=I64):
    return np.array(number, dtype)


def transposes(rng, file):
    for dtype in TYPES:
        x = values(rng, dtype, 2, 3, 5)
        file.add("graph.transpose", [x, ints(2, 0, 1)], x.transpose(2, 0, 1))
    for shape, perm in [((), ()), ((4,), (0,)), ((17, 33), (1, 0)), ((1, 3, 1, 4), (2, 3, 0, 1)),
                        ((2, 0, 3), (2, 1, 0)), ((2, 9, 4, 8), (0, 2, 1, 3)), ((2, 3, 2, 2, 3, 2), (5, 3, 0, 4, 1, 2))]:
        x = values(rng, F32, *shape)
        file.add("graph.transpose", [x, np.array(perm, I32)], x.transpose(perm))


def reshapes(rng, file):
    x = values(rng, F32, 2, 3, 4)
    for shape in [(24,), (-1, 4), (4, 3, 2, 1), (2, -1)]:
        file.add("graph.reshape", [x, ints(*shape)], x.reshape(shape))
    empty = values(rng, F16, 0, 3)
    file.add("graph.reshape", [empty, ints(3, 0, 7)], empty.reshape(3, 0, 7))
    for axis in (0, 1, 3, -1, -4):
        file.add("graph.expand_dims", [x, scalar(axis)], np.expand_dims(x, axis))
    y = values(rng, np.int8, 1, 3, 1, 2)
    file.add("graph.squeeze", [y], y.reshape(3, 2))
    file.add("graph.squeeze", [y], y.reshape(3, 1, 2), axes=[0])
    file.add("graph.squeeze", [y], y.reshape(1, 3, 2), axes=[-2])


def concats(rng, file):
    for dtype in TYPES:
        parts = [values(rng, dtype, 2, n, 3) for n in (1, 4, 2)]
        file.add("graph.concat", [*parts, scalar(1)], np.concatenate(parts, 1))
    for shapes, axis in [([(3,), (0,), (2,)], 0), ([(2, 2), (2, 2)], -1), ([(1, 2, 2), (3, 2, 2)], 0),
                         ([(2, 0), (2, 0)], 1),
                         ([(2, 0), (2, 3)], 1), ([(2, 3)], 0)]:
        parts = [values(rng, F32, *shape) for shape in shapes]
        file.add("graph.concat", [*parts, scalar(axis, I32)], np.concatenate(parts, axis))


def broadcasts(rng, file):
    for dtype in SIZES:
        x = values(rng, dtype, 3, 1)
        file.add("graph.broadcast_to", [x, ints(2, 3, 4)], np.broadcast_to(x, (2, 3, 4)))
    for shape, to, result in [((), (2, 3), (2, 3)), ((2, 3), (3,), (2, 3)), ((2, 1), (1, 4), (2, 4)),
                              ((1,), (0, 2), (0, 2)),
                              ((4, 1, 1, 3), (4, 2, 5, 3), (4, 2, 5, 3))]:
        x = values(rng, F32, *shape)
        file.add("graph.broadcast_to", [x, ints(*to)], np.broadcast_to(x, result))
    for dtype in SIZES:
        x = values(rng, dtype, 2, 3)
        file.add("graph.tile", [x, ints(3, 2)], np.tile(x, (3, 2)))
    x = values(rng, F32, 2, 1, 3)
    for multiples in [(1, 1, 1), (2, 4, 1), (1, 1, 5), (3, 0, 1)]:
        file.add("graph.tile", [x, ints(*multiples)], np.tile(x, multiples))
    file.add("graph.tile", [values(rng, F32, 0, 2), ints(3, 2)], np.zeros((0, 4), F32))


def slices(rng, file):
    most, least = 2**63 - 1, -2**63
    for dtype in SIZES:
        x = values(rng, dtype, 4, 5, 3)
        file.add("graph.slice", [x, ints(1, 0, 2), ints(2, -1, 1)], x[1:3, :, 2:3])
        file.add("graph.strided_slice", [x, ints(3, 0, 0), ints(0, 5, 3), ints(-1, 2, 2)],
                 x[3:0:-1, 0:5:2, 0:3:2])
    x = values(rng, F32, 4, 5, 6)
    for begin, end, step, key in [((0, 0, 0), (most, most, most), (1, 1, 1), np.s_[:, :, :]),
                                  ((-1, -1, -1), (least, least, least), (-1, -1, -1), np.s_[::-1, ::-1, ::-1]),
                                  ((1, 4, 0), (-1, 1, most), (1, -2, 4), np.s_[1:-1, 4:1:-2, ::4]),
                                  ((3, 0, 0), (3, 5, 6), (1, 1, 1), np.s_[3:3, :, :]),
                                  ((0, 2, -9), (9, 3, 9), (3, 1, 5), np.s_[0:9:3, 2:3, -9:9:5]),
                                  ((0, 0, 5), (4, 5, 6), (1, 1, 1), np.s_[:, :, 5:6])]:
        file.add("graph.strided_slice", [x, ints(*begin), ints(*end), ints(*step)], x[key])
    file.add("graph.strided_slice", [x, ints(0, 0, 1), ints(0, 0, 3), ints(1, 1, 1)], x[:, :, 1:3],
             begin_mask=3, end_mask=3)
    file.add("graph.strided_slice", [x, ints(0, 0, 1), ints(0, 0, 3), ints(1, 1, 1)], x[..., None, 1],
             ellipsis_mask=1, new_axis_mask=2, shrink_axis_mask=4)


def pads(rng, file):
    for dtype in TYPES:
        x = values(rng, dtype, 2, 3)
        amounts = [(1, 0), (2, 1)]
        constant = values(rng, dtype, 1)
        file.add("graph.pad", [x, np.array(amounts, I64)], np.pad(x, amounts))
        file.add("graph.pad_with", [x, np.array(amounts, I32), constant],
                 np.pad(x, amounts, constant_values=constant[0]))
    for mode in ("reflect", "edge", "wrap"):
        for dtype in SIZES:
            x = values(rng, dtype, 3, 4)
            file.add("graph.extend", [x, np.array([(2, 1), (3, 2)])], np.pad(x, [(2, 1), (3, 2)], mode), mode=mode)
        for shape, amounts in [((2, 3, 4), [(0, 0), (1, 2), (0, 0)]), ((1, 2, 3, 2), [(0, 0), (0, 0), (2, 2), (1, 1)]),
                               ((5,), [(4, 4)]), ((3,), [(7, 8)])]:
            x = values(rng, F32, *shape)
            file.add("graph.extend", [x, np.array(amounts)], np.pad(x, amounts, mode), mode=mode)
    x = values(rng, F32, 2, 3, 4)
    file.add("graph.pad", [x, np.array([(0, 0), (1, 1), (0, 0)])], np.pad(x, [(0, 0), (1, 1), (0, 0)]))
    file.add("graph.pad", [x, np.zeros((3, 2), I64)], x)
    file.add("graph.pad", [values(rng, F32, 0, 2), np.array([(1, 0), (0, 1)])], np.zeros((1, 3), F32))
    cut = np.pad(x[1:, :, :-1], [(0, 1), (0, 0), (2, 0)], constant_values=7)
    file.add("graph.pad_with", [x, np.array([(-1, 1), (0, 0), (2, -1)]), scalar(7, F32)], cut)
    file.add("graph.pad", [x, np.array([(0, -2), (0, 0), (0, 0)])], x[:0])


def gathers(rng, file):
    for dtype in TYPES:
        x = values(rng, dtype, 4, 3)
        file.add("graph.gather", [x, ints(2, -1, 0, -4, dtype=I32), scalar(0)], x[[2, 3, 0, 0]])
        indices = rng.integers(-3, 3, (4, 2))
        file.add("graph.gather_elements", [x, indices], np.take_along_axis(x, indices, 1), axis=1)
    x = values(rng, F32, 2, 5, 3)
    for indices, axis in [(scalar(-2), 1), (np.array([[0, 4], [-5, 2]]), 1), (np.array([2, 0]), -1),
                          (np.zeros((0, 2), I64), 0)]:
        file.add("graph.gather", [x, indices, scalar(axis)], np.take(x, indices, axis))
    indices = rng.integers(-5, 5, (2, 4))
    file.add("graph.gather", [x, indices, scalar(1)], np.stack([x[i][indices[i]] for i in range(2)]), batch_dims=1)
    indices = rng.integers(-5, 5, (2, 7, 2))
    file.add("graph.gather_elements", [x, indices], np.take_along_axis(x[:, :, :2], indices, 1), axis=-2)
    file.add("graph.gather_elements", [x, np.array([[[1, -2, 0]]])],
             np.take_along_axis(x[:, :1], np.array([[[1, -2, 0]]]), 0),
             axis=0)
    file.add("graph.gather_elements", [x, np.zeros((2, 0, 3), I32)], np.zeros((2, 0, 3), F32), axis=2)
    for dtype in SIZES:
        x = values(rng, dtype, 3, 4, 2)
        file.add("graph.gather_nd", [x, np.array([[0, 1], [-1, -4]])], x[[0, 2], [1, 0]])
        file.add("graph.gather_nd", [x, np.array([[[2, 3, -1]]], I32)], x[2, 3, -1].reshape(1, 1))


def philox(count, seed, stream):
    """Words of Philox 4x32-10; NumPy's own is of 64 bits."""
    mask, blocks = (1 << 32) - 1, np.arange((count + 3) // 4, dtype=np.uint64)
    low = np.uint64(mask)
    words = [blocks & low, blocks >> np.uint64(32)] + [np.full_like(blocks, stream >> shift & mask)
                                                       for shift in (0, 32)]
    keys = [seed & mask, seed >> 32 & mask]
    for _ in range(10):
        first, second = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = [(second >> np.uint64(32)) ^ words[1] ^ np.uint64(keys[0]), second & low,
                 (first >> np.uint64(32)) ^ words[3] ^ np.uint64(keys[1]), first & low]
        keys = [keys[0] + 0x9E3779B9 & mask, keys[1] + 0xBB67AE85 & mask]
    return np.stack(words, 1).ravel()[:count].astype(np.uint32)


def creations(rng, file):
    assert list(philox(4, 0, 0)) == [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]  # of Random123
    for sizes, seed, stream in (((3, 5), 0, 0), ((2, 3, 1), 7, 1 << 40), ((0, 4), 1, 2), ((), -1, -1),
                                ((1000,), 1 << 50, 3)):
        count = math.prod(sizes)
        file.add("graph.random_bits", [ints(*sizes)],
                 philox(count, seed & (1 << 64) - 1, stream & (1 << 64) - 1).reshape(sizes),
                 seed=seed, stream=stream)
        file.add("graph.random_bits", [ints(*sizes), ints(seed, stream)],
                 philox(count, seed & (1 << 64) - 1, stream & (1 << 64) - 1).reshape(sizes))
    for dtype in TYPES:
        value = values(rng, dtype, 1)
        file.add("graph.fill", [ints(2, 3), value], np.full((2, 3), value[0]))
        file.add("graph.zeros_like", [values(rng, F32, 2, 2)], np.zeros((2, 2), dtype), dtype=np.dtype(dtype))
        indices = np.array([[0, 2], [-1, 5]], I64)
        on, off = values(rng, dtype, 1), values(rng, dtype, 1)
        hot = np.where(indices[..., None] == np.arange(3), on, off)
        file.add("graph.one_hot", [indices, scalar(3), on, off], hot)
    on, off = ints(5, dtype=I32), ints(-1, dtype=I32)
    for dtype in (I32, np.uint8, F32):
        indices = np.array([[1, 0, 2]], dtype)
        hot = np.where(indices[..., None] == np.arange(4), 5, -1).astype(I32)
        for axis in (0, 1, 2, -1):
            file.add("graph.one_hot", [indices, scalar(4), on, off], np.moveaxis(hot, -1, axis), axis=axis)
    file.add("graph.fill", [ints(2, 0), scalar(1, F32)], np.zeros((2, 0), F32))
    for start, limit, step in [(0, 5, 1), (3, 10, 2), (10, 3, -3), (5, 5, 1), (1, 0, 1), (-4, 4, 8)]:
        for dtype in (np.int16, I32, I64, F32, np.float64):
            file.add("graph.range", [scalar(start, dtype), scalar(limit, dtype), scalar(step, dtype)],
                     np.arange(start, limit, step).astype(dtype))
    file.add("graph.range", [scalar(0.5, F32), scalar(2.1, F32), scalar(0.25, F32)],
             np.arange(0.5, 2.1, 0.25).astype(F32))
    file.add("graph.range", [scalar(1, F16), scalar(-1, F16), scalar(-0.5, F16)], np.arange(1, -1, -0.5).astype(F16))
    file.add("graph.range", [scalar(250, np.uint8), scalar(255, np.uint8), scalar(2, np.uint8)],
             np.array([250, 252, 254], np.uint8))


def depths(rng, file):
    for dtype in SIZES:
        x = values(rng, dtype, 2, 8, 2, 3)
        deep = x.reshape(2, 2, 2, 2, 2, 3)
        file.add("graph.depth_to_space", [x], deep.transpose(0, 3, 4, 1, 5, 2).reshape(2, 2, 4, 6), block=2)
        file.add("graph.depth_to_space", [x], deep.transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 4, 6), block=2,
                 columns_first=True)
        y = values(rng, dtype, 1, 2, 4, 6)
        wide = y.reshape(1, 2, 2, 2, 3, 2)
        back = wide.transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3)
        file.add("graph.space_to_depth", [y], back, block=2)
        last = back.transpose(0, 2, 3, 1)
        file.add("graph.space_to_depth", [y.transpose(0, 2, 3, 1)], last, block=2, channels_last=True)
        file.add("graph.depth_to_space", [last], y.transpose(0, 2, 3, 1), block=2, channels_last=True)
    file.add("graph.depth_to_space", [values(rng, F32, 0, 4, 1, 1)], np.zeros((0, 1, 2, 2), F32), block=2)


def onnx(op, inputs, outputs=1, opset=20, **attributes):
    """What the reference evaluator makes of one node; an input may be None."""
    names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, names, results, **attributes)
    values_of = {name: x for name, x in zip(names, inputs) if name}
    graph = helper.make_graph([node], "g",
                              [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
                               for name, x in values_of.items()],
                              [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in results])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made = ReferenceEvaluator(model).run(None, values_of)
    return made[0] if outputs == 1 else list(made)


def scatters(rng, file):
    for dtype in TYPES:
        x = values(rng, dtype, 4, 3)
        indices = np.array([[2, 0, -1], [-4, 3, 1]])
        updates = values(rng, dtype, 2, 3)
        y = x.copy()
        np.put_along_axis(y, indices, updates, 0)
        file.add("graph.scatter_elements", [x, indices, updates], y, axis=0)
        slices_of = values(rng, dtype, 2, 3)
        y = x.copy()
        y[[3, 1]] = slices_of
        file.add("graph.scatter_nd", [x, np.array([[-1], [1]], I32), slices_of], y)
        reductions = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
        for name, function in reductions.items():
            if dtype in COMPLEX and name in ("max", "min"):
                continue
            with np.errstate(all="ignore"):
                y = x.copy()
                for i in range(2):
                    for j in range(3):
                        y[indices[i, j], j] = function(y[indices[i, j], j], updates[i, j])
                tolerance = 1e-5 if dtype in COMPLEX else 0.0
                file.add("graph.scatter_elements", [x, indices, updates], y, tolerance, tolerance, axis=-2,
                         reduction=name)
                y, flat = x.copy(), values(rng, dtype, 3)
                for place, update in zip([(0, 1), (3, 2), (0, 1)], flat):
                    y[place] = function(y[place], update)
                file.add("graph.scatter_nd", [x, np.array([[0, 1], [3, -1], [0, 1]]), flat], y, tolerance, tolerance,
                         reduction=name)
    nans = np.array([1, np.nan, 2, -np.inf], F32)
    update = np.array([np.nan, 5, 1, -7], F32)
    for name, function in (("max", np.maximum), ("min", np.minimum)):
        file.add("graph.scatter_elements", [nans, np.arange(4), update], function(nans, update), reduction=name)
    x = values(rng, F32, 2, 3)
    file.add("graph.scatter_elements", [x, np.zeros((0, 3), I64), np.zeros((0, 3), F32)], x)
    file.add("graph.scatter_nd", [x, np.zeros((0, 1), I64), np.zeros((0, 3), F32)], x)


def choices(rng, file):
    for dtype in INTS + [F16, F32, np.float64]:
        x = rng.integers(0, 5, (3, 6)).astype(dtype)
        for largest in (True, False):
            keys = -x.astype(np.float64) if largest else x.astype(np.float64)
            order = np.argsort(keys, 1, kind="stable")[:, :4]
            file.add("graph.top_k", [x, scalar(4)], [np.take_along_axis(x, order, 1), order], largest=largest)
    x = values(rng, F32, 2, 5, 3)
    for axis, k in [(1, 2), (-2, 5), (0, 1), (2, 0)]:
        order = np.argsort(-x, axis, kind="stable")
        order = np.take(order, np.arange(k), axis)
        file.add("graph.top_k", [x, ints(k)], [np.take_along_axis(x, order, axis), order], axis=axis)
    nans = np.array([1, np.nan, 3, np.inf], F32)
    file.add("graph.top_k", [nans, scalar(2)], [np.array([np.nan, np.inf], F32), ints(1, 3)])
    file.add("graph.top_k", [nans, scalar(4)], [np.array([1, 3, np.inf, np.nan], F32), ints(0, 2, 3, 1)], largest=False)
    for dtype in TYPES:
        x = rng.integers(0, 2, (2, 3, 2)).astype(dtype)
        file.add("graph.nonzero", [x], np.array(np.nonzero(x), I64))
    file.add("graph.nonzero", [np.array([0.0, -0.0, np.nan, 1], F32)], ints(2, 3).reshape(1, 2))
    file.add("graph.nonzero", [np.zeros((2, 0), F32)], np.zeros((2, 0), I64))
    for dtype in SIZES:
        x = values(rng, dtype, 2, 4, 3)
        for upper, function in ((True, np.triu), (False, np.tril)):
            for diagonal in (0, 1, -2, 9, -9):
                file.add("graph.triangle", [x, scalar(diagonal)], function(x, diagonal), upper=upper)
    corners = np.array([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [1, 0.9, 0, -0.1], [0, 10, 1, 11], [0, 10.1, 1, 11.1],
                         [0, 100, 1, 101]]],
                       F32)
    boxes = np.concatenate([corners, corners[:, ::-1]])
    scores = rng.permutation(24).reshape(2, 2, 6).astype(F32) / 24
    scores[0, 0, 3] = scores[0, 0, 4]
    for max_boxes, iou, low in [(3, 0.5, 0.0), (9, 0.5, 0.4), (2, 0.0, 0.2), (0, 0.5, 0.0), (9, 1.0, 0.0)]:
        chosen = onnx("NonMaxSuppression", [boxes, scores, ints(max_boxes), np.array([iou], F32), np.array([low], F32)])
        file.add("graph.non_max_suppression", [boxes, scores, ints(max_boxes), np.array([iou], F32), scalar(low, F32)],
                 chosen.reshape(-1, 3).astype(I64))
    centers = np.array([[[0.5, 0.5, 1, 1], [0.5, 0.6, 1, 1], [0.5, 0.4, 1, 1], [0.5, 10.5, 1, 1], [0.5, 10.6, 1, 1]]],
                       F32)
    scores = np.array([[[0.9, 0.75, 0.6, 0.95, 0.5]]], F32)
    arguments = [centers, scores, ints(3), np.array([0.5], F32), np.array([0.0], F32)]
    file.add("graph.non_max_suppression", arguments, np.array([[0, 0, 3], [0, 0, 0]], I64), center_point=True)


def resized(file, x, scales=None, sizes=None, tolerance=1e-5, box=None, **attributes):
    renamed = {"mode": "mode", "coordinates": "coordinate_transformation_mode", "nearest": "nearest_mode",
               "cubic_coefficient": "cubic_coeff_a", "antialias": "antialias", "exclude_outside": "exclude_outside",
               "extrapolation_value": "extrapolation_value"}
    given = {renamed[name]: int(value) if isinstance(value, bool) else value for name, value in attributes.items()}
    box = None if box is None else np.array(box, F32)
    scales = None if scales is None else np.array(scales, F32)
    sizes = None if sizes is None else ints(*sizes)
    y = onnx("Resize", [x, box, scales, sizes], opset=19, **given).astype(x.dtype)
    made = ints(*y.shape)
    if box is not None:
        scales = (made / np.array(x.shape)).astype(F32)
    arguments = [x, made] + [each for each in (scales, box) if each is not None]
    file.add("graph.resize", arguments, y, tolerance, tolerance, **attributes)


def resizes(rng, file):
    x = values(rng, F32, 1, 2, 4, 5)
    coordinates = ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"]
    for mode in ("nearest", "linear", "cubic"):
        for each in coordinates:
            for scales in [(1, 1, 2, 2), (1, 1, 0.6, 0.6), (1, 1, 3, 0.4)]:
                resized(file, x, scales, mode=mode, coordinates=each)
            resized(file, x, sizes=(1, 2, 7, 3), mode=mode, coordinates=each)
            if (mode, each) != ("cubic", "pytorch_half_pixel"):  # the evaluator: -0.5 where the standard says 0
                resized(file, x, sizes=(1, 2, 1, 9), mode=mode, coordinates=each)
        box = [0, 0, 0.4, 0.6, 1, 1, 0.6, 0.8]
        resized(file, x, sizes=(1, 2, 3, 3), mode=mode, coordinates="tf_crop_and_resize", box=box)
        box = [0, 0, 0.4, 0.6, 1, 1, 1.2, 1.7]
        resized(file, x, sizes=(1, 2, 3, 3), mode=mode, coordinates="tf_crop_and_resize", box=box,
                extrapolation_value=10.0)
        resized(file, x, (1, 3, 1, 0.5), mode=mode)
    for nearest in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"):
        for each in coordinates:
            resized(file, x, sizes=(1, 2, 8, 8), mode="nearest", coordinates=each, nearest=nearest)
            resized(file, x, (1, 1, 0.7, 1.5), mode="nearest", coordinates=each, nearest=nearest)
    places = [0, 0, 1, 2, 2, 3, 3]  # floor((i + 0.5) * 4 / 7), which the evaluator does not know
    file.add("graph.resize", [x, ints(1, 2, 7, 5)], x[:, :, places], coordinates="tf_half_pixel_for_nn",
             nearest="floor")
    for mode in ("linear", "cubic"):
        resized(file, x, (1, 1, 0.6, 0.6), mode=mode, antialias=True)
        resized(file, x, (1, 1, 0.3, 2.0), mode=mode, antialias=True, exclude_outside=True)
        resized(file, x, (1, 1, 0.8, 0.8), mode=mode, exclude_outside=True)
    resized(file, x, (1, 1, 2, 2), mode="cubic", cubic_coefficient=-0.5, exclude_outside=True)
    for mode in ("nearest", "linear", "cubic"):
        resized(file, values(rng, F32, 1, 4, 5, 3), (1, 2, 2, 1), mode=mode)  # channels last
        resized(file, values(rng, F32, 3, 4), (2.0, 1.0), mode=mode)
        resized(file, values(rng, F32, 5), (1.7,), mode=mode)
        resized(file, values(rng, F32, 1, 1, 2, 3, 4), (1, 1, 2, 1.5, 2), mode=mode)
        resized(file, values(rng, np.float64, 1, 1, 3, 3), sizes=(1, 1, 5, 4), mode=mode,
                tolerance=1e-6 if mode == "cubic" else 1e-12)
        resized(file, values(rng, F16, 1, 1, 3, 3), sizes=(1, 1, 5, 4), mode=mode, tolerance=2e-3)
    for dtype in TYPES:
        for shape, scales in [((1, 2, 3, 2), (1, 1, 2, 3)), ((1, 3, 2, 2), (1, 2, 2, 1))]:
            x = values(rng, dtype, *shape)
            y = x
            for axis, times in enumerate(scales):
                y = np.repeat(y, times, axis)
            file.add("graph.resize", [x, ints(*y.shape)], y, coordinates="asymmetric", nearest="floor")
    resized(file, rng.integers(0, 255, (1, 1, 4, 4)).astype(np.uint8), (1, 1, 2, 2), mode="linear",
            coordinates="align_corners")
    file.add("graph.resize", [values(rng, F32, 0, 2), ints(0, 3)], np.zeros((0, 3), F32), mode="linear")


def sequences(rng, file):
    for dtype in TYPES:
        x = values(rng, dtype, 4, 3, 2)
        lengths = ints(4, 2, 1)
        y = x.copy()
        for b, n in enumerate(lengths):
            y[:n, b] = x[:n, b][::-1]
        file.add("graph.reverse_sequence", [x, lengths], y)
        file.add("graph.reverse_sequence", [x.swapaxes(0, 1), lengths], y.swapaxes(0, 1), batch_axis=0, time_axis=1)
        condition = np.array([True, False, True])
        file.add("graph.compress", [x, condition], np.compress(condition, x, 1), axes=[-2])
        file.add("graph.compress", [x, condition], np.compress(condition, x))
        file.add("graph.eye_like", [values(rng, F32, 3, 4)], np.eye(3, 4, 1).astype(dtype), dtype=np.dtype(dtype),
                 diagonal=1)
    x = values(rng, F32, 2, 3, 2, 4)
    y = x.copy()
    for b, n in enumerate((0, 3, 3, 1)):
        y[:, :n, :, b] = x[:, :n, :, b][:, ::-1]
    file.add("graph.reverse_sequence", [x, ints(0, 3, 3, 1, dtype=I32)], y, batch_axis=-1, time_axis=1)
    file.add("graph.compress", [x, np.zeros(2, bool)], x[:0], axes=[0])
    for diagonal in (0, -1, 5, -5):
        file.add("graph.eye_like", [values(rng, F32, 4, 3)], np.eye(4, 3, diagonal, F32), dtype=np.dtype(F32),
                 diagonal=diagonal)
    for shape, sizes, axes in [((5, 4), (3, 3), None), ((5, 4), (8, 5), None), ((3, 4, 5), (2, 7), [-1, 0]),
                               ((2, 3), (2, 3), None),
                               ((2, 3), (0, 4), None)]:
        for dtype in (F32, np.int8):
            x = values(rng, dtype, *shape)
            attributes = {} if axes is None else {"axes": axes}
            y = onnx("CenterCropPad", [x, ints(*sizes)], **attributes)
            file.add("graph.center_crop_pad", [x, ints(*sizes)], y, **attributes)
    x = values(rng, F32, 2, 3)
    file.add("graph.bit_cast", [x], x.view(I32), dtype=np.dtype(I32))
    for dtype in INTS + [F16, F32, np.float64, bool]:
        x = rng.integers(0, 4, 9).astype(dtype)
        file.add("graph.unique", [x], list(np.unique(x, True, True, True)))
    x = np.array([3, np.nan, -1, 3, np.nan, np.inf, -1], F32)
    found = [ints(2, 0, 5, 1), ints(1, 3, 0, 1, 3, 2, 0), ints(2, 2, 1, 2)]
    file.add("graph.unique", [x], [np.array([-1, 3, np.inf, np.nan], F32), *found])
    found = [np.array([3, np.nan, -1, np.inf], F32), ints(0, 1, 2, 5), ints(0, 1, 2, 0, 1, 3, 2), ints(2, 2, 2, 1)]
    file.add("graph.unique", [x], found, sorted=False)
    x = rng.integers(0, 2, (5, 3, 4)).astype(F32)
    x[3] = x[1]
    x[:, 2] = x[:, 0]
    for axis in (0, 1, 2, -1):
        y, first, inverse, counts = np.unique(x, True, True, True, axis=axis)
        file.add("graph.unique", [x], [y, first, inverse.reshape(-1), counts], axes=[axis])
    file.add("graph.unique", [np.zeros(0, F32)], [np.zeros(0, F32)] + 3 * [np.zeros(0, I64)])


def samples(rng, file):
    for mode in ("nearest", "linear", "cubic"):
        for padding in ("zeros", "border", "reflection"):
            for align in (False, True):
                for dtype, tolerance in ((F32, 2e-5), (np.float64, 1e-5)):
                    x, grid = values(rng, dtype, 2, 2, 4, 3), rng.uniform(-1.7, 1.7, (2, 3, 2, 2)).astype(dtype)
                    y = onnx("GridSample", [x, grid], mode=mode, padding_mode=padding, align_corners=int(align))
                    file.add("graph.grid_sample", [x, grid], y, tolerance, tolerance, mode=mode, padding=padding,
                             align_corners=align)
                x, grid = values(rng, F32, 1, 1, 2, 3, 3), rng.uniform(-1.3, 1.3, (1, 2, 1, 2, 3)).astype(F32)
                y = onnx("GridSample", [x, grid], mode=mode, padding_mode=padding, align_corners=int(align))
                file.add("graph.grid_sample", [x, grid], y, 2e-5, 2e-5, mode=mode, padding=padding, align_corners=align)
    x = values(rng, F32, 2, 3, 8, 9)
    regions = np.array([[0, 0, 8, 7], [1.5, 2.25, 6, 5], [3, 3, 3.5, 3.25], [-4, -3, 20, 15]], F32)
    images = ints(0, 1, 1, 0)
    for mode in ("avg", "max"):
        for half_pixel in (True, False):
            for number, scale in ((0, 1.0), (2, 0.5)):
                for dtype in (F32, np.float64):
                    y = onnx("RoiAlign", [x.astype(dtype), regions.astype(dtype), images], mode=mode, output_height=2,
                             output_width=3,
                             sampling_ratio=number, spatial_scale=scale,
                             coordinate_transformation_mode="half_pixel" if half_pixel else "output_half_pixel")
                    file.add("graph.roi_align", [x.astype(dtype), regions.astype(dtype), images], y, 2e-5, 2e-5,
                             mode=mode, height=2,
                             width=3, samples=number, scale=scale, half_pixel=half_pixel)
    for image, block, attributes in [((5, 5), (1, 5), {}), ((5, 5), (2, 2), {"strides": [2, 2]}),
                                     ((5, 6), (2, 3), {"pads": [0, 1, 0, 1]}), ((6, 6), (2, 2), {"dilations": [1, 5]}),
                                     ((4, 2, 3), (2, 1, 2), {}), ((7,), (3,), {"strides": [2], "pads": [1, 2]})]:
        rank = len(image)
        pads = attributes.get("pads", [0] * 2 * rank)
        strides, dilations = attributes.get("strides", [1] * rank), attributes.get("dilations", [1] * rank)
        counts = [(image[i] + pads[i] + pads[rank + i] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
                  for i in range(rank)]
        x = rng.integers(-9, 9, (2, 3 * int(np.prod(block)), int(np.prod(counts)))).astype(F32)
        y = np.zeros((2, 3, *[image[i] + pads[i] + pads[rank + i] for i in range(rank)]), F32)
        columns = x.reshape(2, 3, *block, *counts)
        for place in np.ndindex(*block, *counts):
            at = tuple(place[i] * dilations[i] + place[rank + i] * strides[i] for i in range(rank))
            y[(slice(None), slice(None), *at)] += columns[(slice(None), slice(None), *place)]
        y = y[(slice(None), slice(None), *[slice(pads[i], pads[i] + image[i]) for i in range(rank)])]
        for dtype in (F32, I32, F16):
            file.add("graph.add_blocks", [x.astype(dtype), ints(*image), ints(*block)], y.astype(dtype), **attributes)


def graph_sampling(rng):
    file = File("graph_sampling")
    for family in (sequences, samples):
        family(rng, file)
    file.write()


def graph_placement(rng):
    file = File("graph_placement")
    for family in (scatters, choices, resizes):
        family(rng, file)
    file.write()


def graph_movement(rng):
    file = File("graph_movement")
    for family in (transposes, reshapes, concats, broadcasts, slices, pads, gathers, creations, depths):
        family(rng, file)
    file.write()


def order(x, axis, descending):
    """Where elements go: equal ones stay in their order, NaN is the largest."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    # The order of the row from its end on, from the end on.
    return x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)


def graph_sorting(rng):
    file = File("graph_sorting")
    for dtype in INTS + FLOATS + [bool]:
        def make(*shape):
            return as_type(rng.integers(0, 5, shape), dtype) if dtype is not bool else values(rng, bool, *shape)

        xs = [make(3, 17)] if dtype is bool else [random(rng, dtype, 4, 5), make(3, 17)]
        if dtype in FLOATS:
            special = special_values(dtype)
            xs.append(as_type(np.tile(wide(special), 3), dtype))
        for x in xs:
            for axis in range(-1, len(wide(x).shape) - 1):
                for descending in (False, True):
                    places = order(wide(x), axis, descending)
                    expected = np.take_along_axis(wide(x), places, axis)
                    file.add("graph.sort", [x], as_type(expected, dtype), axis=axis, descending=descending)
                    file.add("graph.argsort", [x], places, axis=axis, descending=descending)
        file.add("graph.argsort", [xs[0]], order(wide(xs[0]), -1, False).astype(I32), dtype=Type(I32))
        row = np.sort(wide(xs[-1]).reshape(-1))
        searched = xs[0] if dtype is bool else as_type(np.concatenate([row[:6], wide(xs[0]).reshape(-1)]), dtype)
        for right in (False, True):
            places = np.searchsorted(row, wide(searched), "right" if right else "left")
            file.add("graph.search_sorted", [as_type(row, dtype), searched], places, right=right)
        file.add("graph.search_sorted", [as_type(row, dtype), searched], places.astype(I32), dtype=Type(I32),
                 right=True)
    x = values(rng, F32, 3, 20, 19)
    for axis in (0, 1, 2):
        file.add("graph.sort", [x], np.sort(x, axis), axis=axis)
        file.add("graph.argsort", [x], np.argsort(x, axis), axis=axis)
    for shape in [(0,), (2, 0), (0, 3)]:
        empty = values(rng, F32, *shape)
        file.add("graph.sort", [empty], empty, axis=0)
        file.add("graph.argsort", [empty], np.zeros(shape, I64))
    file.add("graph.search_sorted", [np.zeros(0, F32), x[0, :2]], np.zeros((2, 19), I64))
    file.add("graph.search_sorted", [x[0, 0], np.zeros((0, 2), F32)], np.zeros((0, 2), I64))
    file.add("graph.search_sorted", [np.sort(x[0, 0]), np.array(0.5, F32)], np.searchsorted(np.sort(x[0, 0]), 0.5))
    file.write()


FAMILIES = {graph_movement: 7, graph_placement: 8, graph_sampling: 9, graph_sorting: 10}
