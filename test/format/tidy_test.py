#!/usr/bin/env python3
"""Plants a fault in a small tree: scripts/tidy.py finds it in a file that differs from main, and in no other file.

usage: tidy_test.py SOURCE_DIR
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
FAULT = "inline int* N() { return 0; }\n"  # modernize-use-nullptr


class TidyTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.root = pathlib.Path(self.temporary.name).resolve()
        (self.root / "scripts").mkdir()
        for name in ("scripts/tidy.py", ".clang-tidy"):
            shutil.copy(SOURCE / name, self.root / name)
        self.plant("lib/old.cc", FAULT)
        self.plant("lib/new.cc", "int Zero() { return 0; }\n")
        # A unity build: the sources are included.
        unity = self.plant("build/Unity/unity_0.cxx",
                           f'#include "{self.root}/lib/old.cc"\n#include "{self.root}/lib/new.cc"\n')
        self.plant("build/compile_commands.json", json.dumps(
            [{"directory": str(self.root), "file": str(unity), "command": f"clang++ -std=c++20 -c {unity}"}]))
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("add", "lib")
        self.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--message=first")

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, *arguments], check=True)

    def tidy(self, *arguments):
        result = subprocess.run([self.root / "scripts/tidy.py", "--build", self.root / "build", *arguments],
                                capture_output=True, text=True, timeout=120)
        if result.returncode == 77:
            self.skipTest(result.stderr)
        return result

    def test_a_folder_with_a_configuration(self):
        self.plant("lib/.clang-tidy", "InheritParentConfig: true\nChecks: '-modernize-use-nullptr'\n")
        self.plant("lib/new.cc", FAULT.replace("N()", "M()"))
        self.assertEqual(self.tidy().returncode, 0)

    def test_what_differs(self):
        self.assertEqual(self.tidy().returncode, 0)
        self.plant("lib/new.cc", FAULT.replace("N()", "M()"))
        result = self.tidy()
        self.assertEqual(result.returncode, 1)
        self.assertIn("lib/new.cc:1", result.stdout)
        self.assertNotIn("lib/old.cc", result.stdout)

    def test_all(self):
        result = self.tidy("--all")
        self.assertEqual(result.returncode, 1)
        self.assertIn("lib/old.cc:1", result.stdout)

    def test_skips(self):
        (self.root / "build/compile_commands.json").unlink()
        result = subprocess.run([self.root / "scripts/tidy.py", "--build", self.root / "build"], capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 77)


if __name__ == "__main__":
    unittest.main()
