"""Control flow of Python on tensors: functions are rewritten so that `if`, `while`, `for`, `and`, ... ask what they
decide by, and become control flow of the traced program where that is a tensor without elements.

`rewrite(function)` gives such a function; `protocol` is what it calls. Neither knows the runtime.
"""

from .protocol import Protocol, RewriteError, protocol, use_protocol
from .functions import converted, rewrite, why_not

__all__ = ["Protocol", "RewriteError", "converted", "protocol", "rewrite", "use_protocol", "why_not"]
