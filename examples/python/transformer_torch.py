"""The losses of transformer.py with PyTorch, in doubles: the same first weights and the same pieces of the text.

usage: python examples/python/transformer_torch.py   # writes data/transformer_losses.txt; needs PyTorch
"""

import math

import torch
import transformer as example
from torch.nn import functional


def linear(p, name, x):
    return x @ p[f"{name}.weight"] + p[f"{name}.bias"]


def norm(p, name, x):
    return functional.layer_norm(x, x.shape[-1:], p[f"{name}.scale"], p[f"{name}.offset"])


def forward(p, text):
    x = p["characters.weight"][text] + p["places.weight"]
    for i in range(example.LAYERS):
        name = f"blocks.{i}"
        parts = linear(p, f"{name}.attention.inputs", norm(p, f"{name}.norms.0", x))
        q, k, v = (part.unflatten(-1, (example.HEADS, -1)).transpose(1, 2) for part in parts.chunk(3, -1))
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(p, f"{name}.attention.output", seen)
        inner = functional.gelu(linear(p, f"{name}.neurons.layers.0", norm(p, f"{name}.norms.1", x)))
        x = x + linear(p, f"{name}.neurons.layers.2", inner)
    return linear(p, "output", norm(p, "norm", x))


def rate(step):
    if step < example.WARM_UP:
        return example.RATE * step / example.WARM_UP
    part = (step - example.WARM_UP) / (example.STEPS - example.WARM_UP)
    return example.FINAL_RATE + (example.RATE - example.FINAL_RATE) * (1 + math.cos(math.pi * part)) / 2


def main():
    torch.set_num_threads(1)
    characters, text = example.read_text(example.FOLDER.parent.parent / "LICENSE")
    model, _, _ = example.make(characters)
    p = {name: torch.tensor(variable.numpy(), dtype=torch.float64, requires_grad=True)
         for name, variable in model.named_variables().items()}
    optimizer = torch.optim.AdamW(p.values(), lr=1.0, weight_decay=example.WEIGHT_DECAY)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    found = []
    for step in range(example.STEPS):
        x, y = (torch.tensor(part, dtype=torch.long) for part in example.batch_of(text, step))
        loss = functional.cross_entropy(forward(p, x).flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(p.values(), example.MAX_NORM)
        optimizer.step()
        scheduler.step()
        found.append(loss.item())
    example.REFERENCE.write_text("".join(f"{loss:.6f}\n" for loss in found))


if __name__ == "__main__":
    main()
