"""Objects beside lists, tuples and dicts that may hold tensors: how they are taken apart, and built of others."""

import collections
import dataclasses
import types

_CONTAINERS = {}  # class -> (take_apart, build)
_NO_RESULTS = (set, frozenset, slice)  # containers of arguments alone: their elements stay what they are
_COLLECTIONS = (dict, list, set, frozenset, collections.deque, collections.UserDict, collections.UserList,
                collections.ChainMap, types.MappingProxyType)


def register_container(kind, take_apart, build):
    """Makes objects of a class containers, as dicts are: among arguments and results of traced functions, and in their
    branches and loops.

    `take_apart(value)` returns (parts, rest): a sequence of what may be or hold tensors, and a hashable object that is
    fixed when a trace is made, such as a tuple of names. `build(parts, rest)` makes such an object of other parts. Both
    must have no other effect; subclasses are not included.
    """
    if not isinstance(kind, type):
        raise TypeError(f"a class can be registered as a container, not {kind!r}")
    _CONTAINERS[kind] = (take_apart, build)


def _of_mapping(value):
    return tuple(value.values()), tuple(value)


def _in_order(value):
    # Equal sets may have other orders.
    return tuple(sorted(value, key=lambda item: (type(item).__qualname__, repr(item)))), None


register_container(collections.OrderedDict, _of_mapping, lambda parts, keys: collections.OrderedDict(zip(keys, parts)))
register_container(collections.defaultdict, lambda value: (tuple(value.values()), (value.default_factory, *value)),
                   lambda parts, rest: collections.defaultdict(rest[0], zip(rest[1:], parts)))
register_container(collections.deque, lambda value: (tuple(value), value.maxlen),
                   lambda parts, maxlen: collections.deque(parts, maxlen))
register_container(types.MappingProxyType, _of_mapping,
                   lambda parts, keys: types.MappingProxyType(dict(zip(keys, parts))))
register_container(types.SimpleNamespace, lambda value: _of_mapping(vars(value)),
                   lambda parts, names: types.SimpleNamespace(**dict(zip(names, parts))))
register_container(set, _in_order, lambda parts, _: set(parts))
register_container(frozenset, _in_order, lambda parts, _: frozenset(parts))
register_container(slice, lambda value: ((value.start, value.stop, value.step), None), lambda parts, _: slice(*parts))


def _is_dataclass(kind):
    return hasattr(kind, "__dataclass_fields__") and not issubclass(kind, _COLLECTIONS)


def _of_dataclass(value):
    fields = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)
              if hasattr(value, field.name)]
    texts = tuple(field for field in fields if isinstance(field[1], str))  # which results may have here
    names = tuple(name for name, part in fields if not isinstance(part, str))

    def make(parts):
        # Not by its constructor, which may compute, and need not take all fields.
        made = object.__new__(type(value))
        if hasattr(value, "__dict__"):
            made.__dict__.update(vars(value))
        for name, part in [*texts, *zip(names, parts)]:
            object.__setattr__(made, name, part)
        return made

    return tuple(part for _, part in fields if not isinstance(part, str)), (names, texts), make


def _is_array(kind):
    return hasattr(kind, "__dlpack__") or hasattr(kind, "_tfrt_is_array")


def _holds_arrays(value, seen):
    kind = type(value)
    if kind in (int, float, bool, str, type(None)) or id(value) in seen:
        return False
    if _is_array(kind):
        return True
    seen.add(id(value))
    if isinstance(value, (dict, types.MappingProxyType, collections.UserDict, collections.ChainMap)):
        items = value.values()
    elif isinstance(value, (tuple, *_COLLECTIONS)):
        items = value
    elif kind in _CONTAINERS:
        items = _CONTAINERS[kind][0](value)[0]
    elif _is_dataclass(kind):
        items = _of_dataclass(value)[0]
    else:
        return False
    return any(_holds_arrays(item, seen) for item in list(items))


def take_apart(value):
    """(parts, rest, what makes such an object of other parts); None for what is no container."""
    kind = type(value)
    if kind in _CONTAINERS:
        take, build = _CONTAINERS[kind]
        parts, rest = take(value)
        return tuple(parts), rest, lambda parts: build(parts, rest)
    if _is_dataclass(kind):
        return _of_dataclass(value)
    return None


def take_argument_apart(value):
    """The same of an argument: dataclasses only if they hold arrays, or are values since they are frozen."""
    kind = type(value)
    if kind not in _CONTAINERS:
        if _is_dataclass(kind):
            return _of_dataclass(value) if kind.__dataclass_params__.frozen or _holds_arrays(value, set()) else None
        if isinstance(value, _COLLECTIONS) and _holds_arrays(value, set()):
            raise TypeError(f"a {kind.__module__}.{kind.__qualname__} among the arguments of a traced function holds "
                            "tensors, which would be fixed in its trace; pass a dict or a list, or register the class "
                            "with tfrt.register_container")
        return None
    return take_apart(value)


def take_result_apart(value):
    return None if isinstance(value, _NO_RESULTS) else take_apart(value)


def build_sequence(like, items):
    """A list or tuple of the class of `like`, without its constructor, whose parameters may be others."""
    kind = type(like)
    if kind in (list, tuple):
        return kind(items)
    if hasattr(kind, "_make"):
        return kind._make(items)
    try:
        made = tuple.__new__(kind, items) if isinstance(like, tuple) else kind.__new__(kind)
    except TypeError:  # a structure of the interpreter's own
        return kind(items)
    if isinstance(like, list):
        list.extend(made, items)
    if hasattr(like, "__dict__"):
        made.__dict__.update(vars(like))
    return made
