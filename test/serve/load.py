"""Models, requests and clients of tests under load. Each answer shows to which request it belongs."""

import collections
import itertools
import json
import socket
import struct
import threading
import time

import numpy as np
import serving
from onnx import TensorProto, helper, numpy_helper

DATATYPES = {"int64": "INT64", "float32": "FP32"}
# Answers that ask a client to come again.
RETRIED = (429, 503)


def save(folder, nodes, inputs, outputs, constants=(), version=1):
    """Puts FOLDER/VERSION/model.onnx in place, by a rename."""
    values = [[helper.make_tensor_value_info(*value) for value in values] for values in (inputs, outputs)]
    arrays = [numpy_helper.from_array(array, name) for name, array in constants]
    graph = helper.make_graph(nodes, "test", *values, arrays)
    serving.save_model(folder, graph, version)


def write_tagged(folder, tag):
    """y = x * tag, t = tag for each element: an answer tells which file gave it."""
    rows = ["batch", "width"]
    integer = TensorProto.INT64
    save(
        folder,
        [helper.make_node("Mul", ["x", "tag"], ["y"]), helper.make_node("Mul", ["x", "zero"], ["zeros"]),
         helper.make_node("Add", ["zeros", "tag"], ["t"])],
        [("x", integer, rows)], [("y", integer, rows), ("t", integer, rows)],
        [("tag", np.int64([tag])), ("zero", np.int64([0]))],
    )  # fmt: skip


def write_turns(folder):
    """c = a + turns, one after the other."""
    integer = TensorProto.INT64
    turn = helper.make_graph(
        [helper.make_node("Identity", ["go_on"], ["goes_on"]), helper.make_node("Add", ["value", "one"], ["next"])],
        "turn",
        [helper.make_tensor_value_info("turn", integer, []),
         helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
         helper.make_tensor_value_info("value", integer, ["n"])],
        [helper.make_tensor_value_info("goes_on", TensorProto.BOOL, []),
         helper.make_tensor_value_info("next", integer, ["n"])],
        [numpy_helper.from_array(np.int64([1]), "one")],
    )  # fmt: skip
    save(folder, [helper.make_node("Loop", ["turns", "", "a"], ["c"], body=turn)],
         [("turns", integer, []), ("a", integer, ["n"])], [("c", integer, ["n"])])


def write_models(root):
    """The models that Question knows, and `narrow`, whose queue is short."""
    integer, rows = TensorProto.INT64, ["batch", "width"]
    same = helper.make_node("Identity", ["x"], ["y"])
    save(root / "identity", [same], [("x", integer, rows)], [("y", integer, rows)])
    serving.write_sum(root / "sum")
    # Both share runs.
    save(root / "rows",
         [helper.make_node("Mul", ["x", "two"], ["twice"]), helper.make_node("Add", ["twice", "one"], ["y"])],
         [("x", integer, rows)], [("y", integer, rows)], [("two", np.int64([2])), ("one", np.int64([1]))])  # fmt: skip
    save(root / "pick", [helper.make_node("Gather", ["table", "x"], ["y"])], [("x", integer, rows)],
         [("y", integer, rows)], [("table", np.arange(1000, dtype=np.int64) * 7 + 3)])
    for name in ("rows", "pick"):
        (root / name / "config.pbtxt").write_text(
            "max_batch_size: 16 dynamic_batching { max_queue_delay_microseconds: 2000 }")
    write_turns(root / "turns")
    write_turns(root / "narrow")
    (root / "narrow" / "config.pbtxt").write_text(
        "dynamic_batching { default_queue_policy { max_queue_size: 2 } }")
    write_tagged(root / "tagged", 1)


