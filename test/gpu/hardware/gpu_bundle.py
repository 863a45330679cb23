#!/usr/bin/env python3
"""Tests of the GPU half on machines that cannot build them: a folder with programs, and a record of a run.

    gpu_bundle.py targets --build DIR
    gpu_bundle.py collect --source DIR --build DIR --to FOLDER [--max-mib N]
    gpu_bundle.py run --bundle FOLDER --record FOLDER [--driver auto|real|double] [--minutes N] [--tests REGEX]

`collect` takes the tests that have the label `hardware`: their programs, and all files that their commands and
environments name below the source and build folders. `targets` prints what to build for that. `run` needs Python and a C library, nothing else. Where there is a
GPU, each test runs on it and on the double, and what differs is recorded; else on the double alone, and the record
says so. A test that is skipped is recorded as skipped. Fails if a test fails, or if time runs out before all have run.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

BUNDLE, PYTHON = "@BUNDLE@", "@PYTHON@"
LIBRARY_PATH = "TFRT_GPU_LIBRARY_PATH"
DOUBLE = "tfrt test double"  # the name of its device
GPU_INFO = "gpu_info"
OUTPUT_CHARS = 4000
UNFINISHED = {"timed out", "not run"}  # results
SANITIZER_TOOLS = {"memcheck": "gpu/(cts|device)/", "racecheck": "gpu/device/"}  # of tests with these names
SANITIZER_OPTIONS = {"memcheck": ("--report-api-errors", "no"), "racecheck": ()}
ADD_TEST = re.compile(r'^add_test\((?:\[=\[)?([^\s\]]+)(?:\]=\])? (.*)\)$', re.MULTILINE)


def say(text):
    print(f"gpu_bundle: {text}", flush=True)


class Collector:
    """Copies what tests name, and rewrites the paths."""

    def __init__(self, source, build, to):
        self.roots = [(build.resolve(), "build"), (source.resolve(), "source")]
        self.to = to
        # A path ends where a list of paths or options would go on.
        self.pattern = re.compile("|".join(re.escape(str(root)) for root, _ in self.roots) + r"")
        self.path = re.compile(rf"(?:{self.pattern.pattern})(?:/[^\s:;,=\"']*)?")

    def take(self, text):
        return self.path.sub(lambda match: self.take_path(match.group(0)), text)

    def take_path(self, text):
        path = pathlib.Path(text)
        for root, name in self.roots:
            if path == root:
                sys.exit(f"gpu_bundle: a test needs the whole folder {path}")
            if root in path.parents:
                target = self.to / name / path.relative_to(root)
                break
        else:
            sys.exit(f"gpu_bundle: a test names {path}")
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("CMakeFiles", "*.o", "*.a", "*.cmake", "__pycache__"))
        elif path.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        else:
            sys.exit(f"gpu_bundle: a test needs {path}, which does not exist; has all been built?")
        return f"{BUNDLE}/{target.relative_to(self.to).as_posix()}"


def properties_of(test):
    return {item["name"]: item["value"] for item in test.get("properties", [])}


def environment_of(properties):
    environment = dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
    for item in properties.get("ENVIRONMENT_MODIFICATION", []):
        name, operation = item.split("=", 1)
        kind, _, value = operation.partition(":")
        if kind != "set":
            sys.exit(f"gpu_bundle: cannot carry the change '{item}' of the environment")
        environment[name] = value
    return environment


def tests_of(build):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", "^hardware$"],
                             capture_output=True, text=True, check=True)
    tests = json.loads(listing.stdout)["tests"]
    if not tests:
        sys.exit("gpu_bundle: no test has the label 'hardware'")
    return tests


def targets(options):
    build = options.build.resolve()
    names = {test["name"] for test in tests_of(build)}
    programs = {GPU_INFO}
    # CTest lists no command whose program is not there yet.
    for file in build.rglob("CTestTestfile.cmake"):
        for name, command in ADD_TEST.findall(file.read_text()):
            if name in names:
                programs |= set(re.findall(re.escape(f'"{build}/bin/') + r'([^/"]+)"', command))
    print(" ".join(sorted(programs)))


def collect(options):
    source, build, to = options.source.resolve(), options.build.resolve(), options.to
    tests = tests_of(build)
    if to.exists() and (not to.is_dir() or any(to.iterdir())) and not (to / "gpu_bundle.py").exists():
        sys.exit(f"gpu_bundle: {to} is not empty, and no bundle that could be made anew")
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    shutil.copy(__file__, to / "gpu_bundle.py")  # first: it also says that this may be made anew
    collector = Collector(source, build, to)
    entries = []
    for test in tests:
        if "command" not in test:
            sys.exit(f"gpu_bundle: the program of {test['name']} is not built")
        properties = properties_of(test)
        command = [collector.take(part) for part in test["command"]]
        if re.fullmatch(r"python3?(\.\d+)?", os.path.basename(command[0])):
            command[0] = PYTHON
        environment = {name: collector.take(value) for name, value in environment_of(properties).items()}
        entries.append({"name": test["name"], "command": command, "environment": environment,
                        "timeout_s": properties.get("TIMEOUT", 120),
                        "skip_code": properties.get("SKIP_RETURN_CODE")})
    manifest = {"commit": commit_of(source), "made": today(), "tests": entries,
                "gpu_info": collector.take(str(build / "bin" / GPU_INFO))}
    (to / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    mib = sum(path.stat().st_size for path in to.rglob("*") if path.is_file()) / 2**20
    if mib > options.max_mib:
        sys.exit(f"gpu_bundle: {to} has {mib:.1f} MiB, which is more than {options.max_mib}")
    say(f"{len(entries)} tests in {to}, {mib:.1f} MiB")


def commit_of(source):
    result = subprocess.run(["git", "-C", source, "rev-parse", "HEAD"], capture_output=True, text=True)
    changed = subprocess.run(["git", "-C", source, "status", "--porcelain"], capture_output=True, text=True)
    if result.returncode != 0:
        return "unknown"
    return result.stdout.strip() + (" with changes" if changed.stdout.strip() else "")


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


class Runner:
    def __init__(self, bundle, minutes):
        self.bundle = bundle.resolve()
        self.manifest = json.loads((self.bundle / "manifest.json").read_text())
        self.deadline = time.monotonic() + 60 * minutes
        doubles = {test["environment"].get(LIBRARY_PATH) for test in self.manifest["tests"]} - {None}
        if len(doubles) != 1:
            sys.exit(f"gpu_bundle: the tests name {len(doubles)} doubles, not one")
        self.double = self.here(doubles.pop())

    def here(self, text):
        return text.replace(BUNDLE, str(self.bundle)).replace(PYTHON, sys.executable)

    def environment(self, on_double, more=()):
        environment = {**os.environ, **dict(more)}
        environment.pop(LIBRARY_PATH, None)
        if on_double:
            environment[LIBRARY_PATH] = self.double
        return environment

    def info(self, on_double):
        """Of the device, or the reason why there is none."""
        left = max(1, self.deadline - time.monotonic())
        try:
            result = subprocess.run([self.here(self.manifest["gpu_info"])], env=self.environment(on_double),
                                    capture_output=True, text=True, timeout=left)
        except subprocess.TimeoutExpired:
            return None, f"the driver has not answered in {left / 60:.1f} minutes"
        if result.returncode != 0:
            return None, result.stderr.strip().removeprefix("gpu_info: ")
        return json.loads(result.stdout), None

    def run(self, test, on_double, prefix=(), cases_filter=None):
        left = self.deadline - time.monotonic()
        if left <= 0:
            return {"name": test["name"], "result": "not run"}
        command = [*prefix, *(self.here(part) for part in test["command"])]
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.json")
            environment = self.environment(on_double, ((name, self.here(value))
                                                       for name, value in test["environment"].items()
                                                       if name != LIBRARY_PATH))
            environment["GTEST_OUTPUT"] = f"json:{report}"
            if cases_filter:
                environment["GTEST_FILTER"] = cases_filter
            process = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
            try:
                output, _ = process.communicate(timeout=min(left, test["timeout_s"]))
                code = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                output, code = process.communicate()[0], None
            cases = cases_of(report)
        record = {"name": test["name"], "result": result_of(code, test["skip_code"], cases),
                  "seconds": round(time.monotonic() - begin, 2)}
        if cases:
            record["cases"] = cases
        if record["result"] in ("failed", "timed out"):
            record["output"] = output[-OUTPUT_CHARS:]
        return record


def run_failed_cases_alone(runner, test, record):
    """A fault of one case loses the process for all behind it: what each failed case says in a process of its own."""
    failed = [name for name, result in record.get("cases", {}).items() if result == "failed"]
    alone = {}
    for name in failed:
        again = runner.run(test, on_double=False, cases_filter=name)
        alone[name] = again["result"] if again["result"] != "failed" else again["output"]
    if alone:
        record["failed_cases_alone"] = alone


def run_sanitizer(runner, tests):
    """compute-sanitizer's view of memory and of races in shared memory. Without cases that fault on purpose."""
    sanitizer = shutil.which("compute-sanitizer")
    if not sanitizer:
        return "not found"
    records = {}
    for tool, pattern in SANITIZER_TOOLS.items():
        chosen = [test for test in tests if re.match(pattern, test["name"])]
        say(f"under compute-sanitizer, {tool}")
        # Statements and tests make calls that fail, which is no finding.
        command = (sanitizer, "--tool", tool, *SANITIZER_OPTIONS[tool], "--error-exitcode", "9")
        records[tool] = run_all(runner, chosen, on_double=False, prefix=command, cases_filter="-FaultCts.*")
    return records


