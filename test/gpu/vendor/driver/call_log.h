// CallLog: which functions were called how often, and, if asked for, one line for each call.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_CALL_LOG_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_CALL_LOG_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "abi.h"

namespace tfrt::gpu::cuda_double {

// The functions of the driver, by their exported names.
enum class Function : uint16_t {
#define TFRT_GPU_FUNCTION(result, name, since, parameters, arguments) name,
  TFRT_CUDA_DRIVER_FUNCTIONS(TFRT_GPU_FUNCTION) TFRT_CUDA_DRIVER_TEST_FUNCTIONS(TFRT_GPU_FUNCTION)
#undef TFRT_GPU_FUNCTION
      kCount
};

const char* FunctionName(Function function);
// kCount if there is none of the name.
Function FindFunction(std::string_view name);

// Counting is thread-safe; lines are written under the driver's lock.
class CallLog {
 public:
  CallLog() = default;
  ~CallLog();
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;

  // False if the file cannot be written.
  bool Open(const std::string& path);
  bool is_open() const { return file_ != nullptr; }

  void Count(Function function);
  uint64_t num_calls(Function function) const;
  uint64_t num_calls() const;
  // Counts those of the calls that have blocked the host although they are no waits.
  void CountBlocking(Function function);
  uint64_t num_blocking_calls(Function function) const;
  uint64_t num_blocking_calls() const;
  void ClearCounts();

  // The same for functions of other libraries, by name.
  void CountLibrary(std::string_view function);
  uint64_t num_library_calls(std::string_view function) const;
  // "13 cublasCreate_v2 -> 0".
  void WriteLibrary(std::string_view function, uint32_t result);

  // "12 cuLaunchKernel stream=2 kernel=relu_f32 ... -> CUDA_SUCCESS".
  void Write(Function function, std::string_view details, CUresult result);

 private:
  using Counts = std::array<std::atomic<uint64_t>, static_cast<size_t>(Function::kCount)>;
  static uint64_t Sum(const Counts& counts);

  Counts counts_{}, blocking_{};
  mutable std::mutex library_mutex_;
  std::map<std::string, uint64_t, std::less<>> library_counts_;  // under library_mutex_
  std::FILE* file_ = nullptr;
  uint64_t num_lines_ = 0;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_CALL_LOG_H_