class Question:
    """One request. Its values come from a number that no other one has."""

    _numbers = itertools.count(1)
    newest: dict = {}  # the newest file of a model that has answered: later questions get no older one

    def __init__(self, kind, size=4, model=None):
        self.number = next(Question._numbers)
        self.kind = kind
        self.model = model or kind
        self.attempts = 0
        self.fails = False  # whether the model refuses these values
        self.first_tag = Question.newest.get(self.model, 0)
        getattr(self, "_make_" + kind)(size)

    def _make_identity(self, size):
        self.inputs = {"x": (self.number * 1000 + np.arange(size)).reshape(1, size)}
        self.expected = {"y": self.inputs["x"]}

    def _make_sum(self, size):
        a = ((self.number * 31 + np.arange(size)) % (1 << 22)).astype("f4").reshape(1, size)
        b = np.full((1, size), self.number % (1 << 22), "f4")
        self.inputs, self.expected = {"a": a, "b": b}, {"c": a + b}

    def _make_rows(self, size):
        count = self.number % 3 + 1
        x = self.number * 1000 + np.arange(count * size).reshape(count, size)
        self.inputs, self.expected = {"x": x}, {"y": x * 2 + 1}

    def _make_pick(self, size):
        x = (self.number + np.arange(size).reshape(1, size)) % 1000
        self.fails = self.number % 4 == 0
        if self.fails:
            x[0, -1] = 1000 + self.number
        self.inputs, self.expected = {"x": x}, {"y": x * 7 + 3}

    def _make_turns(self, size):
        self.inputs = {"turns": np.int64(size), "a": self.number * 1000 + np.arange(3)}
        self.expected = {"c": self.inputs["a"] + size}

    def _make_tagged(self, size):
        self.inputs = {"x": (self.number * 1000 + 1 + np.arange(size)).reshape(1, size)}
        self.expected = None

    def next_id(self):
        self.attempts += 1
        return f"q{self.number}.{self.attempts}"

    def check(self, found):
        """Returns the differences as a text, which is empty if there are none."""
        expected = self.expected
        if self.fails:
            return "an answer for values that the model refuses"
        if expected is None:
            tags = np.unique(found["t"]) if "t" in found else []
            if len(tags) != 1 or tags[0] < self.first_tag:
                return f"results of the files {tags}, expected one, {self.first_tag} or later"
            Question.newest[self.model] = max(tags[0], Question.newest.get(self.model, 0))
            expected = {"t": np.full_like(self.inputs["x"], tags[0]), "y": self.inputs["x"] * tags[0]}
        if found.keys() != expected.keys():
            return f"results {list(found)}"
        for name, array in expected.items():
            if found[name].shape != array.shape or (found[name] != array).any():
                return f"{name} is {found[name].reshape(-1)[:8]}, expected {array.reshape(-1)[:8]}"
        return ""


def http_request(question, request_id, binary=False, headers=(), version=None):
    """All bytes of a request."""
    inputs, tail = [], []
    for name, array in question.inputs.items():
        entry = {"name": name, "datatype": DATATYPES[array.dtype.name], "shape": list(array.shape)}
        if binary:
            tail.append(array.tobytes())
            entry["parameters"] = {"binary_data_size": len(tail[-1])}
        else:
            entry["data"] = array.reshape(-1).tolist()
        inputs.append(entry)
    document = {"id": request_id, "inputs": inputs}
    if binary:
        document["parameters"] = {"binary_data_output": True}
    text = json.dumps(document).encode()
    headers = {"X-Request-Id": request_id, **dict(headers)}
    if binary:
        headers["Inference-Header-Content-Length"] = str(len(text))
    body = text + b"".join(tail)
    where = f"/v2/models/{question.model}" + (f"/versions/{version}" if version else "")
    return head("POST", where + "/infer", len(body), headers) + body


