#!/usr/bin/env python3
"""Where files were before the nine wings and where they are now (0020-nine-wings.md).

usage: 0020-moves.py                   the moves, a line each: old -> new
       0020-moves.py PATH[:LINE] ...   the new path of each
       0020-moves.py --patch < OLD > NEW
                                       a patch for the old tree as one for the new: paths, includes, pages
"""

import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).with_name("0020-moves.txt")


def read_moves():
    return dict(line.split() for line in TABLE.read_text().splitlines())


def as_included(path):
    return re.sub(r"^(gpu/)?include/", "", path)


def in_new_tree(patch, moves):
    """The patch with each path and each included header as they are now."""
    names = dict(moves)
    for old, new in moves.items():
        names[as_included(old)] = as_included(new)
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(rf"(?:(?<![\w/.-])|(?<=\s[ab]/))({words})(?![\w/-]|\.\w)", lambda match: names[match[1]], patch)


def main():
    moves = read_moves()
    if sys.argv[1:] == ["--patch"]:
        sys.stdout.write(in_new_tree(sys.stdin.read(), moves))
    elif sys.argv[1:]:
        for argument in sys.argv[1:]:
            path, colon, line = argument.partition(":")
            print(moves.get(path, path) + colon + line)
    else:
        print("\n".join(f"{old} -> {new}" for old, new in moves.items()))


if __name__ == "__main__":
    main()
