#!/usr/bin/env python3
"""check_functions.py finds a function that is not in its file, a file that does not exist, and a document without rows.

usage: check_functions_test.py CHECK_FUNCTIONS
"""

import pathlib
import subprocess
import sys
import tempfile


def run(script, text):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "lib").mkdir()
        (root / "lib" / "here.cc").write_text("void Here(int x) {}\n// Comment\n")
        (root / "document.md").write_text(text)
        return subprocess.run([sys.executable, script, folder, str(root / "document.md")],
                              capture_output=True, text=True)


def main():
    script = sys.argv[1]
    good = run(script, "| `ns::Here` | `lib/here.cc` |\n| 1 | `Here` | `lib/here.cc` | more |\n")
    assert good.returncode == 0, good.stdout
    for text, message in (
            ("| `Here` | `lib/here.cc` |\n| `Comment` | `lib/here.cc` |\n",
             "document.md:2: there is no function Comment in lib/here.cc"),
            ("| `Here` | `lib/gone.cc` |\n", "document.md:1: there is no lib/gone.cc"),
            ("| `lib/here.cc` |\n", "has no table of functions")):
        bad = run(script, text)
        assert bad.returncode == 1 and message in bad.stdout, bad.stdout


main()
