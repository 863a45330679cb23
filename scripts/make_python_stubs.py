#!/usr/bin/env python3
"""Writes the type stubs of the Python package: python/tfrt/_tfrt.pyi and python/tfrt/ops.pyi.

usage: PYTHONPATH=build/ci/python build/python_packages/bin/python scripts/make_python_stubs.py [--check]

With --check nothing is written; fails if a file is stale.
"""

import inspect
import pathlib
import re
import sys
import types

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent

OPS_HEAD = '''\
# The ops of the op table. Made by scripts/make_python_stubs.py. Do not edit.
from collections.abc import Sequence
from typing import Any, Union

from tfrt import DType, Tensor, Variable

TensorLike = Union[Tensor, Variable, float, int, bool, complex, Sequence[Any], Any]
DTypeLike = Union[DType, str, type, Any]


class Op:
    """An op of the op table, to be called."""

    @property
    def op_name(self) -> str: ...

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
'''

# The types that methods in Python return; the others return tensors.
RETURNS = {"numpy": "Any", "__array__": "Any", "__await__": "Generator[Any, None, Tensor]", "__reduce_ex__": "tuple",
           "__array_function__": "Any", "__array_namespace__": "Any", "__array_ufunc__": "Any", "__format__": "str",
           "__contains__": "bool", "__iter__": "Iterator[Tensor]", "__repr__": "str", "__setitem__": "None",
           "__str__": "str",
           "itemsize": "int", "nbytes": "int",
           "nonzero": "tuple[Tensor, ...]", "run_async": "dict[str, Tensor]", "tobytes": "bytes"}

# These are objects in C++; __enter__ returns what it is called on.
OBJECTS = {"__call__": "Any", "__dlpack__": "Any", "__enter__": "Self", "__getitem__": "Tensor", "__index__": "int",
           "assign": "Tensor", "assign_add": "Tensor", "assign_sub": "Tensor", "device": "str", "dtype": "DType",
           "ndim": "int", "numpy": "Any", "read": "Tensor", "sgd_update": "Tensor", "shape": "tuple[int, ...]",
           "tolist": "Any",
           "value": "Tensor"}

IMPORTS = '''\
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from typing_extensions import Self

from tfrt._model import Value
from tfrt.ops import Op as _Op
'''


def ops_stub():
    import tfrt
    from tfrt._signatures import default_text
    text = OPS_HEAD
    for name, op in sorted(tfrt._tfrt._ops.items()):
        parts = []
        for index, parameter in enumerate(op._parameters):
            if index == op._num_positional:
                parts.append("*")
            part = f"{parameter['name']}: {parameter['type']}"
            if not parameter["required"]:
                part += f" = {default_text(parameter['type'], parameter['default'])}"
            parts.append(part)
        count = op._num_results
        result = "None" if count == 0 else "Tensor" if count == 1 else f"tuple[{', '.join(['Tensor'] * count)}]"
        doc = op.__doc__.replace("\\", "\\\\")
        text += f'\n\ndef {name}({", ".join(parts)}) -> {result}:\n    """{doc}"""\n'
    return text


def python_methods(cls):
    """The methods that files of Python add to a class of the module, taken off; as lines of a stub."""
    text = ""
    makes = "Tensor" if cls.__name__ == "Variable" else cls.__name__
    for name, method in list(vars(cls).items()):
        function = method.fget if isinstance(method, property) else method
        if not isinstance(function, types.FunctionType):
            continue
        delattr(cls, name)
        parameters = [parameter.replace(annotation=parameter.empty)
                      for parameter in inspect.signature(function).parameters.values()]
        kind = "    @property\n" if isinstance(method, property) else ""
        if isinstance(method, property):
            parameters = parameters[:1]
        word = "async def" if inspect.iscoroutinefunction(function) else "def"
        text += f"{kind}    {word} {name}{inspect.Signature(parameters)} -> {RETURNS.get(name, makes)}:"
        text += f'\n        """{function.__doc__}"""\n\n' if function.__doc__ else " ...\n\n"
    return text


def with_types(text):
    """The text with types for what nanobind has none: operators, and what is an object in C++."""
    def of_slot(match):
        name, value = match.groups()
        is_in_place = name.startswith("__i") and name not in ("__index__", "__int__", "__invert__")
        result = ("int" if name == "__hash__" else "Self" if is_in_place
                  else "tuple[Tensor, Tensor]" if name.endswith("divmod__") else "Tensor")
        ignored = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
        return f"def {name}(self{', value: Any' if value else ''}, /) -> {result}:{ignored}"

    text = text.replace("(self, value, mod=None, /):", "(self, value, /):")  # of powers, which take no modulus
    text = re.sub(r"def (__\w+__)\(self(, value)?, /\):", of_slot, text)
    return re.sub(r"def (\w+)(\(.*\)) -> object:", lambda match: f"def {match[1]}{match[2]} -> {OBJECTS[match[1]]}:",
                  text)


def module_stub():
    from nanobind.stubgen import StubGen
    import tfrt._tfrt as module
    methods = {cls.__name__: python_methods(cls) for cls in (module.Tensor, module.Variable, module.Model)}
    generator = StubGen(module, include_private=False)
    generator.put(module)
    base = StubGen(module, include_private=True)
    base.put(module._Function, "_Function", module)  # which tfrt.Function adds to
    base = base.get()
    text = with_types(f"{generator.get()}\n{base[base.index('class _Function'):]}")
    for name, lines in methods.items():
        # Behind what nanobind says of the class, which ends before the next line without indentation.
        body = re.search(rf"^class {name}:\n(?:(?:    .*)?\n)*", text, re.MULTILINE).group()
        text = text.replace(body, f"{body.rstrip()}\n\n{lines.rstrip()}\n\n")
    head, tail = text.split("\n\nclass DType", 1)
    head = head.split("\n", 1)[0]  # without the imports that nanobind knows of
    return f"{head}\n# Made by scripts/make_python_stubs.py. Do not edit.\n\n{IMPORTS}\n\nclass DType{tail}"


def main():
    try:
        import nanobind.stubgen  # noqa: F401
    except ImportError:
        print("nanobind is not installed")
        sys.exit(77)
    outputs = {"python/tfrt/ops.pyi": ops_stub(), "python/tfrt/_tfrt.pyi": module_stub()}
    stale = [path for path, text in outputs.items()
             if not (SOURCE_DIR / path).exists() or (SOURCE_DIR / path).read_text() != text]
    if "--check" in sys.argv[1:]:
        if stale:
            sys.exit(f"stale: {', '.join(stale)}; run scripts/make_python_stubs.py")
        return
    for path in stale:
        (SOURCE_DIR / path).write_text(outputs[path])


if __name__ == "__main__":
    main()
