"""What rewritten code calls. Each asks whether what decides is traced; if not, it does what Python does."""

import operator

from . import structure
from .changes import Notes
from .protocol import RewriteError, depth, doublings, protocol
from .structure import Undefined
from .watch import Watch

_MAX_DOUBLINGS = 10

_IN_CONDITION = "the condition of a loop changes a tensor; assign its items in the loop's body"

_COMPARISONS = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt,
    "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not, "In": lambda x, y: x in y,
    "NotIn": lambda x, y: x not in y,
}


class _Staged:
    """Code under this is traced, and runs or not as tensors say.

    `variables` gives the function's variables, as Watch takes them: their objects must stay as they are.
    """

    def __init__(self, variables, place):
        self.variables, self.place = variables, place

    def __enter__(self):
        self.watch = Watch(self.variables())  # first: it may raise
        self.token = depth.set(depth.get() + 1)

    def __exit__(self, error, *_):
        depth.reset(self.token)
        changed = self.watch.changed() if error is None else None
        if changed:
            raise RewriteError(self.place, f"whether {changed} changes depends on a tensor; assign another one to a "
                                           "variable, or use a tfrt.TensorArray")


def _is_staged():
    return depth.get() > 0


def is_traced(value):
    return protocol().is_traced(value)


def converted(function):
    from .functions import converted as convert
    return convert(function)


def value_of(read, name):
    try:
        return read()
    except NameError:  # and UnboundLocalError: no value yet
        return Undefined(name)


def defined(value):
    if structure.is_undefined(value):
        value._fail()
    return value


# --- What cannot be traced ---

def python_test(test, place):
    if is_traced(test):
        raise RewriteError(place, "a return under `try`, `with` or `match` depends on a tensor; assign to a variable "
                                  "there, and return it behind the block")
    return test


def python_value(value, place):
    if is_traced(value):
        raise RewriteError(place, "`match` does not look into a traced tensor; use if and elif")
    return value


def check_raise(place):
    if _is_staged():
        raise RewriteError(place, "whether this raises depends on a tensor, which is known only when the traced "
                                  "function runs; use assert")


def check_store(target, place, read=None):
    """`read` gives the object of which an element is assigned. That may be a tensor."""
    if _is_staged() and not (read and protocol().takes_items(read())):
        raise RewriteError(place, f"whether {target} is assigned depends on a tensor; assign to a variable of the "
                                  f"function, and to {target} behind the branch or loop; or use a tfrt.Variable")


def _check_outside(outside, place):
    if outside:
        raise RewriteError(place, f"whether {', '.join(outside)}, which is global or nonlocal, is assigned depends on "
                                  "a tensor; use a variable of the function, or a tfrt.Variable")


def captured(value, text, place):
    """A value of outside the traced function, that is iterated over."""
    if hasattr(type(value), "__next__") and protocol().is_tracing():
        raise RewriteError(place, f"'{text}' is a {type(value).__name__} of outside of the traced function: it would "
                                  "advance while that is traced, and not when its program runs; give it to "
                                  "tfrt.for_each, which asks it at each run, or loop over a list or a tensor")
    return value


# --- Expressions ---

def not_(x):
    return protocol().logical_not(x) if is_traced(x) else not x


def _fold(first, operands, decides, variables, place, is_value=False):
    """Python's rule: an operand is computed unless one before it decides. A traced one makes that a branch of the
    program. `is_value`: what the operands are counts, too, not only whether they are true."""
    result = first
    for operand in operands:
        if is_traced(result):
            result = _in_branch(result, operand, decides, variables, place, is_value)
        elif bool(result) == decides:
            return result
        else:
            result = operand()
    return result


def _check_binds(operands, place):
    if any(operand.__name__.startswith("ag__later") for operand in operands):
        raise RewriteError(place, "a := that is not always reached, as a tensor says; assign to the variable before")


