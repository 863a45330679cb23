"""A deployment of Ray Serve in its mode for tests, which starts no process of Ray. run_long_tests.sh starts them.

usage: python ray_local_test.py; ray[serve] is installed for that Python.
"""

import json
import pathlib

import numpy as np
from ray import serve
from starlette.requests import Request

import tfrt
from tfrt.integrations import ray as tfrt_ray

COLOURS = pathlib.Path(__file__).resolve().parents[2] / "examples/embed_model/colours.bef"


def request(method, path, body=b"", **headers):
    """A request as Ray gives it to a deployment."""
    async def receive():
        return {"type": "http.request", "body": body}

    fields = [(name.replace("_", "-").encode(), str(value).encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": method, "path": path, "query_string": b"", "headers": fields}, receive)


def main():
    model = tfrt.load(COLOURS)
    (value,), (result,) = model.inputs, model.outputs
    colours = np.random.default_rng(0).random((64, 3)).astype("f4")
    expected = next(iter(model.run([colours]).values())).numpy()
    application = tfrt_ray.deployment(COLOURS, name="colours", replicas=2, cpus=0.5)
    handle = serve.run(application, name="colours", route_prefix="/v2/models/colours", _local_testing_mode=True)
    found = handle.remote({value.name: colours}).result(timeout_s=60)[result.name]
    assert np.allclose(found, expected, atol=1e-6)
    try:
        handle.remote({"wrong": colours}).result(timeout_s=60)
    except Exception as error:
        assert "input rgb is missing" in str(error), error
    else:
        raise AssertionError("an input of another name was taken")

    tensor = {"name": value.name, "datatype": "FP32", "shape": list(colours.shape),
              "parameters": {"binary_data_size": colours.nbytes}}
    header = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    path = "/v2/models/colours"
    for asked, status, check in (
        (request("GET", path + "/ready"), 200, lambda body, _: json.loads(body)["ready"]),
        (request("POST", path + "/infer", header + colours.tobytes(), inference_header_content_length=len(header)), 200,
         lambda body, size: np.allclose(np.frombuffer(body[size:], "f4").reshape(expected.shape), expected, atol=1e-6)),
        (request("POST", path + "/infer", b"{}"), 400, lambda body, _: "inputs" in json.loads(body)["error"]),
    ):
        answer = handle.remote(asked).result(timeout_s=60)
        assert answer.status_code == status, answer.body
        assert check(answer.body, int(answer.headers.get("inference-header-content-length", 0))), answer.body
    print("a deployment answered", flush=True)


main()
