#!/usr/bin/env python3
"""What the passes on graphs leave of real models: each op of @main, which is a kernel, by name and number.

usage: kernel_counts_test.py TOOLS_FOLDER [--update]
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from onnx_models import catalogue

GOLDEN = pathlib.Path(__file__).with_name("kernel_counts.json")
# At most so many, with all sizes known.
BARS = {"resnet50": 60, "bert_base": 100, "vit_b16": 110}


def count(tools, folder, name, dims):
    """Kernels by op, with the symbols of the inputs left open or set."""
    path = folder / f"{name}.onnx"
    if not path.exists():
        catalogue.make(name, path, with_weights=False)
    options = [f"--dim={symbol}={size}" for symbol, size in dims.items()]
    graph = subprocess.run([tools / "tfrt_import", path, *options], check=True, capture_output=True).stdout
    lowered = subprocess.run([tools / "tfrt_opt", "--graph-pipeline", "--lower-graph"], input=graph, check=True,
                             capture_output=True).stdout.decode()
    main = lowered[lowered.index("func.func @main("):]
    ops = re.findall(r"= \"?graph\.(\w+)", main[:main.index("tfrt.return")])
    return dict(sorted(collections.Counter(ops).items()))


def main():
    tools, update = pathlib.Path(sys.argv[1]), "--update" in sys.argv[2:]
    found, failures = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for stem, built in catalogue.BUILT.items():
            for form in ("ts", "dynamo"):
                name = f"{stem}.{form}"
                found[name] = count(tools, pathlib.Path(folder), name, built.sizes if form == "ts" else {})
                total = sum(found[name].values())
                print(f"{name:24} {total:4} kernels")
                if total > BARS.get(stem, total):
                    failures.append(f"{name}: {total} kernels, at most {BARS[stem]} are allowed")
                if form == "ts":
                    found[name + " symbolic"] = count(tools, pathlib.Path(folder), name, {})
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
