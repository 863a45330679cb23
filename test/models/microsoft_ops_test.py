#!/usr/bin/env python3
"""Ops of the domain com.microsoft give what ONNX Runtime gives without optimisation; what is not supported is refused.

usage: microsoft_ops_test.py RUNNER [NAME...]     RUNNER: conformance_runner

Factors of integer products have 7 bits: where a processor has no VNNI, ONNX Runtime's sums of larger ones saturate.
"""

import dataclasses
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "random_models"))

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import peer
import running

KINDS = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.uint8): TensorProto.UINT8,
         np.dtype(np.int8): TensorProto.INT8, np.dtype(np.int32): TensorProto.INT32,
         np.dtype(np.int64): TensorProto.INT64}
RANDOM = np.random.default_rng(38)
F32, I8, U8, I32, I64 = np.float32, np.int8, np.uint8, np.int32, np.int64


@dataclasses.dataclass
class Case:
    name: str
    model: onnx.ModelProto
    feeds: list
    tolerance: float = 1e-5  # of the largest result; of integers: 1 step
    error: str = ""          # what is refused, and why


CASES = []


def floats(*dims, scale=1.0):
    return (RANDOM.standard_normal(dims) * scale).astype(F32)


def number(value, kind=F32):
    return np.array(value, kind)


def small(kind, *dims):
    """Integers of 7 bits."""
    return RANDOM.integers(0 if kind == U8 else -64, 64, dims).astype(kind)


def case(name, op, inputs, outputs=1, constants=(), domain="com.microsoft", tolerance=1e-5, error="", is_open=False,
         **attributes):
    """A node alone.

    Inputs are arrays, or None where one is left out; `constants` are places of those that are weights.
    """
    names = [f"i{k}" if array is not None else "" for k, array in enumerate(inputs)]
    results = [f"o{k}" for k in range(outputs)] if isinstance(outputs, int) else outputs
    given = {n: array for k, (n, array) in enumerate(zip(names, inputs)) if n and k not in constants}
    infos = [helper.make_tensor_value_info(n, KINDS[array.dtype],
                                           [f"{n}_{i}" for i in range(array.ndim)] if is_open else array.shape)
             for n, array in given.items()]
    weights = [numpy_helper.from_array(inputs[k], names[k]) for k in constants if inputs[k] is not None]
    node = helper.make_node(op, names, results, "node", domain=domain, **attributes)
    graph = helper.make_graph([node], "graph", infos, [onnx.ValueInfoProto(name=n) for n in results if n], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17),
                                                    helper.make_opsetid("com.microsoft", 1)], ir_version=8)
    CASES.append(Case(name, model, [given], tolerance, error))


def activations():
    x, bias = floats(3, 5, 8), floats(8)
    case("fast_gelu", "FastGelu", [x])
    case("fast_gelu_bias", "FastGelu", [x, bias])
    case("bias_gelu", "BiasGelu", [x, bias], constants=[1])
    case("gelu", "Gelu", [x])
    case("quick_gelu", "QuickGelu", [x])
    case("quick_gelu_alpha", "QuickGelu", [x], alpha=0.7)
    case("bias_gelu_one", "BiasGelu", [x], error="BiasGelu: there are 1 inputs, expected 2")


def products():
    a, b = floats(2, 3, 4, 5), floats(2, 3, 5, 6)
    case("matmul", "FusedMatMul", [a, b], alpha=0.5)
    case("matmul_transposed", "FusedMatMul", [a.swapaxes(2, 3).copy(), b.swapaxes(2, 3).copy()], transA=1, transB=1)
    case("matmul_batches", "FusedMatMul", [floats(4, 2, 3, 5), floats(2, 3, 5, 6)], transBatchA=1)
    case("matmul_both", "FusedMatMul", [floats(5, 2, 3, 4), floats(6, 2, 3, 5)], transBatchA=1, transA=1, transBatchB=1,
         transB=1)
    case("matmul_matrix", "FusedMatMul", [floats(5, 4), floats(5, 6)], transA=1, alpha=2.0)
    case("matmul_vector", "FusedMatMul", [floats(5), floats(5, 6)])
    case("matmul_turned_vector", "FusedMatMul", [floats(5), floats(5, 6)], transB=1,
         error="FusedMatMul: a vector is transposed")
    case("matmul_no_batch", "FusedMatMul", [floats(5, 4), floats(5, 6)], transBatchA=1,
         error="FusedMatMul: a matrix of rank 2 has no batch to transpose")


