#!/usr/bin/env python3
"""Tests that hang fail, and are named; tests without a deadline are found.

usage: check_deadlines_test.py SOURCE_DIR HANGING_TESTS [LIT]
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import check_deadlines

SOURCE_DIR, PROGRAM = sys.argv[1:3]
LIT = sys.argv[3:4]


def run(test, seconds):
    return subprocess.run([PROGRAM, f"--gtest_filter={test}"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "TFRT_TEST_DEADLINE_SECONDS": seconds})


class DeadlineTest(unittest.TestCase):
    def test_hanging_tests_fail_with_their_names(self):
        for name in ("OnALatch", "OnAConditionVariable", "OnAThread", "InALoop"):
            result = run(f"HangingTest.{name}", "1")
            self.assertEqual(result.returncode, -signal.SIGABRT)
            self.assertIn(f"HangingTest.{name} has not ended after 1 seconds\n", result.stderr)

    def test_other_tests_pass(self):
        for seconds in ("60", "0"):
            self.assertEqual(run("EndingTest.AtOnce", seconds).returncode, 0)

    def test_deadline_that_is_no_number(self):
        for seconds in ("soon", "-1", "1s", ""):
            result = run("EndingTest.AtOnce", seconds)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(result.stderr, f"TFRT_TEST_DEADLINE_SECONDS is '{seconds}', "
                                            "not a number of seconds\n")


@unittest.skipUnless(LIT, "this build has no lit tests")
class LitTest(unittest.TestCase):
    def test_hanging_program_fails_with_its_name(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "hangs.test").write_text("RUN: sleep 600\n")
            pathlib.Path(folder, "lit.site.cfg.py").write_text(
                "for name in ('source_dir', 'tools_dir', 'binary_dir'):\n"
                "    setattr(config, 'tfrt_' + name, '.')\n"
                "config.llvm_tools_dir = '.'\n"
                f"lit_config.load_config(config, {str(pathlib.Path(SOURCE_DIR, 'test/lit/lit.cfg.py'))!r})\n"
                f"config.test_source_root = config.test_exec_root = {folder!r}\n")
            result = subprocess.run([LIT[0], "-v", "-D", "test_seconds=1", folder], capture_output=True,
                                    text=True, timeout=60)
            self.assertEqual(result.returncode, 1)
            self.assertIn("TIMEOUT: tfrt :: hangs.test", result.stdout)


class CheckDeadlinesTest(unittest.TestCase):
    def test_tests_without_deadline_are_found(self):
        def test(name, *properties):
            return {"name": name, "properties": [{"name": n, "value": v} for n, v in properties]}

        listing = {"tests": [test("limited", ("LABELS", ["a"]), ("TIMEOUT", 60.0)),
                             test("unlimited", ("LABELS", ["a"])), test("zero", ("TIMEOUT", 0.0)),
                             {"name": "bare"}]}
        self.assertEqual(check_deadlines.missing_deadlines(listing), ["unlimited", "zero", "bare"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
