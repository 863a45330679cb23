"""The models by name, the sizes they are run at, and inputs for them."""

import dataclasses
import pathlib

import numpy as np

from . import convnets, gpt2, narrow, public, trained, transformers
from .builder import FORMS, Builder

PAGE = pathlib.Path(__file__).resolve().parents[2] / "examples/read_text/data/page.pgm"


@dataclasses.dataclass(frozen=True)
class Model:
    """A model and the sizes it runs at: those it is timed at, and two further sets of sizes that it is checked at.
    Sizes are numbers for symbols of the inputs' shapes, or whole shapes for names of inputs."""

    sizes: dict
    more_sizes: list
    # Makes the model with a Builder; None for a public model.
    build: object = None
    # Its input x is a picture of text.
    reads_pages: bool = False


IMAGES = ({"batch": 1}, [{"batch": 2}, {"batch": 3}])
TEXTS = [{"batch": 3, "sequence": 7}, {"batch": 2, "sequence": 64}]
BUILT = {
    "resnet50": Model(*IMAGES, convnets.resnet50),
    "mobilenet_v2": Model(*IMAGES, convnets.mobilenet_v2),
    "efficientnet_b0": Model(*IMAGES, convnets.efficientnet_b0),
    "vit_b16": Model(*IMAGES, transformers.vit_b16),
    "bert_base": Model({"batch": 1, "sequence": 128}, TEXTS, transformers.bert_base),
    "minilm_l6": Model({"batch": 1, "sequence": 32}, TEXTS, transformers.minilm_l6),
    "gpt2_decode": Model({"batch": 1, "past_length": gpt2.PAST},
                         [{"batch": 3, "past_length": 0}, {"batch": 2, "past_length": 33}], gpt2.gpt2_decode),
}


def voice(input_shape, batch=1):
    return {"input": input_shape, "state": [2, batch, 128]}


VOICE_16K = Model(voice([1, 576]), [voice([3, 576], 3), voice([2, 576], 2)])
PUBLIC = {
    "ocr_detector": Model({"x": [1, 3, 480, 480]}, [{"x": [2, 3, 96, 160]}, {"x": [1, 3, 320, 64]}], reads_pages=True),
    "ocr_recogniser": Model({"x": [1, 3, 48, 320]}, [{"x": [3, 3, 48, 160]}, {"x": [1, 3, 48, 640]}], reads_pages=True),
    "ocr_direction": Model({"x": [1, 3, 48, 192]}, [{"x": [2, 3, 48, 192]}, {"x": [13, 3, 48, 192]}], reads_pages=True),
    "magika": Model({"bytes": [1, 2048]}, [{"bytes": [3, 2048]}, {"bytes": [20, 2048]}]),
    # At 16 kHz and at 8 kHz, which are the branches of an If.
    "silero_vad": Model(voice([1, 576]), [voice([1, 288]), voice([4, 288], 4)]),
    "silero_vad_16k_op15": VOICE_16K,
    "silero_vad_16k_sequence": Model(
        {"input": [1, 576]}, [{"input": [2, 576]}, {"input": [9, 576]}]),
    "silero_vad_half": VOICE_16K,
    "silero_vad_openvino_16k": Model(voice([1, 576]), []),
    "silero_vad_op18_ifless": Model(voice([1, 576]), [voice([1, 288]), voice([4, 288], 4)]),
}


def split_name(name):
    """"resnet50.dynamo" as ("resnet50", "dynamo"); "ts" where no form is given."""
    stem, _, form = name.partition(".")
    form = form or "ts"
    if stem not in BUILT or form not in (*FORMS, *narrow.FORMS):
        raise SystemExit(f"no model '{name}'; there are {', '.join(BUILT)}, each "
                         f".{', .'.join((*FORMS, *narrow.FORMS))}")
    return stem, form


def model_of(name):
    return PUBLIC[name] if name in PUBLIC else BUILT[split_name(name)[0]]


def make(name, path, with_weights=True):
    """Builds a model and writes it. Without weights, parameters beyond 1 KB are holes in PATH.data: a file that
    takes no room and reads as zeros."""
    import onnx

    stem, form = split_name(name)
    if form in narrow.FORMS:
        raise SystemExit(f"{name} is made of {stem} when it is timed")
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


