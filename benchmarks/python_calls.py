#!/usr/bin/env python3
"""What a call of a traced function costs more in Python than in C++, and an import more than an empty interpreter.

usage: PYTHONPATH=build/bench/python TFRT_MODULE_PATH=LIB TFRT_COMPILER_LIBRARY=LIB/libtfrt_compiler.so \
           python benchmarks/python_calls.py build/bench/bin/function_times [ROUNDS]

LIB is a folder with the compiler library, build/ci/lib say. The function computes nothing; C++ and Python take turns.
"""

import statistics
import subprocess
import sys
import time

import tfrt


def nanoseconds(call, count=20000):
    """Of one call, without the loop's own."""
    def loop(f):
        begin = time.perf_counter_ns()
        for _ in range(count):
            f()
        return (time.perf_counter_ns() - begin) / count

    return min(loop(call) for _ in range(5)) - min(loop(lambda: None) for _ in range(5))


def of_cpp(program):
    """The figure that function_times prints."""
    output = subprocess.run([program, "--calls"], capture_output=True, text=True, check=True).stdout
    line = next(line for line in output.splitlines() if line.startswith("whole call, nothing computed"))
    return float(line.split()[-2])


def of_process(arguments):
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True)
    return (time.perf_counter() - begin) * 1e3


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    one = tfrt.function(lambda x: x)
    # As function_times has it: one thread.
    with tfrt.Scope(context=tfrt.Context(work_queue="s")):
        x = tfrt.tensor([[1.0] * 4] * 4)
        one(x)
        pairs = [(of_cpp(program), nanoseconds(lambda: one(x))) for _ in range(rounds)]
    cpp, python = (statistics.median(column) for column in zip(*pairs))
    more = statistics.median(b - a for a, b in pairs)
    print(f"a call that computes nothing: {cpp:.0f} ns in C++, {python:.0f} ns in Python: {more:.0f} ns more")
    imports = [(of_process(["-c", "pass"]), of_process(["-c", "import tfrt"])) for _ in range(rounds)]
    empty, full = (statistics.median(column) for column in zip(*imports))
    print(f"an interpreter: {empty:.1f} ms empty, {full:.1f} ms with import tfrt: {full - empty:.1f} ms more")


if __name__ == "__main__":
    main()
