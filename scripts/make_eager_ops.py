#!/usr/bin/env python3
"""Writes the C++ functions and the reference of the eager ops: include/tfrt/eager/ops.h, lib/eager/ops.cc and
docs/reference/eager_ops.md.

usage: scripts/make_eager_ops.py LIST_EAGER_OPS [--check]

The ops are those that the program LIST_EAGER_OPS (build/*/bin/list_eager_ops) knows. With --check nothing is written;
fails if a file is stale.
"""

import json
import pathlib
import subprocess
import sys

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent
# Of these families every op is a function; the others are for tests.
FAMILIES = ("tf", "tfrt")
KEYWORDS = {"and", "case", "default", "double", "else", "float", "if", "in", "int", "not", "or", "switch", "this"}

# kind: C++ type, how it is set
KINDS = {
    "a bool": ("bool", "Set({name}, {value})"),
    "an i32": ("int32_t", "Set({name}, {value})"),
    "an i64": ("int64_t", "Set({name}, {value})"),
    "an f32": ("float", "Set({name}, {value})"),
    "a string": ("std::string_view", "SetString({name}, {value})"),
    "a type": ("DType", "SetType({name}, {value})"),
    "a shape": ("Int64List", "SetShape({name}, {value}.span())"),
    "a dense constant": ("HostArray", None),
    "an array of i64": ("Int64List", "SetArray({name}, {value}.span())"),
    "an array of f32": ("FloatList", "SetArray({name}, {value}.span())"),
    "an array of strings": ("StringList", "SetStringArray({name}, {value}.span())"),
}

HEADER = """\
// The eager ops as C++ functions (docs/eager.md). Made by scripts/make_eager_ops.py. Do not edit.
//
// An input is a Tensor, moved if its memory may be reused, a HostArray, a number or a list of
// numbers; `{{}}` for an optional one. What goes wrong becomes an error of the results; ops without
// results return it.
#ifndef TFRT_EAGER_OPS_H_
#define TFRT_EAGER_OPS_H_

#include <array>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>

#include "tfrt/eager/attribute_types.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::eager {{

{body}
}}  // namespace tfrt::eager

#endif  // TFRT_EAGER_OPS_H_
"""

SOURCE = """\
// Made by scripts/make_eager_ops.py. Do not edit.

#include "tfrt/eager/ops.h"

#include "op_function.h"
#include "quick_call.h"

namespace tfrt::eager {{

{body}
}}  // namespace tfrt::eager
"""

