#include "test/gpu/cts/cts.h"

#include <ostream>

namespace tfrt::gpu::test {

std::vector<Statement>& AllStatements() {
  static std::vector<Statement> statements;
  return statements;
}

void PrintTo(CUresult result, std::ostream* out) {
  std::string_view name = ResultName(result);
  if (name.empty()) {
    *out << "code " << static_cast<uint32_t>(result);
  } else {
    *out << name;
  }
}

void Cts::SetUp() {
  std::string why;
  driver_ = OpenRawDriver(&why);
  if (!driver_) GTEST_SKIP() << "no CUDA driver: " << why;
  OK(d().cuDevicePrimaryCtxRetain(&context_, 0));
  OK(d().cuCtxSetCurrent(context_));
}

void Cts::TearDown() {
  if (!driver_) return;
  if (module_) d().cuModuleUnload(module_);
  // What is still enqueued must not use memory that goes with the context.
  d().cuCtxSynchronize();
  d().cuCtxSetCurrent(nullptr);
  d().cuDevicePrimaryCtxRelease_v2(0);
  for (const std::string& report : TakeReports(d())) ADD_FAILURE() << report;
}

CUstream Cts::MakeStream(unsigned flags) {
  CUstream stream = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, d().cuStreamCreateWithPriority(&stream, flags, 0));
  return stream;
}

CUevent Cts::MakeEvent(unsigned flags) {
  CUevent event = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, d().cuEventCreate(&event, flags));
  return event;
}

CUdeviceptr Cts::Allocate(size_t size_bytes) {
  CUdeviceptr address = 0;
  EXPECT_EQ(CUDA_SUCCESS, d().cuMemAlloc_v2(&address, size_bytes));
  return address;
}

CUdeviceptr Cts::Upload(const std::vector<uint32_t>& elements) {
  CUdeviceptr address = Allocate(elements.size() * 4);
  CUstream stream = MakeStream();
  EXPECT_EQ(CUDA_SUCCESS,
            d().cuMemcpyHtoDAsync_v2(address, elements.data(), elements.size() * 4, stream));
  EXPECT_EQ(CUDA_SUCCESS, d().cuStreamSynchronize(stream));
  EXPECT_EQ(CUDA_SUCCESS, d().cuStreamDestroy_v2(stream));
  return address;
}

std::vector<uint32_t> Cts::Download(CUstream stream, CUdeviceptr from, size_t n) {
  std::vector<uint32_t> elements(n, 0xdeadbeef);
  EXPECT_EQ(CUDA_SUCCESS, d().cuMemcpyDtoHAsync_v2(elements.data(), from, n * 4, stream));
  EXPECT_EQ(CUDA_SUCCESS, d().cuStreamSynchronize(stream));
  return elements;
}

uint32_t* Cts::Pinned(size_t n) {
  void* memory = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, d().cuMemHostAlloc(&memory, n * 4, 0));
  return static_cast<uint32_t*>(memory);
}

CUmodule Cts::LoadKernels() {
  CUmodule module = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, d().cuModuleLoadDataEx(&module, kTestKernels, 0, nullptr, nullptr));
  return module;
}

CUfunction Cts::Kernel(const char* name) {
  if (!module_) module_ = LoadKernels();
  CUfunction function = nullptr;
  EXPECT_EQ(CUDA_SUCCESS, d().cuModuleGetFunction(&function, module_, name));
  if (d().cuFuncLoad) {
    EXPECT_EQ(CUDA_SUCCESS, d().cuFuncLoad(function));
  }
  return function;
}

void Cts::Occupy(CUstream stream) {
  constexpr size_t kBytes = 1 << 16;
  if (!busy_) busy_ = Allocate(kBytes);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(CUDA_SUCCESS, d().cuMemsetD8Async(busy_, 1, kBytes, stream));
  }
}

int Cts::Attribute(CUdevice_attribute attribute) {
  int value = -1;
  EXPECT_EQ(CUDA_SUCCESS, d().cuDeviceGetAttribute(&value, attribute, 0));
  return value;
}

}  // namespace tfrt::gpu::test
