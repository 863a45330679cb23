"""Losses of predictions and targets. All work eagerly and in traced functions, and have gradients.

    loss = tfrt.losses.softmax_cross_entropy(logits, labels)            # the mean over all examples

`reduction` is "mean", "sum", or "none" for the losses one by one. Predictions are floats; the loss has their dtype.
"""

from __future__ import annotations

from ._operands import float_tensor as _float_tensor, known_shape as _known_shape, like as _like
from ._tfrt import Tensor, tensor
from ._tfrt import _ops
from .control_flow import as_tensor

__all__ = ["binary_cross_entropy", "huber", "kl_divergence", "l1", "mean_squared_error", "sigmoid_cross_entropy",
           "softmax_cross_entropy"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    TensorLike = Any


def _reduced(losses, reduction):
    if reduction == "none":
        return losses
    if reduction not in ("mean", "sum"):
        raise ValueError(f"reduction is 'mean', 'sum' or 'none', not {reduction!r}")
    return _ops["reduce_" + reduction](losses, list(range(losses.ndim)))


def _number(value, x):
    return tensor(value, dtype=x.dtype)


def _pair(predictions, targets, name="predictions"):
    """Both as tensors of one dtype, whose shapes agree: broadcasting would give a loss for each pair."""
    predictions = _float_tensor(predictions, name)
    targets = _like(targets, predictions)
    shapes = [_known_shape(x) for x in (predictions, targets)]
    if None not in shapes and shapes[0] != shapes[1] and targets.ndim > 0:
        raise ValueError(f"{name} have the shape {tuple(shapes[0])}, but targets {tuple(shapes[1])}")
    return predictions, targets


def mean_squared_error(predictions: TensorLike, targets: TensorLike, *, reduction: str = "mean") -> Tensor:
    """The squares of the differences of predictions and targets, two tensors of one shape."""
    predictions, targets = _pair(predictions, targets)
    error = _ops["sub"](predictions, targets)
    return _reduced(_ops["mul"](error, error), reduction)


def l1(predictions: TensorLike, targets: TensorLike, *, reduction: str = "mean") -> Tensor:
    """The absolute differences of predictions and targets, two tensors of one shape."""
    predictions, targets = _pair(predictions, targets)
    return _reduced(_ops["abs"](_ops["sub"](predictions, targets)), reduction)


def huber(predictions: TensorLike, targets: TensorLike, delta: float = 1.0, *, reduction: str = "mean") -> Tensor:
    """`d^2 / 2` for differences d of at most delta, `delta (|d| - delta / 2)` for larger ones."""
    if not delta > 0:
        raise ValueError(f"delta is {delta}, not a number above 0")
    predictions, targets = _pair(predictions, targets)
    error = _ops["sub"](predictions, targets)
    inner = _ops["clip"](error, _number(-delta, error), _number(delta, error))
    return _reduced(_ops["mul"](inner, _ops["sub"](error, _ops["mul"](inner, _number(0.5, error)))), reduction)


def binary_cross_entropy(probabilities: TensorLike, targets: TensorLike, *, reduction: str = "mean") -> Tensor:
    """`-t log(p) - (1 - t) log(1 - p)` for probabilities p and targets t of 0 to 1; logarithms are at least -100."""
    p, t = _pair(probabilities, targets, "probabilities")
    least, one = _number(-100.0, p), _number(1.0, p)
    right = _ops["maximum"](_ops["log"](p), least)
    wrong = _ops["maximum"](_ops["log1p"](_ops["neg"](p)), least)
    losses = _ops["add"](_ops["mul"](t, right), _ops["mul"](_ops["sub"](one, t), wrong))
    return _reduced(_ops["neg"](losses), reduction)


def sigmoid_cross_entropy(logits: TensorLike, targets: TensorLike, *, reduction: str = "mean") -> Tensor:
    """The binary cross entropy of the probabilities sigmoid(logits), exact for large logits, too."""
    x, t = _pair(logits, targets, "logits")
    return _reduced(_ops["sub"](_ops["softplus"](x), _ops["mul"](x, t)), reduction)


def softmax_cross_entropy(logits: TensorLike, labels: TensorLike, *, label_smoothing: float = 0.0,
                          reduction: str = "mean") -> Tensor:
    """The cross entropy of labels and the softmax over the last dimension of the logits, [..., classes].

    Labels are integers [...], the numbers of classes, or floats [..., classes], their probabilities. With
    `label_smoothing` s they are 1 - s of these and s / classes for each class.
    """
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"label_smoothing is {label_smoothing}, not between 0 and 1")
    logits = _float_tensor(logits, "logits")
    if logits.ndim < 1:
        raise ValueError("logits have no dimension of classes")
    labels = as_tensor(labels)
    last = logits.ndim - 1
    logarithms = _ops["log_softmax"](logits)
    if labels.dtype.name in ("i32", "i64"):
        _check_labels(logits, labels)
        chosen = _ops["gather_elements"](logarithms, _ops["expand_dims"](_not_from_the_end(labels), -1), axis=-1)
        losses = _ops["neg"](_ops["squeeze"](chosen, squeeze_dims=[last]))
    elif labels.dtype.name.startswith(("f", "bf")):
        logits, labels = _pair(logits, labels, "logits")
        losses = _ops["neg"](_ops["reduce_sum"](_ops["mul"](labels, logarithms), [last]))
    else:
        raise TypeError(f"labels are integers of i32 or i64, or probabilities of floats, not {labels.dtype}")
    if label_smoothing:
        even = _ops["neg"](_ops["reduce_mean"](logarithms, [last]))
        losses = _ops["add"](_ops["mul"](losses, _number(1.0 - label_smoothing, losses)),
                             _ops["mul"](even, _number(label_smoothing, losses)))
    return _reduced(losses, reduction)


def _not_from_the_end(labels):
    """Labels of which those below 0 are out of range: as indices they would count from the end."""
    far = _ops["sub"](labels, tensor(1 << 30, dtype=labels.dtype))
    return _ops["select"](_ops["less"](labels, tensor(0, dtype=labels.dtype)), far, labels)


def _check_labels(logits, labels):
    sizes, given = _known_shape(logits), _known_shape(labels)
    if labels.ndim != logits.ndim - 1 or None not in (sizes, given) and sizes[:-1] != given:
        shapes = [tuple(shape) if shape is not None else f"of {x.ndim} dimensions"
                  for shape, x in ((sizes, logits), (given, labels))]
        raise ValueError(f"logits {shapes[0]} have labels of one dimension less, not {shapes[1]}")


def kl_divergence(log_predictions: TensorLike, targets: TensorLike, *, reduction: str = "mean") -> Tensor:
    """The divergence `sum(t (log(t) - log_predictions))` over the last dimension, of probabilities t, of Kullback and
    Leibler; a probability of 0 adds 0. The mean is that over distributions."""
    log_predictions, t = _pair(log_predictions, targets, "log_predictions")
    if log_predictions.ndim < 1:
        raise ValueError("log_predictions have no dimension of classes")
    zero, one = _number(0.0, t), _number(1.0, t)
    is_there = _ops["greater"](t, zero)
    of_targets = _ops["log"](_ops["select"](is_there, t, one))
    parts = _ops["select"](is_there, _ops["mul"](t, _ops["sub"](of_targets, log_predictions)), zero)
    return _reduced(_ops["reduce_sum"](parts, [log_predictions.ndim - 1]), reduction)
