#!/usr/bin/env python3
"""Writes the ops of TableGen records as rows of dialects/kernel_ops.h.

usage: make_kernel_ops.py DIALECT RECORDS.json OUTPUT.inc OPS

The records are what llvm-tblgen --dump-json prints. OPS is a regular expression for the names of the ops. The rows
belong into the dialect's initialize(). An op that a row cannot say is an error that names it.
"""

import json
import re
import sys

ATTR_KINDS = {
    "AnyAttr": "kAny",
    "ArrayAttr": "kArray",
    "F32Attr": "kF32",
    "F64Attr": "kF64",
    "I1Attr": "kI1",
    "I32ArrayAttr": "kI32Array",
    "I32Attr": "kI32",
    "I64ArrayAttr": "kI64Array",
    "I64Attr": "kI64",
    "StrArrayAttr": "kStringArray",
    "StrAttr": "kString",
    "Tfrt_BF16Attr": "kBF16",
    "Tfrt_F16Attr": "kF16",
    "UI32Attr": "kUI32",
    "UI64Attr": "kUI64",
}


class Rows:
    def __init__(self, records, dialect):
        self.records, self.dialect = records, dialect
        self.types = []  # calls of a builder, in the order of their letters
        self.attr_lists = []
        self.rows = []

    def fail(self, op, why):
        sys.exit(f"make_kernel_ops.py: {self.dialect}.{op['opName']}: {why}")

    def letter(self, op, constraint):
        call = self.records[constraint["def"]].get("builderCall")
        if not call:
            self.fail(op, f"the type {constraint['printable']} does not follow from the op")
        if call not in self.types:
            self.types.append(call)
        return chr(ord("a") + self.types.index(call))

    def attrs(self, op, attrs, operands):
        """The attributes in the order of the syntax, which must be that of kernel_ops.h."""
        tokens = op["assemblyFormat"].split()
        if tokens[-1:] != ["attr-dict"]:
            self.fail(op, "the syntax does not end with attr-dict")
        del tokens[-1]
        if tokens == ["operands"]:
            return [(name, kind, "", True) for name, kind in attrs.items()]
        expected = [token for name in operands for token in ("`,`", f"${name}")][1:]
        if tokens[: len(expected)] != expected:
            self.fail(op, "operands come first, with commas between them")
        found, keyword = [], ""
        for token in tokens[len(expected):]:
            if match := re.fullmatch(r"`(\w+)`", token):
                keyword = match[1]
            elif token[1:] in attrs:
                found.append((token[1:], attrs.pop(token[1:]), keyword, False))
                keyword = ""
            else:
                self.fail(op, f"the syntax has {token}")
        if keyword:
            self.fail(op, f"nothing follows `{keyword}`")
        return found + [(name, kind, "", True) for name, kind in attrs.items()]

    def add(self, op):
        traits = {trait["def"] for trait in op["traits"]}
        # No op has a region that IsolatedFromAbove would say something of.
        if traits - {"Pure", "IsolatedFromAbove"} or any(op.get(has) for has in ("hasVerifier", "hasFolder",
                                                                                 "hasCanonicalizer")):
            self.fail(op, "it has traits or code of its own")
        operands, attrs = {}, {}
        for constraint, name in op["arguments"]["args"]:
            if "TypeConstraint" in self.records[constraint["def"]]["!superclasses"]:
                operands[name] = self.letter(op, constraint)
            elif constraint["def"] in ATTR_KINDS:
                attrs[name] = ATTR_KINDS[constraint["def"]]
            else:
                self.fail(op, f"there is no kind of attribute for {constraint['printable']}")
        results = [self.letter(op, constraint) for constraint, _ in op["results"]["args"]]
        if len(results) > 1 and all(name for _, name in op["results"]["args"]):
            self.fail(op, "several results have names, under which they would be printed")
        attr_list = self.attrs(op, attrs, operands)
        if attr_list not in self.attr_lists:
            self.attr_lists.append(attr_list)
        self.rows.append((op["opName"], "".join(operands.values()), "".join(results),
                          self.attr_lists.index(attr_list), "Pure" in traits))

    def write(self, output):
        print("// Made by make_kernel_ops.py.\nmlir::Builder builder(getContext());", file=output)
        for number, attrs in enumerate(self.attr_lists):
            if attrs:
                items = ", ".join(f'{{"{name}", KernelAttr::Kind::{kind}, "{word}", {str(in_dictionary).lower()}}}'
                                  for name, kind, word, in_dictionary in attrs)
                print(f"static constexpr KernelAttr kAttrs{number}[] = {{{items}}};", file=output)
        print("static constexpr KernelOp kOps[] = {", file=output)
        for name, operands, results, attrs, is_pure in self.rows:
            attr_list = f"kAttrs{attrs}" if self.attr_lists[attrs] else "{}"
            print(f'  {{"{self.dialect}.{name}", "{operands}", "{results}", {attr_list}, {str(is_pure).lower()}}},',
                  file=output)
        types = ", ".join(call.replace("$_builder", "builder") for call in self.types)
        print(f"}};\nregisterKernelOps(*this, kOps, {{{types}}});", file=output)


def main():
    dialect, records_path, output_path, names = sys.argv[1:]
    with open(records_path, encoding="utf-8") as file:
        records = json.load(file)
    rows = Rows(records, dialect)
    for name in records["!instanceof"]["Op"]:
        op = records[name]
        if records[op["opDialect"]["def"]]["name"] == dialect and re.search(names, f"{dialect}.{op['opName']}"):
            rows.add(op)
    with open(output_path, "w", encoding="utf-8") as output:
        rows.write(output)


if __name__ == "__main__":
    main()
