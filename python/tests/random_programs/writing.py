"""Random programs as texts."""

import random

HEAD = '''\
import contextlib
from collections import namedtuple

import tfrt

Pair = namedtuple("Pair", "left right")


class Model:
    def __init__(self, scale, count):
        self.scale, self.count = scale, count

    def forward(self, x):
        if x > self.scale:
            x = x - self.scale
        return x * self.count


class Guard:
    def __enter__(self):
        return 2

    def __exit__(self, kind, error, _):
        return kind is LookupError


def effect(x):
    VARIABLES[0].assign_add(x)
    return x > 0.5


def pushed(x):
    VARIABLES[1].assign_sub(1)
    return x


def needs(n):
    if n < 2:
        raise KeyError("n")
    return n

'''

FLOATS = ("0.5", "1.0", "2.0", "3.0", "0.25", "1.5")


class Writer:
    """Writes one program. `kinds` has what variables are:

    f, v, m: a tensor of floats without dimensions, [3], [2, 3]; i, w: integers, [] and [3];
    b: a condition; n, h, s: an int, a bool, a text of Python; L: a list of v; D: a dict of f;
    P: a Pair of f and v; o: a Model.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_loss = seed % 6 == 5
        self.float = "f64" if self.is_loss else self.random.choice(("f32", "f64"))
        self.int = self.random.choice(("i32", "i64"))
        self.lines = []
        self.counter = 0

    # --- Choices ---

    def chance(self, p):
        return self.random.random() < p

    def choose(self, *items):
        return self.random.choice(items)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def named(self, kind):
        return [name for name, its in self.kinds.items() if its == kind]

    def a(self, kind):
        return self.random.choice(self.named(kind))

    def add(self, line):
        self.lines.append("    " * self.indent + line)

    # --- Expressions ---

    def number(self):
        return self.random.choice(FLOATS)

    def f(self, depth=2):
        if depth == 0 or self.chance(0.2):
            return self.a("f")
        sub = lambda: self.f(depth - 1)  # noqa: E731
        options = [
            lambda: f"({sub()} {self.choose(*'+-*')} {sub()})",
            lambda: f"({sub()} {self.choose(*'+-*')} {self.number()})",
            lambda: f"({self.number()} {self.choose(*'+-*')} {sub()})",
            lambda: f"tfrt.{self.choose('tanh', 'sigmoid', 'relu')}({sub()})",
            lambda: f"({sub()} / ({self.a('f')} * {self.a('f')} + 1.0))",
            lambda: f"{self.v(depth - 1)}.{self.choose('sum', 'mean')}()",
            lambda: f"{self.a('v')}[{self.choose(0, 1, 2, -1)}]",
            lambda: f"({sub()} if {self.condition(1)} else {sub()})",
            lambda: f"(-{sub()})",
        ]
        if not self.is_loss:
            options += [
                lambda: f"tfrt.{self.choose('maximum', 'minimum')}({sub()}, {sub()})",
                lambda: f"{self.v(depth - 1)}.{self.choose('max', 'min')}()",
                lambda: f"tfrt.cast({self.i(depth - 1)}, '{self.float}')",
                lambda: "VARIABLES[0].read()",
                lambda: f"(lambda q: q * {self.number()} - {self.a('f')})({sub()})",
            ]
        if self.named("m"):
            options.append(lambda: f"{self.a('m')}.sum()")
        if self.named("P"):
            options.append(lambda: f"{self.a('P')}.left")
        if self.named("D"):
            options.append(lambda: f"{self.a('D')}['{self.choose('a', 'b')}']")
        if self.named("o"):
            options += [lambda: f"{self.a('o')}.scale", lambda: f"{self.a('o')}.forward({self.a('f')})"]
        if self.helpers:
            options.append(lambda: f"{self.choose(*self.helpers)}({self.a('f')}, {self.a('v')}, "
                                   f"{self.a('i')}, {self.a('w')}, {self.int_of_python()})")
        return self.random.choice(options)()

    def v(self, depth=2):
        if depth <= 0 or self.chance(0.25):
            return self.a("v")
        options = [
            lambda: f"({self.v(depth - 1)} {self.choose(*'+-*')} {self.v(depth - 1)})",
            lambda: f"({self.v(depth - 1)} {self.choose(*'+-*')} {self.f(depth - 1)})",
            lambda: f"tfrt.{self.choose('tanh', 'softmax', 'relu')}({self.v(depth - 1)})",
            lambda: f"({self.v(depth - 1)} if {self.condition(1)} else {self.v(depth - 1)})",
            lambda: f"tfrt.concat([{self.a('v')}[1:], {self.a('v')}[:1]], axis=0)",
        ]
        if self.named("m"):
            options += [lambda: f"{self.a('m')}[{self.choose(0, 1)}]", lambda: f"{self.a('m')}.sum(axis=0)"]
        if self.named("L"):
            options += [lambda: f"{self.a('L')}[{self.choose(0, 1)}]"]
        if self.named("P"):
            options.append(lambda: f"{self.a('P')}.right")
        return self.random.choice(options)()

    def m(self):
        m = self.a("m")
        return self.choose(m, f"({m} * {self.f(1)})", f"({m} - {self.v(1)})", f"tfrt.tanh({m})")

    def i(self, depth=2):
        if depth <= 0 or self.chance(0.3):
            return self.a("i")
        sub = lambda: self.i(depth - 1)  # noqa: E731
        options = [
            lambda: f"({sub()} {self.choose(*'+-*')} {sub()})",
            lambda: f"({sub()} {self.choose(*'+-*')} {self.choose(1, 2, 3)})",
            lambda: f"({sub()} + {self.int_of_python()})",
            lambda: f"tfrt.minimum(tfrt.maximum({sub()}, -9), 9)",
            lambda: f"({sub()} if {self.condition(1)} else {sub()})",
            lambda: f"{self.a('w')}[{self.choose(0, 1, -1)}]",
            lambda: f"{self.a('w')}.{self.choose('sum', 'max')}()",
        ]
        if not self.is_loss:
            options += [
                lambda: f"tfrt.cast(tfrt.argmax({self.a('v')}, 0), '{self.int}')",
                lambda: f"tfrt.cast({self.a('f')} > {self.number()}, '{self.int}')",
                lambda: "(tfrt.div({0}, {1}) if {1} != 0 else {0})".format(sub(), self.a("i")),
                lambda: "VARIABLES[1].read()",
            ]
        return self.random.choice(options)()

    def w(self):
        w = self.a("w")
        return self.choose(f"({w} + {self.i(1)})", f"({w} * {self.a('w')})", f"({w} - {self.choose(1, 2)})")

    def int_of_python(self):
        return self.choose(*self.named("n"), "1", "2")

    def host_condition(self):
        n = self.int_of_python()
        options = [f"{n} > 1", f"{n} % 2 == 0", f"{self.a('n')} in (0, 2)", f"0 < {n} <= 2",
                   f"{n} != 0 and 4 // {n} > 1", f"not {n} == 1", f"{n} > 2 or {self.a('n')} < 1"]
        options += [f"{name}" for name in self.named("h")] + [f'{name} == "one"' for name in self.named("s")]
        return self.random.choice(options)

    def tensor_condition(self, depth=2):
        """One that depends on tensors; with some that fail, or do something, unless what stands before them holds."""
        f, i = self.a("f"), self.a("i")
        options = [
            lambda: f"{f} {self.choose('<', '>', '<=', '>=')} {self.number()}",
            lambda: f"{self.f(1)} {self.choose('<', '>=')} {self.f(1)}",
            lambda: f"{i} {self.choose('<', '>', '==', '!=')} {self.choose(0, 1, 2)}",
            lambda: f"-{self.number()} {self.choose('<', '<=')} {f} < {self.f(1)}",
            lambda: f"{self.a('v')}.sum() > {self.a('f')}",
        ]
        if depth > 0:
            options += [
                lambda: f"not {self.wrapped(depth)}",
                lambda: f"({self.wrapped(depth)} {self.choose('and', 'or')} {self.wrapped(depth)})",
                lambda: f"({self.host_wrapped()} {self.choose('and', 'or')} {self.wrapped(depth)})",
            ]
            if not self.is_loss:
                options += [
                    lambda: f"({i} != 0 and tfrt.div({self.i(1)}, {i}) > 0)",
                    lambda: f"({i} == 0 or tfrt.div({self.i(1)}, {i}) < 2)",
                    lambda: f"({i} >= 0 and {i} < 3 and {self.a('v')}[{i}] > {self.number()})",
                    lambda: f"(0 <= {i} < 3 and {self.a('v')}[{i}] > {self.number()})",
                ]
                if self.may_have_effects:
                    options += [lambda: f"({self.wrapped(0)} {self.choose('and', 'or')} effect({f}))",
                                lambda: f"0.0 < {f} < pushed({self.a('f')})"]
        options += [lambda: self.a("b")] if self.named("b") else []
        return self.random.choice(options)()

    def wrapped(self, depth):
        return f"({self.tensor_condition(depth - 1)})"

    def host_wrapped(self):
        return f"({self.host_condition()})"

    def condition(self, depth=2):
        return self.host_condition() if self.chance(0.15) else self.tensor_condition(depth)

    def value(self, kind):
        """An expression of a kind."""
        if kind == "b":
            return self.choose("True", "False", self.tensor_condition(1), self.tensor_condition(2))
        if kind == "n":
            return f"({self.a('n')} + 1) % 4"
        if kind == "L":
            count = self.lists
            return self.choose(f"[{', '.join(self.v(1) for _ in range(count))}]",
                               f"[q * {self.number()} for q in {self.choose(*self.named('L'))}]" if self.named("L")
                               else f"[{self.a('v')}] * {count}")
        if kind == "D":
            return f"{{'a': {self.f(1)}, 'b': {self.f(1)}}}"
        if kind == "P":
            return self.choose(f"Pair({self.f(1)}, {self.v(1)})",
                               *[f"{name}._replace(left={self.f(1)})" for name in self.named("P")])
        return getattr(self, kind)()

    # --- Statements ---

    def inner(self, write, *, staged=None, loop="same", in_block=None):
        """Writes a block of its own; the names that it has defined."""
        before, state = dict(self.kinds), (self.staged, self.loop, self.in_block)
        self.staged = self.staged if staged is None else staged
        self.loop = self.loop if loop == "same" else loop
        self.in_block = self.in_block if in_block is None else in_block
        self.indent += 1
        count = len(self.lines)
        write()
        if len(self.lines) == count:
            self.add("pass")
        self.indent -= 1
        after, self.kinds = self.kinds, before
        self.staged, self.loop, self.in_block = state
        self.staged = self.staged or self.function_staged  # a return that depends on a tensor
        return {name: kind for name, kind in after.items() if name not in before}

    def block(self, depth):
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth)

    def statement(self, depth):
        """One that is allowed here."""
        options = [(6, self.assign), (1, self.swap)]
        if not self.is_loss:
            options += [(0.5, self.check)]
        if self.may_have_effects:
            options += [(1, self.assign_variable)]
        if not self.staged:
            options += [(0.7, self.host_assign)]
        if self.effects and not self.staged:
            options += [(1, self.store)]
        if depth > 0:
            options += [(3, self.if_tensor), (1, self.if_host), (1, self.loop_host), (1, self.loop_rows),
                        (0.8, self.loop_while),
                        (1.5, self.try_), (0.4, self.with_), (0.4, self.match)]
        if depth > 0 and not self.loop:
            options += [(0.5, self.nested)]
        if self.loop:
            options += [(1.5, self.jump)]
        if self.returns and not self.in_block and not self.loop:
            options += [(0.4, self.return_if)]
        if self.returns and self.loop == "host" and not self.staged:
            options += [(0.3, self.host_return)]
        weights, functions = zip(*options)
        self.random.choices(functions, weights)[0](depth)

    def assign(self, _depth):
        kind = self.random.choices("fvmiwbLDP", (6, 3, 1, 3, 1, 2, 0.5, 0.5, 0.7))[0]
        if kind == "m" and not self.named("m"):
            kind = "f"
        names = self.named(kind)
        value = self.value(kind)
        if names and self.chance(0.65):
            name = self.random.choice(names)
            if kind in "fvi" and self.chance(0.3):
                self.add(f"{name} {self.choose('+=', '-=')} {value}")
                return
        else:
            name = self.fresh(kind)
        self.add(f"{name} = {value}")
        self.kinds[name] = kind

    def swap(self, _depth):
        kind = self.choose(*"fvi")
        x, y = self.a(kind), self.a(kind)
        value = self.value(kind)
        # Python 3.11.2 gives x the first value in `x, x = 1, 2`.
        self.add(f"{x} = {value}" if x == y else f"{x}, {y} = {y}, {value}")

    def assign_variable(self, _depth):
        if self.chance(0.7):
            self.add(f"VARIABLES[0].{self.choose('assign', 'assign_add', 'assign_sub')}({self.f(1)})")
        else:
            self.add(f"VARIABLES[1].{self.choose('assign', 'assign_add')}({self.i(1)})")

    def check(self, _depth):
        # A failure that Python sees happens while the branch is traced, whether it is taken or not.
        likely = f"{self.a('f')} > {self.choose('-50.0', '-5.0')}"
        self.add(f'assert {likely if self.staged or not self.effects or self.chance(0.7) else self.condition(1)}, '
                 '"checked"')

    def store(self, _depth):
        if self.named("o") and self.chance(0.5):
            self.add(self.choose(f"{self.a('o')}.scale = {self.f(1)}", f"{self.a('o')}.count += 1"))
        elif self.named("D") and self.chance(0.6):
            self.add(f"{self.a('D')}['a'] = {self.f(1)}")
        elif self.named("L"):
            name = self.a("L")
            self.add(f"{name}[1] = {self.v(1)}" if self.chance(0.5)
                     else f"{name}.append({name}.pop(0) * {self.number()})")
        else:
            name = self.fresh("o")
            self.add(f"{name} = Model({self.f(1)}, {self.choose(1, 2)})")
            self.kinds[name] = "o"

    def host_assign(self, _depth):
        name = self.choose(self.a("n"), self.fresh("n"))
        self.add(f"{name} = {self.value('n')}")
        self.kinds[name] = "n"

    def branches(self, staged, depth):
        then = self.inner(lambda: self.block(depth - 1), staged=staged)
        if self.chance(0.2):
            self.add(f"elif {self.tensor_condition(1) if staged else self.host_condition()}:")
            more = self.inner(lambda: self.block(depth - 1), staged=staged)
            then = {name: kind for name, kind in then.items() if more.get(name) == kind}
        if self.chance(0.5):
            self.add("else:")
            other = self.inner(lambda: self.block(depth - 1), staged=staged)
            self.kinds.update({name: kind for name, kind in then.items() if other.get(name) == kind})

    def if_tensor(self, depth):
        if self.chance(0.1):
            name = self.fresh("f")
            self.add(f"if ({name} := {self.f(1)}) > {self.number()}:")
            self.kinds[name] = "f"
        else:
            self.add(f"if {self.tensor_condition()}:")
        self.branches(True, depth)

    def if_host(self, depth):
        self.add(f"if {self.host_condition()}:")
        self.branches(self.staged, depth)

    def loop_body(self, depth, mode, defined=(), first=None):
        """`mode` is what decides on jumps: "host" for what Python knows, "staged" for tensors."""
        staged = self.staged or mode == "staged"

        def write():
            self.kinds.update(defined)
            if first:
                self.add(first)
            self.block(depth - 1)

        self.inner(write, staged=staged, loop=mode)
        if self.chance(0.3):
            self.add("else:")  # which a break that depends on a tensor decides on
            self.inner(lambda: self.block(depth - 1), staged=staged)

    def loop_host(self, depth):
        mode = self.choose("host", "host", "staged")
        item = self.fresh("k")
        if self.named("L") and self.chance(0.4):
            self.add(f"for {item} in {self.a('L')}:")
            self.loop_body(depth, mode, {item: "v"})
        elif self.chance(0.3) and mode == "host":
            other = self.fresh("k")
            self.add(f"for {other}, {item} in enumerate([{self.f(1)}, {self.f(1)}]):")
            self.loop_body(depth, mode, {item: "f", other: "n"})
        elif self.chance(0.3) and mode == "host":
            self.add(f"for {item} in [{self.choose(0, 1)}, {self.choose(2, 3)}]:")
            self.loop_body(depth, mode, {item: "n"})
        else:
            # A break that depends on a tensor makes tensors of the numbers of a range.
            self.add(f"for {item} in range({self.choose('2', '3', self.a('n'))}):")
            self.loop_body(depth, mode, {item: "n"} if mode == "host" else {})

    def loop_rows(self, depth):
        item = self.fresh("r")
        if self.named("m") and self.chance(0.4):
            self.add(f"for {item} in {self.m()}:")
            self.loop_body(depth, "staged", {item: "v"})
        elif self.chance(0.5):
            kind, rows = self.choose(("f", "v"), ("i", "w"))
            self.add(f"for {item} in {self.a(rows)}:")
            self.loop_body(depth, "staged", {item: kind})
        else:
            bounds = self.choose("{}", "1, {}", "{}, 0, -1", "0, {}, 2").format(f"tfrt.minimum({self.i(1)}, 4)")
            self.add(f"for {item} in range({bounds}):")
            name = self.fresh("i")  # without tracing, items are numbers
            self.loop_body(depth, "staged", {name: "i"}, f"{name} = {self.a('i')} * 0 + {item}")

    def loop_while(self, depth):
        count = self.fresh("c")
        mode = self.choose("host", "staged", "staged") if not self.staged else "staged"
        self.may_have_effects, before = False, self.may_have_effects
        if mode == "host":
            self.add(f"{count} = 0")
            self.add(f"while {count} < {self.choose('2', '3', self.a('n'))}:")
            self.may_have_effects = before
            self.loop_body(depth, mode, first=f"{count} = {count} + 1")
        else:
            self.add(f"{count} = {self.a('i')} * 0")
            most = f"tfrt.minimum({self.a('i')}, 4)"
            bound = f"{count} < {self.choose('3', most)}"
            test = self.choose(bound, f"{bound} and {self.wrapped(2)}",
                               f"{bound} and {self.a('v')}[{count}] > {self.number()}")
            if "[" in test:
                bound = f"{count} < {self.a('v')}.shape[0]"
                test = f"{bound} and {test.split(' and ', 1)[1]}"
            self.add(f"while {test}:")
            self.may_have_effects = before
            self.loop_body(depth, mode, first=f"{count} = {count} + 1")

    def jump(self, _depth):
        jump = self.choose("break", "continue")
        if self.loop == "host":
            if self.staged:
                return  # a condition of Python, but it is reached or not as tensors say
            self.add(f"if {self.host_condition()}:")
        else:
            self.add(f"if {self.condition(1)}:")
        self.inner(lambda: self.add(jump))

    def returned(self):
        return self.result.format(*(self.value(kind) for kind in self.result_kinds))

    def return_if(self, _depth):
        """What follows is then part of the other branch."""
        self.returns -= 1
        is_host = self.chance(0.3)
        self.add(f"if {self.host_condition() if is_host else self.tensor_condition()}:")
        self.inner(lambda: self.add(f"return {self.returned()}"))
        self.staged = self.staged or not is_host
        self.function_staged = self.function_staged or self.staged

    def host_return(self, _depth):
        self.returns -= 1
        self.add(f"if {self.host_condition()}:")
        self.inner(lambda: self.add(f"return {self.returned()}"))

    def try_(self, depth):
        error = self.choose("KeyError", "LookupError", "ValueError")

        def body():
            self.block(depth - 1)
            if self.effects and not self.staged and self.chance(0.6):
                if self.chance(0.5):
                    self.add(f"if {self.host_condition()}:")
                    self.inner(lambda: self.add(f'raise {self.choose("KeyError", "ValueError")}("a")'))
                else:
                    self.add(f"needs({self.int_of_python()})")
            if self.loop and self.chance(0.6):
                self.jump(depth)
            if self.chance(0.5):
                self.assign(depth)

        self.add("try:")
        self.inner(body, in_block=True)
        handled = self.chance(0.85)
        if handled:
            names = self.choose(error, "(KeyError, ValueError)", f"{error} as error")
            self.add(f"except {names}:")
            self.inner(lambda: self.block(depth - 1), in_block=True)
            if self.chance(0.6):
                self.add("else:")
                self.inner(lambda: self.block(depth - 1), in_block=True)
        if not handled or self.chance(0.3):
            self.add("finally:")
            loop, returns = self.loop, self.returns
            self.returns = 0
            self.inner(lambda: self.assign(0), in_block=True, loop=None)
            self.returns, self.loop = returns, loop

    def with_(self, depth):
        self.add(f"with {self.choose('Guard():', 'contextlib.nullcontext():', 'contextlib.suppress(KeyError):')}")

        def body():
            self.block(depth - 1)
            if self.effects and not self.staged and self.chance(0.4):
                self.add(f"needs({self.int_of_python()})")

        self.inner(body, in_block=True)

    def match(self, depth):
        self.add(f"match {self.a('n')}:")
        self.indent += 1
        for case in ("0", "1 | 2", "_"):
            self.add(f"case {case}:")
            self.inner(lambda: self.block(depth - 1), in_block=True)
        self.indent -= 1

    def nested(self, depth):
        name = self.fresh("inner")
        self.function(name, ["f", "n"], ["z", "k"], "{}", "f", depth - 1, free=True)
        target = self.a("f")
        self.add(f"{target} = {name}({self.f(1)}, {self.int_of_python()})")

    # --- Functions ---

    def function(self, name, kinds, names, result, result_kinds, depth, free=False):
        saved = {key: getattr(self, key, None) for key in ("kinds", "staged", "loop", "in_block", "returns", "result",
                                                           "result_kinds", "function_staged", "effects",
                                                           "may_have_effects")}
        self.add(f"def {name}({', '.join(names)}):")
        # Closures see variables of the function around it as they are when they are called: all are assigned.
        around = dict(self.kinds) if free else {}
        own = dict(zip(names, kinds))
        # A helper may be called where tensors decide, and in the test of a loop.
        self.effects = name == "program" or (free and self.effects and not self.staged)
        self.may_have_effects = not self.is_loss and (free or name == "program")
        self.kinds = {key: kind for key, kind in around.items() if kind in "fvimwn"} | own
        self.staged, self.loop, self.in_block, self.returns = False, None, False, 2 if depth > 1 else 1
        self.result, self.result_kinds, self.function_staged = result, result_kinds, False
        if free:
            # Names from around would become its own by an assignment, without a value.
            head = {key: f"{key}_" for key in self.kinds if key not in own}
            self.indent += 1
            for key, new in head.items():
                self.add(f"{new} = {key}")
            self.indent -= 1
            self.kinds = {head.get(key, key): kind for key, kind in self.kinds.items()}

        def write():
            for _ in range(self.random.randrange(1, 3) + (depth > 1)):
                self.statement(depth)
            self.add(f"return {self.returned()}")

        self.inner(write)
        for key, value in saved.items():
            setattr(self, key, value)

    def tensor(self, kind):
        numbers = (-2.0, -1.0, -0.5, 0.0, 0.0, 0.5, 1.0, 1.75, 3.0)
        if self.is_loss:
            numbers = (-1.7, -0.6, 0.3, 0.9, 1.4, 2.3)
        ints = (-3, -1, 0, 0, 1, 2, 3, 5)
        chosen = numbers if kind in "fvm" else ints
        dtype = self.float if kind in "fvm" else self.int
        row = lambda: [self.random.choice(chosen) for _ in range(3)]  # noqa: E731
        value = row()[0] if kind in "fi" else row() if kind in "vw" else [row(), row()]
        return f"tfrt.tensor({value}, dtype='{dtype}')"

    def argument(self, kind):
        if kind in "fvmiw":
            return self.tensor(kind)
        simple = {"n": lambda: str(self.random.randrange(4)), "h": lambda: self.choose("True", "False"),
                  "s": lambda: self.choose('"one"', '"two"'),
                  "L": lambda: f"[{', '.join(self.tensor('v') for _ in range(self.lists))}]",
                  "D": lambda: f"{{'a': {self.tensor('f')}, 'b': {self.tensor('f')}}}",
                  "P": lambda: f"Pair({self.tensor('f')}, {self.tensor('v')})"}
        return simple[kind]()

    def write(self):
        self.kinds, self.helpers, self.indent = {}, [], 0
        self.staged, self.loop, self.in_block, self.function_staged = False, None, False, False
        self.effects = True
        self.lists = self.choose(2, 3)
        self.may_have_effects = not self.is_loss
        for _ in range(self.random.randrange(3)):
            name = self.fresh("helper")
            self.function(name, "fviwn", "xviwn", "{}", "f", 1)
            self.lines += ["", ""]
            self.helpers.append(name)
        kinds, names = list("ffviwnhs"), ["x", "y", "v", "i", "w", "n", "h", "s"]
        for kind, name in (("m", "m"), ("L", "t"), ("D", "d"), ("P", "p")):
            if self.chance(0.4):
                kinds.append(kind)
                names.append(name)
        if self.is_loss:
            result, result_kinds = "{}", "f"
        else:
            result, result_kinds = self.choose(("({}, {}, {})", "fvi"), ("{{'x': {}, 'rest': [{}, {}]}}", "fiw"),
                                               ("Pair({}, {})", "fv"), ("({}, ({}, {}))", "bfv"))
        self.function("program", kinds, names, result, result_kinds, 3)
        rows = ["        (" + ", ".join(self.argument(kind) for kind in kinds) + ")," for _ in range(3)]
        first = f"VARIABLES = [tfrt.Variable(tfrt.tensor(0.5, dtype='{self.float}')), " \
                f"tfrt.Variable(tfrt.tensor(2, dtype='{self.int}'))]"
        return "\n".join([HEAD, first, f"IS_LOSS = {self.is_loss}", "", "", *self.lines, "", "",
                          "def arguments():", "    return [", *rows, "    ]", ""])
