"""Models in Ray: deployments of Ray Serve, and batch inference over datasets of Ray Data.

    serve.run(ray.deployment("colours.bef", replicas=2), name="colours", route_prefix="/v2/models/colours")
    results = ray.predict(dataset, "colours.bef", columns={"x": "pixels"}, keep=["id"])

Needs the package ray with its extras serve and data, such as `pip install "ray[serve,data]"`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ray import serve

from .._model import load
from .._tfrt import Model
from ..errors import DeadlineExceededError, InvalidArgumentError
from . import _infer

__all__ = ["deployment", "predict"]

_Source = Union[Model, str, "os.PathLike[str]"]


class _Replica:
    """A model in a process of Ray. Answers calls by handles, and requests of the Open Inference Protocol by HTTP."""

    def __init__(self, model, name):
        self._model = model if isinstance(model, Model) else load(model)
        self._name = name

    async def __call__(self, request):
        from starlette.requests import Request
        if not isinstance(request, Request):
            return {name: tensor.numpy() for name, tensor in (await self._model.run_async(request)).items()}
        return await self._answer(request)

    async def _answer(self, request):
        from starlette.responses import JSONResponse, Response
        path = request.url.path.rstrip("/")
        if request.method == "GET":
            if path.endswith("/ready"):
                return JSONResponse({"name": self._name, "ready": True})
            return JSONResponse(_infer.metadata(self._name, self._model))
        if request.method != "POST" or not path.endswith("/infer"):
            return JSONResponse({"error": f"{request.method} {path} is not part of the protocol"}, 404)
        try:
            asked = _infer.Request(await request.body(), request.headers.get("inference-header-content-length"))
            body, headers = asked.answer(self._name, await self._model.run_async(asked.inputs))
        except (ValueError, InvalidArgumentError) as error:
            return JSONResponse({"error": str(error)}, 400)
        except DeadlineExceededError as error:
            return JSONResponse({"error": str(error)}, 504)
        return Response(body, headers=headers)


def deployment(model: _Source, *, name: str = "model", replicas: int = 1, cpus: float = 1.0, max_requests: int = 64,
               **options: Any) -> Any:
    """Returns an application for `serve.run`: the model in `replicas` processes, each with so many CPUs.

    `model` is one, or the path of its file, which must be there on each machine. A replica has up to `max_requests` in
    flight; more wait in Ray. Other options are those of `serve.deployment`.

    A call by a handle takes inputs as `Model.run` does, and gives a dict of arrays. Requests by HTTP are those of the
    Open Inference Protocol: POST .../infer, GET .../ready, and GET of the prefix for metadata. JSON and tensors as
    bytes are taken, for all types of elements but bf16.
    """
    made = serve.deployment(_Replica).options(
        name=name, num_replicas=replicas, max_ongoing_requests=max_requests, ray_actor_options={"num_cpus": cpus},
        **options)
    return made.bind(model, name)


def predict(dataset: Any, model: _Source, *, columns: Optional[Mapping[str, str]] = None, keep: Sequence[str] = (),
            workers: int = 1, batch_size: Optional[int] = None, **options: Any) -> Any:
    """Returns the dataset of the model's results for a dataset of Ray Data, by `workers` processes with the model.

    Columns are those of Arrow, used in place. `columns` and `keep` are those of `arrow.Predictor`. Without a
    `batch_size` each block is one run. Other options are those of `Dataset.map_batches`.
    """
    from .arrow import Predictor
    return dataset.map_batches(Predictor, fn_constructor_args=(model,),
                               fn_constructor_kwargs={"columns": columns, "keep": keep}, batch_format="pyarrow",
                               batch_size=batch_size, zero_copy_batch=True,
                               compute=_actors(workers), **options)


def _actors(workers):
    from ray.data import ActorPoolStrategy
    return ActorPoolStrategy(size=workers)
