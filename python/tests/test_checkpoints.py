"""Checkpoints: bit-equal after they are loaded, files of others, and files that are refused."""

import json
import os
import struct
from typing import NamedTuple

import numpy as np
import pytest

import tfrt
from tfrt import nn, optim, tensor as T

DTYPES = ["i1", "u8", "i8", "u16", "i16", "f16", "bf16", "u32", "i32", "f32", "u64", "i64", "f64"]


def bits(x):
    return bytes(memoryview(x._bits()))


@pytest.mark.parametrize("ending", ["safetensors", "ckpt"])
def test_all_dtypes_are_bit_equal(tmp_path, ending):
    rng = np.random.default_rng(1)
    tree = {}
    for dtype in DTYPES:
        for shape in ((), (3,), (2, 0), (2, 3, 5)):
            size = int(np.prod(shape)) * getattr(tfrt, dtype).itemsize
            data = rng.integers(0, 2 if dtype == "i1" else 256, size).astype("u1").tobytes()  # NaNs with payloads, too
            tree[f"{dtype} {shape}"] = tfrt._tfrt._from_bytes(data, getattr(tfrt, dtype), list(shape))
    tree["c64"] = T(np.array([1 + 2j], "c8"))
    path = tmp_path / f"all.{ending}"
    tfrt.save(tree, path, metadata={"made by": "tests, ä"})
    loaded = tfrt.load_checkpoint(path)
    assert loaded.keys() == tree.keys()
    for name, x in tree.items():
        assert (loaded[name].dtype, loaded[name].shape, bits(loaded[name])) == (x.dtype, x.shape, bits(x)), name
    size = struct.unpack("<Q", path.read_bytes()[:8])[0]
    header = json.loads(path.read_bytes()[8:8 + size])
    assert size % 8 == 0 and header["__metadata__"] == {"made by": "tests, ä"}
    assert all(entry["data_offsets"][0] % getattr(tfrt, name.split()[0]).itemsize == 0 for name, entry in header.items()
               if name not in ("__metadata__", "c64"))
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_file_of_another_program(tmp_path):
    """Written byte by byte, with the header's spaces and in another order."""
    header = (b'{"b":{"shape":[2],"dtype":"F32","data_offsets":[2,10]},'
              b'"a":{"dtype":"BF16","data_offsets":[0,2],"shape":[]}}   ')
    path = tmp_path / "other.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\x80\x3f" + struct.pack("<2f", 1.5, -2.0))
    loaded = tfrt.load_checkpoint(str(path))
    assert loaded["a"].dtype == tfrt.bf16 and loaded["a"].item() == 1.0 and loaded["b"].tolist() == [1.5, -2.0]
    safetensors = pytest.importorskip("safetensors.numpy")
    tfrt.save({"x": loaded["b"]}, path)
    assert safetensors.load_file(path)["x"].tolist() == [1.5, -2.0]


class Pair(NamedTuple):
    left: object
    right: object


def test_trees(tmp_path):
    path = tmp_path / "tree.safetensors"
    tree = {"a": [T([1.0]), tfrt.Variable([2])], "b": Pair(np.ones(2, "f4"), (3, True)), "c": {"d": 0.5}}
    tfrt.save(tree, path)
    loaded = tfrt.load_checkpoint(path)
    assert {name: x.tolist() for name, x in loaded.items()} == {
        "a.0": [1.0], "a.1": [2], "b.left": [1.0, 1.0], "b.right.0": 3, "b.right.1": True, "c.d": 0.5}
    tfrt.save(T([4.0]), path)
    assert tfrt.load_checkpoint(path)["tensor"].tolist() == [4.0]
    tfrt.save({}, path)
    assert tfrt.load_checkpoint(path) == {}


