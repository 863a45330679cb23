#!/usr/bin/env python3
"""Three hosts in network namespaces behind a client that asks them in turn. usage: namespaces_test.py TFRT_SERVE

One host is killed and started again, then one is cut off, then one becomes slow. Each request must be
answered by another host, right and once, and a host that is well again must be asked again. The test
starts itself in a namespace of its own, so that nothing of the machine changes. It is skipped (77)
where that is refused.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "serve"))

import faults
import load
import serving

TIMEOUT = 0.4  # of one attempt
SLOWEST = 8.0  # of a request with its attempts; most of it is for machines with more to do
RECOVERY = 10.0  # until a host that is well again has answered
SKIPPED = 77
NAMESPACE = ["unshare", "--net"] + ([] if os.getuid() == 0 else ["--user", "--map-root-user"])


def ip(*arguments):
    subprocess.run(["ip", *map(str, arguments)], check=True, capture_output=True)


class Host:
    """A server in its own namespace, with a cable to the bridge of the client's."""

    def __init__(self, program, root, number):
        self.program, self.root = program, root
        self.address = f"10.123.0.{number + 10}"
        self.cable, self.far_end, self.link_address = f"cable{number}", f"far{number}", f"02:00:00:00:00:1{number}"
        self.start()

    def start(self):
        script = ('read -r line && ip link set lo up && ip addr add "$0/24" dev "$1" && ip link set "$1" up && shift '
                  '&& exec "$@"')  # fmt: skip
        self.process = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", script, self.address, self.far_end, self.program, f"--models={self.root}",
             f"--address={self.address}", "--port=8000", "--threads=2"],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
        own = os.readlink("/proc/self/ns/net")
        faults.wait_for(lambda: os.readlink(f"/proc/{self.process.pid}/ns/net") != own, "a namespace")
        # The same link address after a new start, as that of a machine: it is remembered for a time.
        far_end = ("name", self.far_end, "netns", self.process.pid, "address", self.link_address)
        ip("link", "add", self.cable, "type", "veth", "peer", *far_end)
        ip("link", "set", self.cable, "master", "bridge", "up")
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        faults.wait_for(self.is_ready, f"a server at {self.address}")

    def is_ready(self):
        faults.expect(self.process.poll() is None, "the server has ended")
        with contextlib.suppress(load.Ended, OSError), load.Wire((self.address, 8000), timeout=1) as wire:
            return wire.call(load.head("GET", "/v2/health/ready")).status == 200
        return False

    def kill(self):
        """The namespace ends with its process, and the cable with both."""
        self.process.kill()
        self.end()
        faults.wait_for(lambda: not pathlib.Path("/sys/class/net", self.cable).exists(), "the end of a cable")

    def end(self):
        self.process.communicate()

    def cut(self):
        ip("link", "set", self.cable, "down")

    def mend(self):
        ip("link", "set", self.cable, "up")

    def delay(self):
        """Each packet to the host comes late; where the system cannot do that, the host stops."""
        command = ["tc", "qdisc", "add", "dev", self.cable, "root", "netem", "delay", f"{2 * TIMEOUT:.1f}s"]
        self.is_stopped = not shutil.which("tc") or subprocess.run(command, capture_output=True).returncode != 0
        if self.is_stopped:
            self.process.send_signal(signal.SIGSTOP)

    def hurry(self):
        if self.is_stopped:
            self.process.send_signal(signal.SIGCONT)
        else:
            subprocess.run(["tc", "qdisc", "del", "dev", self.cable, "root"], check=True, capture_output=True)


def inside(program):
    """The test, in a namespace of its own."""
    tally = load.Tally()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        root = pathlib.Path(folder) / "models"
        serving.write_sum(root / "sum")
        hosts = []
        for number in range(3):
            hosts.append(Host(program, root, number))
            stack.callback(hosts[-1].end)
            stack.callback(lambda host=hosts[-1]: host.process.kill())
        addresses = [(host.address, 8000) for host in hosts]
        clients = [faults.RoundRobin(tally, addresses[i:] + addresses[:i], TIMEOUT) for i in range(2)]
        with faults.Crowd([lambda client=client: client.ask(load.Question("sum")) for client in clients]):
            await_answers(tally, addresses)
            for name, host, harm, heal in (
                ("killed", hosts[0], hosts[0].kill, hosts[0].start),
                ("cut off", hosts[1], hosts[1].cut, hosts[1].mend),
                ("slow", hosts[2], hosts[2].delay, hosts[2].hurry),
            ):
                retries = tally.counts["asked another server"]
                harm()
                await_retries(tally, retries + 3)
                others = [address for address in addresses if address[0] != host.address]
                await_answers(tally, others)
                heal()
                begin = time.monotonic()
                await_answers(tally, [(host.address, 8000)])
                print(f"{name}: {tally.counts['asked another server'] - retries} attempts were repeated; the host "
                      f"answers {time.monotonic() - begin:.2f} s after it is well")  # fmt: skip
        slowest = max(client.slowest for client in clients)
        print(f"{tally.counts['answers']} answers, the slowest after {slowest:.2f} s")
        faults.expect(slowest < SLOWEST, f"an answer came after {slowest} s, expected {SLOWEST}")
        for client in clients:
            client.close()
        faults.raise_failures(tally)
        for host in hosts:
            host.process.terminate()
            faults.expect(host.process.wait(timeout=60) == 0, "the exit code is not 0")


def await_retries(tally, count):
    faults.wait_for(lambda: tally.counts["asked another server"] >= count, f"{count} attempts in vain")


def await_answers(tally, addresses):
    """Waits until each host has answered five more requests."""
    before = dict(tally.counts)
    names = [f"answers of {address[0]}" for address in addresses]
    faults.wait_for(lambda: all(tally.counts[name] >= before.get(name, 0) + 5 for name in names), f"{names}", RECOVERY)


def main():
    program, *rest = sys.argv[1:]
    if rest == ["--inside"]:
        ip("link", "set", "lo", "up")
        ip("link", "add", "bridge", "type", "bridge")
        ip("addr", "add", "10.123.0.1/24", "dev", "bridge")
        ip("link", "set", "bridge", "up")
        return inside(program)
    if not shutil.which("ip") or not shutil.which("unshare"):
        print("skipped: there is no ip or no unshare")
        return SKIPPED
    for what in ("link add bridge type bridge", "link add cable type veth peer name far"):
        probe = subprocess.run([*NAMESPACE, "sh", "-c", f"ip {what}"], capture_output=True, text=True)
        if probe.returncode != 0:
            print(f"skipped: 'ip {what}' in a namespace of its own: {probe.stderr.strip()}")
            return SKIPPED
    command = [sys.executable, __file__, program, "--inside"]
    return subprocess.run([*NAMESPACE, *command]).returncode


if __name__ == "__main__":
    sys.exit(main())
