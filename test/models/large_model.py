#!/usr/bin/env python3
"""A model of 5 GiB, whose weights lie in a file beside it, is imported, opened and run.

usage: large_model.py TOOLS_DIR FOLDER      FOLDER: for files of 10 GiB, which are removed
Part of scripts/run_long_tests.sh.
"""

import os
import pathlib
import re
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lit/import_onnx/Inputs"))

from models import FLOAT, INT64, field, model, node, value

ROWS, COLUMNS = 1310720, 1024
SIZE = ROWS * COLUMNS * 4
# Rows that are not all 0: at both ends, and on both sides of 2 and 4 GiB.
IDS = [0, 1, 524287, 524288, 1048575, 1048576, 1048577, ROWS - 1]


def row(number):
    return struct.pack(f"<{COLUMNS}f", *(number + column / COLUMNS for column in range(COLUMNS)))


def write_npy(path, code, shape, data):
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def write_model(folder):
    with open(folder / "table.bin", "wb") as table:
        table.truncate(SIZE)  # a hole, but for the rows
        for number in IDS:
            table.seek(number * COLUMNS * 4)
            table.write(row(number))
    external = b"".join(field(13, field(1, key) + field(2, text))
                        for key, text in (("location", "table.bin"), ("offset", "0"), ("length", str(SIZE))))
    table = field(1, ROWS) + field(1, COLUMNS) + field(2, FLOAT) + field(8, "table") + external + field(14, 1)
    (folder / "model.onnx").write_bytes(model(
        [node("Gather", ["table", "ids"], ["y"])], [value("ids", ["n"], INT64)], [value("y", ["n", COLUMNS])], [table]))
    write_npy(folder / "ids.npy", "<i8", (len(IDS),), struct.pack(f"<{len(IDS)}q", *IDS))
    write_npy(folder / "y.npy", "<f4", (len(IDS), COLUMNS), b"".join(map(row, IDS)))


def run(*command):
    """What the command prints, and its peak memory in bytes."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{output}\nwait status {status}")
    return output, usage.ru_maxrss * 1024


def main():
    tools, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in ("table.bin", "model.onnx", "ids.npy", "y.npy", "model.bef")]
    try:
        write_model(folder)
        _, peak = run(tools / "tfrt_import", folder / "model.onnx", "-o", folder / "model.bef")
        print(f"import: peak {peak / SIZE:.2f} x the file")
        assert peak <= 1.5 * SIZE
        opened = []
        for _ in range(5):
            output, peak = run(tools / "tfrt_run", folder / "model.bef", "--input", f"ids={folder / 'ids.npy'}",
                               "--expect", f"y={folder / 'y.npy'}", "--atol", "0", "--rtol", "0", "--bench", "--runs",
                               "1")
            assert "y as expected" in output, output
            opened.append(float(re.search(r"^open +([\d.]+) ms", output, re.MULTILINE)[1]))
        print(f"run: peak {peak / 2**20:.0f} MiB; open {min(opened):.3f} ms, at most {max(opened):.3f}")
        # Of the table the rows alone are touched.
        assert peak < 256 << 20
        assert min(opened) <= 1.0
    finally:
        for file in files:
            file.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
