#!/usr/bin/env python3
"""Checks that no two functions among the ops are equal but for names.

A function, or a lambda, of 12 statements or more is read as tokens: comments do not count, texts are all alike, and
so are names, if the same ones are equal in both.

usage: check_copies.py SOURCE_DIR
"""

import collections
import pathlib
import re
import sys

FOLDERS = ("lib/ops/graph_kernels", "lib/ops/host_ops", "lib/ops/kernels", "lib/ops/maths", "lib/compat/corert_kernels",
           "lib/compat/tensor_kernels", "lib/compat/test_kernels", "include/tfrt/core_runtime",
           "include/tfrt/kernel_maths", "include/tfrt/kernels")
MIN_STATEMENTS = 12
TOKEN = re.compile(r"""
    (?P<skip>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<other>\d[\w.']*|\S)
""", re.VERBOSE | re.MULTILINE | re.DOTALL)
KEYWORDS = frozenset(
    "auto bool break case char const constexpr continue default delete do double else false float for if inline int "
    "long new nullptr operator return short signed sizeof static static_cast struct switch template this true typename "
    "unsigned using void while".split())
CONTROL = ("if", "for", "while", "do", "switch", "case")
NO_FUNCTION = ("if", "for", "while", "switch", "constexpr")


def tokens_of(source):
    """(token, line) of each, with texts alike."""
    found, line, at = [], 1, 0
    for match in TOKEN.finditer(source):
        line += source.count("\n", at, match.start())
        at = match.start()
        if not match["skip"]:
            found.append(('""' if match["text"] else match[0], line))
    return found


def matching(tokens):
    """Of each opening bracket the place of its end, and the other way round."""
    pairs, open_at = {}, []
    for place, (token, _) in enumerate(tokens):
        if token in ("(", "{", "["):
            open_at.append(place)
        elif token in (")", "}", "]") and open_at:
            begin = open_at.pop()
            pairs[begin], pairs[place] = place, begin
    return pairs


def is_function(tokens, pairs, brace):
    """Whether the brace opens the body of a function or a lambda: parameters come before it, and no control
    statement."""
    at = brace - 1
    while at > 0 and tokens[at][0] != ")":
        if tokens[at][0] in (";", "{", "}", "=", ","):
            return False
        at -= 1
    begin = pairs.get(at, 0)
    return begin > 0 and tokens[begin - 1][0] not in NO_FUNCTION


def statements(body):
    depth = count = 0
    for token in body:
        depth += (token == "(") - (token == ")")
        count += token in CONTROL or (token == ";" and depth == 0)
    return count


def normalised(body):
    names = {}
    return " ".join(names.setdefault(token, f"n{len(names)}") if re.match(r"[A-Za-z_]", token) and token not in KEYWORDS
                    else token for token in body)


def functions(source):
    """(line, normalised body) of each large function."""
    tokens = tokens_of(source)
    pairs = matching(tokens)
    for place, (token, line) in enumerate(tokens):
        if token == "{" and place in pairs and is_function(tokens, pairs, place):
            body = [token for token, _ in tokens[place + 1:pairs[place]]]
            if statements(body) >= MIN_STATEMENTS:
                yield line, normalised(body)


def check_tree(root):
    """The number of large functions, and the copies among them."""
    places = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cc", ".h"):
                for line, body in functions(path.read_text()):
                    places[body].append(f"{path.relative_to(root).as_posix()}:{line}")
    return len(places), [f"{same[0]}: the same function is in {', '.join(same[1:])}"
                         for same in places.values() if len(same) > 1]


def main():
    num_functions, errors = check_tree(pathlib.Path(sys.argv[1]))
    for error in errors:
        print(error)
    print(f"check_copies: {num_functions} functions of {MIN_STATEMENTS} statements or more, {len(errors)} errors")
    sys.exit(1 if errors or not num_functions else 0)


if __name__ == "__main__":
    main()