def cases_of(report):
    """The results of GoogleTest's cases, with the reason of each that was skipped."""
    if not report.exists():
        return {}
    cases = {}
    for suite in json.loads(report.read_text()).get("testsuites", []):
        for case in suite["testsuite"]:
            name = f"{suite['name']}.{case['name']}"
            if case["result"] == "SKIPPED":
                reasons = [item.get("message", "") for item in case.get("skipped", [])]
                cases[name] = " ".join(["skipped:", *reasons]).strip()
            elif case["status"] == "RUN":
                cases[name] = "failed" if case.get("failures") else "passed"
    return cases


def result_of(code, skip_code, cases):
    if code is None:
        return "timed out"
    if skip_code is not None and code == skip_code:
        return "skipped"
    if code != 0:
        return "failed"
    return "skipped" if cases and all(result.startswith("skipped") for result in cases.values()) else "passed"


def differences(real, double):
    """Names of tests and cases whose results differ, with both; a test that did not come to its end tells nothing."""
    found = {}
    for ours, theirs in zip(real, double):
        if UNFINISHED & {ours["result"], theirs["result"]}:
            continue
        left, right = ours.get("cases", {}), theirs.get("cases", {})
        names = [(f"{ours['name']} {case}", left.get(case), right.get(case)) for case in sorted({*left, *right})]
        names.append((ours["name"], ours["result"], theirs["result"]))
        found.update({name: {"device": a, "double": b} for name, a, b in names if a != b})
    return found


