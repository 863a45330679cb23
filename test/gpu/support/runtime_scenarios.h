// Programs of the runtime in which no call of the driver may be lost: the tests of faults and of
// waits that are left out run them.
#ifndef TFRT_TEST_GPU_SUPPORT_RUNTIME_SCENARIOS_H_
#define TFRT_TEST_GPU_SUPPORT_RUNTIME_SCENARIOS_H_

#include <span>
#include <string>
#include <vector>

#include "gpu/abi/cuda_driver_table.h"
#include "gpu/runtime/context.h"
#include "tfrt/support/status.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu::test {

// Whose memory the results lie in, and who brings them there. What a context that fails was to
// write is no good result of a healthy one, wherever it lies.
enum class Results : uint8_t {
  kOwn,          // of the context that computes them
  kOfOther,      // the other's, whose stream waits for them
  kReadByOther,  // of the context that computes them; the other's stream waits for them, and writes
};

// Two devices and a queue, as a program has them. Where there is one device it has both contexts.
struct RuntimeStage {
  static StatusOr<RuntimeStage> Create(const cuda::DriverTable& driver, ConcurrentWorkQueue& queue,
                                       Results results = Results::kOwn);
  bool is_lost() const { return context->is_lost() || other->is_lost(); }

  ConcurrentWorkQueue* queue;
  RCReference<Context> context, other;  // of devices 0 and 1
  Results results = Results::kOwn;
};

struct RuntimeScenario {
  const char* name;
  bool is_long;        // many bytes: fewer of its faults are tried
  bool reads_results;  // of all commands, so that none may come too early
  // The first error; else whether the bytes are right, as OK or an Internal error.
  Status (*run)(const RuntimeStage& stage);
};
std::span<const RuntimeScenario> AllRuntimeScenarios();

struct RuntimeRun {
  const RuntimeScenario* scenario;
  Results results;
};
// Long scenarios once, in the way that takes both contexts.
std::vector<RuntimeRun> AllRuntimeRuns();
// For the names of tests.
std::string NameOf(const RuntimeRun& run);

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_SUPPORT_RUNTIME_SCENARIOS_H_
