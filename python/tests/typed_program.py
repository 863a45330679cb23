"""What type checkers must see in the package; see check_types.py. It is not run."""

import collections.abc
from typing import Any

from typing_extensions import assert_type

import tfrt

x = tfrt.tensor([1.0, 2.0])
assert_type(x, tfrt.Tensor)
assert_type(x + 1.0, tfrt.Tensor)
assert_type(1.0 - x, tfrt.Tensor)
assert_type(x[0], tfrt.Tensor)
assert_type(x[0, ..., None], tfrt.Tensor)
assert_type(x.sum(axis=0), tfrt.Tensor)
assert_type(x.T.reshape(2), tfrt.Tensor)
assert_type(x > 0.0, tfrt.Tensor)
assert_type(len(x), int)
assert_type(float(x[0]), float)
assert_type(x.shape, tuple[int, ...])
assert_type(x.dtype, tfrt.DType)
assert_type(x.device, str)
for row in x:
    assert_type(row, tfrt.Tensor)
assert_type(tfrt.relu(x), tfrt.Tensor)
x.not_there  # type: ignore[attr-defined]
tfrt.not_there  # type: ignore[attr-defined]

v = tfrt.Variable(x)
assert_type(v.read(), tfrt.Tensor)
assert_type(v * 2.0, tfrt.Tensor)

model = tfrt.load("model.bef")
assert_type(model, tfrt.Model)
assert_type(model.run({"x": x}), dict[str, tfrt.Tensor])


async def wait() -> None:
    assert_type(await x, tfrt.Tensor)
    assert_type(await model.run_async({"x": x}), dict[str, tfrt.Tensor])


with tfrt.profile("run.pftrace") as session:
    assert_type(session, tfrt.profile)
with tfrt.Context(devices=["cpu:0"]) as context:
    assert_type(context, tfrt.Context)


class Layer:
    @tfrt.function
    def step(self, x: tfrt.Tensor) -> tfrt.Tensor:
        return x

    @tfrt.function(exact=True)
    def exact(self, x: tfrt.Tensor) -> tfrt.Tensor:
        return x


layer = Layer()
layer.step(x)
layer.exact(x)
assert_type(layer.step.report(), str)
assert_type(layer.step.concrete(x), tfrt.ConcreteFunction)
layer.step.save("step.bef")
assert_type(layer.step.statistics["traces"], int)
assert_type(Layer.step.report(), str)

f = tfrt.function(lambda x: x)
assert_type(f, tfrt.Function)
assert_type(tfrt.grad(f), tfrt.Function)
assert_type(tfrt.TensorSpec("f32", [None]).shape, tuple[int | None, ...] | None)


@tfrt.custom_op("typed.scale")
def scale(x: tfrt.Tensor) -> Any:
    return x.numpy() * 2


assert isinstance(scale, collections.abc.Callable)  # type: ignore[arg-type]
