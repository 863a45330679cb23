#!/usr/bin/env python3
"""Writes the bodies of the functions that include/tfrt/eager/ops.h or arrays/elementwise.h declares.

usage: make_ops.py include/tfrt/eager/HEADER.h OUTPUT.cc

The header is as scripts/make_eager_ops.py writes it: a comment names each function's op.
"""

import pathlib
import re
import sys

# How an attribute of a C++ type is set.
SETTERS = {
    "DType": "SetType({}, {})",
    "std::string_view": "SetString({}, {})",
    "ShapeList": "SetShape({}, {}.span())",
    "Int64List": "SetArray({}, {}.span())",
    "FloatList": "SetArray({}, {}.span())",
    "StringList": "SetStringArray({}, {}.span())",
}
ITEM = re.compile(r"""
    struct\ (?P<struct>\w+)\ {\n(?P<fields>(?:\ \ .*\n)+)};
  | using\ (?P<alias>\w+)\ =\ (?P<aliased>\w+);
  | //\ (?P<op>_?\w+\.\w+):(?P<text>.*(?:\n//.*)*)
  | (?P<result>Tensor|Status|std::array<Tensor,\ \d+>)\ (?P<name>\w+)\((?P<parameters>[^;]*)\);
""", re.VERBOSE)
FIELD = re.compile(r"  ([\w:]+) (\w+) = .+;\n")
PARAMETER = re.compile(r"(?:const )?([\w:]+)&? (\w+)(?: = (?:\{\}|Here\(\)))?(?:, *|$)")


def setter(cpp_type, name, value):
    call = SETTERS.get(cpp_type, "Set({}, {})").format(f'"{name.rstrip("_")}"', value)
    return f"  op_attrs.{call};\n"


def body(op, is_quick, result, parameters, fields):
    """The statements of an op's function."""
    fixed = [name for kind, name in parameters if kind == "TensorArgument"]
    rest = [name for kind, name in parameters if kind == "TensorList"]
    if is_quick:
        return f'  static constinit QuickOp op("{op}");\n  return op({", ".join(fixed)}, where);\n'
    given = [(kind, name, name) for kind, name in parameters
             if kind not in ("TensorArgument", "TensorList", "HostArray", "Location") and name != "attrs"]
    given += [(kind, name, "attrs." + name) for kind, name in fields]
    dense = [name for kind, name in parameters if kind == "HostArray"]
    text = "  OpAttrs op_attrs;\n" if given or dense else ""
    text += "".join(setter(*attr) for attr in sorted(given, key=lambda attr: attr[1]))
    attrs = "op_attrs" if text else "{}"
    count = {"Status": "0", "Tensor": "1"}.get(result) or result[:-1].split()[-1]
    moved = "".join(f", std::move({name})" for name in fixed)
    own = f'  static const OpDefinition& op = HostOp("{op}");\n'
    if rest:
        arguments = f"  std::vector<TensorArgument> arguments = Arguments({rest[0]}.span()"
        is_split = parameters[0][0] == "TensorList" and fixed
        arguments += f");\n  arguments.push_back({moved[2:]});\n" if is_split else f"{moved});\n"
        return f"{text}{own}{arguments}  return Call<{count}>(op, arguments, {attrs}, where);\n"
    if dense:
        status = f'SetDense(op_attrs, "{dense[0]}", {dense[0]})'
        return (f"{text}{own}  Status status = {status};\n  return Call<{count}>(op, {{}}, op_attrs, where, "
                "std::move(status));\n")
    return f'{text}  return CallOf<"{op}", {count}>(where, {attrs}{moved});\n'


def functions(header):
    structs, op, is_quick = {}, None, False
    for item in ITEM.finditer(header):
        if item["struct"]:
            structs[item["struct"]] = FIELD.findall(item["fields"])
        elif item["alias"]:
            structs[item["alias"]] = structs[item["aliased"]]
        elif item["op"]:
            op, is_quick = item["op"], item["text"].endswith("(quick)")
        else:
            parameters = PARAMETER.findall(" ".join(item["parameters"].split()))
            has_attrs = any(name == "attrs" for _, name in parameters)
            fields = structs[item["name"] + "Attrs"] if has_attrs else []
            head = re.sub(r" = (\{\}|Here\(\))", "", item[0].rstrip(";"))
            yield f"{head} {{\n{body(op, is_quick, item['result'], parameters, fields)}}}\n"


ARRAY_FUNCTION = re.compile(r"// (\w+): .*\n(?://.*\n)*(Tensor \w+\((.*)\));")


def array_functions(header):
    """The functions of the array API standard, which CallArrayOp calls."""
    for name, head, parameters in ARRAY_FUNCTION.findall(header):
        operands = ", ".join(part.split()[-1] for part in parameters.split(", "))
        yield f'{head} {{\n  static const ArrayOp op("{name}");\n  return CallArrayOp(op, {operands});\n}}\n'


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.argv[1].endswith("elementwise.h"):
        made = array_functions(pathlib.Path(sys.argv[1]).read_text())
        pathlib.Path(sys.argv[2]).write_text("""\
#include "tfrt/eager/arrays/elementwise.h"

#include "array_functions.h"

namespace tfrt::eager::arrays {

""" + "\n".join(made) + "\n}  // namespace tfrt::eager::arrays\n")
        return
    made = functions(pathlib.Path(sys.argv[1]).read_text())
    pathlib.Path(sys.argv[2]).write_text("""\
#include "tfrt/eager/ops.h"

#include "op_function.h"
#include "quick_call.h"

namespace tfrt::eager {

""" + "\n".join(made) + "\n}  // namespace tfrt::eager\n")


if __name__ == "__main__":
    main()