def convolutions():
    x, w, b = floats(2, 3, 9, 9), floats(4, 3, 3, 3, scale=0.3), floats(4)
    more = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    for name, params in (("Relu", []), ("Tanh", []), ("Sigmoid", []), ("LeakyRelu", [0.1]), ("Clip", [-0.5, 0.7]),
                         ("HardSigmoid", [0.3, 0.4])):
        case(f"conv_{name}", "FusedConv", [x, w, b], constants=[1, 2], activation=name,
             **({"activation_params": params} if params else {}),
             **more)
    case("conv_sum", "FusedConv", [x, w, b, floats(2, 4, 9, 9)], constants=[1, 2], activation="Relu", **more)
    case("conv_plain", "FusedConv", [x, w], constants=[1], strides=[2, 2], **more)
    case("conv_params", "FusedConv", [x, w], activation="LeakyRelu",
         error="FusedConv: the activation 'LeakyRelu' has 0 parameters, expected 1")
    case("conv_unknown", "FusedConv", [x, w], activation="Cube", error="FusedConv: unknown activation 'Cube'")
    case("nhwc_rank", "NhwcConv", [floats(2, 3), w], error="NhwcConv: the input has no channels")


def normalizations():
    x, skip, scale, offset, bias = floats(2, 3, 8), floats(2, 3, 8), floats(8), floats(8), floats(8)
    case("skip", "SkipLayerNormalization", [x, skip, scale, offset, bias], epsilon=1e-5)
    case("skip_sum", "SkipLayerNormalization", [x, skip, scale, offset], ["o0", "", "", "o3"], epsilon=1e-5)
    case("skip_no_offset", "SkipLayerNormalization", [x, skip, scale], epsilon=1e-5)
    case("skip_broadcast", "SkipLayerNormalization", [x, skip[:1], scale, offset], epsilon=1e-5)
    case("skip_open", "SkipLayerNormalization", [x, skip, scale, offset], epsilon=1e-5, is_open=True)
    case("skip_mean", "SkipLayerNormalization", [x, skip, scale, offset], 2,
         error="SkipLayerNormalization: output 1 is not supported")
    case("skip_two", "SkipLayerNormalization", [x, skip],
         error="SkipLayerNormalization: there are 2 inputs, expected 3")
    case("rms", "SimplifiedLayerNormalization", [x, scale], domain="", epsilon=1e-5, axis=-1)
    case("rms_skip", "SkipSimplifiedLayerNormalization", [x, skip, scale, bias], ["o0", "", "", "o3"], epsilon=1e-5)
    case("rms_skip_plain", "SkipSimplifiedLayerNormalization", [x, skip, scale], epsilon=1e-5)
    case("rms_skip_mean", "SkipSimplifiedLayerNormalization", [x, skip, scale], 3,
         error="SkipSimplifiedLayerNormalization: output 1 is not supported")
    ids, segments = RANDOM.integers(0, 11, (2, 5)).astype(I32), RANDOM.integers(0, 2, (2, 5)).astype(I32)
    words, places, kinds = floats(11, 8), floats(7, 8), floats(2, 8)
    mask = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], I32)
    case("embed", "EmbedLayerNormalization", [ids, segments, words, places, kinds, scale, offset, mask], 2,
         epsilon=1e-5)
    case("embed_sum", "EmbedLayerNormalization", [ids, segments, words, places, kinds, scale, offset, None], 3,
         epsilon=1e-5)
    case("embed_plain", "EmbedLayerNormalization", [ids, None, words, places, None, scale, offset], 2, epsilon=1e-5)
    case("embed_places", "EmbedLayerNormalization",
         [ids, None, words, places, None, scale, offset, None, ids[:, ::-1] % 7], 2,
         epsilon=1e-5, constants=[8])
    case("embed_half", "EmbedLayerNormalization", [ids, segments, words, places, None, scale, offset],
         error="EmbedLayerNormalization: one of segment_ids and segment_embedding is left out")
    case("embed_missing", "EmbedLayerNormalization", [ids, None, words, places, None, scale],
         error="EmbedLayerNormalization: input 6 is left out")
    case("embed_rank", "EmbedLayerNormalization", [ids[0], None, words, places, None, scale, offset],
         error="EmbedLayerNormalization: input_ids is of rank 1, expected 2")


