"""Data-parallel training under MPI: each process computes the gradients of its rows, and all subtract their mean.

    gradient = tfrt.value_and_grad(loss, variables=model.named_variables())
    mpi.broadcast(model)

    @tfrt.function
    def train(x, y):
        value, gradients = mpi.mean(gradient(x, y), weight=len(x))
        optimizer.update(model, gradients)
        return value

    rows = mpi.part(len(images))
    train(images[rows], labels[rows])

Needs mpi4py and NumPy. Start programs by `mpirun -n 2 python -m mpi4py PROGRAM`: an error of one process then ends all
of them. Otherwise the others would wait for it in their next reduction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mpi4py import MPI

from .._operands import known_shape as _known_shape
from .._rewrite import structure as _structure
from .._tensor import from_numpy
from .._tfrt import Tensor, TensorSpec, Variable, f32, f64
from .._tfrt import _ops
from .._trees import variables_by_name as _variables_by_name
from ..control_flow import as_tensor, host_call

__all__ = ["broadcast", "mean", "part"]


def part(count: int, communicator: Any = None) -> slice:
    """Returns the rows of `count` that are this process's. All processes together have each row once.

    Their numbers of rows differ by at most one. Without a communicator it is COMM_WORLD, here and below.
    """
    world = MPI.COMM_WORLD if communicator is None else communicator
    if not isinstance(count, int) or count < 0:
        raise ValueError(f"the number of rows is {count!r}, not an integer of 0 or more")
    return slice(world.rank * count // world.size, (world.rank + 1) * count // world.size)


def broadcast(variables: Any, *, root: int = 0, communicator: Any = None) -> None:
    """Assigns the values that the variables have in the process `root`, in all processes: one message for each dtype.

    Takes what an optimizer takes, or a dict of modules and optimizers. An optimizer has variables after its `init`.
    """
    world = MPI.COMM_WORLD if communicator is None else communicator
    if not 0 <= root < world.size:
        raise ValueError(f"root is {root}, but the processes are 0 to {world.size - 1}")
    by_dtype: dict[str, list[Variable]] = {}
    for variable in _variables_by_name(variables).values():
        by_dtype.setdefault(variable.dtype.name, []).append(variable)
    for same in by_dtype.values():
        values = [variable.numpy() for variable in same]
        flat = np.concatenate([value.reshape(-1).view("u1") for value in values])
        world.Bcast([flat, MPI.BYTE], root=root)
        end = 0
        for variable, value in zip(same, values):
            begin, end = end, end + value.nbytes
            variable.assign(from_numpy(flat[begin:end].copy().view(value.dtype).reshape(value.shape)))


def mean(tree: Any, *, weight: Any = 1.0, communicator: Any = None) -> Any:
    """Returns the tree with each tensor's mean over all processes, by one reduction for all of them.

    Leaves are tensors of floats whose shapes are known, such as a loss and its gradients. `weight` is this process's,
    such as its number of rows; a process without rows has the weight 0, and its tensors are left out, be they NaN. In a
    traced function the reduction is a call of the host at each run. All processes make the same calls in the same
    order, with trees of the same tensors. Sums are in f64 if one of the tensors is, otherwise in f32. Fails in all
    processes if a weight is negative or no number, or if all are 0.
    """
    world = MPI.COMM_WORLD if communicator is None else communicator
    leaves, build, _ = _structure.flatten(tree)
    if not leaves:
        raise ValueError("the mean of nothing: the tree has no tensors")
    for leaf in leaves:
        if not isinstance(leaf, (Tensor, Variable)) or not leaf.dtype.name.startswith(("f", "bf")):
            raise TypeError(f"means are those of tensors of floats, not of {leaf!r}")
        if _known_shape(leaf) is None:
            raise ValueError("the mean of a tensor whose sizes are open; give one whose shape is known")
    wide = f64 if any(leaf.dtype == f64 for leaf in leaves) else f32
    sent = [leaf if leaf.dtype == wide else _ops["cast"](leaf, wide) for leaf in map(as_tensor, leaves)]
    specs = [TensorSpec(wide, _known_shape(leaf)) for leaf in leaves]
    share = as_tensor(weight)
    share = _ops["reshape"](share if share.dtype == f64 else _ops["cast"](share, f64), [])

    def mean_of_processes(share, *tensors):
        return _reduced(world, share.numpy(), [x.numpy() for x in tensors])

    made = host_call(mean_of_processes, [share, *sent], specs)
    return build([x if x.dtype == leaf.dtype else _ops["cast"](x, leaf.dtype) for x, leaf in zip(made, leaves)])


def _reduced(world, share, arrays):
    """Tensors over one array of the weighted means: of all elements, with the weight behind them."""
    size = sum(array.size for array in arrays)
    flat = np.empty(size + 1, arrays[0].dtype)
    # An error here must not end this process before the others have what they wait for.
    if not share >= 0 or share == np.inf:
        flat[:] = np.nan
    elif share == 0:
        flat[:] = 0
    else:
        end = 0
        for array in arrays:
            begin, end = end, end + array.size
            np.multiply(array, flat.dtype.type(share), out=flat[begin:end].reshape(array.shape))
        flat[size] = share
    world.Allreduce(MPI.IN_PLACE, flat, MPI.SUM)
    if not flat[size] > 0:
        raise ValueError("the weight of a process is negative or no number" if np.isnan(flat[size]) else
                         "the weights of all processes are 0")
    flat[:size] /= flat[size]
    end, means = 0, []
    for array in arrays:
        begin, end = end, end + array.size
        means.append(from_numpy(flat[begin:end].reshape(array.shape)))
    return means
