#!/usr/bin/env python3
"""Serves mixed load with faults for a time. usage: soak.py TFRT_SERVE [SECONDS]

Two servers, one of them with gRPC, the other with TLS, answer clients of several kinds all the time.
Their models are replaced, broken, mended, loaded and unloaded meanwhile. Beside them the episodes of
faults.py take turns. All answers are compared with what was asked, and with the log. The exit code is
1 if one is wrong, lost or given twice, or if memory, descriptors or threads grow.
"""

import argparse
import contextlib
import os
import pathlib
import resource
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import faults
import load
import serving
import soak_clients

MODELS = ("identity", "sum", "rows", "pick", "turns", "narrow", "tagged")


class Served:
    """A server with its log, which is compared with what clients got, and samples of what it uses."""

    def __init__(self, program, root, *options, tally):
        self.tally = tally
        reader, writer = os.pipe()
        try:
            self.server = serving.Server(program, root, "--log_requests", *options, log=writer)
        finally:
            os.close(writer)
        self.pid = self.server.process.pid
        self.address = ("127.0.0.1", self.server.port)
        self.errors = []
        self.samples = []  # seconds, MB, descriptors, threads
        self.log = threading.Thread(target=self._read, args=(reader,), daemon=True)
        self.log.start()

    def _read(self, reader):
        with open(reader, "rb") as lines:
            for line in lines:
                entry = self.tally.log(line)
                if entry.get("severity") == "error":
                    self.tally.fail("log", line[:200])

    def sample(self, seconds):
        status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines())
        self.samples.append((seconds, int(status["VmRSS"].split()[0]) / 1024,
                             len(os.listdir(f"/proc/{self.pid}/fd")), int(status["Threads"])))  # fmt: skip

    def judge_samples(self, name):
        """Memory, descriptors and threads of the last two thirds of the time must not grow."""
        samples = [sample for sample in self.samples if sample[0] >= self.samples[-1][0] / 3]
        count = len(samples)
        times = [sample[0] for sample in samples]
        middle = sum(times) / count
        spread = sum((t - middle) ** 2 for t in times) or 1
        text = [f"{name}: {count} samples of the last two thirds"]
        # Pools, caches and threads are made in the first minutes. Later the memory that malloc keeps for each thread
        # goes up and down by some large tensors.
        is_long = self.samples[-1][0] > 600
        for column, what, least, share in (
            (1, "MB resident", 2.0, 0.1 if is_long else 1.5),
            (2, "descriptors", 3.0 if is_long else 12.0, 0),
            (3, "threads", 2.0 if is_long else 8.0, 0),
        ):
            values = [sample[column] for sample in samples]
            mean = sum(values) / count
            growth = sum((t - middle) * (v - mean) for t, v in zip(times, values)) / spread * (times[-1] - times[0])
            bound = max(least, mean * share)
            text.append(f"{what} {min(values):.4g} to {max(values):.4g}, growth {growth:+.2f} (at most {bound:.2f})")
            if growth > bound:
                took = times[-1] - times[0]
                self.tally.fail("growth", f"{name}: {what} {growth:+.2f} in {took:.0f} s, at most {bound:.2f}")
        print("; ".join(text))


class Load:
    """Threads that call clients, each some times a second."""

    def __init__(self, tally):
        self.tally, self.ends, self.threads, self.clients = tally, threading.Event(), [], []

    def add(self, rate, client):
        self.clients.append(client)
        self.threads.append(threading.Thread(target=self._run, args=(rate, client), daemon=True))

    def start(self):
        for thread in self.threads:
            thread.start()

    def _run(self, rate, client):
        next_time = time.monotonic()
        while not self.ends.is_set():
            try:
                client()
            except Exception as error:  # a client that ends would hide what comes later
                self.tally.fail("client", f"{type(client).__name__}: {error!r}")
            next_time = max(next_time + 1 / rate, time.monotonic() - 1)
            self.ends.wait(next_time - time.monotonic())

    def server_ends(self):
        for client in self.clients:
            client.is_ending = True
            for one in getattr(client, "clients", [client]):
                if hasattr(one, "ends"):
                    one.ends.set()

    def stop(self):
        self.ends.set()
        for thread in self.threads:
            thread.join(timeout=90)
            if thread.is_alive():
                self.tally.fail("lost", "a client still waits for its answer")
        for client in self.clients:
            for one in getattr(client, "clients", [client]):
                if hasattr(one, "drop"):
                    one.drop()


