#!/usr/bin/env python3
"""Plants violations in a small source tree and expects check_includes.py to name each."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_includes

TREE = {
    "cmake/TfrtLayers.cmake": """
        |set(TFRT_WING_base support)
        |set(TFRT_WING_SEES_base "")
        |set(TFRT_ALLOWED_DEPS_support "")
        |set(TFRT_WING_runtime bef
        |    executor)
        |set(TFRT_WING_SEES_runtime base)
        |set(TFRT_ALLOWED_DEPS_bef support)
        |set(TFRT_ALLOWED_DEPS_executor support
        |    bef)
        |set(TFRT_WING_compiler dialects compiler)
        |set(TFRT_WING_SEES_compiler base runtime)
        |set(TFRT_ALLOWED_DEPS_dialects support)
        |set(TFRT_ALLOWED_DEPS_compiler bef dialects)
        |set(TFRT_WING_gpu gpu_abi gpu_runtime)
        |set(TFRT_WING_SEES_gpu base)
        |set(TFRT_ALLOWED_DEPS_gpu_abi support)
        |set(TFRT_ALLOWED_DEPS_gpu_runtime support gpu_abi)
        |set(TFRT_WINGS base runtime compiler gpu)
        |set(TFRT_HEADERS_OF_bef bef_file frames/frame.h)
        |set(TFRT_HIDDEN_HEADERS_executor
        |    tfrt/frames/frame.h)
        |set(TFRT_MATHS_LIBRARY_USERS bef tools/run)
        |set(TFRT_COMPILER_LAYERS dialects compiler)
        |set(TFRT_RUNTIME_CLIENTS tools/run examples/both)
        |set(TFRT_GPU_CLIENTS tools/gpu_run)
        |set(TFRT_COMPILER_CLIENTS tools/compile
        |    examples/both)
        |""",
    "include/tfrt/support/status.h": "#include <string>\n",
    "include/tfrt/bef_file/reader.h": '#include "tfrt/support/status.h"\n',
    "include/tfrt/frames/frame.h": "#pragma once\n",
    "lib/runtime/bef/frame.cc": '#include "tfrt/frames/frame.h"\n#include <Eigen/Core>\n',
    "lib/runtime/bef/bytes.h": '#include "tfrt/bef_file/reader.h"\n',
    "lib/runtime/bef/reader.cc": '#include "tfrt/bef_file/reader.h"\n#include "lib/runtime/bef/bytes.h"\n'
                                 '#include "bytes.h"\n',
    "include/tfrt/executor/run.h": "#include <tfrt/bef_file/reader.h>\n",
    "lib/runtime/executor/run.cc": '#include "tfrt/support/status.h"\n#include "lib/runtime/bef/bytes.h"\n',
    "gpu/abi/types.h": '#include "tfrt/support/status.h"\n',
    "gpu/runtime/stream.h": '#include "gpu/abi/types.h"\n#include "tfrt/support/status.h"\n',
    "gpu/runtime/pool.h": "#pragma once\n",
    "gpu/runtime/stream.cc": '#include "gpu/runtime/stream.h"\n#include "pool.h"\n',
    "test/gpu/vendor/driver/calls.cc": '#include "gpu/abi/types.h"\n#include "test/support/fake.h"\n',
    "tools/gpu_run/main.cc": '#include "gpu/runtime/stream.h"\n#include "tfrt/executor/run.h"\n',
    "dialects/hex/hex.h": '#include "dialects/hex/hex.h.inc"\n#include "mlir/IR/Dialect.h"\n'
                          '#include "tfrt/support/status.h"\n',
    "include/tfrt/compiler/compile.h": "#pragma once\n",
    "lib/compiler/compile.cc": '#include "dialects/hex/hex.h"\n#include "llvm/ADT/Twine.h"\n'
                               '#include "tfrt/bef_file/reader.h"\n',
    "tools/run/main.cc": '#include "tfrt/executor/run.h"\n#include "lib/runtime/bef/bytes.h"\n#include <dnnl.h>\n',
    "tools/compile/main.cc": '#include "tfrt/compiler/compile.h"\n#include "mlir/IR/Dialect.h"\n',
    "examples/both/main.cc": '#include "tfrt/compiler/compile.h"\n#include "tfrt/executor/run.h"\n',
    "examples/both/main_test.cc": '#include "test/support/fake.h"\n',
}


def plant(folder, planted):
    for name, text in {**TREE, **planted}.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("        |", ""))


class CheckIncludesTest(unittest.TestCase):
    def errors(self, planted):
        with tempfile.TemporaryDirectory() as folder:
            plant(folder, planted)
            num_files, errors = check_includes.check_tree(pathlib.Path(folder))
            self.assertGreaterEqual(num_files, 10)
            return errors

    def expect(self, path, text, error):
        self.assertEqual(self.errors({path: text}), [error])

    def test_tree_is_clean(self):
        self.assertEqual(self.errors({}), [])

    def test_exit_status(self):
        for planted, status in (({}, 0), ({"lib/a.cc": ""}, 1)):
            with tempfile.TemporaryDirectory() as folder:
                plant(folder, planted)
                result = subprocess.run([sys.executable, check_includes.__file__, folder],
                                        capture_output=True, text=True)
                self.assertEqual(result.returncode, status, result.stdout)

    def test_upward(self):
        self.expect("lib/runtime/bef/up.cc", '#include "tfrt/executor/run.h"\n',
                    "lib/runtime/bef/up.cc: 'bef' may not include tfrt/executor/run.h of layer 'executor'")
        self.expect("lib/runtime/bef/up.cc", '#include "lib/runtime/executor/steps.h"\n',
                    "lib/runtime/bef/up.cc: 'bef' may not include lib/runtime/executor/steps.h of layer 'executor'")
        self.expect("lib/runtime/bef/up.cc", '#include "../executor/run.cc"\n',
                    "lib/runtime/bef/up.cc: 'bef' may not include ../executor/run.cc of layer 'executor'")

    def test_upward_in_dialects(self):
        self.expect("dialects/all.cc", '# include "tfrt/compiler/compile.h"\n',
                    "dialects/all.cc: 'dialects' may not include tfrt/compiler/compile.h"
                    " of layer 'compiler'")

    def test_upward_in_gpu(self):
        self.expect("gpu/abi/more.h", '#include "gpu/runtime/stream.h"\n',
                    "gpu/abi/more.h: 'gpu_abi' may not include gpu/runtime/stream.h of layer 'gpu_runtime'")
        self.expect("gpu/runtime/up.cc", '#include "tfrt/executor/run.h"\n',
                    "gpu/runtime/up.cc: 'gpu_runtime' may not include tfrt/executor/run.h of layer 'executor'")

    def test_gpu_below(self):
        self.expect("lib/runtime/executor/run.h", '#include "gpu/abi/types.h"\n',
                    "lib/runtime/executor/run.h: 'executor' may not include gpu/abi/types.h of layer 'gpu_abi'")
        self.expect("tools/run/more.cc", '#include "gpu/abi/types.h"\n',
                    "tools/run/more.cc: 'tools/run' may not include gpu/abi/types.h of layer 'gpu_abi'")

    # The runtime never knows that a double exists, and the double shares nothing with it.
    def test_double(self):
        self.expect("gpu/runtime/more.cc", '#include "test/gpu/vendor/driver/calls.h"\n',
                    "gpu/runtime/more.cc: 'gpu_runtime' may not include test/gpu/vendor/driver/calls.h,"
                    " which is not part of a library")
        self.expect("test/gpu/vendor/driver/more.cc", '#include "gpu/runtime/stream.h"\n',
                    "test/gpu/vendor/driver/more.cc: 'test/gpu/vendor' may not include gpu/runtime/stream.h"
                    " of layer 'gpu_runtime'")
        self.expect("gpu/runtime/more.cc", '#include "test/support/fake.h"\n',
                    "gpu/runtime/more.cc: 'gpu_runtime' may not include test/support/fake.h,"
                    " which is not part of a library")

    def test_private_header_in_public_one(self):
        for include in ("lib/runtime/bef/bytes.h", "gpu/runtime/pool.h"):
            self.expect("include/tfrt/executor/more.h", f'#include "{include}"\n',
                        f"include/tfrt/executor/more.h: public headers may not include {include},"
                        " which is not installed")

    def test_private_header_in_example(self):
        self.expect("examples/both/more.cc", '#include "lib/runtime/bef/bytes.h"\n',
                    "examples/both/more.cc: examples may not include lib/runtime/bef/bytes.h, which is not installed")

    def test_client_of_other_island(self):
        self.expect("tools/compile/more.cc", '#include "tfrt/executor/run.h"\n',
                    "tools/compile/more.cc: 'tools/compile' may not include tfrt/executor/run.h"
                    " of layer 'executor'")

    def test_client_in_library(self):
        self.expect("lib/runtime/bef/up.cc", '#include "tools/run/main.cc"\n',
                    "lib/runtime/bef/up.cc: 'bef' may not include tools/run/main.cc, which is not part of a library")

    def test_test_support_outside_tests(self):
        self.expect("lib/runtime/bef/up.cc", '#include "test/support/fake.h"\n',
                    "lib/runtime/bef/up.cc: 'bef' may not include test/support/fake.h, which is not part of a library")

    def test_mlir_in_runtime(self):
        for path, name in (("lib/runtime/executor/more.cc", "executor"), ("tools/run/more.cc", "tools/run")):
            for header in ("mlir/IR/Dialect.h", "llvm-c/Core.h"):
                self.expect(path, f"#include <{header}>\n",
                            f"{path}: '{name}' of the runtime island may not include {header}")

    def test_hidden_header(self):
        for spelling, path in (('"tfrt/frames/frame.h"', "lib/runtime/executor/more.cc"),
                               ("<tfrt/frames/frame.h>", "include/tfrt/executor/more.h")):
            self.expect(path, f"#include {spelling}\n",
                        f"{path}: 'executor' may not include tfrt/frames/frame.h, which is hidden from it")

    def test_hidden_header_that_is_gone(self):
        table = TREE["cmake/TfrtLayers.cmake"].replace("tfrt/frames/frame.h", "tfrt/frames/gone.h")
        self.expect("cmake/TfrtLayers.cmake", table,
                    "cmake/TfrtLayers.cmake: there is no header 'tfrt/frames/gone.h' to hide from 'executor'")

    def test_maths_library_elsewhere(self):
        for path, name in (("lib/runtime/executor/more.cc", "executor"), ("tools/compile/more.cc", "tools/compile")):
            for header in ("Eigen/Core", "unsupported/Eigen/FFT", "dnnl.h", "oneapi/dnnl/dnnl.hpp",
                           "hwy/highway.h"):
                self.expect(path, f"#include <{header}>\n",
                            f"{path}: '{name}' may not include {header}, which is for maths alone")

    def test_files_outside_layers_and_clients(self):
        for path in ("lib/a.cc", "lib/runtime/a.cc", "lib/runtime/extra/a.cc", "gpu/a.cc", "include/tfrt/a.h",
                     "include/tfrt/frames/a.h", "include/a.h", "tools/new/main.cc", "tools/main.cc",
                     "examples/new/a.cu", "benchmarks/a.cc"):
            self.expect(path, "", f"{path}: is part of no layer and no client"
                                  " (cmake/TfrtLayers.cmake)")

    def expect_of_table(self, old, new, *errors):
        table = TREE["cmake/TfrtLayers.cmake"]
        self.assertIn(old, table)
        self.assertEqual(self.errors({"cmake/TfrtLayers.cmake": table.replace(old, new)}),
                         [f"cmake/TfrtLayers.cmake: {error}" for error in errors])

    def test_table_that_looks_up(self):
        self.expect_of_table('DEPS_support "")', "DEPS_support bef)",
                             "'support' may depend on 'bef', which is not lower",
                             "'support' may depend on 'bef' of the wing 'runtime', which its own does not see")

    def test_wing_that_does_not_see_another(self):
        self.expect_of_table("SEES_compiler base runtime)", "SEES_compiler base)",
                             "'compiler' may depend on 'bef' of the wing 'runtime', which its own does not see")

    def test_wing_that_sees_another_for_nothing(self):
        self.expect_of_table("SEES_gpu base)", "SEES_gpu base runtime)",
                             "the wing 'gpu' sees 'runtime', and none of its layers depends on it")

    def test_layer_in_no_wing(self):
        self.expect_of_table("set(TFRT_WINGS ", "set(TFRT_ALLOWED_DEPS_more \"\")\nset(TFRT_WINGS ",
                             "'more' is in no wing")

    def test_permission_that_nobody_uses(self):
        self.expect_of_table("DEPS_compiler bef", "DEPS_compiler support bef",
                             "'compiler' includes nothing of 'support', which it may")

    def test_client_that_is_gone(self):
        table = TREE["cmake/TfrtLayers.cmake"].replace("tools/run", "tools/run tools/gone")
        self.expect("cmake/TfrtLayers.cmake", table,
                    "cmake/TfrtLayers.cmake: there is no client 'tools/gone'")

    def test_table_that_cannot_be_read(self):
        self.assertIn("cmake/TfrtLayers.cmake: found no layers or no clients",
                      self.errors({"cmake/TfrtLayers.cmake": ""}))


if __name__ == "__main__":
    unittest.main()
