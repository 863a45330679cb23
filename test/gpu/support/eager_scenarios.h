// Programs of eager ops on two GPUs in which no call of the driver may be lost: the tests of faults
// and of waits that are left out run them.
#ifndef TFRT_TEST_GPU_SUPPORT_EAGER_SCENARIOS_H_
#define TFRT_TEST_GPU_SUPPORT_EAGER_SCENARIOS_H_

#include <memory>
#include <span>

#include "gpu/wrapper/cuda_driver.h"
#include "tfrt/eager/context.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::test {

struct EagerScenario {
  const char* name;
  // Returns the first error; else whether the elements are right, as OK or an Internal error. May
  // end the context; then the caller gets null.
  Status (*run)(std::unique_ptr<eager::Context>& context);
  bool needs_two_devices = false;
};

// One stream waits for another one, for another device or for the host in each.
std::span<const EagerScenario> EagerOrderScenarios();
// Ops of many kinds: a network, its training, tensors on their way.
std::span<const EagerScenario> EagerFaultScenarios();

// Creates a context with cpu:0, gpu:0 and, if there is one, gpu:1. `driver` must be initialised and
// outlive it. The devices have 2 MiB, so that MemoryOfAnotherStream must wait for some.
StatusOr<std::unique_ptr<eager::Context>> MakeEagerContext(const cuda::Driver& driver,
                                                           const char* work_queue);

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_SUPPORT_EAGER_SCENARIOS_H_
