"""Runs cases by conformance_runner and reads their results."""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
import onnx

# Thousands of small files are made and removed: on a disk that takes as long as what is tested.
MEMORY = "/dev/shm"


@dataclasses.dataclass
class Outcome:
    state: str  # pass: it ran; refused; wrong: its graph could not be compiled, or its process ended
    reason: str
    results: list  # for each set of inputs its outputs, of a case that ran


def write_case(case, folder):
    folder.mkdir(parents=True)
    onnx.save(case.model, folder / "model.onnx")
    for i, feeds in enumerate(case.feeds):
        data = folder / f"test_data_set_{i}"
        data.mkdir()
        for k, (name, array) in enumerate(feeds.items()):
            (data / f"input_{k}.pb").write_bytes(onnx.numpy_helper.from_array(array, name).SerializeToString())


def run(runner, cases, numerics):
    """An Outcome for each case, by name."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="random_models", dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    try:
        for i, case in enumerate(cases):
            write_case(case, folder / str(i))
        lines = "".join(f"{i}\t{folder / str(i)}\n" for i in range(len(cases)))
        command = [runner, f"--numerics={numerics}", "--write-results", "--jobs=1"]
        output = subprocess.run(command, input=lines, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True).stdout
        outcomes = {}
        for line in output.splitlines():
            state, i, reason = line.split("\t", 2)
            case = cases[int(i)]
            results = []
            if state == "pass":
                results = [[np.load(folder / i / f"test_data_set_{k}" / f"result_{n}.npy")
                            for n in range(len(case.model.graph.output))] for k in range(len(case.feeds))]
            outcomes[case.name] = Outcome(state, reason, results)
        return outcomes
    finally:
        shutil.rmtree(folder)
