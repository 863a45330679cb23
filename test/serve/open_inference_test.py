#!/usr/bin/env python3
"""The clients open-inference-grpc and open-inference-openapi, unchanged. usage: open_inference_test.py TFRT_SERVE"""

import pathlib
import sys
import tempfile
import unittest

import grpc
import numpy as np
import serving
from open_inference.grpc import protocol, service
from open_inference.openapi.client import OpenInferenceClient
from open_inference.openapi.core.api_error import ApiError
from open_inference.openapi.errors import NotFoundError
from open_inference.openapi.types import InferenceRequest, RequestInput, RequestOutput

PROGRAM = sys.argv.pop()
FIELDS = {"BOOL": "bool", "UINT8": "uint", "UINT16": "uint", "UINT32": "uint", "UINT64": "uint64", "INT8": "int",
          "INT16": "int", "INT32": "int", "INT64": "int64", "FP32": "fp32", "FP64": "fp64"}  # fmt: skip


class OpenInferenceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name) / "models"
        serving.write_identities(root / "identities", tuple(FIELDS))
        serving.write_identities(root / "all")
        serving.write_sum(root / "sum")
        port_file = root.with_suffix(".grpc")
        cls.server = serving.Server(PROGRAM, root, "--grpc_port=0", f"--grpc_port_file={port_file}").await_ready()
        unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
        cls.channel = grpc.insecure_channel(f"127.0.0.1:{port_file.read_text().strip()}", options=unlimited)
        cls.stub = service.GRPCInferenceServiceStub(cls.channel)
        cls.client = OpenInferenceClient(base_url=f"http://{cls.server.url}")

    @classmethod
    def tearDownClass(cls):
        cls.channel.close()
        assert cls.server.stop() == 0, cls.server.log.read_text()
        cls.folder.cleanup()

    def check(self, answer, arrays):
        self.assertEqual((answer.model_version, answer.id), ("1", "r 1"))
        self.assertEqual(len(answer.outputs), len(arrays))
        for output, raw in zip(answer.outputs, answer.raw_output_contents):
            name = output.name[2:]
            self.assertEqual((output.datatype, list(output.shape)), (name, list(arrays[name].shape)))
            np.testing.assert_array_equal(np.frombuffer(raw, serving.NUMPY[name]), arrays[name].reshape(-1), name)

    def test_every_element_type_as_bytes_over_grpc(self):
        for shape in ((1, 1), (2, 3), (0, 3), (3, 0)):
            with self.subTest(shape=shape):
                arrays = {name: serving.elements(name, shape) for name in serving.DATATYPES}
                request = protocol.ModelInferRequest(model_name="all", id="r 1")
                for name, array in arrays.items():
                    request.inputs.add(name="x_" + name, datatype=name, shape=shape)
                    request.raw_input_contents.append(array.tobytes())
                self.check(self.stub.ModelInfer(request), arrays)

    def test_every_element_type_in_its_field_over_grpc(self):
        for shape in ((1, 1), (2, 3), (0, 3)):
            with self.subTest(shape=shape):
                arrays = {name: serving.elements(name, shape) for name in FIELDS}
                request = protocol.ModelInferRequest(model_name="identities", id="r 1")
                for name, array in arrays.items():
                    made = request.inputs.add(name="x_" + name, datatype=name, shape=shape)
                    getattr(made.contents, FIELDS[name] + "_contents").extend(array.reshape(-1).tolist())
                self.check(self.stub.ModelInfer(request), arrays)

    def test_huge_tensors_over_grpc(self):
        huge = np.random.default_rng(0).random((1, 16 << 20), "f4")  # 64 MB
        request = protocol.ModelInferRequest(model_name="sum")
        for name in "ab":
            request.inputs.add(name=name, datatype="FP32", shape=huge.shape)
            request.raw_input_contents.append(huge.tobytes())
        answer = self.stub.ModelInfer(request)
        np.testing.assert_array_equal(np.frombuffer(answer.raw_output_contents[0], "f4"), 2 * huge[0])

    def test_errors_over_grpc(self):
        def request(model="sum", shape=(1, 1), datatype="FP32", raw=b"\0" * 4, names="ab"):
            made = protocol.ModelInferRequest(model_name=model, raw_input_contents=[raw] * len(names))
            for name in names:
                made.inputs.add(name=name, datatype=datatype, shape=shape)
            return made

        for asked, code, text in (
            (request("none"), "NOT_FOUND", "the model 'none' is unknown"),
            (request(shape=(2, 3)), "INVALID_ARGUMENT", "has 4 bytes, but the shape and datatype need 24"),
            (request(shape=(1,)), "INVALID_ARGUMENT", "input a: expected f32 [batch,width], but got f32 [1]"),
            (request(shape=(-1, 1)), "INVALID_ARGUMENT", "input 'a': "),
            (request(datatype="INT32"), "INVALID_ARGUMENT", "but got i32 [1,1]"),
            (request(datatype="FP31"), "INVALID_ARGUMENT", "the datatype 'FP31' is unknown or not offered"),
            (request(names="a"), "INVALID_ARGUMENT", "input b is missing"),
        ):
            with self.subTest(text=text):
                with self.assertRaises(grpc.RpcError) as raised:
                    self.stub.ModelInfer(asked)
                self.assertEqual(raised.exception.code().name, code)
                self.assertIn(text, raised.exception.details())

    def test_health_and_metadata_over_grpc(self):
        self.assertTrue(self.stub.ServerLive(protocol.ServerLiveRequest()).live)
        self.assertTrue(self.stub.ServerReady(protocol.ServerReadyRequest()).ready)
        self.assertTrue(self.stub.ModelReady(protocol.ModelReadyRequest(name="sum", version="1")).ready)
        self.assertEqual(self.stub.ServerMetadata(protocol.ServerMetadataRequest()).name, "tfrt_serve")
        metadata = self.stub.ModelMetadata(protocol.ModelMetadataRequest(name="sum"))
        self.assertEqual([value.name for value in (*metadata.inputs, *metadata.outputs)], ["a", "b", "c"])

    def infer(self, model, inputs, outputs=None):
        request = InferenceRequest(id="r 1", inputs=inputs, outputs=outputs)
        return self.client.model_infer(model, request=request)

    def test_every_element_type_as_json(self):
        for shape in ((1, 1), (2, 3), (0, 3), (1, 0)):
            with self.subTest(shape=shape):
                # The client writes all elements as numbers of floating point, and so rounds integers beyond 2^53.
                arrays = {name: np.minimum(serving.elements(name, shape), 1 << 53) if name in ("UINT64", "INT64")
                          else serving.elements(name, shape) for name in serving.DATATYPES}
                inputs = [RequestInput(name="x_" + name, shape=list(shape), datatype=name,
                                       data=array.reshape(-1).astype("i8" if name == "BF16" else array.dtype).tolist())
                          for name, array in arrays.items()]
                answer = self.infer("all", inputs)
                self.assertEqual((answer.id, answer.model_name, answer.model_version), ("r 1", "all", "1"))
                for output in answer.outputs:
                    expected = arrays[output.name[2:]]
                    self.assertEqual((output.name[2:], output.shape), (output.datatype, list(shape)))
                    found = np.array(output.data.__root__).reshape(shape)
                    np.testing.assert_array_equal(found, expected.astype("f8"), output.name)

    def test_requested_outputs_as_json(self):
        inputs = [RequestInput(name=name, shape=[1, 2], datatype="FP32", data=[[1.5, 2]]) for name in "ab"]
        answer = self.infer("sum", inputs, [RequestOutput(name="c")])
        self.assertEqual(answer.outputs[0].data.__root__, [3.0, 4.0])

    def test_errors_as_json(self):
        inputs = [RequestInput(name=name, shape=[1, 1], datatype="FP32", data=[1.0]) for name in "ab"]
        wrong = inputs[0].copy(update={"shape": [1, 2]})
        for model, asked, status, text in (
            ("none", inputs, 404, "the model 'none' is unknown"),
            ("sum", inputs[:1], 400, "input b is missing"),
            ("sum", [wrong, inputs[1]], 400, "has 1 elements of data, but its shape has 2"),
        ):
            with self.subTest(text=text):
                with self.assertRaises(ApiError) as raised:
                    self.infer(model, asked)
                self.assertEqual(raised.exception.status_code, status)
                self.assertIn(text, str(raised.exception.body))
        with self.assertRaises(NotFoundError):
            self.client.check_model_readiness("none")

    def test_health_and_metadata_as_json(self):
        self.client.check_server_liveness()
        self.client.check_server_readiness()
        self.client.check_model_readiness("sum")
        self.client.check_model_version_readiness("sum", "1")
        self.assertEqual(self.client.read_server_metadata().name, "tfrt_serve")
        metadata = self.client.read_model_metadata("sum")
        self.assertEqual((metadata.name, metadata.platform, metadata.versions), ("sum", "tfrt_bef", ["1"]))
        self.assertEqual([(value.name, value.datatype, value.shape) for value in metadata.inputs],
                         [("a", "FP32", [-1, -1]), ("b", "FP32", [-1, -1])])
        self.assertEqual(self.client.read_model_version_metadata("sum", "1").outputs[0].name, "c")


if __name__ == "__main__":
    unittest.main()
