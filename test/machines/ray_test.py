"""Models in Ray, in processes of its own on this machine: a deployment by handle and by HTTP, a dataset, the example.

usage: python ray_test.py EXAMPLE; ray[serve,data] is installed for that Python.
"""

import json
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

import numpy as np
import pyarrow as pa
import ray
from ray import serve

import tfrt
from tfrt.integrations import ray as tfrt_ray

COLOURS = pathlib.Path(__file__).resolve().parents[2] / "examples/embed_model/colours.bef"
PORT = 18110


def send(path, body=None, **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", body, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read(), answer.headers


def check_deployment(model, colours, expected):
    (value,), (result,) = model.inputs, model.outputs
    application = tfrt_ray.deployment(COLOURS, name="colours", cpus=0)
    handle = serve.run(application, name="colours", route_prefix="/v2/models/colours")
    answers = [handle.remote({value.name: colours[i:i + 1]}) for i in range(len(colours))]
    found = np.concatenate([answer.result(timeout_s=60)[result.name] for answer in answers])
    assert np.allclose(found, expected, atol=1e-6)
    try:
        handle.remote({"wrong": colours}).result(timeout_s=60)
    except Exception as error:
        assert "input rgb is missing" in str(error), error
    else:
        raise AssertionError("an input of another name was taken")
    print("a handle answered", len(colours), "calls", flush=True)

    prefix = "/v2/models/colours"
    assert json.loads(send(prefix + "/ready")[0]) == {"name": "colours", "ready": True}
    assert json.loads(send(prefix)[0])["inputs"][0]["shape"] == [-1, 3]
    tensor = {"name": value.name, "datatype": "FP32", "shape": list(colours.shape)}
    body, _ = send(prefix + "/infer", json.dumps({"inputs": [{**tensor, "data": colours.tolist()}]}).encode())
    assert np.allclose(np.array(json.loads(body)["outputs"][0]["data"]).reshape(expected.shape), expected, atol=1e-6)
    header = json.dumps({"inputs": [{**tensor, "parameters": {"binary_data_size": colours.nbytes}}],
                         "parameters": {"binary_data_output": True}}).encode()
    body, headers = send(prefix + "/infer", header + colours.tobytes(),
                         **{"Inference-Header-Content-Length": str(len(header))})
    data = body[int(headers["Inference-Header-Content-Length"]):]
    assert np.allclose(np.frombuffer(data, "f4").reshape(expected.shape), expected, atol=1e-6)
    for path, content, code, text in ((prefix + "/infer", b"{}", 400, "the request has the 'inputs' None"),
                                      (prefix + "/nothing", b"{}", 404, "is not part of the protocol")):
        try:
            send(path, content)
        except urllib.error.HTTPError as error:
            assert error.code == code and text in json.loads(error.read())["error"], error
        else:
            raise AssertionError(f"{path} was answered")
    print("HTTP answered, as JSON and as bytes", flush=True)
    serve.delete("colours")


def check_dataset(model, colours, expected):
    (value,), (result,) = model.inputs, model.outputs
    table = pa.table({"number": range(len(colours)),
                      "pixels": pa.FixedSizeListArray.from_arrays(pa.array(colours.reshape(-1)), 3)})
    for dataset in (ray.data.from_arrow([table.slice(0, 20), table.slice(20)]),
                    ray.data.from_numpy(colours).add_column("number", lambda batch: np.arange(len(batch)),
                                                            batch_format="pandas")
                    .rename_columns({"data": "pixels"}).repartition(1)):
        results = tfrt_ray.predict(dataset, COLOURS, columns={value.name: "pixels"}, keep=["number"], num_cpus=0.5)
        rows = sorted(results.take_all(), key=lambda row: row["number"])
        assert [row["number"] for row in rows] == list(range(len(colours)))
        assert np.allclose(np.array([row[result.name] for row in rows]), expected, atol=1e-6)
    print("a dataset had", len(colours), "rows", flush=True)


def check_server(colours, expected):
    application = tfrt_ray.server({"colours": COLOURS}, name="models", replicas=2, cpus=0.2)
    serve.run(application, name="models", route_prefix="/models")
    assert send("/models/v2/health/ready")[0] is not None
    tensor = {"name": "rgb", "datatype": "FP32", "shape": list(colours.shape)}
    header = json.dumps({"inputs": [{**tensor, "parameters": {"binary_data_size": colours.nbytes}}],
                         "parameters": {"binary_data_output": True}}).encode()
    for _ in range(8):
        body, headers = send("/models/v2/models/colours/infer", header + colours.tobytes(),
                             **{"Inference-Header-Content-Length": str(len(header))})
        data = body[int(headers["Inference-Header-Content-Length"]):]
        assert np.allclose(np.frombuffer(data, "f4").reshape(expected.shape), expected, atol=1e-6)
    try:
        send("/models/v2/models/nothing")
    except urllib.error.HTTPError as error:
        assert error.code == 404 and "nothing" in json.loads(error.read())["error"], error
    else:
        raise AssertionError("an unknown model was found")
    print("2 processes of tfrt_serve answered", flush=True)
    serve.delete("models")


def main():
    model = tfrt.load(COLOURS)
    colours = np.random.default_rng(0).random((64, 3)).astype("f4")
    expected = next(iter(model.run([colours]).values())).numpy()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=80 << 20,
             _node_ip_address="127.0.0.1")
    check_dataset(model, colours, expected)
    serve.start(http_options={"host": "127.0.0.1", "port": PORT})
    check_deployment(model, colours, expected)
    check_server(colours, expected)
    serve.shutdown()
    ray.shutdown()
    print(subprocess.run([sys.executable, sys.argv[1]], check=True, timeout=240, capture_output=True, text=True).stdout)


main()
