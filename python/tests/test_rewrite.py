"""The rewriting of control flow, against what Python does, with a tracer of the tests' own."""

import importlib.util
import inspect
import random

import pytest
from fake_protocol import Environment, FakeProtocol, Traced, evaluate

from tfrt._rewrite import RewriteError, rewrite, use_protocol


def traced(function, *arguments):
    """The function's results as a traced program gives them, and what was recorded."""
    protocol, environment = FakeProtocol(), Environment()
    inputs = []
    for argument in arguments:
        inputs.append(Traced(None))
        environment.values[inputs[-1]] = argument
    with use_protocol(protocol):
        results = rewrite(function)(*inputs)

    def values(result):
        if isinstance(result, (tuple, list)):
            return type(result)(values(item) for item in result)
        if isinstance(result, dict):
            return {key: values(item) for key, item in result.items()}
        return evaluate(result, environment)

    return values(results), protocol.log


def early_returns(x):
    if x > 0:
        return x * 2
    elif x < -5:
        return 0
    return x - 1


def while_with_all(n):
    total = 0
    i = 0
    while i < n:
        i = i + 1
        if i == 3 or i == 6:
            continue
        if i > 10:
            break
        total += i
    else:
        total = total + 1000
    return total


def while_true(n):
    while True:
        n = n - 1
        if n < 0:
            break
    return n


def for_with_break(n):
    found = -1
    for i in range(2, n):
        if i * i > 30:
            found = i
            break
    else:
        found = -2
    return found


def nested_loops(n):
    total = 0
    for i in range(n):
        for j in range(i):
            if j == 3:
                break
            total = total + j
    return total


def rows(values):
    best, count = 0, 0
    for value in values:
        if value > best and not value == 9:
            best = value
        count += 1
    return best, count, [best + 1 if best > 3 else 0], {"c": count}


def break_over_values(x):
    total = 0
    for name, i in zip("abc", range(3)):
        total = total + i
    for i in [1, 2, 3]:
        if x > i:
            break
        total = total + i
    for i in range(100):
        if i > x:
            break
        total = total + i
    return total


def return_over_values(x):
    for i in [1, 2, 3]:
        if x > i * 3:
            return x * i, {"i": i}
        x = x + 1
    return x, {"i": 0}


def none_on_both_ways(x):
    name = 1
    if x > 0:
        name = None
        x = x + 1
    else:
        name = None
    return x, name is None


def return_over_lists(x):
    for i in [0, 1, 2]:
        for j in [0, 1]:
            if x == i + j:
                return x * 10
    else:
        x = x + 1
    return x


def chained(x):
    return (1 if 0 < x < 10 else 2), 0 < x < 10


def logic(x, y):
    a = x > 0 and y > 0
    b = x > 0 or y > 0 or False
    c = not (a or b)
    return a, b, c


def host_and_traced(x, y):
    depth, names = 0, []
    for name in ["a", "b", "c"]:
        depth = depth + 1
        names.append(name)
        if name == "b":
            continue
        if y > depth:
            x = x + depth
    return x, depth


def helper(x):
    if x > 2:
        return x * 10
    return x


def calls_helper(x):
    def inner(z):
        if z > 5:
            z = z - 1
        return z

    return helper(x) + inner(x)


def walks(x):
    if (y := x + 1) > 3:
        y = y * 2
    return y


def temporaries(n):
    total = 0
    while n > 0:
        square = n * n
        total = total + square
        n = n - 1
    return total


class Model:
    bias = 3

    def forward(self, x):
        if x > 0:
            x = x + self.bias
        return x


def method(x):
    return Model().forward(x)


def recursion(x, depth=3):
    if depth == 0:
        return x
    if x > 10:
        x = x - 10
    return recursion(x * 2, depth - 1)


CASES = [
    (early_returns, [(3,), (-1,), (-9,)]), (while_with_all, [(2,), (5,), (50,)]), (while_true, [(3,), (0,)]),
    (for_with_break, [(3,), (30,)]), (nested_loops, [(0,), (7,)]), (rows, [([1, 5, 9, 2],), ([],)]),
    (break_over_values, [(0,), (2,), (9,)]), (return_over_values, [(0,), (3,), (9,)]),
    (none_on_both_ways, [(0,), (3,)]),
    (return_over_lists, [(0,), (2,), (9,)]),
    (chained, [(0,), (4,), (12,)]), (logic, [(0, 0), (1, 0), (0, 1), (1, 1)]), (host_and_traced, [(1, 2), (1, 9)]),
    (calls_helper, [(1,), (4,), (9,)]), (walks, [(1,), (3,)]), (temporaries, [(0,), (4,)]), (method, [(1,), (-1,)]),
    (recursion, [(1,), (9,)]),
]


