"""Servers that are started from Python."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import urllib.request

import pytest

import tfrt

COLOURS = pathlib.Path(__file__).resolve().parents[2] / "examples/embed_model/colours.bef"


def infer(server, model):
    body = {"inputs": [{"name": "rgb", "datatype": "FP32", "shape": [1, 3], "data": [1, 0, 0]}]}
    url = f"{server.url}/v2/models/{model}/infer"
    with urllib.request.urlopen(url, json.dumps(body).encode(), timeout=60) as answer:
        return json.loads(answer.read())["outputs"][0]["data"]


def test_models_by_name():
    expected = tfrt.load(COLOURS).run([[[1.0, 0.0, 0.0]]])["probabilities"].tolist()[0]
    with tfrt.serve({"colours": COLOURS, "again": str(COLOURS)}, port=0, threads=1) as server:
        assert server.wait_ready() is server and server.grpc_port is None
        for name in ("colours", "again"):
            assert infer(server, name) == pytest.approx(expected, abs=1e-6)
        folder = server.process.args[1].split("=")[1]
        assert os.path.exists(folder)
    assert server.process.returncode == 0 and not os.path.exists(folder) and not server.is_ready()
    assert server.stop() == 0


def test_a_folder_with_options(tmp_path):
    (tmp_path / "colours/7").mkdir(parents=True)
    (tmp_path / "colours/7/model.bef").symlink_to(COLOURS)
    options = {"log_requests": True, "max_queue_size": 3, "warm_up_ms": 20}
    with open(tmp_path / "log", "w") as log, tfrt.serve(tmp_path, port=0, grpc_port=0, log=log, **options) as server:
        server.wait_ready()
        assert server.grpc_port not in (0, server.port)
        infer(server, "colours/versions/7")
    text = (tmp_path / "log").read_text()
    assert '"target":"/v2/models/colours/versions/7/infer","status":200' in text and "gRPC" in text


def test_a_server_that_ends(tmp_path, capfd):
    with pytest.raises(tfrt.errors.FailedPreconditionError, match="tfrt_serve has ended with code"):
        tfrt.serve(tmp_path / "nothing", port=0)
    assert "nothing" in capfd.readouterr().err
    with pytest.raises(tfrt.errors.FailedPreconditionError, match="tfrt_serve has ended with code"):
        tfrt.serve(tmp_path, port=0, wrong_option=1)
    server = tfrt.serve(tmp_path, port=0)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    with pytest.raises(tfrt.errors.FailedPreconditionError, match="tfrt_serve has ended with code -9"):
        server.wait_ready()
    assert server.stop() == -9


def test_models_that_cannot_be_served(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="there are no models to serve"):
        tfrt.serve({})
    with pytest.raises(tfrt.errors.NotFoundError, match="the model 'a': there is no file '/nonexistent.bef'"):
        tfrt.serve({"a": "/nonexistent.bef"})
    with pytest.raises(ValueError, match="neither a .bef nor an .onnx file"):
        tfrt.serve({"a": __file__})
    for name in ("", "..", "a/b", ".a"):
        with pytest.raises(ValueError, match="is no name of a model"):
            tfrt.serve({name: COLOURS})
    monkeypatch.setenv("TFRT_SERVE", "/nonexistent/tfrt_serve")
    with pytest.raises(tfrt.errors.NotFoundError, match="the program tfrt_serve is not there; name it in TFRT_SERVE"):
        tfrt.serve(tmp_path)


def test_a_server_ends_with_the_interpreter():
    program = f"import tfrt; print(tfrt.serve({{'colours': {str(COLOURS)!r}}}, port=0).wait_ready().process.pid)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert "nanobind: leaked" not in done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
