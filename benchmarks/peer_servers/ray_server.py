"""Ray Serve with /id, which returns the bytes of a request, and /net, which runs a file by ONNX Runtime on them.

usage: ray_server.py PORT MODEL.onnx
"""

import sys
import threading

import numpy as np
import ray
from model import load
from ray import serve
from starlette.responses import Response


@serve.deployment(num_replicas=1, max_ongoing_requests=64, ray_actor_options={"num_cpus": 0})
class Identity:
    async def __call__(self, request):
        return Response(await request.body(), media_type="application/octet-stream")


@serve.deployment(num_replicas=1, max_ongoing_requests=64, ray_actor_options={"num_cpus": 0})
class Network:
    def __init__(self, file):
        self.compute = load(file)

    async def __call__(self, request):
        array = np.frombuffer(await request.body(), np.float32).reshape(1, -1)
        return Response(self.compute(array).tobytes(), media_type="application/octet-stream")


def main():
    port, file = sys.argv[1:]
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20,
             _node_ip_address="127.0.0.1")
    serve.start(http_options={"host": "127.0.0.1", "port": int(port)})
    serve.run(Identity.bind(), name="id", route_prefix="/id")
    serve.run(Network.bind(file), name="net", route_prefix="/net")
    print("ready", flush=True)
    threading.Event().wait()


main()