def attentions():
    x, weights, bias = floats(2, 4, 6), floats(6, 24, scale=0.4), floats(24)
    lengths, ends = np.array([2, 4], I32), np.array([3, 4, 1, 0], I32)
    mask = np.array([[1, 1, 0, 0], [1, 1, 1, 1]], I32)
    deep = np.tril(np.ones((2, 4, 4), I32))
    add = floats(2, 2, 4, 4)
    case("self", "Attention", [x, weights, bias], constants=[1, 2], num_heads=2)
    case("self_open", "Attention", [x, weights, bias], constants=[1, 2], num_heads=2, is_open=True)
    case("self_lengths", "Attention", [x, weights, bias, lengths], constants=[1, 2], num_heads=2)
    case("self_ends", "Attention", [x, weights, bias, ends], constants=[1, 2], num_heads=2)
    case("self_mask", "Attention", [x, weights, bias, mask], constants=[1, 2], num_heads=2)
    case("self_deep", "Attention", [x, weights, bias, deep], constants=[1, 2], num_heads=2)
    case("self_filter", "Attention", [x, weights, bias, mask], constants=[1, 2], num_heads=2, mask_filter_value=-1.5)
    case("self_add", "Attention", [x, weights, bias, mask, None, add], constants=[1, 2], num_heads=2, scale=0.3)
    case("self_causal", "Attention", [x, weights, bias], 2, constants=[1, 2], num_heads=2, unidirectional=1)
    case("self_sizes", "Attention", [x, floats(6, 20), floats(20)], constants=[1, 2], num_heads=2,
         qkv_hidden_sizes=[8, 8, 4])
    case("self_past", "Attention", [x, weights, bias, None, floats(2, 2, 2, 3, 4)], 2, constants=[1, 2], num_heads=2)
    case("self_past_causal", "Attention", [x, weights, bias, None, floats(2, 2, 2, 3, 4)], 2, constants=[1, 2],
         num_heads=2, unidirectional=1)
    case("self_heads", "Attention", [x, weights, bias], constants=[1],
         error="Attention: num_heads is 0, expected 1 or more")
    case("self_thirds", "Attention", [x, weights, bias], constants=[1], num_heads=3,
         error="Attention: a hidden size of 8 is not for 3 heads")
    case("self_wrong_sizes", "Attention", [x, weights, bias], constants=[1], num_heads=2, qkv_hidden_sizes=[8, 8, 4],
         error="Attention: the weights have 24 columns, which is not the sum of three hidden sizes")
    case("self_huge_sizes", "Attention", [x, weights, bias], constants=[1], num_heads=1,
         qkv_hidden_sizes=[2**63 - 1, 2**63 - 1, 26],
         error="Attention: the weights have 24 columns, which is not the sum of three hidden sizes")
    case("self_unequal", "Attention", [x, weights, bias], constants=[1], num_heads=2, qkv_hidden_sizes=[8, 4, 12],
         error="Attention: the hidden sizes of queries and keys are 8 and 4")
    case("self_open_weights", "Attention", [x, weights], num_heads=2, is_open=True,
         error="Attention: the number of the weights' columns is not known")
    case("self_rotary", "Attention", [x, weights, bias], constants=[1], num_heads=2, do_rotary=1,
         error="Attention: do_rotary is not supported")
    case("self_shared", "Attention", [x, weights, bias], constants=[1], num_heads=2, past_present_share_buffer=1,
         error="Attention: past_present_share_buffer is not supported")
    case("self_past_length", "Attention", [x, weights, bias, None, None, None, lengths], constants=[1], num_heads=2,
         error="Attention: past_sequence_length is not supported")
    case("self_bad_mask", "Attention", [x, weights, bias, np.ones(8, I32)], constants=[1], num_heads=2,
         error="Attention: the mask has the shape [8], expected [batch], [2 * batch], [batch, keys] or [batch, "
               "queries, keys]")
    case("self_rank", "Attention", [floats(4, 6), weights, bias], constants=[1], num_heads=2,
         error="Attention: the input is of rank 2, expected 3")
    q, k, v, b = floats(2, 4, 8), floats(2, 5, 8), floats(2, 5, 8), floats(24)
    padding = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 0]], I32)
    case("heads", "MultiHeadAttention", [q, k, v], num_heads=2)
    case("heads_bias", "MultiHeadAttention", [q, k, v, b], num_heads=2)
    case("heads_mask", "MultiHeadAttention", [q, k, v, b, padding, floats(1, 2, 4, 5)], num_heads=2, scale=0.5)
    case("heads_lengths", "MultiHeadAttention", [q, k, v, None, np.array([3, 5], I32)], num_heads=2)
    case("heads_wide", "MultiHeadAttention", [q, k, floats(2, 5, 12), floats(28)], num_heads=2)
    case("heads_first", "MultiHeadAttention", [q, floats(2, 2, 5, 4), floats(2, 2, 5, 4)], num_heads=2)
    case("heads_past", "MultiHeadAttention",
         [q, floats(2, 4, 8), floats(2, 4, 8), b, None, None, floats(2, 2, 3, 4), floats(2, 2, 3, 4)], 3, num_heads=2)
    case("heads_past_causal", "MultiHeadAttention",
         [q, floats(2, 4, 8), floats(2, 4, 8), b, None, None, floats(2, 2, 3, 4), floats(2, 2, 3, 4)],
         3, num_heads=2, unidirectional=1)
    case("heads_causal", "MultiHeadAttention", [q, floats(2, 4, 8), floats(2, 4, 8)], num_heads=2, unidirectional=1)
    case("heads_layout", "MultiHeadAttention", [q, k], num_heads=2,
         error="MultiHeadAttention: query, key and value are of ranks 3, 3 and none, which is no known layout")
    case("heads_none", "MultiHeadAttention", [q, k, v], error="MultiHeadAttention: num_heads is 0, expected 1 or more")
    case("heads_half_past", "MultiHeadAttention", [q, k, v, None, None, None, floats(2, 2, 3, 4)], num_heads=2,
         error="MultiHeadAttention: one of past_key and past_value is left out")
    case("heads_length", "MultiHeadAttention", [q, k, v] + [None] * 5 + [lengths], num_heads=2,
         error="MultiHeadAttention: past_sequence_length is not supported")
    case("heads_cache", "MultiHeadAttention", [q, k, v] + [None] * 6 + [np.zeros((1, 1, 1), I32)], num_heads=2,
         error="MultiHeadAttention: cache_indirection is not supported")
    case("heads_scores", "MultiHeadAttention", [q, k, v], ["o0", "", "", "o3"], num_heads=2,
         error="MultiHeadAttention: the output of scores is not supported")
    integers = [small(U8, 2, 4, 6), small(I8, 6, 24), bias, number(0.02), number(0.01)]
    case("q_attention", "QAttention", [*integers, None, number(30, U8), number(0, I8)], constants=[1, 2, 3, 4, 6, 7],
         num_heads=2)
    case("q_attention_mask", "QAttention", [*integers, lengths, number(30, U8), number(0, I8)],
         constants=[1, 2, 3, 4, 6, 7], num_heads=2,
         unidirectional=1)
    case("q_attention_columns", "QAttention",
         [*integers[:4], np.abs(floats(24, scale=0.01)), None, number(30, U8), np.zeros(24, I8)],
         constants=[1, 2, 3, 4, 6, 7], num_heads=2)
    case("q_attention_past", "QAttention", [*integers, None, number(30, U8), number(0, I8), floats(2, 2, 2, 3, 4)], 2,
         constants=[1, 2, 3, 4, 6, 7], num_heads=2, unidirectional=1)
    case("q_attention_four", "QAttention", integers[:4], num_heads=2,
         error="QAttention: there are 4 inputs, expected 5")


