#!/usr/bin/env python3
"""tritonclient over gRPC, unchanged, against a started server. usage: grpc_test.py TFRT_SERVE"""

import asyncio
import json
import os
import pathlib
import queue
import resource
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import grpc
import numpy as np
import serving
import shared_memory
import tritonclient.grpc
import tritonclient.grpc.aio
from onnx import TensorProto
from serving import NUMPY, elements
from tritonclient.grpc import service_pb2, service_pb2_grpc
from tritonclient.utils import InferenceServerException

PROGRAM = sys.argv.pop()


def tensor(name, datatype, array, module=tritonclient.grpc):
    made = module.InferInput(name, list(array.shape), datatype)
    made.set_data_from_numpy(array)
    return made


def write_slow(folder):
    """Products of matrices, one after the other, which take seconds."""
    names = ["a", *(f"t{i}" for i in range(400))]
    serving.write_model(folder, [("MatMul", [x, "a"], [y]) for x, y in zip(names, names[1:])],
                        [("a", TensorProto.FLOAT, ["n", "n"])], [(names[-1], TensorProto.FLOAT, ["n", "n"])])


class Served(unittest.TestCase):
    """A server with gRPC and a client of it."""

    options: tuple = ()
    models: tuple = ("sum",)
    client_options: dict = {}

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name) / "models"
        writers = {"identities": serving.write_identities, "zeros": serving.write_zeros, "slow": write_slow}
        for name in cls.models:
            writers.get(name, serving.write_sum)(root / name)
        port_file = pathlib.Path(cls.folder.name) / "grpc_port"
        cls.server = serving.Server(PROGRAM, root, "--grpc_port=0", f"--grpc_port_file={port_file}", *cls.options)
        cls.url = f"127.0.0.1:{port_file.read_text().strip()}"
        cls.client = tritonclient.grpc.InferenceServerClient(cls.url, **cls.client_options)
        while not cls.client.is_server_ready():
            assert cls.server.process.poll() is None, cls.server.log.read_text()

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        assert cls.server.stop() == 0, cls.server.log.read_text()
        cls.folder.cleanup()

    def fails(self, code, text, call, *arguments, **options):
        with self.assertRaises(InferenceServerException) as raised:
            call(*arguments, **options)
        self.assertEqual(raised.exception.status(), f"StatusCode.{code}")
        self.assertIn(text, raised.exception.message())

    def channel(self, **options):
        channel = grpc.insecure_channel(self.url, [("grpc." + name, value) for name, value in options.items()])
        self.addCleanup(channel.close)
        return channel

    def metrics(self):
        lines = self.server.call("GET", "/metrics")[2].decode().splitlines()
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#")}

    def sum_inputs(self, rows=1, value=1.0, module=tritonclient.grpc):
        return [tensor(name, "FP32", np.full((rows, 3), value, "f4"), module) for name in "ab"]