@pytest.mark.parametrize("ending", ["safetensors", "npz"])
def test_models_and_optimizers(tmp_path, ending):
    def start(key):
        return nn.Sequential(nn.Linear(2, 3, key=key), nn.Dropout(0.5, seed=key)), optim.Adam(0.1)

    model, optimizer = start(1)
    optimizer.init(model)
    optimizer.state_dict()["mean.layers.0.weight"].assign_add(np.ones((2, 3), "f4"))
    model(T([[1.0, 2.0]]), training=True)
    path = tmp_path / f"model.{ending}"
    tfrt.save({"model": model, "optimizer": optimizer, "epoch": 7}, path)

    other, restored = start(2)
    restored.init(other)
    loaded = tfrt.load_checkpoint(path, {"model": other, "optimizer": restored, "epoch": None})
    assert loaded["epoch"].item() == 7 and other[1].generator.state.tolist() == [1, 1]
    assert other[0].weight.tolist() == model[0].weight.tolist()
    assert restored.state_dict()["mean.layers.0.weight"].tolist() == [[1.0] * 3] * 2

    other[0].bias.assign([9.0] * 3)
    with pytest.raises(ValueError, match=r"model.*lacks \['nothing'\]|has \['optimizer"):
        tfrt.load_checkpoint(path, {"model": other, "epoch": None})
    with pytest.raises(ValueError, match=r"has the shape \(2, 4\), but .*model.* gives \(2, 3\)"):
        tfrt.load_checkpoint(path, {"model": nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5)), "optimizer": restored,
                                    "epoch": 0})
    assert other[0].bias.tolist() == [9.0] * 3


def test_npz(tmp_path):
    path = tmp_path / "x.npz"
    tfrt.save({"x": T([[1.0, 2.0]]), "file": T([1, 2]), "flag": True}, path)
    with np.load(path) as file:
        assert file["x"].dtype == np.float32 and file["x"].tolist() == [[1.0, 2.0]] and file["file"].tolist() == [1, 2]
    np.savez(path, y=np.arange(3), x=np.float32(2))
    loaded = tfrt.load_checkpoint(path)
    assert loaded["y"].tolist() == [0, 1, 2] and loaded["y"].dtype == tfrt.i64 and loaded["x"].item() == 2.0
    with pytest.raises(TypeError, match="'x' is of bf16, which NumPy's files cannot have"):
        tfrt.save({"x": T([1.0], "bf16")}, path)
    with pytest.raises(ValueError, match="no metadata"):
        tfrt.save({}, path, metadata={"a": "b"})
    np.savez(path, x=np.array([object()]))
    with pytest.raises(ValueError, match="x.npz: .*allow_pickle"):
        tfrt.load_checkpoint(path)
    path.write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="x.npz: "):
        tfrt.load_checkpoint(path)


def test_a_file_is_replaced_as_a_whole(tmp_path, monkeypatch):
    path, link = tmp_path / "x.safetensors", tmp_path / "link.safetensors"
    tfrt.save({"x": T([1.0])}, path)
    link.symlink_to(path)
    tfrt.save({"x": T([2.0])}, link)
    assert link.is_symlink() and tfrt.load_checkpoint(path)["x"].tolist() == [2.0]

    def fail(file):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space left"):
        tfrt.save({"x": T([3.0])}, path)
    monkeypatch.undo()
    assert tfrt.load_checkpoint(path)["x"].tolist() == [2.0]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link.safetensors", "x.safetensors"]


@pytest.mark.parametrize("tree, error, message", [
    ({"a": "text"}, TypeError, "'a' is str"),
    ({"a": {"b": object()}}, TypeError, "'a.b' is object"),
    ({"__metadata__": T([1.0])}, ValueError, "no tensor can be called '__metadata__'"),
    ({"a": {"b": T([1.0])}, "a.b": T([1.0])}, ValueError, "two of the parts of the tree have the name 'a.b'"),
    ({"a": T(np.array([1j]))}, TypeError, "'a' is of complex128"),
])
def test_trees_that_are_refused(tmp_path, tree, error, message):
    with pytest.raises(error, match=message):
        tfrt.save(tree, tmp_path / "x.safetensors")
    assert not list(tmp_path.iterdir())


