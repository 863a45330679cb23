#!/usr/bin/env python3
"""Operators rely on these: files that change, limits, logs, metrics and the end. usage: operation_test.py TFRT_SERVE"""

import concurrent.futures
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import serving
from onnx import TensorProto, helper

PROGRAM = sys.argv.pop()
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")


def request(a, b, **more):
    """A request to the model `sum` for rows of one element."""
    def tensor(name, values):
        return {"name": name, "datatype": "FP32", "shape": [len(values), 1], "data": values}
    return {"inputs": [tensor("a", a), tensor("b", b)], **more}


def wait_for(condition, what):
    deadline = time.monotonic() + 60
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("in vain: " + what)
        time.sleep(0.01)


class OperationTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name) / "models"
        serving.write_sum(self.root / "sum")

    def serve(self, *options):
        server = serving.Server(PROGRAM, self.root, *options)
        self.addCleanup(server.__exit__)
        return server.await_ready()

    def infer(self, server, *arguments, headers=(), **more):
        return server.json("POST", "/v2/models/sum/infer", request(*arguments, **more), headers)

    def sum(self, server):
        """The result of 1 and 2."""
        status, answer = self.infer(server, [1], [2])
        return answer["outputs"][0]["data"][0] if status == 200 else answer["error"]

    def test_a_compiled_model_is_kept(self):
        server = self.serve()
        self.assertEqual(self.sum(server), 3)
        compiled = self.root / "sum" / "1" / "model.bef"
        first = compiled.stat().st_ino
        self.assertEqual(server.stop(), 0)
        self.assertEqual(self.serve().stop(), 0)
        self.assertEqual(compiled.stat().st_ino, first)
        serving.write_sum(self.root / "sum", kind="Mul")
        self.assertEqual(self.sum(self.serve()), 2)
        self.assertNotEqual(compiled.stat().st_ino, first)

    def test_files_may_change_while_it_serves(self):
        server = self.serve("--model_control=poll", "--poll_seconds=0.02")
        ends = threading.Event()
        wrong = []

        def ask():
            while not ends.is_set():
                answer = self.sum(server)
                if answer not in (3, 2):
                    wrong.append(answer)

        client = threading.Thread(target=ask)
        client.start()
        try:
            for version, kind in enumerate(("Mul", "Add", "Mul"), 2):
                serving.write_sum(self.root / "sum", version, kind)
                wait_for(lambda expected={"Mul": 2, "Add": 3}[kind]: self.sum(server) == expected, kind)
            folder = self.root / "sum" / "5"
            folder.mkdir()
            (folder / "model.bef").write_bytes(b"nonsense")
            index = lambda: server.json("POST", "/v2/repository/index", {})[1]  # noqa: E731
            wait_for(lambda: any("5" == model["version"] and model["reason"] for model in index()), "a broken version")
            self.assertEqual(self.sum(server), 2)
        finally:
            ends.set()
            client.join()
        self.assertEqual(wrong, [])

    def test_a_broken_model_says_why_and_others_go_on(self):
        folder = self.root / "broken" / "1"
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(b"nonsense")
        server = self.serve()
        self.assertEqual(self.sum(server), 3)
        status, answer = server.json("GET", "/v2/models/broken/ready")
        self.assertEqual(status, 503)
        self.assertRegex(answer["error"], "^the model 'broken' is not ready: .*model.onnx")
        wait_for(lambda: "broken version 1 cannot be loaded" in server.log.read_text(), "a line of the log")

    def test_malformed_requests_get_errors_of_the_protocol(self):
        server = self.serve()
        path = "/v2/models/sum/infer"
        for method, target, body, headers, status in [
            ("POST", path, "{", {}, 400),
            ("POST", path, "[" * 100000, {}, 400),
            ("POST", path, "{}", {"Inference-Header-Content-Length": "9"}, 400),
            ("POST", path, "{}", {"Inference-Header-Content-Length": "-1"}, 400),
            ("POST", path, json.dumps(request([1], [2])), {"X-Request-Timeout-Ms": "soon"}, 400),
            ("GET", path, None, {}, 405),
            ("POST", "/v2/models/sum", "", {}, 405),
            ("GET", "/v2/models/sum/speed", None, {}, 404),
            ("GET", "/v2/models/sum/versions/x/ready", None, {}, 404),
            ("GET", "/v2/models/%00", None, {}, 404),
            ("GET", "/v2/models//ready", None, {}, 404),
            ("GET", "/v2/health/speed", None, {}, 404),
            ("GET", "/nothing", None, {}, 404),
            ("DELETE", "/v2", None, {}, 405),
            ("GET", "/v2/repository/index", None, {}, 405),
            ("POST", "/v2/repository/models/sum/unload", "", {}, 403),
            ("POST", "/v2/debug/profile?requests=1", "", {}, 403),
        ]:
            with self.subTest(target=target, body=body and body[:20]):
                found, answer = server.json(method, target, body, headers)
                self.assertEqual(found, status)
                self.assertIsInstance(answer["error"], str)
        self.assertEqual(self.sum(server), 3)

    def test_deadlines_come_from_headers(self):
        server = self.serve()
        for name in ("X-Request-Timeout-Ms", "x-envoy-expected-rq-timeout-ms"):
            status, answer = self.infer(server, [1], [2], headers={name: "0"})
            self.assertEqual((status, answer), (504, {"error": "deadline exceeded"}))
            self.assertEqual(self.infer(server, [1], [2], headers={name: "60000"})[0], 200)
        self.assertEqual(self.infer(server, [1], [2], parameters={"timeout": 1})[0], 504)

    def test_a_full_queue_refuses(self):
        # Requests wait for a batch that does not fill.
        (self.root / "sum" / "config.pbtxt").write_text(
            "max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 3600000000"
            " default_queue_policy { max_queue_size: 2 } }")
        server = self.serve()
        body = json.dumps(request([1], [2]))
        waiting = []
        for _ in range(2):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            connection.request("POST", "/v2/models/sum/infer", body)
            waiting.append(connection)
        count = lambda: server.json("GET", "/v2/models/sum/stats")[1]["model_stats"][0]["queue_size"]  # noqa: E731
        wait_for(lambda: count() == 2, "requests that wait")
        status, headers, answer = server.call("POST", "/v2/models/sum/infer", body)
        self.assertEqual((status, headers["Retry-After"]), (429, "1"))
        self.assertIn(b"the queue of the model is full", answer)
        # A client that goes leaves the queue.
        waiting[0].sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        waiting[0].close()
        wait_for(lambda: count() == 1, "the queue without it")
        # Seven more rows fill the batch.
        self.assertEqual(self.infer(server, [1] * 7, [2] * 7)[0], 200)
        self.assertEqual(json.loads(waiting[1].getresponse().read())["outputs"][0]["data"], [3])
        waiting[1].close()

    def test_tokens(self):
        token = pathlib.Path(self.folder.name) / "token"
        token.write_text("secret\n")
        server = self.serve(f"--token_file={token}")
        self.assertEqual(self.infer(server, [1], [2])[0], 401)
        self.assertEqual(self.infer(server, [1], [2], headers={"Authorization": "Bearer wrong"})[0], 401)
        self.assertEqual(self.infer(server, [1], [2], headers={"Authorization": "Bearer secret"})[0], 200)
        self.assertEqual(server.call("GET", "/metrics")[0], 401)

    def test_metrics_and_logs(self):
        server = self.serve("--log_requests", "--max_batch_size=16")
        trace = "0af7651916cd43dd8448eb211c80319c"
        status, headers, _ = server.call("POST", "/v2/models/sum/infer", json.dumps(request([1, 1], [2, 2])),
                                         {"traceparent": f"00-{trace}-b7ad6b7169203331-01", "X-Request-Id": "mine"})
        self.assertEqual((status, headers["X-Request-Id"]), (200, "mine"))
        self.infer(server, [1], [2, 3])
        status, headers, text = server.call("GET", "/metrics")
        self.assertEqual(headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
        metrics = {}
        for line in text.decode().splitlines():
            if not line.startswith("# "):
                name, value = line.rsplit(" ", 1)
                metrics[name] = float(value)
        labels = 'model="sum",version="1"'
        self.assertEqual(metrics[f'tfrt_requests_total{{{labels},code="OK"}}'], 1)
        self.assertEqual(metrics[f'tfrt_requests_total{{{labels},code="INVALID_ARGUMENT"}}'], 1)
        self.assertEqual(metrics[f"tfrt_rows_total{{{labels}}}"], 2)
        self.assertEqual(metrics[f'tfrt_batch_rows_bucket{{{labels},le="1"}}'], 0)
        self.assertEqual(metrics[f'tfrt_batch_rows_bucket{{{labels},le="+Inf"}}'], 1)
        self.assertEqual(metrics[f"tfrt_run_seconds_count{{{labels}}}"], 1)
        self.assertEqual(metrics[f"tfrt_model_ready{{{labels}}}"], 1)
        self.assertGreaterEqual(metrics['tfrt_http_responses_total{status="200"}'], 1)
        self.assertGreater(metrics["process_resident_memory_bytes"], 1 << 20)
        wait_for(lambda: '"mine"' in server.log.read_text(), "a line of the log")
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        logged = next(line for line in lines if line.get("request_id") == "mine")
        self.assertEqual((logged["trace_id"], logged["status"]), (trace, 200))

    def test_profiles_on_demand(self):
        server = self.serve("--model_control=explicit", "--load_model=sum", f"--profile_folder={self.folder.name}")
        wait_for(lambda: self.infer(server, [1], [2])[0] == 200, "the model")
        self.assertEqual(server.json("POST", "/v2/debug/profile?requests=many")[0], 400)
        self.assertEqual(server.json("POST", "/v2/debug/profile?requests=18446744073709551615")[0], 400)
        self.assertEqual(server.json("POST", "/v2/debug/profile?requests=2"), (200, {}))
        status, answer = server.json("POST", "/v2/debug/profile?requests=2")
        self.assertEqual(status, 400)
        self.assertIn("a profile is being recorded", answer["error"])
        for _ in range(2):
            self.infer(server, [1], [2])
        wait_for(lambda: "a profile is written" in server.log.read_text(), "the profile")
        profile = pathlib.Path(self.folder.name) / "profile-1.pftrace"
        self.assertIn(b"model.run", profile.read_bytes())

    def test_the_page_for_people_needs_no_other_file(self):
        server = self.serve()
        status, headers, page = server.call("GET", "/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertNotIn(b"src=", page)
        self.assertNotIn(b"href=", page)

    @unittest.skipUnless(BROWSER, "there is no chromium")
    def test_the_page_in_a_browser(self):
        folder = self.root / "<b>bad" / "1"
        folder.mkdir(parents=True)
        (folder / "model.bef").write_bytes(b"nonsense")
        server = self.serve()
        self.infer(server, [1], [2])
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000",
                   f"--user-data-dir={self.folder.name}/browser", "--dump-dom", f"http://{server.url}/"]
        page = subprocess.run(command, capture_output=True, text=True, timeout=100).stdout
        self.assertIn('<p id="state">ready</p>', page)
        self.assertRegex(page, "<td>sum</td><td>1</td><td class=\"\">READY</td>|<td>sum</td><td>1</td><td>READY</td>")
        self.assertRegex(page, "<td>&lt;b&gt;bad</td><td>1</td><td class=\"bad\">UNAVAILABLE: ")
        self.assertIn("<polyline", page)

    def test_short_runs_with_long_results(self):
        server = self.serve()
        numbers = [0.5 * i for i in range(6000)]
        size = 4 * len(numbers)
        body = json.dumps({"inputs": [{"name": name, "datatype": "FP32", "shape": [len(numbers), 1],
                                       "parameters": {"binary_data_size": size}} for name in "ab"]}).encode()
        headers = {"Inference-Header-Content-Length": str(len(body))}
        body += 2 * struct.pack(f"{len(numbers)}f", *numbers)
        for _ in range(8):  # the thread that reads the request is trusted with the run soon, but not with the JSON
            status, _, answer = server.call("POST", "/v2/models/sum/infer", body, headers)
            self.assertEqual((status, json.loads(answer)["outputs"][0]["data"]),
                             (200, [2 * number for number in numbers]))

    def test_sigterm_answers_what_is_in_flight(self):
        (self.root / "sum" / "config.pbtxt").write_text(
            "max_batch_size: 2 dynamic_batching { max_queue_delay_microseconds: 3600000000 }")
        server = self.serve("--drain_delay=60")
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("POST", "/v2/models/sum/infer", json.dumps(request([1], [2])))
        server.process.send_signal(signal.SIGTERM)
        wait_for(lambda: server.call("GET", "/v2/health/ready")[0] == 503, "the end of readiness")
        server.process.send_signal(signal.SIGHUP)  # which would read TLS files again, and ends nothing
        self.assertEqual(server.call("GET", "/v2/health/live")[0], 200)
        self.assertEqual(self.infer(server, [1], [2])[0], 200)  # fills the batch
        self.assertEqual(json.loads(connection.getresponse().read())["outputs"][0]["data"], [3])
        server.process.send_signal(signal.SIGTERM)  # at once
        self.assertEqual(server.process.wait(timeout=60), -signal.SIGTERM)

    def test_sigterm_ends_with_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = self.serve()
            self.assertEqual(self.sum(server), 3)
            self.assertEqual(server.stop(number), 0)

    def write_endless(self):
        """A model with more turns than there is time for, and a request that asks for them."""
        turn = helper.make_graph(
            [helper.make_node("Identity", ["go_on"], ["goes_on"]),
             helper.make_node("Add", ["value", "value"], ["sum"])],
            "turn",
            [helper.make_tensor_value_info("turn", TensorProto.INT64, []),
             helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
             helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n"])],
            [helper.make_tensor_value_info("goes_on", TensorProto.BOOL, []),
             helper.make_tensor_value_info("sum", TensorProto.FLOAT, ["n"])])
        graph = helper.make_graph(
            [helper.make_node("Loop", ["turns", "", "a"], ["c"], body=turn)], "endless",
            [helper.make_tensor_value_info("turns", TensorProto.INT64, []),
             helper.make_tensor_value_info("a", TensorProto.FLOAT, ["n"])],
            [helper.make_tensor_value_info("c", TensorProto.FLOAT, ["n"])])
        folder = self.root / "endless" / "1"
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString())
        return {"inputs": [{"name": "turns", "datatype": "INT64", "shape": [], "data": [2**62]},
                           {"name": "a", "datatype": "FP32", "shape": [1], "data": [1]}]}

    def test_a_model_that_never_ends(self):
        body = self.write_endless()
        server = self.serve("--drain_seconds=0.1")
        status, answer = server.json("POST", "/v2/models/endless/infer", body, {"X-Request-Timeout-Ms": "50"})
        self.assertEqual((status, answer), (504, {"error": "deadline exceeded"}))
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("POST", "/v2/models/endless/infer", json.dumps(body))
        running = lambda: server.json("GET", "/v2/models/endless/stats")[1]["model_stats"][0]["running"]  # noqa: E731
        wait_for(lambda: running() == 1, "the request")
        self.assertEqual(self.sum(server), 3)
        self.assertEqual(server.stop(), 1)
        self.assertIn("requests are left unanswered", server.log.read_text())

    def test_a_server_whose_threads_are_all_busy_is_not_live(self):
        body = self.write_endless()
        server = self.serve("--max_stall_seconds=0.05", "--sessions=2")
        live = lambda: server.call("GET", "/v2/health/live")[0]  # noqa: E731
        self.assertEqual(live(), 200)
        headers = {"X-Request-Timeout-Ms": "1000"}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = [pool.submit(server.json, "POST", "/v2/models/endless/infer", body, headers) for _ in range(2)]
            wait_for(lambda: live() == 503, "the server not to be live")
            self.assertEqual([answer.result()[0] for answer in answers], [504, 504])
        wait_for(lambda: live() == 200, "the server to be live again")
        self.assertEqual(self.sum(server), 3)

    def test_it_does_not_start_without_what_it_needs(self):
        missing = os.path.join(self.folder.name, "missing")
        for option, message in ((f"--models={missing}", "cannot read the folder"),
                                (f"--token_file={missing}", "missing")):  # fmt: skip
            with self.assertRaisesRegex(RuntimeError, message):
                arguments = [option] if "models" not in option else ["--log_requests"]
                root = self.root if "models" not in option else pathlib.Path(missing)
                serving.Server(PROGRAM, root, *arguments)


if __name__ == "__main__":
    unittest.main()
