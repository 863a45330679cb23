#!/usr/bin/env python3
"""Traced functions beside JAX jit, torch.compile and tf.function, one row per peer: benchmarks/function_peers.py
[PEER...]. Each peer runs in a process of its own, on one thread; what cannot be imported is "not installed".

Columns: a cached call of a function of 8 arguments that adds two of them; 1,000 ops that do not fuse (products of 4x4
matrices alternating with sums of rows) and 1,000 additions of 64x64, each op by op and compiled; the first call of
the first of these. Times are medians. function_times measures the same of ours.
"""

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time

PEERS = {"jax": "JAX jit", "torch": "torch.compile", "tensorflow": "tf.function"}
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TF_NUM_INTRAOP_THREADS": "1",
           "TF_NUM_INTEROP_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "",
           "JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"}


def median_of(call, seconds=1.0, slice_seconds=2e-2):
    """The median time of a call, over slices of some calls each."""
    call()
    begin = time.perf_counter()
    call()
    calls = max(1, int(slice_seconds / max(time.perf_counter() - begin, 1e-7)))
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - begin) / calls)
        if len(times) >= 5 and times[-1] * calls > seconds:
            break
    return statistics.median(times)


def measure(tensor, matmul, row_sums, compiled, wait):
    """The row of a peer. `wait` returns when its argument is there."""
    x = tensor([[0.25] * 4] * 4)
    large = tensor([[0.25] * 64] * 64)

    def alternating(x, w):
        for _ in range(500):
            x = row_sums(matmul(w, x))
        return x

    def adds(x, y):
        for _ in range(1000):
            x = x + y
        return x

    row = {}
    cached = compiled(lambda *xs: xs[0] + xs[7])
    eight = [x + i for i in range(8)]
    wait(cached(*eight))
    row["cached_call_ns"] = median_of(lambda: cached(*eight)) * 1e9
    ops = compiled(alternating)
    begin = time.perf_counter()
    wait(ops(x, x))
    row["first_call_ms"] = (time.perf_counter() - begin) * 1e3
    row["ops_eager_ms"] = median_of(lambda: wait(alternating(x, x))) * 1e3
    row["ops_traced_ms"] = median_of(lambda: wait(ops(x, x))) * 1e3
    sums = compiled(adds)
    row["adds_eager_ms"] = median_of(lambda: wait(adds(large, large))) * 1e3
    row["adds_traced_ms"] = median_of(lambda: wait(sums(large, large))) * 1e3
    return row


def run_jax():
    import jax
    import jax.numpy as jnp

    return jax.__version__, measure(jnp.asarray, jnp.matmul, lambda x: jnp.sum(x, axis=1, keepdims=True), jax.jit,
                                    lambda x: x.block_until_ready())


def run_torch():
    import torch

    torch.set_num_threads(1)
    with torch.inference_mode():
        return torch.__version__, measure(torch.tensor, torch.matmul, lambda x: torch.sum(x, 1, keepdim=True),
                                          torch.compile, lambda x: x)


def run_tensorflow():
    import tensorflow as tf

    return tf.__version__, measure(tf.constant, tf.matmul, lambda x: tf.reduce_sum(x, axis=1, keepdims=True),
                                   tf.function, lambda x: x.numpy())


def run_in_process(peer, timeout):
    command = [sys.executable, __file__, "--in-process", peer]
    try:
        done = subprocess.run(command, env={**os.environ, **THREADS}, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"not over after {timeout} s"
    if done.returncode != 0:
        return f"failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}"
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peers", nargs="*", help=f"of {', '.join(PEERS)}; default: all")
    parser.add_argument("--in-process", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one peer")
    options = parser.parse_args()
    if options.in_process:
        version, row = globals()[f"run_{options.in_process}"]()
        print(json.dumps({"version": version, **row}))
        return
    unknown = [peer for peer in options.peers if peer not in PEERS]
    if unknown:
        parser.error(f"no peer '{unknown[0]}'; there are {', '.join(PEERS)}")
    print("| | cached call, ns | 1,000 ops: first call, ms | op by op, ms | compiled, ms | ratio "
          "| 1,000 additions: op by op, ms | compiled, ms | ratio |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for peer in options.peers or PEERS:
        row = run_in_process(peer, options.timeout) if importlib.util.find_spec(peer) else "not installed"
        if isinstance(row, str):
            print(f"| {PEERS[peer]} | {row} |" + " |" * 7)
            continue
        print(f"| {PEERS[peer]} {row['version']} | {row['cached_call_ns']:.0f} | {row['first_call_ms']:.0f} "
              f"| {row['ops_eager_ms']:.2f} | {row['ops_traced_ms']:.3f} "
              f"| {row['ops_eager_ms'] / row['ops_traced_ms']:.2f} | {row['adds_eager_ms']:.2f} "
              f"| {row['adds_traced_ms']:.3f} | {row['adds_eager_ms'] / row['adds_traced_ms']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
