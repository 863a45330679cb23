// A driver's table for tests of handles: each call is noted, and makes handles that count up.
#ifndef TFRT_TEST_GPU_UNIT_WRAPPER_FAKE_TABLE_H_
#define TFRT_TEST_GPU_UNIT_WRAPPER_FAKE_TABLE_H_

#include <cstdint>
#include <map>
#include <string>

#include "tfrt/gpu/abi/cuda_driver_table.h"

namespace tfrt::gpu::cuda {

struct FakeCalls {
  std::string log;                          // "cuCtxSetCurrent(1) "
  std::map<std::string, CUresult> results;  // of functions that do not succeed
  uintptr_t next_handle = 1;
  std::string jit_log;  // what loading a module writes
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

// A table with what handles use, and fresh notes.
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
  table.cuStreamCreateWithPriority = [](CUstream* stream, unsigned, int) {
    return fake::Make("cuStreamCreateWithPriority", stream);
  };
  table.cuEventCreate = [](CUevent* event, unsigned) { return fake::Make("cuEventCreate", event); };
  table.cuMemAlloc_v2 = [](CUdeviceptr* address, size_t) {
    return fake::Make("cuMemAlloc_v2", address);
  };
  table.cuMemHostAlloc = [](void** memory, size_t, unsigned) {
    return fake::Make("cuMemHostAlloc", memory);
  };
  table.cuMemHostRegister_v2 = [](void* memory, size_t, unsigned) {
    return fake::Note("cuMemHostRegister_v2", memory);
  };
  table.cuMemPoolCreate = [](CUmemoryPool* pool, const CUmemPoolProps*) {
    return fake::Make("cuMemPoolCreate", pool);
  };
  table.cuModuleLoadDataEx = [](CUmodule* module, const void*, unsigned count,
                                CUjit_option* options, void** values) {
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] != CU_JIT_ERROR_LOG_BUFFER) continue;
      // As many bytes as the next option allows, without a zero byte behind them.
      size_t room = reinterpret_cast<uintptr_t>(values[i + 1]);
      fake_calls.jit_log.copy(static_cast<char*>(values[i]), room);
    }
    return fake::Make("cuModuleLoadDataEx", module);
  };
  table.cuGraphCreate = [](CUgraph* graph, unsigned) { return fake::Make("cuGraphCreate", graph); };
  table.cuGraphInstantiateWithFlags = [](CUgraphExec* exec, CUgraph, unsigned long long) {
    return fake::Make("cuGraphInstantiateWithFlags", exec);
  };
  table.cuStreamEndCapture = [](CUstream, CUgraph* graph) {
    return fake::Make("cuStreamEndCapture", graph);
  };
#define TFRT_FAKE_NOTE(name) table.name = [](auto argument) { return fake::Note(#name, argument); };
  TFRT_FAKE_NOTE(cuDevicePrimaryCtxRelease_v2)
  TFRT_FAKE_NOTE(cuCtxDestroy_v2)
  TFRT_FAKE_NOTE(cuCtxSetCurrent)
  TFRT_FAKE_NOTE(cuStreamDestroy_v2)
  TFRT_FAKE_NOTE(cuStreamQuery)
  TFRT_FAKE_NOTE(cuEventDestroy_v2)
  TFRT_FAKE_NOTE(cuEventQuery)
  TFRT_FAKE_NOTE(cuMemFree_v2)
  TFRT_FAKE_NOTE(cuMemFreeHost)
  TFRT_FAKE_NOTE(cuMemHostUnregister)
  TFRT_FAKE_NOTE(cuMemPoolDestroy)
  TFRT_FAKE_NOTE(cuModuleUnload)
  TFRT_FAKE_NOTE(cuGraphDestroy)
  TFRT_FAKE_NOTE(cuGraphExecDestroy)
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
