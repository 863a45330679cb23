"""The runtime of tfrt. The package tfrt is what to import."""
# Made by scripts/make_python_stubs.py. Do not edit.

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from typing_extensions import Self

from tfrt._model import Value
from tfrt.ops import Op as _Op


class DType:
    """The type of a tensor's elements: tfrt.f32, tfrt.i64, ..."""

    def __init__(self, dtype: object) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def itemsize(self) -> int: ...

    @property
    def numpy_name(self) -> str:
        """
        The name of the NumPy dtype with these elements, '' if there is none; that of bf16 is in the package ml_dtypes.
        """

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

    def __hash__(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __reduce__(self) -> tuple: ...

u8: DType = ...

u16: DType = ...

u32: DType = ...

u64: DType = ...

i1: DType = ...

i8: DType = ...

i16: DType = ...

i32: DType = ...

i64: DType = ...

f32: DType = ...

f64: DType = ...

complex64: DType = ...

complex128: DType = ...

f16: DType = ...

bf16: DType = ...

qu8: DType = ...

qu16: DType = ...

qi8: DType = ...

qi16: DType = ...

qi32: DType = ...

class Context:
    """
    Devices, a work queue and a cache of prepared calls.

    Ops run in the default context, which is made at first use, unless a scope of another one is entered: by ``with context:`` or ``with context.scope(...):``.
    """

    def __init__(self, *, devices: Sequence[str] = ['cpu:0'], order: str = 'dataflow', device_priority: Sequence[str] = [], soft_placement: bool = True, max_small_integers: int = 64, kernel_cache_capacity: int = 4096, remember_copies: bool = True, max_pending: int = 65536, work_queue: str = 'mstd', log: str | None = None, memory_limit_bytes: int = 0, pinned_limit_bytes: int = 0, launch_blocking: bool = False, single_stream: bool = False, allow_tf32: bool = False, plan_folder: str = '', max_in_flight: int = 64, max_in_flight_bytes: int = 268435456) -> None:
        """
        devices are CPUs (cpu:0, the host, cpu:1, ...), GPUs (gpu:0, ..., gpu:* for all) and simulated accelerators (sim:0, ...); order is dataflow or fifo; log is the beginning of the name of a file, or "" for standard error. If a device does not have an op, soft_placement lets it run on another one; otherwise it is an error.

        For accelerators: memory_limit_bytes is the most memory that each takes, pinned_limit_bytes the most page-locked memory of the host, 0 is no limit. launch_blocking waits for each command, so that the op that fails on the device is the one that raises. single_stream copies in the stream of the ops. allow_tf32 lets products and convolutions of float32 round their factors to TF32. plan_folder keeps the plans of libraries for later processes. max_in_flight copies from the host, and max_in_flight_bytes of these, may wait for a device before a call waits for them.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def devices(self) -> list[str]:
        """The names of the devices, the host first."""

    @property
    def is_closed(self) -> bool: ...

    @property
    def queue_depth(self) -> int:
        """Ops that are scheduled in FIFO order and have not begun."""

    def cache_statistics(self) -> dict: ...

    def memory_statistics(self, device: str) -> dict:
        """
        The memory of an accelerator, of all its users: bytes in use and cached, their peaks, the limit, and page-locked memory of the host.
        """

    def trim_memory(self, device: str) -> None:
        """
        Waits for a device, and returns memory that it has cached to its driver, for other libraries.
        """

    def wait(self) -> None:
        """
        Returns when all ops called so far are over. Raises the first error of a call without results that has not been raised yet.
        """

    def cancel(self) -> None:
        """
        Ops that have not begun become errors, and so do those called until `restart`.
        """

    def restart(self) -> None: ...

    def drop_copies(self) -> int:
        """
        Drops the copies on other devices that tensors remember; returns their number.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *args) -> None: ...

    def close(self) -> None:
        """
        Waits for what has begun, and raises as `wait` does; calls from now on are errors. Tensors keep their elements.
        """

