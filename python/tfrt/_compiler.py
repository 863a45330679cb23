"""The compiler library: found and opened when it is first needed."""

import importlib.util
import os

from . import _tfrt
from .errors import NotFoundError

_LIBRARY = "libtfrt_compiler.so"


def _candidates():
    """Paths of the library, the first that opens is taken."""
    named = os.environ.get("TFRT_COMPILER_LIBRARY")
    if named:
        return [named]
    paths = [os.path.join(os.path.dirname(__file__), _LIBRARY)]
    package = importlib.util.find_spec("tfrt_compiler")
    for folder in (package.submodule_search_locations or []) if package else []:
        paths.insert(0, os.path.join(folder, _LIBRARY))
    return [path for path in paths if os.path.exists(path)] + [_LIBRARY]


def open_compiler():
    """Opens the library, or raises FailedPreconditionError with the places where it was looked for."""
    if not _tfrt._compiler_is_open():
        _tfrt._open_compiler(_candidates())


def compile_onnx(path, follow_cache_links=False):
    """The BEF bytes of an ONNX file."""
    if not os.path.exists(path):
        raise NotFoundError(f"there is no file {path}")
    open_compiler()
    return _tfrt._compile(os.fsencode(path), _tfrt._INPUT_ONNX_PATH, _tfrt._OUTPUT_BEF,
                          _tfrt._COMPILE_FOLLOW_CACHE_LINKS if follow_cache_links else 0)


def compile_mlir(text):
    """The BEF bytes of a program in MLIR."""
    open_compiler()
    return _tfrt._compile(text.encode(), _tfrt._INPUT_MLIR, _tfrt._OUTPUT_BEF, 0)
