"""tfrt: ops called one by one, models, and traced functions, on one small runtime.

    import tfrt

    x = tfrt.tensor([[1.0, 2.0], [3.0, 4.0]])
    y = tfrt.relu(x @ x - 8.0)
    print(y.tolist())                                   # [[0.0, 2.0], [7.0, 14.0]]
    results = tfrt.load("model.onnx").run({"x": x})     # or "model.bef"

Importing loads neither NumPy nor the compiler; what needs them does.
"""

import builtins as _builtins
import os as _os

from . import _tfrt, errors, ops
from ._model import Value, compile_model, load
from ._tfrt import (
    ConcreteFunction, Context, DType, Model, Scope, Tensor, TensorSpec, Variable, current_context, default_context,
    from_dlpack, profile,
    set_default_context, tensor)
from ._tfrt import (
    bf16, f16, f32, f64, i1, i8, i16, i32, i64, qi8, qi16, qi32, qu8, qu16, u8, u16, u32, u64)
from .custom import custom_op
from .errors import *
from .ops import *
from . import _pickling, _tensor, arrays
from .arrays import *  # whose names win over those of ops
from ._tensor import cast, conv2d, from_numpy
from . import _methods  # noqa: F401  # of tensors

_tfrt._set_package_folder(_os.path.dirname(__file__) + _os.sep)

__version__: str = _tfrt.__version__
__all__ = [
    "ConcreteFunction", "Context", "DType", "Model", "Scope", "Tensor", "TensorSpec", "Value", "Variable", "bf16",
    "cast", "compile_model", "conv2d", "current_context", "custom_op", "default_context", "errors", "f16", "f32", "f64",
    "from_dlpack", "from_numpy", "i1", "i16", "i32", "i64", "i8", "load", "ops", "profile", "set_default_context",
    "tensor", "u16",
    "u32", "u64", "u8", *errors.__all__,
    # `from tfrt import *` leaves the functions of Python as they are.
    *(name for name in arrays.__all__ if not hasattr(_builtins, name) and not name.startswith("_")),
]


TYPE_CHECKING = False
if TYPE_CHECKING:
    # Through the package, mypy finds none of these names.
    from .arrays.creation import *
    from .arrays.dtypes import *
    from .arrays.elementwise import *
    from .arrays.manipulation import *
    from .arrays.numpy_names import *
    from .arrays.products import *
    from .arrays.searching import *
    from .arrays.sets import *
    from .arrays.sorting import *
    from .arrays.statistics import *
    from . import checkpoints, fft, linalg, losses, nn, optim, random, serving
    from .checkpoints import load_checkpoint, save
    from .control_flow import TensorArray, cond, for_each, for_range, host_call, register_container, scan, while_loop
    from .gradients import grad, value_and_grad
    from .serving import serve
    from .tracing import Function, RewriteError, function, stance
else:  # for type checkers any name would be one of the module
    # Loaded when they are first used: tracing reads sources with `ast` and `inspect`.
    _NAMES_OF = {
        "tracing": ("Function", "RewriteError", "function", "stance"),
        "control_flow": ("TensorArray", "cond", "for_each", "for_range", "host_call", "register_container", "scan",
                         "while_loop"),
        "gradients": ("grad", "value_and_grad"),
        "checkpoints": ("load_checkpoint", "save"),
        "serving": ("serve",),
    }
    _MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}
    _MODULES = ("checkpoints", "fft", "linalg", "losses", "nn", "optim", "random", "serving")

    def __getattr__(name):
        import importlib
        if name in _MODULES:
            return importlib.import_module("." + name, __name__)
        if name in _MODULE_OF:
            return getattr(importlib.import_module("." + _MODULE_OF[name], __name__), name)
        import difflib
        near = difflib.get_close_matches(name, [*globals(), *_MODULE_OF, *_MODULES],
                                         1) if name.strip("_") == name else []
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise AttributeError(f"module 'tfrt' has no attribute {name!r}{hint}")
