#!/usr/bin/env python3
"""What the passes on graphs leave of real models: each op of @main, which is a kernel, by name and number.

usage: kernel_counts_test.py CONFORMANCE_RUNNER [--update]
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from onnx_models import catalogue

GOLDEN = pathlib.Path(__file__).with_name("kernel_counts.json")
# At most so many, with all sizes known.
BARS = {"resnet50": 60, "bert_base": 100, "vit_b16": 110}


def count(runner):
    """Kernels by op of each model, with the symbols of its inputs left open or set. One process imports all: the text
    of a graph takes longer to print than its passes take."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for stem, built in catalogue.BUILT.items():
            for form in ("ts", "dynamo"):
                name = f"{stem}.{form}"
                path = f"{folder}/{name}.onnx"
                catalogue.make(name, path, with_weights=False)
                sizes = [f"{symbol}={size}" for symbol, size in built.sizes.items() if form == "ts"]
                lines.append([name, path, *sizes])
                if form == "ts":
                    lines.append([f"{name} symbolic", path])
        text = "".join("\t".join(line) + "\n" for line in lines)
        output = subprocess.run([runner, "--kernels"], input=text, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split("\t") for line in output.splitlines()]
    return {name: dict(sorted(collections.Counter(ops).items())) for name, *ops in rows}


def main():
    update = "--update" in sys.argv[2:]
    found, failures = count(sys.argv[1]), []
    for name, ops in found.items():
        stem, total = name.split(".")[0], sum(ops.values())
        print(f"{name:24} {total:4} kernels")
        if total > BARS.get(stem, total) and not name.endswith(" symbolic"):
            failures.append(f"{name}: {total} kernels, at most {BARS[stem]} are allowed")
    if update:
        lines = [f" {json.dumps(name)}: {json.dumps(ops)}" for name, ops in found.items()]
        GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    golden = json.loads(GOLDEN.read_text())
    for name in sorted(found.keys() | golden.keys()):
        if found.get(name) != golden.get(name):
            failures.append(f"{name}: {found.get(name)}, but the list has {golden.get(name)}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
