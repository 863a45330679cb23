// One run of an async BEF function. Two ways to run share the kernel call:
//
// - the static run (static_run.cc): while every value is available, kernels run in the program's
//   static order on the calling thread, without counters;
// - the live run (live_run.cc): counted dataflow, on any number of threads. A static run becomes a
//   live one when a value that a kernel waits for is not available.
#ifndef TFRT_LIB_EXECUTOR_RUN_H_
#define TFRT_LIB_EXECUTOR_RUN_H_

#include <cstdint>
#include <span>

#include "program.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/support/location.h"

namespace tfrt::internal {

// What a run needs to know of its function.
struct RunContext {
  const Program& program;
  const Function& function;           // keeps the program and the file alive
  const LocationHandler& locations;   // decodes kernel locations
};

// How a run received its arguments.
struct RunArguments {
  std::span<AsyncValue* const> values;
  bool owned;  // the run owns one reference of each
};

// Starts a run; `results` are null before. `exec_ctx` is the caller's.
void StartRun(const RunContext& context, const ExecutionContext& exec_ctx, RunArguments arguments,
              std::span<RCReference<AsyncValue>> results);

// Starts a live run from the beginning.
void StartLiveRun(const RunContext& context, const ExecutionContext& exec_ctx,
                  RunArguments arguments, std::span<RCReference<AsyncValue>> results);

// Where a static run got to: kernels 0 .. step have run and all but the last have
// released their dead registers; of the last the dead arguments are released, not its results.
struct StaticProgress {
  size_t step;
  AsyncValue** registers;
  uint32_t first_owned_register;  // registers below hold borrowed arguments
};

// Continues a static run as a live run, which takes over all owned references.
void ContinueLive(const RunContext& context, const ExecutionContext& exec_ctx,
                  const StaticProgress& progress, std::span<RCReference<AsyncValue>> results);

// The error that keeps a strict kernel from running: the last erroneous argument, or the request's
// cancellation error, or null.
AsyncValue* FindError(const ExecutionContext& exec_ctx, AsyncValue* const* registers,
                      std::span<const uint32_t> arguments);

// Gives every result a reference to `error`.
void PropagateError(AsyncValue* error, AsyncValue** results, uint32_t num_results);

// Makes every result that the kernel left unset an error.
void ReportUnsetResults(const Program& program, const ProgramKernel& kernel,
                        const AsyncKernelFrame& frame);

}  // namespace tfrt::internal

#endif  // TFRT_LIB_EXECUTOR_RUN_H_
