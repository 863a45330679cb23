#!/usr/bin/env python3
"""Checks that the headers of include/, lib/, dialects/ and gpu/ compile alone, those of the runtime island without
MLIR.

A source file includes its own header first, so that compiling it without precompiled headers proves the header.
A header that no source file proves, of those that have been built, is compiled here; those of the compiler are left out
where it is not built.

usage: check_headers.py SOURCE_DIR BUILD_DIR
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import check_includes

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
COMPILER = re.compile(r"(^|/)[\w-]*(g\+\+|clang\+\+|c\+\+)[\w.-]*$")
SOURCE_FOLDERS = ("lib", "dialects", "gpu", "tools")
COMPILER_FOLDERS = ("include/tfrt/compiler/", "lib/compiler/", "dialects/")
KEPT_FLAGS = ("-D", "-I", "-std=")


class Command:
    """How the build compiles one source file."""

    def __init__(self, entry):
        arguments = shlex.split(entry["command"])
        self.compiler = next(a for a in arguments if COMPILER.search(a))  # behind a launcher
        self.flags = []  # those that an embedding program has, too
        for i, argument in enumerate(arguments):
            if argument.startswith(KEPT_FLAGS):
                self.flags.append(argument)
            elif argument == "-isystem":
                self.flags += arguments[i:i + 2]
        self.has_prefix = "-include" in arguments
        output = arguments[arguments.index("-o") + 1] if "-o" in arguments else None
        self.was_compiled = output is not None and pathlib.Path(entry["directory"], output).exists()
        self.sees_mlir = any(re.search("llvm|mlir", flag) for flag in self.flags)


def read_commands(root, build):
    """By path in the source tree."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = os.path.relpath(entry["file"], root)
        if path.startswith(SOURCE_FOLDERS):
            commands[path] = Command(entry)
    return commands


def spelled(header):
    """The header as an #include names it."""
    return header.removeprefix("include/")


def own_headers(root):
    """By source without its ending: the header beside it, or the installed one of its library and name."""
    tables = check_includes.Tables(root)
    found = {}
    for path in sorted((root / "include").rglob("*.h")):
        header = path.relative_to(root).as_posix()
        found[tables.owner(header)[1], path.stem] = header
    def own(source):
        stem = source.removesuffix(".cc")
        if (root / (stem + ".h")).exists():
            return stem + ".h"
        return found.get((tables.owner(source)[1], pathlib.PurePath(stem).name))
    return own


def check_own_headers(root):
    """Sources with their first include, and errors for those whose own header is not it."""
    first = {}
    errors = []
    own_header = own_headers(root)
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*.cc")):
            source = path.relative_to(root).as_posix()
            match = INCLUDE.search(path.read_text())
            first[source] = match.group(1) if match else None
            own = own_header(source)
            if own and first[source] not in (spelled(own), os.path.basename(own)):
                errors.append(f"{source}: includes {first[source]} before its own header {own}")
    return first, errors


def proven_headers(first, commands):
    proven = set()
    for source, include in first.items():
        command = commands.get(source)
        if command and command.was_compiled and not command.has_prefix:
            if source.startswith(COMPILER_FOLDERS) or not command.sees_mlir:
                proven.add(include)
    return proven


def compile_alone(root, header, command):
    result = subprocess.run(
        [command.compiler, *command.flags, "-fsyntax-only", "-x", "c++", "-"],
        input=f'#include "{spelled(header)}"\n', capture_output=True, text=True, cwd=root)
    if result.returncode == 0:
        return None
    lines = result.stderr.splitlines()
    message = next((line for line in lines if "error:" in line), lines[0] if lines else "")
    return f"{header}: does not compile alone: {message}"


def check_tree(root, build):
    """Numbers of headers and of those compiled here, and what is wrong."""
    first, errors = check_own_headers(root)
    commands = read_commands(root, build)
    proven = proven_headers(first, commands)
    runtime = next(c for s, c in commands.items() if s.startswith("lib/base/support/"))
    compiler = next((c for s, c in commands.items() if s.startswith("lib/compiler/")), None)
    if runtime.sees_mlir:
        errors.append("lib/base/support is compiled where it could include MLIR")
    headers = [path.relative_to(root).as_posix()
               for folder in ("include", "lib", "dialects", "gpu") for path in sorted((root / folder).rglob("*.h"))]
    alone = []
    for header in headers:
        command = compiler if header.startswith(COMPILER_FOLDERS) else runtime
        if command and spelled(header) not in proven:
            alone.append((root, header, command))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors += [error for error in pool.map(lambda call: compile_alone(*call), alone) if error]
    return len(headers), len(alone), errors


def main():
    num_headers, num_alone, errors = check_tree(pathlib.Path(sys.argv[1]).resolve(),
                                                pathlib.Path(sys.argv[2]))
    for error in errors:
        print(error)
    print(f"check_headers: {num_headers} headers, {num_alone} of them compiled alone, {len(errors)} errors")
    sys.exit(1 if errors or not num_headers else 0)


if __name__ == "__main__":
    main()