class CallsTest(Served):
    models = ("identities", "sum", "zeros", "later")
    options = ("--model_control=explicit", "--load_model=identities", "--load_model=sum", "--max_body_mb=100",
               "--load_model=zeros", "--shared_memory_mb=1", "--max_run_mb=128")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ("identities", "sum", "zeros"):
            while not cls.client.is_model_ready(name):
                assert cls.server.process.poll() is None, cls.server.log.read_text()

    def test_health_and_metadata(self):
        client = self.client
        self.assertTrue(client.is_server_live() and client.is_server_ready() and client.is_model_ready("sum", "1"))
        metadata = client.get_server_metadata(as_json=True)
        self.assertEqual(metadata["name"], "tfrt_serve")
        self.assertEqual(metadata["extensions"], ["model_repository", "statistics", "system_shared_memory"])
        metadata = client.get_model_metadata("sum", as_json=True)
        self.assertEqual((metadata["name"], metadata["versions"], metadata["platform"]), ("sum", ["1"], "tfrt_bef"))
        self.assertEqual(metadata["inputs"][0], {"name": "a", "datatype": "FP32", "shape": ["-1", "-1"]})
        self.fails("NOT_FOUND", "the model 'none' is unknown", client.get_model_metadata, "none")

    def test_every_datatype_raw(self):
        for shape in ((2, 3), (0, 4), (1, 0)):
            arrays = {name: elements(name, shape) for name in NUMPY}
            inputs = [tensor("x_" + name, name, array) for name, array in arrays.items()]
            result = self.client.infer("identities", inputs, request_id="7")
            self.assertEqual((result.get_response().id, result.get_response().model_version), ("7", "1"))
            for name, array in arrays.items():
                found = result.as_numpy("y_" + name)
                self.assertEqual(found.shape, shape, name)
                np.testing.assert_array_equal(found.astype(array.dtype), array, name)
                self.assertEqual(result.get_output("y_" + name).datatype, name)

    def test_every_datatype_in_its_field(self):
        fields = {"BOOL": "bool", "UINT8": "uint", "UINT16": "uint", "UINT32": "uint", "UINT64": "uint64",
                  "INT8": "int", "INT16": "int", "INT32": "int", "INT64": "int64", "FP32": "fp32", "FP64": "fp64"}
        stub = service_pb2_grpc.GRPCInferenceServiceStub(grpc.insecure_channel(self.url))
        # FP16 and BF16, which have no field, make all of a request raw: another model has no such inputs.
        request = service_pb2.ModelInferRequest(model_name="sum")
        for name in "ab":
            made = request.inputs.add(name=name, datatype="FP32", shape=[1, 2])
            made.contents.fp32_contents.extend([1.5, -2.0])
        answer = stub.ModelInfer(request)
        self.assertEqual(np.frombuffer(answer.raw_output_contents[0], "f4").tolist(), [3.0, -4.0])
        del request.inputs[:]
        for name, field in fields.items():
            array = elements(name, (2, 2))
            made = request.inputs.add(name="x_" + name, datatype=name, shape=[2, 2])
            getattr(made.contents, field + "_contents").extend(array.reshape(-1).tolist())
        # Everything but the missing two has been read.
        request.model_name = "identities"
        with self.assertRaises(grpc.RpcError) as raised:
            stub.ModelInfer(request)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)
        self.assertRegex(raised.exception.details(), "x_(FP16|BF16)")

    def test_large_tensors(self):
        for compression in (None, "gzip"):
            large = np.random.default_rng(0).random((1, 2_000_000 if compression is None else 50_000), "f4")
            inputs = [tensor(name, "FP32", large) for name in "ab"]
            result = self.client.infer("sum", inputs, compression_algorithm=compression)
            np.testing.assert_array_equal(result.as_numpy("c"), large + large)
        self.fails("RESOURCE_EXHAUSTED", "larger than max", self.client.infer, "sum",
                   [tensor("a", "FP32", np.zeros((1, 27_000_000), "f4"))])

    def test_errors(self):
        infer = self.client.infer
        self.fails("NOT_FOUND", "the model 'none' is unknown", infer, "none", self.sum_inputs())
        self.fails("NOT_FOUND", "has no version '9'", infer, "sum", self.sum_inputs(), model_version="9")
        self.fails("NOT_FOUND", "the model 'later' is", infer, "later", self.sum_inputs())
        self.fails("INVALID_ARGUMENT", "b", infer, "sum", self.sum_inputs()[:1])
        self.fails("INVALID_ARGUMENT", "no output nothing", infer, "sum", self.sum_inputs(),
                   outputs=[tritonclient.grpc.InferRequestedOutput("nothing")])
        wrong = tritonclient.grpc.InferInput("a", [1, 2], "INT32")
        wrong.set_data_from_numpy(np.zeros((1, 2), "i4"))
        self.fails("INVALID_ARGUMENT", "a", infer, "sum", [wrong, self.sum_inputs()[1]])
        text = tritonclient.grpc.InferInput("a", [1, 1], "BYTES")
        text.set_data_from_numpy(np.array([["text"]], object))
        self.fails("INVALID_ARGUMENT", "datatype 'BYTES' is unknown or not offered", infer, "sum", [text])
        self.fails("UNIMPLEMENTED", "", self.client.get_trace_settings)

    def test_results_are_bounded(self):
        self.assertEqual(self.client.infer("zeros", [tensor("n", "INT64", np.array([3]))]).as_numpy("zeros").tolist(),
                         [0, 0, 0])
        self.fails("RESOURCE_EXHAUSTED", "the run of the model needs more memory than 134217728 bytes (--max_run_mb)",
                   self.client.infer, "zeros", [tensor("n", "INT64", np.array([10**10]))])

    def test_repository(self):
        client = self.client
        index = client.get_model_repository_index(as_json=True)["models"]
        states = {model["name"]: model.get("state") for model in index}
        self.assertEqual(states["sum"], "READY")
        client.load_model("later")
        self.assertTrue(client.is_model_ready("later"))
        client.infer("later", self.sum_inputs())
        statistics = client.get_inference_statistics("later", as_json=True)["model_stats"][0]
        self.assertEqual((statistics["inference_count"], statistics["execution_count"]), ("1", "1"))
        self.assertEqual(statistics["inference_stats"]["success"]["count"], "1")
        # Both transports have all members that clients know.
        document = self.server.json("GET", "/v2/models/later/stats")[1]["model_stats"][0]
        for found, kind in ((document, service_pb2.ModelStatistics),
                            (document["inference_stats"], service_pb2.InferStatistics),
                            (document["batch_stats"][0], service_pb2.InferBatchStatistics),
                            (document["memory_usage"][0], service_pb2.MemoryUsage)):
            self.assertLessEqual(set(kind.DESCRIPTOR.fields_by_name), set(found))
        for kind in ("compute_input", "compute_infer", "compute_output"):
            times = document["batch_stats"][0][kind]
            self.assertEqual(statistics["batch_stats"][0][kind],
                             {name: str(value) for name, value in times.items() if value})
        self.assertEqual(document["memory_usage"][0]["byte_size"],
                         int(statistics["memory_usage"][0].get("byte_size", 0)))
        client.unload_model("later")
        self.fails("UNAVAILABLE", "the model 'later' is not ready", client.infer, "later", self.sum_inputs())
        self.fails("INVALID_ARGUMENT", "", client.load_model, "../sum")

    def test_stream(self):
        answers = queue.Queue()
        with tritonclient.grpc.InferenceServerClient(self.url) as client:
            client.start_stream(lambda result, error: answers.put((result, error)))
            for number in range(100):
                model = "none" if number == 50 else "sum"
                client.async_stream_infer(model, self.sum_inputs(1, number), request_id=str(number))
            for number in range(100):
                result, error = answers.get(timeout=60)
                if number == 50:
                    self.assertIn("the model 'none' is unknown", error.message())
                else:
                    self.assertIsNone(error)
                    self.assertEqual(result.get_response().id, str(number))
                    self.assertEqual(result.as_numpy("c").tolist(), [[2.0 * number] * 3])
            client.stop_stream()

    def test_many_at_once(self):
        answers = queue.Queue()
        for number in range(200):
            self.client.async_infer("sum", self.sum_inputs(1, number), request_id=str(number),
                                    callback=lambda result, error: answers.put((result, error)))
        for _ in range(200):
            result, error = answers.get(timeout=60)
            self.assertIsNone(error)
            self.assertEqual(result.as_numpy("c").tolist(), [[2.0 * int(result.get_response().id)] * 3])

    def test_coroutines(self):
        async def run():
            async with tritonclient.grpc.aio.InferenceServerClient(self.url) as client:
                assert await client.is_server_ready()
                inputs = [self.sum_inputs(1, i, tritonclient.grpc.aio) for i in range(20)]
                results = await asyncio.gather(*(client.infer("sum", one) for one in inputs))
                return [result.as_numpy("c")[0, 0] for result in results]

        self.assertEqual(asyncio.run(run()), [2.0 * i for i in range(20)])

    def test_shared_memory(self):
        asyncio.run(shared_memory.check(self.client, tritonclient.grpc))

        async def run():
            async with tritonclient.grpc.aio.InferenceServerClient(self.url) as client:
                await shared_memory.check(client, tritonclient.grpc.aio)
        asyncio.run(run())
        self.fails("UNIMPLEMENTED", "memory of GPUs", self.client.register_cuda_shared_memory, "r", b"", 0, 1)
        self.fails("INVALID_ARGUMENT", "a region has no bytes", self.client.register_system_shared_memory, "r", "k", 0)

    def test_bytes_that_are_no_message(self):
        channel = grpc.insecure_channel(self.url)
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        for body in (b"\xff", b"\x2a\xff", b"\x00" * 100):
            with self.assertRaises(grpc.RpcError) as raised:
                call(body, timeout=60)
            self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)
        with socket.create_connection(self.url.split(":")) as client:  # no HTTP/2 either
            client.sendall(b"GET / HTTP/1.1\r\n\r\n")
            client.settimeout(60)
            while client.recv(4096):
                pass
        self.assertTrue(self.client.is_server_live())


    def test_limits_of_a_connection(self):
        def frame(kind, payload=b"", flags=0):
            return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + bytes(4) + payload

        with socket.create_connection(self.url.split(":"), timeout=60) as client:
            client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4))
            reader = client.makefile("rb")

            def read(wanted):
                while head := reader.read(9):
                    payload = reader.read(int.from_bytes(head[:3], "big"))
                    if head[3] == wanted:
                        return payload
                return b""

            settings = dict(struct.iter_unpack(">HI", read(4)))
            self.assertEqual(settings[3], 1024)  # calls at a time
            client.sendall(frame(6, bytes(8)) * 8)  # pings without any call
            self.assertIn(b"too_many_pings", read(7))

    def test_health_of_other_programs(self):
        check = self.channel().unary_unary("/grpc.health.v1.Health/Check")
        self.assertEqual(check(b""), b"\x08\x01")
        self.assertEqual(check(b"\x0a\x1einference.GRPCInferenceService"), b"\x08\x01")
        with self.assertRaises(grpc.RpcError) as raised:
            check(b"\x0a\x03sum")
        self.assertEqual(raised.exception.code(), grpc.StatusCode.NOT_FOUND)


