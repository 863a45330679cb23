"""The contract of serving_runtime.yaml without a cluster: this program plays the kubelet and Prometheus on loopback.

usage: python kubernetes_test.py TFRT_SERVE DEPLOY_FOLDER MODEL.bef
"""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import yaml
from prometheus_client.parser import text_string_to_metric_families

PROGRAM, DEPLOY, MODEL = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
MODELS_OF_CONTAINER, GRPC_PORT = "/mnt/models", 9000
BODY = json.dumps({"inputs": [{"name": "rgb", "datatype": "FP32", "shape": [1, 3], "data": [1, 0, 0]}]}).encode()


class Pod:
    """A container of the runtime: its arguments, on other ports and with another folder."""

    def __init__(self, container, folder):
        self.container = container
        self.port = container["ports"][0]["containerPort"]
        port_file, grpc_file = folder / "port", folder / "grpc_port"
        options = []
        for option in container["args"]:
            option = option.replace(MODELS_OF_CONTAINER, str(folder / "models"))
            for port in (f"--port={self.port}", f"--grpc_port={GRPC_PORT}"):
                option = option.replace(port, port.split("=")[0] + "=0")
            options.append("--drain_delay=1" if option.startswith("--drain_delay=") else option)
        assert "--port=0" in options and "--grpc_port=0" in options, options
        self.started = time.monotonic()
        # As a container has it: a folder that cannot be written, and no variables but a path.
        self.process = subprocess.Popen([PROGRAM, *options, "--address=127.0.0.1", f"--port_file={port_file}",
                                         f"--grpc_port_file={grpc_file}"], env={"PATH": "/usr/bin:/bin"})
        while not (grpc_file.exists() and port_file.exists()):
            assert self.process.poll() is None, "the server has ended"
            time.sleep(0.001)
        self.port, self.grpc_port = int(port_file.read_text()), int(grpc_file.read_text())

    def get(self, path, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.getheader("Content-Type"), answer.read()
        finally:
            connection.close()

    def probe(self, name):
        """As the kubelet does: 200 to 399 is success."""
        described = self.container[name]["httpGet"]
        assert described["port"] == self.container["ports"][0]["containerPort"]
        return 200 <= self.get(described["path"], {"User-Agent": "kube-probe/1.31"})[0] < 400

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def scrape(pod, annotations):
    """The samples of the metrics, by name, parsed by the parser of Prometheus' own client."""
    path = annotations["prometheus.kserve.io/path"]
    assert annotations["prometheus.kserve.io/port"] == str(pod.container["ports"][0]["containerPort"])
    status, kind, text = pod.get(path, {"Accept": "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"})
    assert status == 200 and kind.startswith("text/plain"), (status, kind)
    samples = {}
    for family in text_string_to_metric_families(text.decode()):
        assert family.type in ("counter", "gauge", "histogram"), family
        for sample in family.samples:
            samples[sample.name] = samples.get(sample.name, 0) + sample.value
    return samples


def infer(pod):
    connection = http.client.HTTPConnection("127.0.0.1", pod.port, timeout=10)
    connection.request("POST", "/v2/models/colours/infer", BODY, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    assert answer.status == 200, text
    assert json.loads(text)["outputs"][0]["shape"] == [1, 4]


def half_a_request(pod):
    """A client that has sent half of its request."""
    client = socket.create_connection(("127.0.0.1", pod.port), timeout=30)
    client.sendall(b"POST /v2/models/colours/infer HTTP/1.1\r\nHost: pod\r\nContent-Length: %d\r\n\r\n" % len(BODY))
    client.sendall(BODY[:10])
    return client


def check_manifests():
    (runtime,) = yaml.safe_load_all((DEPLOY / "serving_runtime.yaml").read_text())
    assert (runtime["apiVersion"], runtime["kind"]) == ("serving.kserve.io/v1alpha1", "ClusterServingRuntime")
    spec = runtime["spec"]
    assert spec["protocolVersions"] == ["v2", "grpc-v2"]
    assert "tfrt" in [format["name"] for format in spec["supportedModelFormats"]]
    (container,) = spec["containers"]
    assert container["name"] == "kserve-container"
    options = dict(option.lstrip("-").split("=") for option in container["args"])
    assert options["models"] == MODELS_OF_CONTAINER
    for service in yaml.safe_load_all((DEPLOY / "inference_service.yaml").read_text()):
        predictor = service["spec"]["predictor"]
        assert predictor["model"]["modelFormat"]["name"] == "tfrt"
        assert predictor["model"]["protocolVersion"] in spec["protocolVersions"]
        # The server must end before the kubelet kills it.
        drain = float(options["drain_delay"]) + float(options["drain_seconds"])
        assert drain < predictor["terminationGracePeriodSeconds"], (drain, predictor)
        ports = predictor["model"].get("ports", container["ports"])
        assert ports[0]["containerPort"] in (int(options["port"]), int(options["grpc_port"]))
    image = (DEPLOY / "Dockerfile").read_text()
    source = DEPLOY.parent.parent
    for copied in ("scripts/install_dependencies.sh",):
        assert copied in image and (source / copied).exists()
    return container, spec["annotations"]


def main():
    container, annotations = check_manifests()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "models/colours/1").mkdir(parents=True)
        shutil.copy(MODEL, folder / "models/colours/1/model.bef")
        for path in (folder / "models/colours/1", folder / "models/colours", folder / "models"):
            path.chmod(0o555)
        pod = Pod(container, folder)
        try:
            while not pod.probe("readinessProbe"):
                assert pod.process.poll() is None, "the server has ended"
                time.sleep(0.001)
            # On a busy machine time passes that is not the server's.
            print(f"ready after {time.monotonic() - pod.started:.3f} s, {pod.processor_seconds():.2f} s of a processor")
            assert pod.processor_seconds() < 1
            assert pod.probe("livenessProbe")
            before = scrape(pod, annotations)
            for _ in range(3):
                infer(pod)
            after = scrape(pod, annotations)
            grown = [name for name, value in after.items() if value == before.get(name, 0) + 3 and "request" in name]
            assert grown, after
            print("counters of requests:", *grown)

            client = half_a_request(pod)
            pod.process.send_signal(signal.SIGTERM)
            while pod.probe("readinessProbe"):
                time.sleep(0.001)
            assert pod.probe("livenessProbe")  # the kubelet must not start it anew
            infer(pod)  # of a router that does not know yet
            client.sendall(BODY[10:])
            answer = client.recv(1 << 16)
            assert answer.startswith(b"HTTP/1.1 200"), answer
            client.close()
            assert pod.process.wait(timeout=30) == 0
            print("the request in flight was answered, and the server has ended")
        finally:
            if pod.process.poll() is None:
                pod.process.kill()
                pod.process.wait()
            for path in (folder / "models", folder / "models/colours", folder / "models/colours/1"):
                path.chmod(0o755)


main()