def entry(begin=0, end=4, dtype="F32", shape=(1,)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


DEEP = b"[" * 100_000
HOSTILE = {
    "empty": (b"", "has 0 bytes, and no header"),
    "short": (b"\x01\x02", "has 2 bytes, and no header"),
    "long header": (struct.pack("<Q", 2**63) + b"{}", "have 9223372036854775808 bytes, more than 2"),
    "header past the end": (struct.pack("<Q", 3) + b"{}", "have 3 bytes, more than 2"),
    "no utf-8": (b'{"\xff":1}', "is not what it should be"),
    "no json": (b"{", "is not what it should be"),
    "no object": (b"[]", "no object of JSON"),
    "deep": (DEEP, "nested too deeply|not what it should be"),
    "nan": (b'{"a":NaN}', "NaN is no number"),
    "twice": (b'{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},'
              b'"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}',
              "key 'a' comes twice"),
    "key twice": (b'{"a":{"dtype":"U8","dtype":"I8","shape":[],"data_offsets":[0,1]}}', "key 'dtype' comes twice"),
    "metadata": ({"__metadata__": {"a": 1}}, "metadata are not texts"),
    "no entry": ({"a": 1}, "entry of 'a' does not have"),
    "another key": ({"a": entry() | {"x": 1}}, "entry of 'a' does not have"),
    "dtype": ({"a": entry(dtype="F8_E4M3")}, "'a' has the unknown dtype 'F8_E4M3'"),
    "dtype of another type": ({"a": entry(dtype=["F32"])}, "unknown dtype"),
    "shape": ({"a": entry(shape=(-1,))}, "shape of 'a' are not sizes"),
    "shape of bools": ({"a": entry(shape=(True,))}, "shape of 'a' are not sizes"),
    "shape of floats": ({"a": entry(shape=(1.0,))}, "shape of 'a' are not sizes"),
    "huge shape": ({"a": entry(shape=(2**62, 2**62))}, "'a' needs 85070591730234615865843651857942052864 bytes"),
    "three offsets": ({"a": entry() | {"data_offsets": [0, 2, 4]}}, "data_offsets of 'a' are not two"),
    "wrong size": ({"a": entry(0, 3)}, "'a' needs 4 bytes, but has those from 0 to 3"),
    "backwards": ({"a": entry(4, 0)}, "'a' needs 4 bytes"),
    "out of range": ({"a": entry(0, 8, shape=(2,))}, "'a' ends at 8, behind the 4 bytes"),
    "overlap": ({"a": entry(), "b": entry(2, 3, "U8")}, "'b' begins at 2, but 'a' ends at 4"),
    "gap": ({"a": entry(0, 1, "U8"), "b": entry(2, 4, "U8", (2,))}, "nothing lies between 1 and 2, where 'b'"),
    "not all": ({"a": entry(0, 2, "U8", (2,))}, "end at 2, but the file has 4 bytes"),
    "bool": ({"a": entry(0, 4, "BOOL", (4,))}, "'a' has bools that are neither 0 nor 1"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_files_that_are_refused(tmp_path, name):
    header, message = HOSTILE[name]
    if isinstance(header, dict):
        header = json.dumps(header).encode()
    content = header if name in ("empty", "short", "long header", "header past the end") else (
        struct.pack("<Q", len(header)) + header + b"\x02\x01\x02\x03")
    path = tmp_path / "hostile.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"hostile.safetensors: .*{message}"):
        tfrt.load_checkpoint(path)


def test_changed_and_cut_files_never_crash(tmp_path):
    path = tmp_path / "x.safetensors"
    tfrt.save({"a": T([1.0, 2.0]), "b": T([[True], [False]])}, path)
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    for case in range(len(whole) + 300):
        content = bytearray(whole[:case])
        if case >= len(whole):
            content = bytearray(whole)
            content[rng.integers(len(whole))] = rng.integers(256)
        path.write_bytes(content)
        try:
            loaded = tfrt.load_checkpoint(path)
        except ValueError:
            continue
        assert case >= len(whole) and len(loaded) == 2


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        tfrt.load_checkpoint(tmp_path / "none.safetensors")
    with pytest.raises(FileNotFoundError):
        tfrt.save({}, tmp_path / "no folder" / "x.safetensors")


def test_members_of_npz_that_are_no_arrays(tmp_path):
    import zipfile
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(ValueError, match="x.npz: 'a.txt' is no array"):
        tfrt.load_checkpoint(path)


def test_shapes_of_many_sizes_are_refused(tmp_path):
    header = json.dumps({"x": {"dtype": "U8", "shape": [1 << 62] * 5000, "data_offsets": [0, 1]}}).encode()
    path = tmp_path / "x.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"0")
    with pytest.raises(ValueError, match="has 5000 dimensions, more than 64"):
        tfrt.load_checkpoint(path)
