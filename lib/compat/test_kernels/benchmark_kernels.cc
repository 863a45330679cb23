#include <memory>
#include <vector>

#include "benchmark_statistics.h"
#include "kernel_groups.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

// The text form takes any 32-bit number, signed or not.
BenchmarkLimits MakeLimits(Attribute<int32_t> duration_secs, Attribute<int32_t> max_count,
                           Attribute<int32_t> num_warmup_runs) {
  return {std::chrono::seconds(static_cast<uint32_t>(*duration_secs)),
          static_cast<uint32_t>(*max_count), static_cast<uint32_t>(*num_warmup_runs)};
}

// One execution of tfrt_test.benchmark. Owned by whatever runs next: a task, or the waiter on a
// run's result.
class AsyncBenchmark {
 public:
  AsyncBenchmark(std::string_view name, BenchmarkLimits limits, const Function* function,
                 std::vector<RCReference<AsyncValue>> arguments, AsyncValueRef<Chain> done,
                 const ExecutionContext& exec_ctx)
      : statistics_(name, limits),
        function_(FormRef(function)),
        arguments_(std::move(arguments)),
        done_(std::move(done)),
        exec_ctx_(exec_ctx) {
    for (const auto& argument : arguments_) borrowed_arguments_.push_back(argument.get());
  }

  // Each run is a task of its own, so that runs do not nest.
  static void EnqueueRun(std::unique_ptr<AsyncBenchmark> benchmark) {
    if (benchmark->statistics_.IsDone()) {
      benchmark->statistics_.Print();
      benchmark->done_.emplace();
      return;
    }
    const ExecutionContext exec_ctx = benchmark->exec_ctx_;
    EnqueueWork(exec_ctx,
                [benchmark = std::move(benchmark)]() mutable { Run(std::move(benchmark)); });
  }

 private:
  static void Run(std::unique_ptr<AsyncBenchmark> benchmark) {
    benchmark->statistics_.StartRun();
    RCReference<AsyncValue> result[1];
    benchmark->function_->Execute(benchmark->exec_ctx_, benchmark->borrowed_arguments_, result);
    AsyncValue* value = result[0].get();
    value->AndThen([benchmark = std::move(benchmark), result = std::move(result[0])]() mutable {
      benchmark->statistics_.StopRun();
      if (result->IsError()) {
        benchmark->done_.SetError(result->GetError());
        return;
      }
      result.reset();
      EnqueueRun(std::move(benchmark));
    });
  }

  BenchmarkStatistics statistics_;
  const RCReference<const Function> function_;
  const std::vector<RCReference<AsyncValue>> arguments_;
  std::vector<AsyncValue*> borrowed_arguments_;
  const AsyncValueRef<Chain> done_;
  const ExecutionContext exec_ctx_;
};

void Benchmark(RemainingArguments arguments, Result<Chain> done, Attribute<int32_t> duration_secs,
               Attribute<int32_t> max_count, StringAttribute name,
               Attribute<int32_t> num_warmup_runs, const Function* function,
               KernelErrorHandler handler, const ExecutionContext& exec_ctx) {
  if (function->num_results() != 1) {
    return handler.ReportError(
        "Benchmark op requires the input function have exactly one return value");
  }
  AsyncBenchmark::EnqueueRun(
      std::make_unique<AsyncBenchmark>(*name, MakeLimits(duration_secs, max_count, num_warmup_runs),
                                       function, arguments.ValueRefs(), done.Allocate(), exec_ctx));
}

Status SyncBenchmark(RemainingSyncArguments arguments, Attribute<int32_t> duration_secs,
                     Attribute<int32_t> max_count, Attribute<int32_t> num_warmup_runs,
                     const Function* function, SyncKernelFrame* frame,
                     const ExecutionContext& exec_ctx) {
  if (function->kind() != FunctionKind::kSync) {
    return InternalError("SyncBenchmark op requires the input function be a sync function");
  }
  if (function->num_results() != 0) {
    return InternalError("SyncBenchmark op requires the input function have zero return value");
  }
  if (function->num_arguments() != arguments.size()) {
    return InternalError(
        "Incorrect number of arguments for the target function for the SyncBenchmark op");
  }
  std::vector<Value*> values(arguments.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = &arguments[i];
  BenchmarkStatistics statistics(function->name(),
                                 MakeLimits(duration_secs, max_count, num_warmup_runs));
  while (!statistics.IsDone()) {
    statistics.StartRun();
    Status status = function->ExecuteSync(exec_ctx, values, {});
    if (!status.ok()) {
      frame->SetError(std::move(status));  // diagnosed by the function
      return OkStatus();
    }
    statistics.StopRun();
  }
  statistics.Print();
  return OkStatus();
}

}  // namespace

void RegisterBenchmarkKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.benchmark", TFRT_KERNEL(Benchmark));
  registry->AddSyncKernel("tfrt_test.sync_benchmark", TFRT_SYNC_KERNEL(SyncBenchmark));
}

}  // namespace tfrt
