"""Takes `return`, `break` and `continue` out of control flow, so that what is left are expressions and blocks.

- `continue` and `break` become flags; what follows them in the loop's body is guarded by `if not flag`.
- `return` in a loop becomes a flag, a value and a `break`.
- `return` in an `if` takes the statements that follow into the branch that goes on, so that the `if` is the last
  statement, and its value the function's. Where both branches go on, these statements are a function that both call.
"""

import ast
import copy

from .names import always_ends, contains, loop_jumps
from .protocol import RewriteError

PREFIX = "ag__"

# `try`, also with `except*`, which is of Python 3.11.
TRY = (ast.Try, ast.TryStar) if hasattr(ast, "TryStar") else (ast.Try,)


def _name(text, store=False):
    return ast.Name(text, ast.Store() if store else ast.Load())


def _assign(name, value):
    return ast.Assign([_name(name, store=True)], value)


def _not(*names):
    tests = [ast.UnaryOp(ast.Not(), _name(name)) for name in names]
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _flags(statements, broken, skipped):
    """The flags that stand for the jumps in the statements."""
    return [flag for flag, kind in ((broken, ast.Break), (skipped, ast.Continue)) if loop_jumps(statements, kind)]


def _unless(flags, body):
    test = _not(*flags)
    for node in ast.walk(test):
        ast.copy_location(node, body[0])
    return ast.copy_location(ast.If(test, body, []), body[0])


