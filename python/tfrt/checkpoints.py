"""Checkpoints: trees of tensors, variables, modules and optimizers in files of the format safetensors, or .npz.

    tfrt.save({"model": model, "optimizer": optimizer, "epoch": 3}, "last.safetensors")
    tensors = tfrt.load_checkpoint("last.safetensors")                    # by name, as "model.linear.weight"
    tfrt.load_checkpoint("last.safetensors", {"model": model, "optimizer": optimizer, "epoch": None})

A safetensors file is the size of a header in 8 bytes, the header in JSON, and the elements, all little-endian.
"""

from __future__ import annotations

import contextlib as _contextlib
import json as _json
import math as _math
import os as _os
import sys as _sys
from collections.abc import Mapping
from typing import Any

from . import _tfrt
from ._tfrt import Tensor, Variable, tensor
from ._tfrt import _from_bytes
from ._trees import assign_all as _assign_all, by_name as _by_name, named_leaves as _named_leaves

__all__ = ["load_checkpoint", "save"]

_MOST_HEADER = 100_000_000
_MOST_DIMENSIONS = 64
_NAMES = {"BOOL": "i1", "U8": "u8", "I8": "i8", "U16": "u16", "I16": "i16", "F16": "f16", "BF16": "bf16", "U32": "u32",
          "I32": "i32", "F32": "f32", "U64": "u64", "I64": "i64", "F64": "f64", "C64": "complex64"}
_DTYPES = {name: getattr(_tfrt, ours) for name, ours in _NAMES.items()}
_OF_DTYPE = {dtype: name for name, dtype in _DTYPES.items()}


def save(tree: Any, path: str | _os.PathLike[str], *, metadata: Mapping[str, str] | None = None) -> None:
    """Writes tensors, arrays, numbers, Variables, modules and optimizers, also in dicts, lists and tuples, to a file.

    Their names are the keys, numbers and attributes on the way to them, with points between. A path that ends with .npz
    gives a file of NumPy's, any other one of the format safetensors, with `metadata`, texts by name. The file is
    replaced when all is written: a reader sees the old one or the new one.
    """
    leaves = [(name or "tensor", _leaf(leaf, name)) for name, leaf in _named_leaves(tree)]
    named = _by_name(leaves, "parts of the tree")
    if _os.fspath(path).endswith(".npz"):
        if metadata:
            raise ValueError("a file .npz has no metadata")
        _replace(path, lambda file: _write_npz(file, named))
    else:
        header = _header(named, metadata)
        _replace(path, lambda file: _write_safetensors(file, header, named))


def load_checkpoint(path: str | _os.PathLike[str], into: Any = None) -> dict[str, Tensor]:
    """The tensors of a file of the format safetensors, or of a .npz, by name, in host memory.

    `into` is a tree as `save` takes it: its Variables, modules and optimizers get the values of their names, or none of
    them if a name, shape or dtype does not fit. Other leaves of it are names only.
    """
    read = _read_npz if _os.fspath(path).endswith(".npz") else _read_safetensors
    tensors = read(path)
    if into is not None:
        named = _by_name(_named_leaves(into), "parts of the tree")
        others = {name for name, leaf in named.items() if not isinstance(leaf, Variable)}
        values = {name: value for name, value in tensors.items() if name not in others}
        _assign_all({name: leaf for name, leaf in named.items() if name not in others}, values, _os.fspath(path))
    return tensors


def _leaf(value, name):
    if isinstance(value, Variable):
        value = value.read()
    if not isinstance(value, Tensor):
        is_array = hasattr(value, "__array__") or hasattr(value, "__dlpack__")
        if not is_array and not isinstance(value, (bool, int, float)):
            raise TypeError(f"{name!r} is {type(value).__name__}; tensors, arrays, numbers and objects with state_dict "
                            "are saved")
        value = tensor(value)
    if value.dtype not in _OF_DTYPE:
        raise TypeError(f"{name!r} is of {value.dtype}, which a checkpoint cannot have")
    value.wait()
    return value


def _replace(path, write):
    """Lets `write` fill a new file, which then takes the place of the old one."""
    path = _os.path.realpath(path)
    part = f"{path}.{_os.getpid()}.{_os.urandom(4).hex()}.part"
    try:
        with open(part, "xb") as file:
            write(file)
            file.flush()
            _os.fsync(file.fileno())
        _os.replace(part, path)
    except BaseException:
        with _contextlib.suppress(FileNotFoundError):
            _os.unlink(part)
        raise
    with _contextlib.suppress(OSError):  # so that the name outlives a loss of power, where folders can be opened
        folder = _os.open(_os.path.dirname(path), _os.O_RDONLY)
        try:
            _os.fsync(folder)
        finally:
            _os.close(folder)


# --- safetensors ---

def _bytes_of(value):
    return memoryview(value._bits()).cast("B") if value.size and value.ndim else bytes(memoryview(value._bits()))


def _in_file_order(named):
    """Large elements first, so that all are aligned."""
    return sorted(named.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))


