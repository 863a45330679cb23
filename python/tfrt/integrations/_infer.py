"""Requests for inference in the Open Inference Protocol (version 2) over HTTP: JSON, and tensors as bytes behind it."""

from __future__ import annotations

import json
import math
from typing import Any, Optional

import numpy as np

from .._tensor import from_numpy
from .._tfrt import Model, Tensor

_DTYPES = {"BOOL": "?", "UINT8": "u1", "UINT16": "<u2", "UINT32": "<u4", "UINT64": "<u8", "INT8": "i1", "INT16": "<i2",
           "INT32": "<i4", "INT64": "<i8", "FP16": "<f2", "FP32": "<f4", "FP64": "<f8"}
_BY_TFRT = {"i1": "BOOL", "u8": "UINT8", "u16": "UINT16", "u32": "UINT32", "u64": "UINT64", "i8": "INT8",
            "i16": "INT16",
            "i32": "INT32", "i64": "INT64", "f16": "FP16", "f32": "FP32", "f64": "FP64"}


class Request:
    """The inputs by name, the names of the results that are wanted or None for all, and which of them as bytes."""

    def __init__(self, body: bytes, header_size: Optional[str] = None) -> None:
        """`header_size` is the header Inference-Header-Content-Length: the bytes of JSON, if tensors follow them.

        Tensors use the bytes in place. Raises ValueError for whatever is no request.
        """
        end = len(body)
        if header_size is not None:
            if not (header_size.isascii() and header_size.isdigit() and len(header_size) < 20
                    and int(header_size) <= end):
                raise ValueError(f"Inference-Header-Content-Length is {header_size!r}, but the body has {end} bytes")
            end = int(header_size)
        try:
            header = json.loads(body[:end])
        except (ValueError, RecursionError) as error:
            raise ValueError(f"the request is not JSON: {error}") from None
        self.id = _get(header, "id", str, "", "the request")
        self.inputs: dict[str, Tensor] = {}
        for tensor in _list(header, "inputs"):
            name = _get(tensor, "name", str, None, "an input")
            where = f"the input {name!r}"
            if name in self.inputs:
                raise ValueError(f"{where} is there twice")
            size = _get(_get(tensor, "parameters", dict, {}, where), "binary_data_size", int, None, where,
                        optional=True)
            if size is None:
                self.inputs[name] = from_numpy(_of_numbers(tensor, where))
                continue
            if size < 0 or size > len(body) - end:
                raise ValueError(f"{where} has {size} bytes, but {len(body) - end} are left in the body")
            self.inputs[name] = from_numpy(_of_bytes(tensor, memoryview(body)[end:end + size], where))
            end += size
        if end != len(body):
            raise ValueError(f"{len(body) - end} bytes of the body belong to no input")
        parameters = _get(header, "parameters", dict, {}, "the request")
        self._all_binary = _get(parameters, "binary_data_output", bool, False, "the request")
        self.outputs: Optional[list[str]] = None
        self._binary: dict[str, bool] = {}
        if header.get("outputs"):
            self.outputs = []
            for output in _list(header, "outputs"):
                name = _get(output, "name", str, None, "an output")
                given = _get(output, "parameters", dict, {}, f"the output {name!r}")
                self._binary[name] = _get(given, "binary_data", bool, self._all_binary, f"the output {name!r}")
                self.outputs.append(name)

    def answer(self, model: str, results: dict[str, Tensor]) -> tuple[bytes, dict[str, str]]:
        """Returns the body and the headers of the answer."""
        outputs, parts = [], []
        for name in results if self.outputs is None else self.outputs:
            if name not in results:
                raise ValueError(f"the model has no output {name!r}; its outputs are {', '.join(map(repr, results))}")
            datatype = _BY_TFRT.get(results[name].dtype.name)
            if datatype is None:
                raise ValueError(f"the output {name!r} is of {results[name].dtype}, which has no numbers in JSON")
            array = results[name].numpy()
            output: dict[str, Any] = {"name": name, "datatype": datatype, "shape": list(array.shape)}
            if self._binary.get(name, self._all_binary):
                output["parameters"] = {"binary_data_size": array.nbytes}
                parts.append(array.tobytes())
            else:
                output["data"] = array.reshape(-1).tolist()
            outputs.append(output)
        header = json.dumps({"model_name": model, **({"id": self.id} if self.id else {}), "outputs": outputs}).encode()
        if not parts:
            return header, {"Content-Type": "application/json"}
        return b"".join([header, *parts]), {"Content-Type": "application/octet-stream",
                                            "Inference-Header-Content-Length": str(len(header))}


def metadata(name: str, model: Model) -> dict[str, Any]:
    """The answer to the request for a model's metadata. Open sizes are -1."""
    def described(value):
        shape = [size if isinstance(size, int) else -1 for size in value.shape or ()]
        return {"name": value.name, "datatype": _BY_TFRT.get(value.dtype.name, value.dtype.name.upper()),
                "shape": shape}

    return {"name": name, "versions": ["1"], "platform": "tfrt_bef", "inputs": [described(v) for v in model.inputs],
            "outputs": [described(v) for v in model.outputs]}


def _get(of, key, kind, default, where, optional=False):
    if not isinstance(of, dict):
        raise ValueError(f"{where} is no object of JSON")
    value = of.get(key, default)
    if value is None and optional:
        return None
    if type(value) is not kind:
        raise ValueError(f"{where} has the {key!r} {value!r}, not one of the type {kind.__name__}")
    return value


def _list(header, key):
    return _get(header, key, list, None, "the request")


def _layout(tensor, where):
    datatype = _get(tensor, "datatype", str, None, where)
    if datatype not in _DTYPES:
        raise ValueError(f"{where} has the datatype {datatype!r}, not one of {', '.join(_DTYPES)}")
    shape = _get(tensor, "shape", list, None, where)
    if not all(type(size) is int and 0 <= size < 2**40 for size in shape) or len(shape) > 32:
        raise ValueError(f"{where} has the shape {shape}, not up to 32 sizes of 0 or more")
    return np.dtype(_DTYPES[datatype]), shape


def _of_bytes(tensor, data, where):
    dtype, shape = _layout(tensor, where)
    if math.prod(shape) * dtype.itemsize != len(data):
        raise ValueError(f"{where} has {len(data)} bytes, but its shape and datatype need "
                         f"{math.prod(shape) * dtype.itemsize}")
    array = np.frombuffer(data, "u1")
    if array.size and array.__array_interface__["data"][0] % dtype.itemsize:
        array = array.copy()  # behind a header of any length
    return array.view(dtype).reshape(shape)


def _of_numbers(tensor, where):
    dtype, shape = _layout(tensor, where)
    data = _get(tensor, "data", list, None, where)
    try:
        given = np.array(data)
    except ValueError:
        raise ValueError(f"{where} has data that is no tensor") from None
    allowed = {"b": "b", "f": "fiu"}.get(dtype.kind, "iu")
    if given.size and given.dtype.kind not in allowed:
        raise ValueError(f"{where} has data that are not of its datatype")
    try:
        array = np.array(data, dtype)
    except OverflowError:
        raise ValueError(f"{where} has numbers that do not fit its datatype") from None
    if array.size != math.prod(shape):
        raise ValueError(f"{where} has {array.size} elements, but its shape needs {math.prod(shape)}")
    return array.reshape(shape)
