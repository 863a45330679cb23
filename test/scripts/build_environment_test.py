#!/usr/bin/env python3
"""Tests scripts/build_environment.sh and scripts/run_tests.sh on a project of a few lines, which is made in a temporary
folder: compiler and options, progress, failures, interruption.

usage: build_environment_test.py SOURCE_DIR

PATH has the tools that the scripts need and, for some tests, programs with the names of clang, its linker and ccache.
The project has no language, so that CMake only notes which compiler it was given.
"""

import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

SOURCE_DIR = pathlib.Path(sys.argv.pop(1))
TOOLS = ("awk basename bash cat cmake ctest cut dirname env find getconf grep mkdir ninja nproc printf python3 renice rm "
         "sh sleep tail touch wc").split()
CLANG = ["clang-22", "clang++-22", "ld.lld-22"]

# The step `first` ends at once. `second` begins to write, and ends when somebody has opened and closed the pipe.
# `broken` prints more than is shown and fails.
PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(tiny LANGUAGES NONE)
option(TFRT_BUILD_BENCHMARKS "" OFF)
add_custom_command(OUTPUT first.txt
  COMMAND sh -c "echo once >> first.log && touch first.txt" VERBATIM)
add_custom_command(OUTPUT second.txt
  COMMAND sh -c "echo half > second.txt && cat ${PROJECT_SOURCE_DIR}/pipe" DEPENDS first.txt VERBATIM)
add_custom_target(first DEPENDS first.txt)
add_custom_target(both DEPENDS second.txt)
add_custom_target(whole ALL DEPENDS first.txt)
add_custom_target(broken
  COMMAND sh -c "echo planted error; for i in 1 2 3 4 5 6 7 8 9 10; do printf '%s\\\\n' $i 1 2 3 4 5 6 7 8 9; done; exit 3"
  DEPENDS first.txt VERBATIM)
