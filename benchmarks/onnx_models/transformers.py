"""ViT-B/16 as torchvision has it; BERT-base and MiniLM-L6 as Hugging Face's transformers have them."""

import numpy as np
from onnx import TensorProto, numpy_helper

LOWEST = float(np.finfo(np.float32).min)


def scaled_dot_product(b, q, k, v, head_size, mask=None):
    """torch's scaled_dot_product_attention on [B,H,S,D]: both exporters give the root of the scale to q and to k;
    the one on torch.export guards rows that are masked altogether."""
    if b.torchscript:
        last = b.op("Slice", b.op("Shape", q), b.constant([-1]), b.constant([np.iinfo(np.int64).max]))
        root = b.op("Sqrt", b.op("Cast", last, to=TensorProto.FLOAT))
        scale = b.op("Sqrt", b.op("Div", b.constant([1.0], np.float32), root))
    else:
        scale = b.scalar(head_size ** -0.25)
    q = b.op("Mul", q, scale)
    k = b.op("Mul", b.transpose(k, 0, 1, 3, 2), scale)
    scores = b.op("MatMul", q, k)
    if mask is not None:
        scores = b.op("Add", scores, mask)
    weights = b.op("Softmax", scores, axis=-1)
    if not b.torchscript:
        weights = b.op("Where", b.op("IsNaN", weights), b.scalar(0.0), weights)
    return b.op("MatMul", weights, v)


def vit_b16(b):
    width, heads, tokens = 768, 12, 197
    head_size = width // heads

    def attention(x, rows):
        """torch.nn.MultiheadAttention with batch_first: works on [S,B,E]."""
        x = b.transpose(x, 1, 0, 2)
        with b.scope("in_proj"):
            x = b.linear("", x, width, 3 * width, std=0.06)
        x = b.reshape(x, [tokens, rows, 3, width])
        x = b.op("Squeeze", b.transpose(b.op("Unsqueeze", x, b.constant([0])), 3, 1, 2, 0, 4), b.constant([-2]))
        flat_rows = b.op("Mul", rows, b.constant(heads)) if b.torchscript else rows * heads
        q, k, v = [b.reshape(
            b.transpose(b.reshape(b.op("Gather", x, b.constant(i), axis=0), [tokens, flat_rows, head_size]),
                        1, 0, 2), [rows, heads, tokens, head_size]) for i in range(3)]
        y = b.transpose(scaled_dot_product(b, q, k, v, head_size), 2, 0, 1, 3)
        all_rows = b.op("Mul", rows, b.constant(tokens)) if b.torchscript else rows * tokens
        y = b.linear("out_proj", b.reshape(y, [all_rows, width]), width, width, std=0.03, rank=2)
        return b.transpose(b.reshape(y, [tokens, rows, width]), 1, 0, 2)

    image = b.input("x", ["batch" if b.torchscript else 1, 3, 224, 224])
    rows = b.size(image, 0) if b.torchscript else 1
    with b.scope("conv_proj"):
        x = b.op("Conv", image, b.parameter("weight", [width, 3, 16, 16], std=0.04),
                 b.parameter("bias", [width], std=0.02), dilations=[1, 1], group=1, kernel_shape=[16, 16],
                 pads=[0] * 4, strides=[16, 16])
    x = b.transpose(b.reshape(x, [rows, width, tokens - 1]), 0, 2, 1)
    token = b.parameter("class_token", [1, 1, width], std=0.5)
    if b.torchscript:
        # x.expand(n, -1, -1): sizes of -1 become those of the token.
        dims = b.dims([rows, -1, -1])
        ones = b.op("ConstantOfShape", b.op("Shape", dims), value=numpy_helper.from_array(np.array([1])))
        unset = b.op("Equal", dims, b.op("Mul", ones, b.constant(-1)))
        token = b.op("Expand", token, b.op("Where", unset, b.constant([1, 1, 1]), dims))
    else:
        token = b.op("Expand", token, b.constant([1, 1, width]))
    x = b.op("Concat", token, x, axis=1)
    x = b.op("Add", x, b.parameter("encoder.pos_embedding", [1, tokens, width], std=0.1))
    for layer in range(12):
        with b.scope(f"encoder.layers.{layer}"):
            y = b.layer_norm("ln_1", x, width, 1e-6)
            with b.scope("self_attention"):
                y = attention(y, rows)
            x = b.op("Add", y, x)
            y = b.linear("mlp.0", b.layer_norm("ln_2", x, width, 1e-6), width, 4 * width, std=0.03)
            y = b.linear("mlp.3", b.gelu("mlp.1", y), 4 * width, width, std=0.02)
            x = b.op("Add", x, y)
    x = b.layer_norm("encoder.ln", x, width, 1e-6)
    x = b.op("Gather", x, b.constant(0), axis=1)
    b.output(b.linear("heads.head", x, width, 1000, std=0.03, rank=2), "logits",
             ["batch" if b.torchscript else 1, 1000])


