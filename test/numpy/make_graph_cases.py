#!/usr/bin/env python3
"""Writes cases/graph_*.bin: calls of graph ops, and the results that NumPy computes for them.

usage: make_graph_cases.py [FAMILY...]   (needs numpy, scipy and onnx; building and testing do not)

A family is a file, such as graph_unary. The format is that of make_op_cases.py.
"""

import sys

import numpy

import graph_maths
import graph_places

FAMILIES = {**graph_maths.FAMILIES, **graph_places.FAMILIES}  # with the seeds of their random numbers

if __name__ == "__main__":
    names = sys.argv[1:] or [make.__name__ for make in FAMILIES]
    if unknown := set(names) - {make.__name__ for make in FAMILIES}:
        sys.exit(f"no family {', '.join(sorted(unknown))}: there are {', '.join(make.__name__ for make in FAMILIES)}")
    for make, seed in FAMILIES.items():
        if make.__name__ in names:
            make(numpy.random.default_rng(seed))
