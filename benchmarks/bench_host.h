// A host with all kernels, and functions ready to be run on it.
#ifndef TFRT_BENCHMARKS_BENCH_HOST_H_
#define TFRT_BENCHMARKS_BENCH_HOST_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tfrt/bef/bef_builder.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt::bench {

// Computes for about ten microseconds of an undisturbed processor.
void BusyFor10Us();

// Besides the kernels of the project it has these:
//   bench.later (i32) -> i32: the same value, set in a task
//   bench.sum (i32...) -> i32
//   bench.busy (i32, i32) -> i32: adds them after 10 us of work, order-free
//   bench.fail (i32) -> i32: an error;  bench.cancel (i32) -> i32: cancels the request
class BenchHost {
 public:
  explicit BenchHost(const std::string& queue = "s");
  HostContext& host() { return *host_; }
  ExecutionContext MakeContext();
  RCReference<BefFile> Load(const bef::BefBuilder& builder);

 private:
  std::unique_ptr<HostContext> host_;
};

// A function without arguments, loaded and bound, with what it takes to run it.
class Program {
 public:
  Program(const bef::BefBuilder& builder, const std::string& function,
          const std::string& queue = "s");

  HostContext& host() { return host_.host(); }
  ExecutionContext& exec_ctx() { return exec_ctx_; }
  const Function& function() const { return *function_; }

  // Runs the function and waits for its results, on `exec_ctx` or a context of its own.
  void Run() { Run(exec_ctx_); }
  void Run(const ExecutionContext& exec_ctx);
  // Null if the result is an error.
  const int32_t* result() const;
  const AsyncValue& result_value(size_t index) const { return *results_[index]; }

 private:
  BenchHost host_;
  RCReference<BefFile> file_;
  const Function* function_;
  ExecutionContext exec_ctx_;
  std::vector<RCReference<AsyncValue>> results_;
};

// Programs "main" of kernels that finish in a task each: one after the other; side by side, and one
// that waits for them all.
bef::BefBuilder AsyncChainProgram(uint32_t length);
bef::BefBuilder AsyncFanProgram(uint32_t width);

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_BENCH_HOST_H_
