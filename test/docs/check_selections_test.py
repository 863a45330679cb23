#!/usr/bin/env python3
"""check_selections.py finds a pattern of which a part selects no test, and a document without patterns."""

import pathlib
import tempfile
import unittest

import check_selections

NAMES = ["unit/host/device_test", "docs/links", "gpu/lit/programs"]


class CheckSelectionsTest(unittest.TestCase):
    def errors(self, text, words=()):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            return check_selections.check(NAMES, words, page)

    def test_clean(self):
        self.assertEqual(self.errors("`ctest -R 'unit/(host|op)_?/|^docs/(links|li)'`", ["unit/op"]), [])
        self.assertEqual(self.errors("1. `ctest --test-dir build/ci -R device_test`, and more\n"), [])

    def test_nothing_selected(self):
        self.assertEqual(self.errors("\n`ctest -R 'host/(device|gone)_test|^links|gpu/device_code'`\n"),
                         ["page.md:2: '^links' selects no test", "page.md:2: 'gpu/device_code' selects no test",
                          "page.md:2: 'host/gone_test' selects no test"])

    def test_left_out(self):
        self.assertEqual(self.errors("`ctest -R 'gpu/ptx|docs/names'`", ["gpu"]),
                         ["page.md:1: 'docs/names' selects no test"])

    def test_no_pattern(self):
        self.assertEqual(self.errors("`ctest --preset ci`\n"), ["page.md has no pattern"])

    def test_groups_in_groups(self):
        self.assertEqual(check_selections.alternatives("^(a|b/(c|d))|e"), {"^a", "^b/c", "^b/d", "e"})


if __name__ == "__main__":
    unittest.main()