def rotary():
    cos, sin = np.cos(floats(9, 4)), np.sin(floats(9, 4))
    flat, heads = floats(2, 3, 16), floats(2, 2, 3, 8)
    places = np.array([[0, 1, 2], [4, 5, 8]], I64)
    case("rotary", "RotaryEmbedding", [flat, places, cos, sin])
    case("rotary_heads", "RotaryEmbedding", [heads, places, cos, sin])
    case("rotary_offset", "RotaryEmbedding", [heads, np.array([3], I64), cos, sin])
    case("rotary_offset_flat", "RotaryEmbedding", [flat, np.array([3], I64), cos, sin], interleaved=1)
    case("rotary_part", "RotaryEmbedding", [flat, places, cos[:, :2].copy(), sin[:, :2].copy()], rotary_embedding_dim=4,
         num_heads=2)
    case("rotary_no_heads", "RotaryEmbedding", [flat, places, cos, sin], is_open=True,
         error="RotaryEmbedding: there is no num_heads")
    case("rotary_scale", "RotaryEmbedding", [flat, places, cos, sin], scale=2.0,
         error="RotaryEmbedding: a scale other than 1 is not supported")
    case("rotary_packed", "RotaryEmbedding", [flat, places, cos, sin], is_packed_batching=1,
         error="RotaryEmbedding: is_packed_batching is not supported")
    case("rotary_rank", "RotaryEmbedding", [floats(3, 16), places, cos, sin],
         error="RotaryEmbedding: the input is of rank 2, expected 3 or 4")
    case("rotary_cache", "RotaryEmbedding", [flat, places, cos[0], sin[0]],
         error="RotaryEmbedding: cos_cache is of rank 1, expected 2")


