#!/usr/bin/env python3
"""check_commands.py finds commands that fail and outputs that differ, and lets times be others.

usage: check_commands_test.py CHECK_COMMANDS
"""

import pathlib
import subprocess
import sys
import tempfile

FINE = """```sh
cat made.txt
```
```text
run  1.50 ms
```

```sh
! false
```
"""


def check(text):
    """Returns whether the document is fine."""
    with tempfile.TemporaryDirectory() as folder:
        document = pathlib.Path(folder, "document.md")
        document.write_text(text)
        done = subprocess.run([sys.executable, sys.argv[1], "/usr/bin", document,
                               "echo 'run 22.75 ms' > made.txt; echo 'W 2026-11-22 log' >> made.txt"],
                              capture_output=True, check=False)
        return done.returncode == 0


assert check(FINE)
assert not check(FINE.replace("! false", "false"))
assert not check(FINE.replace("run ", "ran "))
assert not check(FINE.replace("1.50 ms", "1 ms"))
assert not check("no commands\n")
