#!/usr/bin/env python3
"""Types of fewer than 8 bits and float8: casts of all f16 numbers, quantisation in blocks, and what is refused.

usage: narrow_types_test.py RUNNER     RUNNER: conformance_runner
"""

import dataclasses
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "random_models"))

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import running

FLOATS = {TensorProto.FLOAT8E4M3FN: (ml_dtypes.float8_e4m3fn, 448),
          TensorProto.FLOAT8E4M3FNUZ: (ml_dtypes.float8_e4m3fnuz, 240),
          TensorProto.FLOAT8E5M2: (ml_dtypes.float8_e5m2, 57344),
          TensorProto.FLOAT8E5M2FNUZ: (ml_dtypes.float8_e5m2fnuz, 57344),
          TensorProto.FLOAT4E2M1: (ml_dtypes.float4_e2m1fn, 6)}
INTS = {TensorProto.INT4: (-8, 7, np.int8), TensorProto.UINT4: (0, 15, np.uint8), TensorProto.INT2: (-2, 1, np.int8),
        TensorProto.UINT2: (0, 3, np.uint8)}
ALL = np.arange(65536, dtype=np.uint16).view(np.float16)


@dataclasses.dataclass
class Case:
    name: str
    model: onnx.ModelProto
    feeds: list
    expected: list = None
    error: str = ""  # what each numerics says, if they differ, stands between bars


CASES = []


def case(name, nodes, feeds, expected=(), weights=(), error="", kinds=None):
    infos = [helper.make_tensor_value_info(key, (kinds or {}).get(key, helper.np_dtype_to_tensor_dtype(array.dtype)),
                                           array.shape)
             for key, array in feeds.items()]
    results = [onnx.ValueInfoProto(name=f"o{i}") for i in range(max(len(expected), 1))]
    graph = helper.make_graph(nodes, "graph", infos, results, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 28)], ir_version=13)
    CASES.append(Case(name, model, [feeds], list(expected), error))


def node(op, inputs, output="o0", **attributes):
    return helper.make_node(op, inputs, [output], "node", **attributes)


def saturated(numbers, kind):
    """As ONNX says it: what is too large becomes the largest number, also infinity."""
    dtype, largest = FLOATS[kind]
    wide = numbers.astype(np.float32)
    result = np.nan_to_num(np.clip(wide, -largest, largest)).astype(dtype).astype(np.float32)
    return np.where(np.isnan(wide), 0 if kind == TensorProto.FLOAT4E2M1 else np.nan, result)


