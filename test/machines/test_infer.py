"""Requests of the Open Inference Protocol, as deployments in Ray read and answer them; no part of Ray is needed."""

import json
import pathlib
import sys

import numpy as np
import pytest

import tfrt
from tfrt.integrations import _infer

COLOURS = pathlib.Path(__file__).resolve().parents[2] / "examples/embed_model/colours.bef"
DTYPES = {"BOOL": "?", "UINT8": "u1", "UINT16": "u2", "UINT32": "u4", "UINT64": "u8", "INT8": "i1", "INT16": "i2",
          "INT32": "i4", "INT64": "i8", "FP16": "f2", "FP32": "f4", "FP64": "f8"}


def request(*inputs, **rest):
    return json.dumps({"inputs": list(inputs), **rest}).encode()


def x(**changes):
    return {"name": "x", "datatype": "FP32", "shape": [2], "data": [1.0, 2.5], **changes}


@pytest.mark.parametrize("datatype", DTYPES)
@pytest.mark.parametrize("padding", [0, 1, 2, 3])
def test_tensors_there_and_back(datatype, padding):
    array = np.array([[1, 0, 1], [0, 1, 1]], DTYPES[datatype])
    as_json = _infer.Request(request(x(datatype=datatype, shape=[2, 3], data=array.tolist())))
    flat = _infer.Request(request(x(datatype=datatype, shape=[2, 3], data=array.reshape(-1).tolist())))
    header = request({"name": "x", "datatype": datatype, "shape": [2, 3],
                      "parameters": {"binary_data_size": array.nbytes}},
                     id="7", outputs=[{"name": "x", "parameters": {"binary_data": True}}]) + b" " * padding
    as_bytes = _infer.Request(header + array.tobytes(), str(len(header)))
    for made in (as_json, flat, as_bytes):
        tensor = made.inputs["x"]
        assert tensor.numpy().dtype == array.dtype and (tensor.numpy() == array).all()
    body, headers = as_json.answer("m", as_json.inputs)
    assert headers == {"Content-Type": "application/json"} and json.loads(body) == {"model_name": "m", "outputs": [
        {"name": "x", "datatype": datatype, "shape": [2, 3], "data": array.reshape(-1).tolist()}]}
    body, headers = as_bytes.answer("m", as_bytes.inputs)
    size = int(headers["Inference-Header-Content-Length"])
    assert json.loads(body[:size]) == {"model_name": "m", "id": "7", "outputs": [
        {"name": "x", "datatype": datatype, "shape": [2, 3], "parameters": {"binary_data_size": array.nbytes}}]}
    assert body[size:] == array.tobytes()


def test_outputs():
    results = {"a": tfrt.tensor([1, 2]), "b": tfrt.tensor([0.5])}
    made = _infer.Request(request(x(), parameters={"binary_data_output": True}, outputs=[
        {"name": "b"}, {"name": "a", "parameters": {"binary_data": False}}]))
    body, headers = made.answer("m", results)
    outputs = json.loads(body[:int(headers["Inference-Header-Content-Length"])])["outputs"]
    assert [output["name"] for output in outputs] == ["b", "a"] and outputs[1]["data"] == [1, 2]
    assert body.endswith(np.array([0.5], "f4").tobytes())
    with pytest.raises(ValueError, match="the model has no output 'b'; its outputs are 'a'"):
        made.answer("m", {"a": results["a"]})
    with pytest.raises(ValueError, match="the output 'b' is of .*bf16"):
        made.answer("m", {**results, "b": tfrt.tensor([1.0], dtype=tfrt.bf16)})


@pytest.mark.parametrize("body, text", [
    (b"", "the request is not JSON"),
    (b"[" * 100000, "the request is not JSON"),
    (b"[]", "the request is no object of JSON"),
    (b"{}", "the request has the 'inputs' None"),
    (b'{"inputs": [3]}', "an input is no object of JSON"),
    (request(x(name=3)), "an input has the 'name' 3, not one of the type str"),
    (request(x(), x()), "the input 'x' is there twice"),
    (request(x(datatype="BYTES")), "the input 'x' has the datatype 'BYTES', not one of BOOL"),
    (request(x(shape=[-1])), "the input 'x' has the shape [-1]"),
    (request(x(shape=[2**62, 2**62])), "the input 'x' has the shape"),
    (request(x(shape=[3])), "the input 'x' has 2 elements, but its shape needs 3"),
    (request(x(data=[[1], [2, 3]])), "the input 'x' has data that is no tensor"),
    (request(x(data=["a", "b"])), "the input 'x' has data that are not of its datatype"),
    (request(x(data=[None, 1])), "the input 'x' has data that are not of its datatype"),
    (request(x(datatype="INT8", data=[1.5, 2])), "the input 'x' has data that are not of its datatype"),
    (request(x(datatype="INT8", data=[1, 200])), "the input 'x' has numbers that do not fit its datatype"),
    (request(x(datatype="BOOL", data=[1, 0])), "the input 'x' has data that are not of its datatype"),
    (request(x(parameters={"binary_data_size": 8})), "the input 'x' has 8 bytes, but 0 are left in the body"),
    (request(x(parameters={"binary_data_size": -1})), "the input 'x' has -1 bytes"),
    (request(x(parameters=[])), "the input 'x' has the 'parameters' []"),
    (request(x(), outputs=[{"name": None}]), "an output has the 'name' None"),
    (request(x(), id=7), "the request has the 'id' 7"),
], ids=range(22))
def test_requests_that_are_refused(body, text):
    with pytest.raises(ValueError) as raised:
        _infer.Request(body)
    assert text in str(raised.value)


def test_headers_that_are_refused():
    body = request(x())
    for size in ("-1", "x", "", "9" * 30, str(len(body) + 1)):
        with pytest.raises(ValueError, match=f"Inference-Header-Content-Length is '{size}', but the body has"):
            _infer.Request(body, size)
    with pytest.raises(ValueError, match="4 bytes of the body belong to no input"):
        _infer.Request(body + b"1234", str(len(body)))
    header = request({"name": "x", "datatype": "FP32", "shape": [2], "parameters": {"binary_data_size": 4}})
    with pytest.raises(ValueError, match="the input 'x' has 4 bytes, but its shape and datatype need 8"):
        _infer.Request(header + b"1234", str(len(header)))


def test_metadata():
    described = _infer.metadata("colours", tfrt.load(COLOURS))
    assert described["name"] == "colours" and described["versions"] == ["1"] and described["platform"] == "tfrt_bef"
    assert [(v["datatype"], v["shape"]) for v in described["inputs"]] == [("FP32", [-1, 3])]
    assert [(v["datatype"], v["shape"]) for v in described["outputs"]] == [("FP32", [-1, 4])]


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
