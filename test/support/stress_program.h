// Random programs whose kernels compute, fail, and deliver late, with what each run must give.
#ifndef TFRT_TEST_SUPPORT_STRESS_PROGRAM_H_
#define TFRT_TEST_SUPPORT_STRESS_PROGRAM_H_

#include <atomic>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "test/support/random_program.h"
#include "tfrt/bef/bef_builder.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/host_context/request_context.h"

namespace tfrt {

// A payload with a count of those alive: a value that is lost or freed twice shows in every build.
class Tracked {
 public:
  explicit Tracked(uint32_t value) : value_(value) { live.fetch_add(1, std::memory_order_relaxed); }
  Tracked(Tracked&& other) noexcept : Tracked(other.value_) {}
  Tracked& operator=(Tracked&&) = delete;
  ~Tracked() { live.fetch_sub(1, std::memory_order_relaxed); }
  uint32_t value() const { return value_; }

  static inline std::atomic<int64_t> live{0};

 private:
  uint32_t value_;
};

class StressProgram {
 public:
  explicit StressProgram(std::mt19937& random);

  // Its kernels: t.mix, t.mix_fail, t.mix_later.
  static void RegisterKernels(KernelRegistry& registry);
  // One function, `f`.
  bef::BefBuilder Build() const;
  size_t num_kernels() const { return program_.steps.size(); }

  // Runs `function` once and waits for its results. With `cancel_after`, another thread spins so many times
  // and then cancels the request. Empty if the results are right, else what is wrong.
  std::string RunAndCheck(const Function& function, ExecutionContext exec_ctx, HostContext& host,
                          bool as_task, const uint32_t* cancel_after) const;

 private:
  // What a register holds in the end: the value, or one of the errors.
  struct Expected {
    uint32_t value = 0;
    std::set<std::string> errors = {};
  };
  std::vector<Expected> ExpectedResults() const;

  RandomProgram program_;
  std::vector<bool> fails_;  // by step
  std::vector<Expected> expected_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_STRESS_PROGRAM_H_