@pytest.mark.parametrize("function, arguments", [(f, a) for f, list_of in CASES for a in list_of])
def test_as_python(function, arguments):
    assert traced(function, *arguments)[0] == function(*arguments)


@pytest.mark.parametrize("function, arguments", [(f, a) for f, list_of in CASES for a in list_of])
def test_values_of_python_stay_with_python(function, arguments):
    """With a protocol that traces nothing the rewritten function is the function."""
    assert rewrite(function)(*arguments) == function(*arguments)


def test_what_is_recorded():
    assert traced(early_returns, 1)[1] == ["cond", "cond"]
    assert traced(rows, [1])[1] == ["for", "cond", "cond", "cond"]
    assert traced(host_and_traced, 1, 2)[1] == ["cond", "cond"]
    # An unrolled loop over values of Python records as often as it runs.
    assert traced(temporaries, 3)[1] == ["while"]


def test_branches_are_called_once():
    calls = []

    def function(x):
        if x > 0:
            calls.append("then")
        else:
            calls.append("else")
        return x

    traced(function, 1)
    assert calls == ["then", "else"]


def test_numbers_that_no_branch_changes_stay_numbers():
    kinds = []

    def function(x):
        n = 2
        if x > 0:
            n = 2
            x = x + 1
        kinds.append(type(n))
        return x

    traced(function, 1)
    assert kinds == [int]


def test_closures_defaults_and_keywords():
    scale = 3

    def function(x, *, offset=4, **more):
        if x > 0:
            x = x * scale
        return x + offset + sum(more.values())

    assert traced(function, 2)[0] == 10
    scale = 5
    assert traced(function, 2)[0] == 14
    new = rewrite(function)
    assert new(1, offset=1, extra=2) == 8
    assert inspect.signature(new) == inspect.signature(function)
    assert new.__name__ == "function" and rewrite(new) is new


def test_nonlocal_values_of_python():
    count = 0

    def function(x):
        nonlocal count
        for _ in range(3):
            count += 1
        return x

    assert traced(function, 1)[0] == 1
    assert count == 3


def test_assertions():
    def function(x):
        assert x > 0, "positive"
        return x

    assert traced(function, 1)[1] == ["assert positive"]
    with pytest.raises(AssertionError, match="positive"):
        rewrite(function)(-1)


def test_tracebacks_show_the_lines_of_the_source():
    def function(x):
        for _ in range(1):
            raise_here(x)

    def raise_here(x):
        raise KeyError(x)

    with pytest.raises(KeyError) as caught:
        rewrite(function)(1)
    lines = [(entry.path.name, entry.lineno + 1) for entry in caught.traceback]
    first = inspect.getsourcelines(function)[1]
    assert ("test_rewrite.py", first + 2) in lines
    assert lines[-1] == ("test_rewrite.py", inspect.getsourcelines(raise_here)[1] + 1)


# --- What cannot be rewritten ---

def store_attribute(x):
    model = Model()
    if x > 0:
        model.bias = 4
    return x


def store_element(x):
    values = [0]
    while x > 0:
        values[0] = 1
        x = x - 1
    return x


some_global = 0


def store_global(x):
    global some_global
    if x > 0:
        some_global = 1
    return x


def raise_in_branch(x):
    if x > 0:
        raise ValueError("too large")
    return x


def return_in_loop(x):
    while x > 0:
        if x == 3:
            return x
        x = x - 1
    return x


def return_in_try(x):
    try:
        if x > 0:
            return x
    finally:
        pass
    return x


def other_objects(x):
    name = "a"
    if x > 0:
        name = "b"
    return x, name


def other_structure(x):
    if x > 0:
        return x, x
    return x


def changes_structure(x):
    y = (x, x)
    while x > 0:
        y = (x,)
        x = x - 1
    return y


def matches(x):
    match x:
        case 1:
            return 1
    return 2


