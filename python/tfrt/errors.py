"""The exceptions of tfrt. Each is also the exception of Python that fits best, so that
`except ValueError` catches what is wrong with arguments."""

__all__ = [
    "Error", "CancelledError", "InvalidArgumentError", "DTypeError", "DeadlineExceededError", "NotFoundError",
    "AlreadyExistsError", "PermissionDeniedError", "ResourceExhaustedError", "FailedPreconditionError", "AbortedError",
    "OutOfRangeError", "UnimplementedError", "InternalError", "UnavailableError", "DataLossError",
]


class Error(Exception):
    """What the runtime says is wrong. The message begins with the place of the call that failed, if it is known."""

    code = "UNKNOWN"

    @property
    def _place(self):
        # "FILE:LINE: ..." or "FILE:LINE:COLUMN: ..."; the name of a file may have colons of its own.
        parts = str(self).split(":", 8)
        for i in range(1, len(parts) - 1):
            if parts[i].isdigit():
                after = parts[i + 2] if parts[i + 1].isdigit() and i + 2 < len(parts) else parts[i + 1]
                if after.startswith(" "):
                    return ":".join(parts[:i]), int(parts[i])
        return None, None

    @property
    def file(self):
        """The file of the call that failed, or None."""
        return self._place[0]

    @property
    def line(self):
        """The line of the call that failed, or None."""
        return self._place[1]


class CancelledError(Error):
    code = "CANCELLED"


class InvalidArgumentError(Error, ValueError):
    code = "INVALID_ARGUMENT"


class DTypeError(InvalidArgumentError, TypeError):
    """An op does not take elements of a dtype."""


class DeadlineExceededError(Error, TimeoutError):
    code = "DEADLINE_EXCEEDED"


class NotFoundError(Error, LookupError):
    code = "NOT_FOUND"


class AlreadyExistsError(Error):
    code = "ALREADY_EXISTS"


class PermissionDeniedError(Error, PermissionError):
    code = "PERMISSION_DENIED"


class ResourceExhaustedError(Error, MemoryError):
    code = "RESOURCE_EXHAUSTED"


class FailedPreconditionError(Error, RuntimeError):
    code = "FAILED_PRECONDITION"


class AbortedError(Error):
    code = "ABORTED"


class OutOfRangeError(Error, IndexError):
    code = "OUT_OF_RANGE"


class UnimplementedError(Error, NotImplementedError):
    code = "UNIMPLEMENTED"


class InternalError(Error, RuntimeError):
    code = "INTERNAL"


class UnavailableError(Error):
    code = "UNAVAILABLE"


class DataLossError(Error):
    code = "DATA_LOSS"


# By the canonical numbers of the codes.
_CLASSES = {
    1: CancelledError, 3: InvalidArgumentError, 4: DeadlineExceededError, 5: NotFoundError, 6: AlreadyExistsError,
    7: PermissionDeniedError, 8: ResourceExhaustedError, 9: FailedPreconditionError, 10: AbortedError,
    11: OutOfRangeError, 12: UnimplementedError, 13: InternalError, 14: UnavailableError, 15: DataLossError,
}


def _make(code, message):
    if code == 3 and ": unsupported dtype " in message:
        return DTypeError(message)
    return _CLASSES.get(code, Error)(message)
