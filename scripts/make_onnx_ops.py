#!/usr/bin/env python3
"""Writes docs/reference/onnx_ops.md: the ops of ONNX that tfrt_import takes.

usage: scripts/make_onnx_ops.py TFRT_IMPORT [--check]

Opsets and limits are what `TFRT_IMPORT --list-ops` says, all else what the conformance cases show
(test/conformance/ops.json, which test/conformance/conformance_test.sh --update writes). With --check nothing is
written; fails if the file is stale.
"""

import json
import pathlib
import subprocess
import sys

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = SOURCE_DIR / "docs" / "reference" / "onnx_ops.md"
EVIDENCE = SOURCE_DIR / "test" / "conformance" / "ops.json"

GROUPS = (("ints", "i8 i16 i32 i64 ui8 ui16 ui32 ui64".split()), ("floats", "f16 bf16 f32 f64".split()),
          ("complex", "complex64 complex128".split()))

MICROSOFT = "com.microsoft"
HEAD = """# ONNX ops

The ops that `tfrt_import` takes, made by `scripts/make_onnx_ops.py build/ci/bin/tfrt_import`. Do not edit.
[onnx.md](../onnx.md) says how models are imported.

- **opsets**: the operator sets of a model in which the op is known to mean what it is taken for. The ops of this table are of ONNX's own domain, `ai.onnx`.
- **element types**: those with which a case of the op runs, of those that ONNX allows for its main input. `ints` are i8, i16, i32, i64, ui8, ui16,
  ui32 and ui64; `floats` f16, bf16, f32 and f64; f16 and bf16 are computed in f32 and rounded to be stored.
- **becomes**: the ops of the table, `graph.*` ([compiler.md](../compiler.md)), that the cases of the op were imported to; passes may make others of them.
- **cases**: how many of the cases that ONNX's own package (PyPI `onnx` {version}) has for the op alone give the right results, and how many are refused.
  None is wrong: `test/conformance/refusals.txt` has the reasons.
"""


def types_text(types):
    parts = []
    rest = list(types)
    for name, group in GROUPS:
        if all(each in rest for each in group):
            parts.append(name)
            rest = [each for each in rest if each not in group]
    return ", ".join(rest + parts)


def row(line, evidence):
    name, first, last, limits = (line.split(None, 3) + [""])[:4]
    ops = ", ".join(f"`{each}`" for each in evidence.get("rows", ()))
    counts = f"{evidence['passed']}" if evidence else "none"
    if evidence.get("refused"):
        counts += f", {evidence['refused']} refused"
    return (f"| {name} | {first} to {last} | {types_text(evidence.get('types', ()))} | {ops} | "
            f"{limits.strip()} | {counts} |\n")


def microsoft_table(listing):
    text = (f"\n## {MICROSOFT}\n\nOps of the domain `{MICROSOFT}`, which quantisers and optimisers write, in version "
            "1. Some of their names are also those of ONNX's own ops.\n`test/models/microsoft_ops_test.py` compares "
            "them with ONNX Runtime without its optimiser.\n\n| op | limits |\n|---|---|\n")
    for line in listing:
        name, _, _, limits = (line.split(None, 3) + [""])[:4]
        text += f"| {name.removeprefix(MICROSOFT + '.')} | {limits.strip()} |\n"
    return text


def package_version():
    """That of the test's package."""
    text = (SOURCE_DIR / "test" / "conformance" / "CMakeLists.txt").read_text()
    return text.split("onnx==", 1)[1].split()[0].rstrip(")")


def reference(tfrt_import):
    listing = subprocess.run([tfrt_import, "--list-ops"], check=True, capture_output=True,
                             text=True).stdout.splitlines()
    other = [line for line in listing if line.startswith(MICROSOFT)]
    listing = [line for line in listing if line not in other]
    evidence = json.loads(EVIDENCE.read_text())
    text = HEAD.format(version=package_version())
    text += "\n| op | opsets | element types | becomes | limits | cases |\n|---|---|---|---|---|---|\n"
    text += "".join(row(line, evidence.get(line.split()[0], {})) for line in listing)
    text += microsoft_table(other)
    supported = {line.split()[0] for line in listing}
    others = [f"{name} ({op['refused']})" for name, op in evidence.items() if name not in supported]
    text += "\n## Not supported\n\nOps of which the package has cases, and how many: " + ", ".join(others) + ".\n\n"
    text += ("Sequences, optionals, strings, sparse tensors, `ai.onnx.ml` and ops of other domains are not "
             "supported either: [onnx.md](../onnx.md#what-is-not-supported).\n")
    return text


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    text = reference(sys.argv[1])
    if "--check" in sys.argv[2:]:
        if not OUTPUT.exists() or OUTPUT.read_text() != text:
            sys.exit("stale: docs/reference/onnx_ops.md; run scripts/make_onnx_ops.py build/ci/bin/tfrt_import")
        return
    OUTPUT.write_text(text)


if __name__ == "__main__":
    main()
