"""Faults around a whole server: a full disk, no descriptors, its death and its end under load.

Each episode takes the program and an empty folder, and raises AssertionError if the server does not
stand the fault. It returns why it could not run, or nothing.
"""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import threading
import time

import load
import serving

REASONS = {"no_space": "No space left on device", "too_large": "File too large", "no_files": "Too many open files"}


def put(path, data):
    """Replaces a file at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(".new")
    new.write_bytes(data)
    new.rename(path)


def wait_for(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("in vain: " + what)
        time.sleep(0.01)


def expect(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)))


def raise_failures(tally):
    expect(not tally.failures, *tally.failures[:5])


class SmallDisk:
    """A file system of one MB at `folder`, which only the server's process sees."""

    reason = REASONS["no_space"]
    command = ["unshare", "--mount"] + ([] if os.getuid() == 0 else ["--map-root-user"])

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()

    @classmethod
    def is_possible(cls):
        if not shutil.which("unshare"):
            return False
        mount = [*cls.command, "mount", "-t", "tmpfs", "none", "/mnt"]
        return subprocess.run(mount, capture_output=True).returncode == 0

    def wrapper(self, seed, log):
        script = 'mount -t tmpfs -o size=1m none "$0" && cp -r "$1/." "$0" && log=$2 && shift 2 && exec "$@" 2>"$log"'
        return [*self.command, "bash", "-c", script, self.folder, seed, log]

    def start(self, server):
        self.seen = pathlib.Path(f"/proc/{server.process.pid}/root{self.folder}")

    def fill(self):
        with contextlib.suppress(OSError), open(self.seen / ".filler", "wb", buffering=0) as filler:
            while True:
                filler.write(bytes(4096))

    def free(self):
        (self.seen / ".filler").unlink()


class FileLimit:
    """A server whose files must not be written, as by a quota. Its log is a pipe, if it is outside."""

    reason = REASONS["too_large"]

    def __init__(self, folder):
        self.folder = self.seen = folder

    @classmethod
    def is_possible(cls):
        return True

    def wrapper(self, seed, log):
        to = f'"{log}"' if log.is_relative_to(self.folder) else f'>(exec cat >"{log}")'
        return ["bash", "-c", f'cp -r "$1/." "$0" && shift && exec "$@" 2> {to}', self.folder, seed]

    def start(self, server):
        self.folder.mkdir(exist_ok=True)
        self.pid = server.process.pid

    def _limit(self, size):
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def fill(self):
        self._limit(0)

    def free(self):
        self._limit(resource.RLIM_INFINITY)


@contextlib.contextmanager
def on_disk(program, scratch, disk, log, *options):
    """A server whose models are on a disk that can be filled: `sum` is loaded, `later` is not."""
    seed = scratch / "seed"
    for name in ("sum", "later"):
        serving.write_sum(seed / name)
    (seed / ".profiles").mkdir()
    with serving.Server(program, disk.folder, "--model_control=explicit", "--load_model=sum", *options,
                        f"--profile_folder={disk.folder}/.profiles",
                        wrapper=disk.wrapper(seed, log)) as server:  # fmt: skip
        disk.start(server)
        server.await_ready()
        yield server


class Asking:
    """A client of models that compute `sum`, over a kept connection."""

    def __init__(self, server):
        self.tally = load.Tally()
        self.client = load.Client(self.tally, ("127.0.0.1", server.port))

    def __call__(self, model="sum", count=1):
        for _ in range(count):
            self.client.ask(load.Question("sum", model=model))
            raise_failures(self.tally)

    def post(self, path):
        """Status and text of an answer, over the same connection."""
        answer = self.client.connect().call(load.head("POST", path))
        return answer.status, answer.body.decode()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.client.drop()


def full_disk(program, scratch, kind):
    """Models are compiled and profiles recorded while the disk is full, and again when it has room."""
    disk, log = kind(scratch / "models"), scratch / "models.log"
    with on_disk(program, scratch, disk, log) as server, Asking(server) as ask:
        logged = lambda text: text in log.read_text()  # noqa: E731
        ask()
        disk.fill()
        expect(ask.post("/v2/repository/models/later/load")[0] == 200, "a model on a full disk is not loaded")
        ask("later")
        ask()
        wait_for(lambda: logged("model later version 1: the compiled model is not kept: "), "a line of the log")
        expect(logged(disk.reason), "the log does not say", disk.reason)
        names = sorted(os.listdir(disk.seen / "later" / "1"))
        expect(names == ["model.onnx"], "files are left:", names)
        status, text = ask.post("/v2/debug/profile?requests=2")
        if status == 200:
            ask(count=2)
            wait_for(lambda: logged("the profile is lost: "), "a line about the profile")
        else:
            expect(disk.reason in text, "the error of a profile:", text)
        ask()
        disk.free()
        wait_for(lambda: ask.post("/v2/debug/profile?requests=2")[0] == 200, "a profile")
        ask(count=2)
        wait_for(lambda: logged("a profile is written: "), "a profile")
        expect(ask.post("/v2/repository/models/later/unload")[0] == 200, "unload")
        expect(ask.post("/v2/repository/models/later/load")[0] == 200, "load")
        ask("later")
        expect((disk.seen / "later" / "1" / "model.bef").exists(), "the compiled model is not kept")
        expect(server.stop() == 0, "the exit code is not 0")


