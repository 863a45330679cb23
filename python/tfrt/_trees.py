"""Trees of variables and tensors by name: dicts, lists, tuples, dataclasses, and objects with `state_dict`."""

from ._rewrite import containers
from ._tfrt import Tensor, Variable, tensor


def named_leaves(tree, prefix=""):
    """Pairs of the names of leaves and the leaves: keys, numbers and fields with points between."""
    if hasattr(tree, "state_dict"):
        items = tree.state_dict().items()
    elif isinstance(tree, (Tensor, Variable)):
        return [(prefix, tree)]
    elif isinstance(tree, dict):
        items = tree.items()
    elif hasattr(tree, "_fields"):
        items = zip(tree._fields, tree)
    elif isinstance(tree, (list, tuple)):
        items = enumerate(tree)
    elif hasattr(type(tree), "__dataclass_fields__"):
        items = [(name, getattr(tree, name)) for name in type(tree).__dataclass_fields__]
    elif apart := containers.take_apart(tree):
        items = enumerate(apart[0])
    else:
        return [(prefix, tree)]
    return [leaf for key, part in items for leaf in named_leaves(part, f"{prefix}.{key}" if prefix else str(key))]


def by_name(leaves, what):
    """The leaves by their names, each of which there is once."""
    named = {}
    for name, leaf in leaves:
        if name in named:
            raise ValueError(f"two of the {what} have the name {name!r}")
        named[name] = leaf
    return named


def variables_by_name(tree, what="variables"):
    """The Variables of a tree, or of a module, by name."""
    if hasattr(tree, "named_variables"):
        tree = tree.named_variables()
    named = by_name(named_leaves(tree), what)
    for name, leaf in named.items():
        if not isinstance(leaf, Variable):
            raise TypeError(f"{what} are tfrt.Variables, also in dicts, lists and tuples, but {name!r} is "
                            f"{type(leaf).__name__}")
    return named


def assign_all(named, values, what):
    """Assigns tensors or arrays to the variables of the same names; all names, shapes and dtypes are checked before."""
    missing, unknown = sorted(named.keys() - values.keys()), sorted(values.keys() - named.keys())
    if missing or unknown:
        raise ValueError(f"{what} lacks {missing or 'nothing'}, and has {unknown or 'nothing'} that is not there")
    values = {name: value if isinstance(value, (Tensor, Variable)) else tensor(value) for name, value in values.items()}
    for name, variable in named.items():
        value = values[name]
        if tuple(value.shape) != tuple(variable.shape):
            raise ValueError(f"{name!r} has the shape {tuple(variable.shape)}, but {what} gives {tuple(value.shape)}")
        if value.dtype != variable.dtype:
            raise TypeError(f"{name!r} is of {variable.dtype}, but {what} gives {value.dtype}")
    for name, variable in named.items():
        variable.assign(values[name])
