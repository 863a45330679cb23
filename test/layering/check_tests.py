#!/usr/bin/env python3
"""Checks that each source file of the libraries where it is promised has its unit test.

The test of lib/x/y.cc is test/unit/x/y_test.cc, that of gpu/x/y.cc test/gpu/unit/x/y_test.cc; it has tests, and a
CMakeLists.txt beside it names it.

usage: check_tests.py SOURCE_DIR
"""

import pathlib
import re
import sys

# Folders of sources, and of their tests.
LIBRARIES = (("lib/base/async", "test/unit/async"), ("lib/base/work_queue", "test/unit/work_queue"),
             ("lib/runtime/executor", "test/unit/executor"), ("gpu/wrapper", "test/gpu/unit/wrapper"))
TEST = re.compile(r"^TEST(_F|_P)?\(", re.MULTILINE)


def check_tree(root):
    """The number of source files, and what is wrong with their tests."""
    sources = [(path, root / tests)
               for library, tests in LIBRARIES for path in sorted((root / library).glob("*.cc"))]
    errors = []
    for source, folder in sources:
        test = folder / f"{source.stem}_test.cc"
        name = source.relative_to(root).as_posix()
        if not test.exists():
            errors.append(f"{name}: there is no {test.relative_to(root).as_posix()}")
        elif not TEST.search(test.read_text()):
            errors.append(f"{name}: its test has no TEST")
        elif not re.search(rf"\b{source.stem}(_test)?\b", (folder / "CMakeLists.txt").read_text()):
            errors.append(f"{name}: its test is not built")
    return len(sources), errors


def main():
    num_sources, errors = check_tree(pathlib.Path(sys.argv[1]))
    for error in errors:
        print(error)
    print(f"check_tests: {num_sources} source files, {len(errors)} errors")
    sys.exit(1 if errors or not num_sources else 0)


if __name__ == "__main__":
    main()
