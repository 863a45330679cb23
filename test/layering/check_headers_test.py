#!/usr/bin/env python3
"""Plants violations in a small source tree and expects check_headers.py to name each.

usage: check_headers_test.py CXX_COMPILER
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_headers

CXX_COMPILER = sys.argv.pop(1)
TREE = {
    "cmake/TfrtLayers.cmake": """set(TFRT_WINGS base compiler gpu)
set(TFRT_WING_base support)
set(TFRT_WING_compiler dialects compiler)
set(TFRT_WING_gpu gpu_abi)
set(TFRT_ALLOWED_DEPS_support "")
set(TFRT_ALLOWED_DEPS_dialects "")
set(TFRT_ALLOWED_DEPS_compiler "")
set(TFRT_ALLOWED_DEPS_gpu_abi "")
""",
    "include/tfrt/support/proven.h": "#include <cstddef>\ninline std::size_t proven;\n",
    "include/tfrt/support/alone.h": "#include <cstddef>\ninline std::size_t alone;\n",
    "include/tfrt/compiler/compile.h": '#include "mlir/IR/Dialect.h"\n',
    "mlir/mlir/IR/Dialect.h": "",
    "dialects/hex/hex.h": '#include "mlir/IR/Dialect.h"\n',
    "gpu/abi/types.h": "#include <cstddef>\ninline std::size_t types;\n",
    "gpu/abi/result.h": '#include "gpu/abi/types.h"\n',
    "gpu/abi/result.cc": '#include "gpu/abi/result.h"\n',
    "lib/base/support/proven.cc": '// The text.\n#include "tfrt/support/proven.h"\n\n#include <vector>\n',
    "lib/base/support/table.h": "",
    "lib/base/support/table.cc": '#include "lib/base/support/table.h"\n',
    "lib/compiler/compile.cc": '#include "tfrt/compiler/compile.h"\n',
}


class CheckHeadersTest(unittest.TestCase):
    def check(self, planted, flags="", compiler=True, built=True):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            commands = []
            for name, text in {**TREE, **planted}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                mlir = "-isystem mlir " if name.startswith(("lib/compiler", "dialects")) else ""
                if name.endswith(".cc") and (compiler or not mlir):
                    if built:
                        path.with_suffix(".o").write_text("")
                    commands.append({"file": str(path), "directory": folder, "command":
                        f"cmake -E env A=b /usr/bin/ccache {CXX_COMPILER} -O2 -I{root} -I{root}/include {mlir}{flags} "
                        f"-std=c++20 -o {path.with_suffix('.o')} -c {path}"})
            (root / "compile_commands.json").write_text(json.dumps(commands))
            return check_headers.check_tree(root, root)

    def expect(self, planted, *errors):
        found = self.check(planted)[2]
        self.assertEqual(len(found), len(errors), found)
        for error, text in zip(found, errors):
            self.assertTrue(error.startswith(text), error)

    def test_tree_is_clean(self):
        self.assertEqual(self.check({}), (7, 3, []))

    def test_without_compiler_island(self):
        self.assertEqual(self.check({}, compiler=False), (7, 2, []))

    def test_precompiled_headers_prove_nothing(self):
        self.assertEqual(self.check({}, flags="-include pch.hxx"), (7, 7, []))

    def test_sources_that_are_not_built_prove_nothing(self):
        self.assertEqual(self.check({}, built=False), (7, 7, []))

    def test_header_that_needs_another(self):
        self.expect({"include/tfrt/support/needy.h": "inline std::size_t needy;\n"},
                    "include/tfrt/support/needy.h: does not compile alone: ")
        self.expect({"dialects/hex/needy.h": "inline std::size_t needy;\n"},
                    "dialects/hex/needy.h: does not compile alone: ")
        self.expect({"gpu/abi/needy.h": "inline std::size_t needy;\n"},
                    "gpu/abi/needy.h: does not compile alone: ")

    def test_runtime_header_that_needs_mlir(self):
        self.expect({"include/tfrt/support/needy.h": '#include "mlir/IR/Dialect.h"\n'},
                    "include/tfrt/support/needy.h: does not compile alone: ")

    def test_runtime_source_that_sees_mlir(self):
        _, _, errors = self.check({}, flags="-isystem mlir")
        self.assertEqual(errors, ["lib/base/support is compiled where it could include MLIR"])

    def test_own_header_not_first(self):
        self.expect({"lib/base/support/proven.cc": '#include <cstddef>\n#include "tfrt/support/proven.h"\n'},
                    "lib/base/support/proven.cc: includes cstddef before its own header "
                    "include/tfrt/support/proven.h")
        self.expect({"gpu/abi/result.cc": "#include <cstddef>\n"},
                    "gpu/abi/result.cc: includes cstddef before its own header gpu/abi/result.h")
        self.expect({"lib/base/support/table.cc": "#include <cstddef>\n"},
                    "lib/base/support/table.cc: includes cstddef before its own header lib/base/support/table.h")

    def test_exit_status(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "lib/base/support").mkdir(parents=True)
            (root / "lib/base/support/a.cc").write_text("")
            (root / "include").mkdir()
            (root / "cmake").mkdir()
            (root / "cmake/TfrtLayers.cmake").write_text(TREE["cmake/TfrtLayers.cmake"])
            (root / "compile_commands.json").write_text(json.dumps(
                [{"file": f"{root}/lib/base/support/a.cc", "directory": folder,
                  "command": f"{CXX_COMPILER} -I{root}/include"}]))
            for text, status in (("struct A {};\n", 0), ("struct B : A {};\n", 1)):
                (root / "include/a.h").write_text(text)
                result = subprocess.run([sys.executable, check_headers.__file__, root, root],
                                        capture_output=True, text=True)
                self.assertEqual(result.returncode, status, result.stdout)


if __name__ == "__main__":
    unittest.main()
