#!/usr/bin/env python3
"""Compares how much there is to compile in a build folder with what is committed; more than 10 % off fails.

usage: compile_work.py BUILD_FOLDER FIGURES.json [--update] [--largest=N]

Counts the compile commands, and for each object the lines of its source and of all headers that it reads, as ninja's
list of dependencies has them: a header counts once for each object that reads it, precompiled or not. Time is left to
benchmarks, as neighbours of a machine take some. --largest prints the objects that read most.
"""

import argparse
import json
import pathlib
import subprocess
import sys

TOLERANCE = 0.10


def read_dependencies(build):
    """Yields (object, files) of what ninja has built."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    for block in text.split("\n\n"):
        head, *files = block.strip().split("\n")
        name = head.split(":")[0]
        if name.endswith(".o") and "(VALID)" in head:
            yield name, [build / file.strip() for file in files]


def measure(build):
    commands = json.loads((build / "compile_commands.json").read_text())
    wanted = {command["output"] for command in commands if "output" in command}
    wanted = wanted or {command["command"].split(" -o ")[1].split()[0] for command in commands}
    lines_of, lines = {}, {}
    for name, files in read_dependencies(build):
        if name not in wanted:
            continue
        for file in files:
            if file not in lines_of:
                is_text = file.suffix not in (".pch", ".gch") and file.exists()
                lines_of[file] = file.read_bytes().count(b"\n") if is_text else 0
        lines[name] = sum(lines_of[file] for file in files)
    return len(commands), lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("figures", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--largest", type=int, default=0)
    options = parser.parse_args()
    commands, lines = measure(options.build.resolve())
    for name, count in sorted(lines.items(), key=lambda item: -item[1])[: options.largest]:
        print(f"{count:9} {name}")
    if len(lines) < 0.9 * commands:
        print(f"only {len(lines)} of {commands} objects are built; build all targets first")
        return 77
    found = {"compile_commands": commands, "lines": sum(lines.values())}
    if options.update:
        options.figures.write_text(json.dumps(found, indent=2) + "\n")
    wanted = json.loads(options.figures.read_text())
    failed = False
    for name, value in found.items():
        change = value / wanted[name] - 1
        print(f"{name}: {value}, committed {wanted[name]}, {change:+.1%}")
        failed |= abs(change) > TOLERANCE
    if failed:
        print("If this is meant, run this again with --update; docs/testing.md says what keeps builds short.")
    return failed


if __name__ == "__main__":
    sys.exit(main())
