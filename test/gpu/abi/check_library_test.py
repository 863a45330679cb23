#!/usr/bin/env python3
"""Plants differences in copies of our headers and expects check_library.py to name each.

usage: check_library_test.py SOURCE_DIR CXX_COMPILER NM CUDA_INCLUDE_DIR CUDNN_INCLUDE_DIR
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import check_library

SOURCE = pathlib.Path(sys.argv.pop(1))
CXX, NM, CUDA_INCLUDE, CUDNN_INCLUDE = (sys.argv.pop(1) for _ in range(4))

# By library: header, our text, another, and what is said of it.
DIFFERENCES = {
    "cublas": (
        ("types", "CUDA_R_16BF = 14", "CUDA_R_16BF = 15", "CUDA_R_16BF: ours is 15, the vendor's is 14"),
        ("types", "CUBLAS_GEMM_DEFAULT = -1", "CUBLAS_GEMM_DEFAULT = -2",
         "CUBLAS_GEMM_DEFAULT: ours is -2, the vendor's is -1"),
        ("types", "alignas(16) cuDoubleComplex", "alignas(8) cuDoubleComplex",
         "alignment of cuDoubleComplex: ours is 8, the vendor's is 16"),
        ("result", "X(CUBLAS_STATUS_ALLOC_FAILED, 3,", "X(CUBLAS_STATUS_ALLOC_FAILED, 2,",
         "CUBLAS_STATUS_ALLOC_FAILED: ours is 2, the vendor's is 3"),
        ("functions", "int ldc, long long stride_c,", "int ldc, int stride_c,",
         "cublasGemmStridedBatchedEx: the types differ"),
        ("functions", "cudaDataType alpha_type, void* x,", "cudaDataType alpha_type, const void* x,",
         "cublasScalEx: the types differ"),
    ),
    "cublaslt": (
        ("types", "float wavesCount;", "uint32_t wavesCount;",
         "cublasLtMatmulHeuristicResult_t.wavesCount: the types differ"),
        ("types", "CUBLASLT_EPILOGUE_GELU = 32", "CUBLASLT_EPILOGUE_GELU = 64",
         "CUBLASLT_EPILOGUE_GELU: ours is 64, the vendor's is 32"),
        ("functions", "uint64_t cols, int64_t ld)", "uint64_t cols, uint64_t ld)",
         "cublasLtMatrixLayoutCreate: the types differ"),
    ),
    "cudnn": (
        ("types", "CUDNN_DATA_HALF = 2", "CUDNN_DATA_HALF = 3", "CUDNN_DATA_HALF: ours is 3, the vendor's is 2"),
        ("result", "CUDNN_STATUS_BAD_PARAM, 2000", "CUDNN_STATUS_BAD_PARAM, 2100",
         "CUDNN_STATUS_BAD_PARAM: ours is 2100, the vendor's is 2000"),
        ("functions", "int num_dims, const int* dims, \\\n     const int* strides)",
         "int num_dims, const long* dims, \\\n     const int* strides)",
         "cudnnSetTensorNdDescriptor: the types differ"),
    ),
}
# By library: a function, and another name for it that the oldest library lacks.
UNKNOWN = {"cublas": ("cublasScalEx", "cublasScalEx_v9"), "cublaslt": ("cublasLtMatmul,", "cublasLtMatmul_v9,"),
           "cudnn": ("cudnnBackendExecute, 8000", "cudnnBackendPopulateCudaGraph, 8000")}


def check(name, source, include):
    command = [sys.executable, check_library.__file__, name, "--source", source, "--cxx", CXX, "--nm", NM]
    return subprocess.run([*command, "--include", include, "--cuda-include", CUDA_INCLUDE], capture_output=True,
                          text=True)


class CheckLibraryTest(unittest.TestCase):
    def planted(self, name, differences, include):
        """The result for copies of our headers with other texts in some places."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            shutil.copytree(SOURCE / "gpu/abi", copy / "gpu/abi")
            (copy / "test/gpu/abi").mkdir(parents=True)
            shutil.copy(SOURCE / "test/gpu/abi/same_abi.h", copy / "test/gpu/abi")
            for header, old, new, _ in differences:
                path = copy / "gpu/abi" / f"{name}_{header}.h"
                text = path.read_text()
                self.assertEqual(text.count(old), 1, old)
                path.write_text(text.replace(old, new))
            result = check(name, copy, include)
        self.assertEqual(result.returncode, 1, result.stdout)
        for _, _, _, expected in differences:
            self.assertIn(expected, result.stdout)
        return result.stdout

    def test_no_header(self):
        for name, library in check_library.LIBRARIES.items():
            result = check(name, SOURCE, "")
            self.assertEqual(result.returncode, 77)
            self.assertIn(f"skipped: no {library.header}", result.stdout)

    def test_differences(self):
        for name, differences in DIFFERENCES.items():
            include = CUDNN_INCLUDE if name == "cudnn" else CUDA_INCLUDE
            with self.subTest(name):
                if not include:
                    self.skipTest(f"no headers of {name}")
                output = self.planted(name, differences, include)
                self.assertIn(f"{len(differences)} errors", output)

    def test_names_that_the_oldest_libraries_lack(self):
        for name, (old, new) in UNKNOWN.items():
            function = new.split(",")[0]
            self.planted(name, [("functions", old, new, f"{function}: {name}.txt does not have it")], "")


if __name__ == "__main__":
    unittest.main()
