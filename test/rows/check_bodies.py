#!/usr/bin/env python3
"""Checks that each row of the op table has one body on the host, and that shapes are computed by the rows' rules alone.

A body is a function given to a name of the row: Implement("graph.NAME", ...), which all names of the row call, or a
kernel or an op under a name of its own. A shape function is one that returns a shape or metadata, outside
lib/format/op_table.

usage: check_bodies.py SOURCE_DIR
"""

import collections
import pathlib
import re
import sys

REFERENCE = "docs/reference/eager_ops.md"
ELEMENTWISE = "lib/format/op_table/elementwise_tape.h"
FOLDERS = ("lib", "include")
SHAPE_FOLDERS = ("lib/ops", "lib/compat", "include/tfrt/core_runtime", "include/tfrt/kernels",
                 "include/tfrt/kernel_maths")
# Rows that compilers alone make, which have no name in the reference.
OF_COMPILERS = {"dynamic_quantized_lstm", "dynamic_quantized_matmul", "elementwise_tape", "pack_filter", "pack_matrix",
                "packed_attention",
                "quantized_conv", "quantized_matmul"}
NO_BODY = {"fused_batch_norm": "a name of programs of the original, whose metadata alone are known"}
# Two names of these rows each have a body.
TWO_BODIES = {
    "constant": "compiled programs have their constants in the file, eager ones in an attribute: kernel and op"}
# Names that are not written out where a body is attached: none of these attaches a second one.
COMPUTED_NAMES = {
    "lib/ops/host_ops/elementwise_ops.cc": "the rows of TFRT_ELEMENTWISE_OPS",
    "lib/ops/host_ops/cpu_ops.cc": "rows without a body",
}
# Files with shape functions outside the table.
SHAPE_FUNCTIONS = {
    "lib/ops/maths/shapes/axes.h": "axes that are known already",
    "lib/ops/maths/shapes/row_shapes.h": "asks the rule of the row",
    "lib/ops/maths/shapes/window_geometry.h": "the kernels tfrt_cpu.* have no rows",
    "lib/ops/maths/shapes/axes.cc": "axes that are known already",
    "lib/ops/maths/shapes/row_shapes.cc": "asks the rule of the row",
    "lib/ops/maths/shapes/window_geometry.cc": "the kernels tfrt_cpu.* have no rows",
    "lib/compat/tensor_kernels/shape_kernels.cc": "shapes are what these kernels compute",
    "lib/compat/tensor_kernels/window_kernels.cc": "the kernels tfrt_dht.* have no rows",
    "lib/ops/host_ops/constant_ops.cc": "the shape of a constant is part of its value",
    "lib/ops/host_ops/test_creation_ops.cc": "ops of tests have no rows",
    "lib/ops/host_ops/test_network_ops.cc": "ops of tests have no rows",
    "lib/ops/host_ops/test_ops.cc": "ops of tests have no rows",
}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
ROW = re.compile(r"^\| `([\w.]+)` \| (?:`(\w+)`)? \|", re.MULTILINE)
ATTACHED = re.compile(r'\b(Implement|AddKernel)\(\s*(?:"((?:graph|_?tf|tfrt)\.\w+)"|(\w[\w>.-]*)\s*,)')
ELEMENTWISE_ROW = re.compile(r'\bV\(\d+, k(\w+), "(\w+)"')
SHAPE = re.compile(r"\bStatusOr<(?:TensorShape|TensorMetadata)> +(?:\w+::)?(\w+)\(")


def read(root, name):
    path = root / name
    return path.read_text() if path.exists() else ""


def sources(root, folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cc", ".h"):
                yield path.relative_to(root).as_posix(), COMMENT.sub("", path.read_text())


def check_bodies(root):
    """The number of rows, and which have no body or several."""
    names = {name: row or name for name, row in ROW.findall(read(root, REFERENCE)) if not name.startswith("tfrt_test.")}
    rows = set(names.values()) | OF_COMPILERS
    bodies, errors, computed = collections.defaultdict(list), [], set()
    for name, text in sources(root, FOLDERS):
        for how, op, variable in ATTACHED.findall(text):
            if op.startswith("graph.") or op in names:
                bodies[names.get(op, op.removeprefix("graph."))].append(f'{name}: {how}("{op}", ...)')
            elif op and how == "Implement":
                errors.append(f"{name}: {op} has a body and no row")
            elif variable and how == "Implement" and name not in COMPUTED_NAMES:
                errors.append(f"{name}: Implement({variable}, ...) does not write out the name")
            elif variable and how == "Implement":
                computed.add(name)
    # An attribute of gelu chooses its second form.
    for operation, row in ELEMENTWISE_ROW.findall(read(root, ELEMENTWISE)):
        if operation != "GeluTanh":
            bodies[row].append(f"{ELEMENTWISE}: {operation}")
    errors += [f"{row}: several bodies: {'; '.join(found)}"
               for row, found in sorted(bodies.items()) if len(found) > (2 if row in TWO_BODIES else 1)]
    errors += [f"{row}: no body" for row in sorted(rows - set(bodies) - set(NO_BODY))]
    errors += [f"{row}: one body; take it out of TWO_BODIES" for row in TWO_BODIES if len(bodies[row]) == 1]
    errors += [f"{name}: names are written out; take it out of COMPUTED_NAMES" for name in COMPUTED_NAMES
               if name not in computed and (root / name).exists()]
    return len(rows), errors


def check_shapes(root):
    """The shape functions outside the table for which there is no reason."""
    found = collections.defaultdict(list)
    for name, text in sources(root, SHAPE_FOLDERS):
        found[name] += SHAPE.findall(text)
    errors = [f"{name}: the shape function {function} is outside the op table (lib/format/op_table)"
              for name, functions in found.items() if name not in SHAPE_FUNCTIONS for function in functions]
    return errors + [f"{name}: no shape function; take it out of SHAPE_FUNCTIONS" for name in SHAPE_FUNCTIONS
                     if not found[name] and (root / name).parent.exists()]


def main():
    root = pathlib.Path(sys.argv[1])
    num_rows, errors = check_bodies(root)
    errors += check_shapes(root)
    for error in errors:
        print(error)
    print(f"check_bodies: {num_rows} rows, {len(errors)} errors")
    sys.exit(1 if errors or num_rows == len(OF_COMPILERS) else 0)


if __name__ == "__main__":
    main()
