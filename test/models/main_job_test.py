#!/usr/bin/env python3
"""The page is read and the files are named as scripts/run_models.sh does it; what is wrong is said.

usage: main_job_test.py BUILD_DIR MODELS      MODELS: folder with the public models
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD_DIR, MODELS = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(ROOT / "benchmarks"))

from onnx_models import check

PAGE = ROOT / "examples/read_text/data/page.pgm"


def bef(name):
    path = MODELS / f"{name}.bef"
    check.import_model(BUILD_DIR, MODELS / f"{name}.onnx", path)
    return path


def run(program, *arguments):
    return subprocess.run([BUILD_DIR / "bin" / program, *arguments], cwd=ROOT, capture_output=True, text=True)


class ReadTextTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = [f"--{flag}={bef(f'ocr_{flag}')}" for flag in ("detector", "direction", "recogniser")]

    def test_reads_every_line(self):
        for queue in ("s", "mstd:2"):
            done = run("read_text", PAGE, *self.models, f"--expect={PAGE.with_suffix('.txt')}",
                       f"--work_queue_type={queue}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("\n13 lines: found in ", done.stdout)
            self.assertRegex(done.stdout, r"Turn me round to read this line! +0\.9\d\d  turned\n")

    def test_says_which_line_differs(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as expected:
            expected.write(PAGE.with_suffix(".txt").read_text().replace("38.37", "38.38"))
            expected.flush()
            done = run("read_text", PAGE, *self.models, f"--expect={expected.name}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("line 12: read 'EUR 38.37', but expected 'EUR 38.38'\n", done.stdout)

    def test_says_what_is_wrong(self):
        for arguments, message in [
                (["--page"], "unknown argument --page"),
                ([PAGE], "expected --detector"),
                (["/there/is/none", *self.models], "cannot open /there/is/none"),
                ([PAGE, *self.models[:2], self.models[0].replace("--detector", "--recogniser")],
                 "has no metadata 'character'")]:
            done = run("read_text", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)


class FileTypesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = [f"--model={bef('magika')}", f"--config={MODELS / 'magika_config.json'}",
                     f"--content_types={MODELS / 'magika_content_types.json'}"]

    def test_names_files_as_magika_does(self):
        done = run("file_types", *self.model, "--expect=examples/file_types/expected.txt")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"20 files named in [\d.]+ ms, all as expected\n")

    def test_names_small_files_without_the_network(self):
        with tempfile.NamedTemporaryFile("w") as small:
            small.write("abc")
            small.flush()
            done = run("file_types", *self.model, small.name, "/dev/null")
            self.assertEqual(done.returncode, 1)
            self.assertIn("/dev/null is not a file", done.stderr)
            done = run("file_types", *self.model, small.name)
        self.assertRegex(done.stdout, r" txt +1\.000\n")

    def test_says_what_is_other_than_expected(self):
        with tempfile.NamedTemporaryFile("w") as expected:
            expected.write("README.md python\n")
            expected.flush()
            done = run("file_types", *self.model, f"--expect={expected.name}")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"README.md +markdown +0\.9\d\d  expected python\n")
        self.assertIn("not all as expected", done.stdout)

    def test_says_what_is_wrong(self):
        done = run("file_types", "README.md")
        self.assertEqual((done.returncode, done.stderr), (1, "file_types: expected --model\n"))


if __name__ == "__main__":
    if not (MODELS / "ocr_detector.onnx").exists():
        print("main_job_test: the public models are not there")
        raise SystemExit(77)
    unittest.main(argv=sys.argv[:1])
