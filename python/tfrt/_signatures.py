"""Signatures of ops, for `inspect` and `help`."""

import ast
import inspect


class _Default:
    """A default that is shown as it is written."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def default_text(kind, text):
    """What C++ spells as a default, as Python does."""
    if kind == "bool":
        return {"true": "True", "false": "False"}[text]
    if kind == "DTypeLike":
        return "'" + text.removeprefix("DType::k").lower() + "'"
    if kind.startswith("Sequence") and text.startswith("{"):
        items = [item.strip() for item in text[1:-1].split(",") if item.strip()]
        return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
    if kind == "float":
        return repr(float(text.rstrip("f")))
    return text


def signature_of(op):
    """The inspect.Signature of an op."""
    parameters = []
    for index, parameter in enumerate(op._parameters):
        positional = index < op._num_positional
        default = inspect.Parameter.empty
        if not parameter["required"]:
            text = default_text(parameter["type"], parameter["default"])
            try:
                default = ast.literal_eval(text)
            except (ValueError, SyntaxError):
                default = _Default(text)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if positional else inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(parameter["name"], kind, default=default))
    return inspect.Signature(parameters)
