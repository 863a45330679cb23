#!/usr/bin/env python3
"""Plants links in a small CMake project and expects its configuration to fail for each wrong one.

usage: check_links_test.py CMAKE_FOLDER CMAKE CXX_COMPILER
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE_FOLDER, CMAKE, CXX_COMPILER = (sys.argv.pop(1) for _ in range(3))
PROJECT = """
cmake_minimum_required(VERSION 3.24)
project(planted LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
set(TFRT_MAX_TRACING_LEVEL none)
include(TfrtCompileTime)
include(TfrtLayers)
include(TfrtTargets)
add_library(tfrt_mlir INTERFACE)
add_subdirectory(lib/base/support)
add_subdirectory(lib/runtime/tensor)
add_subdirectory(lib/ops/kernels)
add_subdirectory(dialects)
add_subdirectory(gpu/abi)
add_subdirectory(gpu/runtime)
add_subdirectory(test/gpu/vendor)
"""
FOLDERS = {
    "lib/base/support": "add_tfrt_library(support SOURCES a.cc)",
    "lib/runtime/tensor": "add_tfrt_library(tensor DEPS support LINK Threads::Threads SOURCES a.cc)",
    "lib/ops/kernels": "add_tfrt_library(kernels NAME maths DEPS support tensor SOURCES a.cc)\n"
                   "add_tfrt_library(kernels NAME bindings DEPS maths SOURCES a.cc)\n"
                   "add_library(module MODULE a.cc)\n"
                   "add_custom_target(generated)",
    "dialects": "add_tfrt_library(dialects LINK tfrt_mlir SOURCES a.cc)",
    "gpu/abi": "add_tfrt_library(gpu_abi SOURCES a.cc)",
    "gpu/runtime": "add_tfrt_library(gpu_runtime DEPS support gpu_abi SOURCES a.cc)",
    "test/gpu/vendor": "add_library(double SHARED a.cc)\ntarget_link_libraries(double PRIVATE tfrt_gpu_abi)",
}


class CheckLinksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.root = pathlib.Path(cls.temporary.name)
        shutil.copytree(CMAKE_FOLDER, cls.root / "cmake")
        (cls.root / "CMakeLists.txt").write_text(PROJECT)

    def configure(self, added):
        for folder, text in FOLDERS.items():
            (self.root / folder).mkdir(parents=True, exist_ok=True)
            (self.root / folder / "a.cc").write_text("")
            (self.root / folder / "CMakeLists.txt").write_text(f"{text}\n{added.get(folder, '')}\n")
        command = [CMAKE, "-S", self.root, "-B", self.root / "build",
                   f"-DCMAKE_CXX_COMPILER={CXX_COMPILER}"]
        result = subprocess.run(command, capture_output=True, text=True)
        return result.returncode, " ".join(result.stderr.split())

    def expect(self, folder, added, error):
        code, errors = self.configure({folder: added})
        self.assertNotEqual(code, 0, f"{added} passed")
        self.assertIn(f"layering: {error}", errors)

    def test_project_is_clean(self):
        self.assertEqual(self.configure({}), (0, ""))

    def test_upward(self):
        self.expect("lib/ops/kernels", "add_tfrt_library(support NAME more SOURCES a.cc)",
                    "library 'more' of layer 'support' is made in 'lib/ops/kernels'")
        self.expect("dialects", "add_tfrt_library(dialects NAME more DEPS tensor SOURCES a.cc)",
                    "library 'more' of layer 'dialects' may not depend on 'tensor' of layer 'tensor'")

    def test_gpu(self):
        self.expect("gpu/runtime", "add_tfrt_library(gpu_abi NAME more SOURCES a.cc)",
                    "library 'more' of layer 'gpu_abi' is made in 'gpu/runtime'")
        self.expect("gpu/runtime", "add_tfrt_library(gpu_runtime NAME more DEPS maths SOURCES a.cc)",
                    "library 'more' of layer 'gpu_runtime' may not depend on 'maths' of layer 'kernels'")
        self.expect("gpu/runtime", "target_link_libraries(tfrt_gpu_runtime PUBLIC MLIRIR)",
                    "'tfrt_gpu_runtime' of layer 'gpu_runtime' links MLIRIR")
        self.expect("gpu/runtime", "add_library(by_hand OBJECT a.cc)", "'by_hand' is not made by add_tfrt_library")

    def test_not_made_yet(self):
        self.expect("lib/runtime/tensor", "add_tfrt_library(tensor NAME more DEPS maths SOURCES a.cc)",
                    "library 'more' depends on 'maths', which no earlier folder makes")

    def test_layer_without_entry(self):
        self.expect("lib/runtime/tensor", "add_tfrt_library(more SOURCES a.cc)",
                    "layer 'more' has no entry")

    def test_target_that_is_no_library(self):
        self.expect("lib/runtime/tensor", "add_tfrt_library(tensor NAME more DEPS mlir SOURCES a.cc)",
                    "library 'more' of layer 'tensor' may not depend on 'mlir'")

    def test_links_beside_deps(self):
        for link in ("tfrt_tensor", "tfrt::tensor", "$<TARGET_FILE:tfrt_tensor>"):
            self.expect("lib/ops/kernels", f"target_link_libraries(tfrt_bindings PRIVATE {link})",
                        f"'tfrt_bindings' links {link}, which is not among its DEPS")
        self.expect("lib/ops/kernels", "target_link_libraries(module PRIVATE tfrt_tensor)",
                    "'module' links tfrt_tensor, which is not among its DEPS")
        self.expect("lib/ops/kernels", "add_tfrt_library(kernels NAME more LINK tfrt::maths SOURCES a.cc)",
                    "'tfrt_more' links tfrt::maths, which is not among its DEPS")

    def test_mlir_in_runtime(self):
        for link in ("tfrt_mlir", "MLIRIR", "LLVM"):
            self.expect("lib/runtime/tensor", f"target_link_libraries(tfrt_tensor PUBLIC {link})",
                        f"'tfrt_tensor' of layer 'tensor' links {link}")

    def test_library_made_by_hand(self):
        self.expect("lib/runtime/tensor", "add_library(by_hand OBJECT a.cc)",
                    "'by_hand' is not made by add_tfrt_library")


if __name__ == "__main__":
    unittest.main()
