// Statements about modules and functions.
#include <string>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

CUresult Load(const RawDriver& driver, const char* image, std::string* error_log) {
  char info[256] = {}, error[1024] = {};
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {info, reinterpret_cast<void*>(sizeof(info)), error,
                    reinterpret_cast<void*>(sizeof(error))};
  CUmodule module = nullptr;
  CUresult code = driver.cuModuleLoadDataEx(&module, image, 4, options, values);
  *error_log = error;
  if (code == CUDA_SUCCESS) driver.cuModuleUnload(module);
  return code;
}

TFRT_CTS(170, PtxIsLoaded, cuModuleLoadDataEx,
         "Loads PTX text that ends in a zero byte, compiled for the device of the context") {
  std::string log;
  CODE(CUDA_SUCCESS, Load(d(), kTestKernels, &log));
}
TFRT_CTS(171, BadPtxHasALog, cuModuleLoadDataEx,
         "An error of the compilation is written into the error log buffer") {
  std::string log;
  CUresult code = Load(
      d(), ".version 7.0\n.target sm_70\n.address_size 64\n.entry f() { no.such.thing; }\n", &log);
  EXPECT_TRUE(code == CUDA_ERROR_INVALID_PTX || code == CUDA_ERROR_NOT_SUPPORTED)
      << ResultName(code);
  EXPECT_FALSE(log.empty());
}
TFRT_CTS(172, WhatIsNoImage, cuModuleLoadDataEx,
         "What is neither PTX nor a binary is an invalid image, or invalid PTX") {
  std::string log;
  CUresult code = Load(d(), "no device code", &log);
  EXPECT_TRUE(code == CUDA_ERROR_INVALID_IMAGE || code == CUDA_ERROR_INVALID_PTX)
      << ResultName(code);
}
TFRT_CTS(297, CodeForLaterDevices, cuModuleLoadDataEx,
         "PTX is compiled for devices of its target's capability and higher: not for one below") {
  if (Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9) {
    GTEST_SKIP() << "no target that is older than PTX 7.8 is later than this device";
  }
  std::string log;
  CUresult code = Load(d(), ".version 7.8\n.target sm_90\n.address_size 64\n", &log);
  EXPECT_TRUE(code == CUDA_ERROR_INVALID_PTX || code == CUDA_ERROR_NO_BINARY_FOR_GPU)
      << ResultName(code);
}
TFRT_CTS(173, NoImage, cuModuleLoadDataEx, "A null image is an invalid value") {
  CUmodule module = nullptr;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuModuleLoadDataEx(&module, nullptr, 0, nullptr, nullptr));
}
TFRT_CTS(174, UnloadedCodeIsGone, cuModuleUnload, "Unloads the module from the current context") {
  CUmodule module = LoadKernels();
  OK(d().cuModuleUnload(module));
}
TFRT_CTS(175, FunctionsByName, cuModuleGetFunction,
         "Gives the function of the name, the same each time") {
  CUmodule module = LoadKernels();
  CUfunction first = nullptr, second = nullptr;
  OK(d().cuModuleGetFunction(&first, module, "fill"));
  OK(d().cuModuleGetFunction(&second, module, "fill"));
  EXPECT_NE(nullptr, first);
  EXPECT_EQ(first, second);
}
TFRT_CTS(176, NoSuchFunction, cuModuleGetFunction, "If no function of the name exists: not found") {
  CUfunction function = nullptr;
  CODE(CUDA_ERROR_NOT_FOUND, d().cuModuleGetFunction(&function, LoadKernels(), "no_such_kernel"));
}
TFRT_CTS(177, NamesEndAtTheZero, cuModuleGetFunction,
         "Names are C strings: what is behind a zero byte does not count") {
  CUfunction function = nullptr;
  OK(d().cuModuleGetFunction(&function, LoadKernels(), "fill\0rest"));
  EXPECT_NE(nullptr, function);
}
TFRT_CTS(178, GlobalsHaveAddressAndSize, cuModuleGetGlobal_v2,
         "Gives address and size of a variable of the module, with its first value") {
  CUdeviceptr address = 0;
  size_t size = 0;
  CUmodule module = LoadKernels();
  OK(d().cuModuleGetGlobal_v2(&address, &size, module, "counter"));
  EXPECT_EQ(4u, size);
  EXPECT_EQ(7u, Download(MakeStream(), address, 1)[0]);
}
TFRT_CTS(179, ConstantsAreGlobals, cuModuleGetGlobal_v2,
         "Variables in constant memory have an address as well") {
  CUdeviceptr address = 0;
  size_t size = 0;
  CUmodule module = LoadKernels();
  OK(d().cuModuleGetGlobal_v2(&address, &size, module, "table"));
  EXPECT_EQ(8u, size);
  EXPECT_EQ(0x04030201u, Download(MakeStream(), address, 1)[0]);
}
TFRT_CTS(180, NoSuchGlobal, cuModuleGetGlobal_v2, "If no variable of the name exists: not found") {
  CUdeviceptr address = 0;
  size_t size = 0;
  CODE(CUDA_ERROR_NOT_FOUND,
       d().cuModuleGetGlobal_v2(&address, &size, LoadKernels(), "no_such_variable"));
}
TFRT_CTS(181, GlobalResultsAreOptional, cuModuleGetGlobal_v2,
         "Both results are optional: a null one is ignored") {
  CUdeviceptr address = 0;
  size_t size = 0;
  CUmodule module = LoadKernels();
  OK(d().cuModuleGetGlobal_v2(&address, nullptr, module, "counter"));
  OK(d().cuModuleGetGlobal_v2(nullptr, &size, module, "counter"));
}
TFRT_CTS(182, EachModuleHasItsVariables, cuModuleGetGlobal_v2,
         "Two modules of the same image have variables of their own") {
  CUdeviceptr first = 0, second = 0;
  OK(d().cuModuleGetGlobal_v2(&first, nullptr, LoadKernels(), "counter"));
  OK(d().cuModuleGetGlobal_v2(&second, nullptr, LoadKernels(), "counter"));
  EXPECT_NE(first, second);
}
TFRT_CTS(183, LoadingIsEagerOrLazy, cuModuleGetLoadingMode,
         "Tells whether code is loaded with the module or at its first use") {
  CUmoduleLoadingMode mode = {};
  OK(d().cuModuleGetLoadingMode(&mode));
  EXPECT_TRUE(mode == CU_MODULE_EAGER_LOADING || mode == CU_MODULE_LAZY_LOADING);
}
TFRT_CTS(184, ThreadsOfAFunction, cuFuncGetAttribute,
         "MAX_THREADS_PER_BLOCK: beyond it a launch fails; .maxntid bounds it") {
  int value = 0;
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                            Kernel("bounded_block")));
  EXPECT_EQ(128, value);
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, Kernel("idle")));
  EXPECT_EQ(Attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), value);
}
TFRT_CTS(185, StaticSharedMemory, cuFuncGetAttribute,
         "SHARED_SIZE_BYTES: the statically allocated shared memory of a block") {
  int value = 0;
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, Kernel("static_shared")));
  EXPECT_EQ(1024, value);
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, Kernel("idle")));
  EXPECT_EQ(0, value);
}
TFRT_CTS(186, RegistersAreTold, cuFuncGetAttribute, "NUM_REGS: the registers of each thread") {
  int value = -1;
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, Kernel("add_one")));
  EXPECT_GT(value, 0);
  EXPECT_LE(value, 255);
}
TFRT_CTS(187, VersionsAreTold, cuFuncGetAttribute,
         "PTX_VERSION and BINARY_VERSION: ten times major and minor") {
  int value = 0;
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, Kernel("idle")));
  EXPECT_EQ(70, value);
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_BINARY_VERSION, Kernel("idle")));
  EXPECT_EQ(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), value / 10);
}
TFRT_CTS(188, NoSuchAttribute, cuFuncGetAttribute,
         "An attribute that does not exist is an invalid value") {
  int value = 0;
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(9999), Kernel("idle")));
}
TFRT_CTS(
    189, DynamicSharedMemoryIsOptedIn, cuFuncSetAttribute,
    "MAX_DYNAMIC_SHARED_SIZE_BYTES can be set, and no further than the device's opt-in limit") {
  CUfunction function = Kernel("dynamic_shared");
  int limit = Attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), value = 0;
  OK(d().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, limit));
  OK(d().cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  EXPECT_EQ(limit, value);
  CODE(
      CUDA_ERROR_INVALID_VALUE,
      d().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, limit + 1));
}
TFRT_CTS(190, OtherAttributesAreFixed, cuFuncSetAttribute,
         "Only the attributes for shared memory can be set") {
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuFuncSetAttribute(Kernel("idle"), CU_FUNC_ATTRIBUTE_NUM_REGS, 16));
}
TFRT_CTS(191, ParametersAreTold, cuFuncGetParamInfo,
         "Gives offset and size of a parameter, laid out by their alignments") {
  if (!d().cuFuncGetParamInfo) GTEST_SKIP() << "the driver is older than 12.4";
  size_t offset = 99, size = 99;
  CUfunction function = Kernel("many");
  const size_t offsets[] = {0, 8, 12, 16}, sizes[] = {8, 1, 4, 2};
  for (size_t i = 0; i < 4; ++i) {
    OK(d().cuFuncGetParamInfo(function, i, &offset, &size));
    EXPECT_EQ(offsets[i], offset);
    EXPECT_EQ(sizes[i], size);
  }
}
TFRT_CTS(192, NoSuchParameter, cuFuncGetParamInfo,
         "An index past the last parameter is an invalid value") {
  if (!d().cuFuncGetParamInfo) GTEST_SKIP() << "the driver is older than 12.4";
  size_t offset = 0, size = 0;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuFuncGetParamInfo(Kernel("fill"), 3, &offset, &size));
}
TFRT_CTS(193, LoadingAFunction, cuFuncLoad,
         "Loads the function, which may have been loaded before") {
  if (!d().cuFuncLoad) GTEST_SKIP() << "the driver is older than 12.4";
  CUfunction function = Kernel("idle");
  OK(d().cuFuncLoad(function));
  OK(d().cuFuncLoad(function));
}
TFRT_CTS(194, OccupancyIsBounded, cuOccupancyMaxActiveBlocksPerMultiprocessor,
         "The most blocks of that size that a multiprocessor can hold") {
  int blocks = 0;
  CUfunction function = Kernel("idle");
  for (int threads : {32, 256, 1024}) {
    OK(d().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, 0));
    EXPECT_GE(blocks, 1);
    EXPECT_LE(blocks * threads, Attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
  }
}
TFRT_CTS(195, SharedMemoryLowersOccupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,
         "The dynamic shared memory of a block counts") {
  int without = 0, with = 0;
  CUfunction function = Kernel("dynamic_shared");
  OK(d().cuOccupancyMaxActiveBlocksPerMultiprocessor(&without, function, 32, 0));
  OK(d().cuOccupancyMaxActiveBlocksPerMultiprocessor(&with, function, 32, 40000));
  EXPECT_LT(with, without);
}

