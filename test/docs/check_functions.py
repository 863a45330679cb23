#!/usr/bin/env python3
"""Checks that the functions which a document's tables name are in the files beside them.

usage: check_functions.py ROOT DOCUMENT

A row names a function and a file, both in backquotes: | `Class::Function` | `lib/x/file.cc` |, perhaps after a column
of text. The file must exist and have the function's name in front of a bracket. Fails as well if there is no such row.
Rows of the GPU half do not count in a tree where it is deleted.
"""

import pathlib
import re
import sys

import markdown

ROW = re.compile(r"^\|(?: [^|`]+ \|)? `((?:\w+::)*\w+)` \| `([\w.\-]+(?:/[\w.\-]+)+)` \|")


def main():
    root, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = 0
    errors = []
    for number, line in enumerate(document.read_text().splitlines(), 1):
        match = ROW.match(line)
        if not match:
            continue
        rows += 1
        function, path = match.groups()
        if markdown.is_deleted(root, path):
            continue
        if not (root / path).exists():
            errors.append(f"{document}:{number}: there is no {path}")
        elif not re.search(rf"\b{function.split('::')[-1]}(<\w+>)?\(", (root / path).read_text()):
            errors.append(f"{document}:{number}: there is no function {function} in {path}")
    print("\n".join(errors))
    if rows == 0:
        print(f"{document} has no table of functions")
    return 1 if errors or rows == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
