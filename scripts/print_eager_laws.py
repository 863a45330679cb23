#!/usr/bin/env python3
"""Prints what `tfrt_prof eager --json` says of the laws of eager execution, and whether results agree between modes.

usage: print_eager_laws.py EAGER.json

The results are read from the files MODEL.MODE.bBATCH.txt beside it, if run_eager_study.sh wrote them. Exit code 1 if
the results of a model and batch depend on the mode; a law that fails is a finding, not an error.
"""

import collections
import json
import pathlib
import sys


def table(report, name):
    """The rows of a table, as dictionaries by the names of its columns."""
    for section in report["sections"]:
        for found in section["tables"]:
            if found["id"] == name:
                names = [column["name"] for column in found["columns"]]
                return [dict(zip(names, row)) for row in found["rows"]]
    raise SystemExit(f"there is no table {name}")


def print_aligned(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def check_results(folder):
    """Of each model and batch all modes must have one checksum."""
    found = collections.defaultdict(dict)
    for path in sorted(folder.glob("*.b*.txt")):
        model, mode, batch = path.name.removesuffix(".txt").split(".")
        for line in path.read_text().splitlines():
            if line.startswith("checksum: "):
                found[model, batch][mode] = line.removeprefix("checksum: ")
    wrong = {key: modes for key, modes in found.items() if len(set(modes.values())) != 1}
    for (model, batch), modes in wrong.items():
        print(f"{model}, batch {batch[1:]}: results depend on the mode: {modes}", file=sys.stderr)
    return not wrong


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    path = pathlib.Path(sys.argv[1])
    report = json.loads(path.read_text())
    columns = ("law", "model", "mode", "by batch", "verdict")
    print_aligned([columns] + [tuple(row[name] for name in columns) for row in table(report, "eager-laws")])
    return 0 if check_results(path.parent) else 1


if __name__ == "__main__":
    sys.exit(main())
