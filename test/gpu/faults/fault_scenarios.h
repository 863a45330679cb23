// Programs of the runtime that the tests of faults run.
#ifndef TFRT_TEST_GPU_FAULTS_FAULT_SCENARIOS_H_
#define TFRT_TEST_GPU_FAULTS_FAULT_SCENARIOS_H_

#include <span>

#include "tfrt/gpu/runtime/context.h"
#include "tfrt/support/status.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu::test {

struct FaultScenario {
  const char* name;
  bool is_long;  // many bytes: fewer of its faults are tried
  // The first error; else whether the bytes are right, as OK or an Internal error.
  Status (*run)(Context& context, ConcurrentWorkQueue& queue);
};
std::span<const FaultScenario> AllFaultScenarios();

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_FAULTS_FAULT_SCENARIOS_H_
