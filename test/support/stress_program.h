// Random programs whose kernels compute, fail, deliver late, forward and change values, with what
// each run must give.
#ifndef TFRT_TEST_SUPPORT_STRESS_PROGRAM_H_
#define TFRT_TEST_SUPPORT_STRESS_PROGRAM_H_

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "test/support/random_program.h"
#include "test/support/stress_kernels.h"
#include "tfrt/bef/bef_builder.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/request_context.h"

namespace tfrt {

// How a program is run.
struct StressRun {
  enum class Call : uint8_t { kExecute, kAsync, kByValue };
  Call call = Call::kExecute;
  int num_sharing = 1;          // runs that start with the same arguments
  bool late_arguments = false;  // the arguments become available once all runs have started
  bool continued = false;       // one more run, which has the results of the first as its arguments
  int64_t cancel_after =
      -1;  // another thread spins so many times and then cancels; negative: none does

  int num_runs() const { return num_sharing + (continued ? 1 : 0); }
  static StressRun Random(std::mt19937& random);
};

class StressProgram {
 public:
  // Without outside work all that a run does is the queue's.
  explicit StressProgram(std::mt19937& random, bool outside_work = true);

  // One function, `f`. Needs RegisterStressKernels.
  bef::BefBuilder Build() const;
  size_t num_kernels() const { return program_.steps.size(); }

  // Runs `function` and waits for the results. Empty if they are right, else what is wrong. Values
  // that nobody waits for may come later: before the host ends, OutsideThread::Settle.
  std::string RunAndCheck(const StressRun& run, const Function& function, ExecutionContext exec_ctx,
                          HostContext& host) const;
  // Starts a run and drops its results.
  void StartAndForget(const Function& function, const ExecutionContext& exec_ctx) const;

 private:
  // What a register holds in the end: the value, or one of the errors.
  struct Expected {
    uint32_t value = 0;
    std::set<std::string> errors = {};
  };
  using Values = std::vector<RCReference<AsyncValue>>;

  struct StressStep {
    StressKernel kernel;
    bool fails;
    Later later;
    int32_t chain_length;
  };
  StressStep RandomStep(std::mt19937& random, const Step& step, uint32_t one_fails_in,
                        bool outside_work) const;

  std::vector<Expected> ExpectedResults(const std::vector<Expected>& arguments) const;
  // The results of step `k`, by what its operands hold.
  std::vector<Expected> ExpectedOf(size_t k, const std::vector<Expected>& operands) const;
  static std::string Compare(const Values& results, const std::vector<Expected>& expected,
                             bool may_be_cancelled);
  static Values Start(StressRun::Call call, const Function& function,
                      const ExecutionContext& exec_ctx, const Values& arguments);

  RandomProgram program_;
  std::vector<StressStep> steps_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_STRESS_PROGRAM_H_
