"""The exceptions of tfrt. Each is also the exception of Python that fits best, so that
`except ValueError` catches what is wrong with arguments."""

import re

__all__ = [
    "Error", "CancelledError", "InvalidArgumentError", "DeadlineExceededError", "NotFoundError", "AlreadyExistsError",
    "PermissionDeniedError", "ResourceExhaustedError", "FailedPreconditionError", "AbortedError", "OutOfRangeError",
    "UnimplementedError", "InternalError", "UnavailableError", "DataLossError",
]

_PLACE = re.compile(r"\A(?P<file>.*?):(?P<line>\d+)(?::\d+)?: ", re.DOTALL)


class Error(Exception):
    """What the runtime says is wrong. The message begins with the place of the call that failed, if it is known."""

    code = "UNKNOWN"

    @property
    def file(self):
        """The file of the call that failed, or None."""
        place = _PLACE.match(str(self))
        return place["file"] if place else None

    @property
    def line(self):
        """The line of the call that failed, or None."""
        place = _PLACE.match(str(self))
        return int(place["line"]) if place else None


class CancelledError(Error):
    code = "CANCELLED"


class InvalidArgumentError(Error, ValueError):
    code = "INVALID_ARGUMENT"


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
    return _CLASSES.get(code, Error)(message)
