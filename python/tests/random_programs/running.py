"""Runs programs as they are and traced, and compares the two."""

import importlib.util
import itertools
import re
import threading

import numpy as np

import tfrt


class Failure(Exception):
    """A traced program that does something else than Python. `kind` tells it from others."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


_numbers = itertools.count()


def load(path):
    spec = importlib.util.spec_from_file_location(f"random_program_{next(_numbers)}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def leaves(value):
    if isinstance(value, dict):
        return [("dict", tuple(value))] + [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, (tuple, list)):
        inner = [leaf for item in value for leaf in leaves(item)]
        return [(type(value).__name__, len(value))] + inner
    if isinstance(value, tfrt.Tensor):
        return [(value.dtype.name, value.numpy())]
    return [("number", value)]


def same(plain, traced):
    if len(plain) != len(traced):
        return False
    for (kind, x), (other_kind, y) in zip(plain, traced):
        if kind == "number" and isinstance(y, np.ndarray):
            if y.shape or y.item() != x:
                return False
        elif kind != other_kind or not np.array_equal(x, y, equal_nan=np.asarray(x).dtype.kind == "f"):
            return False
    return True


class Program:
    """A loaded one. Thread-safe if each thread has its own."""

    def __init__(self, path):
        self.path, self.module = path, load(path)
        self.variables = self.module.VARIABLES
        self.first_values = [variable.read() for variable in self.variables]

    def run(self, function, index):
        """("result", leaves, with those of the variables) or ("error", the exception)."""
        for variable, value in zip(self.variables, self.first_values):
            variable.assign(value)
        try:
            result = leaves(function(*self.module.arguments()[index]))
            return "result", result + [leaf for variable in self.variables for leaf in leaves(variable.read())]
        except Exception as error:
            return "error", error

    def run_plain(self):
        with np.errstate(all="ignore"):
            self.plain = [self.run(self.module.program, index) for index in range(len(self.module.arguments()))]

    def check(self):
        """Raises a Failure if the traced program does something else than `run_plain` has found."""
        if self.module.IS_LOSS:
            self.check_gradients()
        traced = tfrt.function(self.module.program, exact=True)
        for index in [*range(len(self.plain)), 0]:  # once more when all are traced
            self.compare(index, self.plain[index], self.run(traced, index))

    def compare(self, index, plain, traced):
        where = f"arguments()[{index}]: "
        if plain[0] == "error":
            # Errors of ops belong to the results that depend on them; all others are those of the call.
            if traced[0] == "result" and not isinstance(plain[1], tfrt.errors.Error):
                raise Failure(f"lost {type(plain[1]).__name__}",
                              f"{where}Python raises {plain[1]!r}, traced it returns")
        elif traced[0] == "error":
            error = traced[1]
            kind = re.sub(r"'[^']*'|[0-9]+|/[^ :]*", "", str(error).splitlines()[0] if str(error) else "")
            raise Failure(f"{type(error).__name__} {kind}", f"{where}traced it raises {type(error).__name__}: {error}")
        elif not same(plain[1], traced[1]):
            raise Failure("differs", f"{where}other values\n  Python: {plain[1]}\n  traced: {traced[1]}")

    def check_gradients(self):
        """Against differences, where these agree with each other from both sides."""
        function, step = self.module.program, 1e-6
        gradient = tfrt.grad(function, argnums=(0, 2))
        for index, plain in enumerate(self.plain):
            if plain[0] == "error":
                continue
            try:
                found = [one.numpy() for one in gradient(*self.module.arguments()[index])]
            except Exception as error:
                self.compare(index, plain, ("error", error))
            arguments = list(self.module.arguments()[index])
            value = function(*arguments).item()
            for argnum, of in zip((0, 2), found):
                x = arguments[argnum].numpy().copy()
                for place in np.ndindex(x.shape):
                    sides = []
                    for way in (step, -step):
                        moved = x.copy()
                        moved[place] += way
                        given = list(self.module.arguments()[index])
                        given[argnum] = tfrt.tensor(moved)
                        sides.append((function(*given).item() - value) / way)
                    scale = 1.0 + abs(of[place]) + abs(value)
                    if not np.isfinite(sides).all() or abs(sides[0] - sides[1]) > 1e-3 * scale:
                        continue
                    if not abs(sum(sides) / 2 - of[place]) <= 1e-3 * scale:
                        raise Failure("gradient", f"arguments()[{index}]: the gradient for argument {argnum} at "
                                                  f"{place} is {of[place]}, differences say {sides}")


def check_together(programs):
    """Traces all at the same time; the failures."""
    for program in programs:
        program.run_plain()
    failures, start = [], threading.Barrier(len(programs))

    def check(program):
        start.wait()
        try:
            program.check()
        except Failure as failure:
            failures.append((program, failure))

    threads = [threading.Thread(target=check, args=(program,)) for program in programs[1:]]
    for thread in threads:
        thread.start()
    check(programs[0])
    for thread in threads:
        thread.join()
    return failures