REFERENCE = """\
# Eager ops

The ops of the host, made by `scripts/make_eager_ops.py build/ci/bin/list_eager_ops`. Do not edit. Programs call them with
`corert.executeop` ([core_runtime.md](../core_runtime.md)), C++ calls them as the functions of `tfrt/eager/ops.h`
([eager.md](../eager.md)); those of the family tfrt_test only by name.

`a?` is an optional argument, `a...` any number of them. An argument in italics is a host value: axes, shapes and sizes, which stay in
host memory wherever the op runs; of any number of arguments it is the last one. The second column has the op's name in the op table
(`tfrt/opinfo/op_description.h`), which several spellings share; test ops have none. Attributes with `=` may be left out in C++. Ops marked "by data" have results
whose shape is known only when they have run; those marked "effect" run in the order in which they are called.
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


def signature(op, with_defaults):
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
            cpp_type = KINDS[attr["kind"]][0]
            parts.append(f"{cpp_type if by_value(cpp_type) else 'const ' + cpp_type + '&'} {parameter(attr['name'])}")
    # Optional arguments may be left out if only things with defaults follow.
    if with_defaults and all(attr["default"] for attr in op["attrs"]):
        for i in range(len(op["arguments"]) - 1, -1, -1):
            if op["arguments"][i]["kind"] != "optional":
                break
            parts[i] += " = {}"
    if any(attr["default"] for attr in op["attrs"]):
        parts.append(f"const {cpp_name(op)}Attrs& attrs" + (" = {}" if with_defaults else ""))
    parts.append("Location where" +
                 (" = std::source_location::current()" if with_defaults else ""))
    return parts


def result_type(op):
    count = len(op["results"])
    return "Status" if count == 0 else "Tensor" if count == 1 else f"std::array<Tensor, {count}>"


def declaration(op, with_defaults):
    head = f"{result_type(op)} {cpp_name(op)}("
    parts = signature(op, with_defaults)
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
    body = ""
    for op in ops:
        name = cpp_name(op)
        optional = [attr for attr in op["attrs"] if attr["default"]]
        if optional:
            body += f"struct {name}Attrs {{\n"
            for attr in optional:
                body += f"  {KINDS[attr['kind']][0]} {parameter(attr['name'])} = {attr['default']};\n"
            body += "};\n"
        body += wrap(f"{op['name']}: {op['summary']}", "//")
        if len(op["results"]) > 1:
            body += wrap("Results: " + ", ".join(op["results"]) + ".", "//")
        body += declaration(op, True) + ";\n"
        if has_split_form(op):
            body += "// The same with the last argument apart.\n" + declaration(split_form(op), True) + ";\n"
        body += "\n"
    return HEADER.format(body=body)


def source(ops):
    body = ""
    for op in ops:
        body += declaration(op, False) + " {\n"
        fixed = [parameter(a["name"]) for a in op["arguments"] if a["kind"] != "variadic"]
        rest = [parameter(a["name"]) for a in op["arguments"] if a["kind"] == "variadic"]
        dense = []
        own = f'  static const OpDefinition& op = HostOp("{op["name"]}");\n'
        if op["quick"]:
            body += f"  static constinit QuickOp op(\"{op['name']}\");\n"
            body += f"  return op({', '.join(fixed)}, where);\n}}\n\n"
            continue
        if op["attrs"]:
            body += "  OpAttrs op_attrs;\n"
        for attr in op["attrs"]:
            value = parameter(attr["name"])
            if attr["default"]:
                value = "attrs." + value
            setter = KINDS[attr["kind"]][1]
            if setter is None:
                dense.append((attr["name"], value))
            else:
                body += "  op_attrs." + setter.format(name=f'"{attr["name"]}"', value=value) + ";\n"
        for name, value in dense:
            body += f"  Status {name}_status = SetDense(op_attrs, \"{name}\", {value});\n"
        count = len(op["results"])
        attrs = "op_attrs" if op["attrs"] else "{}"
        moved = "".join(f", std::move({name})" for name in fixed)
        if rest:
            body += own + f"  std::vector<TensorArgument> arguments = Arguments({rest[0]}.span(){moved});\n"
            body += f"  return Call<{count}>(op, arguments, {attrs}, where);\n"
        elif dense:
            body += own + f"  return Call<{count}>(op, {{}}, {attrs}, where, std::move({dense[0][0]}_status));\n"
        else:
            body += f'  return CallOf<"{op["name"]}", {count}>(where, {attrs}{moved});\n'
        body += "}\n\n"
        if has_split_form(op):
            split = split_form(op)
            first, last = (parameter(a["name"]) for a in split["arguments"])
            body += declaration(split, False) + " {\n"
            body += f"  static const OpDefinition& op = HostOp(\"{op['name']}\");\n"
            body += f"  std::vector<TensorArgument> arguments = Arguments({first}.span());\n"
            body += f"  arguments.push_back(std::move({last}));\n"
            body += f"  return Call<{count}>(op, arguments, OpAttrsRef(), where);\n}}\n\n"
    return SOURCE.format(body=body)


def has_split_form(op):
    """Of an op whose arguments are any number of X and one Y."""
    return len(op["arguments"]) == 1 and op["arguments"][0]["last"] and not op["attrs"]


def split_form(op):
    argument = op["arguments"][0]
    return op | {"arguments": [{"name": argument["most"], "kind": "variadic"}, {"name": argument["last"], "kind": "required"}]}


def reference(ops):
    text = REFERENCE
    for family in sorted({op["name"].split(".")[0] for op in ops}):
        text += f"\n## {family}\n\n| op | in the table | arguments | attributes | results | |\n|---|---|---|---|---|---|\n"
        for op in sorted(ops, key=lambda op: op["name"]):
            if op["name"].split(".")[0] != family:
                continue
            mark = {"required": "", "optional": "?", "variadic": "..."}
            arguments = ", ".join(("*{}*" if a["host"] else "{}").format(a["name"] + mark[a["kind"]]) for a in op["arguments"])
            row = f"`{op['op']}`" if op["op"] != op["name"] else ""
            attrs = ", ".join(
                f"`{a['name']}`: {a['kind'].split(' ', 1)[-1]}" + (f" = `{a['default']}`" if a["default"] else "")
                for a in op["attrs"])
            notes = [op["summary"]]
            if op["effects"]:
                notes.append("(effect)")
            if not op["metadata"] and op["results"]:
                notes.append("(by data)")
            if not op["runs"]:
                notes.append("(metadata only)")
            text += f"| `{op['name']}` | {row} | {arguments} | {attrs} | {', '.join(op['results'])} | {' '.join(notes)} |\n"
    return text


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    listing = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    ops = [json.loads(line) for line in listing.splitlines()]
    functions = [op for op in ops if has_function(op)]
    outputs = {"include/tfrt/eager/ops.h": header(functions), "lib/eager/ops.cc": source(functions),
               "docs/reference/eager_ops.md": reference(ops)}
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
