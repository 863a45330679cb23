#!/usr/bin/env python3
"""Tests of the GPU half on machines that cannot build them: a folder with programs, and a record of a run.

    gpu_bundle.py targets --build DIR
    gpu_bundle.py collect --source DIR --build DIR --to FOLDER [--max-mib N] [--tests REGEX]
    gpu_bundle.py run --bundle FOLDER --record FOLDER [--driver auto|real|double] [--minutes N] [--tests REGEX]
                      [--short]

`collect` takes the tests that have the label `hardware`: their programs, and all files that their commands and
environments name below the source and build folders. `targets` prints what to build for that. `run` needs Python and a
C library, nothing else. Its steps come in the order of what is lost if the machine goes, each with a limit of its own:

    first      copies and runs a kernel that the driver compiles; if that fails nothing else is tried
    cudnn      what cuDNN knows of the device, as its JSON
    modules    the driver compiles all modules of the device code, and finds them in its cache
    tests      the driver's statements, each kernel, programs, eager ops
    streams    times of the driver's calls, of overlapping copies, of a graph
    kernels    times of the library's kernels
    times      what the runtime costs beside them
    sanitizer  compute-sanitizer over statements and kernels
    double     the tests on the test double: what differs is recorded

The record is written after each step and each test. A step that fails does not keep the next from running. Without a
GPU all of this runs on the double, the record says so, and steps that need a GPU are skipped. Fails if a step or test
fails, or if time runs out before all have run. `--short`: as little as shows that each step works.
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
import tarfile
import tempfile
import time

BUNDLE, PYTHON = "@BUNDLE@", "@PYTHON@"
LIBRARY_PATH = "TFRT_GPU_LIBRARY_PATH"
DOUBLE = "tfrt test double"  # the name of its device
GPU_INFO, GPU_DAY, GPU_TIMES = "gpu_info", "gpu_day", "tfrt_gpu_times"
ARCHIVE = "bundle.tar.gz"  # a folder with it is a bundle; texts for the driver's compiler become a tenth
SKIPPED = 77  # the exit code of a step that cannot be asked here
# The driver first, the kernels, then what is made of both.
TEST_ORDER = "gpu/cts", "gpu/device", "gpu/corpus"
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


def programs_of(build):
    """The steps; without benchmarks in the build there are no times."""
    return [GPU_INFO, GPU_DAY, *([GPU_TIMES] if (build / "benchmarks/gpu").exists() else [])]


def targets(options):
    build = options.build.resolve()
    names = {test["name"] for test in tests_of(build)}
    programs = set(programs_of(build))
    # CTest lists no command whose program is not there yet.
    for file in build.rglob("CTestTestfile.cmake"):
        for name, command in ADD_TEST.findall(file.read_text()):
            if name in names:
                programs |= set(re.findall(re.escape(f'"{build}/bin/') + r'([^/"]+)"', command))
    print(" ".join(sorted(programs)))


def collect(options):
    source, build, to = options.source.resolve(), options.build.resolve(), options.to
    tests = [test for test in tests_of(build) if re.search(options.tests, test["name"])]
    if to.exists() and (not to.is_dir() or any(to.iterdir())) and not (to / ARCHIVE).exists():
        sys.exit(f"gpu_bundle: {to} is not empty, and no bundle that could be made anew")
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    (to / ARCHIVE).touch()  # first: it also says that this may be made anew
    with tempfile.TemporaryDirectory() as folder:
        collect_into(pathlib.Path(folder), source, build, tests)
        unpacked = mib_of(pathlib.Path(folder))
        with tarfile.open(to / ARCHIVE, "w:gz") as archive:
            archive.add(folder, ".")
    shutil.copy(__file__, to / "gpu_bundle.py")
    mib = mib_of(to)
    if mib > options.max_mib:
        sys.exit(f"gpu_bundle: {to} has {mib:.1f} MiB, which is more than {options.max_mib}")
    say(f"{len(tests)} tests in {to}, {mib:.1f} MiB, unpacked {unpacked:.1f}")


def mib_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


def collect_into(to, source, build, tests):
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
    entries.sort(key=lambda entry: [not entry["name"].startswith(prefix) for prefix in TEST_ORDER])
    manifest = {"commit": commit_of(source), "made": today(), "tests": entries,
                "programs": {name: collector.take(str(build / "bin" / name)) for name in programs_of(build)}}
    (to / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    shutil.copy(pathlib.Path(__file__).parent / "cudnn_device.py", to / "cudnn_device.py")


def commit_of(source):
    result = subprocess.run(["git", "-C", source, "rev-parse", "HEAD"], capture_output=True, text=True)
    changed = subprocess.run(["git", "-C", source, "status", "--porcelain"], capture_output=True, text=True)
    if result.returncode != 0:
        return "unknown"
    return result.stdout.strip() + (" with changes" if changed.stdout.strip() else "")


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def execute(command, environment, folder, timeout_s, stderr=subprocess.STDOUT):
    """The exit code, None if it has not ended in time, and what was printed. Nothing that it starts stays."""
    process = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=stderr, text=True,
                               errors="replace", start_new_session=True)
    try:
        output, errors = process.communicate(timeout=timeout_s)
        return process.returncode, output, errors
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        return None, *process.communicate()


class Record:
    """One JSON file, whole after each change."""

    def __init__(self, folder, values):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / (re.sub(r"[^a-z0-9]+", "_", values["device"].lower()).strip("_") + ".json")
        self.values = values
        self.write()

    def set(self, name, value):
        self.values[name] = value
        self.write()

    def write(self):
        written = self.path.with_suffix(".new")
        with open(written, "w") as file:
            file.write(json.dumps(self.values, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        written.replace(self.path)


class Runner:
    def __init__(self, bundle, minutes):
        self.unpacked, self.cache = tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()
        self.bundle = pathlib.Path(self.unpacked.name).resolve()
        with tarfile.open(bundle / ARCHIVE) as archive:
            archive.extractall(self.bundle)
        self.manifest = json.loads((self.bundle / "manifest.json").read_text())
        self.deadline = time.monotonic() + 60 * minutes
        doubles = {test["environment"].get(LIBRARY_PATH) for test in self.manifest["tests"]} - {None}
        if len(doubles) != 1:
            sys.exit(f"gpu_bundle: the tests name {len(doubles)} doubles, not one")
        self.double = self.here(doubles.pop())

    def here(self, text):
        return text.replace(BUNDLE, str(self.bundle)).replace(PYTHON, sys.executable)

    def program(self, name):
        return self.here(self.manifest["programs"][name])

    def environment(self, on_double, more=()):
        environment = {**os.environ, **dict(more)}
        environment.pop(LIBRARY_PATH, None)
        # Empty at first; what the driver compiles for one program is there for the next.
        environment["CUDA_CACHE_PATH"] = self.cache.name
        if on_double:
            environment[LIBRARY_PATH] = self.double
        return environment

    def info(self, on_double):
        """Of the device, or the reason why there is none."""
        left = max(1, self.deadline - time.monotonic())
        try:
            result = subprocess.run([self.program(GPU_INFO)], env=self.environment(on_double),
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
            code, output, _ = execute(command, environment, folder, min(left, test["timeout_s"]))
            cases = cases_of(report)
        record = {"name": test["name"], "result": result_of(code, test["skip_code"], cases),
                  "seconds": round(time.monotonic() - begin, 2)}
        if cases:
            record["cases"] = cases
        if record["result"] in ("failed", "timed out"):
            record["output"] = output[-OUTPUT_CHARS:]
        return record


    def step(self, name, command, limit_s, on_double, read=json.loads):
        """Runs a program that prints what it has found; `read` makes that a value."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            return {"result": "not run"}
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            code, output, errors = execute(command, self.environment(on_double), folder, min(left, limit_s),
                                           stderr=subprocess.PIPE)
        result = {"result": "skipped" if code == SKIPPED else result_of(code, None, {}),
                  "seconds": round(time.monotonic() - begin, 2)}
        if result["result"] == "passed":
            try:
                result["found"] = read(output)
            except ValueError as error:
                result.update(result="failed", output=f"{error}: {output[-OUTPUT_CHARS:]}")
        else:
            result["output"] = (errors + output)[-OUTPUT_CHARS:]
        say(f"{result['result']:>9} {name} ({result['seconds']:.1f} s)")
        if "output" in result:
            print(result["output"])
        return result


