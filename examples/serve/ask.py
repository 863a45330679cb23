#!/usr/bin/env python3
"""Asks a server which digits the held-out images show. usage: ask.py HOST:PORT

The client is tritonclient, which knows nothing of tfrt. The exit code is 0 if the classes are those
of the network's training program.
"""

import pathlib
import sys

import numpy as np
import tritonclient.http

DATA = pathlib.Path(__file__).resolve().parent.parent / "digits" / "data"


def main():
    images = np.fromfile(DATA / "images.u8", dtype="u1").reshape(-1, 64)
    labels = np.fromfile(DATA / "labels.i32", dtype="<i4")
    expected = np.fromfile(DATA / "classes.i32", dtype="<i4")
    pixels = images.astype(np.float32) / 16
    client = tritonclient.http.InferenceServerClient(sys.argv[1])
    tensor = tritonclient.http.InferInput("pixels", list(pixels.shape), "FP32")
    tensor.set_data_from_numpy(pixels)
    classes = client.infer("digits", [tensor]).as_numpy("probabilities").argmax(axis=1)
    print(f"{(classes == labels).sum()} of {len(labels)} images are recognised")
    return int((classes != expected).any())


if __name__ == "__main__":
    sys.exit(main())
