#!/usr/bin/env python3
"""Times 40 everyday calls on arrays, ours beside NumPy's, PyTorch's and JAX's, in turns on one thread.

usage: PYTHONPATH=BUILD/python python benchmarks/array_calls.py [--sizes N,...] [--rounds N] [--only REGEX] [--no NAMES]

Peers that cannot be imported are left out. JAX's calls are compiled (jit) and waited for. Each result is compared with
NumPy's first. A round times each library once, in microseconds of processor time of one call, for at least 20 ms. The
table has the medians of the rounds. Calls of more than two seconds are timed once. Ratios are a peer's median by
ours: above 1 we are faster. The last lines are their geometric means, and the rows that miss a bar.

Elements are f32. A matrix has as many elements as the size, but for products, whose matrices have at most 1024 rows.
NumPy's flip is a view, and its `any` ends at the first true element: those two figures do not depend on the size.
"""

import argparse
import importlib
import math
import os
import re
import statistics
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np  # noqa: E402

# Each call on a library `np` with arrays a, b (flat), p (positive), s (sorted), m, q (matrices), i (places), k (few
# values), t (true or false). A second text is PyTorch's, where its names or arguments are others.
CASES = {
    "add": "np.add(a, b)",
    "operator": "a * b + 1.0",
    "divide by a number": "a / 3.0",
    "power": "a ** 2",
    "exp": "np.exp(a)",
    "log": "np.log(p)",
    "sqrt": "np.sqrt(p)",
    "sin": "np.sin(a)",
    "tanh": "np.tanh(a)",
    "abs": "abs(a)",
    "maximum": "np.maximum(a, b)",
    "clip": "np.clip(a, -0.5, 0.5)",
    "less": "a < b",
    "logical and": "(a > 0) & t",
    "where": "np.where(t, a, b)",
    "astype": ("np.astype(a, np.int32)", "a.to(np.int32)"),
    "add a row": "m + m[0]",
    "sum": "np.sum(a)",
    "sum of rows": ("np.sum(m, axis=1)", "np.sum(m, dim=1)"),
    "mean of columns": ("np.mean(m, axis=0)", "np.mean(m, dim=0)"),
    "standard deviation": ("np.std(a)", "np.std(a, correction=0)"),
    "max": ("np.max(a)", "np.amax(a)"),
    "argmax of rows": ("np.argmax(m, axis=1)", "np.argmax(m, dim=1)"),
    "any": "np.any(t)",
    "cumulative sum": ("np.cumulative_sum(a)", "np.cumsum(a, 0)"),
    "sort": ("np.sort(a)", "np.sort(a)[0]"),
    "argsort": "np.argsort(a, stable=True)",
    "unique": ("np.unique_values(k)", "np.unique(k)"),
    "search sorted": "np.searchsorted(s, b)",
    "concat": ("np.concat([a, b])", "np.cat([a, b])"),
    "stack": "np.stack([a, b])",
    "flip": ("np.flip(a)", "np.flip(a, (0,))"),
    "roll": ("np.roll(m, 1, axis=0)", "np.roll(m, 1, 0)"),
    "tile": "np.tile(a, (2,))",
    "transpose and add": "m.T + 1.0",
    "slice of columns": "m[:, 1:] + 0.0",
    "take": ("np.take(a, i)", "np.take(a, i)"),
    "mask": "a[t]",
    "product": "q @ q",
    "einsum": "np.einsum('ij,kj->ik', q, q)",
}
NOT_COMPILED = {"unique", "mask"}  # their sizes are not known before
TO_THE_BEST = {"sort": 1.2, "argsort": 1.5, "cumulative sum": 1.2, "unique": 1.2, "where": 1.2}  # times the best peer
TO_PYTORCH = {10: 1.2, 10_000_000: 1.0}  # the least geometric means


def inputs(size):
    rng = np.random.default_rng(1)
    side = max(2, math.isqrt(size))
    few = min(side, 1024)
    a = rng.standard_normal(size, "f4")
    return {
        "a": a, "b": rng.standard_normal(size, "f4"), "p": rng.random(size, "f4") + 0.5, "t": a > 0, "s": np.sort(a),
        "m": rng.standard_normal((side, side), "f4"), "q": rng.standard_normal((few, few), "f4"),
        "i": rng.integers(0, size, size), "k": rng.integers(0, 1000, size, dtype="i4"),
    }


class Library:
    """Makes the calls of one library: a function without arguments for a case."""

    def __init__(self, name):
        self.name = name
        self.module = importlib.import_module({"jax": "jax.numpy"}.get(name, name))
        if name == "torch":
            self.module.set_num_threads(1)
            self.module.set_grad_enabled(False)

    def arrays(self, numbers):
        make = self.module.from_numpy if self.name == "torch" else self.module.asarray
        return {name: make(array) for name, array in numbers.items()}

    def call(self, case, arrays):
        text = CASES[case]
        if isinstance(text, tuple):
            text = text[self.name == "torch"]
        names = [name for name in arrays if re.search(rf"\b{name}\b", text.replace("np.", ""))]
        f = eval(f"lambda {', '.join(names)}: {text}", {"np": self.module})
        values = [arrays[name] for name in names]
        if self.name == "jax":
            import jax
            compiled = f if case in NOT_COMPILED else jax.jit(f)
            return lambda: jax.block_until_ready(compiled(*values))
        return lambda: f(*values)