def linear():
    for kind in (U8, I8):
        a, b = (RANDOM.integers(-128, 128, (2, 3, 6, 6)).astype(I8).view(kind),
                RANDOM.integers(-128, 128, (3, 1, 6)).astype(I8).view(kind))
        first, second, third = ([number(0.03), number(7, kind)], [number(0.05), number(3, kind)],
                                [number(0.057), number(-2 if kind == I8 else 90, kind)])
        name = np.dtype(kind).name
        for op in ("QLinearAdd", "QLinearMul"):
            case(f"{op}_{name}", op, [a, *first, b, *second, *third], constants=[1, 2, 4, 5, 6, 7])
        case(f"concat_{name}", "QLinearConcat", [*third, a, *first, a[:, :1].copy(), *second],
             constants=[0, 1, 3, 4, 6, 7], axis=1)
        case(f"sigmoid_{name}", "QLinearSigmoid", [a, *first, number(1 / 256), number(0 if kind == U8 else -128, kind)],
             constants=[1, 2, 3, 4])
        case(f"leaky_{name}", "QLinearLeakyRelu", [a, *first, *third], constants=[1, 2, 3, 4], alpha=0.2)
        case(f"softmax_{name}", "QLinearSoftmax", [a, *first, number(1 / 256), number(0 if kind == U8 else -128, kind)],
             constants=[1, 2, 3, 4],
             axis=-1, opset=13)
        case(f"softmax_old_{name}", "QLinearSoftmax",
             [a, *first, number(1 / 256), number(0 if kind == U8 else -128, kind)], constants=[1, 2, 3, 4],
             axis=2, opset=11)
        case(f"pool_{name}", "QLinearAveragePool", [a, *first, *third], constants=[1, 2, 3, 4], kernel_shape=[3, 3],
             strides=[2, 2], pads=[1, 1, 0, 0])
        case(f"pool_counted_{name}", "QLinearAveragePool", [a, *first, *third], constants=[1, 2, 3, 4],
             kernel_shape=[3, 3], pads=[1, 1, 1, 1],
             count_include_pad=1)
        case(f"pool_last_{name}", "QLinearAveragePool", [a, *first, *third], constants=[1, 2, 3, 4],
             kernel_shape=[1, 2], channels_last=1)
        case(f"global_{name}", "QLinearGlobalAveragePool", [a, *first, *third], constants=[1, 2, 3, 4])
        case(f"global_last_{name}", "QLinearGlobalAveragePool", [a, *first, *third], constants=[1, 2, 3, 4],
             channels_last=1)
    case("add_missing", "QLinearAdd", [a, *first, b], error="QLinearAdd: input 4 is left out")
    case("add_no_result", "QLinearAdd", [a, *first, b, *second], error="QLinearAdd: input 6 is left out")
    case("sigmoid_no_result", "QLinearSigmoid", [a, *first], error="QLinearSigmoid: input 3 is left out")
    case("softmax_no_opset", "QLinearSoftmax", [a, *first, *third],
         error="QLinearSoftmax: opset is 0, expected 1 or more")
    case("concat_four", "QLinearConcat", [*third, a, first[0]], axis=1,
         error="QLinearConcat: there are 4 inputs, expected two and then three for each value")
    case("concat_scale", "QLinearConcat", [*third, a, None, first[1]], axis=1,
         error="QLinearConcat: input 3 is left out")
    case("concat_axis", "QLinearConcat", [*third, a, *first], error="QLinearConcat: there is no axis")
    case("pool_kernel", "QLinearAveragePool", [a, *first, *third], error="QLinearAveragePool: there is no kernel_shape")
    case("global_rank", "QLinearGlobalAveragePool", [b[0], *first, *third],
         error="QLinearGlobalAveragePool: the input has rank 2, expected 3 or more")


