"""One process of several: trains on its rows, checks what the module promises, and process 0 writes the weights as
JSON.

usage: mpiexec -n N python -m mpi4py mpi_worker.py [FILE | --fail]
"""

import json
import sys

import numpy as np
from mpi4py import MPI

import tfrt
from tfrt import losses, nn, optim
from tfrt.integrations import mpi

ROWS, STEPS = 67, 25
world = MPI.COMM_WORLD


class Counting:
    """A communicator that counts its messages."""

    def __init__(self):
        self.rank, self.size, self.num_reductions, self.num_broadcasts = world.rank, world.size, 0, 0

    def Allreduce(self, *arguments):
        self.num_reductions += 1
        world.Allreduce(*arguments)

    def Bcast(self, *arguments, **options):
        self.num_broadcasts += 1
        world.Bcast(*arguments, **options)


def raises(error, text, call):
    try:
        call()
    except error as raised:
        assert text in str(raised), raised
    else:
        raise AssertionError(f"nothing was raised: {text}")


def train():
    numbers = np.random.default_rng(0)
    x = numbers.standard_normal((ROWS, 5)).astype("f4")
    y = (x @ numbers.standard_normal((5, 2)) > 0).astype("f4")
    counting = Counting()
    layers = nn.Sequential(nn.Linear(5, 16, key=tfrt.random.key(world.rank)), tfrt.tanh,
                           nn.Linear(16, 2, key=tfrt.random.key(9 + world.rank)))
    optimizer = optim.AdamW(0.02)
    optimizer.init(layers)
    mpi.broadcast({"layers": layers, "optimizer": optimizer}, communicator=counting)
    assert counting.num_broadcasts == 3  # of f32, and of the optimizer's f64 and i64
    gradient = tfrt.value_and_grad(lambda x, y: losses.sigmoid_cross_entropy(layers(x), y),
                                   variables=layers.named_variables())

    @tfrt.function
    def step(x, y):
        loss, gradients = mpi.mean(gradient(x, y), weight=x.shape[0], communicator=counting)
        optimizer.update(layers, gradients)
        return loss

    rows = mpi.part(ROWS)
    found = [step(x[rows], y[rows]).item() for _ in range(STEPS)]
    assert step.statistics["traces"] == 1, step.statistics
    assert counting.num_reductions == STEPS
    return {"losses": found, **{name: v.numpy().tolist() for name, v in layers.named_variables().items()}}


def check_means():
    # A mean of all in one message, of several dtypes, op by op, too.
    counting = Counting()
    rank, size = world.rank, world.size
    tree = {"a": tfrt.tensor([[1.0, 2.0]]) * float(rank), "b": (tfrt.tensor(float(rank), dtype=tfrt.f64),),
            "c": tfrt.tensor([3.0, rank], dtype=tfrt.bf16), "none": tfrt.zeros((0, 3))}
    means = mpi.mean(tree, weight=rank + 1, communicator=counting)
    mean = sum(rank * (rank + 1) for rank in range(size)) / sum(range(1, size + 1))
    assert np.allclose(means["a"].numpy(), [[mean, 2 * mean]]) and abs(means["b"][0].item() - mean) < 1e-12
    assert means["c"].dtype == tfrt.bf16 and abs(means["c"].tolist()[1] - mean) <= 0.01
    assert means["none"].shape == (0, 3)
    assert counting.num_reductions == 1
    # Tensors of a process without rows count for nothing, even if they are NaN.
    last = rank == size - 1 and size > 1
    value = tfrt.tensor(float("nan") if last else 5.0)
    assert mpi.mean(value, weight=0 if last else 2).item() == 5.0
    # Whatever is wrong in one process is an error in all: none waits.
    for wrong in (-1.0, float("nan"), float("inf")):
        raises(Exception, "the weight of a process is negative or no number",
               lambda: mpi.mean(value, weight=wrong if rank == 0 else 1.0).item())
    raises(Exception, "the weights of all processes are 0", lambda: mpi.mean(value, weight=0).item())
    raises(ValueError, "the mean of nothing", lambda: mpi.mean([]))
    raises(TypeError, "means are those of tensors of floats", lambda: mpi.mean(tfrt.tensor([1])))
    raises(TypeError, "means are those of tensors of floats", lambda: mpi.mean([1.0]))
    raises(ValueError, "sizes are open",
           lambda: tfrt.function(mpi.mean).concrete(tfrt.TensorSpec(tfrt.f32, [None])))


def check_parts():
    for count in (0, 1, size := world.size, ROWS):
        parts = world.allgather(mpi.part(count))
        assert [i for rows in parts for i in range(count)[rows]] == list(range(count)), parts
        sizes = [len(range(count)[rows]) for rows in parts]
        assert max(sizes) - min(sizes) <= 1
    raises(ValueError, "the number of rows is -1", lambda: mpi.part(-1))
    raises(ValueError, f"root is {size}, but the processes are 0 to {size - 1}",
           lambda: mpi.broadcast([tfrt.Variable(0.0)], root=size))


def main():
    if sys.argv[1] == "--fail":  # the others wait in their reduction
        if world.rank == 0:
            raise RuntimeError("a failure of process 0")
        mpi.mean(tfrt.tensor(1.0)).item()
        raise AssertionError("not reached")
    result = train()
    check_means()
    check_parts()
    if world.rank == 0:
        with open(sys.argv[1], "w") as file:
            json.dump(result, file)


main()
