#!/usr/bin/env python3
"""Writes and reads BTF files with scripts/btf.py, and has btf_info read them too.

usage: check_btf_script.py SCRIPTS_DIR BTF_INFO

Exits with 77 (skipped) without NumPy.
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("no NumPy")
    sys.exit(77)

SCRIPTS, BTF_INFO = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS))
import btf  # noqa: E402  # from the folder that the command line names

EXPECTED = """\
[0] DenseHostTensor dtype = f32, shape = [2, 3], values = [0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]
[1] DenseHostTensor dtype = u8, shape = [3], values = [1, 2, 255]
[2] DenseHostTensor dtype = i64, shape = [], values = [-7]
[3] CooHostTensor dtype = f32, shape = [2, 3], indices = [0, 1, 1, 2], values = [1.000000e+01, 2.000000e+01]
[4] DenseHostTensor dtype = f64, shape = [0, 2], values = []
"""


def run(*command, fails=False):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stderr if fails else done.stdout


def check_error(data, message):
    try:
        btf.decode(data)
    except btf.BtfError as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"no error: {message}")


def main():
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    table = np.array([[0, 10, 0], [0, 0, 20]], np.float32)
    tensors = [matrix, np.array([1, 2, 255], np.uint8), np.array(-7), btf.Sparse.from_dense(table),
               np.zeros((0, 2))]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        btf.write(folder / "a.btf", tensors)
        assert run(BTF_INFO, folder / "a.btf") == EXPECTED, run(BTF_INFO, folder / "a.btf")
        back = btf.read(folder / "a.btf")
        assert (back[3].to_dense() == table).all()
        for i in (0, 1, 2, 4):
            assert back[i].dtype == tensors[i].dtype and np.array_equal(back[i], tensors[i])

        # The command, from .npy and .npz files and back; Fortran order and big-endian arrays too.
        np.save(folder / "m.npy", np.asfortranarray(matrix.astype(">f4")))
        np.savez(folder / "n.npz", x=tensors[1], y=table)
        script = [sys.executable, "-B", SCRIPTS / "btf.py"]
        run(*script, "write", folder / "b.btf", folder / "m.npy", folder / "n.npz")
        run(*script, "read", folder / "b.btf", "-o", folder / "b.npz")
        saved = np.load(folder / "b.npz")
        assert np.array_equal(saved["tensor_0"], matrix)
        assert np.array_equal(saved["tensor_2"], table)
        run(*script, "write", "--sparse", folder / "c.btf", folder / "m.npy")
        assert run(*script, "read", folder / "c.btf").startswith("[0] sparse float32 [2, 3]")
        assert btf.Sparse.from_dense(np.array(3.0)).to_dense() == 3.0

        (folder / "bad.btf").write_bytes(b"abc")
        assert "the file is too short" in run(*script, "read", folder / "bad.btf", fails=True)
        assert "No such file" in run(*script, "read", folder / "absent.btf", fails=True)
        np.save(folder / "half.npy", np.zeros(1, np.float16))
        error = run(*script, "write", folder / "d.btf", folder / "half.npy", fails=True)
        assert "BTF has no dtype float16" in error, error

    data = btf.encode(tensors)
    for size in range(0, len(data) - 8, 8):
        check_error(data[:size], "too short")
    check_error(data[:48] + bytes([2, 0, 0, 0, 0, 0, 0, 0, 77]) + data[57:], "a tensor of dtype 77")
    try:
        btf.encode([btf.Sparse((2,), np.array([[2]]), np.array([1.0]))])
    except btf.BtfError as error:
        assert "outside the shape (2,)" in str(error)
    else:
        raise AssertionError("an index outside was written")
    print("all BTF files are as expected")


if __name__ == "__main__":
    main()
