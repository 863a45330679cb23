"""Random programs that assign items, in branches, loops and on aliases: traced they do what they do op by op, or
refuse."""

import importlib.util
import os
import random

import numpy as np
import pytest

import tfrt

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")

HEAD = """
def put(x, i, v):
    x[i] = v


def f(a, b, n):
    c = a + 1.0
    d = b
    h = [c, a * 2.0]
"""
TAIL = "    return a, b, c, d, h[0], h[1]\n"
ARGUMENTS = [([1.0, 2.0, 3.0], [0.5, -1.0, 2.0], 2), ([-1.0, 0.0, 1.0], [2.0, 2.0, -3.0], 1)]


def statements(rng, depth):
    """Some lines of a block, and those in them further in."""
    lines = []
    for _ in range(rng.randint(1, 3)):
        x, y, z = (rng.choice("abcd") for _ in range(3))
        i, j, kind = rng.randint(0, 2), rng.randint(0, 2), rng.random()
        if kind < 0.68 or kind >= 0.95 or depth == 2:
            lines.append(rng.choice([
                f"{x}[{i}] = {y}[{j}] * 0.5 + {rng.randint(0, 3)}.0", f"{x} = {y}", f"{x} = {y} * 0.5 + 1.0",
                f"{x}[1:] = {y}[:-1]", f"{x}[{y} > {rng.randint(0, 2)}.0] = {z}[{i}]", f"put({x}, {i}, {y}[{j}] * 0.5)",
                f"{x}[{i}] -= 0.25",
                f"h[{rng.randint(0, 1)}][{i}] += {y}[{j}]"]))
            continue
        is_branch = kind < 0.86
        lines.append(f"if {x}[{i}] > {y}[{j}] + {rng.choice([-1.0, 0.0, 0.5])}:" if is_branch else "for _ in range(n):")
        lines += ["    " + line for line in statements(rng, depth + 1)]
        if is_branch and rng.random() < 0.5:
            lines += ["else:", *("    " + line for line in statements(rng, depth + 1))]
    return lines


@pytest.mark.parametrize("seed", range(4))
def test_programs(seed, tmp_path):
    rng, num_done = random.Random(seed), 0
    for number in range(7):
        path = tmp_path / f"program{number}.py"
        path.write_text(HEAD + "".join(f"    {line}\n" for line in [*statements(rng, 0), *statements(rng, 0)]) + TAIL)
        spec = importlib.util.spec_from_file_location(f"program_{seed}_{number}", path)
        program = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(program)
        traced = tfrt.function(program.f)
        for given in ARGUMENTS:
            mine, theirs = [tfrt.tensor(x) for x in given], [tfrt.tensor(x) for x in given]
            expected = program.f(*theirs[:2], given[2])
            try:
                found = traced(*mine)
            except tfrt.RewriteError as error:
                assert "whether another tensor changes, too, depends on" in str(error), path.read_text()
                break
            np.testing.assert_allclose([x.tolist() for x in (*found, *mine[:2])],
                                       [x.tolist() for x in (*expected, *theirs[:2])],
                                       rtol=1e-5, err_msg=path.read_text())
            num_done += 1
    assert num_done >= 4
