#!/usr/bin/env python3
"""Writes the C++ functions and the reference of the eager ops: include/tfrt/eager/ops.h, arrays/elementwise.h and
docs/reference/eager_ops.md (eager_ops_page.py). Builds make the functions' bodies of the headers
(lib/api/eager/make_ops.py).

usage: scripts/make_eager_ops.py LIST_EAGER_OPS [--check]

The ops are those that the program LIST_EAGER_OPS (build/*/bin/list_eager_ops) knows. With --check nothing is written;
fails if a file is stale.
"""

import json
import pathlib
import subprocess
import sys

import eager_ops_page

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent
# Every op of these families is a function; the others are for tests.
FAMILIES = ("tf", "tfrt")
KEYWORDS = {"and", "case", "default", "double", "else", "float", "if", "in", "int", "not", "or", "switch", "this"}

# The C++ types of attributes. Of each, lib/api/eager/make_ops.py sets an attribute in its way.
KINDS = {
    "a bool": "bool",
    "an i32": "int32_t",
    "an i64": "int64_t",
    "an f32": "float",
    "a string": "std::string_view",
    "a type": "DType",
    "a shape": "ShapeList",
    "a dense constant": "HostArray",
    "an array of i64": "Int64List",
    "an array of f32": "FloatList",
    "an array of strings": "StringList",
}

HEADER = """\
// The eager ops as C++ functions (docs/eager.md). Made by scripts/make_eager_ops.py. Do not edit.
//
// An input is a Tensor, moved if its memory may be reused, a HostArray, a number or a list of
// numbers; `{{}}` for an optional one. What goes wrong becomes an error of the results; ops without
// results return it. A quick op on two tensors of a few elements each is done when it returns, in
// ASYNC scopes as well.
#ifndef TFRT_EAGER_OPS_H_
#define TFRT_EAGER_OPS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "tfrt/eager/attribute_types.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/location.h"

namespace tfrt::eager {{

{body}
}}  // namespace tfrt::eager

#endif  // TFRT_EAGER_OPS_H_
"""

ELEMENTWISE = """\
// The element-wise functions of the array API standard. Made by scripts/make_eager_ops.py. Do not
// edit.
#ifndef TFRT_EAGER_ARRAYS_ELEMENTWISE_H_
#define TFRT_EAGER_ARRAYS_ELEMENTWISE_H_

#include "tfrt/eager/context.h"

namespace tfrt::eager::arrays {{

{body}
// The composed functions follow; their bodies are written by hand.

// Elements between two bounds, in the dtype of `x`: numbers, or arrays that are broadcast; one that
// is left out bounds nothing. NaN stays NaN, and is the result where a bound is NaN.
Tensor Clip(Operand x, Operand min = {{}}, Operand max = {{}});
// The conjugates of numbers, which real ones are themselves. Complex elements are an error.
Tensor Conj(Operand x);
// The imaginary parts of numbers: zeros for real ones. Complex elements are an error.
Tensor Imag(Operand x);
// Whether elements are neither infinite nor NaN, as i1.
Tensor IsFinite(Operand x);
// The real parts of numbers. Complex elements are an error.
Tensor Real(Operand x);
// `x * x`; integers wrap.
Tensor Square(Operand x);

}}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_ELEMENTWISE_H_
"""

def cpp_name(op):
    return op["name"].rsplit(".", 1)[1].lstrip("_")


def parameter(name):
    return name + "_" if name in KEYWORDS else name


def has_function(op):
    return (op["name"].split(".")[0] in FAMILIES and op["runs"]
            and all(attr["kind"] in KINDS for attr in op["attrs"]))


def by_value(cpp_type):
    return cpp_type in ("bool", "int32_t", "int64_t", "float", "std::string_view", "DType")


def signature(op):
    """The parameters of an op's function, result type first."""
    parts = []
    for argument in op["arguments"]:
        name = parameter(argument["name"])
        if argument["kind"] == "variadic":
            parts.append(f"TensorList {name}")
        else:
            parts.append(f"TensorArgument {name}")
    for attr in op["attrs"]:
        if not attr["default"]:
            cpp_type = KINDS[attr["kind"]]
            parts.append(f"{cpp_type if by_value(cpp_type) else 'const ' + cpp_type + '&'} {parameter(attr['name'])}")
    # Optional arguments may be left out if only things with defaults follow.
    if all(attr["default"] for attr in op["attrs"]):
        for i in range(len(op["arguments"]) - 1, -1, -1):
            if op["arguments"][i]["kind"] != "optional":
                break
            parts[i] += " = {}"
    if any(attr["default"] for attr in op["attrs"]):
        parts.append(f"const {cpp_name(op)}Attrs& attrs = {{}}")
    parts.append("Location where = Here()")
    return parts


