"""The models by name, the sizes they are run at, and inputs for them."""

import dataclasses
import pathlib

import numpy as np

from . import convnets, gpt2, transformers
from .builder import FORMS, Builder


@dataclasses.dataclass(frozen=True)
class Built:
    """A model that this folder builds. `dims` are the sizes of its symbols when it is timed, `more_dims` two
    further sets of sizes that it is checked at."""

    build: object
    dims: dict
    more_dims: list


IMAGES = [{"batch": 2}, {"batch": 3}]
TEXTS = [{"batch": 3, "sequence": 7}, {"batch": 2, "sequence": 64}]
BUILT = {
    "resnet50": Built(convnets.resnet50, {"batch": 1}, IMAGES),
    "mobilenet_v2": Built(convnets.mobilenet_v2, {"batch": 1}, IMAGES),
    "efficientnet_b0": Built(convnets.efficientnet_b0, {"batch": 1}, IMAGES),
    "vit_b16": Built(transformers.vit_b16, {"batch": 1}, IMAGES),
    "bert_base": Built(transformers.bert_base, {"batch": 1, "sequence": 128}, TEXTS),
    "minilm_l6": Built(transformers.minilm_l6, {"batch": 1, "sequence": 32}, TEXTS),
    "gpt2_decode": Built(gpt2.gpt2_decode, {"batch": 1, "past_length": gpt2.PAST},
                         [{"batch": 3, "past_length": 0}, {"batch": 2, "past_length": 33}]),
}


def split_name(name):
    """"resnet50.dynamo" as ("resnet50", "dynamo"); "ts" where no form is given."""
    stem, _, form = name.partition(".")
    form = form or "ts"
    if stem not in BUILT or form not in FORMS:
        raise SystemExit(f"no model '{name}'; there are {', '.join(BUILT)}, each .ts or .dynamo")
    return stem, form


def make(name, path, with_weights=True):
    """Builds a model and writes it. Without weights, parameters beyond 1 KB are holes in PATH.data: a file that
    takes no room and reads as zeros."""
    import onnx

    stem, form = split_name(name)
    builder = Builder(stem, form, with_weights)
    BUILT[stem].build(builder)
    path = pathlib.Path(path)
    data = path.with_name(path.name + ".data")
    onnx.save(builder.model(data.name), path)
    if builder.hole_bytes():
        with open(data, "wb") as file:
            file.truncate(builder.hole_bytes())


def value_of(dim, sizes):
    """The number that a dim of an input stands for: a number, a symbol, or "symbol + number"."""
    if isinstance(dim, int):
        return dim
    parts = dim.split("+")
    return sum(int(p) if p.strip().isdigit() else sizes[p.strip()] for p in parts)


def feeds(inputs, sizes, seed=0):
    """Random values for inputs given as (name, dtype, dims): token numbers, masks and positions by their names."""
    random = np.random.default_rng(seed)
    result = {}
    for name, dtype, dims in inputs:
        shape = [value_of(dim, sizes) for dim in dims]
        if name == "attention_mask":
            values = np.ones(shape)
            if shape[1] > 4:
                values[-1, -2:] = 0 if "past_length" not in sizes else 1
                values[0, :1] = 1 if "past_length" not in sizes else 0
        elif name == "token_type_ids":
            values = np.arange(shape[1])[None] >= shape[1] // 2
            values = np.broadcast_to(values, shape)
        elif name == "position_ids":
            values = np.full(shape, sizes.get("past_length", gpt2.PAST))
        elif np.dtype(dtype).kind == "f":
            values = random.standard_normal(shape)
        else:
            values = random.integers(0, 256, shape)
        result[name] = np.ascontiguousarray(values, dtype)
    return result
