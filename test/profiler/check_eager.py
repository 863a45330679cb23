#!/usr/bin/env python3
"""Records LeNet-5 op by op in SYNC and ASYNC mode, and looks at what tfrt_prof makes of the profiles.

usage: check_eager.py EAGER_MODELS TFRT_PROF FOLDER
"""

import json
import pathlib
import shutil
import subprocess
import sys

BATCHES = (1, 64)
MODES = ("sync", "async-fifo")
# The ops that a step of LeNet-5 calls, each once.
NUM_OPS = 8


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=60, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def rows_of(report, name):
    """The rows of a table, as dictionaries by the names of its columns."""
    for section in report["sections"]:
        for table in section["tables"]:
            if table["id"] == name:
                names = [column["name"] for column in table["columns"]]
                return [dict(zip(names, row)) for row in table["rows"]]
    raise SystemExit(f"there is no table {name}")


def expect(condition, *what):
    if not condition:
        raise SystemExit(" ".join(map(str, what)))


def record(program, tool, folder):
    """A profile of each batch and mode. All modes have one result."""
    for batch in BATCHES:
        results = set()
        for mode in MODES:
            text = run(tool, "record", "--no-peaks", "-o", folder / f"lenet.{mode}.b{batch}.pftrace", "--", program,
                       "--model", "lenet", "--batch", batch, "--mode", mode, "--steps", 1, "--threads", 2)
            results.add(text.split("checksum: ")[1])
        expect(len(results) == 1, "results depend on the mode:", results)


def check_runs(report):
    runs = {(row["mode"], row["batch"]): row for row in rows_of(report, "eager-runs")}
    expect(set(runs) == {(mode, batch) for mode in MODES for batch in BATCHES}, "runs:", sorted(runs))
    for (mode, batch), row in runs.items():
        expect(row["model"] == "lenet" and row["target"] == "cpu", row)
        expect(row["ops"] == NUM_OPS, row)
        # In FIFO order one thread takes the ops; in SYNC mode nobody does.
        expect(row["executors"] == (0 if mode == "sync" else 1), row)
        expect(abs(row["time"] * 1000 / batch - row["time per item"]) < 0.01 * row["time per item"], row)
    shares = {}
    for row in rows_of(report, "eager-shares"):
        shares.setdefault(row["run"], {})[row["part"]] = row["share"]
    expect(len(shares) == len(runs), shares)
    for run_name, parts in shares.items():
        expect(abs(sum(parts.values()) - 1) < 1e-9, run_name, parts)
        expect(parts["gpu"] == 0 and 0 < parts["cpu"] < 1, run_name, parts)


def check_phases(report):
    """Each op is enqueued and has a kernel. SYNC calls that take the short ways end with their kernels."""
    phases = rows_of(report, "eager-phases")
    for phase in ("enqueue", "dequeue", "cpu"):
        counts = [row["ops"] for row in phases
                  if row["phase"] == phase and (phase != "dequeue" or " sync " not in row["run"])]
        num_modes = len(MODES) - (phase == "dequeue")
        expect(counts == [NUM_OPS] * len(BATCHES) * num_modes, phase, counts)


def check_laws(report):
    laws = rows_of(report, "eager-laws")
    expect(len(laws) == 4 * len(MODES), laws)
    for law in laws:
        expect(law["by batch"].startswith("1: ") and "64: " in law["by batch"], law)
        expect(law["verdict"].split(":")[0] in ("holds", "holds with ties", "fails"), law)


def check_mistakes(program):
    for arguments, message in (
            (("--mode", "later"), "the mode is sync, async-dataflow or async-fifo, not 'later'"),
            (("--model", "vgg"), "there is no model 'vgg', only lenet, resnet50 and bert"),
            (("--batch", "0"), "--batch is '0', not a whole number from 1 to 1000000"),
            (("--batches", "1"), "unknown argument --batches"),
            (("--steps",), "no value behind --steps")):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
        expect(done.returncode == 1 and message in done.stderr, arguments, done.stderr)


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    program, tool = sys.argv[1:3]
    folder = pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    record(program, tool, folder)
    report = json.loads(run(tool, "eager", folder, "--json"))
    expect(not report["doubts"], report["doubts"])
    check_runs(report)
    check_phases(report)
    check_laws(report)
    check_mistakes(program)


if __name__ == "__main__":
    main()
