#!/usr/bin/env python3
"""Prints the product's lines, by folder: what git has of them.

usage: count_lines.py SOURCE_DIR
"""

import collections
import pathlib
import subprocess
import sys

FOLDERS = ("lib", "include", "gpu", "dialects", "python/src")


def count(root):
    """Of each folder and library the number of lines."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", *FOLDERS], check=True, capture_output=True, text=True)
    lines = collections.Counter()
    for name in listed.stdout.split("\0")[:-1]:
        path = pathlib.Path(root, name)
        if path.suffix == ".md" or not path.exists():
            continue
        folder = next(folder for folder in FOLDERS if name.startswith(folder + "/"))
        below = name[len(folder) + 1:].removeprefix("tfrt/").split("/")
        number = path.read_bytes().count(b"\n")
        lines[folder] += number
        if len(below) > 1:
            lines[f"{folder}/{below[0]}"] += number
    return lines


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lines = count(sys.argv[1])
    for name, number in sorted(lines.items()):
        print(f"{number:8} {name}")
    print(f"{sum(lines[folder] for folder in FOLDERS):8} in all")


if __name__ == "__main__":
    main()
