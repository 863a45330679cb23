#!/usr/bin/env python3
"""Configures the project without its GPU half: left out by option, and with its folders deleted.

Neither may fail, make a target of it, or include it.

usage: check_removal.py SOURCE_DIR CMAKE GENERATOR C_COMPILER CXX_COMPILER BUILD_COMPILER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REMOVED = ("gpu", "test/gpu")
NOT_SOURCES = re.compile(r"^(\.git|build.*|out|\.cache|__pycache__)$")


def copy_without(source, copy):
    """The source tree as links to its files, without the removed folders."""
    for folder, folders, files in os.walk(source):
        relative = os.path.relpath(folder, source)
        folders[:] = [name for name in folders
                      if not NOT_SOURCES.match(name) and os.path.normpath(f"{relative}/{name}") not in REMOVED]
        (copy / relative).mkdir(exist_ok=True)
        for name in files:
            shutil.copyfile(os.path.join(folder, name), copy / relative / name)


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stdout, result.stderr, sep="\n")
    return result


def configure(what, source, build, options):
    """Errors, as a list of texts."""
    if run(options[0], "-S", source, "-B", build, *options[1:]).returncode != 0:
        return [f"{what}: cannot be configured"]
    result = run("ctest", "--test-dir", build, "-N")
    errors = [f"{what}: has the test {name}" for name in re.findall(r"Test +#\d+: (gpu/\S+)", result.stdout)]
    if "Total Tests:" not in result.stdout or "Total Tests: 0" in result.stdout:
        errors.append(f"{what}: has no tests")
    targets = run(options[0], "--build", build, "--target", "help").stdout
    errors += [f"{what}: has the target {name}"
               for name in sorted(set(re.findall(r"\btfrt_gpu_(?:abi|wrapper|runtime|kernels|profiler)\b", targets)))]
    if "tfrt_support" not in targets:
        errors.append(f"{what}: has no targets")
    return errors


def main():
    source, cmake, generator, cc, cxx, compiler = sys.argv[1:]
    options = [cmake, "-G", generator, f"-DCMAKE_C_COMPILER={cc}", f"-DCMAKE_CXX_COMPILER={cxx}",
               f"-DTFRT_BUILD_COMPILER={compiler}"]
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        errors += configure("with TFRT_BUILD_GPU=OFF", source, root / "off", options + ["-DTFRT_BUILD_GPU=OFF"])
        copy_without(source, root / "source")
        errors += configure("without gpu/", root / "source", root / "deleted", options)
        if run(sys.executable, root / "source/test/layering/check_includes.py", root / "source").returncode != 0:
            errors.append("without gpu/: something includes it")
    for error in errors:
        print(f"check_removal: {error}")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
