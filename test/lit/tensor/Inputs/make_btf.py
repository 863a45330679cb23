"""Writes BTF files for tests, good ones and damaged ones, into a folder."""

import pathlib
import struct
import sys

I8, I32, F32, U8 = 0, 2, 4, 6
DENSE, COO = 0, 1


def record(dtype, layout, dims, payload):
    header = struct.pack(f"<QBB6x{len(dims)}Q", len(dims), dtype, layout, *dims)
    return header + payload + bytes(-len(payload) % 8)


def coo(dtype, dims, indices, values):
    rows = struct.pack(f"<QQ{len(indices)}q", len(indices) // len(dims), len(dims), *indices)
    return record(dtype, COO, dims, rows + struct.pack("<Q", len(values)) + bytes(values))


def file(records, offsets=None):
    if offsets is None:
        offsets = [8 * (len(records) + 1)]
        for r in records[:-1]:
            offsets.append(offsets[-1] + len(r))
    return struct.pack(f"<Q{len(offsets)}Q", len(offsets), *offsets) + b"".join(records)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    floats = record(F32, DENSE, [2, 2], struct.pack("<4f", 1, 2, 3, 4))
    files = {
        "good": file([floats,
                      record(U8, DENSE, [3], bytes([1, 2, 255])),
                      record(I32, DENSE, [], struct.pack("<i", -7)),
                      coo(I8, [2, 3], [0, 1, 1, 2], [10, 20])]),
        "empty": b"",
        "offsets": struct.pack("<QQ", 2, 16),
        "headers": file([floats], [1000]),
        "misaligned": file([floats], [17]),
        "dims": file([floats])[:40],
        "data": file([floats])[:52],
        "unknown": file([record(77, DENSE, [1], bytes(8)), record(F32, 5, [1], bytes(8))],
                        [24, 56]),
        "sizes": file([coo(I8, [2, 3], [0, 1, 1, 2], [10, 20, 30])]),
        "indices": file([coo(I8, [2, 3], [0, 1, 1, 3], [10, 20])]),
    }
    for name, contents in files.items():
        (folder / f"{name}.btf").write_bytes(contents)


if __name__ == "__main__":
    main()
