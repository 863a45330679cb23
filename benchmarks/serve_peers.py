#!/usr/bin/env python3
"""Compares tfrt_serve with the server of KServe's SDK, LitServe, Ray Serve and floors. Prints one table.

usage: serve_peers.py BUILD_DIR [--peers kserve,litserve,ray] [--rounds N] [--milliseconds N] [--clients 1,8,32]

All servers run at the same time, and clients of one C++ process call them in turns, each over a connection of its own.
`id` returns its tensor, of 4 bytes or of a 602 KB image; `net` has three layers, which the peers run by ONNX Runtime on
one thread. LitServe gets and returns JSON, Ray Serve bytes, the others bytes of the Open Inference Protocol. A ratio is
the time of a request divided by that of tfrt_serve over the same transport: of the least times, and of the medians.
Where other programs run, the least time is the one that they disturb least. Floors are the least that sockets and
gRPC's own generated service can do.

BUILD_DIR is an optimised build with compiler and benchmarks (preset release). Peers come from PyPI into
BUILD_DIR/serve_peers at the first call; those that cannot be had are left out. gRPC's floor and clients need Debian's
protobuf-compiler-grpc when BUILD_DIR is configured.
"""

import argparse
import http.client
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = {
    "kserve": ["kserve==0.21.0", "onnxruntime==1.32.0", "onnx==1.23.2"],
    "litserve": ["litserve==0.2.19", "onnxruntime==1.32.0"],
    "ray": ["ray[serve]==2.60.0", "onnxruntime==1.32.0"],
}
PAYLOADS = {"id, 4 bytes": ("id", [1]), "id, 602 KB": ("id", [150528]), "net": ("net", [1, 256])}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def http_request(path, body, **headers):
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def inference_request(model, shape, data):
    """The request of the Open Inference Protocol, whose tensors are bytes."""
    tensor = {"name": "x", "datatype": "FP32", "shape": shape, "parameters": {"binary_data_size": len(data)}}
    header = json.dumps({"id": "1", "inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    return http_request(f"/v2/models/{model}/infer", header + data, Content_Type="application/octet-stream",
                        Inference_Header_Content_Length=len(header))


def message(model, shape, data):
    """A ModelInferRequest."""
    def varint(value):
        parts = []
        while value >= 128:
            parts.append(value % 128 + 128)
            value //= 128
        return bytes([*parts, value])

    def field(number, content):
        return varint(8 * number + 2) + varint(len(content)) + content

    sizes = b"".join(map(varint, shape))
    tensor = field(1, b"x") + field(2, b"FP32") + field(3, sizes)
    return field(1, model.encode()) + field(3, b"1") + field(5, tensor) + field(7, data)


class Servers:
    """The processes, with the port of each by name."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.processes, self.ports = [], {}

    def start(self, name, command, **ports):
        self.ports |= {f"{name} {transport}": port for transport, port in ports.items()}
        log = (self.folder / f"{name}.log").open("wb")
        self.processes.append(subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, cwd=self.folder,
                                               start_new_session=True))

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                pass
            try:  # some leave processes of theirs
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def await_answer(self, name, request):
        """Sends the request until it is answered; returns whether it is within minutes."""
        head, body = request.split(b"\r\n\r\n", 1)
        line, *fields = head.decode().split("\r\n")
        deadline = time.monotonic() + 180
        while True:
            try:
                client = http.client.HTTPConnection("127.0.0.1", self.ports[name], timeout=60)
                client.request("POST", line.split()[1], body, dict(field.split(": ") for field in fields))
                status = client.getresponse().status
            except OSError as error:
                status = error
            if status == 200:
                return True
            if time.monotonic() > deadline:
                print(f"{name} does not answer: {status}; its log is in {self.folder}", file=sys.stderr)
                return False
            time.sleep(0.2)


def environment(folder, name):
    """Python with the peer's packages, or none."""
    script = HERE.parent / "scripts/python_environment.sh"
    done = subprocess.run([script, folder / name, *PACKAGES[name]])
    return folder / name / "bin/python" if done.returncode == 0 else None


def start_all(servers, peers):
    """Starts them; returns the request of each by server and payload."""
    pythons = {name: environment(servers.folder, name) for name in peers}
    if not pythons.get("kserve"):
        raise SystemExit("the environment of kserve is missing, which also writes the models")
    models = servers.folder / "models"
    subprocess.run([pythons["kserve"], HERE / "peer_servers/make_models.py", models], check=True)
    network = models / "net/1/model.onnx"
    ports = {"http": free_port(), "grpc": free_port()}
    servers.start("tfrt_serve", [servers.build / "bin/tfrt_serve", f"--models={models}", "--address=127.0.0.1",
                                 f"--port={ports['http']}", f"--grpc_port={ports['grpc']}"], **ports)
    ports = {"http": free_port(), "grpc": free_port()}
    programs = HERE / "peer_servers"
    servers.start("KServe", [pythons["kserve"], programs / "kserve_server.py", *ports.values(), network], **ports)
    if pythons.get("litserve"):
        for model in ("id", "net"):
            port = free_port()
            servers.start(f"LitServe {model}",
                          [pythons["litserve"], programs / "litserve_server.py", port, model, network], http=port)
    if pythons.get("ray"):
        port = free_port()
        servers.start("Ray Serve", [pythons["ray"], programs / "ray_server.py", port, network], http=port)
    requests = {}
    for payload, (model, shape) in PAYLOADS.items():
        count = shape[-1]
        data = struct.pack(f"<{count}f", *([1.0] * count))
        requests["tfrt_serve", payload] = requests["KServe", payload] = inference_request(model, shape, data)
        if pythons.get("litserve"):
            numbers = [1.0] * count if len(shape) == 1 else [[1.0] * count]
            requests[f"LitServe {model}", payload] = http_request(
                "/predict", json.dumps({"x": numbers}).encode(), Content_Type="application/json")
        if pythons.get("ray"):
            requests["Ray Serve", payload] = http_request(f"/{model}", data, Content_Type="application/octet-stream")
    return {key: request for key, request in requests.items() if servers.await_answer(f"{key[0]} http", request)}


def measure(program, targets, options):
    """{(clients, name): (minimum in us, p50 in us, p99 in us, requests per second)}"""
    command = [*program, f"--rounds={options.rounds}", f"--milliseconds={options.milliseconds}",
               f"--clients={options.clients}"]
    command += [f"{name.replace(' ', '_')}={port}={file}" for name, (port, file) in targets.items()]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):  # 1: a server had a wrong answer, and is left out
        raise SystemExit(f"{program[0]} ended with code {done.returncode}")
    figures = {}
    for line in done.stdout.splitlines():
        clients, name, *numbers = line.split()
        figures[int(clients), name.replace("_", " ").replace("tfrt serve", "tfrt_serve")] = tuple(map(float, numbers))
    return figures


