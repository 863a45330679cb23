"""Lets mypy check the programs of documents, the examples, and typed_program.py, against the package's types.

usage: check_types.py   Ends with 77 where mypy is not installed.
"""

import os
import pathlib
import re
import sys
import tempfile

try:
    from mypy import api
except ImportError:
    print("mypy is not installed: scripts/install_dependencies.sh installs it")
    sys.exit(77)

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent.parent
os.environ["MYPYPATH"] = str(SOURCE_DIR / "python")

with tempfile.TemporaryDirectory() as folder:
    programs = [SOURCE_DIR / "python/tests/typed_program.py", SOURCE_DIR / "examples/python/lenet.py",
                SOURCE_DIR / "examples/python/transformer.py"]
    for document in ("docs/python.md", "docs/training.md", "README.md"):
        blocks = re.findall(r"^```python.*\n([\s\S]*?)^```", (SOURCE_DIR / document).read_text(), re.MULTILINE)
        programs.append(pathlib.Path(folder) / (document.replace("/", "_").replace(".", "_") + ".py"))
        programs[-1].write_text("\n".join(blocks))
    output, errors, code = api.run(["--check-untyped-defs", "--cache-dir", folder + "/cache", "--follow-imports=silent",
                                    "--warn-unused-ignores", "--config-file=", *map(str, programs)])
print(output + errors, end="")
sys.exit(code)
