"""Data-parallel training under MPI: each process computes the gradients of its part of the batch, and the mean of all is
subtracted by each. The buffers of mpi4py are the tensors' own.

usage: mpirun -n 2 python examples/python/mpi_train.py
"""

import numpy as np
from mpi4py import MPI

import tfrt

RATE, STEPS = 0.5, 20


def gradient(weights, x, y):
    """Of the mean square error of x @ weights, with respect to the weights."""
    error = x @ weights - y
    return tfrt.ops.matmul(x, error, transpose_a=True) * (2.0 / x.shape[0])


def all_reduce_mean(world, tensor):
    """The mean of a tensor over all processes: from its own elements into an array, which the next tensor borrows."""
    total = np.empty(tensor.shape, "f4")
    world.Allreduce([tensor.numpy(), MPI.FLOAT], [total, MPI.FLOAT], MPI.SUM)
    return tfrt.from_numpy(total) * (1.0 / world.size)


def main():
    world = MPI.COMM_WORLD
    random = np.random.default_rng(0)
    x, true_weights = random.standard_normal((64, 4)).astype("f4"), np.array([[1], [-2], [3], [0.5]], "f4")
    y = x @ true_weights
    mine = slice(world.rank * 64 // world.size, (world.rank + 1) * 64 // world.size)
    weights = tfrt.Variable(np.zeros((4, 1), "f4"))
    inputs, outputs = tfrt.tensor(x[mine]), tfrt.tensor(y[mine])
    for _ in range(STEPS):
        weights.sgd_update(all_reduce_mean(world, gradient(weights, inputs, outputs)), RATE / 2)
    everyone = world.gather(weights.numpy(), root=0)
    if world.rank == 0:
        assert all((other == everyone[0]).all() for other in everyone)
        print(f"{world.size} processes, largest error {np.abs(everyone[0] - true_weights).max():.4f}")


if __name__ == "__main__":
    main()
