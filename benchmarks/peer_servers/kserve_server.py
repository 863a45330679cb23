"""The server of KServe's SDK with two models: `id` returns its tensor, `net` runs a file by ONNX Runtime.

usage: kserve_server.py HTTP_PORT GRPC_PORT MODEL.onnx
"""

import sys

from kserve import InferOutput, InferResponse, Model, ModelServer
from model import load


class Served(Model):
    def __init__(self, name, compute):
        super().__init__(name)
        self.compute = compute
        self.ready = True

    def predict(self, request, headers=None, response_headers=None):
        array = self.compute(request.inputs[0].as_numpy())
        output = InferOutput("y", list(array.shape), "FP32")
        output.set_data_from_numpy(array, binary_data=True)
        return InferResponse(response_id=request.id, model_name=self.name, infer_outputs=[output])


def main():
    http_port, grpc_port, file = sys.argv[1:]
    server = ModelServer(http_port=int(http_port), grpc_port=int(grpc_port), workers=1, enable_docs_url=False,
                         access_log_format=None)
    server.start([Served("id", lambda array: array), Served("net", load(file))])


main()