def bert(b, width, layers, heads, tokens, with_pooler):
    head_size = width // heads
    shape = ["batch", "sequence"] if b.torchscript else [1, tokens]
    ids, mask, types = [b.input(n, shape, TensorProto.INT64) for n in
                        ("input_ids", "attention_mask", "token_type_ids")]
    rows, length = (b.size(ids, 0), b.size(ids, 1)) if b.torchscript else (1, tokens)

    def extended_mask():
        wide = b.op("Unsqueeze", mask, b.constant([1, 2]))
        if b.torchscript:
            inverted = b.op("Sub", b.scalar(1.0), b.op("Cast", wide, to=TensorProto.FLOAT))
            return b.op("Mul", inverted, b.scalar(LOWEST))
        allowed = b.op("Expand", b.op("Cast", wide, to=TensorProto.BOOL), b.constant([1, 1, tokens, tokens]))
        return b.op("Where", allowed, b.scalar(0.0), b.scalar(LOWEST))

    def embed(name, table_rows, indices):
        with b.scope(f"embeddings.{name}"):
            return b.op("Gather", b.parameter("weight", [table_rows, width], std=0.5), indices)

    def attention(x, added):
        def head(name):
            y = b.linear(name, x, width, width, std=width ** -0.5)
            return b.transpose(b.reshape(y, [rows, length, heads, head_size]), 0, 2, 1, 3)

        q, k, v = head("query"), head("key"), head("value")
        if b.torchscript:
            scores = b.op("MatMul", q, b.transpose(k, 0, 1, 3, 2))
            scores = b.op("Add", b.op("Div", scores, b.scalar(head_size ** 0.5)), added)
            y = b.op("MatMul", b.op("Softmax", scores, axis=-1), v)
        else:
            y = scaled_dot_product(b, q, k, v, head_size, added)
        return b.reshape(b.transpose(y, 0, 2, 1, 3), [rows, length, width])

    added = extended_mask()
    positions = b.array("embeddings.position_ids", np.arange(512)[None])
    if b.torchscript:
        positions = b.op("Slice", positions, b.constant([0]), b.op("Unsqueeze", length, b.constant([0])),
                         b.constant([1]))
    else:
        positions = b.op("Slice", positions, b.constant([0]), b.constant([tokens]), b.constant([1]))
    x = b.op("Add", embed("word_embeddings", 30522, ids), embed("token_type_embeddings", 2, types))
    x = b.op("Add", x, embed("position_embeddings", 512, positions))
    x = b.layer_norm("embeddings.LayerNorm", x, width, 1e-12)
    for layer in range(layers):
        with b.scope(f"encoder.layer.{layer}"):
            with b.scope("attention.self"):
                y = attention(x, added)
            y = b.linear("attention.output.dense", y, width, width, std=width ** -0.5)
            x = b.layer_norm("attention.output.LayerNorm", b.op("Add", y, x), width, 1e-12)
            y = b.gelu("intermediate", b.linear("intermediate.dense", x, width, 4 * width, std=width ** -0.5))
            y = b.linear("output.dense", y, 4 * width, width, std=(4 * width) ** -0.5)
            x = b.layer_norm("output.LayerNorm", b.op("Add", y, x), width, 1e-12)
    if with_pooler:
        first = b.op("Gather", x, b.constant(0), axis=1)
        pooled = b.op("Tanh", b.linear("pooler.dense", first, width, width, std=0.02, rank=2))
    b.output(x, "last_hidden_state", [*shape, width])
    if with_pooler:
        b.output(pooled, "pooler_output", [shape[0], width])


def bert_base(b):
    bert(b, width=768, layers=12, heads=12, tokens=128, with_pooler=True)


def minilm_l6(b):
    bert(b, width=384, layers=6, heads=12, tokens=32, with_pooler=False)
