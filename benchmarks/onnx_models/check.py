"""Compares what models give with ONNX Runtime's results without optimisation, at three sizes of each symbol."""

import subprocess

import numpy as np

from . import catalogue, peers

# Of the outputs' standard deviation, or of 5 % of the largest one where that is more.
TOLERANCE = 1e-4


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
    """Yields, for each set of sizes, the sizes and the largest difference of an output with its name."""
    import onnx

    path = catalogue.path_of(name, cache)
    bef = cache / f"{name}.bef"
    import_model(build_dir, path, bef)
    model = catalogue.model_of(name)
    inputs = catalogue.inputs_of(onnx.load(path, load_external_data=False))
    sets = [model.sizes, *(model.more_sizes if not name.endswith(".dynamo") else [])]
    feeds = [catalogue.feeds(inputs, sizes, seed) for seed, sizes in enumerate(sets)]
    theirs = peers.OnnxRuntime(path, feeds[0], optimised=False)
    ours = peers.Tfrt(build_dir, bef, feeds[0])
    try:
        # The first sizes once more at the end: what is kept of them must still be right.
        for sizes, feed in [*zip(sets, feeds), (sets[0], feeds[0])]:
            expected, found = theirs.outputs(feed), ours.outputs(feed)
            if missing := expected.keys() - found.keys():
                yield sizes, np.inf, f"no output {', '.join(missing)}"
                continue
            yield sizes, *max((difference(found[key], expected[key]), key) for key in expected)
    finally:
        ours.close()


def main(names, build_dir, cache):
    """Prints a row for each model and set of sizes. Returns whether all is right."""
    print("| model | sizes | largest difference / tolerance | output |")
    print("|---|---|---:|---|")
    right = True
    for name in names:
        try:
            for sizes, worst, output in check(name, build_dir, cache):
                print(f"| {name} | {sizes} | {worst:.3f}{'' if worst <= 1 else ' **wrong**'} | {output} |", flush=True)
                right = right and worst <= 1
        except (ImportFailed, OSError, RuntimeError) as error:
            print(f"| {name} | | **failed** | {' '.join(str(error).split())} |", flush=True)
            right = False
    return right
