#!/usr/bin/env python3
"""Every script is one that bash reads, and in which shellcheck, where it is installed, finds nothing.

usage: syntax_test.py SOURCE_DIR
"""

import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCE_DIR = pathlib.Path(sys.argv.pop(1))
SCRIPTS = [*sorted(SOURCE_DIR.glob("scripts/*.sh")), SOURCE_DIR / ".ci/run"]


class SyntaxTest(unittest.TestCase):
    def check(self, *command):
        done = subprocess.run(command, cwd=SOURCE_DIR, capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_bash_reads_them(self):
        for script in SCRIPTS:
            self.check("bash", "-n", script)

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shellcheck_finds_nothing(self):
        self.check("shellcheck", "--external-sources", "--severity=warning", *SCRIPTS)


if __name__ == "__main__":
    unittest.main()
