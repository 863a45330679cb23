"""Random numbers that follow from a key, by Philox 4x32-10: the same on each device and with any number of threads.

    tfrt.random.seed(7)
    x = tfrt.random.normal((2, 3))                      # of the default generator
    generator = tfrt.random.Generator(7)                # whose state is a Variable
    x = generator.uniform((2, 3))
    first, second = tfrt.random.split(tfrt.random.key(7))
    x = tfrt.random.normal((2, 3), key=first)           # always the same

All functions take `key=`, a key or a Generator. Random words are those of the op `random_bits`. Its key is the key, and
its stream is 0 for a key, and the number of the call, from 1 on, for a generator. `split` takes the words of stream
2**62, and `fold_in` those of negative streams.
"""

from __future__ import annotations

import math as _math
import operator as _operator
import os as _os
from collections.abc import Sequence

from . import _tfrt
from ._tfrt import DType, Tensor, Variable, bf16, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, tensor
from ._tfrt import _ops
from ._operands import like as _like, sizes_of as _sizes
from .control_flow import as_tensor, register_container, while_loop

__all__ = ["Generator", "bernoulli", "choice", "default_generator", "dropout", "exponential", "fold_in", "gamma",
           "integers", "key", "normal", "permutation", "seed", "shuffle", "split", "uniform"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union
    Shape = Union[int, Tensor, Sequence[Union[int, Tensor]]]
    Key = Union[int, Tensor, "Generator"]
    TensorLike = Any
    DTypeLike = Union[DType, str]

_SPLIT_STREAM = 1 << 62
_LOW = (1 << 32) - 1
_FLOATS = (bf16, f16, f32, f64)
_INTEGERS = (i8, i16, i32, i64, u8, u16, u32, u64)


# --- Words ---

def _words(source, count):
    """`count` random words of u32 in a row. The source has key and stream, i64 [2]."""
    return _ops["random_bits"](_ops["reshape"](count, [1]) if isinstance(count, Tensor) else [count], source)


def _at(key, stream):
    """The source of a key and a stream."""
    if not isinstance(stream, Tensor):
        stream = tensor([stream], dtype=i64)
    return _ops["concat"]([_ops["reshape"](key, [1]), _ops["reshape"](stream, [1])], 0)


# --- Keys and generators ---

def key(seed: int) -> Tensor:
    """The key of a seed, a whole number of 64 bits, signed or not: an i64 without dimensions."""
    return tensor(_seed_of(seed), dtype=i64)


def _seed_of(seed):
    number = _operator.index(seed)
    if not -(1 << 63) <= number < 1 << 64:
        raise ValueError(f"a seed has 64 bits, and {number} does not fit")
    return number - (1 << 64) if number >= 1 << 63 else number


def split(key: Key, n: int = 2) -> Tensor:
    """`n` keys, i64 [n], of one, whose numbers are independent of each other's and of its own."""
    if _operator.index(n) < 0:
        raise ValueError(f"a key is split into 0 or more, not {n}")
    return _pairs(_words(_at(_key_of(key), _SPLIT_STREAM), 2 * n))


def fold_in(key: Key, data: int | Tensor) -> Tensor:
    """The key, i64 [], of a key and a number: 0 or more, such as that of a step; int, or a tensor of integers."""
    if isinstance(data, (Tensor, Variable)):
        stream = _ops["bitwise_not"](_ops["reshape"](_ops["cast"](as_tensor(data), i64), []))
    else:
        stream = ~_operator.index(data)
        if not -(1 << 63) <= stream < 0:
            raise ValueError(f"a key takes in a number of 0 to 2**63 - 1, not {data}")
    return _one_of(_at(_key_of(key), stream))


def _one_of(source):
    """The key that the first two words give."""
    return _ops["reshape"](_pairs(_words(source, 2)), [])


def _key_of(key):
    """A key, or one that a generator gives."""
    if isinstance(key, Generator):
        return key.key()
    if not isinstance(key, (Tensor, Variable)):
        return tensor(_seed_of(key), dtype=i64)
    key = as_tensor(key)
    if key.dtype != i64:
        raise TypeError(f"a key is of i64, not {key.dtype}; tfrt.random.key(seed) makes one")
    return _ops["reshape"](key, [])


def _source(key):
    """Key and stream of a call, i64 [2]."""
    if key is None:
        key = default_generator()
    return key._advance() if isinstance(key, Generator) else _at(_key_of(key), 0)


def _pairs(words):
    """Words by twos as i64; the lower half comes first."""
    rows = _ops["cast"](_ops["reshape"](words, [-1, 2]), u64)
    low, high = (_ops["gather"](rows, column, 1) for column in (0, 1))
    return _ops["bit_cast"](_ops["bitwise_or"](low, _ops["shift_left"](high, tensor(32, dtype=u64))), i64)


class Generator:
    """Random numbers one call after the other; each advances the state, also in traced functions.

    `state` is a Variable, i64 [2]: the key, and how many calls there were. It is saved and restored as any variable.
    """

    state: Variable

    def __init__(self, seed: int | None = None) -> None:
        """One of a seed of 64 bits; without one, of a number that the system gives."""
        number = int.from_bytes(_os.urandom(8), "little") if seed is None else seed
        self.state = Variable([_seed_of(number), 0], dtype=i64)

    def seed(self, seed: int) -> None:
        """Starts again with a seed."""
        self.state.assign(tensor([_seed_of(seed), 0], dtype=i64))

    def key(self) -> Tensor:
        """A key of its own, i64 [], for the functions of keys."""
        return _one_of(self._advance())

    def _advance(self):
        return self.state.assign_add(tensor([0, 1], dtype=i64))

    def uniform(self, shape: Shape = (), low: float = 0.0, high: float = 1.0, *, dtype: DTypeLike = f32) -> Tensor:
        """As the function of this name."""
        return uniform(shape, low, high, dtype=dtype, key=self)

    def normal(self, shape: Shape = (), mean: float = 0.0, std: float = 1.0, *, dtype: DTypeLike = f32) -> Tensor:
        """As the function of this name."""
        return normal(shape, mean, std, dtype=dtype, key=self)

    def integers(self, low: int, high: int | None = None, shape: Shape = (), *, dtype: DTypeLike = i32,
                 endpoint: bool = False) -> Tensor:
        """As the function of this name."""
        return integers(low, high, shape, dtype=dtype, endpoint=endpoint, key=self)

    def permutation(self, x: int | TensorLike, axis: int = 0) -> Tensor:
        """As the function of this name."""
        return permutation(x, axis, key=self)

    def shuffle(self, x: TensorLike, axis: int = 0) -> Tensor:
        """As the function of this name."""
        return shuffle(x, axis, key=self)

    def choice(self, a: int | TensorLike, shape: Shape = (), *, replace: bool = True, p: TensorLike = None,
               axis: int = 0) -> Tensor:
        """As the function of this name."""
        return choice(a, shape, replace=replace, p=p, axis=axis, key=self)

    def bernoulli(self, p: TensorLike = 0.5, shape: Shape | None = None) -> Tensor:
        """As the function of this name."""
        return bernoulli(p, shape, key=self)

    def exponential(self, shape: Shape = (), scale: float = 1.0, *, dtype: DTypeLike = f32) -> Tensor:
        """As the function of this name."""
        return exponential(shape, scale, dtype=dtype, key=self)

    def gamma(self, alpha: TensorLike, shape: Shape | None = None, scale: float = 1.0, *,
              dtype: DTypeLike = f32) -> Tensor:
        """As the function of this name."""
        return gamma(alpha, shape, scale, dtype=dtype, key=self)

    def dropout(self, x: TensorLike, rate: float = 0.5) -> Tensor:
        """As the function of this name."""
        return dropout(x, rate, key=self)

    def __repr__(self) -> str:
        return f"<Generator with the state {self.state!r}>"


def _generator_of(parts, _):
    made = Generator.__new__(Generator)
    made.state = parts[0]
    return made


register_container(Generator, lambda generator: ((generator.state,), None), _generator_of)

_defaults: dict[_tfrt.Context, Generator] = {}
_seeds: list[int | None] = [None]


def default_generator() -> Generator:
    """The Generator of calls without a key. Each context has one, since variables belong to contexts."""
    context = _tfrt.current_context()
    made = _defaults.get(context)
    if made is None:
        for old in [old for old in list(_defaults) if old.is_closed]:
            _defaults.pop(old, None)
        made = _defaults.setdefault(context, Generator(_seeds[0]))  # that of the first thread
    return made


def seed(seed: int) -> None:
    """Starts the default generators again with a seed of 64 bits."""
    _seeds[0] = _seed_of(seed)
    _defaults.clear()


# --- Shapes and dtypes ---

def _dtype_of(dtype, allowed, function):
    made = dtype if isinstance(dtype, DType) else tensor(0, dtype=dtype).dtype
    if made not in allowed:
        raise TypeError(f"tfrt.random.{function} gives {', '.join(one.name for one in allowed)}, not {made.name}")
    return made


def _sizes_of(shape):
    """The sizes, and their product: ints, or tensors where sizes are tensors."""
    if isinstance(shape, (Tensor, Variable)):
        sizes = _ops["reshape"](_ops["cast"](as_tensor(shape), i64), [-1])
    else:
        sizes = list(shape) if hasattr(shape, "__iter__") else [shape]
        if not any(isinstance(size, (Tensor, Variable)) for size in sizes):
            sizes = [_operator.index(size) for size in sizes]
            for size in sizes:
                if size < 0:
                    raise ValueError(f"the shape {tuple(sizes)} has the size {size}")
            return sizes, _math.prod(sizes)
        sizes = _ops["concat"]([_ops["reshape"](_ops["cast"](as_tensor(size), i64), [1]) for size in sizes], 0)
    return sizes, _ops["reduce_prod"](sizes, [0])


def _times(count, number):
    return _ops["mul"](count, tensor(number, dtype=i64)) if isinstance(count, Tensor) else count * number


def _rows(words, number):
    """Words in a row as `number` rows."""
    rows = _ops["reshape"](words, [number, -1])
    return [_ops["gather"](rows, row, 0) for row in range(number)]


# --- Floats ---

def _fractions(words, dtype):
    """In [0, 1), all with as many bits as the dtype has: 8, 11, 24 or, of two words each, 53."""
    if dtype == f64:
        upper, lower = _rows(words, 2)
        upper = _ops["mul"](_shifted(upper, 5, f64), tensor(2.0 ** 26, dtype=f64))
        return _ops["mul"](_ops["add"](upper, _shifted(lower, 6, f64)), tensor(2.0 ** -53, dtype=f64))
    bits = {bf16: 8, f16: 11, f32: 24}[dtype]
    return _ops["cast"](_ops["mul"](_shifted(words, 32 - bits, f32), tensor(2.0 ** -bits, dtype=f32)), dtype)


def _shifted(words, bits, dtype):
    return _ops["cast"](_ops["shift_right"](words, tensor(bits, dtype=u32)), dtype)


def _positive(words, dtype):
    """In (0, 1], for logarithms: f32 of one word, f64 of two."""
    if dtype == f64:
        return _ops["add"](_fractions(words, f64), tensor(2.0 ** -53, dtype=f64))
    words = _ops["mul"](_ops["cast"](words, f32), tensor(2.0 ** -32, dtype=f32))
    return _ops["add"](words, tensor(2.0 ** -33, dtype=f32))


def _normals(words, count, dtype):
    """By Box and Muller, of as many words as `_words_of_normals`: cosines first, then sines."""
    half = _ops["reshape"](words, [2, -1])
    length, angle = (_ops["gather"](half, row, 0) for row in (0, 1))
    length = _ops["sqrt"](_ops["mul"](_ops["log"](_positive(length, dtype)), tensor(-2.0, dtype=dtype)))
    angle = _ops["mul"](_fractions(angle, dtype), tensor(2.0 * _math.pi, dtype=dtype))
    both = _ops["concat"]([_ops["mul"](length, _ops["cos"](angle)), _ops["mul"](length, _ops["sin"](angle))], 0)
    return _ops["slice"](both, [0], _ops["reshape"](count, [1]) if isinstance(count, Tensor) else [count])


def _words_of_normals(count, dtype):
    if isinstance(count, Tensor):
        count = _ops["add"](count, _ops["mod"](count, tensor(2, dtype=i64)))
    else:
        count += count % 2
    return _times(count, 2 if dtype == f64 else 1)


def _scaled(x, scale, offset, sizes):
    """`x * scale + offset` in that shape; scale and offset are numbers, or tensors that are broadcast to it."""
    x = _ops["reshape"](x, sizes)
    if not (isinstance(scale, (int, float)) and scale == 1):
        x = _ops["mul"](x, _parameter(scale, x, sizes))
    if not (isinstance(offset, (int, float)) and offset == 0):
        x = _ops["add"](x, _parameter(offset, x, sizes))
    return x


def _parameter(value, x, sizes):
    """A parameter in x's dtype. One that would make more numbers of those that are drawn is a ValueError."""
    value = _like(value, x)
    if isinstance(value, Tensor) and isinstance(sizes, list) and not any(isinstance(size, Tensor) for size in sizes):
        own = value.shape
        if len(own) > len(sizes) or any(a not in (1, b, None) for a, b in zip(reversed(own), reversed(sizes))):
            raise ValueError(f"a parameter of the shape {own} is not broadcast to the shape {tuple(sizes)}")
    return value


def uniform(shape: Shape = (), low: TensorLike = 0.0, high: TensorLike = 1.0, *, dtype: DTypeLike = f32,
            key: Key | None = None) -> Tensor:
    """Numbers of [low, high), of f16, bf16, f32 or f64; for other bounds than 0 and 1 rounding may give `high`.

    Between 0 and 1 they are multiples of 2**-8 (bf16), 2**-11 (f16), 2**-24 (f32) or 2**-53 (f64).
    """
    dtype = _dtype_of(dtype, _FLOATS, "uniform")
    sizes, count = _sizes_of(shape)
    is_unit = isinstance(low, (int, float)) and isinstance(high, (int, float)) and (low, high) == (0, 1)
    wide = dtype if is_unit or dtype == f64 else f32
    of = _fractions(_words(_source(key), _times(count, 2 if wide == f64 else 1)), wide)
    if is_unit:
        return _ops["reshape"](of, sizes)
    made = _scaled(of, _ops["sub"](_like(high, of), _like(low, of)), low, sizes)
    return made if dtype == wide else _ops["cast"](made, dtype)


def normal(shape: Shape = (), mean: TensorLike = 0.0, std: TensorLike = 1.0, *, dtype: DTypeLike = f32,
           key: Key | None = None) -> Tensor:
    """Normally distributed numbers of f16, bf16, f32 or f64, by Box and Muller.

    They are computed in f32 or f64, and are at most 6.8 or 8.6 of `std` from the mean.
    """
    dtype = _dtype_of(dtype, _FLOATS, "normal")
    sizes, count = _sizes_of(shape)
    wide = f64 if dtype == f64 else f32
    of = _normals(_words(_source(key), _words_of_normals(count, wide)), count, wide)
    made = _scaled(of, std, mean, sizes)
    return made if dtype == wide else _ops["cast"](made, dtype)


def exponential(shape: Shape = (), scale: TensorLike = 1.0, *, dtype: DTypeLike = f32,
                key: Key | None = None) -> Tensor:
    """Exponentially distributed numbers, 0 or more, whose mean is `scale`; f16, bf16, f32 or f64."""
    dtype = _dtype_of(dtype, _FLOATS, "exponential")
    sizes, count = _sizes_of(shape)
    wide = f64 if dtype == f64 else f32
    of = _positive(_words(_source(key), _times(count, 2 if wide == f64 else 1)), wide)
    made = _scaled(_ops["sub"](tensor(0.0, dtype=wide), _ops["log"](of)), scale, 0, sizes)
    return made if dtype == wide else _ops["cast"](made, dtype)


def gamma(alpha: TensorLike, shape: Shape | None = None, scale: TensorLike = 1.0, *, dtype: DTypeLike = f32,
          key: Key | None = None) -> Tensor:
    """Gamma distributed numbers of the shape parameter `alpha`, by Marsaglia and Tsang in f64; f16, bf16, f32 or f64.

    `alpha` is a number above 0, or a tensor that is broadcast to `shape`, whose shape is the default. An element that
    is not above 0 gives NaN.
    """
    dtype = _dtype_of(dtype, _FLOATS, "gamma")
    if isinstance(alpha, (int, float)) and not alpha > 0:
        raise ValueError(f"alpha is {alpha}, but a gamma distribution needs a number above 0")
    alpha = _as_f64(alpha)
    sizes, count = _sizes_of(_sizes(alpha) if shape is None else shape)
    alpha = _ops["reshape"](_ops["broadcast_to"](alpha, sizes), [-1])
    of = _one_of(_source(key))  # a key of its own: round i takes the words of stream i
    zero, one, third = (tensor(number, dtype=f64) for number in (0.0, 1.0, 1.0 / 3.0))
    add, mul, sub, log = _ops["add"], _ops["mul"], _ops["sub"], _ops["log"]
    is_small = _ops["less"](alpha, one)
    d = sub(add(alpha, _ops["cast"](is_small, f64)), third)
    c = _ops["rsqrt"](mul(d, tensor(9.0, dtype=f64)))
    of_normals = _words_of_normals(count, f64)
    all_words = add(of_normals, _times(count, 2)) if isinstance(count, Tensor) else of_normals + 2 * count

    def draw(round, missing, made):
        words = _words(_at(of, round), all_words)
        sizes_of_normals = _ops["reshape"](of_normals, [1]) if isinstance(of_normals, Tensor) else [of_normals]
        x = _normals(_ops["slice"](words, [0], sizes_of_normals), count, f64)
        u = _positive(_ops["slice"](words, sizes_of_normals, [-1]), f64)
        v = add(one, mul(c, x))
        v = mul(v, mul(v, v))
        # log(u) < x^2 / 2 + d - d v + d log(v); it is false for v <= 0.
        bound = add(mul(mul(x, x), tensor(0.5, dtype=f64)), mul(d, add(sub(one, v), log(_ops["maximum"](v, zero)))))
        is_good = _ops["logical_and"](_ops["greater"](v, zero), _ops["less"](log(u), bound))
        made = _ops["select"](_ops["logical_and"](missing, is_good), mul(d, v), made)
        return add(round, tensor(1, dtype=i64)), _ops["logical_and"](missing, _ops["logical_not"](is_good)), made

    def some_missing(round, missing, made):
        return _ops["greater"](_ops["reduce_sum"](_ops["cast"](missing, i64), [0]), tensor(0, dtype=i64))

    infinity = tensor(float("inf"), dtype=f64)
    missing = _ops["logical_and"](_ops["greater"](alpha, zero), _ops["less"](alpha, infinity))
    # An infinite one gives infinity.
    start = _ops["select"](_ops["greater"](alpha, zero), alpha, tensor(float("nan"), dtype=f64))
    _, _, made = while_loop(some_missing, draw, tensor(0, dtype=i64), missing, start)
    # Below 1: that of alpha + 1, times u^(1 / alpha).
    power = _ops["pow"](_positive(_words(_at(of, _SPLIT_STREAM), _times(count, 2)), f64), _ops["reciprocal"](alpha))
    made = mul(made, _ops["select"](is_small, power, one))
    made = _scaled(made, scale, 0, sizes)
    return made if dtype == f64 else _ops["cast"](made, dtype)


def _as_f64(x):
    x = as_tensor(x)
    return x if x.dtype == f64 else _ops["cast"](x, f64)


# --- Integers, choices ---

def integers(low: int, high: int | None = None, shape: Shape = (), *, dtype: DTypeLike = i32, endpoint: bool = False,
             key: Key | None = None) -> Tensor:
    """Integers of [low, high), or with `endpoint` of [low, high]; `integers(n)` are those below n.

    Probabilities differ from equal ones by a factor of at most 1 + 2**-32.
    """
    wanted = _dtype_of(dtype, _INTEGERS, "integers")
    low, high = (0, _operator.index(low)) if high is None else (_operator.index(low), _operator.index(high))
    number = high - low + bool(endpoint)
    bits = wanted.itemsize * 8
    least = -(1 << (bits - 1)) if wanted.name.startswith("i") else 0
    if number <= 0:
        raise ValueError(f"there are no integers from {low} {'to' if endpoint else 'below'} {high}")
    if low < least or low + number > least + (1 << bits):
        raise ValueError(f"integers from {low} {'to' if endpoint else 'below'} {high} do not fit {wanted.name}")
    sizes, count = _sizes_of(shape)
    num_words = 2 if number <= 1 << 32 else 4
    words = _ops["cast"](_words(_source(key), _times(count, num_words)), u64)
    made = _below(_rows(words, num_words), number)
    if wanted != u64:
        made = _ops["bit_cast"](made, i64)
    made = _ops["add"](made, tensor(low, dtype=made.dtype))
    return _ops["reshape"](made if made.dtype == wanted else _ops["cast"](made, wanted), sizes)


def _below(words, number):
    """The whole part of number * 0.words, the first word being the highest; the number is at most 2**64."""
    mask, half = tensor(_LOW, dtype=u64), tensor(32, dtype=u64)
    if number == 1 << 64:
        return _ops["bitwise_or"](_ops["shift_left"](words[0], half), words[1])
    low, high = (tensor(part, dtype=u64) for part in (number & _LOW, number >> 32))
    mul, add, down = _ops["mul"], _ops["add"], _ops["shift_right"]
    if number <= _LOW:
        upper, lower = words
        return down(add(mul(upper, low), down(mul(lower, low), half)), half)
    made = None
    for word in reversed(words):
        lower, upper = mul(word, low), mul(word, high)
        if made is not None:
            lower, upper = add(lower, _ops["bitwise_and"](made, mask)), add(upper, down(made, half))
        made = add(upper, down(lower, half))
    return made


def _whole(x):
    """The int that stands for the numbers below it; None for a tensor, an array or a list."""
    if isinstance(x, (Tensor, Variable)):
        return None
    try:
        return _operator.index(x)
    except TypeError:
        return None


def permutation(x: int | TensorLike, axis: int = 0, *, key: Key | None = None) -> Tensor:
    """The numbers below n in random order, i64 [n]; or the slices of a tensor along an axis in random order."""
    number = _whole(x)
    if number is not None:
        if number < 0:
            raise ValueError(f"there are no {number} numbers to put in order")
        return _order(number, key)
    x = as_tensor(x)
    sizes = _sizes(x)
    if isinstance(sizes, Tensor):
        size = _ops["reshape"](_ops["gather"](sizes, axis, 0), [])
    else:
        if not -len(sizes) <= axis < len(sizes):
            raise ValueError(f"axis {axis} of a tensor of {len(sizes)} dimensions")
        size = sizes[axis]
    return _ops["gather"](x, _order(size, key), axis)


def _order(count, key):
    # Equal keys, which leave an order likelier than others, are n^2 / 2^65 of all cases.
    return _ops["argsort"](_pairs(_words(_source(key), _times(count, 2))), axis=0)


def shuffle(x: TensorLike, axis: int = 0, *, key: Key | None = None) -> Tensor:
    """A tensor whose slices along an axis are those of `x` in random order; `x` stays as it is."""
    return permutation(as_tensor(x), axis, key=key)


def choice(a: int | TensorLike, shape: Shape = (), *, replace: bool = True, p: TensorLike = None, axis: int = 0,
           key: Key | None = None) -> Tensor:
    """Numbers below `a`, i64, or slices of the tensor `a` along an axis, drawn with or without putting them back.

    `p`, [n], has the probabilities; without it all are equal.
    """
    whole = _whole(a)
    n = as_tensor(a).shape[axis] if whole is None else whole
    sizes, count = _sizes_of(shape)
    if isinstance(count, Tensor):
        raise TypeError("tfrt.random.choice needs a shape of ints")
    if n < 1 and count:
        raise ValueError(f"{count} of {n} cannot be chosen")
    if not replace and count > n:
        raise ValueError(f"{count} of {n} cannot be chosen without putting them back")
    if p is not None:
        p = _as_f64(p)
        if list(p.shape) != [n]:
            raise ValueError(f"p has the shape {tuple(p.shape)}, but there are {n} to choose from")
        _check_probabilities(p)
    if p is None:
        chosen = (integers(0, max(n, 1), [count], dtype=i64, key=key) if replace
                  else _ops["slice"](_order(n, key), [0], [count]))
    else:
        chosen = _weighted(p, n, count, key) if replace else _weighted_once(p, count, key)
    chosen = _ops["reshape"](chosen, sizes)
    return _ops["gather"](as_tensor(a), chosen, axis) if whole is None else chosen


def _check_probabilities(p):
    if p.is_traced:
        return
    total = _ops["reduce_sum"](p, [0]).item()
    if not _ops["reduce_min"](p, [0]).item() >= 0 or not abs(total - 1) < 1e-5:
        raise ValueError(f"p are probabilities, 0 or more, whose sum is 1, not {total}")


def _weighted(p, n, count, key):
    """The first place whose sum of probabilities is above a random number, by halving."""
    sums = _ops["cumulative_sum"](p, 0)
    at = uniform([count], 0.0, _ops["slice"](sums, [n - 1], [1]), dtype=f64, key=key)
    place = _ops["fill"]([count], tensor(0, dtype=i64))
    for bit in reversed(range(max(n - 1, 1).bit_length())):
        further = _ops["add"](place, tensor(1 << bit, dtype=i64))
        inside = _ops["minimum"](further, tensor(n - 1, dtype=i64))
        below = _ops["gather"](sums, _ops["sub"](inside, tensor(1, dtype=i64)) if n > 1 else inside, 0)
        moves = _ops["logical_and"](_ops["equal"](inside, further), _ops["less_equal"](below, at))
        place = _ops["select"](moves, further, place)
    return place


def _weighted_once(p, count, key):
    """The `count` least of exponentially distributed numbers of these rates."""
    if not p.is_traced and _ops["reduce_sum"](_ops["cast"](_ops["greater"](p, 0.0), i64), [0]).item() < count:
        raise ValueError(f"fewer than {count} have a probability above 0")
    waits = _ops["div"](exponential(list(p.shape), dtype=f64, key=key), p)
    return _ops["top_k"](_ops["neg"](waits), tensor([count], dtype=i64))[1]


def bernoulli(p: TensorLike = 0.5, shape: Shape | None = None, *, key: Key | None = None) -> Tensor:
    """True with the probability `p`, a number or a tensor of floats that is broadcast to `shape`; i1."""
    if isinstance(p, (int, float)):
        if not 0 <= p <= 1:
            raise ValueError(f"p is {p}, but a probability is between 0 and 1")
        p = tensor(float(p))
    p = as_tensor(p)
    if p.dtype not in _FLOATS:
        raise TypeError(f"p is of {p.dtype}, but a probability is a float")
    sizes, count = _sizes_of(_sizes(p) if shape is None else shape)
    wide = f64 if p.dtype == f64 else f32
    of = _fractions(_words(_source(key), _times(count, 2 if wide == f64 else 1)), wide)
    return _ops["less"](_ops["reshape"](of, sizes), p if p.dtype == wide else _ops["cast"](p, wide))


def dropout(x: TensorLike, rate: float = 0.5, *, key: Key | None = None) -> Tensor:
    """x with 0 in place of each element with the probability `rate`; the others are divided by 1 - rate."""
    if not 0 <= rate <= 1:
        raise ValueError(f"rate is {rate}, but a probability is between 0 and 1")
    x = as_tensor(x)
    if x.dtype not in _FLOATS:
        raise TypeError(f"x is of {x.dtype}, but elements that are scaled are floats")
    keep = bernoulli(1.0 - rate, _sizes(x), key=key)
    scaled = _ops["mul"](x, tensor(1.0 / (1.0 - rate) if rate < 1 else 0.0, dtype=x.dtype))
    return _ops["select"](keep, scaled, tensor(0.0, dtype=x.dtype))