file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.sh) # as ninja then looks after its own file at each start
enable_testing()
add_test(NAME passes COMMAND sh -c true)
"""
PRESETS = {
    "version": 6,
    "configurePresets": [
        {"name": name, "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}",
         "cacheVariables": {"CMAKE_CXX_COMPILER_LAUNCHER": "$env{TFRT_COMPILER_LAUNCHER}", **variables}}
        for name, variables in (("release", {"TFRT_BUILD_BENCHMARKS": "ON"}), ("bench", {}), ("dev", {}), ("ci", {}),
                                ("minimal", {}), ("asan", {}), ("tsan", {}))],
}
# What the stages of run_tests.sh --all build and run, in each preset.
ALL_STAGES = """
foreach(folder benchmarks python test/corpus test/fuzz %s)
  file(MAKE_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
  file(TOUCH ${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt)
  add_subdirectory(${folder})
endforeach()
foreach(target bef_executor soak minimal_runtime unit_custom_work_queue unit_read_text unit_file_types)
  add_custom_target(${target})
endforeach()
foreach(test corpus/some examples/minimal_runtime unit/async/some)
  add_test(NAME ${test} COMMAND sh -c true)
endforeach()
get_filename_component(preset ${PROJECT_BINARY_DIR} NAME)
""" % " ".join("test/unit/" + path.name if path.parent.name == "unit" else "test/unit/profiler/" + path.name
               for path in sorted([*SOURCE_DIR.glob("test/unit/*"), *SOURCE_DIR.glob("test/unit/profiler/*")])
               if path.is_dir())
HEAD = "#!/usr/bin/env bash\nset -euo pipefail\ncd \"$(dirname \"$0\")/..\"\n. scripts/build_environment.sh\n"


class ScriptTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        (self.root / "bin").mkdir()
        for tool in TOOLS:
            (self.root / "bin" / tool).symlink_to(shutil.which(tool))
        (self.root / "scripts").mkdir()
        for script in ("build_environment.sh", "run_tests.sh"):
            shutil.copy(SOURCE_DIR / "scripts" / script, self.root / "scripts")
        self.write("scripts/install_dependencies.sh", "#!/usr/bin/env bash\n")
        self.write("CMakeLists.txt", PROJECT)
        self.write("CMakePresets.json", json.dumps(PRESETS))
        os.mkfifo(self.root / "pipe")

    def write(self, path, text):
        (self.root / path).write_text(text)
        (self.root / path).chmod(0o755)

    def install(self, *programs):
        for program in programs:
            self.write(f"bin/{program}", "#!/bin/sh\n")

    def uninstall(self, *programs):
        for program in programs:
            (self.root / "bin" / program).unlink()

    def start(self, body, **options):
        """Starts a script with this body in a session of its own; both its streams are one."""
        self.write("scripts/tiny.sh", HEAD + body)
        return self.start_script("tiny.sh", **options)

    def start_script(self, *command, **options):
        environment = {"PATH": str(self.root / "bin"), "TFRT_PROGRESS_SECONDS": "1"}
        options = {"stdout": subprocess.PIPE, **options}
        return subprocess.Popen([self.root / "scripts" / command[0], *command[1:]], cwd=self.root, env=environment,
                                stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True, text=True,
                                **options)

    def end(self, process):
        """Returns the exit code and the lines that are left to read."""
        output, _ = process.communicate(timeout=60)
        return process.returncode, output.splitlines()

    def run_body(self, body):
        code, lines = self.end(self.start(body))
        self.assertEqual(code, 0, lines)
        return lines

    def cache(self, name, preset="release"):
        for line in (self.root / "build" / preset / "CMakeCache.txt").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return line.partition("=")[2]
        return None

    def read_until(self, process, text):
        for line in process.stdout:
            if text in line:
                return
        self.fail(f"the output has no '{text}'")

    def let_second_end(self):
        with open(self.root / "pipe", "w"):
            pass


class CompilerTest(ScriptTest):
    def test_first_configure_takes_clang_and_lld(self):
        self.install(*CLANG)
        self.run_body("configure release\n")
        self.assertEqual(self.cache("CMAKE_C_COMPILER"), "clang-22")
        self.assertEqual(self.cache("CMAKE_CXX_COMPILER"), "clang++-22")
        for kind in ("EXE", "SHARED", "MODULE"):
            self.assertEqual(self.cache(f"CMAKE_{kind}_LINKER_FLAGS"), "-fuse-ld=lld")

    def test_folder_keeps_its_compiler(self):
        self.run_body("configure release\n")
        self.install(*CLANG)
        self.run_body("configure release\n")
        self.assertIsNone(self.cache("CMAKE_CXX_COMPILER"))

    def test_folder_keeps_clang_without_clang_on_path(self):
        self.install(*CLANG)
        self.run_body("configure release\n")
        self.uninstall(*CLANG)
        self.run_body("configure release\n")
        self.assertEqual(self.cache("CMAKE_CXX_COMPILER"), "clang++-22")

    def test_without_linker_the_systems_compiler_is_taken(self):
        self.install(*CLANG[:2])
        self.run_body("configure release\n")
        self.assertIsNone(self.cache("CMAKE_CXX_COMPILER"))

    def test_bench_stays_with_the_systems_compiler(self):
        self.install(*CLANG)
        self.run_body("configure bench\n")
        self.assertIsNone(self.cache("CMAKE_CXX_COMPILER", "bench"))

    def test_builds_without_clang_and_ccache(self):
        lines = self.run_body("use_compiler_cache\nconfigure_release\nbuild release first\n")
        self.assertIsNone(self.cache("CMAKE_CXX_COMPILER"))
        self.assertEqual(self.cache("CMAKE_CXX_COMPILER_LAUNCHER"), "")
        self.assertRegex(lines[-1], r"^tiny: built 1 of 1 steps in 0 min \d\d s$")

    def test_launcher_is_kept_while_it_is_installed(self):
        self.run_body("use_compiler_cache\nconfigure release\n")
        self.install("ccache")
        self.run_body("use_compiler_cache\nconfigure release\nconfigure bench\n")
        self.assertEqual(self.cache("CMAKE_CXX_COMPILER_LAUNCHER"), "")
        self.assertEqual(self.cache("CMAKE_CXX_COMPILER_LAUNCHER", "bench"), "ccache")
        self.uninstall("ccache")
        self.run_body("use_compiler_cache\nconfigure bench\n")
        self.assertEqual(self.cache("CMAKE_CXX_COMPILER_LAUNCHER", "bench"), "")

    def test_options_are_those_of_the_first_configure(self):
        self.run_body("configure_release\nconfigure_release\n")
        self.assertEqual(self.cache("TFRT_BUILD_BENCHMARKS"), "OFF")
        self.run_body("cmake --preset release >/dev/null\nconfigure_release\n")
        self.assertEqual(self.cache("TFRT_BUILD_BENCHMARKS"), "ON")

    def test_folder_that_the_caller_has_configured(self):
        lines = self.run_body("TFRT_CONFIGURED=bench\nconfigure release\nconfigure bench\n")
        self.assertEqual(lines, ["tiny: configuring build/release"])
        self.assertFalse((self.root / "build/bench").exists())

    def test_failing_configure_shows_what_cmake_printed(self):
        self.write("CMakeLists.txt", PROJECT + 'message(FATAL_ERROR "planted")\n')
        code, lines = self.end(self.start("configure_release\necho 'not reached'\n"))
        self.assertEqual(code, 1)
        self.assertIn("  planted", lines)
        self.assertEqual(lines[-1], "tiny: build/release cannot be configured; to try again: "
                                    "cmake --preset release -DTFRT_BUILD_BENCHMARKS=OFF")


class BuildTest(ScriptTest):
    def test_progress(self):
        process = self.start("configure release\nbuild release both\n")
        self.read_until(process, "tiny: 1 of 2 steps, 50 %, 0 min 0")
        self.let_second_end()
        code, lines = self.end(process)
        self.assertEqual(code, 0)
        self.assertRegex(lines[-1], r"^tiny: built 2 of 2 steps in 0 min \d\d s$")
        self.assertEqual(self.run_body("build release both\n"), ["tiny: nothing had to be built"])

    def test_terminal_has_the_line_of_ninja(self):
        self.run_body("configure release\n")
        ours, theirs = pty.openpty()
        process = self.start("build release first\n", stdout=theirs)
        os.close(theirs)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertIn(b"[1/1]", os.read(ours, 10000))
        os.close(ours)
        self.assertFalse((self.root / "build/release.log").exists())

    def test_failure_ends_with_the_command(self):
        code, lines = self.end(self.start("configure release\nbuild release broken first\necho 'not reached'\n"))
        self.assertEqual(code, 1)
        self.assertIn("planted error", lines)
        self.assertLess(len(lines), 70)
        self.assertRegex(lines[-2], r"^\.\.\. and \d+ more lines in build/release\.log$")
        self.assertEqual(lines[-1], "tiny: the build failed; to see more: "
                                    "cmake --build build/release --target broken first --verbose")

    def test_unknown_target_is_named(self):
        code, lines = self.end(self.start("configure release\nbuild release absent\n"))
        self.assertEqual(code, 1)
        self.assertIn("ninja: error: unknown target 'absent'", "\n".join(lines))

    def test_interrupted_build_goes_on(self):
        body = 'made=$(mktemp -d -p "$PWD")\nunfinished+=("$made")\nconfigure release\nbuild release both\n'
        (self.root / "bin/mktemp").symlink_to(shutil.which("mktemp"))
        process = self.start(body)
        self.read_until(process, "1 of 2 steps")
        self.assertTrue((self.root / "build/release/second.txt").exists())
        os.killpg(process.pid, signal.SIGINT)
        code, lines = self.end(process)
        self.assertEqual(code, 130)
        self.assertIn("tiny: built 1 of 2 steps", lines[-2])
        self.assertEqual(lines[-1], "tiny: interrupted; the same command goes on where this one stopped")
        self.assertFalse((self.root / "build/release/second.txt").exists())
        self.assertEqual(list(self.root.glob("tmp.*")), [])
        with self.assertRaises(ProcessLookupError):
            os.killpg(process.pid, 0)

        process = self.start(body)
        self.let_second_end()
        code, lines = self.end(process)
        self.assertEqual(code, 0)
        self.assertRegex(lines[-1], r"^tiny: built 1 of 1 steps in")
        self.assertEqual((self.root / "build/release/first.log").read_text(), "once\n")

    def test_plan_is_of_what_is_not_built(self):
        plan = "say_plan 'makes files' release 40 both\n"
        lines = self.run_body(plan)
        self.assertEqual(lines[0], "tiny: makes files")
        self.assertRegex(lines[1], r"^tiny: builds first: 100 % of the steps, about \d+ min with \d+ jobs; less where")
        self.run_body("configure release\nbuild release first\n")
        self.assertRegex(self.run_body(plan)[1], r"^tiny: builds first: 50 % of the steps")
        process = self.start("build release both\n")
        self.let_second_end()
        self.assertEqual(self.end(process)[0], 0)
        self.write("CMakeLists.txt", PROJECT + "# changed\n")
        self.assertEqual(self.run_body(plan)[1], "tiny: what it needs is built")


class RunTestsTest(ScriptTest):
    def run_tests(self, *arguments):
        return self.end(self.start_script("run_tests.sh", *arguments))

    def test_clang_builds_ci(self):
        self.install(*CLANG)
        code, lines = self.run_tests()
        self.assertEqual(code, 0, lines)
        self.assertIn("100% tests passed, 0 tests failed out of 1", lines)
        self.assertRegex("\n".join(lines), r"  ci build +0\.\d min, of processors +0\.\d\n  ci tests +0\.\d min")
        self.assertRegex(lines[-1], r"^run_tests: took 0 minutes, of processors 0; all tests passed$")

    def test_without_clang_dev_is_built_and_says_what_is_left_out(self):
        code, lines = self.run_tests()
        self.assertEqual(code, 0, lines)
        self.assertRegex("\n".join(lines), "the preset dev takes the place of ci. Left out: device code of GPUs")
        self.assertTrue((self.root / "build/dev/build.ninja").exists())
        self.assertRegex(lines[-1], "; all tests passed$")

    def test_all_stages_need_clang(self):
        code, lines = self.run_tests("--all")
        self.assertEqual(code, 1)
        self.assertIn("asan, fuzz, tsan and tsan-pool cannot be built", lines[-1])
        self.assertFalse((self.root / "build/dev").exists())

    def test_more_than_the_goal_fails(self):
        self.install(*CLANG)
        script = self.root / "scripts/run_tests.sh"
        script.write_text(script.read_text().replace("goal_first=20", "goal_first=0"))
        code, lines = self.run_tests()
        self.assertEqual(code, 1)
        self.assertRegex(lines[-1], r"more than 0, the goal of 0 and a margin of \d+ %$")

    def test_failing_test_names_the_command(self):
        self.install(*CLANG)
        self.write("CMakeLists.txt", PROJECT + "add_test(NAME fails COMMAND sh -c false)\n")
        code, lines = self.run_tests()
        self.assertEqual(code, 1)
        self.assertEqual(lines[-1], "run_tests: tests failed; to see more: "
                                    "ctest --test-dir build/ci --rerun-failed --output-on-failure")

    def write_all_stages(self, more=""):
        self.install(*CLANG)
        self.write("scripts/run_soak.sh", "#!/bin/sh\nexit 0\n")
        self.write("scripts/run_fuzzer.sh", "#!/bin/sh\nexit 0\n")
        self.write("CMakeLists.txt", PROJECT + ALL_STAGES + more)

    def test_all_stages(self):
        self.write_all_stages()
        code, lines = self.run_tests("--all")
        self.assertEqual(code, 0, lines)
        stages = [re.match(r"  (\w.*?) +\d+\.\d min, of processors +\d+\.\d$", line) for line in lines]
        self.assertEqual(sorted(stage[1] for stage in stages if stage), sorted(
            [f"{preset} {part}" for preset in ("ci", "bench", "minimal", "asan", "tsan") for part in ("build", "tests")]
            + ["fuzz", "soak", "tsan-pool"]))
        self.assertRegex(lines[-1], "; all tests passed$")

    def test_build_beside_tests_that_fails(self):
        self.write_all_stages('if(preset STREQUAL "bench")\n  add_dependencies(soak broken)\nendif()\n')
        code, lines = self.run_tests("--all")
        self.assertEqual(code, 1)
        self.assertIn("planted error", lines)
        self.assertIn("100% tests passed, 0 tests failed out of 4", lines)  # those of ci
        self.assertEqual(lines[-1], "run_tests: build/bench cannot be built; what failed is above, and in build/bench.log")
        self.assertFalse((self.root / "build/asan").exists())

    def test_failing_test_ends_the_build_beside(self):
        self.write_all_stages('if(preset STREQUAL "bench")\n  add_dependencies(soak both)\nelse()\n'
                              '  add_test(NAME fails COMMAND sh -c "while [ ! -e ../bench/second.txt ]; do :; done; exit 1")\n'
                              '  set_tests_properties(fails PROPERTIES TIMEOUT 30)\nendif()\n')
        process = self.start_script("run_tests.sh", "--all")
        code, lines = self.end(process)
        self.assertEqual(code, 1)
        self.assertIn("run_tests: tests failed; to see more: "
                      "ctest --test-dir build/ci --rerun-failed --output-on-failure", lines)
        # Ninja has deleted what was half made.
        self.assertFalse((self.root / "build/bench/second.txt").exists())

    def test_unknown_argument(self):
        self.assertEqual(self.run_tests("--quick"),
                         (2, ["run_tests: unknown argument '--quick'; see the head of "
                              f"{self.root}/scripts/run_tests.sh"]))


if __name__ == "__main__":
    unittest.main()
