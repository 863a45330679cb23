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
        |set(TFRT_ALLOWED_DEPS_support "")
        |set(TFRT_ALLOWED_DEPS_bef support)
        |set(TFRT_ALLOWED_DEPS_executor support
        |    bef)
        |set(TFRT_ALLOWED_DEPS_gpu_abi support)
        |set(TFRT_ALLOWED_DEPS_gpu_double gpu_abi)
        |set(TFRT_ALLOWED_DEPS_gpu_runtime support gpu_abi)
        |set(TFRT_ALLOWED_DEPS_dialects support)
        |set(TFRT_ALLOWED_DEPS_compiler support bef dialects)
        |set(TFRT_HIDDEN_HEADERS_executor
        |    tfrt/bef/frame.h)
        |set(TFRT_MATHS_LIBRARY_USERS bef tools/run)
        |set(TFRT_COMPILER_LAYERS dialects compiler)
        |set(TFRT_RUNTIME_CLIENTS tools/run examples/both)
        |set(TFRT_GPU_CLIENTS tools/gpu_run)
        |set(TFRT_COMPILER_CLIENTS tools/compile
        |    examples/both)
        |""",
    "include/tfrt/support/status.h": "#include <string>\n",
    "include/tfrt/bef/reader.h": '#include "tfrt/support/status.h"\n',
    "include/tfrt/bef/frame.h": "#pragma once\n",
    "lib/bef/frame.cc": '#include "tfrt/bef/frame.h"\n#include <Eigen/Core>\n',
    "lib/bef/bytes.h": '#include "tfrt/bef/reader.h"\n',
    "lib/bef/reader.cc": '#include "tfrt/bef/reader.h"\n#include "lib/bef/bytes.h"\n#include "bytes.h"\n',
    "include/tfrt/executor/run.h": "#include <tfrt/bef/reader.h>\n",
    "gpu/include/tfrt/gpu/abi/types.h": '#include "tfrt/support/status.h"\n',
    "gpu/include/tfrt/gpu/runtime/stream.h": '#include "tfrt/gpu/abi/types.h"\n',
    "gpu/runtime/pool.h": "#pragma once\n",
    "gpu/runtime/stream.cc": '#include "tfrt/gpu/runtime/stream.h"\n#include "pool.h"\n',
    "gpu/double/driver/calls.cc": '#include "tfrt/gpu/abi/types.h"\n#include "test/support/fake.h"\n',
    "tools/gpu_run/main.cc": '#include "tfrt/gpu/runtime/stream.h"\n#include "tfrt/executor/run.h"\n',
    "dialects/hex/hex.h": '#include "dialects/hex/hex.h.inc"\n#include "mlir/IR/Dialect.h"\n',
    "include/tfrt/compiler/compile.h": "#pragma once\n",
    "lib/compiler/compile.cc": '#include "dialects/hex/hex.h"\n#include "llvm/ADT/Twine.h"\n',
    "tools/run/main.cc": '#include "tfrt/executor/run.h"\n#include <dnnl.h>\n',
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
        self.expect("lib/bef/up.cc", '#include "tfrt/executor/run.h"\n',
                    "lib/bef/up.cc: 'bef' may not include tfrt/executor/run.h of layer 'executor'")

    def test_upward_in_dialects(self):
        self.expect("dialects/all.cc", '# include "tfrt/compiler/compile.h"\n',
                    "dialects/all.cc: 'dialects' may not include tfrt/compiler/compile.h"
                    " of layer 'compiler'")

    def test_upward_in_gpu(self):
        self.expect("gpu/include/tfrt/gpu/abi/more.h", '#include "tfrt/gpu/runtime/stream.h"\n',
                    "gpu/include/tfrt/gpu/abi/more.h: 'gpu_abi' may not include tfrt/gpu/runtime/stream.h"
                    " of layer 'gpu_runtime'")
        self.expect("gpu/runtime/up.cc", '#include "tfrt/executor/run.h"\n',
                    "gpu/runtime/up.cc: 'gpu_runtime' may not include tfrt/executor/run.h of layer 'executor'")

    def test_gpu_below(self):
        self.expect("lib/executor/run.cc", '#include "tfrt/gpu/abi/types.h"\n',
                    "lib/executor/run.cc: 'executor' may not include tfrt/gpu/abi/types.h of layer 'gpu_abi'")
        self.expect("tools/run/more.cc", '#include "tfrt/gpu/abi/types.h"\n',
                    "tools/run/more.cc: 'tools/run' may not include tfrt/gpu/abi/types.h of layer 'gpu_abi'")

    # The runtime never knows that a double exists, and the double shares nothing with it.
    def test_double(self):
        self.expect("gpu/runtime/more.cc", '#include "gpu/double/driver/calls.h"\n',
                    "gpu/runtime/more.cc: 'gpu_runtime' may not include gpu/double/driver/calls.h,"
                    " which is not public")
        self.expect("gpu/double/driver/more.cc", '#include "tfrt/gpu/runtime/stream.h"\n',
                    "gpu/double/driver/more.cc: 'gpu_double' may not include tfrt/gpu/runtime/stream.h"
                    " of layer 'gpu_runtime'")
        self.expect("gpu/runtime/more.cc", '#include "test/support/fake.h"\n',
                    "gpu/runtime/more.cc: 'gpu_runtime' may not include test/support/fake.h, which is not public")

    def test_private_header_in_public_one_of_gpu(self):
        self.expect("gpu/include/tfrt/gpu/runtime/more.h", '#include "gpu/runtime/pool.h"\n',
                    "gpu/include/tfrt/gpu/runtime/more.h: public headers may not include gpu/runtime/pool.h,"
                    " which is not installed")

    def test_private_header_of_another_layer(self):
        self.expect("lib/executor/run.cc", '#include "lib/bef/bytes.h"\n',
                    "lib/executor/run.cc: 'executor' may not include lib/bef/bytes.h,"
                    " which is not public")

    def test_private_header_in_public_one(self):
        self.expect("include/tfrt/bef/more.h", '#include "lib/bef/bytes.h"\n',
                    "include/tfrt/bef/more.h: public headers may not include lib/bef/bytes.h,"
                    " which is not installed")

    def test_relative_path_into_another_layer(self):
        self.expect("lib/executor/run.cc", '#include "../bef/bytes.h"\n',
                    "lib/executor/run.cc: 'executor' may not include ../bef/bytes.h,"
                    " which is not public")

    def test_client_of_other_island(self):
        self.expect("tools/compile/more.cc", '#include "tfrt/executor/run.h"\n',
                    "tools/compile/more.cc: 'tools/compile' may not include tfrt/executor/run.h"
                    " of layer 'executor'")

    def test_private_header_in_client(self):
        self.expect("tools/run/more.cc", '#include "lib/bef/bytes.h"\n',
                    "tools/run/more.cc: 'tools/run' may not include lib/bef/bytes.h,"
                    " which is not public")

    def test_client_in_library(self):
        self.expect("lib/bef/up.cc", '#include "tools/run/main.cc"\n',
                    "lib/bef/up.cc: 'bef' may not include tools/run/main.cc, which is not public")

    def test_test_support_outside_tests(self):
        self.expect("lib/bef/up.cc", '#include "test/support/fake.h"\n',
                    "lib/bef/up.cc: 'bef' may not include test/support/fake.h, which is not public")

    def test_mlir_in_runtime(self):
        for path, name in (("lib/executor/run.cc", "executor"), ("tools/run/more.cc", "tools/run")):
            for header in ("mlir/IR/Dialect.h", "llvm-c/Core.h"):
                self.expect(path, f"#include <{header}>\n",
                            f"{path}: '{name}' of the runtime island may not include {header}")

    def test_hidden_header(self):
        for spelling, path in (('"tfrt/bef/frame.h"', "lib/executor/run.cc"),
                               ("<tfrt/bef/frame.h>", "include/tfrt/executor/more.h")):
            self.expect(path, f"#include {spelling}\n",
                        f"{path}: 'executor' may not include tfrt/bef/frame.h, which is hidden from it")

    def test_hidden_header_that_is_gone(self):
        table = TREE["cmake/TfrtLayers.cmake"].replace("bef/frame.h", "bef/gone.h")
        self.expect("cmake/TfrtLayers.cmake", table,
                    "cmake/TfrtLayers.cmake: there is no header 'tfrt/bef/gone.h' to hide from 'executor'")

    def test_maths_library_elsewhere(self):
        for path, name in (("lib/executor/run.cc", "executor"), ("tools/compile/more.cc", "tools/compile")):
            for header in ("Eigen/Core", "unsupported/Eigen/FFT", "dnnl.h", "oneapi/dnnl/dnnl.hpp"):
                self.expect(path, f"#include <{header}>\n",
                            f"{path}: '{name}' may not include {header}, which is for maths alone")

    def test_layer_without_entry(self):
        self.expect("lib/extra/a.cc", "",
                    "lib/extra/a.cc: layer 'extra' has no entry in cmake/TfrtLayers.cmake")

    def test_files_outside_layers_and_clients(self):
        for path in ("lib/a.cc", "gpu/a.cc", "include/tfrt/a.h", "include/a.h", "tools/new/main.cc",
                     "tools/main.cc", "examples/new/a.cu", "benchmarks/a.cc"):
            self.expect(path, "", f"{path}: is part of no layer and no client"
                                  " (cmake/TfrtLayers.cmake)")

    def test_table_that_looks_up(self):
        table = TREE["cmake/TfrtLayers.cmake"].replace('support "")', "support bef)")
        self.expect("cmake/TfrtLayers.cmake", table,
                    "cmake/TfrtLayers.cmake: 'support' may depend on 'bef', which is not lower")

    def test_client_that_is_gone(self):
        table = TREE["cmake/TfrtLayers.cmake"].replace("tools/run", "tools/run tools/gone")
        self.expect("cmake/TfrtLayers.cmake", table,
                    "cmake/TfrtLayers.cmake: there is no client 'tools/gone'")

    def test_table_that_cannot_be_read(self):
        self.assertIn("cmake/TfrtLayers.cmake: found no layers or no clients",
                      self.errors({"cmake/TfrtLayers.cmake": ""}))


if __name__ == "__main__":
    unittest.main()
