#!/usr/bin/env python3
"""A server without disk space or descriptors, and its end under load. usage: exhaustion_test.py TFRT_SERVE"""

import pathlib
import sys
import tempfile
import unittest

import faults

PROGRAM = sys.argv.pop()


class ExhaustionTest(unittest.TestCase):
    """One test of each episode of faults.py."""


def add_test(name, episode):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            if reason := episode(PROGRAM, pathlib.Path(folder)):
                self.skipTest(reason)

    setattr(ExhaustionTest, "test_" + name.replace(" ", "_"), test)


for episode in faults.EPISODES:
    add_test(*episode)


if __name__ == "__main__":
    unittest.main()
