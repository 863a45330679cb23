#!/usr/bin/env python3
"""Checks that the files which a document's tables name exist.

usage: check_paths.py ROOT DOCUMENT

A path is what stands in backquotes in a table's row or a numbered step and has a slash and no space. Fails as well if
none is named. Paths of the GPU half do not count in a tree where it is deleted.
"""

import pathlib
import re
import sys

import markdown


def main():
    root, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    paths = 0
    missing = []
    for number, line in enumerate(document.read_text().splitlines(), 1):
        if not re.match(r"\||\d+\. |   \S", line):
            continue
        for path in re.findall(r"`([\w.\-]+(?:/[\w.\-]+)+)`", line):
            paths += 1
            if not (root / path).exists() and not markdown.is_deleted(root, path):
                missing.append(f"{document}:{number}: there is no {path}")
    print("\n".join(missing))
    if paths == 0:
        print(f"{document} names no paths")
    return 1 if missing or paths == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