class Jumps:
    """Of one function."""

    def __init__(self, file):
        self.file = file
        self.counter = 0

    def fresh(self, what):
        self.counter += 1
        return f"{PREFIX}{what}_{self.counter}"

    def error(self, node, message):
        raise RewriteError((self.file, node.lineno), message)

    # --- Loops ---

    def lower_loops(self, body):
        """The statements with loops that have neither `break`, `continue` nor `return`."""
        result = []
        for statement in body:
            result.extend(self.lower_statement(statement))
        return result

    def lower_statement(self, statement):
        if isinstance(statement, (ast.For, ast.While)):
            return self.lower_loop(statement)
        for field in ("body", "orelse", "finalbody"):
            if isinstance(statement, (ast.If, ast.With, *TRY)) and getattr(statement, field, None):
                setattr(statement, field, self.lower_loops(getattr(statement, field)))
        if isinstance(statement, TRY):
            for handler in statement.handlers:
                handler.body = self.lower_loops(handler.body)
        if isinstance(statement, ast.Match):
            for case in statement.cases:
                case.body = self.lower_loops(case.body)
        return [statement]

    def lower_loop(self, loop):
        before, after = [], []
        if isinstance(loop, ast.While) and contains([loop.test], ast.NamedExpr):
            self.test_in_body(loop)
        loop.body = self.lower_loops(loop.body)
        if contains(loop.body, ast.Return):
            returned, value = self.fresh("returned"), self.fresh("value")
            loop.body = self.returns_to_breaks(loop.body, returned, value)
            before.append(_assign(returned, ast.Constant(False)))
            leave = ast.Return(_name(value))
            after.append(ast.If(_name(returned), [leave], []))
        extra = []
        if loop_jumps(loop.body, ast.Break):
            broken = self.fresh("broken")
            before.append(_assign(broken, ast.Constant(False)))
            extra.append(broken)
        else:
            broken = None
        skipped = self.fresh("skipped") if loop_jumps(loop.body, ast.Continue) else None
        loop.body = self.lower_jumps(loop.body, broken, skipped)
        if skipped:
            loop.body.insert(0, _assign(skipped, ast.Constant(False)))
        orelse, loop.orelse = self.lower_loops(loop.orelse), []
        if orelse:
            after[:0] = [ast.If(_not(broken), orelse, [])] if broken else orelse
        loop.extra_test = _not(*extra) if extra else None
        new = before + [loop] + after
        for node in new:
            if node is not loop:
                for inner in ast.walk(node):
                    if not hasattr(inner, "lineno"):
                        ast.copy_location(inner, loop)
        return new

    def test_in_body(self, loop):
        """A test that binds a name, which the body sees, is part of it."""
        if loop.orelse:
            self.error(loop, "a := in the test of a loop with `else` cannot be rewritten; assign to the variable in "
                             "the loop")
        leave = ast.If(ast.UnaryOp(ast.Not(), loop.test), [ast.Break()], [])
        loop.body.insert(0, leave)
        loop.test = ast.Constant(True)
        for inner in (*ast.walk(leave), loop.test):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, loop)

    def returns_to_breaks(self, body, returned, value):
        result = []
        for statement in body:
            if isinstance(statement, ast.Return):
                for new in (_assign(value, statement.value or ast.Constant(None)),
                            _assign(returned, ast.Constant(True)), ast.Break()):
                    result.append(ast.copy_location(new, statement))
                break
            self.map_blocks(statement, lambda block: self.returns_to_breaks(block, returned, value))
            result.append(statement)
        return result

    def map_blocks(self, statement, change):
        """Changes the blocks of an `if`, `with`, `try` or `match`."""
        if isinstance(statement, (ast.If, ast.With)):
            statement.body = change(statement.body)
            if isinstance(statement, ast.If):
                statement.orelse = change(statement.orelse)
        elif isinstance(statement, TRY):
            if contains(statement.finalbody, (ast.Return, ast.Break, ast.Continue)):
                self.error(statement, "return, break and continue in a finally block cannot be rewritten")
            for block in (statement, *statement.handlers):
                block.body = change(block.body)
            statement.orelse = change(statement.orelse)
        elif isinstance(statement, ast.Match):
            for case in statement.cases:
                case.body = change(case.body)

    def lower_jumps(self, body, broken, skipped):
        """The body with flags in place of jumps, and guards behind them."""
        result = []
        for index, statement in enumerate(body):
            if isinstance(statement, (ast.Break, ast.Continue)):
                flag = broken if isinstance(statement, ast.Break) else skipped
                result.append(ast.copy_location(_assign(flag, ast.Constant(True)), statement))
                return result  # what follows is never reached
            flags = _flags([statement], broken, skipped)
            flags_of_try = _flags(statement.body, broken, skipped) if isinstance(statement, TRY) else []
            self.map_blocks(statement, lambda block: self.lower_jumps(block, broken, skipped))
            if flags_of_try and statement.orelse:
                statement.orelse = [_unless(flags_of_try, statement.orelse)]  # a jump out of `try` passes its `else`
            result.append(statement)
            rest = body[index + 1:]
            if flags and rest:
                result.append(_unless(flags, self.lower_jumps(rest, broken, skipped)))
                return result
        return result

    # --- Returns ---

    def lower_returns(self, body):
        """The statements of a function, whose only `return`s are its last statement and those of branches of it."""
        result = []
        for index, statement in enumerate(body):
            rest = body[index + 1:]
            if isinstance(statement, ast.Return):
                result.append(statement)
                return result
            if isinstance(statement, (*TRY, ast.With, ast.Match)) and contains([statement], ast.Return):
                # Decided by Python alone, and left as it is; what is in it is looked at by itself.
                self.map_blocks(statement, self.keep_returns)
            elif isinstance(statement, ast.If) and contains([statement], ast.Return):
                result.append(self.merge_rest(statement, rest))
                return result
            result.append(statement)
        return result

    def keep_returns(self, block):
        for statement in block:
            if isinstance(statement, ast.If) and contains([statement], ast.Return):
                statement.keeps_return = True
            self.map_blocks(statement, self.keep_returns)
        return block

    def merge_rest(self, statement, rest):
        ways = [field for field in ("body", "orelse") if not always_ends(getattr(statement, field))]
        if len(ways) == 2 and rest and not _is_short(rest):
            # One function for both: copies in copies would double with each `if`.
            name = self.fresh("rest")
            statement = ast.copy_location(IfWithRest(statement.test, statement.body, statement.orelse, name,
                                                     self.ended(rest, statement)), statement)
            rest = [ast.Return(ast.Call(_name(name), [], []))]
            for node in ast.walk(rest[0]):
                ast.copy_location(node, statement)
        for field in ways:
            setattr(statement, field, getattr(statement, field) + [copy.deepcopy(node) for node in rest])
        for field in ("body", "orelse"):
            setattr(statement, field, self.ended(getattr(statement, field), statement))
        statement.returns = True
        return statement

    def ended(self, block, statement):
        """The statements with returns lowered, one at their end."""
        block = self.lower_returns(block)
        if always_ends(block):
            return block
        leave = ast.Return(ast.Constant(None))
        for node in ast.walk(leave):
            ast.copy_location(node, statement)
        return [*block, leave]


class IfWithRest(ast.If):
    """An `if` whose two ways both end with a call of the function `name`, which has the statements that follow it."""

    _fields = (*ast.If._fields, "name", "rest")


def _is_short(rest):
    """Whether the statements are one `return` of what takes no code: a name, a constant, or what follows."""
    if not isinstance(rest[0], ast.Return):
        return False
    value = rest[0].value
    return value is None or isinstance(value, (ast.Name, ast.Constant)) or (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id.startswith(PREFIX))
