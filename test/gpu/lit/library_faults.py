#!/usr/bin/env python3
"""Makes each function of the vendors' libraries fail once, in programs that call it.

The function's name and status must be those of an error at an op of the program. Functions that end something have
nowhere to report to, and change nothing. A function that no program calls is an error, too, unless it is one of EXCEPT.
Programs and exceptions have commas between them.

usage: library_faults.py TRANSLATE BEF_EXECUTOR FOLDER_OF_PROGRAMS FOLDER_OF_DECLARATIONS
LIBRARY=CODE:STATUS:PROGRAMS:EXCEPT...
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


ENDS = re.compile(r"Destroy")


def functions_of(folder, library):
    text = (folder / f"{library}_functions.h").read_text().replace("\\\n", " ")
    names = [name for name in re.findall(r"X\([\w \*]+, (\w+), \d+,", text) if name != "name"]
    for macro in re.findall(r"#define (TFRT_\w+)\(X, name, \w+\)", text):
        names += [name for name in re.findall(rf"{macro}\(X, (\w+), \w+\)", text) if name != "name"]
    return names


def run(executor, program, fault):
    environment = {**os.environ, "TFRT_GPU_DOUBLE": fault}
    return subprocess.run([executor, program], capture_output=True, text=True, env=environment, timeout=60)


def check(executor, compiled, name, function, code, status):
    """Empty, or what is wrong; None if the program does not call the function."""
    result = run(executor, compiled, f"fail={function}:1:{code}")
    output = result.stdout + result.stderr
    if "report:" in output:
        return f"{function} in {name}: the double reports something\n{output}"
    failed = re.compile(rf"\b{function}\b[^:]*: {status}")
    if not failed.search(output):
        return None if result.returncode == 0 else f"{function} in {name}: exit code {result.returncode}\n{output}"
    if ENDS.search(function):
        return f"{function} in {name}: an error of what ends something\n{output}"
    errors = [line for line in output.splitlines() if failed.search(line) and "error" in line]
    if not any(re.search(rf"{re.escape(name)}:\d+:\d+: error: ", line) for line in errors):
        return f"{function} in {name}: the error is at no op\n{output}"
    if result.returncode != 1:
        return f"{function} in {name}: exit code {result.returncode}\n{output}"
    return ""


def main():
    translate, executor = sys.argv[1:3]
    programs, declarations = (pathlib.Path(argument) for argument in sys.argv[3:5])
    wrong, num_checked = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        for argument in sys.argv[5:]:
            library, rest = argument.split("=")
            code, status, names, others = rest.split(":")
            compiled = {name: pathlib.Path(scratch, f"{name}.bef") for name in names.split(",")}
            for name, path in compiled.items():
                subprocess.run([translate, "-mlir-to-bef", programs / name, "-o", path], check=True)
            for function in functions_of(declarations, library):
                # Versions are no status; a library of a version is asked for by a setting.
                if function.endswith("GetVersion") or function in others.split(","):
                    continue
                answers = (check(executor, path, name, function, code, status) for name, path in compiled.items())
                error = next((answer for answer in answers if answer is not None), None)
                if error is None and not ENDS.search(function):
                    error = f"{function}: no program calls it"
                num_checked += 1
                if error:
                    wrong.append(error)
    print("\n".join(wrong))
    print(f"library_faults: {num_checked} functions failed once, {len(wrong)} wrong")
    sys.exit(1 if wrong or num_checked == 0 else 0)


if __name__ == "__main__":
    main()