def breaks_over_iterator(x):
    total = 0
    for i in iter([1, 2, 3]):
        if x > i:
            break
        total = total + i
    return total


def generator(x):
    yield x


async def coroutine(x):
    return x


ERRORS = [
    (store_attribute, 3, "whether model.bias is assigned depends on a tensor"),
    (store_element, 3, r"whether values\[0\] is assigned depends on a tensor"),
    (store_global, 2, "whether some_global, which is global or nonlocal, is assigned depends on a tensor"),
    (raise_in_branch, 2, "whether this raises depends on a tensor.*use assert"),
    (return_in_loop, 1, "a return in a loop that depends on a tensor; assign to a variable"),
    (return_in_try, 2, "a return under `try`, `with` or `match` depends on a tensor"),
    (other_objects, 2, "variable 'name' is 'b' on one way and 'a' on the other"),
    (other_structure, 1, "what is returned has another structure"),
    (changes_structure, 2, "variable 'y' changes its structure in a loop"),
    (matches, 1, "`match` does not look into a traced tensor"),
    (breaks_over_iterator, 2, "a `break` depends on a tensor, but the loop goes over an iterator"),
    (generator, 0, "'generator' is a coroutine or a generator"),
    (coroutine, 0, "'coroutine' is a coroutine or a generator"),
]


@pytest.mark.parametrize("function, line, message", ERRORS)
def test_errors_have_the_line_of_the_source(function, line, message):
    with pytest.raises(RewriteError, match=message) as caught:
        traced(function, 1)
    assert caught.value.file == __file__
    assert caught.value.line == inspect.getsourcelines(function)[1] + line
    assert str(caught.value).startswith(f"{__file__}:{caught.value.line}: ")


def test_variables_without_a_value():
    def function(x):
        if x > 0:
            y = x + 1
        return y

    with pytest.raises(UnboundLocalError, match="variable 'y' has no value behind the branch or loop at"):
        traced(function, 1)

    def use(x):
        if x > 0:
            y = x + 1
        return y + 1

    with pytest.raises(UnboundLocalError, match="variable 'y' has no value"):
        traced(use, 1)


def test_functions_without_source():
    namespace = {}
    exec("def function(x):\n    return x", namespace)
    assert rewrite(namespace["function"]) is namespace["function"]
    with pytest.raises(TypeError, match="a function of Python can be traced, not type"):
        rewrite(int)


# --- Random programs ---

class Writer:
    """Writes a function of three ints at random; loops end.

    `mod` writes `x % n`, for tensors that have no such operator.
    """

    def __init__(self, seed, mod="{} % {}".format):
        self.mod = mod
        self.random = random.Random(seed)
        self.lines = ["def function(a, b, c):"]
        self.loops = 0
        self.returns = 0  # each makes a copy of what follows it

    def expression(self):
        choice = self.random.randrange(6)
        x, y = self.random.choice("abc"), self.random.choice("abc")
        return [f"{x} + {self.mod(y, 7)}", f"{x} - {self.random.randrange(5)}", self.mod(f"({x} * 3 + {y})", 11),
                f"({x} if {self.condition()} else {y})", str(self.random.randrange(-3, 9)), self.mod(x, 5)][choice]

    def condition(self):
        x, y = self.random.choice("abc"), self.random.choice("abc")
        simple = f"{self.mod(x, 4)} < {self.random.randrange(4)}"
        return self.random.choice([simple, f"{x} > {y}", f"not {x} == {y}", f"{x} > {y} and {simple}",
                                   f"{simple} or {x} > 3",
                                   f"-5 < {x} <= {y} + 9"])

    def block(self, depth, in_loop):
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, in_loop)

    def add(self, depth, line):
        self.lines.append("    " * depth + line)

    def statement(self, depth, in_loop):
        kind = self.random.randrange(10) if depth < 4 else 0
        if kind < 4:
            self.add(depth, f"{self.random.choice('abc')} {self.random.choice(['=', '=', '+=', '-='])} "
                            f"{self.expression()}")
        elif kind < 7:
            self.add(depth, f"if {self.condition()}:")
            self.block(depth + 1, in_loop)
            if self.random.random() < 0.5:
                self.add(depth, "else:")
                self.block(depth + 1, in_loop)
        elif kind == 7 and in_loop:
            self.add(depth, f"if {self.condition()}:")
            self.add(depth + 1, self.random.choice(["break", "continue"]))
        elif kind == 7 and not in_loop and self.returns < 4:
            self.returns += 1
            self.add(depth, f"if {self.condition()}:")
            self.add(depth + 1, f"return ({self.expression()}, {self.expression()})")
        elif kind < 8 or self.loops == 4:
            self.add(depth, f"{self.random.choice('abc')} = {self.expression()}")
        else:
            self.loops += 1
            count = f"n{self.loops}"
            if kind == 8:
                self.add(depth, f"{count} = 0")
                self.add(depth, f"while {count} < {self.random.choice(['3', self.mod('a', 4), self.mod('b', 3)])} and "
                                f"({self.condition()}):")
                self.add(depth + 1, f"{count} = {count} + 1")
            else:
                bounds = ["2", self.mod("a", 4), f"1, {self.mod('c', 4)}", f"{self.mod('b', 5)}, 0, -1"]
                self.add(depth, f"for {count} in range({self.random.choice(bounds)}):")
                self.add(depth + 1, f"c = c + {count}")
            self.block(depth + 1, True)
            if self.random.random() < 0.2:
                self.add(depth, "else:")
                self.add(depth + 1, f"b = {self.expression()}")

    def write(self):
        self.block(1, False)
        self.block(1, False)
        self.add(1, "return (a, b)")
        return "\n".join(self.lines) + "\n"


