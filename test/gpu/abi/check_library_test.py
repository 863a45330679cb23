#!/usr/bin/env python3
"""Plants differences in copies of our headers and expects check_library.py to name each.

usage: check_library_test.py SOURCE_DIR CXX_COMPILER NM INCLUDE_DIR LIBRARY
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import check_library

SOURCE = pathlib.Path(sys.argv.pop(1))
CXX, NM, INCLUDE, LIBRARY = (sys.argv.pop(1) for _ in range(4))


def check(source, include):
    command = [sys.executable, check_library.__file__, "cudnn", "--source", source, "--cxx", CXX, "--nm", NM]
    return subprocess.run([*command, "--include", include, "--library", LIBRARY], capture_output=True, text=True)


class CheckLibraryTest(unittest.TestCase):
    def test_no_header(self):
        result = check(SOURCE, "")
        self.assertEqual(result.returncode, 77)
        self.assertIn("skipped: no cudnn.h", result.stdout)

    def test_differences(self):
        if not INCLUDE:
            self.skipTest("no cudnn.h")
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            for part in ("gpu/abi", "test/gpu/abi"):
                shutil.copytree(SOURCE / part, copy / part)
            said = []
            for header, old, new, expected in (
                    ("types", "CUDNN_DATA_HALF = 2", "CUDNN_DATA_HALF = 3",
                     "CUDNN_DATA_HALF: ours is 3, the vendor's is 2"),
                    ("result", "CUDNN_STATUS_BAD_PARAM, 2000", "CUDNN_STATUS_BAD_PARAM, 2100",
                     "CUDNN_STATUS_BAD_PARAM: ours is 2100, the vendor's is 2000"),
                    ("functions", "int num_dims, const int* dims, \\\n     const int* strides)",
                     "int num_dims, const long* dims, \\\n     const int* strides)",
                     "cudnnSetTensorNdDescriptor: the types differ")):
                path = copy / "gpu/abi" / f"cudnn_{header}.h"
                text = path.read_text()
                self.assertEqual(text.count(old), 1, old)
                path.write_text(text.replace(old, new))
                said.append(expected)
            result = check(copy, INCLUDE)
            self.assertEqual(result.returncode, 1)
            for expected in said:
                self.assertIn(expected, result.stdout)
            self.assertIn(f"{len(said)} errors", result.stdout)

    def test_a_name_that_the_oldest_library_lacks(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            shutil.copytree(SOURCE / "gpu/abi", copy / "gpu/abi")
            path = copy / "gpu/abi/cudnn_functions.h"
            text = path.read_text()
            path.write_text(text.replace("cudnnBackendExecute, 8000", "cudnnBackendPopulateCudaGraph, 8000"))
            result = check(copy, "")
            self.assertEqual(result.returncode, 1)
            self.assertIn("cudnnBackendPopulateCudaGraph: cudnn.txt does not have it", result.stdout)


if __name__ == "__main__":
    unittest.main()
