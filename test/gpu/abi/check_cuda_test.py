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


# What is planted, by header: our text, another, and what is said of it. The program compiles and tells them apart.
DIFFERENCES = {
    TYPES: (
        ("CU_STREAM_NON_BLOCKING = 0x1", "CU_STREAM_NON_BLOCKING = 0x2",
         "CU_STREAM_NON_BLOCKING: ours is 2, the vendor's is 1"),
        ("CU_MEMHOSTALLOC_DEVICEMAP = 0x2", "CU_MEMHOSTALLOC_DEVICEMAP = 0x3",
         "CU_MEMHOSTALLOC_DEVICEMAP: ours is 3, the vendor's is 2"),
        ("kPerThreadStream = 0x2", "kPerThreadStream = 0x1", "kPerThreadStream: ours is 1, the vendor's is 2"),
        ("size_t srcXInBytes;\n  size_t srcY;\n  CUmemorytype", "size_t srcY;\n  size_t srcXInBytes;\n  CUmemorytype",
         "offset of CUDA_MEMCPY2D.srcXInBytes: ours is 8, the vendor's is 0"),
        ("reserved[54]", "reserved[58]", "size of CUmemPoolProps.reserved: ours is 58, the vendor's is 54"),
        ("  CUgraphNode errorNode;", "  CUgraphExec errorNode;",
         "CUgraphExecUpdateResultInfo.errorNode: the types differ"),
        ("union alignas(8) CUlaunchAttributeValue", "union CUlaunchAttributeValue",
         "alignment of CUlaunchAttributeValue: ours is 4, the vendor's is 8"),
    ),
    RESULT: (
        ("X(CUDA_ERROR_NOT_FOUND, 500)", "X(CUDA_ERROR_NOT_FOUND, 501)",
         "CUDA_ERROR_NOT_FOUND: ours is 501, the vendor's is 500"),
    ),
    FUNCTIONS: (
        ("(CUstream stream, CUevent event, unsigned flags)", "(CUevent event, CUstream stream, unsigned flags)",
         "cuStreamWaitEvent: the types differ"),
        ("(CUdevice* device, int ordinal)", "(CUdevice* device, unsigned ordinal)", "cuDeviceGet: the types differ"),
        ("(CUdeviceptr to, unsigned char value,", "(CUdeviceptr to, unsigned value,",
         "cuMemsetD8Async: the types differ"),
        ("(CUmodule* module, const void* image,", "(CUmodule* module, void* image,",
         "cuModuleLoadDataEx: the types differ"),
        ("(CUgraph graph, CUgraphNode* nodes, size_t* count)", "(CUgraph graph, CUgraphNode* nodes, int* count)",
         "cuGraphGetNodes: the types differ"),
        ("(int* value, CUdevice_attribute attribute,", "(int* value, CUpointer_attribute attribute,",
         "cuDeviceGetAttribute: the types differ"),
        ("(void** memory, size_t size_bytes, unsigned flags)", "(void** memory, size_t size_bytes)",
         "cuMemHostAlloc: the types differ"),
    ),
}
# What the vendor's header does not have.
UNKNOWN = {
    TYPES: (("CU_CTX_MAP_HOST = 0x08", "CU_CTX_MAP_GUEST = 0x08", "CU_CTX_MAP_GUEST"),
            ("struct CUmemLocation {", "struct CUmemLocation {\n  int id_before;", "id_before")),
    FUNCTIONS: (("cuLaunchKernelEx, 11060", "cuLaunchKernelEx, 11050", "PFN_cuLaunchKernelEx_v11050"),),
}


@unittest.skipUnless(INCLUDE, "no cuda.h was found")
class PlantedTest(unittest.TestCase):
    def compare(self, planted):
        """What is printed about copies of our headers with other texts in some places."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(SOURCE / check_cuda.HEADERS, root / check_cuda.HEADERS)
            (root / "test/gpu/abi").mkdir(parents=True)
            shutil.copy(SOURCE / "test/gpu/abi/same_abi.h", root / "test/gpu/abi")
            for header, changes in planted.items():
                path = root / check_cuda.HEADERS / header
                text = path.read_text()
                for ours, other, _ in changes:
                    self.assertEqual(text.count(ours), 1, ours)
                    text = text.replace(ours, other)
                path.write_text(text)
            result = subprocess.run([sys.executable, check_cuda.__file__, "--source", root, "--cxx", CXX, "--nm", NM,
                                     "--include", INCLUDE], capture_output=True, text=True)
        return result.returncode, result.stdout

    def expect(self, planted):
        code, output = self.compare(planted)
        self.assertEqual(code, 1, output)
        for changes in planted.values():
            for _, _, error in changes:
                self.assertIn(error, output)
        return output

    def test_differences(self):
        output = self.expect(DIFFERENCES)
        # A structure of another size, and members behind those that moved, are named, too; nothing else is.
        named = {line.removeprefix("size of ").removeprefix("offset of ").split(":")[0].split(".")[0]
                 for line in output.splitlines() if not line.startswith("check_cuda")}
        self.assertLessEqual(len(named), sum(len(changes) for changes in DIFFERENCES.values()) + 2, output)

    def test_names_that_the_vendor_does_not_have(self):
        self.expect(UNKNOWN)

    def test_newer_function(self):
        code, output = self.compare({FUNCTIONS: (("cuFuncLoad, 12040", "cuFuncLoad, 99010", ""),)})
        self.assertEqual(code, 0, output)
        self.assertIn("cuFuncLoad is newer than the header", output)


@unittest.skipUnless(STUB, "no stub of libcuda.so was found")
class ExportsTest(unittest.TestCase):
    def test_missing_name(self):
        ours = check_cuda.Declarations(SOURCE)
        ours.functions = [("cuInit", 2000), ("cuEventQuery_v9", 2000), ("cuEventQuery_v8", 99010)]
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertFalse(check_cuda.compare_stub(ours, STUB, 13000, NM))
        self.assertEqual(output.getvalue().count("does not have it"), 1)
        self.assertIn("cuEventQuery_v9: ", output.getvalue())


if __name__ == "__main__":
    unittest.main()
