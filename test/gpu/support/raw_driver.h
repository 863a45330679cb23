// The driver as a raw table, opened without any code of the runtime's: a real one, or the test
// double.
#ifndef TFRT_TEST_GPU_SUPPORT_RAW_DRIVER_H_
#define TFRT_TEST_GPU_SUPPORT_RAW_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/abi/cuda_driver_table.h"
#include "test/gpu/vendor/driver/control.h"

namespace tfrt::gpu::test {

struct RawDriver : cuda::DriverTable {
  // What the double exports beside (test/gpu/vendor/driver/control.h); null in a real driver.
  size_t (*num_reports)() = nullptr;
  size_t (*report)(size_t, char*, size_t) = nullptr;
  void (*clear_reports)() = nullptr;
  void (*host_access)(const void*, size_t, int) = nullptr;
  uint64_t (*num_calls)(const char*) = nullptr;
  uint64_t (*num_blocking_calls)(const char*) = nullptr;
  void (*clear_calls)() = nullptr;
  int (*inject)(const char*) = nullptr;
  uint64_t (*num_live)(const char*) = nullptr;
  void (*enable_activities)(int) = nullptr;
  size_t (*take_activities)(void*, size_t) = nullptr;
  uint32_t (*enqueue)(void*, const char*, void (*)(void*), void*, const tfrtDoubleRange*,
                      size_t) = nullptr;
  uint32_t (*enqueue_together)(void*, const char*, uint64_t, size_t, void (*)(void*), void*,
                               const tfrtDoubleRange*, size_t) = nullptr;
  void* (*host_view)(uint64_t) = nullptr;

  bool is_double() const { return num_reports != nullptr; }
};

// The driver in the folder TFRT_GPU_LIBRARY_PATH, or where the loader finds it; opened once and
// never closed. Null, and then `why` says so, if there is none or it lacks a function.
const RawDriver* OpenRawDriver(std::string* why);

// Takes the double's reports since the last call; none from a real driver.
std::vector<std::string> TakeReports(const RawDriver& driver);

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_SUPPORT_RAW_DRIVER_H_
