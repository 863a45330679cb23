"""The larger trained models, most of them as quantisers wrote them, with inputs."""

import numpy as np

from . import public

RANDOM = np.random.default_rng(38)
ONES = np.ones((1, 32), np.int64)
SENTENCE = np.array([[0, 50, 83, 54, 156, 57, 135, 16, 65, 156, 87, 123, 54, 46, 4, 0]])


def words(most, *dims):
    return RANDOM.integers(3, most, dims)


def floats(scale, *dims):
    return (RANDOM.standard_normal(dims) * scale).astype(np.float32)


# Piper's scales leave out its random numbers, which are those of another generator.
INPUTS = {
    "tashkeel_bilstm": {"input_ids": words(30, 2, 40)},
    "tashkeel_rawi": {"input": words(30, 2, 40)},
    "minilm_int8": {"input_ids": words(20000, 1, 32), "attention_mask": ONES, "token_type_ids": ONES * 0},
    "t5_encoder": {"input_ids": words(30000, 1, 32), "attention_mask": ONES},
    "t5_decoder": {"input_ids": words(30000, 1, 8), "encoder_hidden_states": floats(0.2, 1, 32, 512),
                   "encoder_attention_mask": ONES},
    "piper": {"input": np.array([[1, 0, 20, 0, 14, 0, 25, 0, 26, 0, 33, 0, 2]]), "input_lengths": np.array([13]),
              "scales": np.array([0, 1, 0], np.float32)},
    "kokoro": {"tokens": SENTENCE, "style": floats(0.1, 1, 256), "speed": np.ones(1, np.float32)},
}
# Kokoro's file comes in four.
PARTS = {"kokoro": 4}


def packages_of(name):
    files = {f"{name}.onnx", f"{name}.part1", f"{name}.part2", f"{name}.part3", f"{name}.part4"}
    return [package.partition("==")[0] for package, taken in public.TRAINED.items()
            if files & {file for file, _, _ in taken}]


def path_of(name, folder):
    """The file of a model, fetched into this folder if it is not there.

    Ends the program with 77 if PyPI cannot be reached.
    """
    path = folder / f"{name}.onnx"
    public.fetch(folder, packages_of(name))
    if not path.exists():
        parts = [(folder / f"{name}.part{i + 1}").read_bytes() for i in range(PARTS[name])]
        path.write_bytes(b"".join(parts))
    return path