def shapes(inputs, sizes):
    """The shapes of inputs (name, dtype, dims) at these sizes."""
    return {name: sizes[name] if name in sizes else [value_of(dim, sizes) for dim in dims]
            for name, _, dims in inputs}


def page(shape):
    """Pictures [N,3,H,W] of text, as the networks that read expect them: of noise they give next to nothing."""
    rows, columns = shape[2:]
    # Begins with the heading; longer and wider pictures repeat the page.
    line = PAGE.read_bytes().split(b"\n", 3)
    width, height = map(int, line[1].split())
    grey = np.frombuffer(line[3], np.uint8).reshape(height, width)[9:].astype(np.float32) / 127.5 - 1
    grey = np.tile(grey, (rows // grey.shape[0] + 1, columns // width + 1))[:rows, :columns]
    return np.stack([np.roll(np.stack([grey] * 3), 7 * i, axis=2) for i in range(shape[0])])


def feeds(inputs, sizes, seed=0, reads_pages=False):
    """Random values for inputs given as (name, dtype, dims): token numbers, masks and positions by their names."""
    random = np.random.default_rng(seed)
    result = {}
    all_shapes = shapes(inputs, sizes)
    for name, dtype, _ in inputs:
        shape = all_shapes[name]
        if name == "attention_mask":
            # Text is padded at its end, a generated one at its begin.
            values = np.ones(shape)
            if shape[1] > 4 and "past_key_values.0.key" not in all_shapes:
                values[-1, -2:] = 0
            elif shape[1] > 4:
                values[-1, :2] = 0
        elif name == "token_type_ids":
            values = np.broadcast_to(np.arange(shape[1])[None] >= shape[1] // 2, shape)
        elif name == "position_ids":
            values = np.full(shape, all_shapes["past_key_values.0.key"][2])
        elif reads_pages and name == "x":
            values = np.roll(page(shape), 13 * seed, axis=3)
        elif name == "sr":
            values = np.array(8000 if all_shapes["input"][1] < 500 else 16000)
        elif np.dtype(dtype).kind == "f":
            values = random.standard_normal(shape)
            if name.startswith("past_key_values"):
                values *= 0.5
        else:
            values = random.integers(0, 256, shape)
        result[name] = np.array(values, dtype, order="C")
    return result


def inputs_of(model):
    """(name, dtype, dims) of the inputs of an onnx.ModelProto."""
    from onnx import helper

    constants = {tensor.name for tensor in model.graph.initializer}
    return [(value.name, helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type),
             [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim])
            for value in model.graph.input if value.name not in constants]


def path_of(name, cache):
    """The file of a model, built or fetched into this folder if it is not there."""
    path = cache / f"{name}.onnx"
    if name in trained.INPUTS:
        return trained.path_of(name, cache)
    if name in PUBLIC:
        public.fetch(cache)
    elif not path.exists():
        make(name, cache / "new.onnx")
        (cache / "new.onnx").rename(path)
    return path


def timed_feeds(name, model):
    """Values for the inputs of an onnx.ModelProto, of the sizes that it is timed at."""
    if name in trained.INPUTS:
        return trained.INPUTS[name]
    of = model_of(name)
    return feeds(inputs_of(model), of.sizes, reads_pages=of.reads_pages)


def fixed(name, cache):
    """The file of a model with the sizes that it is timed at instead of symbols: what all runtimes get."""
    import onnx

    path = cache / f"{name}.fixed.onnx"
    stem, _, form = name.partition(".")
    if form in narrow.FORMS and not path.exists():
        source = fixed(f"{stem}.dynamo", cache)
        inputs = inputs_of(onnx.load(source, load_external_data=False))
        narrow.make(form, source, cache / "new.onnx", lambda seed: feeds(inputs, model_of(stem).sizes, seed))
        (cache / "new.onnx").rename(path)
    elif not path.exists():
        model = onnx.load(path_of(name, cache))
        known = {each: values.shape for each, values in timed_feeds(name, model).items()}
        for value in model.graph.input:
            if value.name in known:
                del value.type.tensor_type.shape.dim[:]
                for dim in known[value.name]:
                    value.type.tensor_type.shape.dim.add().dim_value = dim
        del model.graph.value_info[:]
        for value in model.graph.output:
            value.type.tensor_type.ClearField("shape")
        onnx.save(model, cache / "new.onnx")
        (cache / "new.onnx").rename(path)
    return path
