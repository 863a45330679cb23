#!/usr/bin/env python3
"""The clients of KServe's SDK, unchanged, against a started server. usage: kserve_test.py TFRT_SERVE"""

import logging
import pathlib
import sys
import tempfile
import unittest

import grpc
import httpx
import kserve
import numpy as np
import serving
from kserve.protocol.grpc import grpc_predict_v2_pb2 as messages
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub
from kserve.protocol.infer_type import RequestedOutput

PROGRAM = sys.argv.pop()
# The client has no BF16.
DATATYPES = [name for name in serving.DATATYPES if name != "BF16"]
LIMIT_MB = 100


def request(model, is_binary=True, outputs=None, parameters=None, version=None, **arrays):
    """A request with each array as the input of its name."""
    inputs = []
    for name, array in arrays.items():
        datatype = name[2:] if name.startswith("x_") else "FP32"
        made = kserve.InferInput(name, list(array.shape), datatype)
        # The client sends halves as bytes only.
        made.set_data_from_numpy(array, binary_data=is_binary or datatype == "FP16")
        inputs.append(made)
    return kserve.InferRequest(model, inputs, request_id="r 1", parameters=parameters, model_version=version,
                               request_outputs=outputs and [RequestedOutput(*output) for output in outputs])


class KServeTest(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name) / "models"
        serving.write_identities(root / "identities", DATATYPES)
        serving.write_largest(root / "largest")
        serving.write_sum(root / "sum")
        serving.write_sum(root / "later")
        port_file = root.with_suffix(".grpc")
        cls.server = serving.Server(
            PROGRAM, root, "--model_control=explicit", "--grpc_port=0", f"--grpc_port_file={port_file}",
            f"--max_body_mb={LIMIT_MB}", "--load_model=identities", "--load_model=largest", "--load_model=sum")
        cls.server.await_ready()
        cls.url = f"http://{cls.server.url}"
        cls.grpc_url = f"127.0.0.1:{port_file.read_text().strip()}"

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0, cls.server.log.read_text()
        cls.folder.cleanup()

    async def asyncSetUp(self):
        self.rest = kserve.InferenceRESTClient(kserve.RESTConfig(protocol="v2", verify=False))
        self.grpc = kserve.InferenceGRPCClient(self.grpc_url)

    async def asyncTearDown(self):
        await self.rest.close()
        await self.grpc.close()

    async def infer(self, asked):
        """The answer over HTTP."""
        return await self.rest.infer(self.url, asked, model_name=asked.model_name)

    def check(self, answer, arrays):
        self.assertEqual(answer.id, "r 1")
        for name, expected in arrays.items():
            output = answer.get_output_by_name("y" + name[1:])
            self.assertEqual(output.datatype, name[2:])
            self.assertEqual(output.shape, list(expected.shape), name)
            np.testing.assert_array_equal(output.as_numpy(), expected, name)

    async def test_every_element_type_over_http(self):
        for shape in ((1, 1), (2, 3), (7, 101)):
            arrays = {"x_" + name: serving.elements(name, shape) for name in DATATYPES}
            # Results are bytes if the request asks for it, for all or for one; the client's default is JSON.
            for is_binary, outputs, parameters in (
                (True, None, {"binary_data_output": True}),
                (True, None, None),
                (False, [("y_" + name, {"binary_data": True}) for name in DATATYPES], None),
                (False, None, None),
            ):
                with self.subTest(shape=shape, is_binary=is_binary, outputs=outputs):
                    asked = request("identities", is_binary, outputs, parameters, **arrays)
                    self.check(await self.infer(asked), arrays)

    async def test_every_element_type_over_grpc(self):
        for shape in ((1, 1), (2, 3), (0, 3), (3, 0), (7, 101)):
            with self.subTest(shape=shape):
                arrays = {"x_" + name: serving.elements(name, shape) for name in DATATYPES}
                self.check(await self.grpc.infer(request("identities", **arrays)), arrays)

    async def test_empty_tensors_over_http(self):
        for shape in ((0, 3), (3, 0)):
            for is_binary in (True, False):
                with self.subTest(shape=shape, is_binary=is_binary):
                    arrays = {name: np.zeros(shape, "f4") for name in "ab"}
                    answer = await self.infer(request("sum", is_binary, **arrays))
                    self.assertEqual(answer.outputs[0].as_numpy().shape, shape)
        # The client sends `"data": null` beside the size 0 of bytes.
        arrays = {"x_" + name: serving.elements(name, (0, 2)) for name in DATATYPES}
        self.check(await self.infer(request("identities", True, None, {"binary_data_output": True}, **arrays)), arrays)

    async def test_numbers_in_fields_of_messages(self):
        asked = request("sum", False, a=np.array([[1.5, -2.0]], "f4"), b=np.array([[0.5, 1.0]], "f4"))
        answer = await self.grpc.infer(asked)
        self.assertEqual(answer.outputs[0].as_numpy().tolist(), [[2.0, -1.0]])

    async def test_huge_tensors(self):
        huge = np.zeros((2, 8 << 20), "f4")  # 64 MB
        huge[:, -1] = 3, 4
        for infer in (self.infer, self.grpc.infer):
            answer = await infer(request("largest", x=huge))
            self.assertEqual(answer.outputs[0].as_numpy().tolist(), [[3.0], [4.0]])

    async def test_requests_beyond_the_limit(self):
        huge = np.zeros((1, (LIMIT_MB << 18) + 1), "f4")
        with self.assertRaises(grpc.RpcError) as raised:
            await self.grpc.infer(request("largest", x=huge))
        self.assertEqual(raised.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        self.assertRegex(raised.exception.details(), "larger than max")
        with self.assertRaisesRegex(httpx.HTTPStatusError, "the body is too large, '413 "):
            await self.infer(request("largest", x=huge))
        self.assertTrue(await self.rest.is_server_live(self.url) and await self.grpc.is_server_live())

    async def test_errors(self):
        one, two = np.ones((1, 1), "f4"), np.ones((1, 2), "f4")
        text = kserve.InferInput("a", [1], "BYTES")
        text.set_data_from_numpy(np.array([b"text"], object))
        of_int = kserve.InferInput("a", [1, 1], "INT32")
        of_int.set_data_from_numpy(np.ones((1, 1), "i4"))
        of_float = request("sum", b=one).inputs[0]
        cases = (
            (request("none", a=one), 404, "NOT_FOUND", "the model 'none' is unknown"),
            (request("later", a=one, b=one), 404, "NOT_FOUND", "the model 'later' is"),
            (request("sum", a=one), 400, "INVALID_ARGUMENT", "input b is missing"),
            (request("sum", a=one, b=one, c=one), 400, "INVALID_ARGUMENT", "has no input c"),
            (request("sum", a=one, b=two), 400, "INVALID_ARGUMENT", "differ|expected"),
            (request("sum", a=one[0], b=one[0]), 400, "INVALID_ARGUMENT",
             r"input a: expected f32 \[batch,width\], but got f32 \[1\]"),
            (request("sum", outputs=[("d",)], a=one, b=one), 400, "INVALID_ARGUMENT", "no output d"),
            (kserve.InferRequest("sum", [of_int, of_float]), 400, "INVALID_ARGUMENT", r"but got i32 \[1,1\]"),
            (kserve.InferRequest("sum", [text, of_float]), 400, "INVALID_ARGUMENT", "BYTES"),
        )
        for asked, status, code, what in cases:
            with self.subTest(what=what):
                with self.assertRaisesRegex(httpx.HTTPStatusError, f"{what}.*'{status} "):
                    await self.infer(asked)
                with self.assertRaises(grpc.RpcError) as raised:
                    await self.grpc.infer(asked)
                self.assertEqual(raised.exception.code().name, code)
                self.assertRegex(raised.exception.details(), what)

    async def test_health(self):
        for client, to in ((self.rest, (self.url,)), (self.grpc, ())):
            self.assertTrue(await client.is_server_live(*to) and await client.is_server_ready(*to))
            self.assertTrue(await client.is_model_ready(*to, "sum"))
        self.assertFalse(await self.rest.is_model_ready(self.url, "none"))
        with self.assertRaises(grpc.RpcError) as raised:
            await self.grpc.is_model_ready("none")
        self.assertEqual(raised.exception.code(), grpc.StatusCode.NOT_FOUND)

    async def test_metadata_and_repository(self):
        async with grpc.aio.insecure_channel(self.grpc_url) as channel:
            stub = GRPCInferenceServiceStub(channel)
            self.assertEqual((await stub.ServerMetadata(messages.ServerMetadataRequest())).name, "tfrt_serve")
            metadata = await stub.ModelMetadata(messages.ModelMetadataRequest(name="sum"))
            self.assertEqual([(value.name, value.datatype, list(value.shape)) for value in metadata.inputs],
                             [("a", "FP32", [-1, -1]), ("b", "FP32", [-1, -1])])
            # KServe's messages have the name in another field than Triton's.
            loaded = await stub.RepositoryModelLoad(messages.RepositoryModelLoadRequest(model_name="later"))
            self.assertEqual((loaded.model_name, loaded.isLoaded), ("later", True))
            self.assertTrue(await self.grpc.is_model_ready("later"))
            unloaded = await stub.RepositoryModelUnload(messages.RepositoryModelUnloadRequest(model_name="later"))
            self.assertEqual((unloaded.model_name, unloaded.isUnloaded), ("later", True))
            self.assertFalse(await self.rest.is_model_ready(self.url, "later"))


if __name__ == "__main__":
    for name in ("kserve.trace", "asyncio"):  # they log each error that a test expects, and what takes long
        logging.getLogger(name).setLevel(logging.CRITICAL)
    unittest.main()
