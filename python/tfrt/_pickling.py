"""Pickles and copies of Variables: each is a variable of its own with the same value."""

from ._tfrt import Variable


def _rebuild(kind, value):
    made = kind.__new__(kind)
    Variable.__init__(made, value)
    return made


def _reduce_ex(self, protocol):
    return _rebuild, (type(self), self.read()), getattr(self, "__dict__", None) or None


Variable.__reduce_ex__ = _reduce_ex