class OperationTest(Served):
    options = ("--log_requests", "--model_control=explicit", "--load_model=sum")

    @classmethod
    def setUpClass(cls):
        cls.profiles = tempfile.TemporaryDirectory()
        cls.options = (*OperationTest.options, f"--profile_folder={cls.profiles.name}")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.profiles.cleanup()

    def logged(self, request_id):
        """The line of the log of this request."""
        while True:
            for line in self.server.log.read_text().splitlines():
                if f'"{request_id}"' in line:
                    return json.loads(line)

    def test_logs_and_metrics(self):
        trace = "0af7651916cd43dd8448eb211c80319c"
        self.client.infer("sum", self.sum_inputs(), headers={
            "x-request-id": "mine", "traceparent": f"00-{trace}-b7ad6b7169203331-01"})
        line = self.logged("mine")
        self.assertRegex(line.pop("time") + line.pop("peer"), r"^20.*Z127\.0\.0\.1:[0-9]+$")
        self.assertGreater(line.pop("microseconds"), 0)
        self.assertGreater(line.pop("received_bytes"), 24)
        self.assertGreater(line.pop("sent_bytes"), 12)
        self.assertEqual(line, {
            "method": "POST", "target": "/inference.GRPCInferenceService/ModelInfer", "status": 200, "code": "OK",
            "model": "sum", "version": "1", "request_id": "mine", "trace_id": trace})
        self.fails("NOT_FOUND", "", self.client.infer, "none", self.sum_inputs(), request_id="of-message")
        line = self.logged("of-message")
        self.assertEqual((line["code"], line["status"], line["model"]), ("NOT_FOUND", 404, "none"))
        self.assertNotIn("version", line)
        with self.assertRaises(grpc.RpcError) as raised:
            self.channel().unary_unary("/inference.GRPCInferenceService/ModelInfer")(b"\xff")
        found = dict(raised.exception.trailing_metadata())["x-request-id"]
        self.assertEqual(self.logged(found)["code"], "INVALID_ARGUMENT")
        metrics = self.metrics()
        self.assertGreaterEqual(metrics['tfrt_grpc_responses_total{code="OK"}'], 1)
        self.assertGreaterEqual(metrics['tfrt_grpc_responses_total{code="NOT_FOUND"}'], 1)
        self.assertGreater(metrics["tfrt_grpc_received_bytes_total"], 24)
        self.assertGreater(metrics["tfrt_grpc_sent_bytes_total"], 12)

    def test_connections_when_there_are_no_descriptors(self):
        process = self.server.process.pid
        count = lambda: len(os.listdir(f"/proc/{process}/fd"))  # noqa: E731
        limit, most = count() + 6, resource.prlimit(process, resource.RLIMIT_NOFILE)
        resource.prlimit(process, resource.RLIMIT_NOFILE, (limit, most[1]))
        clients = [socket.create_connection(self.url.split(":"), timeout=60) for _ in range(30)]
        while count() < limit:
            pass
        for client in clients:
            client.close()
        check = self.channel().unary_unary("/grpc.health.v1.Health/Check")
        self.assertEqual(check(b"", timeout=60, wait_for_ready=True), b"\x08\x01")
        resource.prlimit(process, resource.RLIMIT_NOFILE, most)

    def test_profiles_count_requests(self):
        self.assertEqual(self.server.json("POST", "/v2/debug/profile?requests=2"), (200, {}))
        self.client.infer("sum", self.sum_inputs())
        answers = queue.Queue()
        self.client.start_stream(lambda result, error: answers.put(error))
        self.client.async_stream_infer("sum", self.sum_inputs(), request_id="of-stream")
        self.assertIsNone(answers.get(timeout=60))
        self.client.stop_stream()
        line = self.logged("of-stream")
        self.assertEqual((line["target"], line["code"], line["version"]),
                         ("/inference.GRPCInferenceService/ModelStreamInfer", "OK", "1"))
        while "a profile is written" not in self.server.log.read_text():
            self.assertIsNone(self.server.process.poll())
        self.assertIn(b"model.run", (pathlib.Path(self.profiles.name) / "profile-1.pftrace").read_bytes())


