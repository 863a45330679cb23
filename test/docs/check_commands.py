#!/usr/bin/env python3
"""Runs every command printed in a document.

usage: check_commands.py BIN_DIR DOCUMENT SETUP

A ```sh fence is run by bash, in a folder in which the command SETUP has made what there is to start with. It must
succeed. If a ```text fence follows it directly, that is what it prints, on both streams, but for lines of the log, such
as that a library is missing; numbers with a decimal point, which are times, may be others, and so may the spaces before
them.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import markdown

LOG = re.compile(r"[IWE] \d{4}-\d\d-\d\d ")
TIME = re.compile(r"\s*\d+\.\d+(?=\D|$)")


def without_times(text):
    return [re.sub(r"\s+(?=-\s|-$)", " ", TIME.sub(" #", line)).rstrip() for line in text.splitlines()
            if not LOG.match(line)]


def run(command, folder, environment):
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)


def check(fence, expected, folder, environment):
    """Returns what is wrong, or None."""
    done = run(fence.text, folder, environment)
    if done.returncode != 0:
        return f"ends with {done.returncode}:\n{done.stdout}"
    if expected is not None and without_times(done.stdout) != without_times(expected):
        return f"prints\n{done.stdout}instead of\n{expected}"
    return None


def main():
    bin_dir, path, setup = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}")
    fences, _ = markdown.split(pathlib.Path(path).read_text())
    num_commands = num_errors = 0
    with tempfile.TemporaryDirectory() as folder:
        made = run(setup, folder, environment)
        if made.returncode != 0:
            sys.exit(made.stdout)
        for index, fence in enumerate(fences):
            if fence.language != "sh":
                continue
            num_commands += 1
            follower = fences[index + 1] if index + 1 < len(fences) else None
            expected = follower.text if follower and follower.language == "text" and follower.follows_previous else None
            error = check(fence, expected, folder, environment)
            if error:
                num_errors += 1
                print(f"{path}:{fence.line}: the command {error}")
    print(f"check_commands: {num_commands} commands, {num_errors} errors")
    sys.exit(1 if num_errors or not num_commands else 0)


if __name__ == "__main__":
    main()
