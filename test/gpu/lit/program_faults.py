#!/usr/bin/env python3
"""Runs programs in which each call of the driver fails, once at a time, and looks at what they say.

  program_faults.py TRANSLATE EXECUTOR FOLDER PROGRAM...

Each function that a program of FOLDER calls fails at its first, second and last call, with the test double as the
driver, in both kinds of work queues. The program must end, with a diagnostic that has the vendor's name of the error at
the line of an op of `tfrt_gpu` or `corert`, and without a report of lost order. Functions that give something back, or
only ask, may fail unseen.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

# A record behind a copy is made again by whoever waits for it.
UNSEEN = re.compile(r"EventRecord|Destroy|Free|Unload|Unregister|Query|Release|SetCurrent|GetAddressRange|GetInfo|"
                    r"GetErrorName|GetErrorString|DriverGetVersion|FuncLoad|GetParamInfo")
OP = re.compile(r"tfrt_gpu\.|corert\.")
DIAGNOSTIC = re.compile(r"^([^\s:]+\.mlir):(\d+):\d+: error: (.*)$", re.M)
SECONDS = 60  # of one run


class Program:
    def __init__(self, translate, executor, path, folder):
        self.executor, self.path = executor, path
        self.bef = os.path.join(folder, os.path.basename(path) + ".bef")
        self.log = os.path.join(folder, "log")
        subprocess.run([translate, "-mlir-to-bef", path, "-o", self.bef], check=True)
        with open(path) as file:
            self.lines = file.read().split("\n")

    def run(self, queue, settings):
        """Exit code, and what standard error has; None and nothing if the program does not end."""
        if os.path.exists(self.log):
            os.remove(self.log)
        environment = dict(os.environ, TFRT_GPU_DOUBLE=f"devices=2,memory=512M,log={self.log}{settings}")
        try:
            done = subprocess.run([self.executor, "-work_queue_type=" + queue, self.bef], env=environment,
                                  timeout=SECONDS, text=True,
                                  capture_output=True, errors="replace")
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stderr

    def calls(self, queue):
        """How often the program calls each function."""
        code, output = self.run(queue, "")
        if code != 0:
            raise SystemExit(f"{self.path} fails without a fault:\n{output}")
        return collections.Counter(re.findall(r"^\d+ (cu\w+)", self.logged(), re.M))

    def logged(self):
        if not os.path.exists(self.log):
            return ""
        with open(self.log) as file:
            return file.read()

    def wrong(self, queue, function, nth):
        """What is wrong with a run in which that call fails; nothing: None."""
        code, output = self.run(queue, f",fail={function}:{nth}:999")
        if code is None:
            return f"has not ended in {SECONDS} s"
        if code not in (0, 1):
            return f"ended with {code}:\n{output}"
        if "report:" in output:
            return f"lost its order:\n{output}"
        if not re.search(rf"^\d+ {function}\b.* -> CUDA_ERROR_UNKNOWN", self.logged(), re.M):
            # On threads, not each run makes as many calls; one it makes, unless it only asks whether something is done.
            may_lack = nth > 1 or (function == "cuEventQuery" and queue != "s")
            return None if may_lack else "has made no call that failed"
        # A thread without its context gets another code of the next call.
        name = "CUDA_ERROR_" if function == "cuCtxSetCurrent" else "CUDA_ERROR_UNKNOWN"
        located = [int(line) for _, line, text in DIAGNOSTIC.findall(output) if name in text]
        if any(OP.search(self.lines[line - 1]) for line in located):
            return None
        if UNSEEN.search(function) and not located:
            return None
        return f"does not say what failed at the line of an op:\n{output}"


def main():
    translate, executor, folder, *names = sys.argv[1:]
    num_runs, functions, failures = 0, set(), []
    with tempfile.TemporaryDirectory() as made:
        for name in names:
            program = Program(translate, executor, os.path.join(folder, name), made)
            for queue in ("s", "mstd:2"):
                for function, count in sorted(program.calls(queue).items()):
                    functions.add(function)
                    for nth in sorted({1, min(2, count), count}):
                        num_runs += 1
                        wrong = program.wrong(queue, function, nth)
                        if wrong:
                            failures.append(f"{name}, {queue}, call {nth} of {function}: {wrong}")
    print("functions:", *sorted(functions))
    for failure in failures:
        print(failure)
    print(f"program_faults: {num_runs} runs, {len(functions)} functions, {len(failures)} failures")
    return 1 if failures or num_runs < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
