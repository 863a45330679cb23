#!/usr/bin/env python3
"""Makes the files beside this one, from which onnx_fuzzer starts: make_seeds.py [FOLDER].

They have what the models of ../onnx do not: elements of every type in every way to write them, elements in other
files, attributes and values of every kind, and tensors in the safetensors format. Needs no package.
"""

import json
import pathlib
import struct
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "lit/import_onnx/Inputs"))
import models  # noqa: E402  an encoder of ONNX models
from models import field, varint  # noqa: E402

# Numbers of the type, of the field of TensorProto that has its elements, and bytes of one of them.
TYPES = {
    "float": (1, 4, 4), "uint8": (2, 5, 1), "int8": (3, 5, 1), "uint16": (4, 5, 2), "int16": (5, 5, 2),
    "int32": (6, 5, 4), "int64": (7, 7, 8), "bool": (9, 5, 1), "float16": (10, 5, 2), "double": (11, 10, 8),
    "uint32": (12, 11, 4), "uint64": (13, 11, 8), "complex64": (14, 4, 8), "complex128": (15, 10, 16),
    "bfloat16": (16, 5, 2), "uint4": (21, 5, 1), "float8": (17, 5, 1),
}


def tensor(name, dims, kind, *fields):
    return b"".join(field(1, dim) for dim in dims) + field(2, kind) + field(8, name) + b"".join(fields)


def elements():
    """Each type with raw elements, with two numbers one by one, and with two in one field."""
    tensors = []
    for name, (kind, number, size) in TYPES.items():
        tensors.append(tensor(f"{name}.raw", [2], kind, field(9, bytes([1, *[0] * (size - 1)]) * 2)))
        fixed = {4: (5, b"\0\0\x80\x3f"), 10: (1, b"\0\0\0\0\0\0\xf0\x3f")}.get(number)
        numbers = (2 if kind not in (14, 15) else 4)  # complex ones have two parts
        if fixed:
            wire, one = fixed
            tensors.append(tensor(f"{name}.single", [2], kind, (varint(number << 3 | wire) + one) * numbers))
        else:
            one = varint(1)
            tensors.append(tensor(f"{name}.single", [2], kind, field(number, 1) * numbers))
        tensors.append(tensor(f"{name}.packed", [2], kind, field(number, one * numbers)))
    tensors.append(tensor("negative", [2], 3, field(5, -128), field(5, varint(127))))
    tensors.append(tensor("text", [1], 8, field(6, "text")))
    tensors.append(tensor("segment", [1], 1, field(3, field(1, 0) + field(2, 1)), field(9, b"1234")))
    tensors.append(tensor("empty", [0, 1 << 62, 1 << 62], 1))
    return models.model([models.node("Identity", ["float.raw"], ["y"])], [], [models.value("y", [2])], tensors)


def external():
    """Elements of the file inside of the folder, of links that leave it, and of none."""
    places = [("inside.bin", {}), ("inside.bin", {"offset": "4", "length": "8"}), ("folder/../inside.bin", {}),
              ("link.bin", {}), ("missing/../link.bin", {}), ("link/outside.bin", {}), ("../outside.bin", {}),
              ("missing.bin", {}), (".", {}), ("inside.bin", {"offset": "9", "length": "99", "checksum": "0"})]
    tensors = []
    for index, (path, numbers) in enumerate(places):
        pairs = b"".join(field(13, field(1, key) + field(2, text))
                         for key, text in {"location": path, **numbers}.items())
        size = int(numbers.get("length", 16))
        tensors.append(tensor(f"w{index}", [size], 2, field(14, 1), pairs))
    return models.model([models.node("Identity", ["w0"], ["y"])], [], [models.value("y", [16], 2)], tensors)


def kinds():
    """Attributes and values of every kind, with a function, metadata and what readers skip."""
    part = models.tensor("t", [1], 1, b"1234")
    graph = bytes(models.graph_of([models.node("Relu", ["x"], ["a"])], [], [models.value("a", ["n", 2])]))
    attributes = [
        field(1, "f") + field(2, 1.5) + field(20, 1), field(1, "i") + field(3, -1) + field(20, 2),
        field(1, "s") + field(4, "text") + field(20, 3), field(1, "t") + field(5, part) + field(20, 4),
        field(1, "g") + field(6, graph) + field(20, 5), field(1, "floats") + field(7, 1.5) * 2 + field(20, 6),
        field(1, "packed") + field(7, b"\0\0\x80\x3f" * 2) + field(20, 6),
        field(1, "ints") + field(8, 3) * 2 + field(20, 7), field(1, "packed") + field(8, varint(-3) * 2) + field(20, 7),
        field(1, "strings") + field(9, "a") + field(9, "b") + field(20, 8),
        field(1, "tensors") + field(10, part) * 2 + field(20, 9),
        field(1, "graphs") + field(11, graph) * 2 + field(20, 10),
        field(1, "sparse") + field(22, field(1, part)) + field(20, 11),
        field(1, "type") + field(14, field(1, field(1, 1))) + field(20, 13),
        field(1, "ref") + field(21, "outer") + field(20, 1),
    ]
    node = (field(1, "x") + field(2, "y") + field(3, "n") + field(4, "Twice") + field(7, "own") + field(8, "o") +
            b"".join(field(5, each) for each in attributes))
    element = field(1, field(1, 1))
    values = [field(1, "v") + field(2, kind) for kind in
              [field(1, field(1, 1) + field(2, field(1, field(1, 3)) + field(1, field(2, "n")) + field(1, b""))),
               field(4, field(1, element)), field(5, field(1, 7) + field(2, element)), field(7, field(1, "d")),
               field(8, field(1, 1)), field(9, field(1, element)), field(6, "denotation")]]
    graph = (field(1, node) + field(2, "graph") + field(5, part) + field(15, field(1, part)) + field(10, "about") +
             b"".join(field(number, each) for number in (11, 12, 13) for each in values))
    function = (models.function("Twice", [models.node("Add", ["a", "a"], ["b"])]) + field(6, "outer") +
                field(11, attributes[0]) + field(13, "o") + field(8, "about"))
    return (field(1, 8) + field(2, "by") + field(3, "1") + field(5, 1) + field(7, graph) + field(8, field(2, 17)) +
            field(14, field(1, "key") + field(2, "text")) + field(25, function))


def safetensors():
    names = {"BOOL": 1, "U8": 1, "I8": 1, "U16": 2, "I16": 2, "U32": 4, "I32": 4, "U64": 8, "I64": 8, "F16": 2,
             "BF16": 2, "F32": 4, "F64": 8}
    header, end = {"__metadata__": {"format": "pt"}}, 0
    for name, size in names.items():
        header[name.lower()] = {"dtype": name, "shape": [2, 1], "data_offsets": [end, end + 2 * size]}
        end += 2 * size
    text = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text)) + text + bytes(end)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for name, make in {"elements.onnx": elements, "external.onnx": external, "kinds.onnx": kinds,
                       "types.safetensors": safetensors}.items():
        (folder / name).write_bytes(make())


if __name__ == "__main__":
    main()
