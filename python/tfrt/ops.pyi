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


def abs(x: TensorLike) -> Tensor:
    """The absolute value of each element; the least integer stays what it is."""


def acos(x: TensorLike) -> Tensor:
    """The inverse cosine of each element."""


def acosh(x: TensorLike) -> Tensor:
    """The inverse hyperbolic cosine of each element."""


def add(x: TensorLike, y: TensorLike) -> Tensor:
    """`x + y`, broadcast; integers wrap."""


def add_blocks(blocks: TensorLike, image_sizes: TensorLike, block_sizes: TensorLike, *, dilations: Sequence[int] = (), pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """Blocks [n,c*block,count] put back where they were taken from images, and added: the ONNX op Col2Im."""


def argmax(input: TensorLike, dimension: TensorLike, *, output_type: DTypeLike = 'i64') -> Tensor:
    """Where the largest element along a dimension is: the first of several, the first NaN if there is one."""


def argmin(input: TensorLike, dimension: TensorLike, *, dtype: DTypeLike = 'i64') -> Tensor:
    """Where the smallest element along a dimension is: the first of several, the first NaN if there is one."""


def argsort(input: TensorLike, *, axis: int = -1, descending: bool = False, dtype: DTypeLike = 'i64') -> Tensor:
    """Where the elements that `sort` gives are along the axis."""


def asin(x: TensorLike) -> Tensor:
    """The inverse sine of each element."""


def asinh(x: TensorLike) -> Tensor:
    """The inverse hyperbolic sine of each element."""


def assert_(condition: TensorLike, data: Sequence[TensorLike], *, message: str = "", summarize: int = 3) -> None:
    """An error, with the message and the first `summarize` elements of each tensor of `data`, if `condition` is false."""


def atan(x: TensorLike) -> Tensor:
    """The inverse tangent of each element."""


def atan2(x: TensorLike, y: TensorLike) -> Tensor:
    """The angle of the point whose coordinates are `y` and `x`, `x` being the second, broadcast."""


def atanh(x: TensorLike) -> Tensor:
    """The inverse hyperbolic tangent of each element."""


def attention(q: TensorLike, k: TensorLike, v: TensorLike, mask: TensorLike | None = None, *, causal: bool = False, causal_at_end: bool = False, layout: str = "bhsd", masked_rows_are_zero: bool = False, scale: float = 1.0) -> Tensor:
    """`softmax(scale * q * k + mask) * v` for each head, q being [B,H,S,D] or, with the layout bshd, [B,S,H,D], and so on; heads of k and v may be fewer, each for some of q. A mask of i1 says which scores count; `causal` lets row i see the keys 0 to i or, with `causal_at_end`, those but the S - 1 - i last. Rows that see no key become 0 with `masked_rows_are_zero`, NaN without."""


def average_pool(input: TensorLike, kernel: Sequence[int], *, ceil: bool = False, channels_last: bool = False, count_padding: bool = False, dilations: Sequence[int] = (), padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """The mean of each window, of the elements that are there or, with `count_padding`, of all taps."""


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


def bit_cast(input: TensorLike, dtype: DTypeLike) -> Tensor:
    """The bytes of the elements as those of another dtype of the same size."""


def bitwise_and(x: TensorLike, y: TensorLike) -> Tensor:
    """`x & y` of integers, broadcast."""


def bitwise_not(x: TensorLike) -> Tensor:
    """Each bit of each integer the other way."""


def bitwise_or(x: TensorLike, y: TensorLike) -> Tensor:
    """`x | y` of integers, broadcast."""


def bitwise_xor(x: TensorLike, y: TensorLike) -> Tensor:
    """`x ^ y` of integers, broadcast."""


def broadcast_to(input: TensorLike, shape: TensorLike) -> Tensor:
    """The input with a shape to which it is broadcast, or that is broadcast to it."""


def cast(x: TensorLike, DstT: DTypeLike) -> Tensor:
    """The elements as `DstT`: floats that do not fit an integer become the nearest that does, NaN 0; integers wrap."""


def ceil(x: TensorLike) -> Tensor:
    """The smallest whole number that is not below each element."""


def center_crop_pad(input: TensorLike, sizes: TensorLike, *, axes: Sequence[int] = ()) -> Tensor:
    """The middle of the input, or the input in the middle of zeros, with other sizes of the dimensions that `axes` lists, or of all."""


def check_numerics(tensor: TensorLike, message: str) -> Tensor:
    """`tensor`, or an error that begins with the message if an element is infinite or NaN."""


def check_numerics_v2(tensor: TensorLike, message: str) -> Tensor:
    """As `tf.CheckNumerics`; the error tells infinities of both signs apart."""


def cholesky(x: TensorLike, *, upper: bool = False) -> Tensor:
    """The triangular factor L with `x = L L^T` of positive definite matrices, or L^T if `upper`; the lower triangle of `x` is read."""


def clip(x: TensorLike, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
    """`min(max(x, min), max)`; a bound that is left out bounds nothing, NaN stays NaN."""


def compress(input: TensorLike, condition: TensorLike, *, axes: Sequence[int] = ()) -> Tensor:
    """The elements whose condition is true, or the slices along the one axis of `axes`."""


def concat(values: Sequence[TensorLike], axis: TensorLike) -> Tensor:
    """Tensors that agree in all dimensions but one, one after the other along it; the last argument is the axis, which may be negative."""


def constant(value: TensorLike) -> Tensor:
    """The tensor `value`."""


def conv(input: TensorLike, filter: TensorLike, bias: TensorLike | None = None, *, channels_last: bool = False, dilations: Sequence[int] = (), groups: int = 1, padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """The convolution of images with filters, in groups of channels; pads are those before each spatial dimension, then those behind each."""


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


def conv_integer(input: TensorLike, filter: TensorLike, input_zero: TensorLike | None = None, filter_zero: TensorLike | None = None, *, channels_last: bool = False, dilations: Sequence[int] = (), groups: int = 1, padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """`conv` of `input - input_zero` with `filter - filter_zero`, of i8 or u8, in i32; the filter's zero point is one, or one for each output channel."""


def conv_transpose(input: TensorLike, filter: TensorLike, bias: TensorLike | None = None, *, channels_last: bool = False, dilations: Sequence[int] = (), groups: int = 1, output_padding: Sequence[int] = (), padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """The gradient of `conv` with respect to its images, of `input`; filters are those of that convolution."""


def copysign(x: TensorLike, y: TensorLike) -> Tensor:
    """`x` with the sign of `y`, broadcast."""


def cos(x: TensorLike) -> Tensor:
    """The cosine of each element."""


def cosh(x: TensorLike) -> Tensor:
    """The hyperbolic cosine of each element."""


def cumulative_product(input: TensorLike, axis: TensorLike, *, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """The product of the elements up to each along the axis, with it or without."""


def cumulative_sum(input: TensorLike, axis: TensorLike, *, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """The sum of the elements up to each along the axis, with it or without."""


def depth_to_space(input: TensorLike, block: int, *, channels_last: bool = False, columns_first: bool = False) -> Tensor:
    """Channels as blocks of places: `block` x `block` of each become one channel's."""


def dequantize(x: TensorLike, scale: TensorLike, zero_point: TensorLike | None = None, *, axis: int = 1, block: int = 0) -> Tensor:
    """`(x - zero_point) * scale`, in the dtype of the scale; scales as those of `quantize`."""


def determinant(x: TensorLike) -> Tensor:
    """The determinants of matrices."""


def dft(x: TensorLike, *, axis: int = -1, inverse: bool = False) -> Tensor:
    """The sums of `x[j] exp(-2 pi i j k / n)` along an axis of n complex elements, or of `x[j] exp(2 pi i j k / n)` if `inverse`; neither is divided by n."""


def div(x: TensorLike, y: TensorLike) -> Tensor:
    """`x / y`, broadcast; integers are divided towards 0, by 0 is an error."""


def dynamic_quantize(x: TensorLike) -> tuple[Tensor, Tensor, Tensor]:
    """`x` quantised to u8 with a scale and a zero point that fit its smallest and its largest element, and 0.

Results: y, scale, zero_point."""


def eigh(x: TensorLike, *, lower: bool = True) -> tuple[Tensor, Tensor]:
    """The eigenvalues of symmetric matrices, the smallest first, and their vectors as columns; one triangle of `x` is read, the lower one if `lower`.

Results: eigenvalues, eigenvectors."""


def eigvalsh(x: TensorLike, *, lower: bool = True) -> Tensor:
    """The eigenvalues of symmetric matrices, the smallest first; one triangle of `x` is read, the lower one if `lower`."""


def elu(x: TensorLike, *, alpha: float = 1.0) -> Tensor:
    """`x` where it is positive, `alpha * (exp(x) - 1)` elsewhere."""


def ensure_shape(input: TensorLike, shape: Sequence[int | None] | None) -> Tensor:
    """`input`, or an error if it has another shape; dimensions of -1 may be any."""


def equal(x: TensorLike, y: TensorLike) -> Tensor:
    """`x == y`, broadcast, as i1."""


def erf(x: TensorLike) -> Tensor:
    """The error function of each element."""


def exp(x: TensorLike) -> Tensor:
    """e to the power of each element."""


def exp2(x: TensorLike) -> Tensor:
    """2 to the power of each element."""


def expand_dims(input: TensorLike, axis: TensorLike) -> Tensor:
    """The argument with one more dimension, of size 1, in front of `axis`."""


def expm1(x: TensorLike) -> Tensor:
    """`exp(x) - 1` of each element."""


def extend(input: TensorLike, paddings: TensorLike, *, mode: str = "reflect") -> Tensor:
    """What is in the argument around it: mirrored at its edge (`reflect`), the edge (`edge`), or the other end (`wrap`); `paddings` as for `pad`."""


def eye_like(input: TensorLike, dtype: DTypeLike, *, diagonal: int = 0) -> Tensor:
    """A matrix of the input's shape with ones on a diagonal and zeros elsewhere."""


def fill(dims: TensorLike, value: TensorLike) -> Tensor:
    """A scalar tensor of the shape `dims` whose elements are all `value`."""


def floor(x: TensorLike) -> Tensor:
    """The largest whole number that is not above each element."""


def floor_divide(x: TensorLike, y: TensorLike) -> Tensor:
    """The largest whole number that is not above `x / y`, broadcast; of floats NaN where `x` is infinite."""


def fused_batch_matmul(a: TensorLike, b: TensorLike, bias: TensorLike | None = None, addend: TensorLike | None = None, *, activation: str = "none", alpha: float = 0.0, beta: float = 0.0, scale: float = 1.0, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """`activation(scale * batch_matmul + bias + addend)`, the bias being a vector for each row, and the addend broadcast to the result, in whose memory that may come if it is as large. The second factor may be packed, if it is one matrix. Activations as those of `fused_conv`."""


def fused_conv(input: TensorLike, filter: TensorLike, bias: TensorLike | None = None, addend: TensorLike | None = None, *, activation: str = "none", alpha: float = 0.0, beta: float = 0.0, channels_last: bool = False, dilations: Sequence[int] = (), groups: int = 1, padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """`activation(conv + bias + addend)`, the addend being like the result, in whose memory that may come. The filter may be packed. Activations, some with the numbers alpha and beta: none, relu, leaky_relu(alpha), clip(alpha to beta), gelu, gelu_tanh, sigmoid, tanh, hard_sigmoid(alpha, beta), hard_swish, swish(alpha), elu(alpha), softplus, mish."""


def fused_matmul(a: TensorLike, b: TensorLike, args: Sequence[TensorLike], fused_ops: Sequence[str], *, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """The product of two matrices and what `fused_ops` lists: BiasAdd, of a vector in `args`, and then perhaps Relu, Relu6 or Elu."""


def gather(params: TensorLike, indices: TensorLike, axis: TensorLike, *, batch_dims: int = 0) -> Tensor:
    """The slices of `params` along `axis` that `indices` name; the first `batch_dims` dimensions of both, counted from the end of the indices' if negative, go together."""


def gather_elements(input: TensorLike, indices: TensorLike, axis: int) -> Tensor:
    """For each index the element that is there along the axis, at the index's own place in the other dimensions."""


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


def grid_sample(input: TensorLike, grid: TensorLike, *, align_corners: bool = False, mode: str = "linear", padding: str = "zeros") -> Tensor:
    """The input [n,c,sizes...] at the places of the grid [n,points...,rank], each between -1 and 1, with the conventions of the ONNX op GridSample."""


def group_norm(x: TensorLike, scale: TensorLike, offset: TensorLike, groups: int, *, channels_last: bool = False, epsilon: float = 1e-05) -> Tensor:
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the variance of each group of channels of each image."""


def gru(x: TensorLike, w: TensorLike, r: TensorLike, bias: TensorLike | None = None, lengths: TensorLike | None = None, initial_h: TensorLike | None = None, *, activation_alpha: Sequence[float] = (), activation_beta: Sequence[float] = (), activations: Sequence[str] = (), batch_first: bool = False, clip: float = 0.0, direction: str = "forward", linear_before_reset: bool = False) -> tuple[Tensor, Tensor]:
    """A layer of gated recurrent units as ONNX defines it, gates in the order z, r, h; clip 0 does not clip.

Results: y, last_h."""


def hard_sigmoid(x: TensorLike, *, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    """`alpha * x + beta`, at least 0 and at most 1."""


def hard_swish(x: TensorLike) -> Tensor:
    """`x` times what hard_sigmoid gives with 1/6 and 1/2."""


def hardmax(logits: TensorLike) -> Tensor:
    """1 where the largest element of the last dimension is, the first of several, and 0 elsewhere."""


def hypot(x: TensorLike, y: TensorLike) -> Tensor:
    """`sqrt(x * x + y * y)`, broadcast, without squares that overflow."""


def identity(input: TensorLike) -> Tensor:
    """The argument."""


def imag(x: TensorLike) -> Tensor:
    """The imaginary parts of complex numbers."""


def instance_norm(x: TensorLike, scale: TensorLike, offset: TensorLike, *, channels_last: bool = False, epsilon: float = 1e-05) -> Tensor:
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the variance of each channel of each image."""


def inverse(x: TensorLike) -> Tensor:
    """The inverse matrices."""


def is_inf(x: TensorLike, *, negative: bool = True, positive: bool = True) -> Tensor:
    """Where `x` is infinite, with one of the signs asked for, as i1."""


def is_nan(x: TensorLike) -> Tensor:
    """Where `x` is NaN, as i1."""


def layer_norm(x: TensorLike, scale: TensorLike, offset: TensorLike, *, epsilon: float = 1e-05) -> Tensor:
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the variance over the last dimension."""


def layer_norm_grad(gradients: TensorLike, x: TensorLike, scale: TensorLike, *, epsilon: float = 1e-05) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of layer normalisation of `x` with respect to x, scale and offset.

Results: x_grad, scale_grad, offset_grad."""


def leaky_relu(x: TensorLike, *, alpha: float = 0.01) -> Tensor:
    """`x` where it is positive, `alpha * x` elsewhere."""


def less(x: TensorLike, y: TensorLike) -> Tensor:
    """`x < y`, broadcast, as i1."""


def less_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """`x <= y`, broadcast, as i1."""


def list_write(list: TensorLike, index: TensorLike, value: TensorLike) -> Tensor:
    """The list with the value as the row at the index; behind its end it grows, and rows between are 0."""


def log(x: TensorLike) -> Tensor:
    """The natural logarithm of each element."""


def log10(x: TensorLike) -> Tensor:
    """The logarithm to base 10 of each element."""


def log1p(x: TensorLike) -> Tensor:
    """`log(1 + x)` of each element."""


def log2(x: TensorLike) -> Tensor:
    """The logarithm to base 2 of each element."""


def log_softmax(logits: TensorLike) -> Tensor:
    """The logarithm of the softmax."""


def log_softmax_grad(gradients: TensorLike, logsoftmax: TensorLike) -> Tensor:
    """The gradient of the log softmax, whose result is `logsoftmax`: `gradients - exp(logsoftmax) * sum(gradients)` over the last dimension."""


def logaddexp(x: TensorLike, y: TensorLike) -> Tensor:
    """`log(exp(x) + exp(y))`, broadcast."""


def logical_and(x: TensorLike, y: TensorLike) -> Tensor:
    """True where both are, broadcast."""


def logical_not(x: TensorLike) -> Tensor:
    """True where `x` is not."""


def logical_or(x: TensorLike, y: TensorLike) -> Tensor:
    """True where one is, broadcast."""


def logical_xor(x: TensorLike, y: TensorLike) -> Tensor:
    """True where they differ, broadcast."""


def lp_pool(input: TensorLike, kernel: Sequence[int], *, ceil: bool = False, channels_last: bool = False, dilations: Sequence[int] = (), p: int = 2, padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """The p-norm of each window."""


def lrn(x: TensorLike, size: int, *, alpha: float = 0.0001, beta: float = 0.75, bias: float = 1.0, channels_last: bool = False) -> Tensor:
    """`x / (bias + alpha / size * sum(x^2))^beta` with the sum over `size` channels around each."""


def lstm(x: TensorLike, w: TensorLike, r: TensorLike, bias: TensorLike | None = None, lengths: TensorLike | None = None, initial_h: TensorLike | None = None, initial_c: TensorLike | None = None, peepholes: TensorLike | None = None, *, activation_alpha: Sequence[float] = (), activation_beta: Sequence[float] = (), activations: Sequence[str] = (), batch_first: bool = False, clip: float = 0.0, direction: str = "forward", input_forget: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """A layer of long short-term memory as ONNX defines it, gates in the order i, o, f, c; clip 0 does not clip.

Results: y, last_h, last_c."""


def make_complex(real: TensorLike, imag: TensorLike) -> Tensor:
    """The complex numbers with these parts."""


def matmul(a: TensorLike, b: TensorLike, *, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """The product of two matrices."""


def matmul_bias(a: TensorLike, b: TensorLike, bias: TensorLike, *, activation: str = "none", transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """`activation(a * b + bias)`; the activation is none, relu, gelu, gelu_tanh, tanh or sigmoid."""


def matmul_integer(a: TensorLike, b: TensorLike, a_zero: TensorLike | None = None, b_zero: TensorLike | None = None) -> Tensor:
    """`batch_matmul` of `a - a_zero` with `b - b_zero`, of i8 or u8, in i32; zero points are one, or one for each row of a or column of b."""


def max_pool(input: TensorLike, kernel: Sequence[int], *, ceil: bool = False, channels_last: bool = False, dilations: Sequence[int] = (), padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> Tensor:
    """The largest element of each window."""


def max_pool2d(input: TensorLike, ksize: Sequence[int], padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The largest element of each window of images [N,H,W,C]."""


def max_pool2d_grad(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: Sequence[int], padding: str, *, data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), explicit_paddings: Sequence[int] = (), strides: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of max pooling: each output's goes to the first element of its window that is as large as the output."""


def max_pool_with_places(input: TensorLike, kernel: Sequence[int], *, ceil: bool = False, channels_last: bool = False, dilations: Sequence[int] = (), padding: str = "explicit", pads: Sequence[int] = (), strides: Sequence[int] = ()) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where in the whole input, row-major, it is.

Results: output, places."""


def maximum(x: TensorLike, y: TensorLike) -> Tensor:
    """The larger of `x` and `y`, broadcast; NaN if one of them is."""


def minimum(x: TensorLike, y: TensorLike) -> Tensor:
    """The smaller of `x` and `y`, broadcast; NaN if one of them is."""


def mish(x: TensorLike) -> Tensor:
    """`x * tanh(softplus(x))` of each element."""


def mod(x: TensorLike, y: TensorLike, *, truncate: bool = False) -> Tensor:
    """The remainder of `x / y`, broadcast: with the sign of `y`, or, with `truncate`, with that of `x`."""


def mul(x: TensorLike, y: TensorLike) -> Tensor:
    """`x * y`, broadcast; integers wrap."""


def neg(x: TensorLike) -> Tensor:
    """`-x` of each element; integers wrap."""


def nextafter(x: TensorLike, y: TensorLike) -> Tensor:
    """The number of the dtype that follows `x` on the way to `y`, broadcast."""


def non_max_suppression(boxes: TensorLike, scores: TensorLike, max_boxes: TensorLike, iou_threshold: TensorLike, score_threshold: TensorLike, *, center_point: bool = False) -> Tensor:
    """The best boxes that do not overlap better ones: triples of batch, class, box."""


def nonzero(input: TensorLike) -> Tensor:
    """Where the elements are that are not 0, row-major: a column of indices for each."""


def not_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """`x != y`, broadcast, as i1."""


def one_hot(indices: TensorLike, depth: TensorLike, on_value: TensorLike, off_value: TensorLike, *, axis: int = -1) -> Tensor:
    """`on_value` where the position along a new dimension of size `depth` is the index, `off_value` elsewhere; `axis` says where the new dimension is, -1 at the end."""


def pad(input: TensorLike, paddings: TensorLike) -> Tensor:
    """Zeros around the argument: row i of `paddings` says how many come before and after along dimension i."""


def pad_with(input: TensorLike, paddings: TensorLike, constant_values: TensorLike) -> Tensor:
    """One constant around the argument: row i of `paddings` says how many come before and after along dimension i."""


def pow(x: TensorLike, y: TensorLike) -> Tensor:
    """`x` to the power of `y`, broadcast, in the dtype of `x`."""


def prelu(x: TensorLike, slope: TensorLike) -> Tensor:
    """`x` where it is positive, `slope * x` elsewhere; the slope is broadcast to `x`."""


def print(input: TensorLike, data: Sequence[TensorLike], *, message: str = "", summarize: int = 3) -> Tensor:
    """`input`; writes a line to the standard error stream: the message, and the first `summarize` elements of each tensor of `data`, all if -1."""


def qr(x: TensorLike, *, complete: bool = False) -> tuple[Tensor, Tensor]:
    """`x = q r` with orthonormal columns of `q` and upper triangular `r`; `complete` makes `q` square.

Results: q, r."""


def quantize(x: TensorLike, scale: TensorLike, zero_point: TensorLike | None = None, *, axis: int = 1, block: int = 0, dtype: DTypeLike = 'ui8') -> Tensor:
    """`x / scale`, of two nearest whole numbers the even one, plus the zero point: an integer of the zero point's dtype, or `dtype`, the nearest that there is. There is one scale, one for each place of the axis, or, with `block`, one for each so many places of the axis and each place of the other dimensions."""


def random_bits(dims: TensorLike, key: TensorLike | None = None, *, seed: int = 0, stream: int = 0) -> Tensor:
    """Words of 32 random bits in the shape `dims`, by Philox 4x32-10: word `i` is word `i mod 4` of the block whose counter is `i / 4` in its low half and `stream` in its high half; the key is `seed`. A tensor `key`, i64 [2], has seed and stream in place of the attributes. The same arguments give the same words."""


def range(start: TensorLike, limit: TensorLike, step: TensorLike) -> Tensor:
    """`start`, `start + step`, ... before `limit`."""


def real(x: TensorLike) -> Tensor:
    """The real parts of complex numbers."""


def reciprocal(x: TensorLike) -> Tensor:
    """`1 / x` of each element."""


def reduce_l1(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The sum of absolute values over the dimensions that the indices name."""


def reduce_l2(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The root of the sum of squares over the dimensions that the indices name."""


def reduce_log_sum(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The logarithm of the sum over the dimensions that the indices name."""


def reduce_log_sum_exp(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials over the dimensions that the indices name."""


def reduce_max(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The largest element over the dimensions that the indices name."""


def reduce_mean(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The mean over the dimensions that the indices name."""


def reduce_min(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The smallest element over the dimensions that the indices name."""


def reduce_prod(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The product over the dimensions that the indices name."""


def reduce_sum(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The sum over the dimensions that the indices name; integers wrap."""


def reduce_sum_square(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False) -> Tensor:
    """The sum of squares over the dimensions that the indices name."""


def relu(x: TensorLike) -> Tensor:
    """`max(x, 0)` of each element; NaN stays NaN."""


def relu_grad(gradients: TensorLike, features: TensorLike) -> Tensor:
    """The gradient of relu: `gradients` where `features` are positive, 0 elsewhere."""


def reshape(tensor: TensorLike, shape: TensorLike) -> Tensor:
    """The same elements in another shape; one dimension of -1 is what is left."""


def resize(input: TensorLike, sizes: TensorLike, scales: TensorLike | None = None, box: TensorLike | None = None, *, antialias: bool = False, coordinates: str = "half_pixel", cubic_coefficient: float = -0.75, exclude_outside: bool = False, extrapolation_value: float = 0.0, mode: str = "nearest", nearest: str = "round_prefer_floor") -> Tensor:
    """The input at other sizes: nearest, linear or cubic, with the coordinates of the ONNX op Resize, for scales that are those of the sizes if they are left out, and of a box, which is begins and then ends; both of f32."""


def reverse_sequence(input: TensorLike, lengths: TensorLike, *, batch_axis: int = 1, time_axis: int = 0) -> Tensor:
    """The input with the first `lengths[b]` positions along the axis of time in reverse order, for each b along the batch's."""


def rms_norm(x: TensorLike, scale: TensorLike, *, epsilon: float = 1e-05) -> Tensor:
    """`x / sqrt(mean(x^2) + epsilon) * scale` with the mean over the last dimension."""


def rnn(x: TensorLike, w: TensorLike, r: TensorLike, bias: TensorLike | None = None, lengths: TensorLike | None = None, initial_h: TensorLike | None = None, *, activation_alpha: Sequence[float] = (), activation_beta: Sequence[float] = (), activations: Sequence[str] = (), batch_first: bool = False, clip: float = 0.0, direction: str = "forward") -> tuple[Tensor, Tensor]:
    """A recurrent layer with one gate as ONNX defines it; clip 0 does not clip.

Results: y, last_h."""


def roi_align(input: TensorLike, boxes: TensorLike, images: TensorLike, *, half_pixel: bool = True, height: int = 1, mode: str = "avg", samples: int = 0, scale: float = 1.0, width: int = 1) -> Tensor:
    """Regions [r,4] of images [n,c,h,w], each in `height` x `width` bins, as the ONNX op RoiAlign."""


def round(x: TensorLike) -> Tensor:
    """The nearest whole number to each element, of two the even one."""


def rsqrt(x: TensorLike) -> Tensor:
    """`1 / sqrt(x)` of each element."""


def scatter_elements(input: TensorLike, indices: TensorLike, updates: TensorLike, *, axis: int = 0, reduction: str = "none") -> Tensor:
    """The input with each update at its index along the axis: set, or added, multiplied, max, min."""


def scatter_nd(input: TensorLike, indices: TensorLike, updates: TensorLike, *, reduction: str = "none") -> Tensor:
    """The input with slices set, or added, multiplied, max, min, at places along its first dimensions."""


def search_sorted(sorted: TensorLike, values: TensorLike, *, dtype: DTypeLike = 'i64', right: bool = False) -> Tensor:
    """For each value the first place where it can be inserted into an ascending vector that stays ascending, or, with `right`, the last; NaN is the largest."""


def select(condition: TensorLike, x: TensorLike, y: TensorLike) -> Tensor:
    """The element of `x` where the condition is true, that of `y` elsewhere, broadcast."""


def selu(x: TensorLike, *, alpha: float = 1.67326319, gamma: float = 1.05070102) -> Tensor:
    """`gamma * x` where it is positive, `gamma * alpha * (exp(x) - 1)` elsewhere."""


def sgd_update(variable: TensorLike, gradient: TensorLike, learning_rate: TensorLike) -> Tensor:
    """`variable - learning_rate * gradient`; in the memory of the variable if nobody else needs it."""


def shape_of(input: TensorLike, *, out_type: DTypeLike = 'i32') -> Tensor:
    """The dimensions of the argument, as i32 or i64."""


def shift_left(x: TensorLike, y: TensorLike) -> Tensor:
    """`x << y` of integers, broadcast; 0 from their width on."""


def shift_right(x: TensorLike, y: TensorLike) -> Tensor:
    """`x >> y` of integers, broadcast; what comes in is 0, or the sign."""


def sigmoid(x: TensorLike) -> Tensor:
    """`1 / (1 + exp(-x))` of each element."""


def sign(x: TensorLike) -> Tensor:
    """-1, 0 or 1 for each element; NaN stays NaN."""


def signbit(x: TensorLike) -> Tensor:
    """Where the sign bit of `x` is set, that of -0 and of NaN, too, as i1."""


def sin(x: TensorLike) -> Tensor:
    """The sine of each element."""


def sinh(x: TensorLike) -> Tensor:
    """The hyperbolic sine of each element."""


def slice(input: TensorLike, begin: TensorLike, size: TensorLike) -> Tensor:
    """The `size[i]` elements from `begin[i]` on along each dimension i; a size of -1 is all that follow."""


def slogdet(x: TensorLike) -> tuple[Tensor, Tensor]:
    """The signs of determinants, and the logarithms of their magnitudes: 0 and -inf of singular matrices.

Results: sign, logabsdet."""


def softmax(logits: TensorLike) -> Tensor:
    """`exp(x) / sum(exp(x))` over the last dimension."""


def softmax_cross_entropy(features: TensorLike, labels: TensorLike) -> tuple[Tensor, Tensor]:
    """The loss of each example, the cross entropy of its label and the softmax of its features, and the gradient of the loss.

Results: loss, backprop."""


def softmax_grad(gradients: TensorLike, softmax: TensorLike) -> Tensor:
    """The gradient of the softmax, whose result is `softmax`: `(gradients - sum(gradients * softmax)) * softmax` over the last dimension."""


def softplus(x: TensorLike) -> Tensor:
    """`log(1 + exp(x))` of each element."""


def solve(a: TensorLike, b: TensorLike, *, transpose_a: bool = False) -> Tensor:
    """The matrices `y` with `a y = b`, or `a^T y = b` if `transpose_a`; the other dimensions of `a` and `b` are broadcast."""


def sort(input: TensorLike, *, axis: int = -1, descending: bool = False) -> Tensor:
    """The elements in order along an axis, NaN as the largest; equal ones stay in the order in which they are."""


def space_to_depth(input: TensorLike, block: int, *, channels_last: bool = False, columns_first: bool = False) -> Tensor:
    """Blocks of places as channels: the other way round."""


def split_sizes(sizes: TensorLike, whole: TensorLike) -> Tensor:
    """`sizes`, or an error if one is below 0 or they do not add up to `whole`."""


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


def sum_to(x: TensorLike, shape: TensorLike) -> Tensor:
    """The sums of the elements of `x` that broadcasting to its shape makes of one element of a tensor of `shape`."""


def svd(x: TensorLike, *, full_matrices: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """`x = u diag(s) vh` with orthonormal columns of `u` and rows of `vh` and falling `s`; `full_matrices` makes both square.

Results: u, s, vh."""


def svdvals(x: TensorLike) -> Tensor:
    """The singular values of matrices, the largest first."""


def swish(x: TensorLike, *, alpha: float = 1.0) -> Tensor:
    """`x * sigmoid(alpha * x)` of each element."""


def tan(x: TensorLike) -> Tensor:
    """The tangent of each element."""


def tanh(x: TensorLike) -> Tensor:
    """The hyperbolic tangent of each element."""


def tile(input: TensorLike, multiples: TensorLike) -> Tensor:
    """The argument repeated `multiples[i]` times along dimension i."""


def top_k(input: TensorLike, k: TensorLike, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest, or smallest, along an axis and where they are; of equal ones the first.

Results: values, indices."""


def transpose(x: TensorLike, perm: TensorLike) -> Tensor:
    """Dimension i of the result is dimension `perm[i]` of the argument."""


def triangle(input: TensorLike, diagonal: TensorLike, *, upper: bool = True) -> Tensor:
    """Matrices with 0 below, or, without `upper`, above a diagonal."""


def trunc(x: TensorLike) -> Tensor:
    """The nearest whole number between each element and 0."""


def unique(input: TensorLike, *, axes: Sequence[int] = (), sorted: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The elements that differ, or the slices along the one axis of `axes`, in ascending order or that of their first times; where each is first, which of them each is, and how often.

Results: values, places, inverse, counts."""


def zeros_like(x: TensorLike, T: DTypeLike) -> Tensor:
    """A scalar tensor of zeros of dtype `T` in the shape of the argument."""
