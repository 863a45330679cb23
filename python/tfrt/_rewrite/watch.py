"""Sees whether objects that are there before a branch are changed in it.

Branches that depend on tensors are both called while a function is traced: what they change would change for both.
"""

import collections
import functools
import gc
import itertools
import operator
import sys
import types
import weakref

from . import structure
from .protocol import protocol

_SEQUENCES = (list, tuple, collections.deque, set, frozenset, bytearray)
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type, types.ModuleType, types.FunctionType)

# Objects that are looked at, the nearest first, and elements of one of them. A longer one is seen by its length alone.
_MAX_OBJECTS = 1000
_MAX_ELEMENTS = 10000
_MAX_PARTS = 20000  # of all objects together, since each branch looks at them twice

_is_programs = weakref.WeakKeyDictionary()  # of classes


class Watch:
    """The objects that variables hold, their attributes and elements, and theirs in turn, as they are now."""

    def __init__(self, variables):
        """`variables` are (name, function that gives the value, whether it is the function's own)."""
        self.seen = {}  # id: (object, its parts, how it is written), which keeps the object
        todo = collections.deque()
        for name, read, _ in variables:
            try:
                todo.append((read(), (name,)))
            except NameError:
                continue  # it is made later
        num_parts = 0
        while todo and len(self.seen) < _MAX_OBJECTS and num_parts < _MAX_PARTS:
            value, path = todo.popleft()
            if _is(value, _PLAIN) or id(value) in self.seen:
                continue
            if structure.is_undefined(value) or protocol().is_traced(value):
                continue
            parts = _parts(value)
            if parts is not None:
                self.seen[id(value)] = value, parts, path
                num_parts += len(parts)
                todo.extend((part, (path, key)) for key, part in parts if type(part) not in _PLAIN)

    def changed(self):
        """What has been changed since, as a program would write it; None if nothing has."""
        for value, before, path in self.seen.values():
            now = _parts(value)
            for (key, old), (new_key, new) in zip(before, now):
                if key is not new_key and key != new_key or old is not new and not structure.same(old, new):
                    return _text((path, key) if type(key) is str else path)
            if len(before) != len(now):
                # New attributes are behind the others.
                key = (now if len(now) > len(before) else before)[min(len(before), len(now))][0]
                return _text((path, key) if type(key) is str else path)
        return None


class _Key:
    """That of an element; an attribute's is its name."""

    __slots__ = ("key",)

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return type(other) is _Key and structure.same(self.key, other.key)


_indices = []  # keys, made once: most elements are compared by them


def _is(value, kinds):
    """Not isinstance, which believes a proxy's `__class__`, and may run the program's code."""
    return issubclass(type(value), kinds)


def _text(path):
    if len(path) == 1:
        return path[0]
    outer, key = path
    return f"{_text(outer)}.{key}" if type(key) is str else f"{_text(outer)}[{key.key!r}]"


def _parts(value):
    """What the object holds that could be exchanged, (key, part); None of what holds nothing, or cannot be seen."""
    elements, attributes = _elements(value), _attributes(value)
    return None if elements is None and attributes is None else [*(elements or ()), *(attributes or ())]


def _elements(value):
    if _is(value, dict):
        if dict.__len__(value) > _MAX_ELEMENTS:
            return [(_Key("len"), dict.__len__(value))]
        # By dict's own functions, whatever a class has made of them; an OrderedDict has another order.
        kind = collections.OrderedDict if _is(value, collections.OrderedDict) else dict
        return [(_Key(key), dict.__getitem__(value, key)) for key in kind.__iter__(value)]
    for kind in _SEQUENCES:
        if _is(value, kind):
            if kind.__len__(value) > _MAX_ELEMENTS:
                return [(_Key("len"), kind.__len__(value))]
            while len(_indices) < kind.__len__(value):
                _indices.append(_Key(len(_indices)))
            return list(zip(_indices, kind.__iter__(value)))
    return _of_iterator(value)


def _of_iterator(value):
    kind = type(value)
    if kind.__module__ not in ("builtins", "itertools") or kind is types.GeneratorType or not hasattr(kind, "__next__"):
        return None
    if hasattr(kind, "__length_hint__"):
        return [(_Key("len"), operator.length_hint(value))]  # an iterator of a list, say
    if kind is itertools.count:
        return [(_Key("next"), repr(value))]
    # The iterators that a zip, a map or an enumerate takes its items from.
    return [(_Key(i), part) for i, part in enumerate(gc.get_referents(value))]


def _attributes(value):
    if _is(value, (types.MethodType, types.BuiltinMethodType)):
        return [("__self__", value.__self__)]
    if _is(value, functools.partial):
        return [("func", value.func), ("args", value.args), ("keywords", value.keywords)]
    kind = type(value)
    if not _is_of_program(kind):
        return None
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:  # slots alone
        attributes = {}
    found = [(name, part) for name, part in list(attributes.items())
             if not isinstance(getattr(kind, name, None), functools.cached_property)]
    for base in kind.__mro__:
        for name, slot in base.__dict__.items():
            if isinstance(slot, types.MemberDescriptorType):
                try:
                    found.append((name, slot.__get__(value)))
                except AttributeError:
                    continue  # not set
    return found


def _is_of_program(kind):
    """Whether the class is the program's own: libraries keep what they like in theirs.

    Those of data are the program's.
    """
    known = _is_programs.get(kind)
    if known is None:
        known = _is_programs[kind] = _find_whether_of_program(kind)
    return known


def _find_whether_of_program(kind):
    from .functions import is_file_of_program
    if kind.__module__ in ("types", "collections"):
        return True
    if kind.__module__ in sys.builtin_module_names:
        return False
    return is_file_of_program(getattr(sys.modules.get(kind.__module__), "__file__", None) or "")
