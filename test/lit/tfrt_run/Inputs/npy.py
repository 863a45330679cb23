"""npy.py FILE NUMBER...: writes a row of f32 as an NPY file. npy.py --show FILE: prints one."""

import ast
import struct
import sys

if sys.argv[1] == "--show":
    data = open(sys.argv[2], "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10 : 10 + size].decode())
    print(header["descr"], header["shape"], *(v for (v,) in struct.iter_unpack("<f", data[10 + size :])))
else:
    numbers = [float(text) for text in sys.argv[2:]]
    header = repr({"descr": "<f4", "fortran_order": False, "shape": (1, len(numbers))}).encode()
    header += b" " * (118 - 1 - len(header)) + b"\n"
    body = struct.pack(f"<{len(numbers)}f", *numbers)
    open(sys.argv[1], "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body)