def check(case, name, result, expected):
    """SystemExit, if a result is not NumPy's up to rounding."""
    result, expected = np.asarray(result), np.asarray(expected)
    if case == "unique":  # NumPy and JAX may give them in any order
        result, expected = np.sort(result), np.sort(expected)
    if result.shape != expected.shape:
        sys.exit(f"{case}: the result of {name} has the shape {result.shape}, that of numpy {expected.shape}")
    if expected.dtype.kind in "biu":
        if not np.array_equal(result, expected):
            sys.exit(f"{case}: the result of {name} is not that of numpy")
    elif expected.size:
        error, largest = np.max(np.abs(result - expected)), np.max(np.abs(expected))
        if not error <= 1e-4 * max(1.0, largest):  # sums of 10^7 elements in another order
            sys.exit(f"{case}: the result of {name} differs from that of numpy by {error}; the largest is {largest}")


def measure(call, seconds=0.02):
    """Returns microseconds of processor time, of all threads, of one call."""
    count = 1
    while True:
        begin = time.process_time()
        for _ in range(count):
            call()
        took = time.process_time() - begin
        if took > seconds or count >= 1 << 20:
            return took / count * 1e6
        count *= max(2, min(16, int(seconds / max(took, 1e-7))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default="10,10000,10000000")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="a regular expression for the names of calls")
    parser.add_argument("--no", default="", help="libraries to leave out, such as jax")
    options = parser.parse_args()
    libraries = []
    for name in ("tfrt", "numpy", "torch", "jax"):
        if name in options.no.split(","):
            continue
        try:
            libraries.append(Library(name))
        except ImportError as error:
            print(f"{name} is left out: {error}")
    import tfrt
    with tfrt.Scope(context=tfrt.Context(work_queue="s")):  # one thread
        for size in map(int, options.sizes.split(",")):
            run(size, libraries, options)


def times_of(case, numbers, libraries, arrays, rounds):
    """Returns the median of each library in microseconds; None where it has no such call."""
    calls, times = [], []
    reference = Library("numpy")
    expected = reference.call(case, numbers)()
    for library, own in zip(libraries, arrays):
        try:
            call = library.call(case, own)
            check(case, library.name, call(), expected)
        except Exception as error:  # a peer's as well: the row shows who has no such call
            print(f"{library.name}: {case}: {type(error).__name__}: {str(error)[:90]}")
            call = None
        calls.append(call)
        times.append([])
    for turn in range(rounds):
        for call, each in zip(calls, times):
            if call and not (turn and each[0] > 2e6):
                each.append(measure(call))
    return [statistics.median(each) if each else None for each in times]


def ratio(time, ours):
    return time / ours if time and ours else None


def run(size, libraries, options):
    peers = [library.name for library in libraries[1:]]
    names = ["tfrt", *peers, *[f"{peer} / tfrt" for peer in peers]]
    print(f"\n| {size} elements, us | {' | '.join(names)} |")
    print(f"|---|{'---:|' * (1 + 2 * len(peers))}")
    numbers = inputs(size)
    arrays = [library.arrays(numbers) for library in libraries]
    ratios, misses = {name: [] for name in peers}, []
    for case in CASES:
        if not re.search(options.only, case):
            continue
        medians = times_of(case, numbers, libraries, arrays, options.rounds)
        all_ratios = [ratio(time, medians[0]) for time in medians[1:]]
        cells = ["-" if each is None else f"{each:.3g}" for each in medians]
        cells += ["-" if each is None else f"{each:.2f}" for each in all_ratios]
        print(f"| {case} | {' | '.join(cells)} |", flush=True)
        for name, each in zip(peers, all_ratios):
            if each:
                ratios[name].append(each)
        best = min((each for each in medians[1:] if each), default=None)
        if best and case in TO_THE_BEST and medians[0] > TO_THE_BEST[case] * best:
            bar = TO_THE_BEST[case]
            misses.append(f"{case} takes {medians[0] / best:.2f} times the best peer's time; the bar is {bar}")
    print()
    for name in peers:
        if ratios[name]:
            mean = math.exp(statistics.fmean(map(math.log, ratios[name])))
            print(f"{name} takes {mean:.2f} times tfrt's time (geometric mean of {len(ratios[name])} calls)")
            if name == "torch" and mean < TO_PYTORCH.get(size, 0):
                misses.append(f"the geometric mean to PyTorch is {mean:.2f}; the bar is {TO_PYTORCH[size]}")
    for miss in misses:
        print(f"missed at {size} elements: {miss}")


if __name__ == "__main__":
    main()
