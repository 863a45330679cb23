"""The programs that documents show, and the examples."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent.parent


def run(arguments, folder, **variables):
    process = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=100,
                             env=os.environ | variables)
    assert process.returncode == 0, process.stdout + process.stderr
    assert "nanobind: leaked" not in process.stderr, process.stderr
    return process.stdout


@pytest.mark.parametrize("document", ["docs/python.md", "docs/training.md", "README.md"])
def test_documents(document, tmp_path, colours):
    text = (SOURCE_DIR / document).read_text()
    blocks = re.findall(r"^```python(.*)\n([\s\S]*?)^```", text, re.MULTILINE)
    assert blocks
    with_compiler = "TFRT_COMPILER_LIBRARY" in os.environ
    program = tmp_path / "program.py"
    program.write_text("\n".join(code for note, code in blocks if with_compiler or "needs-compiler" not in note))
    if document != "README.md":  # whose lines need nothing besides
        shutil.copy(colours, tmp_path / "colours.bef")
    run([sys.executable, program], tmp_path)


def test_lenet(tmp_path):
    output = run([sys.executable, SOURCE_DIR / "examples/python/lenet.py"], tmp_path)
    assert re.search(r"op by op: 9\d\.\d%", output), output
    assert re.search(r"losses of training:( \d\.\d{4}){10}\n", output), output


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
def test_transformer(tmp_path):
    output = run([sys.executable, SOURCE_DIR / "examples/python/transformer.py"], tmp_path)
    assert re.search(r"loss of the last 20 steps: 2\.\d+, PyTorch's: 2\.\d+\nit writes: 'You may ", output), output


def test_lenet_without_the_device(tmp_path):
    (tmp_path / "libcuda.so.1").write_text("no library")
    process = subprocess.run([sys.executable, SOURCE_DIR / "examples/python/lenet.py", "--device=gpu:0"], cwd=tmp_path,
                             capture_output=True, text=True, env=os.environ | {"TFRT_GPU_LIBRARY_PATH": str(tmp_path)})
    assert process.returncode == 1 and process.stderr.splitlines()[-1].startswith("lenet: "), process.stderr
    assert re.search("libcuda.so.1 cannot be loaded from|no GPU half", process.stderr), process.stderr
