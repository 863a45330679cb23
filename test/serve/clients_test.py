#!/usr/bin/env python3
"""tritonclient, unchanged, against a started server. usage: clients_test.py TFRT_SERVE"""

import asyncio
import json
import pathlib
import sys
import tempfile
import unittest

import ml_dtypes
import numpy as np
import serving
import shared_memory
import tritonclient.http
import tritonclient.http.aio
from serving import elements
from tritonclient.utils import InferenceServerException

PROGRAM = sys.argv.pop()


class ClientsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name) / "models"
        serving.write_identities(root / "identities")
        serving.write_sum(root / "sum")
        serving.write_sum(root / "later")
        serving.write_zeros(root / "zeros")
        cls.server = serving.Server(PROGRAM, root, "--model_control=explicit", "--load_model=identities",
                                    "--load_model=sum", "--load_model=zeros", "--shared_memory_mb=1",
                                    "--max_run_mb=64")
        cls.client = tritonclient.http.InferenceServerClient(cls.server.url, concurrency=8, network_timeout=60,
                                                             connection_timeout=60)
        for name in ("identities", "sum", "zeros"):
            while not cls.client.is_model_ready(name):
                assert cls.server.process.poll() is None, cls.server.log.read_text()

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        assert cls.server.stop() == 0, cls.server.log.read_text()
        cls.folder.cleanup()

    def inputs(self, shape, is_binary, module=tritonclient.http):
        inputs = []
        for name in serving.DATATYPES:
            data = elements(name, shape)
            tensor = module.InferInput("x_" + name, list(shape), name)
            # The client writes these two as bytes only.
            tensor.set_data_from_numpy(data, binary_data=is_binary or name in ("FP16", "BF16"))
            inputs.append(tensor)
        return inputs

    def check_identities(self, result, shape):
        for name in serving.DATATYPES:
            expected = elements(name, shape)
            found = result.as_numpy("y_" + name)
            self.assertEqual(found.shape, shape, name)
            np.testing.assert_array_equal(found.astype(expected.dtype), expected, name)

    def test_every_element_type_as_bytes(self):
        for shape in ((1, 1), (2, 3), (0, 3), (3, 0), (7, 1001)):
            with self.subTest(shape=shape):
                result = self.client.infer("identities", self.inputs(shape, True), request_id="r 1")
                self.check_identities(result, shape)
                self.assertEqual(result.get_response()["id"], "r 1")

    def test_every_element_type_as_json(self):
        outputs = [tritonclient.http.InferRequestedOutput("y_" + name, binary_data=name == "BF16")
                   for name in serving.DATATYPES]  # fmt: skip
        for shape in ((1, 1), (2, 3), (0, 3), (7, 101)):
            with self.subTest(shape=shape):
                self.check_identities(self.client.infer("identities", self.inputs(shape, False), outputs=outputs),
                                      shape)

    def test_large_tensors(self):
        a = np.random.default_rng(1).standard_normal((3, 150528), dtype=np.float32)
        for is_binary in (True, False):
            result = self.sum(a, a, is_binary)
            np.testing.assert_array_equal(result.as_numpy("c"), a + a)

    def sum(self, a, b, is_binary=True, **options):
        inputs = []
        for name, data in (("a", a), ("b", b)):
            inputs.append(tritonclient.http.InferInput(name, list(data.shape), "FP32"))
            inputs[-1].set_data_from_numpy(data, binary_data=is_binary)
        outputs = [tritonclient.http.InferRequestedOutput("c", binary_data=is_binary)]
        return self.client.infer("sum", inputs, outputs=outputs, **options)

    def test_requests_at_once_get_their_own_rows(self):
        requests = []
        for i in range(64):
            inputs = []
            for name in "ab":
                data = np.full((1 + i % 3, 4), i, dtype=np.float32)
                inputs.append(tritonclient.http.InferInput(name, list(data.shape), "FP32"))
                inputs[-1].set_data_from_numpy(data)
            requests.append((i, self.client.async_infer("sum", inputs)))
        for i, request in requests:
            np.testing.assert_array_equal(request.get_result().as_numpy("c"),
                                          np.full((1 + i % 3, 4), 2 * i, dtype=np.float32))

    def test_errors(self):
        one = np.ones((1, 1), dtype=np.float32)
        with self.assertRaisesRegex(InferenceServerException, "sizes? .*differ|expected"):
            self.sum(one, np.ones((1, 2), dtype=np.float32))
        with self.assertRaisesRegex(InferenceServerException, "the model 'none' is unknown"):
            self.client.infer("none", [])
        with self.assertRaisesRegex(InferenceServerException, "has no version '7'"):
            self.client.infer("sum", [], model_version="7")
        text = tritonclient.http.InferInput("a", [1], "BYTES")
        text.set_data_from_numpy(np.array([b"text"], dtype=np.object_))
        with self.assertRaisesRegex(InferenceServerException, "input a is BYTES: no model of this server takes"):
            self.client.infer("sum", [text])
        with self.assertRaisesRegex(InferenceServerException, "sequences of requests are not supported"):
            self.sum(one, one, sequence_id=3)
        region = tritonclient.http.InferInput("a", [1, 1], "FP32")
        region.set_shared_memory("region", 4)
        with self.assertRaisesRegex(InferenceServerException, "input a: the region 'region' is not registered"):
            self.client.infer("sum", [region])
        with self.assertRaisesRegex(InferenceServerException, "coding 'gzip', expected none"):
            self.sum(one, one, request_compression_algorithm="gzip")
        self.assertEqual(self.sum(one, one, timeout=60_000_000).as_numpy("c"), 2)

    def test_results_are_bounded(self):
        def ask(size):
            body = {"inputs": [{"name": "n", "datatype": "INT64", "shape": [1], "data": [size]}]}
            return self.server.json("POST", "/v2/models/zeros/infer", body)

        self.assertEqual(ask(3)[1]["outputs"][0]["data"], [0, 0, 0])
        # What the machine may or may not have, and what none has.
        for size in (20_000_000, 10**10, 10**14):
            status, answer = ask(size)
            self.assertEqual((status, answer), (413, {"error": "the run of the model needs more memory than "
                                                               "67108864 bytes (--max_run_mb)"}), size)
        self.assertEqual(ask(3)[0], 200)

    def test_health_and_metadata(self):
        self.assertTrue(self.client.is_server_live())
        self.assertTrue(self.client.is_server_ready())
        self.assertFalse(self.client.is_model_ready("none"))
        self.assertEqual(self.client.get_server_metadata()["name"], "tfrt_serve")
        metadata = self.client.get_model_metadata("sum", "1")
        self.assertEqual(metadata["versions"], ["1"])
        self.assertEqual(metadata["outputs"], [{"name": "c", "datatype": "FP32", "shape": [-1, -1]}])
        config = self.client.get_model_config("sum")
        self.assertEqual(config["max_batch_size"], 0)
        self.assertEqual(config["input"][0], {"name": "a", "data_type": "TYPE_FP32", "dims": [-1, -1]})
        ones = np.ones((2, 1), dtype=np.float32)
        before = self.statistics()
        self.sum(ones, ones)
        after = self.statistics()
        self.assertEqual(after["inference_count"], before["inference_count"] + 1)
        self.assertEqual(after["execution_count"], before["execution_count"] + 1)

    def statistics(self):
        return self.client.get_inference_statistics("sum")["model_stats"][0]

    def test_loading_on_demand(self):
        index = {model["name"]: model for model in self.client.get_model_repository_index()}
        self.assertEqual(index["sum"]["state"], "READY")
        self.assertNotIn("later", index)
        self.client.load_model("later")
        self.assertTrue(self.client.is_model_ready("later"))
        self.client.unload_model("later")
        self.assertFalse(self.client.is_model_ready("later"))
        with self.assertRaisesRegex(InferenceServerException, "is no name of a model"):
            self.client.load_model("..")
        with self.assertRaisesRegex(InferenceServerException, "config is not supported: options and files"):
            self.client.load_model("sum", config="{}")

    def test_asyncio(self):
        async def run():
            async with tritonclient.http.aio.InferenceServerClient(self.server.url) as client:
                result = await client.infer("identities", self.inputs((2, 5), True, tritonclient.http))
                self.check_identities(result, (2, 5))
        asyncio.run(run())

    def test_shared_memory(self):
        asyncio.run(shared_memory.check(self.client, tritonclient.http))

        async def run():
            async with tritonclient.http.aio.InferenceServerClient(self.server.url) as client:
                await shared_memory.check(client, tritonclient.http)
        asyncio.run(run())

    def test_paths_of_shared_memory(self):
        self.assertIn("system_shared_memory", self.client.get_server_metadata()["extensions"])
        path = "/v2/systemsharedmemory"
        self.assertEqual(self.server.call("POST", f"{path}/unregister")[::2], (200, b""))
        self.assertEqual(self.server.json("GET", f"{path}/status"), (200, []))
        with shared_memory.region("paths", 4096) as (_, key):
            body = {"key": key, "offset": 64, "byte_size": 128}
            self.assertEqual(self.server.call("POST", f"{path}/region/a%20b/register", json.dumps(body))[0], 200)
            self.assertEqual(self.server.json("GET", f"{path}/region/a%20b/status"),
                             (200, [{"name": "a b", **body}]))
            self.assertEqual(self.server.json("POST", f"{path}/region/a%20b/register", body)[0], 409)
            self.assertEqual(self.server.json("POST", f"{path}/region/c/register", {"byte_size": 1})[0], 400)
            self.assertEqual(self.server.json("POST", f"{path}/region/c/register", {**body, "byte_size": 1 << 30})[0],
                             429)
            self.assertEqual(self.server.call("POST", f"{path}/region/a%20b/unregister")[0], 200)
            self.assertEqual(self.server.json("GET", f"{path}/region/a%20b/status")[0], 404)
        self.assertEqual(self.server.json("GET", f"{path}/unregister")[0], 405)
        for end in ("", "/register", "/region/a", "/region//register", "/region/a/other", "/region/a/b/status"):
            self.assertEqual(self.server.json("POST", path + end)[0], 404, end)

    def test_bfloat16_keeps_its_bits(self):
        data = np.array([[1.5, -2.25, np.inf]], dtype=ml_dtypes.bfloat16)
        inputs = [t for t in self.inputs((1, 3), True) if t.name() != "x_BF16"]
        inputs.append(tritonclient.http.InferInput("x_BF16", [1, 3], "BF16"))
        inputs[-1].set_data_from_numpy(data)
        found = self.client.infer("identities", inputs).as_numpy("y_BF16")
        np.testing.assert_array_equal(found.view(np.uint16), data.view(np.uint16))


if __name__ == "__main__":
    unittest.main()