def compare(servers, requests, options):
    """Prints a row for each payload, number of clients and server."""
    print(f"{'model':12} {'clients':>7} {'server':18} {'min us':>9} {'p50 us':>9} {'p99 us':>9} {'requests/s':>10} "
          f"{'min ratio':>9} {'p50 ratio':>9}")
    transports = {"http": [servers.build / "bin/serve_http", "--load"]}
    if (servers.build / "bin/serve_grpc").exists():
        transports["grpc"] = [servers.build / "bin/serve_grpc"]
    for payload, (model, shape) in PAYLOADS.items():
        for transport, program in transports.items():
            files = {}
            for (name, of), request in requests.items():
                if of != payload or f"{name} {transport}" not in servers.ports:
                    continue
                if transport == "grpc":
                    request = message(model, shape, struct.pack(f"<{shape[-1]}f", *([1.0] * shape[-1])))
                file = servers.folder / f"{name.replace(' ', '_')}.{transport}"
                file.write_bytes(request)
                files[name] = (servers.ports[f"{name} {transport}"], file)
            if model == "id":
                files = {"floor": (0, files["tfrt_serve"][1]), **files}
            figures = measure(program, files, options)
            for (clients, name), (least, p50, p99, rate) in figures.items():
                if (clients, "tfrt_serve") not in figures:
                    raise SystemExit("tfrt_serve had a wrong answer")
                ratios = (a / b for a, b in zip((least, p50), figures[clients, "tfrt_serve"]))
                shown = f"{name.removesuffix(' ' + model)}, {'gRPC' if transport == 'grpc' else 'HTTP'}"
                print(f"{payload:12} {clients:7} {shown:18} {least:9.0f} {p50:9.0f} {p99:9.0f} {rate:10.0f} "
                      + " ".join(f"{ratio:9.2f}" for ratio in ratios), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build_dir", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--peers", default="kserve,litserve,ray", help="servers besides tfrt_serve")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--milliseconds", type=int, default=500, help="of each server in each round")
    parser.add_argument("--clients", default="1,8,32")
    options = parser.parse_args()
    folder = options.build_dir / "serve_peers"
    folder.mkdir(exist_ok=True)
    servers = Servers(options.build_dir, folder)
    signal.signal(signal.SIGTERM, lambda *unused: sys.exit(1))
    try:
        compare(servers, start_all(servers, dict.fromkeys(["kserve", *options.peers.split(",")])), options)
    finally:
        servers.stop()


if __name__ == "__main__":
    main()
