"""A tracer in a few lines: what is recorded is a function of the arguments' values, computed afterwards."""

import operator

from tfrt._rewrite import Protocol


_frames = [0]  # of the program, and of the loops whose bodies are recorded; each has a number of its own
_counter = [0]


class Traced:
    """A value that is known when the program runs: `compute(environment)`.

    It is of the body in which it is recorded.
    """

    def __init__(self, compute):
        self.compute = compute
        self.frame = _frames[-1]

    def __bool__(self):
        raise TypeError("a traced value has no truth while it is traced")

    def __iter__(self):
        raise TypeError("a traced value has no rows while it is traced")

    __hash__ = object.__hash__


def _apply(function, *arguments):
    def compute(environment):
        return function(*[evaluate(argument, environment) for argument in arguments])

    return Traced(compute)


class Environment:
    """Values of one run of a body, inside of that of the bodies around it."""

    def __init__(self, frame=0, outer=None):
        self.frame, self.outer, self.values = frame, outer, {}


def evaluate(value, environment):
    """The value of a traced value; each is computed once per run of its body."""
    if not isinstance(value, Traced):
        return value
    while environment.frame != value.frame:
        environment = environment.outer
    if value not in environment.values:
        environment.values[value] = value.compute(environment)
    return environment.values[value]


for _name, _op in (("add", operator.add), ("sub", operator.sub), ("mul", operator.mul), ("lt", operator.lt),
                   ("gt", operator.gt), ("le", operator.le), ("ge", operator.ge), ("eq", operator.eq),
                   ("ne", operator.ne), ("mod", operator.mod),
                   ("floordiv", operator.floordiv)):
    setattr(Traced, f"__{_name}__", lambda x, y, op=_op: _apply(op, x, y))
    if _name in ("add", "sub", "mul"):
        setattr(Traced, f"__r{_name}__", lambda x, y, op=_op: _apply(op, y, x))


class _Body:
    """A loop's functions, recorded with `count` parameters."""

    def __init__(self, count, *functions):
        def fail(environment):
            raise AssertionError("a parameter outside of its loop")

        _counter[0] += 1
        self.frame = _counter[0]
        _frames.append(self.frame)
        try:
            self.parameters = [Traced(fail) for _ in range(count)]
            self.results = [function(*self.parameters) for function in functions]
        finally:
            _frames.pop()

    def enter(self, environment, values):
        inner = Environment(self.frame, environment)
        inner.values.update(zip(self.parameters, values))
        return inner


class FakeProtocol(Protocol):
    """Counts what it records in `log`."""

    def __init__(self):
        self.log = []

    def is_traced(self, value):
        return type(value) is Traced

    def to_tensor(self, value, like=None):
        if not isinstance(value, (bool, int, float)):
            raise TypeError(f"{type(value).__name__} does not become a tensor")
        return Traced(lambda environment: value)

    def filler(self, like):
        def fail(environment):
            raise AssertionError("a value that no way gives is used")

        return Traced(fail)

    def cond(self, condition, then_branch, else_branch):
        self.log.append("cond")
        then_results, else_results = list(then_branch()), list(else_branch())
        assert len(then_results) == len(else_results)
        assert all(isinstance(result, Traced) for result in then_results + else_results)
        return [Traced(lambda environment, x=x, y=y: evaluate(x if evaluate(condition, environment) else y,
                                                              environment))
                for x, y in zip(then_results, else_results)]

    def _loop(self, run, count):
        """`count` results of a loop that runs once per environment."""
        whole = Traced(run)
        return [Traced(lambda environment, i=i: evaluate(whole, environment)[i]) for i in range(count)]

    def while_loop(self, condition, body, carried):
        self.log.append("while")
        carried = list(carried)
        recorded = _Body(len(carried), condition, lambda *values: list(body(*values)))
        test, results = recorded.results
        assert len(results) == len(carried) and all(isinstance(result, Traced) for result in results)

        def run(environment):
            values = [evaluate(value, environment) for value in carried]
            for _ in range(10000):
                inner = recorded.enter(environment, values)
                if not evaluate(test, inner):
                    return values
                values = [evaluate(result, inner) for result in results]
            raise AssertionError("the loop does not end")

        return self._loop(run, len(carried))

    def _for(self, items_of, body, carried):
        self.log.append("for")
        carried = list(carried)
        recorded = _Body(1 + len(carried), lambda *values: list(body(*values)))

        def run(environment):
            values = [evaluate(value, environment) for value in carried]
            for item in items_of(environment):
                inner = recorded.enter(environment, [item, *values])
                values = [evaluate(result, inner) for result in recorded.results[0]]
            return values

        return self._loop(run, len(carried))

    def for_each(self, rows, body, carried):
        return self._for(lambda environment: evaluate(rows, environment), body, carried)

    def for_range(self, begin, end, step, body, carried):
        return self._for(lambda environment: range(*(evaluate(bound, environment) for bound in (begin, end, step))),
                         body,
                         carried)

    def row(self, rows, index):
        return _apply(operator.getitem, rows, index)

    def num_rows(self, rows):
        return _apply(len, rows)

    def logical_not(self, x):
        return _apply(operator.not_, x)

    def check(self, condition, message):
        self.log.append(f"assert {message}")
