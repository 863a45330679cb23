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


def add(x: TensorLike, y: TensorLike) -> Tensor:
    """`x + y`, broadcast; integers wrap."""


def argmax(input: TensorLike, dimension: TensorLike, *, output_type: DTypeLike = 'i64') -> Tensor:
    """Where the largest element along a dimension is: the first of several, the first NaN if there is one."""


def assert_(condition: TensorLike, data: Sequence[TensorLike], *, message: str = "", summarize: int = 3) -> None:
    """An error, with the message and the first `summarize` elements of each tensor of `data`, if `condition` is false."""


def avg_pool2d(value: TensorLike, ksize: Sequence[int], padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The mean of each window of images [N,H,W,C]; padding does not count."""


def batch_matmul(x: TensorLike, y: TensorLike, *, adj_x: bool = False, adj_y: bool = False) -> Tensor:
    """The products of the matrices in the last two dimensions of `x` and `y`, whose other dimensions are broadcast."""


def batch_norm(x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, *, data_format: str = "NHWC", epsilon: float = 0.0001, exponential_avg_factor: float = 1.0, is_training: bool = False) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset`, one of each per channel, [C] or [1,1,1,C]; the other results are mean, variance, mean, variance and an empty tensor. In training with the mean and the variance of the batch, which are reserve_1 and reserve_2; batch_mean and batch_variance are `(1 - f) * mean + f * m` and `(1 - f) * variance + f * v` with the factor f, the batch's mean m and its variance v, divided by its size less 1; with the factor 1 mean and variance may be empty.

Results: y, batch_mean, batch_variance, reserve_1, reserve_2, reserve_3."""


def batch_norm_grad(y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, reserve_space_3: TensorLike, *, data_format: str = "NHWC", epsilon: float = 0.0001, is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients of batch normalisation with respect to x, scale and offset, and two empty tensors. reserve_space_1 and reserve_space_2 are its reserve_1 and reserve_2, in training the mean and the variance of the batch; otherwise they are numbers that do not depend on x.

Results: x_backprop, scale_backprop, offset_backprop, reserve_space_4, reserve_space_5."""


def bias_add(value: TensorLike, bias: TensorLike, *, data_format: str = "NHWC") -> Tensor:
    """`value + bias`, of the size of the last dimension."""


def bias_add_grad(out_backprop: TensorLike, *, data_format: str = "NHWC") -> Tensor:
    """The gradient of a bias: the sum over all dimensions but the last."""


def cast(x: TensorLike, DstT: DTypeLike) -> Tensor:
    """The elements as `DstT`: floats that do not fit an integer become the nearest that does, NaN 0; integers wrap."""


def check_numerics(tensor: TensorLike, message: str) -> Tensor:
    """`tensor`, or an error that begins with the message if an element is infinite or NaN."""


def check_numerics_v2(tensor: TensorLike, message: str) -> Tensor:
    """As `tf.CheckNumerics`; the error tells infinities of both signs apart."""


def concat(values: Sequence[TensorLike], axis: TensorLike) -> Tensor:
    """Tensors that agree in all dimensions but one, one after the other along it; the last argument is the axis, which may be negative."""


def constant(value: TensorLike) -> Tensor:
    """The tensor `value`."""


def conv2d(input: TensorLike, filter: TensorLike, padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The convolution of images [N,H,W,C] with a filter [H,W,C,O]."""


def conv2d_bias(input: TensorLike, filter: TensorLike, bias: TensorLike, padding: str, *, activation: str = "none", data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """`activation(convolution + bias)`; the activation is none, relu, gelu, gelu_tanh, tanh or sigmoid."""


def conv2d_bias_add(input: TensorLike, filter: TensorLike, bias: TensorLike, summand: TensorLike, padding: str, *, activation: str = "none", data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """`activation(convolution + bias + summand)`, as residual networks have it; in the memory of the summand if nobody else needs it."""


def conv2d_filter_grad(input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of a convolution with respect to its filter, of the shape `filter_sizes`."""


def conv2d_input_grad(input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of a convolution with respect to its images, of the shape `input_sizes`."""


def div(x: TensorLike, y: TensorLike) -> Tensor:
    """`x / y`, broadcast; integers are divided towards 0, by 0 is an error."""


def ensure_shape(input: TensorLike, shape: Sequence[int | None] | None) -> Tensor:
    """`input`, or an error if it has another shape; dimensions of -1 may be any."""


def equal(x: TensorLike, y: TensorLike) -> Tensor:
    """`x == y`, broadcast, as i1."""


def exp(x: TensorLike) -> Tensor:
    """e to the power of each element."""


def expand_dims(input: TensorLike, axis: TensorLike) -> Tensor:
    """The argument with one more dimension, of size 1, in front of `axis`."""


def fill(dims: TensorLike, value: TensorLike) -> Tensor:
    """A scalar tensor of the shape `dims` whose elements are all `value`."""


def fused_matmul(a: TensorLike, b: TensorLike, args: Sequence[TensorLike], fused_ops: Sequence[str], *, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """The product of two matrices and what `fused_ops` lists: BiasAdd, of a vector in `args`, and then perhaps Relu, Relu6 or Elu."""


def gather(params: TensorLike, indices: TensorLike, axis: TensorLike, *, batch_dims: int = 0) -> Tensor:
    """The slices of `params` along `axis` that `indices` name; the first `batch_dims` dimensions of both, counted from the end of the indices' if negative, go together."""


def gather_nd(params: TensorLike, indices: TensorLike) -> Tensor:
    """The slices of `params` that the rows of the last dimension of `indices` name: places along the first dimensions of `params`."""


def gelu(x: TensorLike, *, approximate: bool = False) -> Tensor:
    """The Gaussian error linear unit of each element: with the error function, or approximated with tanh."""


def gelu_grad(gradients: TensorLike, features: TensorLike, *, approximate: bool = False) -> Tensor:
    """The gradient of gelu of `features`: `gradients` times its derivative there."""


def global_average_pool(input: TensorLike) -> Tensor:
    """The mean of each channel of images [N,H,W,C]: [N,C]."""


def greater(x: TensorLike, y: TensorLike) -> Tensor:
    """`x > y`, broadcast, as i1."""


def greater_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """`x >= y`, broadcast, as i1."""


def identity(input: TensorLike) -> Tensor:
    """The argument."""


def layer_norm(x: TensorLike, scale: TensorLike, offset: TensorLike, *, epsilon: float = 1e-05) -> Tensor:
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the variance over the last dimension."""


def layer_norm_grad(gradients: TensorLike, x: TensorLike, scale: TensorLike, *, epsilon: float = 1e-05) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of layer normalisation of `x` with respect to x, scale and offset.

Results: x_grad, scale_grad, offset_grad."""


def less(x: TensorLike, y: TensorLike) -> Tensor:
    """`x < y`, broadcast, as i1."""


def less_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """`x <= y`, broadcast, as i1."""


def list_write(list: TensorLike, index: TensorLike, value: TensorLike) -> Tensor:
    """The list with the value as the row at the index; behind its end it grows, and rows between are 0."""


def log(x: TensorLike) -> Tensor:
    """The natural logarithm of each element."""


def log1p(x: TensorLike) -> Tensor:
    """`log(1 + x)` of each element."""


def log_softmax(logits: TensorLike) -> Tensor:
    """The logarithm of the softmax."""


def log_softmax_grad(gradients: TensorLike, logsoftmax: TensorLike) -> Tensor:
    """The gradient of the log softmax, whose result is `logsoftmax`: `gradients - exp(logsoftmax) * sum(gradients)` over the last dimension."""


def matmul(a: TensorLike, b: TensorLike, *, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """The product of two matrices."""


def matmul_bias(a: TensorLike, b: TensorLike, bias: TensorLike, *, activation: str = "none", transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """`activation(a * b + bias)`; the activation is none, relu, gelu, gelu_tanh, tanh or sigmoid."""


def max_pool2d(input: TensorLike, ksize: Sequence[int], padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The largest element of each window of images [N,H,W,C]."""


def max_pool2d_grad(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of max pooling: each output's goes to the first element of its window that is as large as the output."""


def maximum(x: TensorLike, y: TensorLike) -> Tensor:
    """The larger of `x` and `y`, broadcast; NaN if one of them is."""


def minimum(x: TensorLike, y: TensorLike) -> Tensor:
    """The smaller of `x` and `y`, broadcast; NaN if one of them is."""


def mul(x: TensorLike, y: TensorLike) -> Tensor:
    """`x * y`, broadcast; integers wrap."""


def not_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """`x != y`, broadcast, as i1."""


def one_hot(indices: TensorLike, depth: TensorLike, on_value: TensorLike, off_value: TensorLike, *, axis: int = -1) -> Tensor:
    """`on_value` where the position along a new dimension of size `depth` is the index, `off_value` elsewhere; `axis` says where the new dimension is, -1 at the end."""


def pad(input: TensorLike, paddings: Sequence[int]) -> Tensor:
    """`tf.Pad` with the paddings as an attribute, row by row."""


def pad_with(input: TensorLike, paddings: TensorLike, constant_values: TensorLike) -> Tensor:
    """One constant around the argument: row i of `paddings` says how many come before and after along dimension i."""


def print(input: TensorLike, data: Sequence[TensorLike], *, message: str = "", summarize: int = 3) -> Tensor:
    """`input`; writes a line to the standard error stream: the message, and the first `summarize` elements of each tensor of `data`, all if -1."""


def reduce_max(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The largest element over the dimensions that the indices name."""


def reduce_mean(input: TensorLike, reduction_indices: Sequence[int], *, keep_dims: bool = False) -> Tensor:
    """`tf.Mean` with the indices as an attribute, of any rank."""


def reduce_min(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The smallest element over the dimensions that the indices name."""


def reduce_sum(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The sum over the dimensions that the indices name; integers wrap."""


def relu(x: TensorLike) -> Tensor:
    """`max(x, 0)` of each element; NaN stays NaN."""


def relu_grad(gradients: TensorLike, features: TensorLike) -> Tensor:
    """The gradient of relu: `gradients` where `features` are positive, 0 elsewhere."""


def reshape(tensor: TensorLike, shape: TensorLike) -> Tensor:
    """The same elements in another shape; one dimension of -1 is what is left."""


def rsqrt(x: TensorLike) -> Tensor:
    """`1 / sqrt(x)` of each element."""


def sgd_update(variable: TensorLike, gradient: TensorLike, learning_rate: TensorLike) -> Tensor:
    """`variable - learning_rate * gradient`; in the memory of the variable if nobody else needs it."""


def shape_of(input: TensorLike, *, out_type: DTypeLike = 'i32') -> Tensor:
    """The dimensions of the argument, as i32 or i64."""


def sigmoid(x: TensorLike) -> Tensor:
    """`1 / (1 + exp(-x))` of each element."""


def slice(input: TensorLike, begin: TensorLike, size: TensorLike) -> Tensor:
    """The `size[i]` elements from `begin[i]` on along each dimension i; a size of -1 is all that follow."""


def softmax(logits: TensorLike) -> Tensor:
    """`exp(x) / sum(exp(x))` over the last dimension."""


def softmax_cross_entropy(features: TensorLike, labels: TensorLike) -> tuple[Tensor, Tensor]:
    """The loss of each example, the cross entropy of its label and the softmax of its features, and the gradient of the loss.

Results: loss, backprop."""


def softmax_grad(gradients: TensorLike, softmax: TensorLike) -> Tensor:
    """The gradient of the softmax, whose result is `softmax`: `(gradients - sum(gradients * softmax)) * softmax` over the last dimension."""


def sqrt(x: TensorLike) -> Tensor:
    """The square root of each element."""


def squeeze(input: TensorLike, *, squeeze_dims: Sequence[int] = ()) -> Tensor:
    """The argument without the dimensions that `squeeze_dims` lists, or without all of size 1."""


def stop_gradient(input: TensorLike) -> Tensor:
    """The argument, as a constant: no gradient goes through it."""


def strided_slice(input: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, *, begin_mask: int = 0, ellipsis_mask: int = 0, end_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Tensor:
    """What Python's `input[begin[0]:end[0]:strides[0], ...]` is. Bit i of a mask is about entry i: an open begin, an open end, `...`, a new dimension of size 1, the one element at `begin[i]` without its dimension."""


def sub(x: TensorLike, y: TensorLike) -> Tensor:
    """`x - y`, broadcast; integers wrap."""


def tanh(x: TensorLike) -> Tensor:
    """The hyperbolic tangent of each element."""


def tile(input: TensorLike, multiples: TensorLike) -> Tensor:
    """The argument repeated `multiples[i]` times along dimension i."""


def transpose(x: TensorLike, perm: Sequence[int]) -> Tensor:
    """`tf.Transpose` with the permutation as an attribute."""


def zeros_like(x: TensorLike, T: DTypeLike) -> Tensor:
    """A scalar tensor of zeros of dtype `T` in the shape of the argument."""
