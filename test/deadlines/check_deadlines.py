#!/usr/bin/env python3
"""Checks that every test of a build has a deadline.

usage: check_deadlines.py CTEST BUILD_DIR
"""

import json
import subprocess
import sys


def missing_deadlines(listing):
    """The names of tests in `ctest --show-only=json-v1` that could hang for as long as they like."""
    return [test["name"] for test in listing["tests"]
            if not any(p["name"] == "TIMEOUT" and p["value"] > 0 for p in test.get("properties", []))]


def main():
    ctest, build = sys.argv[1:]
    listing = json.loads(subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True,
                                        capture_output=True, text=True, timeout=60).stdout)
    names = missing_deadlines(listing)
    for name in names:
        print(f"{name}: has no TIMEOUT (tfrt_limit_tests in cmake/TfrtTargets.cmake gives one)")
    print(f"check_deadlines: {len(listing['tests'])} tests, {len(names)} without a deadline")
    sys.exit(1 if names or not listing["tests"] else 0)


if __name__ == "__main__":
    main()
