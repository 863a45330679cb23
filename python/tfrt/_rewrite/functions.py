"""Rewriting whole functions: their source, closures, and what they call."""

import builtins
import functools
import inspect
import os
import re
import sysconfig
import types
import weakref

from . import runtime, source
from .jumps import PREFIX
from .protocol import RewriteError, protocol
from .transform import RUNTIME, Transformer

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
_LEFT = tuple({sysconfig.get_paths()[name] + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_LEFT_FOLDERS = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))  # Debian's are others
_GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class _ByCode:
    """Something of code objects, by what they are: equal ones may be of two files. Entries go with their code."""

    def __init__(self):
        self._entries = {}

    def get(self, code):
        entry = self._entries.get(id(code))
        return entry[1] if entry and entry[0]() is code else None

    def put(self, code, value):
        key = id(code)

        def drop(gone):
            if (entry := self._entries.get(key)) and entry[0] is gone:
                del self._entries[key]

        self._entries[key] = weakref.ref(code, drop), value


_rewritten = _ByCode()  # the code that a function's becomes; or a text, why it stays as it is
_made = _ByCode()       # code that was made here


class _Rewritten:
    """A function's rewritten one, in the `__dict__` of the function, so that it goes with it.

    `functools.wraps` copies it to other functions, and pickle to other processes: it means nothing there.
    """

    def __init__(self, function=None, new=None):
        self.function, self.code, self.new = function and weakref.ref(function), function and function.__code__, new

    def is_of(self, function):
        return self.code is function.__code__ and self.function() is function

    def __reduce__(self):
        return _Rewritten, ()


def rewrite(function):
    """The function with its control flow rewritten; the function itself if there is nothing to rewrite in it, or no
    source that is that of its code: then a condition that is a tensor raises (see `why_not`).

    Also of methods, of functools.partial and of objects with `__call__`. RewriteError, with the line, for what cannot
    be.
    """
    if not callable(function) or isinstance(function, (type, staticmethod, classmethod)):
        raise TypeError(f"a function of Python can be traced, not {type(function).__name__}")
    if isinstance(function, types.FunctionType) and function.__code__.co_flags & _GENERATORS:
        raise RewriteError((function.__code__.co_filename, function.__code__.co_firstlineno),
                           f"'{function.__name__}' is a coroutine or a generator, which cannot be traced")
    return _convert(function, _rewrite_function)


def converted(function):
    """What rewritten code calls in place of a function: that function rewritten, if it is one of the program's own."""
    if function is builtins.range:
        return runtime.range_
    return _convert(function, lambda each: (
        _rewrite_function(each) if is_file_of_program(each.__code__.co_filename) else each))


def _convert(function, rewrite_function):
    kind = type(function)
    if kind is types.FunctionType:
        return rewrite_function(function)
    if kind is types.MethodType:
        new = _convert(function.__func__, rewrite_function)
        return function if new is function.__func__ else types.MethodType(new, function.__self__)
    if kind is functools.partial:
        new = _convert(function.func, rewrite_function)
        return function if new is function.func else functools.partial(new, *function.args, **function.keywords)
    if kind is functools._lru_cache_wrapper:
        return _without_cache(function, rewrite_function)
    call = getattr(kind, "__call__", None)  # noqa: B004  # what it is, not whether
    if type(call) is types.FunctionType:
        new = rewrite_function(call)
        return function if new is call else types.MethodType(new, function)
    return function


def _without_cache(function, rewrite_function):
    """A cached function, that is called as it is if no argument is traced: what it makes of one is of this trace
    alone."""
    def call(*args, **kwargs):
        if any(map(protocol().is_traced, (*args, *kwargs.values()))):
            return _convert(function.__wrapped__, rewrite_function)(*args, **kwargs)
        return function(*args, **kwargs)

    return call


def _rewrite_function(function):
    code = function.__code__
    if code.co_flags & _GENERATORS or _made.get(code):
        return function  # generators and coroutines go their own way
    known = function.__dict__.get("_tfrt_rewritten")
    if known and known.is_of(function):
        known.new.__defaults__, known.new.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        return known.new
    new_code = _rewritten.get(code)
    if new_code is None:
        new_code = _rewrite_code(function)
        _rewritten.put(code, new_code)
    if isinstance(new_code, str):
        return function
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells[RUNTIME] = types.CellType(runtime)
    new = types.FunctionType(new_code, function.__globals__, function.__name__, function.__defaults__,
                             tuple(cells[name] for name in new_code.co_freevars))
    new.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(new, function)
    del new.__wrapped__
    new.__dict__.pop("_tfrt_rewritten", None)
    function._tfrt_rewritten = _Rewritten(function, new)
    return new


def _rewrite_code(function):
    """The code of the rewritten function; or a text, why there is none."""
    found = source.find(function)
    if isinstance(found, str):
        return found
    node, around = found
    code = function.__code__
    node = Transformer(code.co_filename).rewrite_function(node)
    new = source.compile_inside(node, around, code, dict.fromkeys((*code.co_freevars, RUNTIME)))
    class_name = f"{around[0]}." if around[0] else ""
    qualified = getattr(code, "co_qualname", function.__qualname__)  # the code has one from Python 3.11 on
    new = _with_names(new, f"{class_name}{source.FACTORY}.<locals>.{source.NAME}",
                      qualified).replace(co_name=code.co_name)
    _note_made(new)
    return new


def _with_names(code, old, new):
    """The code, where the functions and classes in it are named as those in the function that it is made of."""
    def name(text):
        return re.sub(rf"\.{PREFIX}\w+\.<locals>", "", new + text[len(old):]) if text.startswith(old) else text

    constants = (_with_names(item, old, new) if isinstance(item, types.CodeType) else name(item)
                 if isinstance(item, str) else item
                 for item in code.co_consts)
    names = {"co_qualname": name(code.co_qualname)} if hasattr(code, "co_qualname") else {}
    return code.replace(co_consts=tuple(constants), **names)


def _note_made(code):
    """Of functions in it, too; methods of its classes are as they were, and are rewritten when they are called."""
    _made.put(code, True)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_flags & inspect.CO_NEWLOCALS:
            _note_made(constant)


def is_file_of_program(file):
    return not (file.startswith((_PACKAGE, "<frozen ", *_LEFT)) or any(folder in file for folder in _LEFT_FOLDERS))


# --- What is not rewritten ---

def why_not(frame):
    """(place, name, why) of the function that the frame is in, or that the package was called in from there; None if it
    was rewritten."""
    while frame and (frame.f_code.co_filename.startswith(_PACKAGE)
                     or frame.f_code.co_name in ("<genexpr>", "<listcomp>")):
        frame = frame.f_back
    if frame is None or _made.get(frame.f_code):
        return None
    code = frame.f_code
    why = _rewritten.get(code)
    if not isinstance(why, str):
        if code.co_flags & _GENERATORS:
            why = "it is a generator or a coroutine"
        elif not is_file_of_program(code.co_filename):
            why = "it belongs to an installed package"
        else:
            why = ("it is not called by rewritten code, but by Python itself (a constructor, property or operator) or "
                   "by a package")
    return (code.co_filename, frame.f_lineno), code.co_name, why
