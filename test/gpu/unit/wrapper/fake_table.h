// A driver's table for tests of contexts and handles: each call is noted; contexts count up.
#ifndef TFRT_TEST_GPU_UNIT_WRAPPER_FAKE_TABLE_H_
#define TFRT_TEST_GPU_UNIT_WRAPPER_FAKE_TABLE_H_

#include <cstdint>
#include <map>
#include <string>

#include "gpu/abi/cuda_driver_table.h"

namespace tfrt::gpu::cuda {

struct FakeCalls {
  std::string log;                          // "cuCtxSetCurrent(1) "
  std::map<std::string, CUresult> results;  // of functions that do not succeed
  uintptr_t next_handle = 1;
};

// Of the test that runs. Reset by FakeTable.
inline FakeCalls fake_calls;

namespace fake {

inline std::string Text(unsigned long long value) { return std::to_string(value); }
inline std::string Text(const void* value) { return Text(reinterpret_cast<uintptr_t>(value)); }

// Notes a call; the arguments are handles and numbers.
template <typename... A>
CUresult Note(const char* function, A... arguments) {
  std::string text;
  ((text += (text.empty() ? "" : ",") + Text(arguments)), ...);
  fake_calls.log += std::string(function) + "(" + text + ") ";
  auto result = fake_calls.results.find(function);
  return result == fake_calls.results.end() ? CUDA_SUCCESS : result->second;
}

template <typename T>
CUresult Make(const char* function, T* handle) {
  CUresult result = Note(function);
  if (result == CUDA_SUCCESS) *handle = (T)(fake_calls.next_handle++);  // a pointer or a number
  return result;
}

}  // namespace fake

// A table with what contexts and handles use, and fresh notes.
inline DriverTable FakeTable() {
  fake_calls = {};
  DriverTable table;
  table.cuDevicePrimaryCtxRetain = [](CUcontext* context, CUdevice) {
    return fake::Make("cuDevicePrimaryCtxRetain", context);
  };
  table.cuCtxCreate_v2 = [](CUcontext* context, unsigned, CUdevice) {
    return fake::Make("cuCtxCreate_v2", context);
  };
  table.cuCtxPopCurrent_v2 = [](CUcontext*) { return fake::Note("cuCtxPopCurrent_v2"); };
#define TFRT_FAKE_NOTE(name) table.name = [](auto argument) { return fake::Note(#name, argument); };
  TFRT_FAKE_NOTE(cuDevicePrimaryCtxRelease_v2)
  TFRT_FAKE_NOTE(cuCtxDestroy_v2)
  TFRT_FAKE_NOTE(cuCtxSetCurrent)
  TFRT_FAKE_NOTE(cuStreamDestroy_v2)
  TFRT_FAKE_NOTE(cuEventDestroy_v2)
  TFRT_FAKE_NOTE(cuModuleUnload)
#undef TFRT_FAKE_NOTE
  return table;
}

// What was noted since the last call.
inline std::string TakeLog() {
  std::string log;
  std::swap(log, fake_calls.log);
  return log;
}

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_TEST_GPU_UNIT_WRAPPER_FAKE_TABLE_H_
