// Statements about launches.
#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

constexpr uint32_t kLaunchedElements = 1000;

TFRT_CTS(200, KernelsRun, cuLaunchKernel,
         "Runs the function on a grid of blocks with these parameters") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kLaunchedElements * 4);
  OK(Launch(stream, Kernel("fill"), 8, 128, data, uint32_t{42}, kLaunchedElements));
  EXPECT_EQ(std::vector<uint32_t>(kLaunchedElements, 42),
            Download(stream, data, kLaunchedElements));
}
TFRT_CTS(201, ParametersAreCopied, cuLaunchKernel,
         "Parameters are read at the call; the program may change them then") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kLaunchedElements * 4);
  uint32_t value = 5, n = kLaunchedElements;
  void* parameters[] = {&data, &value, &n};
  Occupy(stream);
  OK(d().cuLaunchKernel(Kernel("fill"), 8, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr));
  value = 6;
  n = 1;
  EXPECT_EQ(std::vector<uint32_t>(kLaunchedElements, 5), Download(stream, data, kLaunchedElements));
}
TFRT_CTS(202, ParametersAsOneBuffer, cuLaunchKernel,
         "Parameters may come as one buffer, by the keys of `extra`") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kLaunchedElements * 4);
  struct {
    CUdeviceptr to;
    uint32_t value, n;
  } buffer{data, 17, kLaunchedElements};
  size_t size = sizeof(buffer);
  void* extra[] = {reinterpret_cast<void*>(uintptr_t{CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT}),
                   &buffer, reinterpret_cast<void*>(uintptr_t{CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT}),
                   &size, reinterpret_cast<void*>(uintptr_t{CU_LAUNCH_PARAM_END_AS_INT})};
  OK(d().cuLaunchKernel(Kernel("fill"), 8, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
  EXPECT_EQ(17u, Download(stream, data, kLaunchedElements)[kLaunchedElements - 1]);
}
TFRT_CTS(204, OddParameters, cuLaunchKernel,
         "Parameters of all sizes are passed as the function declares them") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(64);
  OK(Launch(stream, Kernel("many"), 1, 1, data, uint8_t{1}, uint32_t{0xabcdef12}, uint16_t{3}));
  EXPECT_EQ(0xabcdef12u, Download(stream, data, 1)[0]);
}
TFRT_CTS(205, EmptyGrids, cuLaunchKernel, "Dimensions of 0 are an invalid value") {
  CUfunction idle = Kernel("idle");
  CUstream stream = MakeStream();
  CODE(CUDA_ERROR_INVALID_VALUE, Launch(stream, idle, 0, 32));
  CODE(CUDA_ERROR_INVALID_VALUE, Launch(stream, idle, 1, 0));
}
TFRT_CTS(206, TooManyThreads, cuLaunchKernel,
         "More threads in a block than the device allows are an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE,
       Launch(MakeStream(), Kernel("idle"), 1,
              static_cast<unsigned>(Attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) + 1));
}
TFRT_CTS(207, TooDeepBlocks, cuLaunchKernel, "Each dimension of a block has a limit of its own") {
  unsigned depth = static_cast<unsigned>(Attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)) + 1;
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuLaunchKernel(Kernel("idle"), 1, 1, 1, 1, 1, depth, 0, MakeStream(), nullptr, nullptr));
}
TFRT_CTS(208, TooWideGrids, cuLaunchKernel, "Each dimension of a grid has a limit of its own") {
  unsigned height = static_cast<unsigned>(Attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)) + 1;
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuLaunchKernel(Kernel("idle"), 1, height, 1, 1, 1, 1, 0,
                                                    MakeStream(), nullptr, nullptr));
}
TFRT_CTS(209, SharedMemoryNeedsOptIn, cuLaunchKernel,
         "More dynamic shared memory than the function has opted in to is an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE,
       d().cuLaunchKernel(Kernel("idle"), 1, 1, 1, 1, 1, 1, 49153, MakeStream(), nullptr, nullptr));
}
TFRT_CTS(210, SharedMemoryAfterOptIn, cuLaunchKernel,
         "With the attribute set, the function can have that much") {
  CUstream stream = MakeStream();
  CUfunction function = Kernel("dynamic_shared");
  int limit = Attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  CUdeviceptr data = Upload(std::vector<uint32_t>(256, 1));
  uint32_t n = 256;
  void* parameters[] = {&data, &n};
  OK(d().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, limit));
  OK(d().cuLaunchKernel(function, 1, 1, 1, 256, 1, 1, static_cast<unsigned>(limit), stream,
                        parameters, nullptr));
  EXPECT_EQ(std::vector<uint32_t>(256, 2), Download(stream, data, 256));
}
TFRT_CTS(211, StaticSharedMemoryWorks, cuLaunchKernel,
         "Shared memory that the function declares is there without asking") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(64);
  OK(Launch(stream, Kernel("static_shared"), 1, 1, data));
  EXPECT_EQ(5u, Download(stream, data, 1)[0]);
}
TFRT_CTS(212, RequiredBlocks, cuLaunchKernel,
         "A function with .reqntid runs with these blocks and with no other") {
  CUstream stream = MakeStream();
  OK(Launch(stream, Kernel("small_block"), 1, 64));
  EXPECT_NE(CUDA_SUCCESS, Launch(stream, Kernel("small_block"), 1, 32));
}
TFRT_CTS(213, BoundedBlocks, cuLaunchKernel,
         "A function with .maxntid runs with no larger blocks") {
  CUstream stream = MakeStream();
  OK(Launch(stream, Kernel("bounded_block"), 1, 128));
  EXPECT_NE(CUDA_SUCCESS, Launch(stream, Kernel("bounded_block"), 1, 256));
}
TFRT_CTS(214, StreamsOfAnotherContext, cuLaunchKernel,
         "Function and stream must be of the same context: else an invalid handle") {
  CUfunction function = Kernel("idle");
  CUcontext made = nullptr;
  OK(d().cuCtxCreate_v2(&made, 0, 0));
  CUstream stream = MakeStream();
  CUresult code = Launch(stream, function, 1, 1);
  EXPECT_TRUE(code == CUDA_ERROR_INVALID_HANDLE || code == CUDA_ERROR_INVALID_CONTEXT)
      << ResultName(code);
  OK(d().cuCtxDestroy_v2(made));
}
TFRT_CTS(215, GlobalsKeepTheirValues, cuLaunchKernel,
         "Variables of a module keep their values from launch to launch") {
  CUstream stream = MakeStream();
  CUfunction count = Kernel("count");
  CUdeviceptr data = Allocate(8);
  OK(Launch(stream, count, 1, 1, data));
  OK(Launch(stream, count, 1, 1, data + 4));
  EXPECT_EQ((std::vector<uint32_t>{7, 8}), Download(stream, data, 2));
}
TFRT_CTS(216, KernelsOfAStreamAreOrdered, cuLaunchKernel,
         "Launches of one stream run one after the other") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload(std::vector<uint32_t>(kLaunchedElements, 0));
  CUfunction add_one = Kernel("add_one");
  for (int i = 0; i < 20; ++i) OK(Launch(stream, add_one, 8, 128, data, kLaunchedElements));
  EXPECT_EQ(std::vector<uint32_t>(kLaunchedElements, 20),
            Download(stream, data, kLaunchedElements));
}
TFRT_CTS(217, KernelsBehindEvents, cuLaunchKernel,
         "Launches of two streams are ordered by events") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent event = MakeEvent();
  CUdeviceptr from = Allocate(kLaunchedElements * 4), to = Allocate(kLaunchedElements * 4);
  OK(Launch(a, Kernel("fill"), 8, 128, from, uint32_t{9}, kLaunchedElements));
  OK(d().cuEventRecord(event, a));
  OK(d().cuStreamWaitEvent(b, event, 0));
  OK(Launch(b, Kernel("copy"), 8, 128, to, from, kLaunchedElements));
  EXPECT_EQ(std::vector<uint32_t>(kLaunchedElements, 9), Download(b, to, kLaunchedElements));
}
TFRT_CTS(218, ConfiguredLaunch, cuLaunchKernelEx,
         "As cuLaunchKernel, with the shape in a structure and a list of attributes") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(kLaunchedElements * 4);
  uint32_t value = 3, n = kLaunchedElements;
  void* parameters[] = {&data, &value, &n};
  CUlaunchConfig config = {8, 1, 1, 128, 1, 1, 0, stream, nullptr, 0};
  OK(d().cuLaunchKernelEx(&config, Kernel("fill"), parameters, nullptr));
  EXPECT_EQ(3u, Download(stream, data, kLaunchedElements)[kLaunchedElements - 1]);
}
TFRT_CTS(219, IgnoredAttribute, cuLaunchKernelEx, "The attribute IGNORE is ignored") {
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_IGNORE;
  CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, MakeStream(), &attribute, 1};
  OK(d().cuLaunchKernelEx(&config, Kernel("idle"), nullptr, nullptr));
}
TFRT_CTS(220, NoConfiguration, cuLaunchKernelEx, "A null configuration is an invalid value") {
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuLaunchKernelEx(nullptr, Kernel("idle"), nullptr, nullptr));
}
TFRT_CTS(221, CooperativeLaunch, cuLaunchCooperativeKernel,
         "Runs the function with all of its blocks on the device at once") {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)) GTEST_SKIP() << "not on this device";
  CUstream stream = MakeStream();
  CUdeviceptr data = Allocate(64 * 4);
  uint32_t value = 4, n = 64;
  void* parameters[] = {&data, &value, &n};
  OK(d().cuLaunchCooperativeKernel(Kernel("fill"), 2, 1, 1, 32, 1, 1, 0, stream, parameters));
  EXPECT_EQ(4u, Download(stream, data, 64)[63]);
}
TFRT_CTS(222, TooLargeForCooperation, cuLaunchCooperativeKernel,
         "More blocks than the device can hold at once are too large") {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)) GTEST_SKIP() << "not on this device";
  CODE(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
       d().cuLaunchCooperativeKernel(Kernel("idle"), 1 << 20, 1, 1, 32, 1, 1, 0, MakeStream(),
                                     nullptr));
}

TFRT_CTS(223, LargestCooperation, cuLaunchCooperativeKernel,
         "As many blocks as a multiprocessor holds, on each of them, and not one more") {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)) GTEST_SKIP() << "not on this device";
  CUstream stream = MakeStream();
  CUfunction fill = Kernel("fill");
  int each = 0;
  OK(d().cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, fill, 32, 0));
  uint32_t blocks =
      static_cast<uint32_t>(each * Attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  uint32_t value = 4, n = blocks * 32;
  CUdeviceptr data = Allocate(size_t{n} * 4);
  void* parameters[] = {&data, &value, &n};
  OK(d().cuLaunchCooperativeKernel(fill, blocks, 1, 1, 32, 1, 1, 0, stream, parameters));
  EXPECT_EQ(std::vector<uint32_t>(n, 4), Download(stream, data, n));
  CODE(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
       d().cuLaunchCooperativeKernel(fill, blocks + 1, 1, 1, 32, 1, 1, 0, stream, parameters));
}

}  // namespace
}  // namespace tfrt::gpu::test