def integer_products():
    a, b = small(U8, 5, 16), small(I8, 16, 7)
    scales, zeros = np.abs(floats(7, scale=0.01)), small(I8, 7) // 4
    az, bz = number(20, U8), number(3, I8)
    addend = RANDOM.integers(-2000, 2000, 7).astype(I32)
    case("gemm", "QGemm", [a, number(0.02), az, b, number(0.01), bz, addend, number(0.05), number(100, U8)],
         constants=[1, 2, 3, 4, 5, 6, 7, 8])
    case("gemm_float", "QGemm", [a, number(0.02), az, b, scales, zeros, addend], constants=[1, 2, 3, 4, 5, 6],
         alpha=1.5)
    case("gemm_transposed", "QGemm", [a.T.copy(), number(0.02), az, b.T.copy(), number(0.01), bz],
         constants=[1, 2, 3, 4, 5], transA=1, transB=1)
    case("gemm_scale", "QGemm", [a, number(0.02), az, b], error="QGemm: input 4 is left out")
    case("gemm_rank", "QGemm", [a[0], number(0.02), az, b, number(0.01), bz],
         error="QGemm: input 0 is of rank 1, expected 2")
    case("to_float", "MatMulIntegerToFloat", [a, b, number(0.02), number(0.01), az, bz, floats(7)],
         constants=[1, 2, 3, 4, 5, 6])
    case("to_float_columns", "MatMulIntegerToFloat", [a, b, number(0.02), scales, None, zeros], constants=[1, 2, 3, 5])
    case("to_float_three", "MatMulIntegerToFloat", [a, b, number(0.02)],
         error="MatMulIntegerToFloat: there are 3 inputs, expected 4")
    x = floats(2, 5, 16)
    case("dynamic", "DynamicQuantizeMatMul", [x, b, number(0.01), bz, floats(7)], constants=[1, 2, 3, 4])
    case("dynamic_columns", "DynamicQuantizeMatMul", [x, b, scales], constants=[1, 2])
    case("dynamic_two", "DynamicQuantizeMatMul", [x, b], error="DynamicQuantizeMatMul: there are 2 inputs, expected 3")


def recurrent():
    x = floats(6, 2, 8)
    for directions, direction in ((1, "forward"), (1, "reverse"), (2, "bidirectional")):
        w, r = small(I8, directions, 8, 16), small(I8, directions, 4, 16)
        bias = floats(directions, 32, scale=0.1)
        scale, zero = np.full(directions, 0.008, F32), np.zeros(directions, I8)
        more = {"hidden_size": 4, "direction": direction}
        inputs = [x, w, r, bias, None, None, None, None, scale, zero, scale, zero]
        places = [1, 2, 3, 8, 9, 10, 11]
        case(f"lstm_{direction}", "DynamicQuantizeLSTM", inputs, 3, constants=places, **more)
        state = [None, floats(directions, 2, 4), floats(directions, 2, 4)]
        case(f"lstm_state_{direction}", "DynamicQuantizeLSTM", [*inputs[:4], *state, *inputs[7:]], 3, constants=places,
             **more)
    columns = [np.abs(floats(2, 16, scale=0.01)), np.zeros((2, 16), I8)]
    case("lstm_columns", "DynamicQuantizeLSTM", [*inputs[:8], *columns, *columns], 3, constants=places, **more)
    case("lstm_scale", "DynamicQuantizeLSTM", inputs[:9], hidden_size=4,
         error="DynamicQuantizeLSTM: input 9 is left out")
    case("lstm_rank", "DynamicQuantizeLSTM", [*inputs[:8], floats(2, 1, 16), columns[1], *columns],
         error="the scales of w have the shape [2, 1, 16], expected [2] or [2, 16]", **more)


