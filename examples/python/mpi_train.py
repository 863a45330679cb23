"""Data-parallel training under MPI: each process computes the gradients of its part of the batch, and all subtract the
mean. The step, with its one reduction, is one program.

usage: mpirun -n 2 python -m mpi4py examples/python/mpi_train.py
"""

import numpy as np
from mpi4py import MPI

import tfrt
from tfrt import losses, nn, optim
from tfrt.integrations import mpi

ROWS, STEPS = 67, 40  # the parts have different numbers of rows


def main():
    world = MPI.COMM_WORLD
    numbers = np.random.default_rng(0)
    x = numbers.standard_normal((ROWS, 4)).astype("f4")
    y = np.tanh(x @ np.array([[1], [-2], [3], [0.5]], "f4"))
    # Random numbers differ from process to process, until all take those of the first.
    layers = nn.Sequential(nn.Linear(4, 8), tfrt.tanh, nn.Linear(8, 1))
    mpi.broadcast(layers)
    optimizer = optim.SGD(0.2, momentum=0.5)
    gradient = tfrt.value_and_grad(lambda x, y: losses.mean_squared_error(layers(x), y),
                                   variables=layers.named_variables())

    @tfrt.function
    def train(x, y):
        loss, gradients = mpi.mean(gradient(x, y), weight=x.shape[0])
        optimizer.update(layers, gradients)
        return loss

    rows = mpi.part(ROWS)
    inputs, outputs = tfrt.tensor(x[rows]), tfrt.tensor(y[rows])
    found = [train(inputs, outputs).item() for _ in range(STEPS)]
    weights = [variable.numpy() for variable in layers.named_variables().values()]
    everyone = world.gather(weights, root=0)
    if world.rank == 0:
        assert all((mine == first).all() for other in everyone for mine, first in zip(other, everyone[0]))
        assert found[-1] < found[0] / 4
        print(f"{world.size} processes, loss {found[0]:.4f}, after {STEPS} steps {found[-1]:.4f}")


if __name__ == "__main__":
    main()