class Operator:
    """Changes models while they serve; each call is another change."""

    def __init__(self, tally, address, root, profiles, pid):
        self.client = load.Client(tally, address)
        self.clients = [self.client]
        self.tally, self.root, self.profiles, self.pid, self.turn, self.tag = tally, root, profiles, pid, 0, 1

    def __call__(self):
        ways = (self.replaces, self.breaks_and_mends, self.unloads_and_loads, self.records_a_profile, self.looks,
                self.takes_descriptors)
        way = ways[self.turn % len(ways)]
        self.turn += 1
        try:
            way()
            self.tally.count(f"operator: {way.__name__}")
        except (load.Ended, OSError) as error:
            self.client.drop()
            if not self.client.ends.is_set():
                self.tally.fail("lost", f"the operator, who {way.__name__}: {error!r}")

    def call(self, method, path, body=b"", expected=(200,)):
        answer = self.client.connect().call(load.head(method, path, len(body)) + body)
        if answer.status not in expected:
            self.tally.fail("operator", f"{path}: {answer.status} {answer.body[:200]}, expected {expected}")
        return answer

    def replaces(self):
        self.tag += 1
        load.write_tagged(self.root / "tagged", self.tag)
        self.call("POST", "/v2/repository/models/tagged/load")
        if (found := self.client.ask(load.Question("tagged"))) is not None and found["t"].max() != self.tag:
            self.tally.fail("wrong", f"the file {found['t'].max()} answers, expected {self.tag}")

    def breaks_and_mends(self):
        path = self.root / "tagged" / "1" / "model.onnx"
        good = path.read_bytes()
        for broken in (good[: len(good) // 2], b"nonsense"):
            faults.put(path, broken)
            answer = self.call("POST", "/v2/repository/models/tagged/load", expected=(400, 422, 500))
            if b"model.onnx" not in answer.body:
                self.tally.fail("operator", f"the error of a broken model: {answer.body[:200]}")
            self.client.ask(load.Question("tagged"))  # the old one answers
        faults.put(path, good)
        self.call("POST", "/v2/repository/models/tagged/load")

    def unloads_and_loads(self):
        """Clients get 503 meanwhile, and come again."""
        self.call("POST", "/v2/repository/models/identity/unload")
        if self.call("GET", "/v2/models/identity/ready", expected=(503,)).status == 503:
            self.tally.count("operator: 503")
        self.call("POST", "/v2/repository/models/identity/load")
        self.client.ask(load.Question("identity"))

    def records_a_profile(self):
        self.call("POST", "/v2/debug/profile?requests=5", expected=(200, 400))  # 400: the last one goes on
        for profile in sorted(self.profiles.glob("*.pftrace"))[:-1]:
            profile.unlink()

    def takes_descriptors(self):
        """New connections wait meanwhile."""
        faults.squeeze(self.pid, 0)
        self.client.ask(load.Question("sum"))
        self.client.ends.wait(0.5)
        faults.squeeze(self.pid, None)

    def looks(self):
        for path in ("/metrics", "/v2/models/stats", "/", "/v2/health/ready"):
            self.call("GET", path)
        self.call("POST", "/v2/repository/index", b"{}")


class Poller:
    """Replaces a model of a server that looks at its folder."""

    def __init__(self, tally, root):
        self.tally, self.root, self.tag = tally, root, 1

    def __call__(self):
        self.tag += 1
        if self.tag % 5 == 0:
            faults.put(self.root / "polled" / "1" / "model.onnx", b"nonsense")
        else:
            load.write_tagged(self.root / "polled", self.tag)
        self.tally.count("replaced in the folder")


def make_certificate(folder):
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
               "-days", "2", "-subj", "/CN=localhost"]  # fmt: skip
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    subprocess.run(command + files, check=True, capture_output=True)
    context = ssl.create_default_context(cafile=folder / "certificate.pem")
    context.check_hostname = False
    return context


def add_clients(clients, served, root, grpc_address, profiles, rate):
    """The load on the first server."""
    tally, address = served.tally, served.address
    for i in range(3):
        clients.add(5 * rate, soak_clients.Mixed(tally, address, seed=i, binary=i == 1, keeps=i != 2))
    clients.add(1 * rate, soak_clients.Burst(tally, address, ("rows", "pick", "identity"), 8))
    clients.add(0.3 * rate, soak_clients.Burst(tally, address, ("turns",), 8, 4000, "narrow"))
    clients.add(1 * rate, soak_clients.Pipeline(tally, address))
    clients.add(2 * rate, soak_clients.Faulty(tally, address))
    clients.add(0.4 * rate, Operator(tally, address, root, profiles, served.pid))
    if grpc_address:
        clients.add(4 * rate, soak_clients.Grpc(tally, grpc_address))
        clients.add(0.5 * rate, soak_clients.Grpc(tally, grpc_address, streams=True))


def serve_polled(program, folder, tally):
    """A server whose folder is looked at, with TLS if the build has it; and the context of its clients."""
    load.write_tagged(folder / "polled" / "polled", 1)
    context = make_certificate(folder)
    options = ("--model_control=poll", "--poll_seconds=0.5")
    tls = (f"--tls_key={folder / 'key.pem'}", f"--tls_certificate={folder / 'certificate.pem'}")
    try:
        return Served(program, folder / "polled", *options, *tls, tally=tally), context
    except RuntimeError:  # a build without OpenSSL
        tally.count("without TLS")
        return Served(program, folder / "polled", *options, tally=tally), None


def run_episodes(program, folder, seconds, tally):
    """Takes the episodes in turn until the time is over, each with its own servers."""
    begin, turn = time.monotonic(), 0
    while time.monotonic() < begin + seconds:
        name, episode = faults.EPISODES[turn % len(faults.EPISODES)]
        turn += 1
        started = time.monotonic()
        try:
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                text = episode(program, pathlib.Path(scratch))
            tally.count(f"episode: {name}" + (", skipped: " + text if text else ""))
        except Exception as error:
            tally.fail("episode", f"{name}: {error!r}")
        # A third of the time, or less, is theirs.
        rest = min(started + max(15, 3 * (time.monotonic() - started)), begin + seconds) - time.monotonic()
        time.sleep(max(0, rest))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("seconds", type=float, nargs="?", default=3600)
    parser.add_argument("--rate", type=float, default=1, help="multiple of the usual load, about 45 requests a second")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # and its servers end, too
    with tempfile.TemporaryDirectory() as folder:
        return run(arguments.program, pathlib.Path(folder), arguments.seconds, arguments.rate)


def run(program, folder, seconds, rate):
    tally = load.Tally()
    root = folder / "models"
    load.write_models(root)
    (folder / "profiles").mkdir()
    options = ["--model_control=explicit", *(f"--load_model={name}" for name in MODELS),
               f"--profile_folder={folder / 'profiles'}"]  # fmt: skip
    has_grpc = faults.has_grpc(program)
    port_file = folder / "grpc_port"
    if has_grpc:
        options += ["--grpc_port=0", f"--grpc_port_file={port_file}"]
    with contextlib.ExitStack() as stack:
        first = Served(program, root, *options, tally=tally)
        stack.enter_context(first.server)
        tls, context = serve_polled(program, folder, tally)
        stack.enter_context(tls.server)
        first.server.await_ready()
        asker = load.Client(tally, tls.address, context)
        faults.wait_for(lambda: asker.connect().call(load.head("GET", "/v2/models/polled/ready")).status == 200, "TLS")
        asker.drop()
        grpc_address = ("127.0.0.1", int(port_file.read_text())) if has_grpc else None
        clients, tls_clients = Load(tally), Load(tally)
        add_clients(clients, first, root, grpc_address, folder / "profiles", rate)
        for keeps in (True, False):
            tls_clients.add(1 * rate, AskPolled(tally, tls.address, context, keeps=keeps))
        tls_clients.add(0.2, Poller(tally, folder / "polled"))
        begin, every = time.monotonic(), max(10, seconds // 60)
        clients.start()
        tls_clients.start()
        episodes = threading.Thread(target=run_episodes, args=(program, folder, seconds - 10, tally), daemon=True)
        episodes.start()
        while (passed := time.monotonic() - begin) < seconds:
            first.sample(passed)
            tls.sample(passed)
            if first.server.process.poll() is not None or tls.server.process.poll() is not None:
                tally.fail("server", "a server has ended")
                break
            time.sleep(max(0.2, seconds / 1000))
            if passed // every != (time.monotonic() - begin) // every:
                report_progress(tally, first, passed)
        episodes.join(timeout=120)
        # The end under load: all that was accepted is answered.
        for served, load_of in ((first, clients), (tls, tls_clients)):
            load_of.server_ends()
            served.server.process.send_signal(signal.SIGTERM)
        codes = [served.server.process.wait(timeout=60) for served in (first, tls)]
        for load_of in (clients, tls_clients):
            load_of.stop()
        if codes != [0, 0]:
            tally.fail("server", f"exit codes {codes}, expected 0")
        for served in (first, tls):
            served.log.join(timeout=60)
    tally.finish()
    return report(tally, first, tls, seconds)


class AskPolled(load.Client):
    def __call__(self):
        self.ask(load.Question("tagged", model="polled"))


def report_progress(tally, served, seconds):
    answers = sum(count for what, count in tally.counts.items() if what.endswith((": 200", ": OK")))
    print(f"{seconds:6.0f} s: {answers} answers, {served.samples[-1][1]:.1f} MB, {served.samples[-1][2]} descriptors, "
          f"{len(tally.failures)} failures", flush=True)  # fmt: skip
    for failure in tally.failures[:5]:
        print("  " + failure, flush=True)


def report(tally, first, tls, seconds):
    first.judge_samples("server")
    tls.judge_samples("server with TLS")
    for what, count in sorted(tally.counts.items()):
        print(f"{count:8} {what}")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    clients, servers = (usage.ru_utime + usage.ru_stime for usage in used)
    print(f"{seconds:.0f} s; processor time: clients {clients:.1f} s, servers {servers:.1f} s")
    # Each fault must have come about, where there is time for all.
    parts = ("fault: ", "operator: takes", "operator: 503", "narrow: 429", "turns: 504", "pick: 400",
             "replaced in the folder")  # fmt: skip
    for part in parts:
        if seconds >= 30 and not any(what.startswith(part) for what in tally.counts):
            tally.fail("faults", f"there was no '{part}'")
    for failure in tally.failures:
        print(failure)
    print(f"{len(tally.failures)} failures" if tally.failures else "0 wrong, 0 lost, 0 answered twice")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