class ConnectionsTest(Served):
    options = ("--max_connections=4",)

    def test_connections_are_limited(self):
        def connect():
            """A connection, or none if it is refused."""
            client = socket.create_connection(self.url.split(":"), timeout=60)
            self.addCleanup(client.close)
            try:
                client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
                return client if client.recv(9) else None
            except ConnectionError:
                return None

        opened = [connect() for _ in range(3)]  # beside that of the client
        self.assertNotIn(None, opened)
        self.assertIsNone(connect())
        opened[0].close()
        while not connect():
            pass
        self.assertIsNone(connect())
        self.client.infer("sum", self.sum_inputs())


class SlowModel(Served):
    models = ("slow",)
    options = ("--max_queue_size=1", "--drain_seconds=50")

    def slow_input(self):
        return [tensor("a", "FP32", np.zeros((384, 384), "f4"))]

    def running(self):
        return sum(value for name, value in self.metrics().items() if "running" in name)

    def start(self, **options):
        """A request, which runs when this returns."""
        ended = queue.Queue()
        context = self.client.async_infer("slow", self.slow_input(), **options,
                                          callback=lambda result, error: ended.put((result, error)))
        while not self.running():
            self.assertTrue(ended.empty())
        return context, ended

    def outcome(self):
        try:
            self.client.infer("slow", self.slow_input())
        except InferenceServerException as error:
            return error.status()
        return "answered"