def times_of(text):
    """Of the lines of tfrt_gpu_times: nanoseconds of each case, and of the least that could do the same."""
    lines = re.findall(r"^(\S+/\S+) +([\d.]+) ns(?: +floor +([\d.]+) ns)?", text, re.MULTILINE)
    if not lines:
        raise ValueError("no times")
    return {case: {"ns": float(ns), **({"floor_ns": float(floor)} if floor else {})} for case, ns, floor in lines}


def run_early_steps(runner, record, on_double, short):
    """Returns whether anything else can run."""
    steps = {}

    def step(name, command, limit_s):
        steps[name] = runner.step(name, command, limit_s, on_double)
        record.set("steps", steps)
        return steps[name]["result"]

    day = [runner.program(GPU_DAY)]
    cut = ["--short"] if short else []
    if step("first", [*day, "first", *cut], 60) != "passed":
        return False
    if on_double:
        steps["cudnn"] = {"result": "skipped", "output": "cuDNN needs a GPU"}
    else:
        step("cudnn", [sys.executable, str(runner.bundle / "cudnn_device.py")], 60)
    for name in ("modules", "modules_from_the_cache"):
        step(name, [*day, "modules", *cut], 120)
    return True


def run_late_steps(runner, record, on_double, short):
    steps = record.values["steps"]
    # The double would take minutes for what a GPU does in seconds.
    cut = ["--short"] if short or on_double else []
    for name in ("streams", "kernels"):
        steps[name] = runner.step(name, [runner.program(GPU_DAY), name, *cut], 90, on_double)
        record.write()
    if GPU_TIMES in runner.manifest["programs"]:
        rounds = "--rounds=1" if short else "--rounds=9"
        steps["times"] = runner.step("times", [runner.program(GPU_TIMES), "--allow-test-double", rounds], 90, on_double,
                                     read=times_of)
    else:
        steps["times"] = {"result": "skipped", "output": "the bundle was made without benchmarks"}
    record.write()


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
    on_double = info is None
    if on_double:
        say(f"NO GPU ({reason}): on the test double, which shows nothing of hardware")
        info, problem = runner.info(on_double=True)
        if not info:
            sys.exit(f"gpu_bundle: the test double cannot be used: {problem}")
    else:
        say(f"on {info['device']}, CUDA {info['cuda']}")
    record = Record(options.record, {"commit": runner.manifest["commit"], "date": today(), **info,
                                     **({"no_gpu": reason} if on_double else {})})
    if not run_early_steps(runner, record, on_double, options.short):
        sys.exit(f"gpu_bundle: nothing else is tried: {record.values['steps']['first'].get('output', 'no time')}")
    run_all(runner, tests, on_double, results=record.values.setdefault("tests", []), after_each=record.write)
    run_late_steps(runner, record, on_double, options.short)
    compared = []
    if not on_double:
        for test, result in zip(tests, record.values["tests"]):
            run_failed_cases_alone(runner, test, result)
        record.set("compute_sanitizer", run_sanitizer(runner, tests))
        say("on the test double, to compare")
        compared = run_all(runner, tests, on_double=True)
        record.set("differences", differences(record.values["tests"], compared))
    results = [*record.values["tests"], *record.values["steps"].values()]
    if isinstance(record.values.get("compute_sanitizer"), dict):
        results += sum(record.values["compute_sanitizer"].values(), [])
    results += [test for test in compared if test["result"] in UNFINISHED]
    counts = {kind: sum(test["result"] == kind for test in results)
              for kind in ("passed", "skipped", "failed", "timed out", "not run")}
    say(", ".join(f"{count} {kind}" for kind, count in counts.items() if count) + f"; recorded in {record.path}")
    sys.exit(1 if any(counts[kind] for kind in ("failed", "timed out", "not run")) else 0)


def run_all(runner, tests, on_double, prefix=(), cases_filter=None, results=None, after_each=lambda: None):
    records = [] if results is None else results
    for test in tests:
        record = runner.run(test, on_double, prefix, cases_filter)
        records.append(record)
        after_each()
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
    command.add_argument("--max-mib", type=float, default=44)
    command.add_argument("--tests", default="")
    command.set_defaults(function=collect)
    command = commands.add_parser("run")
    command.add_argument("--bundle", type=pathlib.Path, required=True)
    command.add_argument("--record", type=pathlib.Path, required=True)
    command.add_argument("--driver", choices=("auto", "real", "double"), default="auto")
    command.add_argument("--minutes", type=float, default=12)
    command.add_argument("--tests", default="")
    command.add_argument("--short", action="store_true")
    command.set_defaults(function=run)
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()
