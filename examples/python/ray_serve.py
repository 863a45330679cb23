"""A model in actors of Ray: batches of inputs go to several processes, and one actor answers many requests at once.

usage: python examples/python/ray_serve.py [MODEL.bef]
"""

import pathlib
import sys

import numpy as np
import ray

import tfrt

TIMEOUT = 20  # seconds, for what takes less than one where nothing hangs
COLOURS = pathlib.Path(__file__).resolve().parent.parent / "embed_model/colours.bef"


@ray.remote(num_cpus=0)
class Batches:
    """Runs whole batches. The model comes pickled: each process maps the same file."""

    def __init__(self, model):
        self.model = model

    def run(self, inputs):
        # Ray's arrays lie in shared memory: they are used where they are.
        results = self.model.run([tfrt.from_numpy(inputs)])
        return {name: tensor.numpy() for name, tensor in results.items()}


@ray.remote(num_cpus=0)
class Service:
    """Answers requests one by one, many at the same time."""

    def __init__(self, model):
        self.model = model

    async def answer(self, inputs):
        results = await self.model.run_async([inputs])
        return {name: tensor.numpy() for name, tensor in results.items()}


def main():
    model = tfrt.load(sys.argv[1] if len(sys.argv) > 1 else COLOURS)
    # On this machine alone, with no more processes and memory than the example needs.
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=80 << 20,
             _node_ip_address="127.0.0.1")
    inputs = np.random.default_rng(0).random((64, 3)).astype("f4")
    (expected,) = model.run([inputs]).values()
    actors = [Batches.remote(model) for _ in range(2)]
    service = Service.options(max_concurrency=16).remote(model)
    ray.get([actor.__ray_ready__.remote() for actor in (*actors, service)])
    print("the actors are up", flush=True)
    parts = ray.get([actor.run.remote(part) for actor, part in zip(actors, np.split(inputs, 2))], timeout=TIMEOUT)
    found = np.concatenate([next(iter(part.values())) for part in parts])
    assert np.allclose(found, expected.numpy(), atol=1e-6)
    answers = ray.get([service.answer.remote(inputs[i:i + 1]) for i in range(16)], timeout=TIMEOUT)
    assert np.allclose(np.concatenate([next(iter(a.values())) for a in answers]), found[:16], atol=1e-6)
    print("2 actors ran 64 inputs, 1 answered 16 requests")
    ray.shutdown()


if __name__ == "__main__":
    main()
