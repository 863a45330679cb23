#!/usr/bin/env python3
"""Reads and writes BTF, the tensor files of tfrt, with NumPy.

    btf.py write OUT.btf IN.npy... [IN.npz...]   the arrays in order; those of an .npz file by name
    btf.py write --sparse OUT.btf IN.npy...      only the elements that are not 0
    btf.py read IN.btf                           prints what is in the file
    btf.py read IN.btf -o OUT.npz                saves the tensors as arrays tensor_0, tensor_1, ...

As a module:

    import btf
    btf.write("weights.btf", [kernel, bias, btf.Sparse.from_dense(table)])
    kernel, bias, table = btf.read("weights.btf")
"""

import argparse
import dataclasses
import os
import struct
import sys

import numpy as np

# By type code.
DTYPES = [np.dtype(name) for name in ("<i1", "<i2", "<i4", "<i8", "<f4", "<f8",
                                      "<u1", "<u2", "<u4", "<u8")]
DENSE, SPARSE = 0, 1
HEADER = struct.Struct("<QBB6x")


class BtfError(ValueError):
    """A file that is no BTF file, or an array that BTF cannot hold."""


@dataclasses.dataclass
class Sparse:
    """A tensor as a list of coordinates, [n, rank], and values, [n]; other elements are 0."""
    shape: tuple
    indices: np.ndarray
    values: np.ndarray

    @staticmethod
    def from_dense(array):
        array = np.asarray(array)
        # nonzero refuses arrays of rank 0.
        places = np.flatnonzero(array)
        indices = np.stack(np.unravel_index(places, array.shape), axis=-1) if array.ndim else \
            np.zeros((len(places), 0))
        return Sparse(array.shape, indices.astype("<i8"), array.reshape(-1)[places])

    def to_dense(self):
        array = np.zeros(int(np.prod(self.shape)), self.values.dtype)
        # In rank 0 each value is that of the only element.
        places = np.ravel_multi_index(tuple(self.indices.T), self.shape) if self.shape else 0
        if len(self.values):
            array[places] = self.values if self.shape else self.values[-1]
        return array.reshape(self.shape)


def _type_code(array):
    dtype = array.dtype.newbyteorder("<")
    if dtype not in DTYPES:
        raise BtfError(f"BTF has no dtype {array.dtype}")
    return DTYPES.index(dtype)


def _bytes_of(array, code):
    return np.ascontiguousarray(array, DTYPES[code]).tobytes()


def _encode(tensor):
    if isinstance(tensor, Sparse):
        values = np.asarray(tensor.values)
        code, layout, shape = _type_code(values), SPARSE, tuple(tensor.shape)
        indices = np.asarray(tensor.indices)
        if values.ndim != 1 or indices.shape != (len(values), len(shape)):
            raise BtfError(f"indices {indices.shape} and values {values.shape} do not fit the shape {shape}")
        if indices.size and (indices.min() < 0 or (indices >= np.array(shape)).any()):
            raise BtfError(f"an index lies outside the shape {shape}")
        payload = struct.pack("<QQ", *indices.shape) + _bytes_of(indices, DTYPES.index("<i8")) + \
            struct.pack("<Q", len(values)) + _bytes_of(values, code)
    else:
        array = np.asarray(tensor)
        code, layout, shape = _type_code(array), DENSE, array.shape
        payload = _bytes_of(array, code)
    dims = struct.pack(f"<{len(shape)}Q", *shape)
    return HEADER.pack(len(shape), code, layout) + dims + payload + bytes(-len(payload) % 8)


def encode(tensors):
    """The bytes of a file with these arrays and Sparse tensors."""
    records = [_encode(tensor) for tensor in tensors]
    offset = 8 * (len(records) + 1)
    offsets = []
    for record in records:
        offsets.append(offset)
        offset += len(record)
    return struct.pack(f"<{len(records) + 1}Q", len(records), *offsets) + b"".join(records)


def write(path, tensors):
    data = encode(tensors)
    # A file that takes the name when it is complete: readers that have the old one mapped keep that.
    path = os.fspath(path)
    unfinished = f"{path}.{os.getpid()}"
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise


class _Reader:
    def __init__(self, data, offset):
        self.data, self.offset = data, offset

    def unpack(self, fmt):
        size = struct.calcsize(fmt)
        self.offset += size
        if self.offset > len(self.data):
            raise BtfError("the file is too short")
        return struct.unpack_from(fmt, self.data, self.offset - size)

    def dims(self, rank):
        if rank > 255:
            raise BtfError(f"a tensor of rank {rank}")
        return self.unpack(f"<{rank}Q")

    def array(self, dtype, shape):
        count = 1
        for dim in shape:  # Python's integers do not overflow
            count *= dim
        begin = self.offset
        self.offset += count * dtype.itemsize
        if self.offset > len(self.data):
            raise BtfError("the file is too short")
        return np.frombuffer(self.data, dtype, count, begin).reshape(shape).copy()


def decode(data):
    """The arrays and Sparse tensors of a file's bytes."""
    (count,) = _Reader(data, 0).unpack("<Q")
    if count > len(data) // 8:
        raise BtfError("the file is too short")
    tensors = []
    for offset in _Reader(data, 8).unpack(f"<{count}Q"):
        reader = _Reader(data, offset)
        rank, code, layout = reader.unpack(HEADER.format)
        if code >= len(DTYPES) or layout not in (DENSE, SPARSE):
            raise BtfError(f"a tensor of dtype {code} and layout {layout}")
        shape = reader.dims(rank)
        if layout == DENSE:
            tensors.append(reader.array(DTYPES[code], shape))
            continue
        indices = reader.array(np.dtype("<i8"), reader.dims(2))
        values = reader.array(DTYPES[code], reader.dims(1))
        if indices.size != values.size * rank:
            raise BtfError("indices and values differ in size")
        tensors.append(Sparse(shape, indices.reshape(len(values), rank), values))
    return tensors


def read(path):
    with open(path, "rb") as file:
        return decode(file.read())


def _load(path):
    loaded = np.load(path, allow_pickle=False)
    return [loaded[name] for name in loaded.files] if hasattr(loaded, "files") else [loaded]


def main():
    parser = argparse.ArgumentParser(description="Reads and writes tensor files with NumPy.")
    commands = parser.add_subparsers(dest="command", required=True)
    write_parser = commands.add_parser("write", help="write .npy and .npz files into a BTF file")
    write_parser.add_argument("--sparse", action="store_true", help="only elements that are not 0")
    write_parser.add_argument("output")
    write_parser.add_argument("inputs", nargs="+")
    read_parser = commands.add_parser("read", help="print, or save as .npz, what is in a BTF file")
    read_parser.add_argument("input")
    read_parser.add_argument("-o", dest="output", help="an .npz file")
    options = parser.parse_args()
    try:
        if options.command == "write":
            tensors = [array for path in options.inputs for array in _load(path)]
            write(options.output, map(Sparse.from_dense, tensors) if options.sparse else tensors)
            return
        tensors = read(options.input)
    except (BtfError, OSError) as error:
        sys.exit(f"btf.py: {error}")
    arrays = [t.to_dense() if isinstance(t, Sparse) else t for t in tensors]
    if options.output:
        np.savez(options.output, **{f"tensor_{i}": array for i, array in enumerate(arrays)})
    else:
        for i, (tensor, array) in enumerate(zip(tensors, arrays)):
            kind = "sparse " if isinstance(tensor, Sparse) else ""
            print(f"[{i}] {kind}{array.dtype} {list(array.shape)}\n{array}")


if __name__ == "__main__":
    main()
