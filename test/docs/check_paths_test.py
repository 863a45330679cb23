#!/usr/bin/env python3
"""check_paths.py finds a path that does not exist, and a document without paths.

usage: check_paths_test.py CHECK_PATHS
"""

import pathlib
import subprocess
import sys
import tempfile


def run(script, text, gpu=True):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "lib").mkdir()
        if gpu:
            (root / "gpu").mkdir()
        (root / "lib" / "here.cc").touch()
        (root / "document.md").write_text(text)
        return subprocess.run([sys.executable, script, folder, str(root / "document.md")],
                              capture_output=True, text=True)


def main():
    script = sys.argv[1]
    good = run(script, "| a | `lib/here.cc` |\n")
    assert good.returncode == 0, good.stdout
    bad = run(script, "| a | `lib/here.cc` |\n| b | `lib/gone.cc` |\n")
    assert bad.returncode == 1 and "document.md:2: there is no lib/gone.cc" in bad.stdout, bad.stdout
    steps = run(script, "1. `lib/here.cc`\n   and `lib/gone.cc`\n`lib/no_step.cc`\n")
    assert steps.returncode == 1 and "document.md:2: there is no lib/gone.cc" in steps.stdout, steps.stdout
    assert "no_step" not in steps.stdout
    text = "| a | `lib/here.cc` |\n| b | `test/gpu/a.cc` |\n"
    assert run(script, text).returncode == 1
    assert run(script, text, gpu=False).returncode == 0, "the GPU half is deleted"
    empty = run(script, "no table\n\n")
    assert empty.returncode == 1 and "names no paths" in empty.stdout, empty.stdout


main()