def result_type(op):
    count = len(op["results"])
    return "Status" if count == 0 else "Tensor" if count == 1 else f"std::array<Tensor, {count}>"


def declaration(op):
    head = f"{result_type(op)} {cpp_name(op)}("
    parts = signature(op)
    line = head + ", ".join(parts) + ")"
    if len(line) <= 98:
        return line
    out, current = "", head
    for i, part in enumerate(parts):
        piece = part + (", " if i + 1 < len(parts) else ")")
        if len(current + piece.rstrip()) > 98:
            out += current.rstrip() + "\n"
            current = " " * len(head)
            if len(current + piece.rstrip()) > 98:
                current = "    "
        current += piece
    return out + current


def wrap(text, prefix, width=100):
    lines, line = [], prefix
    for word in text.split():
        if len(line) + 1 + len(word) > width and line != prefix:
            lines.append(line)
            line = prefix
        line += (" " if line[-1:] != " " else "") + word
    return "\n".join(lines + [line]) + "\n"


def header(ops):
    body, structs = "", {}
    for op in ops:
        name = cpp_name(op)
        fields = "".join(f"  {KINDS[attr['kind']]} {parameter(attr['name'])} = {attr['default']};\n"
                         for attr in op["attrs"] if attr["default"])
        # Ops with attributes have empty lines around them.
        if fields and not body.endswith("\n\n"):
            body += "\n"
        if fields in structs:
            body += f"using {name}Attrs = {structs[fields]};\n"
        elif fields:
            structs[fields] = f"{name}Attrs"
            body += f"struct {name}Attrs {{\n{fields}}};\n"
        body += wrap(f"{op['name']}: {op['summary']}" + (" (quick)" if op["quick"] else ""), "//")
        if len(op["results"]) > 1:
            body += wrap("Results: " + ", ".join(op["results"]) + ".", "//")
        body += declaration(op) + ";\n"
        if has_split_form(op):
            body += "// The same with the last argument apart.\n" + declaration(split_form(op)) + ";\n"
        if fields:
            body += "\n"
    return HEADER.format(body=body.rstrip("\n") + "\n")


def elementwise(ops, functions):
    """The header of the array API standard's functions."""
    of_name = {op["name"]: op for op in ops}
    body = ""
    for function in functions:
        op = of_name[function["name"]]
        body += wrap(f"{function['array']}: {function['summary'] or op['summary']}", "//")
        parameters = ", ".join(f"Operand {argument['name']}" for argument in op["arguments"])
        body += f"Tensor {function['cpp']}({parameters});\n"
    return ELEMENTWISE.format(body=body)


def has_split_form(op):
    """Of an op whose arguments are any number of X and one Y."""
    return len(op["arguments"]) == 1 and op["arguments"][0]["last"] and not op["attrs"]


def split_form(op):
    argument = op["arguments"][0]
    return op | {"arguments": [{"name": argument["most"], "kind": "variadic"},
                               {"name": argument["last"], "kind": "required"}]}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    listing = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in listing.splitlines()]
    ops = [row for row in rows if "array" not in row]
    arrays = [row for row in rows if "array" in row]
    functions = [op for op in ops if has_function(op)]
    outputs = {"include/tfrt/eager/ops.h": header(functions),
               "include/tfrt/eager/arrays/elementwise.h": elementwise(ops, arrays)}
    if eager_ops_page.rows_of_host_alone() is not None:  # a tree without GPUs cannot tell what they have
        outputs["docs/reference/eager_ops.md"] = eager_ops_page.reference(ops, arrays, cpp_name, has_function)
    stale = [path for path, text in outputs.items()
             if not (SOURCE_DIR / path).exists() or (SOURCE_DIR / path).read_text() != text]
    if "--check" in sys.argv[2:]:
        if stale:
            sys.exit(f"stale: {', '.join(stale)}; run scripts/make_eager_ops.py build/ci/bin/list_eager_ops")
        return
    for path in stale:
        (SOURCE_DIR / path).parent.mkdir(parents=True, exist_ok=True)
        (SOURCE_DIR / path).write_text(outputs[path])


if __name__ == "__main__":
    main()