def _in_branch(first, operand, decides, variables, place, is_value):
    _check_binds([operand], place)

    def computed():
        value = operand()
        if is_traced(value) or is_value and protocol().is_tensor(value):
            return [value]
        if is_value and not isinstance(value, bool):
            word = "or" if decides else "and"
            raise RewriteError(place, f"`{word}` of a tensor and a value of {type(value).__name__}: Python gives one "
                                      "of the two; say which by a conditional expression")
        return [protocol().to_tensor(bool(value))]

    def decided():
        return [protocol().to_tensor(decides)]

    with _Staged(variables, place), Notes(place, "whether a tensor changes depends on a tensor; assign its items in a "
                                                 "statement"):
        return protocol().cond(first, *((decided, computed) if decides else (computed, decided)))[0]


def and_(variables, place, first, *operands):
    return _fold(first, operands, False, variables, place)


def or_(variables, place, first, *operands):
    return _fold(first, operands, True, variables, place)


def and_value(variables, place, first, *operands):
    return _fold(first, operands, False, variables, place, is_value=True)


def or_value(variables, place, first, *operands):
    return _fold(first, operands, True, variables, place, is_value=True)


def compare(variables, place, left, operators, *operands):
    """a < b < c; each operand is computed once, and none after what is false."""
    right = operands[0]()
    this = _COMPARISONS[operators[0]](left, right)
    if len(operands) == 1:
        return this
    if is_traced(this):
        _check_binds(operands[1:], place)
    return and_(variables, place, this, lambda: compare(variables, place, right, operators[1:], *operands[1:]))


def if_expression(variables, place, test, then_value, else_value):
    if not is_traced(test):
        return then_value() if test else else_value()
    _check_binds([then_value, else_value], place)
    with _Staged(variables, place):
        return structure.merge(test, then_value, else_value, "the conditional expression", place)


# --- Statements ---

def assert_statement(condition, message, place):
    if is_traced(condition):
        protocol().check(condition, str(message()) if message else "")
    elif not condition:
        raise AssertionError(*((message(),) if message else ()))


def _run(body, variables, *arguments):
    """Calls a function made of statements. Variables of the program's function are free in it, with another error."""
    try:
        return body(*arguments)
    except NameError as error:
        at = error.__traceback__
        while at.tb_next:
            at = at.tb_next
        if type(error) is NameError and at.tb_frame.f_code.co_name.startswith("ag__") and any(
                is_own and name == error.name for name, _, is_own in variables()):
            raise UnboundLocalError(f"cannot access local variable '{error.name}' where it is not associated with a "
                                    "value"
                                    ).with_traceback(error.__traceback__) from None
        raise


def if_statement(test, then_branch, else_branch, get, put, names, outside, variables, place):
    if not is_traced(test):
        _run((then_branch if test else else_branch), variables)
        return
    _check_outside(outside, place)
    before = get()

    def run(branch):
        put(before)
        branch()
        return get()

    with _Staged(variables, place):
        # Branches end with the variables that they have set, here set anew.
        put(structure.merge_states(test, lambda: run(then_branch), lambda: run(else_branch), before, names, place))


def if_return(test, then_branch, else_branch, get, put, names, outside, variables, place, is_doubled):
    """With `is_doubled` both branches go on with what follows, which is traced twice."""
    if not is_traced(test):
        return _run(then_branch if test else else_branch, variables)
    _check_outside(outside, place)
    before = get()

    def run(branch):
        put(before)
        return branch()

    if is_doubled and doublings.get() == _MAX_DOUBLINGS:
        raise RewriteError(place, "too many branches that depend on tensors and may return, each of which doubles what "
                                  "follows; assign to a variable and return it at the end")
    token = doublings.set(doublings.get() + is_doubled)
    try:
        with _Staged(variables, place):
            return structure.merge(test, lambda: run(then_branch), lambda: run(else_branch), "what is returned", place)
    finally:
        doublings.reset(token)