def _header(named, metadata):
    entries: dict[str, Any] = {}
    if metadata:
        for name, text in metadata.items():
            if not isinstance(name, str) or not isinstance(text, str):
                raise TypeError(f"metadata are texts by name, and {name!r} is not")
        entries["__metadata__"] = dict(metadata)
    at = 0
    for name, value in _in_file_order(named):
        if name == "__metadata__":
            raise ValueError("no tensor can be called '__metadata__'")
        end = at + value.size * value.dtype.itemsize
        entries[name] = {"dtype": _OF_DTYPE[value.dtype], "shape": list(value.shape), "data_offsets": [at, end]}
        at = end
    header = _json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    if len(header) > _MOST_HEADER:
        raise ValueError(f"the header has {len(header)} bytes, more than {_MOST_HEADER}")
    return header


def _write_safetensors(file, header, named):
    if _sys.byteorder != "little":
        raise NotImplementedError("safetensors are written by little-endian machines only")
    file.write(len(header).to_bytes(8, "little"))
    file.write(header)
    for _, value in _in_file_order(named):
        file.write(_bytes_of(value))


def _once(pairs):
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} comes twice")
    return made


def _not_a_number(text):
    raise ValueError(f"{text} is no number of JSON")


def _parsed(header):
    """The entries of a header by name, checked one by one."""
    try:
        entries = _json.loads(header.decode("utf-8"), object_pairs_hook=_once, parse_constant=_not_a_number)
    except RecursionError:
        raise ValueError("the header is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"the header is not what it should be: {error}") from None
    if not isinstance(entries, dict):
        raise ValueError("the header is no object of JSON")
    metadata = entries.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise ValueError("the metadata are not texts by name")
    for name, entry in entries.items():
        if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
            raise ValueError(f"the entry of {name!r} does not have dtype, shape and data_offsets")
        if not isinstance(entry["dtype"], str) or entry["dtype"] not in _DTYPES:
            raise ValueError(f"{name!r} has the unknown dtype {entry['dtype']!r}")
        for key in ("shape", "data_offsets"):
            if not isinstance(entry[key], list) or not all(type(n) is int and 0 <= n < 1 << 63 for n in entry[key]):
                raise ValueError(f"{key} of {name!r} are not sizes")
        if len(entry["data_offsets"]) != 2:
            raise ValueError(f"data_offsets of {name!r} are not two")
        if len(entry["shape"]) > _MOST_DIMENSIONS:
            raise ValueError(f"{name!r} has {len(entry['shape'])} dimensions, more than {_MOST_DIMENSIONS}")
        size = _math.prod(entry["shape"]) * _DTYPES[entry["dtype"]].itemsize
        begin, end = entry["data_offsets"]
        if end - begin != size:
            raise ValueError(f"{name!r} needs {size} bytes, but has those from {begin} to {end}")
    return entries


def _check_places(entries, size):
    """Checks that the elements fill the file without gaps, one after the other."""
    at, before = 0, None
    for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        if end > size:
            raise ValueError(f"{name!r} ends at {end}, behind the {size} bytes of elements")
        if begin < at:
            raise ValueError(f"{name!r} begins at {begin}, but {before!r} ends at {at}")
        if begin > at:
            raise ValueError(f"nothing lies between {at} and {begin}, where {name!r} begins")
        at, before = end, name
    if at != size:
        raise ValueError(f"the elements end at {at}, but the file has {size} bytes of them")


def _read_safetensors(path):
    try:
        with open(path, "rb") as file:
            size = _os.fstat(file.fileno()).st_size
            start = file.read(8)
            if len(start) < 8:
                raise ValueError(f"the file has {len(start)} bytes, and no header")
            length = int.from_bytes(start, "little")
            if length > min(_MOST_HEADER, size - 8):
                raise ValueError(f"the header is said to have {length} bytes, more than "
                                 f"{min(_MOST_HEADER, size - 8)}")
            entries = _parsed(file.read(length))
            _check_places(entries, size - 8 - length)
            made = {}
            for name, entry in entries.items():
                begin, end = entry["data_offsets"]
                file.seek(8 + length + begin)
                data = bytearray(end - begin)
                if file.readinto(data) != len(data):
                    raise ValueError(f"the file ends within {name!r}")
                _check_bools(name, entry, data)
                made[name] = _from_bytes(data, _DTYPES[entry["dtype"]], entry["shape"])
            return made
    except ValueError as error:
        raise ValueError(f"{_os.fspath(path)}: {error}") from None


def _check_bools(name, entry, data):
    if entry["dtype"] == "BOOL" and data.translate(None, b"\x00\x01"):
        raise ValueError(f"{name!r} has bools that are neither 0 nor 1")


# --- .npz ---

def _write_npz(file, named):
    import zipfile

    import numpy
    for name, value in named.items():
        if value.dtype == _tfrt.bf16:
            raise TypeError(f"{name!r} is of bf16, which NumPy's files cannot have; save a file .safetensors")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, value in named.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as member:
                numpy.lib.format.write_array(member, numpy.asarray(value.numpy()), allow_pickle=False)


def _read_npz(path):
    import zipfile
    import zlib

    import numpy
    try:
        with numpy.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        for name, array in arrays.items():
            if not isinstance(array, numpy.ndarray):
                raise ValueError(f"{name!r} is no array")
        return {name: tensor(array) for name, array in arrays.items()}
    except (ValueError, TypeError, BufferError, MemoryError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise ValueError(f"{_os.fspath(path)}: {error}") from None