class LimitsTest(SlowModel):
    def test_full_queues_deadlines_and_cancellation(self):
        self.fails("DEADLINE_EXCEEDED", "", self.client.infer, "slow", self.slow_input(), client_timeout=0.05)
        self.fails("DEADLINE_EXCEEDED", "", self.client.infer, "slow", self.slow_input(), timeout=50_000)
        while self.running():
            pass
        context, ended = self.start()
        waiting = queue.Queue()
        threads = [threading.Thread(target=lambda: waiting.put(self.outcome())) for _ in range(3)]
        for thread in threads:
            thread.start()
        # One waits, and the others are refused at once.
        refused = [waiting.get(timeout=60) for _ in range(2)]
        self.assertEqual(refused, ["StatusCode.RESOURCE_EXHAUSTED"] * 2)
        context.cancel()
        self.assertIn("CANCELLED", str(ended.get(timeout=60)[1]).upper())
        self.assertEqual(waiting.get(timeout=60), "answered")
        for thread in threads:
            thread.join()

    def test_a_refused_request_is_told_when_to_come_again(self):
        context, ended = self.start()
        waiting = [self.client.async_infer("slow", self.slow_input(), callback=lambda result, error: None)]
        while not any(value for name, value in self.metrics().items() if "waiting" in name):
            pass
        request = service_pb2.ModelInferRequest(model_name="slow", raw_input_contents=[bytes(384 * 384 * 4)])
        request.inputs.add(name="a", datatype="FP32", shape=[384, 384])
        once = service_pb2_grpc.GRPCInferenceServiceStub(self.channel(enable_retries=0))
        with self.assertRaises(grpc.RpcError) as raised:
            once.ModelInfer(request)
        self.assertEqual(dict(raised.exception.trailing_metadata())["grpc-retry-pushback-ms"], "100")
        # A client with a policy of retries waits that long.
        policy = {"maxAttempts": 3, "initialBackoff": "3600s", "maxBackoff": "3600s", "backoffMultiplier": 1,
                  "retryableStatusCodes": ["RESOURCE_EXHAUSTED"]}
        config = json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": policy}]})
        patient = service_pb2_grpc.GRPCInferenceServiceStub(
            self.channel(service_config=config, per_rpc_retry_buffer_size=1 << 20))
        before = self.metrics()['tfrt_grpc_responses_total{code="RESOURCE_EXHAUSTED"}']
        with self.assertRaises(grpc.RpcError) as raised:
            patient.ModelInfer(request)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        after = self.metrics()['tfrt_grpc_responses_total{code="RESOURCE_EXHAUSTED"}']
        self.assertEqual(after - before, 3)
        for call in (context, *waiting):
            call.cancel()
        ended.get(timeout=60)

    def test_a_stream_that_is_cancelled_ends_its_requests(self):
        errors = queue.Queue()
        self.client.start_stream(lambda result, error: errors.put(error))
        self.client.async_stream_infer("slow", self.slow_input())
        while not self.running():
            self.assertTrue(errors.empty())
        self.client.stop_stream(cancel_requests=True)
        while self.running():
            pass
        # So does a deadline.
        late = queue.Queue()
        self.client.start_stream(lambda result, error: late.put(error), stream_timeout=0.2)
        self.client.async_stream_infer("slow", self.slow_input())
        # The stream's end or the request's error, whichever comes first.
        self.assertIn("DEADLINE EXCEEDED", str(late.get(timeout=60)).upper().replace("_", " "))
        self.client.stop_stream()
        while self.running():
            pass


