"""Makes a failing program smaller."""

import ast
import itertools
import os
import re
import time

from running import Failure, Program

_numbers = itertools.count()


def variants(tree):
    """The tree with one statement less, or with a block in place of what it is a block of."""
    for parent in ast.walk(tree):
        for field in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(parent, field, None)
            if not isinstance(block, list):
                continue
            for index in reversed(range(len(block))):
                statement, rest = block[index], (block[:index], block[index + 1:])
                if isinstance(statement, ast.Assign) and re.fullmatch(r"c\d+", ast.unparse(statement.targets[0])):
                    continue  # the count of a loop, which would not end
                if isinstance(statement, (ast.Pass, ast.FunctionDef)) and len(block) == 1:
                    continue
                for new in ([], getattr(statement, "body", None), getattr(statement, "orelse", None)):
                    if new is None or isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and new:
                        continue
                    made = [*rest[0], *new, *rest[1]]
                    setattr(parent, field, made or ([ast.Pass()] if field == "body" else []))
                    yield
                    setattr(parent, field, block)


def fails_alike(text, kind, folder):
    path = os.path.join(folder, f"smaller_{next(_numbers)}.py")
    with open(path, "w") as file:
        file.write(text)
    try:
        program = Program(path)
        program.run_plain()
        program.check()
    except Failure as failure:
        return failure.kind == kind
    except Exception:
        return False  # no program any more
    finally:
        os.unlink(path)
    return False


def minimised(text, kind, folder, seconds=20.0):
    end = time.process_time() + seconds
    tree = ast.parse(text)
    changed = True
    while changed:
        changed = False
        for _ in variants(tree):
            if time.process_time() > end:
                return text
            try:
                smaller = ast.unparse(ast.fix_missing_locations(tree))
            except Exception:
                continue
            if len(smaller) < len(text) and fails_alike(smaller, kind, folder):
                text, tree, changed = smaller, ast.parse(smaller), True
                break
    return text
