"""LitServe with a model behind /predict, in JSON. usage: litserve_server.py PORT id|net MODEL.onnx"""

import sys

import litserve
import numpy as np
from model import load


class Identity(litserve.LitAPI):
    def setup(self, device):
        pass

    def decode_request(self, request):
        return request["x"]

    def predict(self, x):
        return x

    def encode_response(self, output):
        return {"y": output}


class Network(Identity):
    file = sys.argv[3] if len(sys.argv) > 3 else ""

    def setup(self, device):
        self.compute = load(self.file)

    def predict(self, x):
        return self.compute(np.array(x, np.float32)).tolist()


if __name__ == "__main__":
    api = Identity() if sys.argv[2] == "id" else Network()
    litserve.LitServer(api, accelerator="cpu", workers_per_device=1, timeout=120).run(
        host="127.0.0.1", port=int(sys.argv[1]), num_api_servers=1, generate_client_file=False, log_level="warning")
