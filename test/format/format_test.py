#!/usr/bin/env python3
"""Plants what is not formatted in a small tree: scripts/format.sh finds it, and mends what it can.

usage: format_test.py SOURCE_DIR
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1), "scripts", "format.sh")
STYLE = SCRIPT.parents[1] / ".clang-format"
LONG = " ".join(["word"] * 30)
TREE = {
    "lib/a.h": "// A comment.\nint F(int a, int b);\n",
    "lib/a.mlir": "// RUN: true\n",
    "a.md": "Text.\n",
    "empty.py": "",
    "build/b.cc": "int   F( ) ;   \n",
    "lib/made.cc": f"// Made by a script. Do not edit.\nint   a;\n// {LONG}\n",
}


class FormatTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.root = pathlib.Path(self.temporary.name)
        (self.root / ".clang-format").write_bytes(STYLE.read_bytes())
        for name, text in TREE.items():
            self.plant(name, text)

    def plant(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def format(self, *arguments):
        return subprocess.run([SCRIPT, *arguments, self.root], capture_output=True, text=True, timeout=60)

    def expect_mended(self, name, text, mended):
        self.plant(name, text)
        result = self.format("--check")
        self.assertEqual(result.returncode, 1, f"{name} passed")
        self.assertIn(name, result.stdout + result.stderr)
        self.assertEqual((self.root / name).read_text(), text, "--check changes nothing")
        self.assertEqual(self.format().returncode, 0)
        self.assertEqual((self.root / name).read_text(), mended)
        self.assertEqual(self.format("--check").returncode, 0)

    def test_tree_is_clean(self):
        result = self.format("--check")
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))
        self.assertEqual(self.format().returncode, 0)
        for name, text in TREE.items():
            self.assertEqual((self.root / name).read_text(), text)

    def test_spaces_in_cxx(self):
        self.expect_mended("lib/b.cc", "int  F( int a ) ;\n", "int F(int a);\n")

    def test_long_line_of_code(self):
        self.expect_mended("lib/b.h", f"int Function({', '.join(['int'] * 20)}, double, double);\n",
                           f"int Function({', '.join(['int'] * 17)},\n"
                           "             int, int, int, double, double);\n")

    def test_long_comment(self):
        self.expect_mended("lib/b.h", f"// {LONG}\n",
                           f"// {' '.join(['word'] * 19)}\n// {' '.join(['word'] * 11)}\n")

    def test_spaces_and_newline_at_the_end_of_texts(self):
        self.expect_mended("lib/b.mlir", "a  \nb\t\n", "a\nb\n")
        self.expect_mended("b.md", "a\nb", "a\nb\n")
        self.expect_mended("CMakeLists.txt", "a \n", "a\n")

    def test_table_in_a_comment_stays_and_must_fit(self):
        table = "// Names:\n//   a    the first\n//   b    the second\n"
        self.plant("lib/b.h", table)
        self.assertEqual(self.format().returncode, 0)
        self.assertEqual((self.root / "lib/b.h").read_text(), table)
        self.plant("lib/b.h", f"{table}//   c    {LONG}\n")
        for arguments in ((), ("--check",)):
            result = self.format(*arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn("more than 100 columns", result.stderr)

    def test_columns_are_characters(self):
        self.plant("lib/b.h", "//   " + "\u00e4" * 95 + "\n")
        self.assertEqual(self.format("--check").returncode, 0)
        self.plant("lib/b.h", "//   " + "\u00e4" * 96 + "\n")
        self.assertEqual(self.format("--check").returncode, 1)

    def test_unknown_argument(self):
        self.assertEqual(self.format("--chek").returncode, 2)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        if subprocess.run([SCRIPT, "--check", empty], timeout=60).returncode == 77:
            sys.exit(77)  # there is no clang-format
    unittest.main()
