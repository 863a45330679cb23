// One run of an async BEF function. Two ways to run share the kernel call:
//
// - the static run (static_run.cc): while every value is available, kernels run in the program's
//   static order on the calling thread, without counters;
// - the live run (live_run.cc): counted dataflow, on any number of threads. A static run becomes a
//   live one when a value that a kernel waits for is not available.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_RUN_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_RUN_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "program.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/support/location.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::internal {

// Measures runs of one function: whether its kernels are worth other threads. Handing a kernel over
// takes up to a microsecond, and the data that it reads then is in another processor's cache.
// Kernels that take less than some microseconds on average are better run in a row. Thread-safe. It
// has a cache line of its own: only its runs share their writes.
class alignas(64) KernelTimes {
 public:
  // True if the last run found the kernels short. False before the first: a function is run on many
  // threads until it is known not to need them.
  bool are_short() const {
    uint32_t ns = ns_per_kernel_.load(std::memory_order_relaxed);
    return ns != 0 && ns < kShortNs;
  }
  void Record(std::chrono::nanoseconds total, size_t num_kernels) {
    if (num_kernels == 0) return;
    int64_t ns = total.count() / static_cast<int64_t>(num_kernels);
    // relaxed: a hint.
    ns_per_kernel_.store(static_cast<uint32_t>(std::clamp<int64_t>(ns, 1, UINT32_MAX)),
                         std::memory_order_relaxed);
  }

 private:
  static constexpr uint32_t kShortNs = 5000;
  std::atomic<uint32_t> ns_per_kernel_{0};  // 0: unknown
};

// The function of a run.
struct RunContext {
  const Program& program;
  KernelTimes& times;
  const Function& function;  // keeps the program and the file alive
};

// How a live run receives its arguments.
struct RunArguments {
  std::span<AsyncValue* const> values;
  bool owned;  // the run owns one reference of each
};

// True if runs of the program in this context are measured: there are threads to give kernels to,
// and kernels that could be given away.
inline bool IsMeasured(const Program& program, const ExecutionContext& exec_ctx) {
  return !program.single_segment && program.has_static_order &&
         !exec_ctx.work_queue().IsSingleThreaded() &&
         exec_ctx.work_queue().GetParallelismLevel() > 1;
}

// Start a run; `results` are null before. `exec_ctx` is the caller's. The second takes the
// arguments' references. All parameters travel in registers, and the caller jumps here: a call of a
// small function is short.
void StartRun(const RunContext& context, const ExecutionContext& exec_ctx,
              std::span<AsyncValue* const> arguments, std::span<RCReference<AsyncValue>> results);
void StartRunByValue(const RunContext& context, const ExecutionContext& exec_ctx,
                     std::span<RCReference<AsyncValue>> arguments,
                     std::span<RCReference<AsyncValue>> results);

// Whether an argument dies with this call of a static run and is passed once. The reference of one
// that the function was only lent belongs to the caller, so it never does.
bool IsDeadArgument(const AsyncKernelFrame& frame, uint32_t index);

// Starts a live run from the beginning.
void StartLiveRun(const RunContext& context, const ExecutionContext& exec_ctx,
                  RunArguments arguments, std::span<RCReference<AsyncValue>> results);

// The position of a static run. Kernels 0 .. step have run, and all but the last have released
// their dead registers. The last has released its dead arguments, not its results.
struct StaticProgress {
  size_t step;
  AsyncValue** registers;
  uint32_t first_owned_register;  // registers below hold borrowed arguments
  uint64_t late_record;           // of the last kernel; 0: none (kernel_records.h)
};

// Continues a static run as a live run, which takes over all owned references.
void ContinueLive(const RunContext& context, const ExecutionContext& exec_ctx,
                  const StaticProgress& progress, std::span<RCReference<AsyncValue>> results);

// The error that keeps a strict kernel from running: the last erroneous argument, or the request's
// cancellation error, or null.
inline AsyncValue* FindError(const ExecutionContext& exec_ctx, AsyncValue* const* registers,
                             std::span<const uint32_t> arguments) {
  AsyncValue* error = exec_ctx.request_ctx()->GetCancelAsyncValue();
  for (uint32_t r : arguments) {
    if (registers[r]->IsError()) error = registers[r];
  }
  return error;
}

// Gives every result a reference to `error`.
void PropagateError(AsyncValue* error, AsyncValue** results, uint32_t num_results);

// Makes every result that the kernel left unset an error.
void ReportUnsetResult(const Program& program, const ProgramKernel& kernel,
                       const AsyncKernelFrame& frame, uint32_t index);
inline void ReportUnsetResults(const Program& program, const ProgramKernel& kernel,
                               const AsyncKernelFrame& frame) {
  AsyncValue* const* results = frame.parts().results + kernel.first_result;
  for (uint32_t i = 0; i < kernel.num_results; ++i) {
    if (!results[i]) [[unlikely]]
      ReportUnsetResult(program, kernel, frame, i);
  }
}

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_RUN_H_
