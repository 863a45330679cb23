"""Compares what models give with ONNX Runtime's results without optimisation, at three sizes of each symbol."""

import statistics
import subprocess

import numpy as np

from . import catalogue, peers

# Of the outputs' standard deviation, or of 5 % of the largest one where that is more.
TOLERANCE = 1e-4
# So many other inputs say whether what is off once is off as a rule, and so many chunks of a stream are run.
SAMPLES = 9
CHUNKS = 6


class ImportFailed(Exception):
    pass


def import_model(build_dir, model, bef):
    """Makes a BEF file of a model unless there is one that is newer than the model and the importer."""
    tool = build_dir / "bin/tfrt_import"
    newest = max(model.stat().st_mtime, tool.stat().st_mtime)
    if bef.exists() and bef.stat().st_mtime > newest:
        return
    done = subprocess.run([tool, model, "-o", bef], capture_output=True, text=True)
    if done.returncode != 0:
        raise ImportFailed(f"tfrt_import: {(done.stderr.strip() or f'exit code {done.returncode}')[-400:]}")


def difference(ours, theirs):
    """How far an output is off, in units of what is tolerated; infinite if it is something else."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return np.inf
    if theirs.dtype.kind != "f":
        return 0.0 if np.array_equal(ours, theirs) else np.inf
    if theirs.size == 0:
        return 0.0
    if not np.array_equal(np.isnan(ours), np.isnan(theirs)):
        return np.inf
    ours, theirs = np.nan_to_num(ours.astype(np.float64)), np.nan_to_num(theirs.astype(np.float64))
    scale = max(theirs.std(), 0.05 * np.abs(theirs).max(), np.finfo(np.float32).tiny)
    return float(np.abs(ours - theirs).max() / (TOLERANCE * scale))


def check(name, build_dir, cache):
    """Yields, for each set of sizes, the sizes, the largest difference of an output, that of the same output of
    ONNX Runtime with optimisation, and the output's name."""
    import onnx

    path = catalogue.path_of(name, cache)
    bef = cache / f"{name}.bef"
    import_model(build_dir, path, bef)
    model = catalogue.model_of(name)
    inputs = catalogue.inputs_of(onnx.load(path, load_external_data=False))
    sets = [model.sizes, *(model.more_sizes if not name.endswith(".dynamo") else [])]
    feeds = [catalogue.feeds(inputs, sizes, seed, model.reads_pages) for seed, sizes in enumerate(sets)]
    theirs, optimised = peers.OnnxRuntime(path, feeds[0], optimised=False), peers.OnnxRuntime(path, feeds[0])
    ours = peers.Tfrt(build_dir, bef, feeds[0])
    try:
        # The first sizes once more at the end: what is kept of them must still be right.
        for sizes, feed in [*zip(sets, feeds), (sets[0], feeds[0])]:
            expected, others, found = theirs.outputs(feed), optimised.outputs(feed), ours.outputs(feed)
            if missing := expected.keys() - found.keys():
                yield sizes, np.inf, 0.0, f"no output {', '.join(missing)}"
                continue
            worst, key = max((difference(found[key], expected[key]), key) for key in expected)
            other = difference(others[key], expected[key])
            if verdict(worst, other) == WRONG and np.isfinite(worst):
                worst, other = medians(key, [catalogue.feeds(inputs, sizes, seed, model.reads_pages)
                                             for seed in range(SAMPLES)], ours, theirs, optimised)
                key += f", median of {SAMPLES} inputs"
            yield sizes, worst, other, key
        if "state" in feeds[0]:
            for sizes, feed in zip(sets, feeds):
                yield sizes, *carried(feed, ours, theirs, optimised), f"after {CHUNKS} chunks"
    finally:
        ours.close()


def medians(key, feeds, ours, theirs, optimised):
    """Of the differences of ours and of ONNX Runtime with optimisation at these inputs."""
    expected = [theirs.outputs(feed)[key] for feed in feeds]
    return [statistics.median(difference(runner.outputs(feed)[key], values) for feed, values in zip(feeds, expected))
            for runner in (ours, optimised)]


def carried(feed, ours, theirs, optimised):
    """The differences after some chunks of a stream, each runtime going on from its own state."""
    results = []
    for runner in (theirs, ours, optimised):
        random = np.random.default_rng(7)
        chunk = dict(feed)
        for _ in range(CHUNKS):
            chunk["input"] = random.standard_normal(feed["input"].shape).astype(feed["input"].dtype)
            outputs = runner.outputs(chunk)
            chunk["state"] = outputs["stateN"]
        results.append(outputs)
    expected = results[0]
    return [max(difference(found[key], expected[key]) for key in expected) for found in results[1:]]


WRONG = " **wrong**"


def verdict(worst, others):
    """Sharp outputs (a sigmoid at an edge, a softmax over thousands) enlarge any rounding: where ONNX Runtime is off
    itself, up to three times as much is no error of ours."""
    if worst <= 1:
        return ""
    return " (as ONNX Runtime)" if worst <= 3 * others else WRONG


def main(names, build_dir, cache):
    """Prints a row for each model and set of sizes. Returns whether all is right."""
    print("| model | sizes | largest difference / tolerance | of ONNX Runtime, optimised | output |")
    print("|---|---|---:|---:|---|")
    right = True
    for name in names:
        try:
            for sizes, worst, others, output in check(name, build_dir, cache):
                judged = verdict(worst, others)
                print(f"| {name} | {sizes} | {worst:.3f}{judged} | {others:.3f} | {output} |", flush=True)
                right = right and judged != WRONG
        except (ImportFailed, OSError, RuntimeError) as error:
            print(f"| {name} | | **failed** | | {' '.join(str(error).split())} |", flush=True)
            right = False
    return right
