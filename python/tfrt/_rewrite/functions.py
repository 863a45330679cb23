"""Rewriting whole functions: their source, closures, and what they call."""

import ast
import builtins
import functools
import inspect
import sysconfig
import textwrap
import types
import weakref

from . import runtime
from .protocol import RewriteError
from .transform import RUNTIME, Transformer

# Code objects of rewritten functions, and of functions that are left as they are.
_code_cache = {}
_rewritten = weakref.WeakSet()
_LEFT = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_PACKAGE = __file__.rsplit("/", 2)[0]


def rewrite(function):
    """The function with its control flow rewritten; the function itself if there is nothing to rewrite in it.

    RewriteError, with the line, for what cannot be; OSError is one for a function without source.
    """
    if isinstance(function, types.MethodType):
        return types.MethodType(rewrite(function.__func__), function.__self__)
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"a function of Python can be traced, not {type(function).__name__}")
    if function in _rewritten:
        return function
    code = _code_cache.get(function.__code__)
    if code is None:
        code = _rewrite_code(function)
        _code_cache[function.__code__] = code
    new = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__,
                             _closure_of(function, code))
    new.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(new, function)
    del new.__wrapped__
    _rewritten.add(new)
    return new


def _closure_of(function, code):
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells[RUNTIME] = types.CellType(runtime)
    return tuple(cells[name] for name in code.co_freevars)


def _source_of(function):
    file = function.__code__.co_filename
    first = function.__code__.co_firstlineno
    try:
        # Of the code: by the function it would be the source of what a decorator's function wraps.
        lines, first = inspect.getsourcelines(function.__code__)
    except (OSError, TypeError):
        raise RewriteError((file, first), f"function '{function.__name__}' has no source to rewrite; "
                                          "use tfrt.cond and tfrt.while_loop, or a function of a file") from None
    return textwrap.dedent("".join(lines)), file, first


def _rewrite_code(function):
    source, file, first = _source_of(function)
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = None
    node = _find(tree, function) if tree else None
    if node is None:
        if function.__code__.co_name == "<lambda>":
            return function.__code__  # it stands anywhere in a line: left as it is
        raise RewriteError((file, first), f"the source of function '{function.__name__}' cannot be read by itself")
    if isinstance(node, ast.AsyncFunctionDef) or inspect.isgeneratorfunction(function):
        raise RewriteError((file, first), f"'{function.__name__}' is a coroutine or a generator, which cannot be traced")
    ast.increment_lineno(tree, first - 1)
    node.decorator_list = []
    node.returns = None
    for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg):
        if argument:
            argument.annotation = None
    # Defaults are those of the function; here only their number counts.
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    node.args.kw_defaults = [default and ast.Constant(None) for default in node.args.kw_defaults]
    _use_private_names(node, function)
    return _compile(Transformer(file).rewrite_function(node), function, file)


def _find(tree, function):
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == function.__code__.co_name:
            return node
    return None


def _use_private_names(node, function):
    """Names like __x of the class that the function is written in, as that has them: it is compiled outside of it."""
    qualified = getattr(function.__code__, "co_qualname", function.__qualname__)
    classes = [parts[-2] for parts in (part.split(".") for part in qualified.split(".<locals>.")) if len(parts) > 1]
    prefix = classes[-1].lstrip("_") if classes else ""
    if not prefix:
        return
    for inner in ast.walk(node):
        for field in ("id", "attr", "arg"):
            name = getattr(inner, field, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(inner, field, f"_{prefix}{name}")


def _compile(node, function, file):
    """The code of the rewritten function, compiled inside of one that has its free variables."""
    free = [*function.__code__.co_freevars, RUNTIME]
    parameters = ast.arguments([], [ast.arg(name) for name in dict.fromkeys(free)], None, [], [], None, [])
    # Under its own name the function would see itself in place of what it finds by that name: a local of the factory.
    node.name = "ag__function"
    factory = ast.FunctionDef("ag__factory", parameters, [node, ast.Return(ast.Name(node.name, ast.Load()))], [], None)
    ast.copy_location(factory, node)
    module = ast.fix_missing_locations(ast.Module([factory], []))
    compiled = compile(module, file, "exec")
    factory_code = next(constant for constant in compiled.co_consts if isinstance(constant, types.CodeType))
    code = next(constant for constant in factory_code.co_consts
                if isinstance(constant, types.CodeType) and constant.co_name == node.name)
    names = {"co_name": function.__code__.co_name}
    if hasattr(code, "co_qualname"):  # from Python 3.11 on
        names["co_qualname"] = function.__code__.co_qualname
    return code.replace(**names)


def _is_user_code(function):
    file = function.__code__.co_filename
    return not (file.startswith(_LEFT) or file.startswith(_PACKAGE) or file.startswith("<"))


def converted(function):
    """What rewritten code calls in place of a function: that function rewritten, if it is one of the program's own."""
    if function is builtins.range:
        return runtime.range_
    if isinstance(function, types.MethodType) and isinstance(function.__func__, types.FunctionType):
        if _is_user_code(function.__func__):
            return types.MethodType(_try(function.__func__), function.__self__)
        return function
    if isinstance(function, types.FunctionType):
        return _try(function) if _is_user_code(function) else function
    return function


def _try(function):
    # Generators and coroutines go their own way; so do functions without source, where conditions on tensors raise.
    code = function.__code__
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return function
    if code.co_name == "<lambda>":
        return function
    try:
        inspect.getsourcefile(code) and inspect.getsourcelines(code)
    except (OSError, TypeError):
        return function
    return rewrite(function)
