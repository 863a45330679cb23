#!/usr/bin/env python3
"""Checks that the C++ printed in a document is that of a source file, which the build compiles.

usage: check_quotes.py DOCUMENT SOURCE[,SOURCE...] [PROGRAM]

Each ```cpp fence of the document must be consecutive lines of one of the sources; indentation, line breaks and
blank lines do not count. If a ```text fence follows it directly, that is what PROGRAM, which is built from the
source, prints; paths are shown without their folders.
"""

import pathlib
import re
import subprocess
import sys

import markdown


def normalise(code):
    return "".join(code.split())


def main():
    document = pathlib.Path(sys.argv[1])
    sources = [pathlib.Path(source) for source in sys.argv[2].split(",")]
    wholes = [normalise(source.read_text()) for source in sources]
    fences, _ = markdown.split(document.read_text())
    num_quotes = num_errors = 0
    for index, fence in enumerate(fences):
        if fence.language != "cpp":
            continue
        num_quotes += 1
        if not any(normalise(fence.text) in whole for whole in wholes):
            num_errors += 1
            print(f"{document}:{fence.line}: this is not in {', '.join(source.name for source in sources)}:\n"
                  f"{fence.text}")
        following = fences[index + 1] if index + 1 < len(fences) else None
        if following and following.language == "text" and following.follows_previous:
            output = subprocess.run(sys.argv[3:4], capture_output=True, text=True, check=True, timeout=60).stdout
            output = re.sub(r"[^\s]*/", "", output)
            if output != following.text:
                num_errors += 1
                print(f"{document}:{fence.line}: the program prints\n{output}instead of\n{following.text}")
    print(f"check_quotes: {num_quotes} quotations, {num_errors} errors")
    sys.exit(1 if num_errors or not num_quotes else 0)


if __name__ == "__main__":
    main()