def casts():
    for kind, (dtype, _) in FLOATS.items():
        name = TensorProto.DataType.Name(kind)
        case(f"{name}_saturated", [node("Cast", ["x"], to=kind)], {"x": ALL}, [saturated(ALL, kind).astype(np.float16)])
        if kind != TensorProto.FLOAT4E2M1:
            with np.errstate(all="ignore"):
                plain = ALL.astype(np.float32).astype(dtype).astype(np.float16)
            case(f"{name}_plain", [node("Cast", ["x"], to=kind, saturate=0)], {"x": ALL}, [plain])
        # Every number of the type, from the file and back.
        bits = np.arange(16 if kind == TensorProto.FLOAT4E2M1 else 256, dtype=np.uint8)
        packed = bits[::2] | bits[1::2] << 4 if kind == TensorProto.FLOAT4E2M1 else bits
        weight = helper.make_tensor("w", kind, [len(bits)], packed.tobytes(), raw=True)
        case(f"{name}_weights", [node("Cast", ["w"], to=TensorProto.FLOAT)], {}, [bits.view(dtype).astype(np.float32)],
             [weight])
    for kind, (low, high, stored) in INTS.items():
        name = TensorProto.DataType.Name(kind)
        numbers = np.arange(-40, 40)
        size = high - low + 1
        case(f"{name}_wrapped", [node("Cast", ["x"], to=kind)], {"x": numbers},
             [((numbers - low) % size + low).astype(stored)])
        quantized = np.clip(np.rint(numbers / 4) + 1, low, high).astype(stored)
        zero = helper.make_tensor("z", kind, [1], [1])
        case(f"{name}_quantized", [node("Squeeze", ["z"], "z0"), node("QuantizeLinear", ["x", "s", "z0"])],
             {"x": numbers.astype(np.float32), "s": np.float32(4)}, [quantized], [zero])
    powers = np.array([0, 2**-127, 2**-126, 1.4, 1.5, 1.6, 2.0, 3e38, np.inf, np.nan], np.float32)
    for mode, wanted in (("up", [2**-127, 2**-127, 2**-126, 2, 2, 2, 2, 2.0**127, 2.0**127, np.nan]),
                         ("down", [2**-127, 2**-127, 2**-126, 1, 1, 1, 2, 2.0**127, 2.0**127, np.nan]),
                         ("nearest", [2**-127, 2**-127, 2**-126, 1, 2, 2, 2, 2.0**127, 2.0**127, np.nan])):
        case(f"power_{mode}", [node("Cast", ["x"], to=TensorProto.FLOAT8E8M0, round_mode=mode)], {"x": powers},
             [np.array(wanted, np.float32)])
    case("power_plain", [node("Cast", ["x"], to=TensorProto.FLOAT8E8M0, round_mode="nearest", saturate=0)],
         {"x": powers}, [np.array([np.nan, 2**-127, 2**-126, 1, 2, 2, 2, np.nan, np.nan, np.nan], np.float32)])


def blocks():
    random = np.random.default_rng(4)
    x = random.standard_normal((3, 10)).astype(np.float32) * 3
    scale = np.abs(random.standard_normal((3, 3))).astype(np.float32)
    spread = np.repeat(scale, 4, 1)[:, :10]
    f4, e4 = TensorProto.FLOAT4E2M1, TensorProto.FLOAT8E4M3FN
    for kind in (f4, e4):
        rounded = saturated(x / spread, kind)
        case(f"blocks_{kind}", [node("QuantizeLinear", ["x", "s"], axis=1, block_size=4, output_dtype=kind)],
             {"x": x, "s": scale},
             [rounded.astype(np.float16)])
        case(f"back_{kind}", [node("QuantizeLinear", ["x", "s"], "q", axis=1, block_size=4, output_dtype=kind),
                              node("Transpose", ["q"], "t", perm=[1, 0]),
                              node("DequantizeLinear", ["t", "r"], axis=0, block_size=4)],
             {"x": x, "s": scale, "r": scale.T.copy()}, [(rounded * spread).T])
    row = np.abs(scale[0])
    case("axis", [node("QuantizeLinear", ["x", "s"], axis=0, output_dtype=e4)], {"x": x, "s": row},
         [saturated(x / row[:, None], e4).astype(np.float16)])
    # Movement keeps the type.
    weight = helper.make_tensor("w", TensorProto.INT4, [2, 3], [-8, 7, 0, 1, -1, 3])
    numbers = np.array([[-8, 7, 0], [1, -1, 3]])
    case("moved", [node("Transpose", ["w"], "t", perm=[1, 0]), node("Concat", ["t", "t"], "c", axis=0),
                   node("CastLike", ["x", "c"])],
         {"x": np.array([9, -9])}, [np.array([-7, 7], np.int8)], [weight])
    case("dequantized", [node("DequantizeLinear", ["w", "s"], axis=1)], {"s": np.float32([1, 2, 4])},
         [(numbers * np.array([1, 2, 4])).astype(np.float32)], [weight])