TFRT_CTS(196, MoreSharedMemoryThanThereIs, cuOccupancyMaxActiveBlocksPerMultiprocessor,
         "No block fits whose dynamic shared memory is more than a multiprocessor has") {
  int blocks = -1;
  CUresult code =
      d().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel("idle"), 32, size_t{1} << 30);
  EXPECT_TRUE(code == CUDA_ERROR_INVALID_VALUE || (code == CUDA_SUCCESS && blocks == 0))
      << ResultName(code) << ", " << blocks << " blocks";
}

TFRT_CTS(309, DeclaredRegistersAreNoLimit, cuFuncGetAttribute,
         "The number of registers that a kernel needs is not that of its text's registers") {
  std::string text =
      ".version 7.0\n.target sm_50\n.address_size 64\n"
      ".visible .entry many(.param .u64 to) {\n"
      "  .reg .b64 %a<3>;\n  .reg .b32 %v<200>;\n"
      "  ld.param.u64 %a1, [to];\n";
  for (int i = 0; i < 200; ++i) {
    const std::string v = "%v" + std::to_string(i);
    text += "  mov.u32 " + v + ", 5;\n  st.global.u32 [%a1], " + v + ";\n";
  }
  text += "  ret;\n}\n";
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  int threads = 0;
  OK(d().cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr));
  OK(d().cuModuleGetFunction(&function, module, "many"));
  OK(d().cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  EXPECT_EQ(Attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), threads);
  OK(d().cuModuleUnload(module));
}
TFRT_CTS(314, RoundingThatIsAskedForIsKept, cuModuleLoadDataEx,
         "A product and a sum that say how they are rounded (.rn) are each rounded: they are not "
         "fused") {
  constexpr char kText[] =
      ".version 7.0\n.target sm_50\n.address_size 64\n"
      ".visible .entry square(.param .u64 to, .param .f32 a, .param .f32 b) {\n"
      "  .reg .b64 %p; .reg .f32 %f<4>;\n"
      "  ld.param.u64 %p, [to];\n  ld.param.f32 %f0, [a];\n  ld.param.f32 %f1, [b];\n"
      "  mul.rn.f32 %f2, %f0, %f0;\n  sub.rn.f32 %f3, %f2, %f1;\n  st.global.f32 [%p], %f3;\n"
      "  ret;\n}\n";
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUstream stream = MakeStream();
  CUdeviceptr to = Allocate(4);
  OK(d().cuModuleLoadDataEx(&module, kText, 0, nullptr, nullptr));
  OK(d().cuModuleGetFunction(&function, module, "square"));
  OK(Launch(stream, function, 1, 1, to, 1 + 0x1p-12f, 1 + 0x1p-11f));
  EXPECT_EQ(0u, Download(stream, to, 1)[0]);  // an fma gives 2^-24
  OK(d().cuModuleUnload(module));
}
TFRT_CTS(315, ManyParameters, cuModuleLoadDataEx,
         "A kernel has up to 4352 bytes of parameters; from .version 8.1 and .target sm_70 on "
         "32764") {
  if (Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) < 7) {
    GTEST_SKIP() << "the device is older than sm_70";
  }
  auto load = [&](const char* version, const char* target, int bytes) {
    std::string text = std::string(".version ") + version + "\n.target " + target +
                       "\n.address_size 64\n.visible .entry k(.param .align 4 .b8 p[" +
                       std::to_string(bytes) + "]) {\n  ret;\n}\n";
    CUmodule module = nullptr;
    CUresult code = d().cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr);
    if (module) d().cuModuleUnload(module);
    return code;
  };
  CODE(CUDA_SUCCESS, load("8.0", "sm_70", 4352));
  CODE(CUDA_ERROR_INVALID_PTX, load("8.0", "sm_70", 4356));
  int version = 0;
  OK(d().cuDriverGetVersion(&version));
  if (version < 12010) return;  // .version 8.1 is unknown
  CODE(CUDA_SUCCESS, load("8.1", "sm_70", 32764));
  CODE(CUDA_ERROR_INVALID_PTX, load("8.1", "sm_70", 32768));
}

}  // namespace
}  // namespace tfrt::gpu::test
