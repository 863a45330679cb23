#!/usr/bin/env python3
"""Checks that each alternative of each pattern of `ctest -R` in documents selects a test.

usage: check_selections.py BUILD_DIR [--without=WORD]... DOCUMENT...

The build lacks tests whose alternative has one of the words. Fails as well if a document has no pattern.
"""

import pathlib
import re
import subprocess
import sys

PATTERN = re.compile(r"\bctest\b[^\n`]* -R (?:'([^']+)'|([^\s`']+))")


def alternatives(pattern):
    """Of '^(a|b/(c|d))|e': ^a, ^b/c, ^b/d, e."""
    group = re.search(r"\(([^()]*)\)", pattern)
    if not group:
        return set(pattern.split("|"))
    chosen = (pattern[:group.start()] + each + pattern[group.end():] for each in group.group(1).split("|"))
    return set().union(*map(alternatives, chosen))


def check(names, words, document):
    """What is wrong, a line each."""
    text = document.read_text()
    found = [(text.count("\n", 0, match.start()) + 1, each) for match in PATTERN.finditer(text)
             for each in sorted(alternatives(match.group(1) or match.group(2)))]
    return [f"{document.name}:{line}: '{each}' selects no test" for line, each in found
            if not any(word in each for word in words) and not any(re.search(each, name) for name in names)
            ] + ([] if found else [f"{document.name} has no pattern"])


def main():
    listing = subprocess.run(["ctest", "--test-dir", sys.argv[1], "-N"], check=True, capture_output=True,
                             text=True).stdout
    words = [each.removeprefix("--without=") for each in sys.argv[2:] if each.startswith("--without=")]
    documents = [pathlib.Path(each) for each in sys.argv[2:] if not each.startswith("--without=")]
    names = re.findall(r"^ *Test +#\d+: (\S+)", listing, re.MULTILINE)
    errors = [error for document in documents for error in check(names, words, document)]
    print("\n".join(errors))
    sys.exit(1 if errors or not documents else 0)


if __name__ == "__main__":
    main()