def refusals():
    weight = helper.make_tensor("w", TensorProto.INT4, [2], [1, 2])
    floats = [helper.make_tensor(name, kind, [1], b"1", raw=True) for name, kind in
              (("a", TensorProto.FLOAT8E5M2), ("b", TensorProto.FLOAT8E4M3FN))]
    other = helper.make_tensor("v", TensorProto.UINT4, [2], [1, 2])
    plain = numpy_helper.from_array(np.array([1, 2], np.int8), "b")
    x, one = np.zeros(2, np.float32), np.float32(1)
    case("arithmetic", [node("Add", ["w", "w"])], {}, weights=[weight],
         error="Add: input 0 is of INT4, which only casts, quantisation and movement support")
    case("mixed", [node("Concat", ["a", "b"], axis=0)], {}, weights=floats,
         error="Concat: the inputs are of different types")
    case("window", [node("HannWindow", ["n"], output_datatype=TensorProto.INT4)], {"n": np.array(4)},
         error="HannWindow: no window of INT4")
    case("double", [node("Cast", ["x"], to=TensorProto.FLOAT8E5M2)], {"x": x.astype(np.float64)},
         error="Cast: no cast from f64 to FLOAT8E5M2")
    case("mode", [node("Cast", ["x"], to=TensorProto.FLOAT8E8M0, round_mode="odd")], {"x": x},
         error="Cast: unknown round_mode 'odd'")
    case("two_types", [node("QuantizeLinear", ["x", "s", "w"], output_dtype=TensorProto.UINT4)], {"x": x, "s": x + 1},
         weights=[weight],
         error="QuantizeLinear: output_dtype is not the type of the zero point")
    case("zero_type", [node("DequantizeLinear", ["w", "s", "v"])], {"s": one}, weights=[weight, other],
         error="DequantizeLinear: the zero point is of another type than the input")
    case("zero_wide", [node("DequantizeLinear", ["w", "s", "b"])], {"s": one}, weights=[weight, plain],
         error="DequantizeLinear: the zero point is of another type than the input")
    case("scale_rank", [node("QuantizeLinear", ["x", "s"], output_dtype=TensorProto.FLOAT8E5M2)],
         {"x": x.reshape(1, 2), "s": np.ones((1, 2), np.float32)},
         error="QuantizeLinear: the scale is of rank 2, expected 0 or 1")
    case("block_rank", [node("QuantizeLinear", ["x", "s"], axis=0, block_size=2, output_dtype=TensorProto.FLOAT8E5M2)],
         {"x": x.reshape(1, 2), "s": x + 1}, error="QuantizeLinear: the scale of blocks is of rank 1, expected 2")
    branch = helper.make_graph([node("Identity", ["w"], "q")], "branch", [], [onnx.ValueInfoProto(name="q")])
    case("branch", [node("If", ["c"], then_branch=branch, else_branch=branch)], {"c": np.array(True)}, weights=[weight],
         error="output 'q' of graph 'branch' is of INT4, which is not supported there")
    short = helper.make_tensor("w", TensorProto.INT4, [5], b"123", raw=True)
    short.raw_data = b"12"
    case("short", [node("Cast", ["w"], to=TensorProto.INT8)], {}, weights=[short],
         error="tensor 'w' has 2 bytes of data, but 5 elements of INT4 have 3")
    states = {"a": np.zeros((1, 2, 3), np.float32)}
    case("conv_rank", [node("CausalConvWithState", ["a", "w"])], {"a": x, "w": x},
         error="CausalConvWithState: input and weight are of ranks 1 and 1")
    case("conv_name", [node("CausalConvWithState", ["a", "a"], activation="cube")], states,
         error="CausalConvWithState: unknown activation 'cube'")
    more = {"q_num_heads": 1, "kv_num_heads": 1}
    case("heads", [node("LinearAttention", ["a", "a", "a"], q_num_heads=3, kv_num_heads=2)], states,
         error="LinearAttention: 3 heads of queries are not for 2 heads of keys")
    case("rule", [node("LinearAttention", ["a", "a", "a"], update_rule="odd", **more)], states,
         error="LinearAttention: unknown update_rule 'odd'")
    case("no_decay", [node("LinearAttention", ["a", "a", "a"], **more)], states,
         error="LinearAttention: decay is left out by the update_rule 'gated_delta'")
    case("some_decay", [node("LinearAttention", ["a", "a", "a", "", "a"], update_rule="linear", **more)], states,
         error="LinearAttention: decay is not used by the update_rule 'linear'")
    case("attention_rank", [node("LinearAttention", ["a", "a", "x"], update_rule="linear", **more)], {**states, "x": x},
         error="LinearAttention: input 2 is of rank 1, expected 3")
    case("product", [node("CumProd", ["x", "n"])], {"x": one, "n": np.array(0)}, error="CumProd: the input is a scalar")
    case("signal", [node("STFT", ["x", "n", "", "n"])], {"x": x, "n": np.array(1)},
         error="STFT: the signal has rank 1, expected 2 or 3")


