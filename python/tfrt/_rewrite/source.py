"""The source of functions, if it is that of the code which was imported.

A file may have changed since, or its lines may be those of another text: what is found there is compiled and compared.
"""

import __future__
import ast
import copy
import functools
import inspect
import linecache
import operator
import os
import threading
import types
import warnings

from .names import walk_scope

_FUTURE = functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag
                                          for name in __future__.all_feature_names))
_FUTURE &= ~inspect.CO_NESTED

# The names of the function where it is compiled, and of the one around it, which has its free variables.
NAME, FACTORY = "ag__function", "ag__factory"

# The functions of the files that were looked at last: by file, its lines and {first line: [(node, what is around it)]};
# that is the name of its class, or None, and what its module begins with.
_files = {}
_compiler = threading.RLock()


def _make_lock():
    """In the child after a fork: the thread that had it is not there."""
    global _compiler
    _compiler = threading.RLock()


os.register_at_fork(after_in_child=_make_lock)
_MAX_FILES = 8


def find(function):
    """(a copy of the function's syntax tree, what is around it), or why there is none, as a text. The tree is a `def`
    without decorators, also of a lambda, under a name that no code has: by its own it would see itself in place of what
    it finds by that name."""
    code = function.__code__
    file = code.co_filename
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    if not lines:
        return "its source cannot be read"
    for node, around in _functions_of(file, lines).get(code.co_firstlineno, ()):
        if getattr(node, "name", "<lambda>") != code.co_name:
            continue
        node = _alone(node)
        line, node.lineno = node.lineno, code.co_firstlineno  # that of decorators
        try:
            compiled = compile_inside(node, around, code, code.co_freevars)
        except SyntaxError:
            continue
        node.lineno = line
        if _is_same(compiled, code):
            return _as_def(node), around
    return f"its source in {file} differs from the code which was imported"


def compile_inside(node, around, code, free):
    """The code of the function of this syntax tree, with these free variables, and what else compiles as `code` was."""
    class_name, head = around
    parameters = ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, [])
    body = ast.Expr(node) if isinstance(node, ast.Lambda) else node
    outer = ast.FunctionDef(FACTORY, parameters, [body], [], None)
    if class_name:  # of which private names have the name
        outer = ast.ClassDef(class_name, [], [], [outer], [])
    for each in (outer, outer.body[0], node):
        each.type_params = []  # the names of generics are free variables
    module = ast.Module([*head, ast.copy_location(outer, node)], [])
    compiled = _quietly(lambda: compile(ast.fix_missing_locations(module), code.co_filename, "exec",
                                        code.co_flags & _FUTURE, dont_inherit=True))
    while compiled.co_name != FACTORY:
        compiled = next(constant for constant in compiled.co_consts if isinstance(constant, types.CodeType))
    return next(constant for constant in compiled.co_consts if isinstance(constant, types.CodeType))


def _quietly(compile_):
    # One thread at a time: CPython counts the depth of syntax trees of all threads together, and may let another thread
    # go on in between ("AST constructor recursion depth mismatch"). Filters of warnings are those of all threads, too.
    with _compiler:
        try:
            return compile_()
        except SyntaxError:
            # Perhaps a warning, which is an error where the program says so; the compiler has warned of it at the
            # import.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return compile_()


def _functions_of(file, lines):
    known = _files.get(file)
    if known and known[0] == lines:
        return known[1]
    functions = {}
    try:
        tree = _quietly(lambda: ast.parse("".join(lines), file))
    except (SyntaxError, ValueError):
        tree = ast.Module([], [])
    # Calls of names that the module imports are other code, as is `super` where the module has that name.
    outer = list(walk_scope(tree.body))
    head = [ast.Import([ast.alias("_", (alias.asname or alias.name).split(".")[0])]) for node in outer
            if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names if alias.name != "*"]
    head += [ast.Expr(node) for node in outer if isinstance(node, ast.Name) and node.id == "super"]
    todo = [(tree, None)]
    while todo:
        node, class_name = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            decorators = getattr(node, "decorator_list", None)
            functions.setdefault((decorators[0] if decorators else node).lineno, []).append((node, (class_name, head)))
        elif isinstance(node, ast.ClassDef):
            class_name = node.name
        todo.extend((inner, class_name) for inner in ast.iter_child_nodes(node))
    for old in list(_files)[:len(_files) + 1 - _MAX_FILES]:
        _files.pop(old, None)
    _files[file] = lines, functions
    return functions


def _alone(node):
    """A copy of the function without what runs where it is made. Defaults are those of the function; here only their
    number counts."""
    node = copy.deepcopy(node)
    node.name, node.decorator_list, node.returns = NAME, [], None
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if argument:
            argument.annotation = None
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [default and ast.Constant(None) for default in arguments.kw_defaults]
    return node


def _as_def(node):
    if isinstance(node, ast.Lambda):
        result = ast.copy_location(ast.Return(node.body), node.body)
        node = ast.copy_location(ast.FunctionDef(NAME, node.args, [result], [], None), node)
    return node


# --- Comparing code ---

def _is_same(compiled, code):
    """Whether both do the same at the same lines.

    Where pytest has rewritten assertions: whether what else there is does.
    """
    compiled = compiled.replace(co_name=code.co_name)
    if any(name.startswith("@py") for name in (*code.co_varnames, *code.co_names)):
        return _facts(compiled) <= _facts(code)
    return _key(compiled) == _key(code)


def _key(code):
    # Not what depends on where it was compiled: the name of the file, and whether functions are around it.
    return (code.co_name, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
            code.co_flags & ~inspect.CO_NESTED, code.co_code, code.co_names, code.co_varnames, code.co_cellvars,
            code.co_freevars, tuple(map(_key_of_constant, code.co_consts)), tuple(code.co_lines()))


def _key_of_constant(value):
    if isinstance(value, types.CodeType):
        return _key(value)
    if isinstance(value, str):  # perhaps the qualified name of something in the function
        return str, value.rpartition(".<locals>.")[2]
    if isinstance(value, (tuple, frozenset)):
        return type(value), type(value)(map(_key_of_constant, value))
    return type(value), repr(value)  # 0.0 is not -0.0


def _facts(code):
    """What is in the code, in no order."""
    facts = {(code.co_firstlineno, code.co_name, fact) for fact in (
        *(("name", name) for name in (*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars)),
        *(("line", line) for _, _, line in code.co_lines()),
        *(("constant", _key_of_constant(value)) for value in code.co_consts if not isinstance(value, types.CodeType)))}
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            facts |= _facts(value)
    return facts
