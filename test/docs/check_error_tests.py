#!/usr/bin/env python3
"""Fails if fewer than 15 % of the lit tests test an error.

usage: check_error_tests.py LIT_DIR

A test counts if it has an expected-error comment, uses -verify-diagnostics, or runs a tool with `not`.
"""

import pathlib
import re
import sys

MINIMUM_SHARE = 0.15
ERROR_TEST = re.compile(r"expected-error|-verify-diagnostics|^.*RUN:.*\bnot ", re.MULTILINE)
RUN_LINE = re.compile(r"^\s*(//|#|;)\s*RUN:", re.MULTILINE)


def main():
    texts = [p.read_text(errors="replace") for p in pathlib.Path(sys.argv[1]).rglob("*")
             if p.suffix in {".mlir", ".test"}]
    tests = [text for text in texts if RUN_LINE.search(text)]
    errors = [text for text in tests if ERROR_TEST.search(text)]
    print(f"check_error_tests: {len(errors)} of {len(tests)} lit tests test an error")
    sys.exit(0 if tests and len(errors) >= MINIMUM_SHARE * len(tests) else 1)


if __name__ == "__main__":
    main()
