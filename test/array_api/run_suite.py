"""Runs the public suite array-api-tests on tfrt, and compares what does not pass with failures.txt.

usage: run_suite.py [FOLDER] [--max-examples N] [--random] [--files NAME...] [--module NAME] [--update]

FOLDER is a clone of data-apis/array-api-tests with its submodule array-api; TFRT_ARRAY_API_TESTS names it otherwise.
The Python that runs this needs tfrt, pytest, pytest-json-report, hypothesis and ndindex. Tests of Fourier transforms
get tfrt with names for its complex dtypes (tfrt_complex.py), all others are without. Examples are the same in each
run unless --random is given.

Exits with 1 if a test that is not in the list does not pass, or is no longer there; with 77 without the suite. Tests
of the list that pass are named: take them off the list with --update, which writes it.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIST = HERE / "failures.txt"
SECONDS = 3600  # for the tests of one file


def read_list():
    """Reasons by test. A line `# REASON` stands before the tests that it holds for."""
    reasons, reason = {}, None
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            reasons[line] = reason
    return reasons


def write_list(reasons):
    tests = collections.defaultdict(list)
    for test, reason in reasons.items():
        tests[reason].append(test)
    text = "\n".join("\n".join([f"# {reason}", *sorted(tests[reason])]) + "\n" for reason in sorted(tests))
    LIST.write_text(text, encoding="utf-8")


def run_file(suite, path, options, results):
    """Outcomes of one file's tests, and the exit code of pytest."""
    module = "tfrt_complex" if options.module == "tfrt" and path.stem == "test_fft" else options.module
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "suite_plugin", "--tb=line",
               f"--max-examples={options.max_examples}", "--disable-deadline", f"array_api_tests/{path.name}"]
    if not options.random:
        command.append("--derandomize")
    environment = os.environ | {
        "ARRAY_API_TESTS_MODULE": module,
        "ARRAY_API_TESTS_SKIP_DTYPES": "" if module == "tfrt_complex" else "complex64,complex128",
        "TFRT_SUITE_RESULTS": str(results), "HYPOTHESIS_STORAGE_DIRECTORY": str(results.parent / "hypothesis"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))}
    process = subprocess.run(command, cwd=suite, env=environment, timeout=SECONDS, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
    outcomes = {}
    if results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            outcomes[entry["test"]] = (entry["outcome"], entry["reason"])
    if process.returncode not in (0, 1) or not outcomes:
        print(f"{process.stdout[-4000:]}\n{path.name}: pytest ended with {process.returncode}")
        outcomes[f"array_api_tests/{path.name}"] = ("error", f"pytest ended with {process.returncode}")
    return outcomes


def run(suite, options):
    outcomes = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((suite / "array_api_tests").glob("test_*.py")):
            if options.files and path.stem.removeprefix("test_") not in options.files:
                continue
            of_file = run_file(suite, path, options, pathlib.Path(folder) / f"{path.stem}.jsonl")
            outcomes |= of_file
            passed = sum(outcome == "passed" for outcome, _ in of_file.values())
            print(f"{path.name:<48} {passed:5} of {len(of_file):5} pass", flush=True)
    return outcomes


def compare(outcomes, known, whole):
    """The number of tests that make the list grow, or that it names in vain."""
    bad = {test: value for test, value in outcomes.items() if value[0] != "passed"}
    for test in sorted(bad.keys() - known.keys()):
        outcome, reason = bad[test]
        print(f"not in the list: {test} ({outcome})\n    {' '.join(reason.split())}")
    for test in sorted(known.keys() & outcomes.keys() - bad.keys()):
        print(f"passes now, but is in the list: {test}")
    missing = sorted(known.keys() - outcomes.keys()) if whole else []
    for test in missing:
        print(f"in the list, but not in the suite: {test}")
    print(f"{len(outcomes) - len(bad)} of {len(outcomes)} tests pass; {len(known)} are in the list")
    return len(bad.keys() - known.keys()) + len(missing)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", default=os.environ.get("TFRT_ARRAY_API_TESTS"))
    parser.add_argument("--max-examples", type=int, default=100)
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--files", nargs="*")
    parser.add_argument("--module", default="tfrt")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if not options.folder or not (pathlib.Path(options.folder) / "array_api_tests").is_dir():
        print("array-api-tests is not at hand: name its folder, or set TFRT_ARRAY_API_TESTS")
        return 77
    known = read_list()
    outcomes = run(pathlib.Path(options.folder).resolve(), options)
    grown = compare(outcomes, known, not options.files)
    if options.update:
        bad = {test for test, (outcome, _) in outcomes.items() if outcome != "passed"}
        kept = {test: reason for test, reason in known.items() if test not in outcomes or test in bad}
        write_list(kept | {test: known.get(test, "reason?") for test in bad})
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