def while_statement(test, body, get, put, names, outside, variables, place):
    condition = _run(test, variables)
    while not is_traced(condition):
        if not condition:
            return
        _run(body, variables)
        condition = _run(test, variables)
    _check_outside(outside, place)
    loop = structure.Loop(get(), put, get, names, place)

    def run_test(*carried):
        with loop.entered(carried, _IN_CONDITION):
            result = test()
            return result if is_traced(result) else protocol().to_tensor(bool(result), condition)

    def run_body(*carried):
        with loop.entered(carried):
            body()
            return loop.leave()

    with _Staged(variables, place):
        loop.run(lambda: protocol().while_loop(run_test, run_body, loop.start()))


def for_statement(iterable, extra_test, body, get, put, names, outside, variables, place):
    if isinstance(iterable, Range) or is_traced(iterable):
        _check_outside(outside, place)
        return _staged_for(iterable, extra_test, body, get, put, names, variables, place)
    go_on = True
    for index, item in enumerate(iterable):
        if is_traced(go_on):
            _check_outside(outside, place)
            if isinstance(iterable, range):
                rest = iterable[index:]
                return _staged_for(Range(rest.start, rest.stop, rest.step, traced=go_on), extra_test, body, get, put,
                                   names,
                                   variables, place)
            if not hasattr(iterable, "__len__"):
                raise RewriteError(place, "a `break` depends on a tensor, but the loop goes over an iterator, which "
                                          "may have no end; loop over a list, a range or a tensor, or use `while`")
            # One guarded copy of the body for each item that is left.
            if_statement(go_on, lambda item=item: body(item), lambda: None, get, put, names, outside, variables, place)
        else:
            _run(body, variables, item)
        # Before the next item is taken: an iterator keeps it.
        go_on = extra_test() if extra_test is not None else True
        if not is_traced(go_on) and not go_on:
            break


def _staged_for(iterable, extra_test, body, get, put, names, variables, place):
    loop = structure.Loop(get(), put, get, names, place)
    api = protocol()

    def run_body(item, *carried):
        with loop.entered(carried, item=item):
            body(item)
            return loop.leave()

    with _Staged(variables, place):
        if extra_test is None and isinstance(iterable, Range):
            begin, end, step = iterable.bounds
            loop.run(lambda: api.for_range(begin, end, step, run_body, loop.start()))
        elif extra_test is None:
            loop.run(lambda: api.for_each(iterable, run_body, loop.start()))
        else:
            _staged_while_for(iterable, extra_test, run_body, loop)


def _staged_while_for(iterable, extra_test, run_body, loop):
    """With a `break`: a loop that counts, and asks before each row."""
    api = protocol()
    if isinstance(iterable, Range):
        begin, end, step = iterable.bounds
        if not isinstance(step, int):
            raise RewriteError(loop.place, "a loop with `break` over a range needs a step that is an int")
        like = next((bound for bound in (begin, end) if is_traced(bound)), None)
        start, item_of = begin if is_traced(begin) else api.to_tensor(begin, like), lambda i: i
        is_in = (lambda i: i < end) if step > 0 else (lambda i: i > end)
    else:
        step, end = 1, api.num_rows(iterable)
        start, item_of = api.to_tensor(0), lambda i: api.row(iterable, i)
        is_in = lambda i: i < end

    def test(i, *carried):
        with loop.entered(carried, _IN_CONDITION):
            return and_(lambda: (), loop.place, is_in(i), extra_test)

    def body(i, *carried):
        return [i + step, *run_body(item_of(i), *carried)]

    loop.run(lambda: api.while_loop(test, body, [start, *loop.start()])[1:])


class Range:
    """`range` with a bound that is traced."""

    def __init__(self, *bounds, traced=None):
        begin, end, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1) if len(bounds) == 2 else bounds
        self.bounds = begin, end, step
        self.traced = traced if traced is not None else next(bound for bound in bounds if is_traced(bound))

    def __iter__(self):
        raise TypeError("a range with a traced bound can only be looped over by a `for` statement")


def range_(*bounds):
    return Range(*bounds) if any(is_traced(bound) for bound in bounds) else range(*bounds)
