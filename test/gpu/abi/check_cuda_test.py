#!/usr/bin/env python3
"""Plants differences in copies of our headers and expects check_cuda.py to name each.

usage: check_cuda_test.py SOURCE_DIR CXX_COMPILER NM INCLUDE_DIR STUB
"""

import contextlib
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import check_cuda

SOURCE = pathlib.Path(sys.argv.pop(1))
CXX, NM, INCLUDE, STUB = (sys.argv.pop(1) for _ in range(4))
TYPES, FUNCTIONS, RESULT = "cuda_types.h", "cuda_driver_functions.h", "cuda_result.h"


class SkippedTest(unittest.TestCase):
    def test_no_toolkit(self):
        result = subprocess.run([sys.executable, check_cuda.__file__, "--source", SOURCE, "--cxx", CXX, "--nm", NM,
                                 "--include", ""], capture_output=True, text=True)
        self.assertEqual(result.returncode, 77)
        self.assertIn("skipped: no cuda.h", result.stdout)


@unittest.skipUnless(INCLUDE, "no cuda.h was found")
class PlantedTest(unittest.TestCase):
    def compare(self, header, ours, planted):
        """What is printed about headers of which one has other text in one place."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(SOURCE / check_cuda.HEADERS, root / check_cuda.HEADERS)
            (root / "test/gpu/abi").mkdir(parents=True)
            shutil.copy(SOURCE / "test/gpu/abi/same_abi.h", root / "test/gpu/abi")
            path = root / check_cuda.HEADERS / header
            text = path.read_text()
            self.assertEqual(text.count(ours), 1, ours)
            path.write_text(text.replace(ours, planted))
            result = subprocess.run([sys.executable, check_cuda.__file__, "--source", root, "--cxx", CXX, "--nm", NM,
                                     "--include", INCLUDE], capture_output=True, text=True)
        return result.returncode, result.stdout

    def expect(self, header, ours, planted, error):
        code, output = self.compare(header, ours, planted)
        self.assertEqual(code, 1, output)
        self.assertIn(error, output)

    def test_unchanged(self):
        self.assertEqual(self.compare(TYPES, "CU_STREAM_DEFAULT", "CU_STREAM_DEFAULT")[0], 0)

    def test_value(self):
        self.expect(TYPES, "CU_STREAM_NON_BLOCKING = 0x1", "CU_STREAM_NON_BLOCKING = 0x2",
                    "CU_STREAM_NON_BLOCKING: ours is 2, the vendor's is 1\n")

    def test_value_of_a_macro(self):
        self.expect(TYPES, "CU_MEMHOSTALLOC_DEVICEMAP = 0x2", "CU_MEMHOSTALLOC_DEVICEMAP = 0x3",
                    "CU_MEMHOSTALLOC_DEVICEMAP: ours is 3, the vendor's is 2\n")
        self.expect(TYPES, "kPerThreadStream = 0x2", "kPerThreadStream = 0x1",
                    "kPerThreadStream: ours is 1, the vendor's is 2\n")

    def test_value_of_a_result(self):
        self.expect(RESULT, "X(CUDA_ERROR_NOT_FOUND, 500)", "X(CUDA_ERROR_NOT_FOUND, 501)",
                    "CUDA_ERROR_NOT_FOUND: ours is 501, the vendor's is 500\n")

    def test_name_that_the_vendor_does_not_have(self):
        self.expect(TYPES, "CU_CTX_MAP_HOST = 0x08", "CU_CTX_MAP_GUEST = 0x08", "CU_CTX_MAP_GUEST")

    def test_member_too_many(self):
        self.expect(TYPES, "struct CUmemLocation {", "struct CUmemLocation {\n  int id_before;", "id_before")

    def test_members_in_other_order(self):
        self.expect(TYPES, "size_t srcXInBytes;\n  size_t srcY;\n  CUmemorytype",
                    "size_t srcY;\n  size_t srcXInBytes;\n  CUmemorytype",
                    "offset of CUDA_MEMCPY2D.srcXInBytes: ours is 8, the vendor's is 0\n")

    def test_member_of_other_size(self):
        self.expect(TYPES, "reserved[54]", "reserved[58]",
                    "size of CUmemPoolProps.reserved: ours is 58, the vendor's is 54\n")

    def test_member_of_other_type(self):
        self.expect(TYPES, "  CUgraphNode errorNode;", "  CUgraphExec errorNode;",
                    "CUgraphExecUpdateResultInfo.errorNode: the types differ\n")

    def test_alignment(self):
        self.expect(TYPES, "union alignas(8) CUlaunchAttributeValue", "union CUlaunchAttributeValue",
                    "alignment of CUlaunchAttributeValue: ours is 4, the vendor's is 8\n")

    def test_parameters(self):
        for ours, planted, name in (
                ("(CUstream stream, CUevent event, unsigned flags)", "(CUevent event, CUstream stream, unsigned flags)",
                 "cuStreamWaitEvent"),
                ("(CUdevice* device, int ordinal)", "(CUdevice* device, unsigned ordinal)", "cuDeviceGet"),
                ("(CUdeviceptr to, unsigned char value,", "(CUdeviceptr to, unsigned value,", "cuMemsetD8Async"),
                ("(CUmodule* module, const void* image,", "(CUmodule* module, void* image,", "cuModuleLoadDataEx"),
                ("(CUgraph graph, CUgraphNode* nodes, size_t* count)", "(CUgraph graph, CUgraphNode* nodes, int* count)",
                 "cuGraphGetNodes"),
                ("(int* value, CUdevice_attribute attribute,", "(int* value, CUpointer_attribute attribute,",
                 "cuDeviceGetAttribute"),
                ("(void** memory, size_t size_bytes, unsigned flags)", "(void** memory, size_t size_bytes)",
                 "cuMemHostAlloc")):
            self.expect(FUNCTIONS, ours, planted, f"{name}: the types differ\n")

    def test_first_driver(self):
        self.expect(FUNCTIONS, "cuLaunchKernelEx, 11060", "cuLaunchKernelEx, 11050", "PFN_cuLaunchKernelEx_v11050")

    def test_newer_function(self):
        code, output = self.compare(FUNCTIONS, "cuFuncLoad, 12040", "cuFuncLoad, 99010")
        self.assertEqual(code, 0, output)
        self.assertIn("cuFuncLoad is newer than the header", output)


@unittest.skipUnless(STUB, "no stub of libcuda.so was found")
class ExportsTest(unittest.TestCase):
    def test_missing_name(self):
        ours = check_cuda.Declarations(SOURCE)
        ours.functions = [("cuInit", 2000), ("cuEventQuery_v9", 2000), ("cuEventQuery_v8", 99010)]
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertFalse(check_cuda.compare_exports(ours, STUB, 13000, NM))
        self.assertEqual(output.getvalue().count("does not export"), 1)
        self.assertIn("cuEventQuery_v9: ", output.getvalue())


if __name__ == "__main__":
    unittest.main()
