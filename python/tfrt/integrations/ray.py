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

__all__ = ["deployment", "predict", "server"]

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


class _Worker:
    """A process of tfrt_serve on the replica's machine, to which HTTP requests are passed as they are."""

    def __init__(self, models, options):
        from ..serving import serve as start
        self._server = start(models, port=0, **options).wait_ready()
        self._session = None

    def check_health(self):
        """Ray starts the replica anew if this raises."""
        if self._server.process.poll() is not None:
            raise RuntimeError(f"tfrt_serve has ended with code {self._server.process.returncode}")

    async def __call__(self, request):
        import aiohttp
        from starlette.responses import Response
        if self._session is None:
            self._session = aiohttp.ClientSession(auto_decompress=False)
        path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
        query = request.scope.get("query_string", b"").decode("latin-1")
        url = f"{self._server.url}{path}" + (f"?{query}" if query else "")
        headers = [(name, value) for name, value in request.headers.items() if name not in _OF_CONNECTIONS]
        async with self._session.request(request.method, url, data=await request.body(), headers=headers) as answer:
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in _OF_CONNECTIONS}
            return Response(await answer.read(), answer.status, headers=kept)


_OF_CONNECTIONS = ("host", "connection", "content-length", "keep-alive", "transfer-encoding", "expect")


def server(models: Any, *, name: str = "models", replicas: int = 1, cpus: float = 1.0, max_requests: int = 256,
           threads: Optional[int] = None, deployment_options: Optional[Mapping[str, Any]] = None,
           **options: Any) -> Any:
    """Returns an application for `serve.run`: a process of tfrt_serve in each replica, and Ray routes HTTP to it.

    `models` and further options are those of `tfrt.serve`, which each replica calls. A process has as many threads as
    `cpus` unless `threads` says otherwise. Requests below the application's prefix are passed on without it: with the
    prefix "/" they are those of the server. Ray starts a replica anew if its process ends.
    """
    options["threads"] = max(1, int(cpus)) if threads is None else threads
    made = serve.deployment(_Worker).options(name=name, num_replicas=replicas, max_ongoing_requests=max_requests,
                                             ray_actor_options={"num_cpus": cpus}, **(deployment_options or {}))
    return made.bind(models, options)
