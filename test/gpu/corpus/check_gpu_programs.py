#!/usr/bin/env python3
"""Runs the GPU programs of another project, unmodified, by their own RUN lines, and compares which pass with a list.

usage: check_gpu_programs.py LIST TOOLS... [--only REGEX] [--seconds N]

The variable TFRT_GPU_PROGRAMS names the folder of the programs; without it nothing is run (exit code 77). TOOLS are
folders of the programs that RUN lines call. LIST names each program of the folder, and what it does: see its head. A
program that does something else is a failure, and so is one that only the folder or only the list has.
"""

import argparse
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
RUN = re.compile(r"^\s*(?://|#)\s*RUN:\s*(.*)$", re.MULTILINE)
LINE = re.compile(r"(\S+) (passes|fails|skipped)(?:: (.+))?$")


def read_list(path):
    """Each program's outcome, and why it does not pass."""
    expected = {}
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        match = LINE.match(line)
        if not match or (match[2] == "passes") != (match[3] is None) or match[1] in expected:
            sys.exit(f"check_gpu_programs: a line of {path.name} is wrong or comes twice: {line}")
        expected[match[1]] = (match[2], match[3])
    return expected


def commands_of(text):
    """The RUN lines; one that ends with a backslash goes on in the next."""
    return " \n".join(RUN.findall(text)).replace("\\ \n", "").split(" \n")


def run_program(source, compiled, environment, seconds):
    """Empty, or how it failed. `%s.bef` in a command is the compiled program."""
    commands = [command for command in commands_of(source.read_text()) if command]
    if not commands:
        return "it has no RUN line"
    if any("%s.bef" in command for command in commands):
        commands.insert(0, "mlir_to_bef %s -o %s.bef")
    for command in commands:
        line = command.replace("%s.bef", str(compiled)).replace("%s", str(source))
        process = subprocess.Popen(["bash", "-o", "pipefail", "-c", line], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace", env=environment,
                                   start_new_session=True)
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the whole pipeline: it has a session of its own
            process.communicate()
            return f"it runs longer than {seconds} seconds"
        if process.returncode != 0:
            return f"exit code {process.returncode} of: {command}\n{output}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("tools", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=120)
    arguments = parser.parse_args()
    folder = os.environ.get("TFRT_GPU_PROGRAMS")
    if not folder:
        print("check_gpu_programs: skipped, TFRT_GPU_PROGRAMS names no folder")
        sys.exit(SKIPPED)
    root = pathlib.Path(folder).resolve()
    expected = read_list(arguments.list)
    found = {path.relative_to(root).as_posix() for path in root.rglob("*.mlir")}
    wrong = [f"{name}: it is not in the list" for name in sorted(found - expected.keys())]
    wrong += [f"{name}: it is not in the folder" for name in sorted(expected.keys() - found)]
    environment = {**os.environ, "PATH": os.pathsep.join([*arguments.tools, os.environ["PATH"]])}
    num_passed, reasons = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for name in sorted(found & expected.keys()):
            if not re.search(arguments.only, name):
                continue
            outcome, reason = expected[name]
            if reason:
                reasons[f"{outcome}: {reason}"] += 1
            if outcome == "skipped":
                continue
            begin = time.monotonic()
            error = run_program(root / name, pathlib.Path(scratch) / "program.bef", environment, arguments.seconds)
            num_passed += not error
            print(f"{name} {'fails' if error else 'passes'}, {time.monotonic() - begin:.1f} s", flush=True)
            if bool(error) != (outcome == "fails"):
                wrong.append(f"{name}: {error or 'it passes, but the list says: ' + reason}")
    for reason, count in sorted(reasons.items()):
        print(f"{count} {reason}")
    print("\n".join(wrong))
    print(f"check_gpu_programs: {num_passed} of {len(found)} programs pass, {len(wrong)} are not as the list says")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
