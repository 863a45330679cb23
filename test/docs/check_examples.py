#!/usr/bin/env python3
"""Runs every program printed in the documentation.

usage: check_examples.py BIN_DIR DOCUMENT...

A ```mlir fence is a program. If a ```text fence follows it directly, that is what bef_executor prints on
standard output, without its two "Choosing ..." lines, and the tool must succeed. Otherwise the program must
compile.
"""

import pathlib
import subprocess
import sys
import tempfile

import markdown

NUM_START_UP_LINES = 2


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


def check_program(bin_dir, program, expected, folder):
    """Returns what is wrong, or None."""
    (folder / "example.mlir").write_text(program)
    compiled = run([bin_dir / "mlir_to_bef", "example.mlir", "-o", "example.bef"], folder)
    if compiled.returncode != 0:
        return "does not compile:\n" + compiled.stderr
    if expected is None:
        return None
    result = run([bin_dir / "bef_executor", "example.bef"], folder)
    output = "".join(result.stdout.splitlines(keepends=True)[NUM_START_UP_LINES:])
    if output != expected:
        return f"prints\n{output}instead of\n{expected}{result.stderr}"
    if result.returncode != 0:
        return f"exits with {result.returncode}:\n{result.stderr}"
    return None


def main():
    bin_dir = pathlib.Path(sys.argv[1]).resolve()
    num_programs = num_outputs = num_errors = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sys.argv[2:]:
            fences, _ = markdown.split(pathlib.Path(path).read_text())
            for index, fence in enumerate(fences):
                if fence.language != "mlir":
                    continue
                num_programs += 1
                expected = None
                if index + 1 < len(fences) and fences[index + 1].language == "text" \
                        and fences[index + 1].follows_previous:
                    expected = fences[index + 1].text
                    num_outputs += 1
                error = check_program(bin_dir, fence.text, expected, pathlib.Path(folder))
                if error:
                    num_errors += 1
                    print(f"{path}:{fence.line}: the program {error}")
    print(f"check_examples: {num_programs} programs, {num_outputs} with output, {num_errors} errors")
    sys.exit(1 if num_errors or not num_programs else 0)


if __name__ == "__main__":
    main()
