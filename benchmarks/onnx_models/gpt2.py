"""One decoding step of GPT-2 with past keys and values, as Hugging Face's transformers have it."""

import numpy as np
from onnx import TensorProto

from .transformers import LOWEST, scaled_dot_product

WIDTH, LAYERS, HEADS, VOCABULARY, POSITIONS = 768, 12, 12, 50257, 1024
HEAD = WIDTH // HEADS
# Tokens that came before, in the form with fixed sizes.
PAST = 127


def conv1d(b, name, value, size_in, size_out, std, rows, length):
    """transformers' Conv1D: a product of all positions at once."""
    with b.scope(name):
        y = b.op("Gemm", b.reshape(value, [-1, size_in]), b.parameter("weight", [size_in, size_out], std=std),
                 b.parameter("bias", [size_out], std=0.02))
        return b.reshape(y, [rows, length, size_out])


def gelu_new(b, x):
    if not b.torchscript:
        return b.op("Gelu", x, approximate="tanh")
    cube = b.op("Mul", b.op("Pow", x, b.scalar(3.0)), b.scalar(0.044715))
    inner = b.op("Mul", b.op("Add", x, cube), b.scalar(np.sqrt(2 / np.pi)))
    half = b.op("Mul", x, b.scalar(0.5))
    return b.op("Mul", half, b.op("Add", b.op("Tanh", inner), b.scalar(1.0)))


def gpt2_decode(b):
    if b.torchscript:
        batch, past, total = "batch", "past_length", "past_length + 1"
    else:
        batch, past, total = 1, PAST, PAST + 1
    ids = b.input("input_ids", [batch, 1], TensorProto.INT64)
    mask = b.input("attention_mask", [batch, total], TensorProto.INT64)
    position = b.input("position_ids", [batch, 1], TensorProto.INT64)
    caches = [[b.input(f"past_key_values.{layer}.{part}", [batch, HEADS, past, HEAD])
               for part in ("key", "value")] for layer in range(LAYERS)]
    rows, length = (b.size(ids, 0), b.size(ids, 1)) if b.torchscript else (1, 1)
    presents = []

    def causal(scores, k):
        """The rows of the triangle that belong to the new positions, as the model's buffer has them."""
        all_length = b.size(k, -2)
        begin = b.op("Unsqueeze", b.op("Sub", all_length, length), b.constant([0]))
        end = b.op("Unsqueeze", all_length, b.constant([0]))
        triangle = b.op("Slice", "transformer.bias", begin, end, b.constant([2]), b.constant([1]))
        triangle = b.op("Slice", triangle, b.constant([0]), end, b.constant([3]), b.constant([1]))
        return b.op("Where", triangle, scores, b.scalar(LOWEST))

    def attention(x, cache, added):
        y = conv1d(b, "c_attn", x, WIDTH, 3 * WIDTH, WIDTH ** -0.5, rows, length)
        parts = b.op("Split", y, b.constant([WIDTH] * 3), axis=2, outputs=3)
        q, k, v = [b.transpose(b.reshape(part, [rows, length, HEADS, HEAD]), 0, 2, 1, 3) for part in parts]
        k = b.op("Concat", cache[0], k, axis=-2)
        v = b.op("Concat", cache[1], v, axis=-2)
        presents.append((k, v))
        if b.torchscript:
            scores = b.op("Div", b.op("MatMul", q, b.transpose(k, 0, 1, 3, 2)), b.scalar(HEAD ** 0.5))
            weights = b.op("Softmax", b.op("Add", causal(scores, k), added), axis=-1)
            y = b.op("MatMul", weights, v)
        else:
            y = scaled_dot_product(b, q, k, v, HEAD, added)
        y = b.reshape(b.transpose(y, 0, 2, 1, 3), [rows, length, WIDTH])
        return conv1d(b, "c_proj", y, WIDTH, WIDTH, 0.5 * WIDTH ** -0.5, rows, length)

    if b.torchscript:
        b.array("transformer.bias", np.tril(np.ones((1, 1, POSITIONS, POSITIONS), bool)))
    with b.scope("transformer"):
        table = b.parameter("wte.weight", [VOCABULARY, WIDTH], std=0.3)
        x = b.op("Add", b.op("Gather", table, ids),
                 b.op("Gather", b.parameter("wpe.weight", [POSITIONS, WIDTH], std=0.1), position))
        wide = b.op("Cast", b.op("Unsqueeze", mask, b.constant([1, 2])), to=TensorProto.FLOAT)
        added = b.op("Mul", b.op("Sub", b.scalar(1.0), wide), b.scalar(LOWEST))
        for layer in range(LAYERS):
            with b.scope(f"h.{layer}"):
                y = b.layer_norm("ln_1", x, WIDTH, 1e-5)
                with b.scope("attn"):
                    x = b.op("Add", attention(y, caches[layer], added), x)
                y = b.layer_norm("ln_2", x, WIDTH, 1e-5)
                with b.scope("mlp"):
                    y = gelu_new(b, conv1d(b, "c_fc", y, WIDTH, 4 * WIDTH, WIDTH ** -0.5, rows, length))
                    y = conv1d(b, "c_proj", y, 4 * WIDTH, WIDTH, 0.02, rows, length)
                x = b.op("Add", x, y)
        x = b.layer_norm("ln_f", x, WIDTH, 1e-5)
    # The table of the words is the last product's weight, too.
    b.output(b.op("MatMul", x, b.transpose(table, 1, 0)), "logits", [batch, 1, VOCABULARY])
    for layer, (k, v) in enumerate(presents):
        b.output(k, f"present.{layer}.key", [batch, HEADS, total, HEAD])
        b.output(v, f"present.{layer}.value", [batch, HEADS, total, HEAD])