class AbandonedStreamsTest(SlowModel):
    """Streams whose clients take no answer. The end of the server would wait for each that does not end."""

    models = ("slow", "sum")
    options = ("--write_timeout=0.2",)

    def stream(self, model, inputs, count):
        """A stream of so many requests, which stays open."""
        stub = service_pb2_grpc.GRPCInferenceServiceStub(self.channel())
        request = service_pb2.ModelInferRequest(model_name=model)
        for made in inputs:
            request.inputs.append(made._get_tensor())
            request.raw_input_contents.append(made._get_content())
        ended = threading.Event()
        self.addCleanup(ended.set)

        def requests():
            for _ in range(count):
                yield request
            ended.wait()
        return stub.ModelStreamInfer(requests())

    def test_cancelled_with_as_many_requests_as_may_wait(self):
        call = self.stream("slow", self.slow_input(), 20)
        while not self.running():
            pass
        time.sleep(0.2)  # most of the others arrive
        call.cancel()
        while self.running():
            pass

    def test_clients_that_do_not_read(self):
        call = self.stream("sum", self.sum_inputs(1 << 15), 12)
        with self.assertRaises(grpc.RpcError) as raised:
            time.sleep(3)
            for _ in range(12):
                next(call)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.CANCELLED)


class DrainTest(SlowModel):
    def test_requests_in_flight_are_answered_at_the_end(self):
        health = self.channel().unary_stream("/grpc.health.v1.Health/Watch")(b"")
        self.assertEqual(next(health), b"\x08\x01")
        _, ended = self.start()
        self.server.process.terminate()
        self.assertEqual(next(health), b"\x08\x02")
        with self.assertRaises(grpc.RpcError) as raised:
            next(health)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.UNAVAILABLE)
        result, error = ended.get(timeout=60)
        self.assertIsNone(error)
        self.assertEqual(result.get_response().model_name, "slow")
        self.assertEqual(self.server.process.wait(timeout=60), 0)


