#!/usr/bin/env python3
"""Plants missing tests in a small source tree and expects check_tests.py to name each."""

import pathlib
import tempfile
import unittest

import check_tests

TREE = {
    "lib/base/async/chain.cc": "",
    "test/unit/async/chain_test.cc": "TEST(ChainTest, Ready) {}\n",
    "test/unit/async/CMakeLists.txt": "add_tfrt_test(async_test SOURCES chain_test.cc)\n",
    "lib/runtime/executor/run.cc": "",
    "test/unit/executor/run_test.cc": "\nTEST_P(RunTest, Runs) {}\n",
    "test/unit/executor/CMakeLists.txt": "foreach(test run_test)\n",
    "lib/runtime/tensor/shape.cc": "",
    "gpu/wrapper/status.cc": "",
    "test/gpu/unit/wrapper/status_test.cc": "TEST(StatusTest, Names) {}\n",
    "test/gpu/unit/wrapper/CMakeLists.txt": "add_tfrt_test(gpu_wrapper SOURCES status_test.cc)\n",
}


class CheckTestsTest(unittest.TestCase):
    def expect(self, planted, *errors):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, **planted}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            self.assertEqual(check_tests.check_tree(pathlib.Path(folder))[1], list(errors))

    def test_tree_is_clean(self):
        self.expect({})

    def test_no_test(self):
        self.expect({"lib/base/async/value.cc": ""},
                    "lib/base/async/value.cc: there is no test/unit/async/value_test.cc")
        self.expect({"gpu/wrapper/more.cc": ""}, "gpu/wrapper/more.cc: there is no test/gpu/unit/wrapper/more_test.cc")

    def test_nothing_tested(self):
        self.expect({"test/unit/executor/run_test.cc": "// TEST(\n"},
                    "lib/runtime/executor/run.cc: its test has no TEST")

    def test_not_built(self):
        self.expect({"test/unit/async/CMakeLists.txt": "add_tfrt_test(blockchain_test)\n"},
                    "lib/base/async/chain.cc: its test is not built")


if __name__ == "__main__":
    unittest.main()
