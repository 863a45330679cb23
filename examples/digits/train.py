#!/usr/bin/env python3
"""Trains the network of this example and writes what the example needs to run without Python.

Data: the 1,797 handwritten 8x8 digits (UCI "Optical Recognition of Handwritten Digits") that
scikit-learn's package carries. 450 of them are held out, the rest trains a network
64 -> 32 -> ReLU -> 10 with scikit-learn. All seeds are fixed.

Written next to this script (numbers are little endian, arrays row-major):
  data/images.u8    [450,8,8] held-out images, grey levels 0 (paper) to 16 (ink)
  data/labels.i32   [450]     what was written
  data/classes.i32  [450]     what scikit-learn's network says
  data/logits.f32   [450,10]  the network's outputs before softmax
  data/weights.f32  w1 [64,32], b1 [32], w2 [32,10], b2 [10], one after the other
  digits.mlir       the network as a tfrt program, the weights as dense constants

Needs numpy and scikit-learn. Other versions of them may give slightly different weights; the files
that are checked in belong together.
"""

import pathlib

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

HERE = pathlib.Path(__file__).resolve().parent
NUM_TEST = 450
NUM_HIDDEN = 32
SAMPLE = 3  # images in the program's own main function


def train():
    digits = load_digits()
    pixels = digits.data / 16.0  # exact in f32
    split = train_test_split(pixels, digits.target, test_size=NUM_TEST, random_state=7,
                             stratify=digits.target)
    train_x, test_x, train_y, test_y = split
    model = MLPClassifier(hidden_layer_sizes=(NUM_HIDDEN,), alpha=1.0, solver="lbfgs",
                          max_iter=2000, random_state=1)
    model.fit(train_x, train_y)
    # The program computes in f32: round the weights, then take the rounded network's answers.
    model.coefs_ = [w.astype(np.float32).astype(np.float64) for w in model.coefs_]
    model.intercepts_ = [b.astype(np.float32).astype(np.float64) for b in model.intercepts_]
    return model, test_x, test_y


def logits_of(model, x):
    hidden = np.maximum(x @ model.coefs_[0] + model.intercepts_[0], 0.0)
    return hidden @ model.coefs_[1] + model.intercepts_[1]


def dense(array, element="f32"):
    shape = "x".join(str(n) for n in array.shape)
    data = array.astype("<f4").tobytes().hex().upper()
    return f'dense<"0x{data}"> : tensor<{shape}x{element}>'


def program(model, sample):
    text = (HERE / "digits.mlir.in").read_text()
    (w1, w2), (b1, b2) = model.coefs_, model.intercepts_
    values = {"W1": w1, "B1": b1, "W2": w2, "B2": b2, "SAMPLE": sample}
    for name, value in values.items():
        text = text.replace(f"@{name}@", dense(value))
    return text


def main():
    model, test_x, test_y = train()
    logits = logits_of(model, test_x)
    classes = model.predict(test_x)
    assert (logits.argmax(axis=1) == classes).all()
    softmax = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert np.abs(softmax - model.predict_proba(test_x)).max() < 1e-9

    data = HERE / "data"
    data.mkdir(exist_ok=True)
    (test_x * 16).astype("u1").tofile(data / "images.u8")
    test_y.astype("<i4").tofile(data / "labels.i32")
    classes.astype("<i4").tofile(data / "classes.i32")
    logits.astype("<f4").tofile(data / "logits.f32")
    weights = [model.coefs_[0], model.intercepts_[0], model.coefs_[1], model.intercepts_[1]]
    np.concatenate([w.astype("<f4").ravel() for w in weights]).tofile(data / "weights.f32")
    (HERE / "digits.mlir").write_text(program(model, test_x[:SAMPLE]))
    print(f"{(classes == test_y).sum()} of {NUM_TEST} held-out digits right, "
          f"largest logit {np.abs(logits).max():.2f}")


if __name__ == "__main__":
    main()
