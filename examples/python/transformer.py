"""A small transformer learns the characters of a text: AdamW, a schedule, a checkpoint, and text of its own.

usage: python examples/python/transformer.py [--steps N] [--checkpoint FILE] [--text FILE]
"""

import argparse
import pathlib
import tempfile
import time

import numpy as np

import tfrt
from tfrt import losses, nn, optim

FOLDER = pathlib.Path(__file__).resolve().parent
PLACES, SIZE, HEADS, LAYERS, BATCH, STEPS = 32, 32, 4, 2, 16, 200
RATE, FINAL_RATE, WARM_UP, WEIGHT_DECAY, MAX_NORM = 5e-3, 5e-4, 20, 0.1, 1.0
REFERENCE = FOLDER / "data/transformer_losses.txt"  # of PyTorch: see transformer_torch.py


class Block(nn.Module):
    """Attention and a layer of neurons, each beside a path that goes around it."""

    def __init__(self, key):
        of_attention, of_first, of_second = tfrt.random.split(key, 3)
        self.norms = [nn.LayerNorm(SIZE), nn.LayerNorm(SIZE)]
        self.attention = nn.MultiHeadAttention(SIZE, HEADS, causal=True, key=of_attention)
        self.neurons = nn.Sequential(nn.Linear(SIZE, 4 * SIZE, key=of_first), tfrt.gelu,
                                     nn.Linear(4 * SIZE, SIZE, key=of_second))

    def forward(self, x):
        x = x + self.attention(self.norms[0](x))
        return x + self.neurons(self.norms[1](x))


class Transformer(nn.Module):
    """Characters [batch, places] to the logits of the next ones, [batch, places, characters]."""

    def __init__(self, characters, key):
        of_characters, of_places, of_output, *of_blocks = tfrt.random.split(key, 3 + LAYERS)
        self.characters = nn.Embedding(characters, SIZE, key=of_characters)
        self.places = nn.Embedding(PLACES, SIZE, key=of_places)
        self.blocks = [Block(of_block) for of_block in of_blocks]
        self.norm = nn.LayerNorm(SIZE)
        self.output = nn.Linear(SIZE, characters, key=of_output)

    def forward(self, text):
        x = self.characters(text) + self.places.weight
        for block in self.blocks:
            x = block(x)
        return self.output(self.norm(x))


def read_text(path):
    """The characters that there are, and the number of each one of the text."""
    text = pathlib.Path(path).read_text()
    characters = sorted(set(text))
    return characters, np.array([characters.index(character) for character in text], "i4")


def batch_of(text, step):
    """Pieces of the text [batch, places], and the same one character further."""
    begins = tfrt.random.integers(len(text) - PLACES, shape=BATCH, key=tfrt.random.fold_in(1, step)).numpy()
    return tuple(np.stack([text[begin + more:begin + more + PLACES] for begin in begins]) for more in (0, 1))


def make(characters):
    """The network and what trains it."""
    model = Transformer(len(characters), key=tfrt.random.key(0))
    schedule = optim.linear_warmup(optim.cosine(RATE, STEPS - WARM_UP, FINAL_RATE), WARM_UP)
    optimizer = optim.AdamW(schedule, weight_decay=WEIGHT_DECAY)
    optimizer.init(model)
    gradient = tfrt.value_and_grad(lambda x, y: losses.softmax_cross_entropy(model(x), y),
                                   variables=model.named_variables())

    @tfrt.function
    def train(x, y):
        loss, gradients = gradient(x, y)
        gradients, _ = optim.clip_by_global_norm(gradients, MAX_NORM)
        optimizer.update(model, gradients)
        return loss

    return model, optimizer, train


def write(model, characters, start, count):
    """Goes on with a text, one character after the other, with random numbers of one key."""
    key = tfrt.random.key(2)

    @tfrt.function
    def following(text, place, step):
        # The largest of these sums is drawn by the softmax of the logits.
        waits = tfrt.random.exponential((len(characters),), key=tfrt.random.fold_in(key, step))
        return tfrt.ops.argmax(model(text)[0, place] - tfrt.log(waits), 0)

    numbers = [characters.index(character) for character in start]
    for step in range(count):
        window = numbers[-PLACES:]
        padded = np.array([window + [0] * (PLACES - len(window))], "i4")
        numbers.append(int(following(padded, tfrt.tensor(len(window) - 1), tfrt.tensor(step))))
    return "".join(characters[number] for number in numbers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--steps", type=int, default=STEPS, help="of training")
    parser.add_argument("--checkpoint", help="where the network is saved")
    parser.add_argument("--text", default=FOLDER.parent.parent / "LICENSE", help="what it learns")
    arguments = parser.parse_args()
    characters, text = read_text(arguments.text)
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.checkpoint or f"{folder}/transformer.safetensors"
        model, optimizer, train = make(characters)
        begin, found = time.perf_counter(), []
        for step in range(arguments.steps):
            if step == arguments.steps // 2:  # as if the process had ended here
                tfrt.save({"model": model, "optimizer": optimizer}, path)
                model, optimizer, train = make(characters)
                tfrt.load_checkpoint(path, {"model": model, "optimizer": optimizer})
            found.append(train(*batch_of(text, step)))
            if step % 40 == 39:
                print(f"step {step + 1}: loss {found[-1].item():.4f}")
        values = np.array([loss.item() for loss in found])
        print(f"{arguments.steps} steps in {time.perf_counter() - begin:.1f} s")
        tfrt.save({"model": model, "optimizer": optimizer}, path)
    if arguments.steps == STEPS and arguments.text == FOLDER.parent.parent / "LICENSE":
        last, of_pytorch = values[-20:].mean(), np.loadtxt(REFERENCE)[-20:].mean()
        print(f"loss of the last 20 steps: {last:.4f}, PyTorch's: {of_pytorch:.4f}")
        assert abs(last - of_pytorch) < 0.02 * of_pytorch
    print("it writes:", repr(write(model, characters, "You may ", 60)))


if __name__ == "__main__":
    main()
