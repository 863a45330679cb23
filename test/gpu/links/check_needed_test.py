#!/usr/bin/env python3
"""Links programs that need a vendor's library, or do not, and expects check_needed.py to tell which.

usage: check_needed_test.py READELF CXX_COMPILER
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_needed

READELF, CXX = (sys.argv.pop(1) for _ in range(2))


class CheckNeededTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        (self.root / "a.cc").write_text('extern "C" int vendor() { return 0; }\n')
        (self.root / "b.cc").write_text('extern "C" int vendor();\nint main() { return vendor(); }\n')

    def link(self, *arguments):
        subprocess.run([CXX, *arguments], cwd=self.root, check=True)

    def check(self):
        num_files, errors = check_needed.check_build(READELF, self.root)
        return num_files, [error.removeprefix(f"{self.root}/") for error in errors]

    def test_program_that_needs_it(self):
        self.link("-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "a.cc", "-o", "libcuda.so.1")
        self.link("b.cc", "libcuda.so.1", "-o", "program")
        self.assertEqual(self.check(), (2, ["program: needs libcuda.so.1"]))

    def test_library_that_needs_it(self):
        self.link("-shared", "-fPIC", "-Wl,-soname,libcudnn_ops.so.9", "a.cc", "-o", "libcudnn_ops.so.9")
        (self.root / "lib").mkdir()
        self.link("-shared", "-fPIC", "b.cc", "libcudnn_ops.so.9", "-o", "lib/plugin.so")
        self.assertEqual(self.check(), (2, ["lib/plugin.so: needs libcudnn_ops.so.9"]))

    def test_what_has_the_name_without_needing_it(self):
        self.link("-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "a.cc", "-o", "libcuda.so.1")
        self.link("a.cc", "b.cc", "-o", "libcuda_user")
        self.assertEqual(self.check(), (2, []))

    def test_others_are_left_out(self):
        self.link("-c", "a.cc", "-o", "a.o")
        (self.root / "short").write_bytes(b"\x7fELF")
        (self.root / "link").symlink_to("/bin/sh")
        self.assertEqual(self.check(), (0, []))


if __name__ == "__main__":
    unittest.main()
