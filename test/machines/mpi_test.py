"""Training under MPI in two and in three processes gives what one process gives, and one that fails ends all.

usage: python mpi_test.py FOLDER EXAMPLE; mpi4py and a package with mpiexec, such as mpich, are installed for that
Python.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

WORKER = pathlib.Path(__file__).with_name("mpi_worker.py")


def run(processes, *program):
    mpiexec = pathlib.Path(sys.executable).with_name("mpiexec")
    command = [mpiexec, "-n", str(processes), sys.executable, "-X", "faulthandler", "-m", "mpi4py", *program]
    # Processes that outnumber the cores sleep while they wait, where the library can.
    return subprocess.run(command, capture_output=True, text=True, timeout=60,
                          env=os.environ | {"OMP_NUM_THREADS": "1"})


def trained(folder, processes):
    file = folder / f"weights{processes}.json"
    file.unlink(missing_ok=True)
    done = run(processes, WORKER, file)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(file.read_text())


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    alone = trained(folder, 1)
    for processes in (2, 3):
        together = trained(folder, processes)
        assert together.keys() == alone.keys() and len(alone) == 5
        for name, values in alone.items():
            difference = np.abs(np.array(values) - np.array(together[name])).max()
            print(f"{processes} processes: {name} differs from that of one by {difference:.1e}")
            assert difference <= 1e-6, (name, difference)
    failed = run(2, WORKER, "--fail")
    assert failed.returncode != 0 and "a failure of process 0" in failed.stderr, failed.stderr
    example = run(2, sys.argv[2])
    assert re.search(r"^2 processes, loss \d\.\d{4}, after 40 steps 0\.\d{4}$", example.stdout, re.M), example


main()