def full_log(program, scratch, kind):
    """Requests are answered while their log cannot be written; later lines are whole again."""
    disk = kind(scratch / "models")
    if kind is FileLimit:
        disk.folder.mkdir()
    log = disk.folder / ".log"
    with on_disk(program, scratch, disk, log, "--log_requests") as server, Asking(server) as ask:
        seen = disk.seen / ".log"
        ask(count=10)
        wait_for(lambda: seen.read_bytes().count(b"infer") == 10, "lines of the log")
        disk.fill()
        ask(count=50)
        size = seen.stat().st_size
        ask(count=50)  # the last block of the file is full by now
        expect(seen.stat().st_size == size, "the disk is not full")
        disk.free()
        ask(count=2)
        wait_for(lambda: seen.stat().st_size > size, "lines of the log")
        lines = seen.read_bytes()[size:].splitlines()
        wait_for(lambda: seen.read_bytes().endswith(b"}\n"), "whole lines")
        expect(len(lines) >= 1, "no lines")
        tally = load.Tally()
        tally.log(seen.read_bytes().splitlines()[-1])
        raise_failures(tally)
        expect(server.stop() == 0, "the exit code is not 0")


def squeeze(pid, free):
    """Leaves a running process this many more descriptors; None: as many as before."""
    hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]
    if free is None:
        return resource.prlimit(pid, resource.RLIMIT_NOFILE, (hard, hard))
    used = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
    limit = 0
    while limit in used or free > 0:
        free -= limit not in used
        limit += 1
    return resource.prlimit(pid, resource.RLIMIT_NOFILE, (limit, hard))


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def no_descriptors(program, scratch):
    """Connections, models and profiles while no descriptor is left, and when some are again."""
    root = scratch / "models"
    for name in ("sum", "later"):
        serving.write_sum(root / name)
    (scratch / "profiles").mkdir()
    with serving.Server(program, root, "--model_control=explicit", "--load_model=sum",
                        f"--profile_folder={scratch / 'profiles'}") as server, Asking(server) as ask:  # fmt: skip
        server.await_ready()
        pid = server.process.pid
        ask()
        _no_connections(server, pid, ask)
        _no_models(root, pid, ask)
        squeeze(pid, 0)
        status, text = ask.post("/v2/debug/profile?requests=2")
        expect(status >= 400 and REASONS["no_files"] in text, "the error of a profile:", status, text)
        squeeze(pid, None)
        expect(ask.post("/v2/debug/profile?requests=2")[0] == 200, "a profile")
        ask(count=2)
        wait_for(lambda: "a profile is written" in server.log.read_text(), "a profile")
        expect(server.stop() == 0, "the exit code is not 0")


def _no_connections(server, pid, ask):
    tally = load.Tally()
    address = ("127.0.0.1", server.port)
    with contextlib.ExitStack() as stack:
        squeeze(pid, 0)
        asked = []
        for _ in range(10):
            question = load.Question("sum")
            wire = stack.enter_context(load.Wire(address))
            request_id = question.next_id()
            wire.send(load.http_request(question, request_id))
            asked.append((question, request_id, wire))
        begin, used = time.monotonic(), processor_seconds(pid)
        while time.monotonic() < begin + 0.5:
            ask()
            time.sleep(0.05)
        used = processor_seconds(pid) - used
        expect(used < 0.25, f"{used} s of a processor in 0.5 s without descriptors")
        expect(not any(wire.has_more() for _, _, wire in asked), "descriptors were left")
        before = len(os.listdir(f"/proc/{pid}/fd"))
        squeeze(pid, None)
        for question, request_id, wire in asked:
            load.Client(tally, address).judge(question, request_id, wire.answer())
            expect(not wire.has_more(), "two answers")
        raise_failures(tally)
    wait_for(lambda: len(os.listdir(f"/proc/{pid}/fd")) == before, "the end of connections")


