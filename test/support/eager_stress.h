// Random eager programs: several threads call ops of one context, and each result is compared with
// what plain functions compute one after the other.
#ifndef TFRT_TEST_SUPPORT_EAGER_STRESS_H_
#define TFRT_TEST_SUPPORT_EAGER_STRESS_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "test/support/eager_stress_ops.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/eager/variable.h"

namespace tfrt::eager {

// What a tensor must be.
struct Expected {
  Elements elements = {};
  std::vector<std::string> errors = {};  // not empty: an error that contains one of them
};

struct StressTensor {
  Tensor tensor;
  std::shared_ptr<const Expected> expected;
};

struct EagerStress {
  std::string work_queue = "mstd:2";
  ExecutionOrder order = ExecutionOrder::kDataflow;
  int num_callers = 3;
  int num_steps = 200;  // of each caller
  uint32_t seed = 0;
  // The rest is drawn from the seed: the context's options and whose host it has, the shape of the
  // tensors, whether a thread cancels and restarts, and what the callers do: scopes in both modes
  // and on all devices, ops that fail, throw, come late and call others, variables, copies between
  // devices, which are dropped now and then, side effects, tensors of other threads and ones that
  // outlive the context.

  // Empty if all was right, else what was wrong. Nothing of it is left when it returns.
  std::string Run() const;
  int64_t num_ops() const { return int64_t{num_callers} * num_steps; }
};

// What the callers of one context have in common.
class StressRound {
 public:
  StressRound(Context& context, int64_t side, bool cancels);

  Context& context() { return context_; }
  int64_t side() const { return side_; }  // tensors are [side, side]
  bool cancels() const { return cancels_; }

  void Fail(const std::string& text);
  std::string problem();

  // Leaves a tensor for other threads, and takes one of theirs, if there is one.
  StressTensor Exchange(StressTensor mine, size_t place);

  // "" or what is wrong with the tensor, which it waits for.
  std::string Check(const Tensor& tensor, const Expected& expected) const;

  // All elements of `total` are the sum of what has been added to it.
  Variable total;
  std::atomic<int64_t> num_effects_called{0};

 private:
  Context& context_;
  const int64_t side_;
  const bool cancels_;
  std::mutex mutex_;
  std::string problem_;
  std::vector<StressTensor> exchanged_;
};

}  // namespace tfrt::eager

#endif  // TFRT_TEST_SUPPORT_EAGER_STRESS_H_
