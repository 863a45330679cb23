"""Records models at several batches, here and by ONNX Runtime, into profiles that one report compares.

What is left in FOLDER: models/ (ONNX and BEF files), raw/ (ONNX Runtime's profiles as it writes them, and the times of
its runs without a profiler), profiles/MODEL/ (all profiles of a model, ours and theirs), chain/ and resnet50/ (what
recording costs), and the reports.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

from . import catalogue, convnets, public, small, transformers
from .builder import Builder
from .check import import_model

BATCHES, QUICK_BATCHES = [1, 2, 4, 8], [1, 4]
THREADS = 2


@dataclasses.dataclass(frozen=True)
class Studied:
    """A model and the sizes of its inputs other than the batch: by symbol, or whole shapes by input, in which the
    batch is -1."""

    build: object = None  # with a Builder; None: a public model
    sizes: dict = dataclasses.field(default_factory=dict)


STUDIED = {
    "lenet5": Studied(small.lenet5),
    "mlp": Studied(small.mlp),
    "ocr_direction": Studied(sizes={"x": [-1, 3, 48, 192]}),
    "magika": Studied(sizes={"bytes": [-1, 2048]}),
    "mobilenet_v2": Studied(convnets.mobilenet_v2),
    "efficientnet_b0": Studied(convnets.efficientnet_b0),
    "minilm_l6": Studied(transformers.minilm_l6, {"sequence": 32}),
    "resnet50": Studied(convnets.resnet50),
    "bert_base": Studied(transformers.bert_base, {"sequence": 128}),
    "vit_b16": Studied(transformers.vit_b16),
}
QUICK = ["lenet5", "mobilenet_v2"]
# Runs of each batch at each level, by how long one takes.
RUNS, QUICK_RUNS = 5, 5


def say(text):
    print(f"stack study: {text}", file=sys.stderr, flush=True)


class Study:
    def __init__(self, build_dir, folder):
        self.build_dir, self.folder = build_dir.resolve(), folder
        for name in ("models", "raw", "profiles"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def tool(self, name):
        return str(self.build_dir / "bin" / name)

    def prof(self, *arguments, **settings):
        return subprocess.run([self.tool("tfrt_prof"), *map(str, arguments)], check=True, **settings)

    def model(self, name, build):
        """The paths of a model as ONNX and as BEF, made if they are not there."""
        path = self.folder / "models" / f"{name}.onnx"
        if not path.exists() and build is None:
            public.fetch(path.parent, [package for package, files in
                                       ((p.partition("==")[0], f) for p, f in public.PACKAGES.items())
                                       if any(file == path.name for file, _, _ in files)])
        elif not path.exists():
            import onnx

            builder = Builder(name, "ts")
            build(builder)
            onnx.save(builder.model(), path)
        bef = path.with_suffix(".bef")
        import_model(self.build_dir, path, bef)
        return path, bef

    # Ours.

    def size_flags(self, sizes, symbols):
        """What tells tfrt_run the sizes; tfrt_prof puts the batch in the place of {batch}."""
        flags = []
        for symbol in symbols - sizes.keys():
            flags += ["--dim", f"{symbol}={{batch}}"]
        for name, size in sizes.items():
            if isinstance(size, int):
                flags += ["--dim", f"{name}={size}"]
            else:
                flags += ["--shape", f"{name}=" + ",".join("{batch}" if dim < 0 else str(dim) for dim in size)]
        return flags

    def record(self, bef, to, batches, runs, flags, repetitions=1, threads=THREADS):
        done = self.prof("record", "--level", "all", "--batches", ",".join(map(str, batches)), "--runs", repetitions,
                         "-o", to, "--json", "--", self.tool("tfrt_run"), bef, "--random", "--runs", runs, "--threads",
                         threads, *flags, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return json.loads(done.stdout)

    # ONNX Runtime.

    def facts_of_machine(self, profile):
        """What of our profile is true of theirs, too."""
        keys = ("processor", "num_processors", "num_threads", "peak_flops", "peak_bandwidth", "peak_source")
        done = self.prof("query", profile, "SELECT key, value FROM property", "--json", stdout=subprocess.PIPE,
                         text=True)
        rows = json.loads(done.stdout)["sections"][0]["tables"][0]["rows"]
        return {key: value for key, value in rows if key in keys}

    def record_peer(self, name, path, sizes, batch, runs, facts):
        import onnxruntime as ort

        feeds = feeds_of(path, sizes, batch)
        for level in ("model", "layer"):
            raw = self.folder / "raw" / f"{name}.b{batch}.{level}.json"
            events = peer_events(ort, path, feeds, runs, level == "layer", self.folder / "raw")
            raw.write_text(json.dumps(events))
            to = self.folder / "profiles" / name / f"onnxruntime.b{batch}.{level}.pftrace"
            told = {**facts, "producer": f"onnxruntime {ort.__version__}", "target": "cpu", "model": name,
                    "batch": batch, "level": level}
            self.prof("export", raw, "-o", to, *(word for key, value in told.items()
                                                 for word in ("--set", f"{key}={value}")),
                      stderr=subprocess.DEVNULL)

    # All of it.

    def run_model(self, name, batches, runs):
        import onnx

        studied = STUDIED[name]
        begin = time.monotonic()
        path, bef = self.model(name, studied.build)
        inputs = catalogue.inputs_of(onnx.load(path, load_external_data=False))
        symbols = {dim for value, _, dims in inputs if value not in studied.sizes
                   for dim in dims if isinstance(dim, str)}
        profiles = self.folder / "profiles" / name
        self.record(bef, profiles, batches, runs, self.size_flags(studied.sizes, symbols))
        facts = self.facts_of_machine(next(profiles.glob("*.b1.model.1.pftrace")))
        for batch in batches:
            self.record_peer(name, path, studied.sizes, batch, runs, facts)
        say(f"{name}: {time.monotonic() - begin:.1f} s")

    def overhead(self, name, build, runs, repetitions):
        """Prints what recording costs, as tfrt_prof says."""
        _, bef = self.model(name, build)
        report = self.record(bef, self.folder / "overhead" / name, [1], runs, ["--dim", "batch={batch}"], repetitions,
                             threads=1)
        table = report["sections"][0]["tables"][0]
        names = [column["name"] for column in table["columns"]]
        for row in table["rows"]:
            cells = dict(zip(names, row))
            more, least = cells["overhead in all"], cells["overhead of minima"]
            print(f"{name}, level {cells['level']}: {cells['latency']:.3f} ms" +
                  (f", {100 * more:+.1f} %, of minima {100 * least:+.1f} %" if more is not None else ""), flush=True)


def feeds_of(path, sizes, batch):
    """The values that tfrt_run --random makes are alike: small numbers, and integers of 0 and 1."""
    import onnx

    random = np.random.default_rng(1)
    feeds = {}
    for name, dtype, dims in catalogue.inputs_of(onnx.load(path, load_external_data=False)):
        shape = sizes[name] if name in sizes else [
            dim if isinstance(dim, int) and dim > 0 else sizes.get(dim, -1) for dim in dims]
        shape = [batch if dim < 0 else dim for dim in shape]
        values = random.uniform(-1, 1, shape) if np.dtype(dtype).kind == "f" else random.integers(0, 2, shape)
        feeds[name] = np.array(values, dtype, order="C")
    return feeds


def peer_events(ort, path, feeds, runs, is_profiled, folder):
    """The events of runs, the first one, which warms up, left out."""
    ort.set_default_logger_severity(3)
    settings = ort.SessionOptions()
    settings.intra_op_num_threads, settings.inter_op_num_threads = THREADS, 1
    settings.enable_profiling = is_profiled
    settings.profile_file_prefix = str(folder / "onnxruntime")
    session = ort.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    events = []
    for _ in range(runs + 1):
        begin = time.perf_counter_ns()
        session.run(None, feeds)
        end = time.perf_counter_ns()
        # The form of its own events; times are microseconds.
        events.append({"cat": "Session", "pid": os.getpid(), "tid": os.getpid(), "ph": "X", "name": "model_run",
                       "ts": begin / 1e3, "dur": (end - begin) / 1e3, "args": {}})
    if not is_profiled:
        return events[1:]
    written = pathlib.Path(session.end_profiling())
    events = json.loads(written.read_text())
    written.unlink()
    second = sorted(event["ts"] for event in events if event.get("name") == "model_run")[1]
    return [event for event in events if event["ph"] == "M" or
            (event["ts"] >= second and not event["name"].startswith("session_"))]


def main(build_dir, folder, quick, names):
    study = Study(build_dir, folder)
    say(f"{THREADS} threads, load {os.getloadavg()[0]:.1f}")
    for name in names or (QUICK if quick else STUDIED):
        study.run_model(name, QUICK_BATCHES if quick else BATCHES, QUICK_RUNS if quick else RUNS)
    study.overhead("chain", small.chain, 50, 5)
    if not quick:
        study.overhead("resnet50", convnets.resnet50, 5, 5)
    for command, page in (("report", "stack.html"), ("compare", "compare.html")):
        begin = time.monotonic()
        study.prof(command, folder / "profiles", "-o", folder / page)
        say(f"{command}: {time.monotonic() - begin:.1f} s")
    with open(folder / "compare.txt", "w") as file:
        study.prof("compare", folder / "profiles", stdout=file)
    say(f"{folder / 'stack.html'}, {folder / 'compare.html'}")