def replaced(nodes):
    """The last case's model with other nodes."""
    model = onnx.ModelProto()
    model.CopyFrom(CASES[-1].model)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def packed(peers):
    """ONNX Runtime takes packed keys on GPUs alone: it gets them one by one here."""
    for name, inputs, parts in (("heads_packed", [floats(2, 4, 2, 3, 4)], 3),
                                ("heads_packed_keys", [floats(2, 4, 8), floats(2, 5, 2, 2, 4)], 2)):
        case(name, "MultiHeadAttention", inputs, num_heads=2)
        nodes = [helper.make_node("Constant", [], ["flat"], value_ints=[0, 0, -1])]
        for i in range(parts):
            index = [helper.make_node("Constant", [], [f"n{i}"], value_int=i)]
            nodes += index + [helper.make_node("Gather", [f"i{3 - parts}", f"n{i}"], [f"g{i}"], axis=3),
                              helper.make_node("Reshape", [f"g{i}", "flat"], [f"p{i}"])]
        unpacked = ["i0"] * (3 - parts) + [f"p{i}" for i in range(parts)]
        nodes.append(helper.make_node("MultiHeadAttention", unpacked, ["o0"], domain="com.microsoft", num_heads=2))
        peers[name] = replaced(nodes)


def nhwc(peers):
    """ONNX Runtime has NhwcConv for GPUs alone: its Conv on turned images says what is right."""
    x, w, b = floats(2, 9, 8, 3), floats(4, 3, 3, 3, scale=0.3), floats(4)
    case("nhwc", "NhwcConv", [x, w, b], constants=[1, 2], kernel_shape=[3, 3], strides=[2, 1], pads=[1, 1, 0, 1])
    node = CASES[-1].model.graph.node[0]
    conv = helper.make_node("Conv", ["t", "i1", "i2"], ["c"])
    conv.attribute.extend(node.attribute)
    peers[CASES[-1].name] = replaced([helper.make_node("Transpose", ["i0"], ["t"], perm=[0, 3, 1, 2]), conv,
                                  helper.make_node("Transpose", ["c"], ["o0"], perm=[0, 2, 3, 1])])


def problem(each, outcome, peers):
    """Empty if the case is as it should be."""
    if each.error:
        if outcome.state == "refused" and each.error in outcome.reason:
            return ""
        return f"{outcome.state} {outcome.reason!r}, expected the error {each.error!r}"
    if outcome.state != "pass":
        return f"{outcome.state}: {outcome.reason}"
    expected = peer.run(peers.get(each.name, each.model), each.feeds)
    for found, wanted in zip(outcome.results[0], expected[0], strict=True):
        if found.shape != wanted.shape or found.dtype != wanted.dtype:
            return f"{found.dtype} {found.shape}, expected {wanted.dtype} {wanted.shape}"
        if wanted.dtype.kind == "f":
            off = np.abs(found - wanted).max() / np.abs(wanted).max()
            if not off <= each.tolerance:
                return f"off by {off:.3g} of the largest result"
            continue
        off = np.abs(found.astype(I64) - wanted)
        # One step, where a value lies between two; not as a rule.
        if off.max() > 1 or off.mean() > 0.02:
            return f"off by {off.max()} steps, {off.mean():.3g} of the elements"
    return ""


def main():
    peers = {}
    for make in (activations, products, convolutions, normalizations, attentions, rotary, linear, integer_products,
                 recurrent):
        make()
    packed(peers)
    nhwc(peers)
    cases = [each for each in CASES if len(sys.argv) < 3 or each.name in sys.argv[2:]]
    assert len({each.name for each in cases}) == len(cases)
    failed = 0
    for numerics in ("fast", "exact"):
        outcomes = running.run(sys.argv[1], cases, numerics)
        for each in cases:
            try:
                text = problem(each, outcomes[each.name], peers)
            except peer.Refused as refused:
                text = f"ONNX Runtime refuses it: {refused}"
            if text:
                failed += 1
                print(f"{each.name}, {numerics}: {text}")
    print(f"{len(cases)} cases, {failed} wrong")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