class TokenTest(Served):
    @classmethod
    def setUpClass(cls):
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write("secret\n")
        cls.options = (f"--token_file={file.name}",)
        super().setUpClass()

    def test_token(self):
        self.assertTrue(self.client.is_server_ready())
        for headers in (None, {"authorization": "Bearer other"}):
            self.fails("UNAUTHENTICATED", "the bearer token is missing or wrong", self.client.infer, "sum",
                       self.sum_inputs(), headers=headers)
        result = self.client.infer("sum", self.sum_inputs(), headers={"authorization": "Bearer secret"})
        self.assertEqual(result.as_numpy("c").tolist(), [[2.0] * 3])
        self.fails("PERMISSION_DENIED", "clients may not load or unload", self.client.unload_model, "sum",
                   headers={"authorization": "Bearer secret"})

    def test_shared_memory_is_off(self):
        text = "shared memory is off: start the server with --shared_memory_mb"
        headers = {"authorization": "Bearer secret"}
        self.fails("PERMISSION_DENIED", text, self.client.register_system_shared_memory, "r", "/k", 8, headers=headers)
        self.fails("PERMISSION_DENIED", text, self.client.get_system_shared_memory_status, headers=headers)
        inputs = self.sum_inputs()
        inputs[0].set_shared_memory("r", 12)
        self.fails("UNIMPLEMENTED", text, self.client.infer, "sum", inputs, headers=headers)
        status, answer = self.server.json("POST", "/v2/systemsharedmemory/region/r/register", {"key": "/k"}, headers)
        self.assertEqual((status, answer), (403, {"error": text}))

    def test_a_port_that_is_taken(self):
        port = self.url.split(":")[1]
        with self.assertRaisesRegex(RuntimeError, f"gRPC cannot listen on 127.0.0.1:{port}"):
            serving.Server(PROGRAM, pathlib.Path(self.folder.name) / "models", f"--grpc_port={port}")


@unittest.skipUnless(shutil.which("openssl"), "there is no openssl")
class TlsTest(Served):
    @classmethod
    def make(cls, name):
        """A key, and its certificate for 127.0.0.1 that it has signed itself."""
        key, certificate = cls.file(name + ".key"), cls.file(name + ".pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "2", "-subj", "/CN=" + name, "-addext", "subjectAltName=IP:127.0.0.1",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        return {"private_key": key, "certificate_chain": certificate}

    @classmethod
    def file(cls, name):
        return str(pathlib.Path(cls.keys.name) / name)

    @classmethod
    def setUpClass(cls):
        cls.keys = tempfile.TemporaryDirectory()
        cls.own = cls.make("own")
        cls.known = cls.make("known")
        cls.stranger = cls.make("stranger")
        cls.options = (f"--tls_certificate={cls.file('own.pem')}", f"--tls_key={cls.file('own.key')}",
                       f"--tls_client_ca={cls.file('known.pem')}")
        cls.trusted = {"ssl": True, "root_certificates": cls.file("own.pem")}
        cls.client_options = {**cls.trusted, **cls.known}
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.keys.cleanup()

    def infer(self, **options):
        with tritonclient.grpc.InferenceServerClient(self.url, **options) as client:
            client.infer("sum", self.sum_inputs(), client_timeout=60)

    def test_clients_need_a_certificate(self):
        self.assertEqual(self.client.infer("sum", self.sum_inputs()).as_numpy("c").tolist(), [[2.0] * 3])
        for options in (self.trusted, {**self.trusted, **self.stranger}, {"ssl": True, **self.known}, {}):
            self.fails("UNAVAILABLE", "", self.infer, **options)


if __name__ == "__main__":
    unittest.main()
