// Small programs of streams and events in which no call could be left out.
#ifndef TFRT_TEST_GPU_DROP_ONE_SCENARIOS_H_
#define TFRT_TEST_GPU_DROP_ONE_SCENARIOS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "test/gpu/support/raw_driver.h"

namespace tfrt::gpu::test {

// The objects of one run, which go with its context, and calls that look at no code: a run in which
// something was dropped may fail anywhere.
class Stage {
 public:
  static constexpr uint32_t kN = 64;  // elements of u32 in each buffer

  explicit Stage(const RawDriver& driver);

  const RawDriver& d;
  cuda::CUstream a = nullptr, b = nullptr, c = nullptr;
  cuda::CUevent event = nullptr, other_event = nullptr, third_event = nullptr;

  cuda::CUdeviceptr Device();
  uint32_t* Pinned();
  void Fill(cuda::CUstream stream, cuda::CUdeviceptr to, uint32_t value, uint32_t n = kN);
  void AddOne(cuda::CUstream stream, cuda::CUdeviceptr data, uint32_t n = kN);
  void Copy(cuda::CUstream stream, cuda::CUdeviceptr to, cuda::CUdeviceptr from);
  void Count(cuda::CUstream stream, cuda::CUdeviceptr to);
  void ToHost(cuda::CUstream stream, uint32_t* to, cuda::CUdeviceptr from);
  void ToDevice(cuda::CUstream stream, cuda::CUdeviceptr to, const uint32_t* from);
  // `waiting` comes behind all that `stream` was given, by way of the event.
  void Order(cuda::CUstream stream, cuda::CUevent by, cuda::CUstream waiting);

  // The host uses pinned memory, and says so.
  void Write(uint32_t* pinned, uint32_t value);
  uint32_t Read(const uint32_t* pinned);  // the last element

 private:
  void Launch(cuda::CUstream stream, const char* kernel, void** parameters);
  cuda::CUmodule module_ = nullptr;
};

struct Scenario {
  const char* name;
  // Runs it and returns whether the host read what it should.
  bool (*run)(Stage& stage);
};
const std::vector<Scenario>& AllScenarios();

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_DROP_ONE_SCENARIOS_H_