@pytest.mark.parametrize("batch", range(6))
def test_random_programs(tmp_path, batch):
    for seed in range(batch * 12, batch * 12 + 12):
        path = tmp_path / f"program{seed}.py"
        path.write_text(Writer(seed).write())
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for arguments in ((0, 0, 0), (5, 3, 8), (-4, 9, 2)):
            expected = module.function(*arguments)
            assert rewrite(module.function)(*arguments) == expected, path.read_text()
            assert traced(module.function, *arguments)[0] == expected, f"{path.read_text()}\n{arguments}"


# --- Size ---

def many_returns(count, inner):
    """A function of many `if`s that may return."""
    lines = ["def function(n, m):", "    t = 0"]
    for i in range(count):
        lines += [f"    if n > {i}:", f"        if m > {i} * {inner}:", f"            return {i}", "        t = t + 1"]
    return "\n".join([*lines, "    return t", ""])


def load(tmp_path, name, text):
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def size(code):
    """Of a code object and those in it."""
    return len(code.co_code) + sum(size(inner) for inner in code.co_consts if isinstance(inner, type(code)))


def test_code_does_not_grow_with_the_number_of_ways(tmp_path):
    sizes = []
    for count in (10, 20, 40):
        module = load(tmp_path, f"returns{count}", many_returns(count, 10))
        new = rewrite(module.function)
        sizes.append(size(new.__code__))
        for n, m in ((0, 0), (5, 25), (count, 0), (count, 105), (count, 10 * count)):
            assert new(n, m) == module.function(n, m)
    assert sizes[2] < 5 * sizes[1] < 25 * sizes[0], sizes


def test_many_ways_of_tensors(tmp_path):
    module = load(tmp_path, "returns4", many_returns(4, 10))
    for n, m in ((0, 0), (3, 15), (4, 0), (4, 25), (4, 90)):
        assert traced(module.function, n, m)[0] == module.function(n, m)
    module = load(tmp_path, "returns30", many_returns(30, 10))
    with pytest.raises(RewriteError, match="assign to a variable and return it at the end") as caught:
        traced(module.function, 1, 1)
    assert caught.value.line > 30


def elif_chain(n, x):
    if n == 0:
        return x
    elif n == 1:
        x = x + 1
        for i in range(3):
            if i == n:
                return x + i
    elif n == 2:
        if x > 3:
            y = x + 1
        else:
            y = x
            if x > 2:
                return y
        x = y
    else:
        x = x * 2
    for i in range(2):
        x = x + i
    if x > 10:
        return x
    z = x * 2
    return z + 1


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize("x", [-1, 3, 9, 20])
def test_what_follows_several_ways(n, x):
    assert rewrite(elif_chain)(n, x) == elif_chain(n, x)

    def of_x(x):
        return elif_chain(n, x)

    assert traced(of_x, x)[0] == of_x(x)
