#!/usr/bin/env python3
"""Makes bundles of small scripts in place of tests, and runs them with and without something like a GPU."""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import gpu_bundle

# Which device there is depends on what the library path names.
INFO = """#!/bin/sh
case "$TFRT_GPU_LIBRARY_PATH" in
  */double) echo '{"device": "tfrt test double, number 0", "cuda": "13.0"}' ;;
  "") [ -n "$PLANTED_GPU" ] || { echo "gpu_info: nothing is plugged in" >&2; exit 1; }
      echo "{\\"device\\": \\"$PLANTED_GPU\\", \\"cuda\\": \\"12.4\\"}" ;;
  *) exit 3 ;;
esac
"""
# A program of GoogleTest: its cases pass, but what its argument names fails on a device.
CASES = """#!/bin/sh
case "$TFRT_GPU_LIBRARY_PATH" in */double) real=0 ;; *) real=1 ;; esac
wrong="[]"; code=0
if [ "$real" = 1 ] && [ "$1" = differs ]; then wrong='[{"failure": "3 != 4"}]'; code=1; echo "3 is not 4"; fi
cat > "${GTEST_OUTPUT#json:}" <<END
{"testsuites": [{"name": "A", "testsuite": [
  {"name": "Same", "status": "RUN", "result": "COMPLETED"},
  {"name": "Off", "status": "NOTRUN", "result": "SUPPRESSED"},
  {"name": "Skipped", "status": "RUN", "result": "SKIPPED", "skipped": [{"message": "needs two devices"}]},
  {"name": "Wrong", "status": "RUN", "result": "COMPLETED", "failures": $wrong}]}]}
END
exit $code
"""


# Findings of the steps; nothing on a device that PLANTED_DAY names.
DAY = """#!/bin/sh
if [ "$1" = "$PLANTED_DAY" ]; then echo "gpu_day: $1 is broken" >&2; exit 1; fi
echo "a note of the driver" >&2
echo "{\\"asked\\": \\"$*\\", \\"cache\\": \\"$(basename "$CUDA_CACHE_PATH")\\"}"
"""
TIMES = """#!/bin/sh
echo "on a test double"
echo "floor/launch_4   46.3 ns"
echo "gpu/launch_4     57.5 ns  floor     46.3 ns     +11.1 ns  x 1.24"
"""


class BundleTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name).resolve()
        self.source, self.build = self.root / "source", self.root / "source/build"
        self.bundle, self.record = self.root / "bundle", self.root / "record"
        # Beside a script that asks no library of this machine.
        self.script = self.root / "gpu_bundle.py"
        shutil.copy(gpu_bundle.__file__, self.script)
        (self.root / "cudnn_device.py").write_text("print('{\"deviceName\": \"planted\"}')\n")
        self.program("gpu_info", INFO)
        self.program("gpu_day", DAY)
        self.program("tfrt_gpu_times", TIMES)
        (self.build / "benchmarks/gpu").mkdir(parents=True)
        (self.build / "double").mkdir()
        (self.build / "double/libcuda.so.1").write_text("a library")
        self.tests = ""

    def program(self, name, text):
        path = self.build / "bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def add_test(self, name, text, *arguments, label="hardware", more=""):
        command = " ".join(f'"{part}"' for part in (self.program(name.replace("/", "_"), text), *arguments))
        self.tests += (f'add_test({name} {command})\nset_tests_properties({name} PROPERTIES LABELS "{label}" '
                       f'ENVIRONMENT_MODIFICATION "TFRT_GPU_LIBRARY_PATH=set:{self.build}/double" {more})\n')

    def collect(self, *more):
        (self.build / "CTestTestfile.cmake").write_text(self.tests)
        return self.call("collect", "--source", self.source, "--build", self.build, "--to", self.bundle, *more)

    def run_bundle(self, *more, gpu="", day="", path="/usr/bin:/bin"):
        return self.call("run", "--bundle", self.bundle, "--record", self.record, *more, gpu=gpu, day=day, path=path)

    def call(self, *arguments, gpu="", day="", path="/usr/bin:/bin"):
        result = subprocess.run([sys.executable, self.script, *arguments], capture_output=True, text=True,
                                env={"PATH": path, "PLANTED_GPU": gpu, "PLANTED_DAY": day})
        return result.returncode, result.stdout + result.stderr

    def read(self, device):
        return json.loads((self.record / f"{device}.json").read_text())

    def test_what_tests_name_is_collected(self):
        data = self.source / "test/data"
        data.mkdir(parents=True)
        (data / "one.txt").write_text("one")
        (data / "two.txt").write_text("two")
        self.add_test("gpu/a", '#!/bin/sh\ncat "$1" "$FOLDER/two.txt"\n', data / "one.txt",
                      more=f'ENVIRONMENT "FOLDER={data};PLAIN=1" TIMEOUT 7')
        self.add_test("gpu/b", "#!/bin/sh\n", label="other")
        code, output = self.collect()
        self.assertEqual(code, 0, output)
        self.assertIn("1 tests in", output)
        self.assertEqual(self.call("targets", "--build", self.build), (0, "gpu_a gpu_day gpu_info tfrt_gpu_times\n"))
        with tarfile.open(self.bundle / "bundle.tar.gz") as archive:
            archive.extractall(self.root / "unpacked")
        manifest = json.loads((self.root / "unpacked/manifest.json").read_text())
        self.assertNotIn(str(self.root), json.dumps(manifest))
        [test] = manifest["tests"]
        self.assertEqual(test["command"], ["@BUNDLE@/build/bin/gpu_a", "@BUNDLE@/source/test/data/one.txt"])
        self.assertEqual(test["environment"]["PLAIN"], "1")
        self.assertEqual(test["timeout_s"], 7)
        for path in ("build/double/libcuda.so.1", "source/test/data/two.txt", "build/bin/gpu_info", "cudnn_device.py"):
            self.assertTrue((self.root / "unpacked" / path).exists(), path)
        # It runs when nothing else is left, and somewhere else.
        self.source.rename(self.root / "gone")
        self.bundle.rename(self.root / "moved")
        self.bundle = self.root / "moved"
        code, output = self.run_bundle()
        self.assertEqual(code, 0, output)

    def test_bundles_that_are_not_made(self):
        code, output = self.collect()
        self.assertEqual((code, "no test has the label 'hardware'" in output), (1, True), output)
        self.add_test("gpu/a", "#!/bin/sh\n")
        (self.build / "bin/gpu_a").unlink()
        code, output = self.collect()
        self.assertEqual((code, "the program of gpu/a is not built" in output), (1, True), output)
        self.assertEqual(self.call("targets", "--build", self.build), (0, "gpu_a gpu_day gpu_info tfrt_gpu_times\n"))
        self.tests = ""
        self.add_test("gpu/a", "#!/bin/sh\n", self.build / "missing")
        code, output = self.collect()
        self.assertEqual((code, "missing, which does not exist" in output), (1, True), output)
        self.tests = ""
        self.add_test("gpu/a", "#!/bin/sh\n#" + random.Random(1).randbytes(2**20).hex())
        code, output = self.collect("--max-mib", "1")
        self.assertEqual((code, "MiB, which is more than 1.0" in output), (1, True), output)

    # The folder is the user's, and what is in it may be, too.
    def test_folders_that_are_no_bundle_stay(self):
        self.add_test("gpu/a", "#!/bin/sh\n")
        self.bundle.mkdir()
        (self.bundle / "thesis.tex").write_text("ten years")
        code, output = self.collect()
        self.assertEqual((code, "is not empty, and no bundle that could be made anew" in output), (1, True), output)
        self.assertTrue((self.bundle / "thesis.tex").exists())
        (self.bundle / "thesis.tex").unlink()
        for _ in range(2):  # into an empty folder, and over a bundle
            code, output = self.collect()
            self.assertEqual(code, 0, output)

    # On the double, which comes last, time may run out.
    def test_what_is_unfinished_is_no_difference(self):
        self.add_test("gpu/a", '#!/bin/sh\n[ -z "$TFRT_GPU_LIBRARY_PATH" ] || exec sleep 60\n', more="TIMEOUT 1")
        self.collect()
        code, output = self.run_bundle(gpu="NVIDIA H100 80GB")
        self.assertEqual((code, "8 passed, 1 timed out" in output), (1, True), output)
        self.assertEqual(self.read("nvidia_h100_80gb")["differences"], {})

    def test_without_gpu(self):
        self.add_test("gpu/cts/cases", CASES)
        self.add_test("gpu/skipped", "#!/bin/sh\nexit 77\n", more="SKIP_RETURN_CODE 77")
        self.collect()
        code, output = self.run_bundle()
        self.assertEqual(code, 0, output)
        self.assertIn("NO GPU (nothing is plugged in): on the test double", output)
        self.assertIn("7 passed, 2 skipped", output)
        record = self.read("tfrt_test_double_number_0")
        self.assertEqual(record["no_gpu"], "nothing is plugged in")
        self.assertNotIn("differences", record)
        self.assertEqual(record["tests"][0]["cases"],
                         {"A.Same": "passed", "A.Skipped": "skipped: needs two devices", "A.Wrong": "passed"})
        self.assertEqual([test["result"] for test in record["tests"]], ["passed", "skipped"])
        code, output = self.run_bundle("--driver", "real")
        self.assertEqual((code, "there is no GPU: nothing is plugged in" in output), (1, True), output)

    # A double that the loader finds by itself is no GPU.
    def test_double_in_place_of_a_gpu(self):
        self.add_test("gpu/a", "#!/bin/sh\n")
        self.collect()
        _, output = self.run_bundle(gpu="tfrt test double, number 0")
        self.assertIn("NO GPU (the driver that is found is a test double)", output)

    def test_with_gpu(self):
        self.add_test("gpu/cts/differs", CASES, "differs")
        self.add_test("gpu/same", CASES)
        self.collect()
        code, output = self.run_bundle(gpu="NVIDIA H100 80GB")
        self.assertEqual(code, 1, output)
        self.assertIn("on NVIDIA H100 80GB, CUDA 12.4", output)
        record = self.read("nvidia_h100_80gb")
        self.assertEqual(record["compute_sanitizer"], "not found")
        self.assertEqual(record["differences"], {
            "gpu/cts/differs A.Wrong": {"device": "failed", "double": "passed"},
            "gpu/cts/differs": {"device": "failed", "double": "passed"}})
        self.assertEqual(record["tests"][0]["output"], "3 is not 4\n")
        self.assertEqual(record["tests"][0]["failed_cases_alone"], {"A.Wrong": "3 is not 4\n"})
        self.assertNotIn("failed_cases_alone", record["tests"][1])

    # On hardware a fault is the whole process's: the cases behind the one that is wrong fail as well.
    def test_cases_that_failed_with_others(self):
        self.add_test("gpu/cts/cases", CASES.replace('"$1" = differs', '-z "$GTEST_FILTER"'))
        self.collect()
        code, output = self.run_bundle(gpu="NVIDIA H100 80GB")
        self.assertEqual(code, 1, output)
        self.assertEqual(self.read("nvidia_h100_80gb")["tests"][0]["failed_cases_alone"], {"A.Wrong": "passed"})

    def test_sanitizer(self):
        tools = self.root / "tools"
        tools.mkdir()
        (tools / "compute-sanitizer").write_text(
            '#!/bin/sh\n[ "$2" != racecheck ] || { echo "a hazard"; exit 9; }\nshift 6\nexec "$@"\n')
        (tools / "compute-sanitizer").chmod(0o755)
        for name in ("gpu/cts/a", "gpu/device/b", "gpu/corpus/c"):
            self.add_test(name, "#!/bin/sh\n")
        self.collect()
        code, output = self.run_bundle(gpu="NVIDIA H100 80GB", path=f"{tools}:/usr/bin:/bin")
        self.assertEqual((code, "12 passed, 1 failed" in output), (1, True), output)
        found = self.read("nvidia_h100_80gb")["compute_sanitizer"]
        self.assertEqual({tool: [(test["name"], test["result"]) for test in tests] for tool, tests in found.items()},
                         {"memcheck": [("gpu/cts/a", "passed"), ("gpu/device/b", "passed")],
                          "racecheck": [("gpu/device/b", "failed")]})

    def test_failures_and_time(self):
        self.add_test("gpu/fails", "#!/bin/sh\necho wrong; exit 3\n")
        self.add_test("gpu/hangs", "#!/bin/sh\nsleep 1000 & wait\n", more="TIMEOUT 1")
        self.collect()
        code, output = self.run_bundle()
        self.assertEqual(code, 1, output)
        self.assertIn("1 failed, 1 timed out", output)
        code, output = self.run_bundle("--tests", "nothing")
        self.assertEqual((code, "no test matches 'nothing'" in output), (1, True), output)
        code, output = self.run_bundle("--minutes", "0")
        self.assertEqual((code, "nothing else is tried: no time" in output), (1, True), output)

    def test_steps(self):
        # A test finds what came before it in the record.
        self.add_test("gpu/b", '#!/bin/sh\ngrep -q modules_from_the_cache "$1" && grep -q gpu/cts/a "$1"\n',
                      self.record / "nvidia_h100_80gb.json")
        self.add_test("gpu/cts/a", "#!/bin/sh\n")
        self.collect()
        code, output = self.run_bundle("--short", gpu="NVIDIA H100 80GB")
        self.assertEqual(code, 0, output)
        record = self.read("nvidia_h100_80gb")
        steps = record["steps"]
        self.assertEqual(list(steps), ["first", "cudnn", "modules", "modules_from_the_cache", "streams", "kernels",
                                       "times"])
        self.assertEqual(steps["first"]["found"]["asked"], "first --short")
        self.assertEqual(steps["cudnn"]["found"], {"deviceName": "planted"})
        self.assertEqual(steps["modules"]["found"], steps["modules_from_the_cache"]["found"])
        self.assertNotEqual(steps["modules"]["found"]["cache"], "")
        self.assertEqual(steps["times"]["found"], {"floor/launch_4": {"ns": 46.3},
                                                   "gpu/launch_4": {"ns": 57.5, "floor_ns": 46.3}})
        # The driver's statements come before what is made of it.
        self.assertEqual([test["name"] for test in record["tests"]], ["gpu/cts/a", "gpu/b"])

    def test_steps_that_fail(self):
        self.add_test("gpu/a", "#!/bin/sh\n")
        self.program("tfrt_gpu_times", "#!/bin/sh\necho nothing\n")
        self.collect()
        code, output = self.run_bundle(day="modules")
        self.assertEqual((code, "gpu_day: modules is broken" in output), (1, True), output)
        record = self.read("tfrt_test_double_number_0")
        self.assertEqual({name: step["result"] for name, step in record["steps"].items()},
                         {"first": "passed", "cudnn": "skipped", "modules": "failed",
                          "modules_from_the_cache": "failed", "streams": "passed", "kernels": "passed",
                          "times": "failed"})
        self.assertEqual(record["steps"]["times"]["output"], "no times: nothing\n")
        self.assertEqual(record["tests"][0]["result"], "passed")
        shutil.rmtree(self.build / "benchmarks")
        self.collect()
        code, output = self.run_bundle()
        self.assertEqual(code, 0, output)
        self.assertEqual(self.read("tfrt_test_double_number_0")["steps"]["times"]["result"], "skipped")
        # Without the first nothing makes sense.
        code, output = self.run_bundle(day="first")
        self.assertEqual((code, "nothing else is tried: gpu_day: first is broken" in output), (1, True), output)
        record = self.read("tfrt_test_double_number_0")
        self.assertEqual((list(record["steps"]), "tests" in record), (["first"], False))


if __name__ == "__main__":
    unittest.main()