def run(options):
    runner = Runner(options.bundle, options.minutes)
    info, reason = (None, "asked not to") if options.driver == "double" else runner.info(on_double=False)
    if info and info["device"].startswith(DOUBLE):
        info, reason = None, "the driver that is found is a test double"
    if not info and options.driver == "real":
        sys.exit(f"gpu_bundle: there is no GPU: {reason}")
    tests = [test for test in runner.manifest["tests"] if re.search(options.tests, test["name"])]
    if not tests:
        sys.exit(f"gpu_bundle: no test matches '{options.tests}'")
    record = {"commit": runner.manifest["commit"], "date": today(), **(info or {})}
    compared = []
    if info:
        say(f"on {info['device']}, CUDA {info['cuda']}")
        record["tests"] = run_all(runner, tests, on_double=False)
        for test, result in zip(tests, record["tests"]):
            run_failed_cases_alone(runner, test, result)
        record["compute_sanitizer"] = run_sanitizer(runner, tests)
        say("on the test double, to compare")
        compared = run_all(runner, tests, on_double=True)
        record["differences"] = differences(record["tests"], compared)
    else:
        say(f"NO GPU ({reason}): on the test double, which shows nothing of hardware")
        info, problem = runner.info(on_double=True)
        if not info:
            sys.exit(f"gpu_bundle: the test double cannot be used: {problem}")
        record.update(info)
        record["no_gpu"] = reason
        record["tests"] = run_all(runner, tests, on_double=True)
    options.record.mkdir(parents=True, exist_ok=True)
    path = options.record / (re.sub(r"[^a-z0-9]+", "_", record["device"].lower()).strip("_") + ".json")
    path.write_text(json.dumps(record, indent=1) + "\n")
    results = list(record["tests"])
    if isinstance(record.get("compute_sanitizer"), dict):
        results += sum(record["compute_sanitizer"].values(), [])
    results += [test for test in compared if test["result"] in UNFINISHED]
    counts = {kind: sum(test["result"] == kind for test in results)
              for kind in ("passed", "skipped", "failed", "timed out", "not run")}
    say(", ".join(f"{count} {kind}" for kind, count in counts.items() if count) + f"; recorded in {path}")
    sys.exit(1 if any(counts[kind] for kind in ("failed", "timed out", "not run")) else 0)


def run_all(runner, tests, on_double, prefix=(), cases_filter=None):
    records = []
    for test in tests:
        record = runner.run(test, on_double, prefix, cases_filter)
        records.append(record)
        say(f"{record['result']:>9} {record['name']} ({record.get('seconds', 0):.1f} s)")
        if "output" in record:
            print(record["output"])
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("targets")
    command.add_argument("--build", type=pathlib.Path, required=True)
    command.set_defaults(function=targets)
    command = commands.add_parser("collect")
    command.add_argument("--source", type=pathlib.Path, required=True)
    command.add_argument("--build", type=pathlib.Path, required=True)
    command.add_argument("--to", type=pathlib.Path, required=True)
    command.add_argument("--max-mib", type=float, default=60)
    command.set_defaults(function=collect)
    command = commands.add_parser("run")
    command.add_argument("--bundle", type=pathlib.Path, required=True)
    command.add_argument("--record", type=pathlib.Path, required=True)
    command.add_argument("--driver", choices=("auto", "real", "double"), default="auto")
    command.add_argument("--minutes", type=float, default=10)
    command.add_argument("--tests", default="")
    command.set_defaults(function=run)
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()