def _no_models(root, pid, ask):
    """With no, one, two ... descriptors the loader comes farther each time."""
    loads, refused = 0, 0
    for free in range(8):
        (root / "later" / "1" / "model.bef").unlink(missing_ok=True)
        squeeze(pid, free)
        status, text = ask.post("/v2/repository/models/later/load")
        ask()
        squeeze(pid, None)
        if status != 200:
            refused += 1
            expect("later" in text or "descriptor" in text or REASONS["no_files"] in text, "the error:", status, text)
            expect(ask.post("/v2/repository/models/later/load")[0] == 200, "no model after", text)
        ask("later")
        loads += 1
        expect(ask.post("/v2/repository/models/later/unload")[0] == 200, "unload")
    expect(refused > 0, "a model was loaded without descriptors")


def no_descriptors_while_polling(program, scratch):
    """Models stay while their folder cannot be read, and changes of that time are seen later."""
    root = scratch / "models"
    serving.write_sum(root / "sum")
    load.write_tagged(root / "changing", 1)
    load.Question.newest.pop("changing", None)  # of an earlier server
    for i in range(20):  # which make a look longer
        put(root / f"broken{i}" / "1" / "model.bef", b"nonsense")
    with serving.Server(program, root, "--model_control=poll", "--poll_seconds=0.005") as server, Asking(server) as ask:
        server.await_ready()
        pid = server.process.pid
        ask()
        # Connections that come and go leave one descriptor, or none, at any time of a look.
        ends = threading.Event()
        squeeze(pid, 1)

        def connect():
            while not ends.is_set():
                with load.Wire(("127.0.0.1", server.port)):
                    time.sleep(0.002)
                time.sleep(0.002)

        thread = threading.Thread(target=connect)
        thread.start()
        try:
            until = time.monotonic() + 0.7
            while time.monotonic() < until:
                ask()
        finally:
            ends.set()
            thread.join()
        newest = lambda: ask.client.ask(load.Question("tagged", model="changing"))["t"][0, 0]  # noqa: E731
        for free in range(5):
            squeeze(pid, free)
            load.write_tagged(root / "changing", free + 2)
            time.sleep(0.1)  # some looks, in vain or not
            ask()
            squeeze(pid, None)
            wait_for(lambda: newest() == free + 2, f"the model that was replaced with {free} descriptors left")  # noqa: B023
        raise_failures(ask.tally)
        expect("is gone" not in server.log.read_text(), "models were unloaded:", server.log.read_text()[-300:])
        expect(server.stop() == 0, "the exit code is not 0")


def no_descriptors_for_grpc(program, scratch):
    """Connections of gRPC wait until there are descriptors, and are answered then."""
    if not has_grpc(program):
        return "there is no gRPC"
    import soak_clients

    root, port_file = scratch / "models", scratch / "grpc_port"
    serving.write_sum(root / "sum")
    tally = load.Tally()
    with serving.Server(program, root, "--grpc_port=0", f"--grpc_port_file={port_file}") as server:
        server.await_ready()
        pid, address = server.process.pid, ("127.0.0.1", int(port_file.read_text()))
        kept = soak_clients.Grpc(tally, address)
        kept.ask(load.Question("sum"))
        squeeze(pid, 0)
        # The server's first attempts are in vain: the connections that it cannot accept are older.
        waiting = [socket.create_connection(address) for _ in range(3)]
        begin, used = time.monotonic(), processor_seconds(pid)
        while time.monotonic() < begin + 0.5:
            kept.ask(load.Question("sum"))
            time.sleep(0.05)
        used = processor_seconds(pid) - used
        expect(used < 0.25, f"{used} s of a processor in 0.5 s without descriptors")
        squeeze(pid, None)
        for connection in waiting:
            connection.close()
        late = soak_clients.Grpc(tally, address)
        late.ask(load.Question("sum"))
        raise_failures(tally)
        for client in (kept, late):
            client.channel.close()
        expect(server.stop() == 0, "the exit code is not 0")
    return None


def has_grpc(program):
    return (pathlib.Path(program).resolve().parent.parent / "lib" / "tfrt_grpc.so").exists()


class RoundRobin:
    """Asks servers in turn, and the next one if one does not answer in `timeout` seconds."""

    def __init__(self, tally, addresses, timeout=1.0, patience=30):
        self.tally, self.addresses, self.timeout, self.patience = tally, addresses, timeout, patience
        self.turn = 0
        self.wires = {}
        self.slowest = 0.0

    def ask(self, question):
        begin = time.monotonic()
        while time.monotonic() < begin + self.patience:
            address = self.addresses[self.turn % len(self.addresses)]
            self.turn += 1
            request_id = question.next_id()
            wire = None
            try:
                wire = self.wires.pop(address, None) or load.Wire(address, timeout=self.timeout)
                answer = wire.call(load.http_request(question, request_id))
            except (load.Ended, OSError):
                if wire:
                    wire.close()
                self.tally.count("asked another server")
                continue
            if answer.status in load.RETRIED:
                self.tally.count(f"status {answer.status}")
                time.sleep(0.01)
                continue
            if wire.has_more():
                self.tally.fail("answered twice", f"{request_id}: {wire.rest[:100]}")
            self.wires[address] = wire
            self.slowest = max(self.slowest, time.monotonic() - begin)
            self.tally.count("answers")
            self.tally.count(f"answers of {address[0]}")
            load.Client(self.tally, address).judge(question, request_id, answer)
            return
        self.tally.fail("lost", f"q{question.number} has no answer in {self.patience} s")

    def close(self):
        for wire in self.wires.values():
            wire.close()


