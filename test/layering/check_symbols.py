#!/usr/bin/env python3
"""Checks that runtime binaries hold no symbol of LLVM or MLIR, defined or used.

usage: check_symbols.py NM FILE...
"""

import re
import subprocess
import sys

FOREIGN = re.compile(r"\b(?:llvm|mlir)::")


def main():
    nm, files = sys.argv[1], sys.argv[2:]
    errors = []
    num_symbols = 0
    for path in files:
        result = subprocess.run([nm, "-C", path], capture_output=True, text=True, check=True)
        symbols = result.stdout.splitlines()
        num_symbols += len(symbols)
        errors += [f"{path}: {line}" for line in symbols if FOREIGN.search(line)]
    for error in errors[:20]:
        print(error)
    print(f"check_symbols: {num_symbols} symbols in {len(files)} files, {len(errors)} foreign")
    sys.exit(1 if errors or not num_symbols else 0)


if __name__ == "__main__":
    main()