def head(method, path, size=0, headers=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: test", f"Content-Length: {size}"]
    lines += [f"{name}: {value}" for name, value in dict(headers).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def results_of(answer):
    """The id of an answer with status 200, and its tensors."""
    size = answer.headers.get("inference-header-content-length")
    text = answer.body if size is None else answer.body[: int(size)]
    tail = b"" if size is None else answer.body[int(size) :]
    document = json.loads(text)
    found = {}
    for output in document["outputs"]:
        kind = {datatype: name for name, datatype in DATATYPES.items()}[output["datatype"]]
        if "data" in output:
            flat = np.array(output["data"], kind)
        else:
            length = output["parameters"]["binary_data_size"]
            flat, tail = np.frombuffer(tail[:length], kind), tail[length:]
        found[output["name"]] = flat.reshape(output["shape"])
    if tail:
        raise ValueError(f"{len(tail)} bytes behind the results")
    return document["id"], found


Answer = collections.namedtuple("Answer", "status headers body")


class Ended(Exception):
    """The connection has ended without a whole answer; `has_begun`: a part of one has arrived."""

    def __init__(self, reason, has_begun):
        super().__init__(f"{reason}, {'within' if has_begun else 'before'} an answer")
        self.has_begun = has_begun


class Wire:
    """A connection that loses no byte, so that an answer too many is seen."""

    def __init__(self, address, context=None, timeout=60):
        self.rest = b""
        self.socket = socket.create_connection(address, timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            self.socket = context.wrap_socket(self.socket)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        """Ends the connection as a client that dies."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Ended(repr(error), bool(self.rest)) from error

    def _receive(self):
        try:
            data = self.socket.recv(1 << 16)
        except OSError as error:
            raise Ended(repr(error), bool(self.rest)) from error
        if not data:
            raise Ended("the server closes", bool(self.rest))
        self.rest += data

    def answer(self):
        """The next answer; raises Ended."""
        while b"\r\n\r\n" not in self.rest:
            self._receive()
        text, _, _ = self.rest.partition(b"\r\n\r\n")
        start, *lines = text.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        begin = len(text) + 4
        end = begin + int(headers["content-length"])
        while len(self.rest) < end:
            self._receive()
        body, self.rest = self.rest[begin:end], self.rest[end:]
        return Answer(int(start.split(" ")[1]), headers, body)

    def call(self, data):
        self.send(data)
        return self.answer()

    def has_more(self):
        """Whether there are bytes that nothing has asked for."""
        if self.rest:
            return True
        timeout = self.socket.gettimeout()
        self.socket.settimeout(0)
        try:
            self.rest = self.socket.recv(1 << 16)
        except OSError:  # there is nothing to read; of TLS, too
            pass
        finally:
            self.socket.settimeout(timeout)
        return bool(self.rest)


class Tally:
    """Counts of all clients and their failures. Compares each attempt with the server's log. Thread-safe."""

    GONE = "gone"  # the client did not wait: the log may have anything
    ENDED = "ended"  # there was no answer: the log must have none

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.failures = []
        self.records = {}  # id: what the client has, what the log has; until both are there

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def fail(self, what, text):
        with self.lock:
            self._fail(what, text)

    def _fail(self, what, text):
        self.counts["FAILED: " + what] += 1
        if len(self.failures) < 50:
            self.failures.append(f"{time.strftime('%H:%M:%S')} {what}: {text}")

    def client(self, request_id, outcome):
        """Takes the status of an answer, GONE or ENDED."""
        self._note(request_id, 0, outcome)

    def log(self, line):
        """Takes one line of the server's log; returns its entry."""
        try:
            entry = json.loads(line)
        except ValueError:
            self.fail("log", f"a line is no JSON: {line[:200]}")
            return {}
        if entry.get("request_id", "").startswith("q"):
            self._note(entry["request_id"], 1, self.GONE if entry.get("client_is_gone") else entry["status"])
        return entry

    def _note(self, request_id, side, value):
        with self.lock:
            record = self.records.setdefault(request_id, [None, None])
            if record[side] is not None:
                self._fail("answered twice", f"{request_id}: {record[side]} and {value}, {('client', 'log')[side]}")
            record[side] = value
            client, log = record
            if client is None or log is None:
                return
            del self.records[request_id]
            if client == self.ENDED and log != self.GONE:
                self._fail("lost", f"{request_id}: the server has answered with {log}")
            elif client not in (self.ENDED, self.GONE) and client != log:
                self._fail("log", f"{request_id}: status {client}, in the log {log}")

    def finish(self, log_is_whole=True):
        """Looks at what is left after the end of the server and its log."""
        with self.lock:
            for request_id, (client, log) in self.records.items():
                if client is None:
                    self._fail("answered twice", f"{request_id}: {log} in the log, for an attempt that has its answer")
                elif log is None and client not in (self.GONE, self.ENDED) and log_is_whole:
                    self._fail("log", f"{request_id}: status {client}, and no line of the log")


class Client:
    """Asks again while the server says so. One thread uses it; connections are kept, or not."""

    def __init__(self, tally, address, context=None, keeps=True, binary=False, patience=60):
        self.tally, self.address, self.context = tally, address, context
        self.keeps, self.binary, self.patience = keeps, binary, patience
        self.wire = None
        self.ends = threading.Event()  # the server is told to end: connections may end, too

    def connect(self):
        self.wire = self.wire or Wire(self.address, self.context)
        return self.wire

    def drop(self):
        if self.wire:
            self.wire.close()
            self.wire = None

    def ask(self, question, headers=()):
        """Returns the results, or the status of an error; None if the server ends."""
        deadline = time.monotonic() + self.patience
        while True:
            request_id = question.next_id()
            answer = self._attempt(question, request_id, headers)
            if answer is None:
                return None
            self.tally.count(f"{question.model}: {answer.status}")
            if answer.status not in RETRIED:
                return self.judge(question, request_id, answer)
            if time.monotonic() > deadline:
                self.tally.fail("no answer in time", f"{request_id}: {answer.status} {answer.body[:200]}")
                return None
            if "retry-after" not in answer.headers:
                self.tally.fail("error", f"{request_id}: status {answer.status} without Retry-After")
            # Sooner than Retry-After says, for more load.
            if self.ends.wait(min(0.02 * 2 ** min(question.attempts, 6), 1)):
                return None

    def _attempt(self, question, request_id, headers):
        was_open = self.wire is not None
        try:
            wire = self.connect()
            wire.send(http_request(question, request_id, self.binary, headers))
            answer = wire.answer()
        except (Ended, OSError) as error:
            self.drop()
            if self.ends.is_set() and not getattr(error, "has_begun", False):
                self.tally.client(request_id, Tally.ENDED)
                self.tally.count("not accepted at the end")
            else:
                self.tally.client(request_id, Tally.ENDED)
                self.tally.fail("lost", f"{request_id}, connection {'kept' if was_open else 'new'}: {error!r}")
            return None
        self.tally.client(request_id, answer.status)
        if wire.has_more():
            self.tally.fail("answered twice", f"{request_id}: {wire.rest[:100]}")
            self.drop()
        if not self.keeps or answer.headers.get("connection", "").lower() == "close":
            self.drop()
        return answer

    def judge(self, question, request_id, answer):
        """Checks an answer that is final."""
        if answer.headers.get("x-request-id") != request_id:
            self.tally.fail("wrong", f"{request_id}: an answer to {answer.headers.get('x-request-id')}")
        if answer.status != 200:
            if not is_error(answer):
                self.tally.fail("error", f"{request_id}: {answer.status} {answer.body[:200]}")
            if question.fails != (answer.status == 400) and answer.status != 504:
                self.tally.fail("wrong", f"{request_id} {question.model}: {answer.status} {answer.body[:200]}")
            return answer.status
        name, found = results_of(answer)
        difference = question.check(found)
        if name != request_id or difference:
            self.tally.fail("wrong", f"{request_id} {question.model}: id {name}, {difference}")
        return found


def is_error(answer):
    """Whether the body is an error of the protocol."""
    try:
        return isinstance(json.loads(answer.body)["error"], str)
    except (ValueError, KeyError, TypeError):
        return False