class Crowd:
    """Threads that ask until the end of a `with` statement."""

    def __init__(self, asks):
        self.ends = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(ask,)) for ask in asks]

    def _run(self, ask):
        while not self.ends.is_set() and ask() is not False:
            time.sleep(0.005)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *unused):
        self.ends.set()
        for thread in self.threads:
            thread.join()


def killed(program, scratch):
    """One of two servers is killed and started again; clients that ask the other one lose nothing."""
    tally = load.Tally()
    roots = [scratch / name for name in ("one", "two")]
    for root in roots:
        serving.write_sum(root / "sum")
    with contextlib.ExitStack() as stack:
        servers = [serving.Server(program, root) for root in roots]
        for server in servers:
            stack.enter_context(server)
            server.await_ready()
        addresses = [("127.0.0.1", server.port) for server in servers]
        clients = [RoundRobin(tally, addresses[i:] + addresses[:i]) for i in range(2)]
        with Crowd([lambda client=client: client.ask(load.Question("sum")) for client in clients]):
            for which in (0, 1):
                time.sleep(0.2)
                servers[which].process.kill()
                servers[which].process.wait()
                # A kept connection shows that it has ended; so does a new one.
                wait_for(lambda count=which + 1: tally.counts["asked another server"] >= count, "a client that notices")
                again = serving.Server(program, roots[which], port=addresses[which][1])
                stack.enter_context(again)
                again.await_ready()
                servers[which] = again
            time.sleep(0.2)
        for client in clients:
            client.close()
        raise_failures(tally)
        for server in servers:
            statistics = server.json("GET", "/v2/models/sum/stats")[1]["model_stats"][0]["inference_stats"]
            expect(statistics["success"]["count"] > 0, "a server that came again was not asked:", statistics)
        expect([server.stop() for server in servers] == [0, 0], "the exit codes are not 0")


def terminated(program, scratch):
    """SIGTERM under load: all that the server has accepted is answered."""
    tally = load.Tally()
    root = scratch / "models"
    load.write_models(root)
    with serving.Server(program, root, "--log_requests") as server:
        server.await_ready()
        address = ("127.0.0.1", server.port)
        clients = [load.Client(tally, address, keeps=i % 2 == 0) for i in range(4)]
        kinds = ("turns", "rows", "identity", "sum")

        def ask(client, kind):
            return client.ask(load.Question(kind, 10_000 if kind == "turns" else 4)) is not None

        with Crowd([lambda pair=pair: ask(*pair) for pair in zip(clients, kinds)]), contextlib.ExitStack() as stack:
            time.sleep(0.2)
            late = []
            for _ in range(3):  # they are in flight for sure
                question = load.Question("turns", 100_000)
                wire = stack.enter_context(load.Wire(address))
                request_id = question.next_id()
                wire.send(load.http_request(question, request_id))
                late.append((question, request_id, wire))
            stats = lambda: server.json("GET", "/v2/models/turns/stats")[1]["model_stats"][0]  # noqa: E731
            wait_for(lambda: stats()["queue_size"] + stats()["running"] > 0, "requests in flight")
            for client in clients:
                client.ends.set()
            server.process.send_signal(signal.SIGTERM)
            for question, request_id, wire in late:
                answer = wire.answer()
                tally.client(request_id, answer.status)
                clients[0].judge(question, request_id, answer)
            expect(server.process.wait(timeout=60) == 0, "the exit code is not 0")
        for client in clients:
            client.drop()
        for line in server.log.read_bytes().splitlines():
            tally.log(line)
        tally.finish()
        raise_failures(tally)


def _of_disk(episode, kind):
    def run(program, scratch):
        if not kind.is_possible():
            return f"{' '.join(kind.command)} is refused"
        return episode(program, scratch, kind)

    return run


EPISODES = [
    ("killed", killed),
    ("terminated", terminated),
    ("no descriptors", no_descriptors),
    ("no descriptors while polling", no_descriptors_while_polling),
    ("no descriptors for gRPC", no_descriptors_for_grpc),
    ("full disk", _of_disk(full_disk, SmallDisk)),
    ("files that cannot be written", _of_disk(full_disk, FileLimit)),
    ("full disk of the log", _of_disk(full_log, SmallDisk)),
    ("log that cannot be written", _of_disk(full_log, FileLimit)),
]