def bad_scales():
    """Errors name the node that has the scale, or the product that it became a part of."""
    x, w = np.ones((4, 4), np.int8), np.ones((4, 4), np.float32)
    one = numpy_helper.from_array(np.float32(1), "one")
    weight = numpy_helper.from_array(x, "w")
    of_x, of_w = node("DequantizeLinear", ["x", "s"], "fx"), node("DequantizeLinear", ["w", "one"], "fw")
    product, moved = node("MatMul", ["fx", "fw"], "y"), node("Transpose", ["fx"], perm=[1, 0])
    for scale, text in ((0, "0.000000"), (np.nan, "nan"), (-0.5, "-0.500000"), (np.inf, "inf")):
        feeds = {"x": x, "s": np.float32(scale)}
        case(f"moved_{text}", [of_x, moved], feeds,
             error=f"DequantizeLinear(node): graph.dequantize: scale 0 is {text}, expected")
        case(f"behind_{text}", [node("Transpose", ["f"], "t", perm=[1, 0]), node("QuantizeLinear", ["t", "s"])],
             {"f": w, "s": feeds["s"]}, error=f"QuantizeLinear(node): graph.quantize: scale 0 is {text}, expected")
        case(f"factor_{text}", [of_x, of_w, product, node("QuantizeLinear", ["y", "one"])], feeds,
             weights=[one, weight], error=f"MatMul(node): the scale of the rows is {text}, "
                                          f"expected|DequantizeLinear(node): graph.dequantize: scale 0 is {text}")
    tiny = {"x": x, "s": np.float32(1e-40)}
    case("tiny", [of_x, moved], tiny, [np.full((4, 4), 1e-40, np.float32)])


def problem(each, outcome, numerics):
    if each.error:
        error = each.error.split("|")[-1 if numerics == "exact" else 0]
        if outcome.state == "refused" and error in outcome.reason:
            return ""
        return f"{outcome.state} {outcome.reason!r}, expected the error {error!r}"
    if outcome.state != "pass":
        return f"{outcome.state}: {outcome.reason}"
    for found, wanted in zip(outcome.results[0], each.expected, strict=True):
        if found.dtype != wanted.dtype or found.shape != wanted.shape:
            return f"{found.dtype} {found.shape}, expected {wanted.dtype} {wanted.shape}"
        same = (found == wanted) | (found != found) & (wanted != wanted)
        if not same.all():
            at = np.argmin(same.ravel())
            return f"{found.ravel()[at]} at {at}, expected {wanted.ravel()[at]}"
        if found.dtype.kind == "f" and not np.array_equal(np.signbit(found[found == 0]),
                                                          np.signbit(wanted[found == 0])):
            return "a zero has another sign"
    return ""


def main():
    for make in (casts, blocks, refusals, bad_scales):
        make()
    failed = 0
    for numerics in ("fast", "exact"):
        outcomes = running.run(sys.argv[1], CASES, numerics)
        for each in CASES:
            text = problem(each, outcomes[each.name], numerics)
            failed += bool(text)
            print(f"{each.name}, {numerics}: {text}\n" if text else "", end="")
    print(f"{len(CASES)} cases, {failed} wrong")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