class Scope:
    """
    How ops are called by the code under ``with``: in which context, on which device, and whether calls wait for their ops (mode sync) or not (async).
    """

    def __init__(self, *, context: object | None = None, mode: str = 'sync', device: str = '', misplaced_input: str = 'silent') -> None:
        """
        misplaced_input, for an input on another device than the op: silent, warn, explicit (an error) or silent_for_i32.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *args) -> None: ...

def default_context() -> Context:
    """The context of code that has entered no scope of another one."""

def set_default_context(context: Context) -> None: ...

def current_context() -> Context: ...

class Tensor:
    """
    Elements of one type in an array, on a device, now or soon.

    ``x[index] = value`` changes this object, and no other tensor or array that shares its elements.
    Made by ops, ``tfrt.tensor``, ``tfrt.from_numpy`` and ``tfrt.from_dlpack``. What needs the elements waits for them; ``await tensor`` does so in a coroutine.
    """

    def __hash__(self, /) -> int:
        """Return hash(self)."""

    def __lt__(self, value: Any, /) -> Tensor:
        """Return self<value."""

    def __le__(self, value: Any, /) -> Tensor:
        """Return self<=value."""

    def __eq__(self, value: Any, /) -> Tensor:  # type: ignore[override]
        """Return self==value."""

    def __ne__(self, value: Any, /) -> Tensor:  # type: ignore[override]
        """Return self!=value."""

    def __gt__(self, value: Any, /) -> Tensor:
        """Return self>value."""

    def __ge__(self, value: Any, /) -> Tensor:
        """Return self>=value."""

    def __add__(self, value: Any, /) -> Tensor:
        """Return self+value."""

    def __radd__(self, value: Any, /) -> Tensor:
        """Return value+self."""

    def __sub__(self, value: Any, /) -> Tensor:
        """Return self-value."""

    def __rsub__(self, value: Any, /) -> Tensor:
        """Return value-self."""

    def __mul__(self, value: Any, /) -> Tensor:
        """Return self*value."""

    def __rmul__(self, value: Any, /) -> Tensor:
        """Return value*self."""

    def __mod__(self, value: Any, /) -> Tensor:
        """Return self%value."""

    def __rmod__(self, value: Any, /) -> Tensor:
        """Return value%self."""

    def __divmod__(self, value: Any, /) -> tuple[Tensor, Tensor]:
        """Return divmod(self, value)."""

    def __rdivmod__(self, value: Any, /) -> tuple[Tensor, Tensor]:
        """Return divmod(value, self)."""

    def __pow__(self, value: Any, /) -> Tensor:
        """Return pow(self, value, mod)."""

    def __rpow__(self, value: Any, /) -> Tensor:
        """Return pow(value, self, mod)."""

    def __neg__(self, /) -> Tensor:
        """-self"""

    def __pos__(self, /) -> Tensor:
        """+self"""

    def __abs__(self, /) -> Tensor:
        """abs(self)"""

    def __invert__(self, /) -> Tensor:
        """~self"""

    def __lshift__(self, value: Any, /) -> Tensor:
        """Return self<<value."""

    def __rlshift__(self, value: Any, /) -> Tensor:
        """Return value<<self."""

    def __rshift__(self, value: Any, /) -> Tensor:
        """Return self>>value."""

    def __rrshift__(self, value: Any, /) -> Tensor:
        """Return value>>self."""

    def __and__(self, value: Any, /) -> Tensor:
        """Return self&value."""

    def __rand__(self, value: Any, /) -> Tensor:
        """Return value&self."""

    def __xor__(self, value: Any, /) -> Tensor:
        """Return self^value."""

    def __rxor__(self, value: Any, /) -> Tensor:
        """Return value^self."""

    def __or__(self, value: Any, /) -> Tensor:
        """Return self|value."""

    def __ror__(self, value: Any, /) -> Tensor:
        """Return value|self."""

    def __iadd__(self, value: Any, /) -> Self:
        """Return self+=value."""

    def __isub__(self, value: Any, /) -> Self:
        """Return self-=value."""

    def __imul__(self, value: Any, /) -> Self:
        """Return self*=value."""

    def __imod__(self, value: Any, /) -> Self:
        """Return self%=value."""

    def __ipow__(self, value: Any, /) -> Self:
        """Return self**=value."""

    def __ilshift__(self, value: Any, /) -> Self:
        """Return self<<=value."""

    def __irshift__(self, value: Any, /) -> Self:
        """Return self>>=value."""

    def __iand__(self, value: Any, /) -> Self:
        """Return self&=value."""

    def __ixor__(self, value: Any, /) -> Self:
        """Return self^=value."""

    def __ior__(self, value: Any, /) -> Self:
        """Return self|=value."""

    def __floordiv__(self, value: Any, /) -> Tensor:
        """Return self//value."""

    def __rfloordiv__(self, value: Any, /) -> Tensor:
        """Return value//self."""

    def __truediv__(self, value: Any, /) -> Tensor:
        """Return self/value."""

    def __rtruediv__(self, value: Any, /) -> Tensor:
        """Return value/self."""

    def __ifloordiv__(self, value: Any, /) -> Self:
        """Return self//=value."""

    def __itruediv__(self, value: Any, /) -> Self:
        """Return self/=value."""

    def __matmul__(self, value: Any, /) -> Tensor:
        """Return self@value."""

    def __rmatmul__(self, value: Any, /) -> Tensor:
        """Return value@self."""

    def __imatmul__(self, value: Any, /) -> Self:
        """Return self@=value."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> DType: ...

    @property
    def device(self) -> str:
        """'cpu:0', ...; empty for an error."""

    @property
    def ndim(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of elements; None if a size is open."""

    @property
    def is_available(self) -> bool:
        """Whether it is there, or an error, by now."""

    @property
    def is_error(self) -> bool:
        """Whether it is known by now to be an error."""

    @property
    def is_traced(self) -> bool:
        """
        Whether it belongs to a function that is being traced, and has no elements.
        """

    def wait(self) -> None:
        """Returns when it is there; raises its error."""

    def item(self) -> bool | int | float | complex:
        """The only element."""

    def tolist(self) -> Any:
        """The elements in nested lists."""

    def to(self, device: str) -> Tensor:
        """
        The tensor on another device of its context; copied once, whoever asks.
        """

    def __copy__(self) -> Tensor:
        """Another tensor with these elements."""

    def __dlpack__(self, *, stream: object | None = None, max_version: object | None = None, dl_device: object | None = None, copy: object | None = None) -> Any: ...

    def __dlpack_device__(self) -> tuple: ...

    def __len__(self) -> int: ...

    def __bool__(self) -> bool: ...

    def __complex__(self) -> complex: ...

    def __int__(self) -> int: ...

    def __float__(self) -> float: ...

    def __index__(self) -> int: ...

    def __repr__(self) -> str: ...

    def numpy(self) -> Any:
        """A NumPy array over the elements, which can only be read; waits for them. No copy, if they are in host memory.

    bf16 needs the package ml_dtypes.
    """

    def __array__(self, dtype=None, copy=None) -> Any: ...

    def __await__(self) -> Generator[Any, None, Tensor]: ...

    def __reduce_ex__(self, protocol) -> tuple: ...

    def __deepcopy__(self, memo) -> Tensor: ...

    def __iter__(self) -> Iterator[Tensor]: ...

    def reshape(self, *shape) -> Tensor:
        """The same elements in another shape; one of its sizes may be -1."""

    def transpose(self, *perm) -> Tensor:
        """Axes in another order; without one, reversed."""

    @property
    def T(self) -> Tensor:
        """Axes in another order; without one, reversed."""

    def astype(x, dtype) -> Tensor:
        """The elements as another type: floats that do not fit an integer become the nearest that does."""

    def __getitem__(self, index) -> Tensor:
        """The elements that an index chooses: integers, slices, None, '...', masks, and tensors, arrays and lists of
    integers.

    Results are tensors of their own. IndexError for an index that is out of range, TypeError for other types.
    """

    def __setitem__(self, index, value) -> None:
        """Sets the items at an index, as `x[index]` reads them, to a value, which is broadcast.

    This object changes, and no other tensor or array that shares its elements. Where none does, nothing is copied.
    ValueError for a value that is not broadcast to the items; TypeError for a kind of number that is none of the
    tensor's, such as floats for integers.
    """

    def repeat(x, repeats, /, axis=None) -> Tensor:
        """Each element along an axis several times in succession; of the flat array, if the axis is None.

    `repeats` is a number, or integers, one for each place of the axis. ValueError: another number of them.
    """

    def squeeze(x, /, axis=None) -> Tensor:
        """The array without axes, each of size 1; without all axes of size 1, if None.

    ValueError: an axis has another size.
    """

    def dot(x1, x2, /) -> Tensor:
        """The product of vectors or of matrices as `matmul`; of more axes, over the last of x1 and the last but one of x2.

    Arrays without dimensions multiply.
    """

    def all(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Whether all elements along axes are not 0; along all, if None. NaN is not 0. No elements give true."""

    def any(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Whether an element along axes is not 0; along all, if None. NaN is not 0. No elements give false."""

    def max(x, /, axis=None, *, keepdims=False) -> Tensor:
        """The largest element along axes; along all, if None. NaN if one is. ValueError: there are no elements.

    Where a trace leaves the size open, no elements give the least number of the dtype: -inf for floats.
    """

    def mean(x, /, axis=None, *, dtype=None, keepdims=False) -> Tensor:
        """The mean of the elements along axes; along all, if None. No elements give NaN.

    Integers and bools give f32, floats their own dtype, if none is given.
    """

    def min(x, /, axis=None, *, keepdims=False) -> Tensor:
        """The smallest element along axes; along all, if None. NaN if one is. ValueError: there are no elements.

    Where a trace leaves the size open, no elements give the largest number of the dtype: inf for floats.
    """

    def prod(x, /, axis=None, *, dtype=None, keepdims=False) -> Tensor:
        """The product of the elements along axes; along all, if None. Integers wrap; no elements give 1.

    Without a dtype bools and integers below 32 bits become i32 or u32; others keep their dtype.
    """

    def std(x, /, axis=None, *, correction=0.0, keepdims=False) -> Tensor:
        """The square root of the variance along axes; along all, if None.

    The divisor is the number of elements less `correction`, at least 0. Integers and bools give f32. The gradient is 0
    where all elements are equal.
    """

    def sum(x, /, axis=None, *, dtype=None, keepdims=False) -> Tensor:
        """The sum of the elements along axes; along all, if None. Integers wrap; no elements give 0.

    Without a dtype bools and integers below 32 bits become i32 or u32; others keep their dtype.
    """

    def var(x, /, axis=None, *, correction=0.0, keepdims=False) -> Tensor:
        """The mean of the squares of the differences from the mean, along axes; along all, if None.

    The divisor is the number of elements less `correction`, at least 0. Integers and bools give f32.
    """

    def argmax(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Where the largest element along an axis is, as i64: the first of several, the first NaN if there is one.

    Without an axis the place in the flat array. ValueError: there are no elements.
    """

    def argmin(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Where the smallest element along an axis is, as i64: the first of several, the first NaN if there is one.

    Without an axis the place in the flat array. ValueError: there are no elements.
    """

    def nonzero(x, /) -> tuple[Tensor, ...]:
        """Where the elements are that are not 0, row-major: for each axis a tensor of i64. Of open size in traces.

    ValueError: the array has no dimensions.
    """

    def take(x, indices, /, axis=None) -> Tensor:
        """The slices along an axis that integers name, from the end if negative; of the flat array, if the axis is None.

    IndexError: an index is out of range. TypeError: the indices are no integers.
    """

    def argsort(x, /, axis=-1, *, descending=False, stable=True) -> Tensor:
        """Where the elements of `sort` are along the axis, as i64. NaN is the largest.

    Equal elements keep their order, whatever `stable` is. ValueError: the array has no dimensions.
    """

    def cumprod(x, axis=None, dtype=None) -> Tensor:
        """The products of the elements up to each along an axis; of the flat array, if the axis is None."""

    def cumsum(x, axis=None, dtype=None) -> Tensor:
        """The sums of the elements up to each along an axis; of the flat array, if the axis is None."""

    def diagonal(x, offset=0, axis1=0, axis2=1) -> Tensor:
        """The elements whose index along `axis2` is that along `axis1` and `offset` more; along a new last axis."""

    def flatten(x, start_dim=0, end_dim=-1) -> Tensor:
        """The array with the axes from `start_dim` to `end_dim` as one; with all of them, if none are given."""

    def ravel(x) -> Tensor:
        """The elements along one axis, row-major."""

    def swapaxes(x, axis1, axis2) -> Tensor:
        """The array with two axes exchanged."""

    def trace(x, offset=0, axis1=0, axis2=1, dtype=None) -> Tensor:
        """The sum of a diagonal; dtypes as those of `sum`."""

    def __array_namespace__(self, *, api_version=None) -> Any:
        """The package tfrt. A ValueError for a version of the standard that it does not have."""

    def to_device(self, device, /, *, stream=None) -> Tensor:
        """The tensor on another device of its context. `stream` is None: tensors wait for each other by themselves."""

    @property
    def mT(self) -> Tensor:
        """Matrices with their rows as columns: the last two axes change places. A ValueError below 2 dimensions."""

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""

    def __contains__(self, item) -> bool:
        """Whether an element equals the number; waits for the elements."""

    def __round__(self, decimals=0) -> Tensor:
        """The nearest numbers with so many decimals, of two the even one. Below 0 it is tens, hundreds and so on.

    Integers keep their dtype.
    """

    def __format__(self, spec) -> str: ...

    def __str__(self) -> str: ...

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs) -> Any: ...

    def __array_function__(self, func, types, args, kwargs) -> Any: ...

    def clip(self, min=None, max=None) -> Tensor:
        """Elements between two bounds, in the tensor's dtype."""

    def round(self, decimals=0) -> Tensor:
        """The nearest numbers with so many decimals, of two the even one. Below 0 it is tens, hundreds and so on.

    Integers keep their dtype.
    """

    def copy(self) -> Tensor:
        """A tensor of the same elements that item assignment changes by itself."""

    def tobytes(self) -> bytes:
        """The elements as bytes, row by row."""

def tensor(value: object, dtype: object | None = None, device: str = '', *, copy: bool = True) -> Tensor:
    """
    A tensor of a number, nested lists of numbers, an array of NumPy or another library, or a buffer.

    Numbers without a dtype are i32 (i64 if they need it), f32, i1 or complex64. With copy=False elements that lie in one piece are used where they are, and must not change.
    """

def from_dlpack(array: object) -> Tensor:
    """
    A tensor over an array of another library, which must not change; copied only if it is not row-major, and never on a GPU.
    """

class Variable:
    """
    A tensor that changes, such as the weights of a network in training.

    Reads and updates take place in the order in which they are called, by whatever threads. dtype, shape and device stay those of the first value.
    """

    def __hash__(self, /) -> int:
        """Return hash(self)."""

    def __lt__(self, value: Any, /) -> Tensor:
        """Return self<value."""

    def __le__(self, value: Any, /) -> Tensor:
        """Return self<=value."""

    def __eq__(self, value: Any, /) -> Tensor:  # type: ignore[override]
        """Return self==value."""

    def __ne__(self, value: Any, /) -> Tensor:  # type: ignore[override]
        """Return self!=value."""

    def __gt__(self, value: Any, /) -> Tensor:
        """Return self>value."""

    def __ge__(self, value: Any, /) -> Tensor:
        """Return self>=value."""

    def __init__(self, initial: object, dtype: object | None = None) -> None: ...

    def __add__(self, value: Any, /) -> Tensor:
        """Return self+value."""

    def __radd__(self, value: Any, /) -> Tensor:
        """Return value+self."""

    def __sub__(self, value: Any, /) -> Tensor:
        """Return self-value."""

    def __rsub__(self, value: Any, /) -> Tensor:
        """Return value-self."""

    def __mul__(self, value: Any, /) -> Tensor:
        """Return self*value."""

    def __rmul__(self, value: Any, /) -> Tensor:
        """Return value*self."""

    def __mod__(self, value: Any, /) -> Tensor:
        """Return self%value."""

    def __rmod__(self, value: Any, /) -> Tensor:
        """Return value%self."""

    def __divmod__(self, value: Any, /) -> tuple[Tensor, Tensor]:
        """Return divmod(self, value)."""

    def __rdivmod__(self, value: Any, /) -> tuple[Tensor, Tensor]:
        """Return divmod(value, self)."""

    def __pow__(self, value: Any, /) -> Tensor:
        """Return pow(self, value, mod)."""

    def __rpow__(self, value: Any, /) -> Tensor:
        """Return pow(value, self, mod)."""

    def __neg__(self, /) -> Tensor:
        """-self"""

    def __pos__(self, /) -> Tensor:
        """+self"""

    def __abs__(self, /) -> Tensor:
        """abs(self)"""

    def __invert__(self, /) -> Tensor:
        """~self"""

    def __lshift__(self, value: Any, /) -> Tensor:
        """Return self<<value."""

    def __rlshift__(self, value: Any, /) -> Tensor:
        """Return value<<self."""

    def __rshift__(self, value: Any, /) -> Tensor:
        """Return self>>value."""

    def __rrshift__(self, value: Any, /) -> Tensor:
        """Return value>>self."""

    def __and__(self, value: Any, /) -> Tensor:
        """Return self&value."""

    def __rand__(self, value: Any, /) -> Tensor:
        """Return value&self."""

    def __xor__(self, value: Any, /) -> Tensor:
        """Return self^value."""

    def __rxor__(self, value: Any, /) -> Tensor:
        """Return value^self."""

    def __or__(self, value: Any, /) -> Tensor:
        """Return self|value."""

    def __ror__(self, value: Any, /) -> Tensor:
        """Return value|self."""

    def __iadd__(self, value: Any, /) -> Self:
        """Return self+=value."""

    def __isub__(self, value: Any, /) -> Self:
        """Return self-=value."""

    def __imul__(self, value: Any, /) -> Self:
        """Return self*=value."""

    def __imod__(self, value: Any, /) -> Self:
        """Return self%=value."""

    def __ipow__(self, value: Any, /) -> Self:
        """Return self**=value."""

    def __ilshift__(self, value: Any, /) -> Self:
        """Return self<<=value."""

    def __irshift__(self, value: Any, /) -> Self:
        """Return self>>=value."""

    def __iand__(self, value: Any, /) -> Self:
        """Return self&=value."""

    def __ixor__(self, value: Any, /) -> Self:
        """Return self^=value."""

    def __ior__(self, value: Any, /) -> Self:
        """Return self|=value."""

    def __floordiv__(self, value: Any, /) -> Tensor:
        """Return self//value."""

    def __rfloordiv__(self, value: Any, /) -> Tensor:
        """Return value//self."""

    def __truediv__(self, value: Any, /) -> Tensor:
        """Return self/value."""

    def __rtruediv__(self, value: Any, /) -> Tensor:
        """Return value/self."""

    def __ifloordiv__(self, value: Any, /) -> Self:
        """Return self//=value."""

    def __itruediv__(self, value: Any, /) -> Self:
        """Return self/=value."""

    def __matmul__(self, value: Any, /) -> Tensor:
        """Return self@value."""

    def __rmatmul__(self, value: Any, /) -> Tensor:
        """Return value@self."""

    def __imatmul__(self, value: Any, /) -> Self:
        """Return self@=value."""

    def read(self) -> Tensor:
        """The value that the updates called so far leave."""

    @property
    def value(self) -> Tensor:
        """The same as `read()`."""

    def assign(self, value: object) -> Tensor:
        """The new value."""

    def assign_add(self, value: object) -> Tensor:
        """The new value."""

    def assign_sub(self, value: object) -> Tensor:
        """The new value."""

    def sgd_update(self, gradient: object, learning_rate: object) -> Tensor:
        """variable -= learning_rate * gradient; the new value."""

    @property
    def dtype(self) -> DType: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def ndim(self) -> int: ...

    @property
    def device(self) -> str: ...

    @property
    def size(self) -> int:
        """The number of elements."""

    def numpy(self) -> Any: ...

    def item(self) -> bool | int | float | complex:
        """The only element."""

    def tolist(self) -> Any:
        """The elements in nested lists."""

    def __bool__(self) -> bool: ...

    def __int__(self) -> int: ...

    def __float__(self) -> float: ...

    def __index__(self) -> int: ...

    def __len__(self) -> int: ...

    def __getitem__(self, arg: object, /) -> Tensor: ...

    def __repr__(self) -> str: ...

    def __reduce_ex__(self, protocol) -> tuple: ...

    def __array__(self, dtype=None, copy=None) -> Any: ...

    def __iter__(self) -> Iterator[Tensor]: ...

    def reshape(self, *shape) -> Tensor:
        """The same elements in another shape; one of its sizes may be -1."""

    def transpose(self, *perm) -> Tensor:
        """Axes in another order; without one, reversed."""

    @property
    def T(self) -> Tensor:
        """Axes in another order; without one, reversed."""

    def astype(x, dtype) -> Tensor:
        """The elements as another type: floats that do not fit an integer become the nearest that does."""

    def __setitem__(self, index, value) -> None:
        """Assigns the variable its value with the items at an index set to another."""

    def repeat(x, repeats, /, axis=None) -> Tensor:
        """Each element along an axis several times in succession; of the flat array, if the axis is None.

    `repeats` is a number, or integers, one for each place of the axis. ValueError: another number of them.
    """

    def squeeze(x, /, axis=None) -> Tensor:
        """The array without axes, each of size 1; without all axes of size 1, if None.

    ValueError: an axis has another size.
    """

    def dot(x1, x2, /) -> Tensor:
        """The product of vectors or of matrices as `matmul`; of more axes, over the last of x1 and the last but one of x2.

    Arrays without dimensions multiply.
    """

    def all(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Whether all elements along axes are not 0; along all, if None. NaN is not 0. No elements give true."""

    def any(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Whether an element along axes is not 0; along all, if None. NaN is not 0. No elements give false."""

    def max(x, /, axis=None, *, keepdims=False) -> Tensor:
        """The largest element along axes; along all, if None. NaN if one is. ValueError: there are no elements.

    Where a trace leaves the size open, no elements give the least number of the dtype: -inf for floats.
    """

    def mean(x, /, axis=None, *, dtype=None, keepdims=False) -> Tensor:
        """The mean of the elements along axes; along all, if None. No elements give NaN.

    Integers and bools give f32, floats their own dtype, if none is given.
    """

    def min(x, /, axis=None, *, keepdims=False) -> Tensor:
        """The smallest element along axes; along all, if None. NaN if one is. ValueError: there are no elements.

    Where a trace leaves the size open, no elements give the largest number of the dtype: inf for floats.
    """

    def prod(x, /, axis=None, *, dtype=None, keepdims=False) -> Tensor:
        """The product of the elements along axes; along all, if None. Integers wrap; no elements give 1.

    Without a dtype bools and integers below 32 bits become i32 or u32; others keep their dtype.
    """

    def std(x, /, axis=None, *, correction=0.0, keepdims=False) -> Tensor:
        """The square root of the variance along axes; along all, if None.

    The divisor is the number of elements less `correction`, at least 0. Integers and bools give f32. The gradient is 0
    where all elements are equal.
    """

    def sum(x, /, axis=None, *, dtype=None, keepdims=False) -> Tensor:
        """The sum of the elements along axes; along all, if None. Integers wrap; no elements give 0.

    Without a dtype bools and integers below 32 bits become i32 or u32; others keep their dtype.
    """

    def var(x, /, axis=None, *, correction=0.0, keepdims=False) -> Tensor:
        """The mean of the squares of the differences from the mean, along axes; along all, if None.

    The divisor is the number of elements less `correction`, at least 0. Integers and bools give f32.
    """

    def argmax(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Where the largest element along an axis is, as i64: the first of several, the first NaN if there is one.

    Without an axis the place in the flat array. ValueError: there are no elements.
    """

    def argmin(x, /, axis=None, *, keepdims=False) -> Tensor:
        """Where the smallest element along an axis is, as i64: the first of several, the first NaN if there is one.

    Without an axis the place in the flat array. ValueError: there are no elements.
    """

    def nonzero(x, /) -> tuple[Tensor, ...]:
        """Where the elements are that are not 0, row-major: for each axis a tensor of i64. Of open size in traces.

    ValueError: the array has no dimensions.
    """

    def take(x, indices, /, axis=None) -> Tensor:
        """The slices along an axis that integers name, from the end if negative; of the flat array, if the axis is None.

    IndexError: an index is out of range. TypeError: the indices are no integers.
    """

    def argsort(x, /, axis=-1, *, descending=False, stable=True) -> Tensor:
        """Where the elements of `sort` are along the axis, as i64. NaN is the largest.

    Equal elements keep their order, whatever `stable` is. ValueError: the array has no dimensions.
    """

    def cumprod(x, axis=None, dtype=None) -> Tensor:
        """The products of the elements up to each along an axis; of the flat array, if the axis is None."""

    def cumsum(x, axis=None, dtype=None) -> Tensor:
        """The sums of the elements up to each along an axis; of the flat array, if the axis is None."""

    def diagonal(x, offset=0, axis1=0, axis2=1) -> Tensor:
        """The elements whose index along `axis2` is that along `axis1` and `offset` more; along a new last axis."""

    def flatten(x, start_dim=0, end_dim=-1) -> Tensor:
        """The array with the axes from `start_dim` to `end_dim` as one; with all of them, if none are given."""

    def ravel(x) -> Tensor:
        """The elements along one axis, row-major."""

    def swapaxes(x, axis1, axis2) -> Tensor:
        """The array with two axes exchanged."""

    def trace(x, offset=0, axis1=0, axis2=1, dtype=None) -> Tensor:
        """The sum of a diagonal; dtypes as those of `sum`."""

    def __array_namespace__(self, *, api_version=None) -> Any:
        """The package tfrt. A ValueError for a version of the standard that it does not have."""

    def to_device(self, device, /, *, stream=None) -> Tensor:
        """The tensor on another device of its context. `stream` is None: tensors wait for each other by themselves."""

    @property
    def mT(self) -> Tensor:
        """Matrices with their rows as columns: the last two axes change places. A ValueError below 2 dimensions."""

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""

    def __contains__(self, item) -> bool:
        """Whether an element equals the number; waits for the elements."""

    def __round__(self, decimals=0) -> Tensor:
        """The nearest numbers with so many decimals, of two the even one. Below 0 it is tens, hundreds and so on.

    Integers keep their dtype.
    """

    def __format__(self, spec) -> str: ...

    def __str__(self) -> str: ...

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs) -> Any: ...

    def __array_function__(self, func, types, args, kwargs) -> Any: ...

    def clip(self, min=None, max=None) -> Tensor:
        """Elements between two bounds, in the tensor's dtype."""

    def round(self, decimals=0) -> Tensor:
        """The nearest numbers with so many decimals, of two the even one. Below 0 it is tens, hundreds and so on.

    Integers keep their dtype.
    """

    def copy(self) -> Tensor:
        """A tensor of the same elements that item assignment changes by itself."""

    def tobytes(self) -> bytes:
        """The elements as bytes, row by row."""

class Model:
    """
    A model, compiled to BEF, loaded and run. Threads may run it at the same time. A copy that is pickled opens the same file, or carries the bytes if there is none.
    """

    def __init__(self, source: str | bytes, function: str = 'main', name: str = '') -> None: ...

    def run(self, inputs: Mapping[str, object] | Sequence[object], *, timeout: float | None = None) -> dict[str, Tensor]:
        """
        Runs it with inputs by name, or in order; the results by name. timeout: seconds after which the run ends with DeadlineExceededError.
        """

    @property
    def inputs(self) -> list[Value]: ...

    @property
    def outputs(self) -> list[Value]: ...

    @property
    def name(self) -> str: ...

    @property
    def producer(self) -> str: ...

    @property
    def metadata(self) -> dict: ...

    def __reduce__(self) -> tuple: ...

    def __repr__(self) -> str: ...

    async def run_async(self, inputs, *, timeout=None) -> dict[str, Tensor]:
        """As `run`, in a coroutine: other tasks go on meanwhile. The inputs are copied."""

class TensorSpec:
    """
    What a tensor must be like. A size may be None: any; and so may the shape.
    """

    def __init__(self, dtype: object, shape: Sequence[int | None] | None = None) -> None: ...

    @property
    def dtype(self) -> DType: ...

    @property
    def shape(self) -> tuple[int | None, ...] | None: ...

    def __repr__(self) -> str: ...

class ConcreteFunction:
    """One trace of a function, compiled."""

    @property
    def signature(self) -> str: ...

    @property
    def captures(self) -> list[str]:
        """What it has taken from around it when it was traced, one line each."""

    @property
    def bef(self) -> bytes:
        """The compiled program."""

    def mlir(self) -> str:
        """The traced program as text."""

    def kernels(self) -> str:
        """What is compiled of it, as text."""

    @property
    def passes(self) -> list:
        """The compiler's passes: name, ops before, ops after."""

    def save(self, path: str) -> None: ...

    def __call__(self, *args) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

class profile:
    """
    Records the program into a profile file under ``with``. ui.perfetto.dev shows the file, and tfrt_prof makes figures of it. One session at a time in a process.
    """

    def __init__(self, path: object, level: str = 'kernel', *, buffer_bytes: int = 67108864, properties: Mapping[str, str] = {}) -> None:
        """
        level: model, layer, kernel or metrics. properties: facts about the run, kept in the file.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *args) -> None: ...

    def set_property(self, key: str, value: str) -> None: ...

    @property
    def num_events(self) -> int:
        """Recorded so far."""

    @property
    def num_dropped(self) -> int: ...

class _Function:
    def __call__(self, /, *args, **kwargs):
        """Call self as a function."""

    def __init__(self, name: str, argument_names: Sequence[str], is_positional: bool, *, input_signature: object | None = None, reduce_retracing: bool | None = None, max_traces: int = 64, when_full: str = 'evict', run_eagerly: bool = False, exact: bool = False, fuse: bool = True, pack: bool = True, cache_folder: str = '') -> None: ...

    def _concrete(self, arg: tuple, /) -> ConcreteFunction: ...

    @property
    def statistics(self) -> dict:
        """Calls, traces and their costs, by name."""

    def report(self) -> str:
        """
        Calls, traces, why the last one was made, what it cost, and how to have fewer.
        """

    def clear_cache(self) -> None:
        """Drops all traces; calls make new ones."""

    def _save(self, arg: str, /) -> None: ...
