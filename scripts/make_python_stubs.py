#!/usr/bin/env python3
"""Writes the type stubs of the Python package: python/tfrt/_tfrt.pyi and python/tfrt/ops.pyi.

usage: PYTHONPATH=build/ci/python build/python_packages/bin/python scripts/make_python_stubs.py [--check]

With --check nothing is written; fails if a file is stale.
"""

import inspect
import pathlib
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

# What methods in Python return; the others return tensors.
RETURNS = {"numpy": "Any", "__array__": "Any", "__await__": "Generator[Any, None, Tensor]", "__reduce_ex__": "tuple",
           "__iter__": "Iterator[Tensor]", "run_async": "dict[str, Tensor]"}


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
        text += f"{kind}    {word} {name}{inspect.Signature(parameters)} -> {RETURNS.get(name, cls.__name__)}:"
        text += f'\n        """{function.__doc__}"""\n\n' if function.__doc__ else " ...\n\n"
    return text


def module_stub():
    from nanobind.stubgen import StubGen
    import tfrt._tfrt as module
    methods = {cls.__name__: python_methods(cls) for cls in (module.Tensor, module.Model)}
    generator = StubGen(module, include_private=False)
    generator.put(module)
    text = generator.get()
    for name, lines in methods.items():
        head, tail = text.split(f"class {name}:\n", 1)
        end = tail.find("\n\n\n")  # of the class
        end = len(tail) if end < 0 else end
        text = f"{head}class {name}:\n{tail[:end]}\n\n{lines.rstrip()}{tail[end:]}"
    imports = "from collections.abc import Generator, Iterator\nfrom typing import Any\n\nfrom tfrt._model import Value\n"
    head, tail = text.split("\n\n", 1)
    return f"{head}\n# Made by scripts/make_python_stubs.py. Do not edit.\n\n{imports}{tail}"


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
