#!/usr/bin/env python3
"""Reads C++ with clang-tidy 22, by the checks in .clang-tidy. Fails if it finds something.

usage: tidy.py [--all] [--build FOLDER]
  default   the files that differ from the branch main, or from where this branch left it
  --all     everything that .clang-tidy's HeaderFilterRegex names
  --build   a build folder of clang (build/ci): its compile commands, precompiled headers and generated headers are used

Ends with 77, which CTest reports as skipped, without clang-tidy 22, a build of clang, git or a branch main.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRODUCT = re.compile(r"(include|lib|dialects|gpu|tools|python/src)/.*\.(h|cc)$")


def skip(reason):
    print(f"tidy: {reason}", file=sys.stderr)
    sys.exit(77)


def find_tidy():
    for name in ("clang-tidy-22", "clang-tidy"):
        if shutil.which(name) and " 22." in subprocess.run([name, "--version"], capture_output=True, text=True).stdout:
            return name
    skip("no clang-tidy 22: run scripts/install_dependencies.sh")


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def changed_files():
    base = next((base for name in ("origin/main", "main") if (base := git("merge-base", "HEAD", name))), None)
    if base is None:
        skip("no git, or no branch main")
    names = git("diff", "--name-only", "--diff-filter=d", base.strip())
    names += git("ls-files", "--others", "--exclude-standard")
    return {name for name in names.splitlines() if PRODUCT.match(name)}


def members(source):
    """The files that a source of a unity build includes; otherwise itself."""
    if "/Unity/" not in source:
        return {source}
    return set(re.findall(r'^#include "(.*)"', pathlib.Path(source).read_text(), re.MULTILINE))


def config_of(source):
    """clang-tidy looks for a configuration above the source.

    That of a unity build lies elsewhere than what it includes.
    """
    for name in members(source):
        for folder in pathlib.Path(name).parents:
            if (folder / ".clang-tidy").exists():
                return [] if folder == ROOT else [f"--config-file={folder / '.clang-tidy'}"]
    return []


def headers_of(build):
    """By output: the files that it was made of, as ninja has noted them."""
    found, output = {}, None
    listed = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        if line.startswith("    "):
            found[output].add(os.path.join(build, line.strip()))
        elif ": #deps" in line:
            output = line.split(":")[0]
            found[output] = set()
    return found


def sources_of(files, commands, build):
    """Sources to read, so that each of the files is read once at least."""
    missing = {str(ROOT / name) for name in files}
    chosen = []
    for command in commands:
        if (here := members(command["file"]) & missing):
            chosen.append(command["file"])
            missing -= here
    if missing:
        noted = headers_of(build)
        for command in commands:
            if (here := {os.path.normpath(name) for name in noted.get(command.get("output"), ())} & missing):
                chosen.append(command["file"])
                missing -= here
    return chosen, sorted(missing)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--build", default=ROOT / "build/ci", type=pathlib.Path)
    options = parser.parse_args()
    tidy = find_tidy()
    database = options.build / "compile_commands.json"
    commands = json.loads(database.read_text()) if database.exists() else []
    commands = [command for command in commands if "clang" in command["command"].split()[0]]
    if not commands:
        skip(f"no commands of clang in {database}: configure the preset ci")

    arguments = [tidy, "-p", options.build, "--quiet", "--warnings-as-errors=*"]
    if options.all:
        sources = [command["file"] for command in commands
                   if any(PRODUCT.match(os.path.relpath(name, ROOT)) for name in members(command["file"]))]
    else:
        files = changed_files()
        sources, missing = sources_of(files, commands, options.build)
        arguments += ["--line-filter=" + json.dumps([{"name": str(ROOT / name)} for name in sorted(files)])]
        for name in missing:
            print(f"tidy: nothing built includes {os.path.relpath(name, ROOT)}")

    def read(source):
        return subprocess.run([*arguments, *config_of(source), source], cwd=ROOT, capture_output=True, text=True)

    wrong, seen = 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(read, sources):
            for finding in re.split(r"^(?=\S+:\d+:\d+: (?:warning|error):)", done.stdout, flags=re.MULTILINE):
                if ": error: " in finding.split("\n")[0] and finding not in seen:  # a header is read many times
                    seen.add(finding)
                    print(finding.replace(f"{ROOT}/", ""), end="")
            if done.returncode:
                wrong += 1
                if not done.stdout:
                    print(done.stderr, end="")
    print(f"tidy: {len(sources)} sources read, {len(seen)} findings")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
