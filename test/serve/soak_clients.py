"""Clients of the long test: those that behave, each in its way, and those that do not."""

import random
import time

import load
import numpy as np

KINDS = ("identity", "sum", "rows", "pick", "turns", "tagged")
# Malformed requests, and the statuses that they may get.
MALFORMED = [
    (b"GET /v2 HTTP/1.1\r\n\r\n", {400}),
    (b"NONSENSE\r\n\r\n", {400}),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", {400}),
    (b"GET /v2 HTTP/9.9\r\nHost: a\r\n\r\n", {400, 505}),
    (b"POST /v2/models/sum/infer HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", {400}),
    (b"POST /v2/models/sum/infer HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", {413}),
    (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 500 + b"\r\n", {431}),
    (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", {414, 431}),
    (load.head("POST", "/v2/models/sum/infer", 1) + b"{", {400}),
    (load.head("POST", "/v2/models/sum/infer", 100_000) + b"[" * 100_000, {400}),
    (load.head("POST", "/v2/models/none/infer", 2) + b"{}", {404}),
    (load.head("POST", "/v2/models/sum/infer", 2, {"Inference-Header-Content-Length": "3"}) + b"{}", {400}),
    (load.head("POST", "/v2/models/sum/infer", 200) + b'{"inputs":[{"name":"a","datatype":"FP32","shape":[4],'
     + b'"data":[1]}]}'.ljust(147), {400}),
    (load.head("GET", "/v2/models/%zz/ready"), {400, 404}),
    (load.head("DELETE", "/v2"), {405}),
]  # fmt: skip


class Mixed(load.Client):
    """Asks all models in turn, with sizes from one element to some ten thousand."""

    def __init__(self, *arguments, seed=0, kinds=KINDS, **options):
        super().__init__(*arguments, **options)
        self.random = random.Random(seed)
        self.kinds = kinds

    def __call__(self):
        kind = self.random.choice(self.kinds)
        size = self.random.choice((1, 4, 30))
        if kind == "turns":
            size = self.random.choice((0, 100, 5000))
        elif self.binary and kind != "rows":
            size = self.random.choice((1, 100, 20_000))
        self.ask(load.Question(kind, size))


class Burst:
    """Many connections ask at once: runs are shared, or a short queue is full."""

    def __init__(self, tally, address, kinds, connections, size=4, model=None):
        self.clients = [load.Client(tally, address, binary=i % 2 == 1) for i in range(connections)]
        self.tally, self.kinds, self.size, self.model, self.turn = tally, kinds, size, model, 0

    def __call__(self):
        self.turn += 1
        kind = self.kinds[self.turn % len(self.kinds)]
        sent = []
        for client in self.clients:
            question = load.Question(kind, self.size, self.model)
            request_id = question.next_id()
            try:
                client.connect().send(load.http_request(question, request_id, client.binary))
            except (load.Ended, OSError) as error:
                self._end(client, request_id, error)
                continue
            sent.append((client, question, request_id))
        for client, question, request_id in sent:
            try:
                answer = client.wire.answer()
            except load.Ended as error:
                self._end(client, request_id, error)
                continue
            self.tally.client(request_id, answer.status)
            self.tally.count(f"{question.model}: {answer.status}")
            if answer.status in load.RETRIED:
                client.ask(question)
            else:
                client.judge(question, request_id, answer)
                if answer.headers.get("connection", "").lower() == "close":
                    client.drop()

    def _end(self, client, request_id, error):
        client.drop()
        self.tally.client(request_id, load.Tally.ENDED)
        if client.ends.is_set() and not getattr(error, "has_begun", False):
            self.tally.count("not accepted at the end")
        else:
            self.tally.fail("lost", f"{request_id}, of a burst: {error!r}")


class Pipeline(load.Client):
    """Sends requests before the answers to earlier ones have come; these come in order."""

    def __call__(self):
        questions = [load.Question(kind, 4) for kind in ("turns", "identity", "rows", "tagged")]
        ids = [question.next_id() for question in questions]
        done, again = 0, []
        try:
            self.connect().send(b"".join(map(load.http_request, questions, ids)))
            for question, request_id in zip(questions, ids):
                answer = self.wire.answer()
                done += 1
                self.tally.client(request_id, answer.status)
                self.tally.count(f"pipelined: {answer.status}")
                if answer.status in load.RETRIED:
                    again.append(question)
                else:
                    self.judge(question, request_id, answer)
            for question in again:
                self.ask(question)
        except (load.Ended, OSError) as error:
            self.drop()
            for request_id in ids[done:]:
                self.tally.client(request_id, load.Tally.ENDED)
            if not self.ends.is_set() or getattr(error, "has_begun", False):
                self.tally.fail("lost", f"{ids[done]}, pipelined: {error!r}")


class Faulty(load.Client):
    """Each call is a client that misbehaves in another way, and then one that asks and is answered."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.turn = 0

    def __call__(self):
        ways = (self.leaves_within_the_body, self.leaves_before_the_answer, self.leaves_within_the_answer,
                self.writes_slowly, self.reads_slowly, self.is_malformed, self.has_no_time, self.is_malformed)
        way = ways[self.turn % len(ways)]
        self.turn += 1
        try:
            way()
            self.tally.count(f"fault: {way.__name__}")
        except (load.Ended, OSError) as error:
            if not self.ends.is_set():
                self.tally.fail("lost", f"a client that {way.__name__}: {error!r}")
        self.ask(load.Question("rows"))

    def _send(self, question, size=None, headers=()):
        request_id = question.next_id()
        self.tally.client(request_id, load.Tally.GONE)
        wire = load.Wire(self.address, self.context)
        wire.send(load.http_request(question, request_id, True, headers)[:size])
        return wire

    def leaves_within_the_body(self):
        self._send(load.Question("sum", 1000), 2000).reset()

    def leaves_before_the_answer(self):
        self._send(load.Question("turns", 100_000_000)).reset()  # minutes, but for the end of its client

    def leaves_within_the_answer(self):
        with self._send(load.Question("identity", 1_000_000)) as wire:  # more than the socket's buffers take
            wire.socket.recv(1000)
            wire.reset()

    def writes_slowly(self):
        question = load.Question("sum", 500)
        request_id = question.next_id()
        data = load.http_request(question, request_id, True)
        with load.Wire(self.address, self.context) as wire:
            for begin in range(0, len(data), 1000):
                wire.send(data[begin : begin + 1000])
                time.sleep(0.01)
            answer = wire.answer()
        self.tally.client(request_id, answer.status)
        if answer.status not in load.RETRIED:
            self.judge(question, request_id, answer)

    def reads_slowly(self):
        question = load.Question("identity", 300_000)
        request_id = question.next_id()
        with load.Wire(self.address, self.context) as wire:
            wire.send(load.http_request(question, request_id, True))
            while len(wire.rest) < 10_000 and b"Retry-After" not in wire.rest:
                wire.rest += wire.socket.recv(1000)
                time.sleep(0.01)
            answer = wire.answer()
        self.tally.client(request_id, answer.status)
        if answer.status not in load.RETRIED:
            self.judge(question, request_id, answer)

    def is_malformed(self):
        data, statuses = MALFORMED[self.turn // 4 % len(MALFORMED)]
        with load.Wire(self.address, self.context) as wire:
            answer = wire.call(data)
        if answer.status not in statuses or not load.is_error(answer):
            self.tally.fail("error", f"{data[:60]} gets {answer.status} {answer.body[:100]}, expected {statuses}")

    def has_no_time(self):
        status = self.ask(load.Question("turns", 100_000_000), headers={"X-Request-Timeout-Ms": "20"})
        if status not in (504, None):
            self.tally.fail("wrong", f"{status}, expected the end of a deadline")


class Grpc:
    """Asks by gRPC, one by one or in a stream."""

    def __init__(self, tally, address, streams=False, seed=0):
        import grpc
        from tritonclient.grpc import service_pb2, service_pb2_grpc

        self.tally, self.streams, self.grpc, self.messages = tally, streams, grpc, service_pb2
        self.channel = grpc.insecure_channel("{}:{}".format(*address), [("grpc.use_local_subchannel_pool", 1)])
        self.stub = service_pb2_grpc.GRPCInferenceServiceStub(self.channel)
        self.random = random.Random(seed)
        self.is_ending = False

    def __call__(self):
        if self.streams:
            return self._stream()
        kind = self.random.choice(KINDS)
        question = load.Question(kind, self.random.choice((1, 4, 3000)) if kind not in ("rows", "turns") else 50)
        codes = self.grpc.StatusCode
        if self.random.random() < 0.05:
            request = self._request(load.Question("turns", 100_000_000))
            call = self.stub.ModelInfer.future(request)
            time.sleep(0.02)
            call.cancel()
            self.tally.client(request.id, load.Tally.GONE)
            self.tally.count("gRPC turns: cancelled")
        elif self.random.random() < 0.1:
            question = load.Question("turns", 100_000_000)
            self._fails(question, codes.DEADLINE_EXCEEDED, timeout=0.02)
        elif question.fails:
            self._fails(question, (codes.INVALID_ARGUMENT, codes.OUT_OF_RANGE), timeout=60)
        else:
            self.ask(question)

    def _request(self, question):
        request = self.messages.ModelInferRequest(model_name=question.model, id=question.next_id())
        for name, array in question.inputs.items():
            request.inputs.add(name=name, datatype=load.DATATYPES[array.dtype.name], shape=array.shape)
            request.raw_input_contents.append(array.tobytes())
        return request

    def ask(self, question):
        while True:
            request = self._request(question)
            try:
                answer = self.stub.ModelInfer(request, timeout=60)
            except self.grpc.RpcError as error:
                self._note(request, error)
                if self.is_ending:
                    return self.tally.count("not accepted at the end")
                codes = self.grpc.StatusCode
                self.tally.count(f"gRPC {question.model}: {error.code().name}")
                if error.code() not in (codes.RESOURCE_EXHAUSTED, codes.UNAVAILABLE) or question.attempts > 30:
                    return self.tally.fail("lost", f"{request.id}, gRPC: {error.code()} {error.details()}")
                time.sleep(0.05 * question.attempts)
                continue
            self.tally.count(f"gRPC {question.model}: OK")
            self.tally.client(request.id, 200)
            return self._check(question, request, answer)

    def _note(self, request, error):
        """The log has the status that HTTP would have; but not if the client ended the call."""
        codes = self.grpc.StatusCode
        statuses = {codes.INVALID_ARGUMENT: 400, codes.OUT_OF_RANGE: 400, codes.RESOURCE_EXHAUSTED: 429}
        self.tally.client(request.id, statuses.get(error.code(), load.Tally.GONE))

    def _check(self, question, request, answer):
        found = {}
        names = {datatype: name for name, datatype in load.DATATYPES.items()}
        for output, data in zip(answer.outputs, answer.raw_output_contents):
            found[output.name] = np.frombuffer(data, names[output.datatype]).reshape(tuple(output.shape))
        difference = question.check(found)
        if answer.id != request.id or difference:
            self.tally.fail("wrong", f"{request.id}, gRPC: id {answer.id}, {difference}")

    def _fails(self, question, codes, timeout):
        request = self._request(question)
        try:
            self.stub.ModelInfer(request, timeout=timeout)
            self.tally.fail("wrong", f"{request.id}, gRPC: an answer, expected {codes}")
        except self.grpc.RpcError as error:
            self._note(request, error)
            self.tally.count(f"gRPC {question.model}: {error.code().name}")
            unfit = error.code() != codes if not isinstance(codes, tuple) else error.code() not in codes
            if unfit and not self.is_ending:
                self.tally.fail("error", f"{request.id}, gRPC: {error.code()} {error.details()}, expected {codes}")

    def _stream(self):
        questions = [load.Question(kind, 4) for kind in ("identity", "rows", "turns", "tagged", "rows", "pick")]
        requests = [self._request(question) for question in questions]
        count = 0
        try:
            for answer in self.stub.ModelStreamInfer(iter(requests), timeout=60):
                if count == len(requests):
                    self.tally.fail("answered twice", f"{requests[0].id}, a stream: {answer}")
                    break
                question, request = questions[count], requests[count]
                count += 1
                self.tally.count("gRPC stream: " + ("error" if answer.error_message else "OK"))
                self.tally.client(request.id, load.Tally.GONE if answer.error_message else 200)
                if not answer.error_message:
                    self._check(question, request, answer.infer_response)
                elif "is not ready" in answer.error_message or "is full" in answer.error_message:
                    self.ask(question)
                elif not question.fails:
                    self.tally.fail("wrong", f"{request.id}, a stream: {answer.error_message}")
        except self.grpc.RpcError as error:
            for request in requests[count:]:
                self.tally.client(request.id, load.Tally.GONE)
            if not self.is_ending:
                self.tally.fail("lost", f"{requests[0].id}, a stream: {error.code()} {error.details()}")
            return
        if count != len(requests):
            self.tally.fail("lost", f"{requests[0].id}: {count} answers of a stream of {len(requests)}")
