// The static run: the program's kernels in their static order, on the calling thread.
//
// A register owns one reference, from the kernel that made its value to the kernel after which nobody
// needs it; these were found at load, so nothing is counted here. Borrowed arguments are not owned
// and not released.

#include <algorithm>
#include <cstring>

#include "run.h"
#include "scratch.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/tracing.h"

namespace tfrt::internal {
namespace {

bool IsDeadArgument(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& kernel = static_cast<const ProgramKernel&>(frame.site());
  std::span<const uint32_t> dead = kernel.dead_arguments();
  return std::binary_search(dead.begin(), dead.end(), kernel.arguments[index]);
}

// A borrowed argument's reference belongs to the caller, so it is never ours to reuse.
bool IsDeadOwnArgument(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& program = *static_cast<const Program*>(frame.parts().run);
  return frame.site().arguments[index] >= program.num_arguments && IsDeadArgument(frame, index);
}

bool NeedsLiveRun(const Program& program, const ExecutionContext& exec_ctx,
                  std::span<AsyncValue* const> arguments) {
  if (!program.single_segment) {
    // With several threads a program of several streams is worth running on them.
    if (!program.order_free || program.has_non_strict) return true;
    if (!exec_ctx.work_queue().IsSingleThreaded()) return true;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]->IsAvailable() && !program.registers[i].users.empty()) return true;
  }
  return false;
}

void ReturnResults(const Program& program, AsyncValue** registers, uint32_t first_owned,
                   std::span<RCReference<AsyncValue>> results) {
  std::span<const uint32_t> result_registers = program.result_registers();
  for (size_t p = 0; p < results.size(); ++p) {
    uint32_t r = result_registers[p];
    bool moves = r >= first_owned && program.registers[r].returns.back() == p;
    results[p] = moves ? TakeRef(registers[r]) : FormRef(registers[r]);
  }
}

class StaticRun {
 public:
  StaticRun(const RunContext& context, const ExecutionContext& exec_ctx, RunArguments arguments,
            AsyncValue** registers)
      : context_(context),
        program_(context.program),
        registers_(registers),
        first_owned_(arguments.owned ? 0 : program_.num_arguments),
        exec_ctx_(exec_ctx) {
    exec_ctx_.get()->set_call_depth(exec_ctx.call_depth() + 1);
    std::memset(registers_, 0, program_.registers.size() * sizeof(*registers_));
    for (uint32_t r = 0; r < program_.num_arguments; ++r) {
      registers_[r] = arguments.values[r];
      any_error_ |= registers_[r]->IsError();
      const ProgramRegister& reg = program_.registers[r];
      if (arguments.owned && reg.users.empty() && !reg.returned()) registers_[r]->DropRef();
    }
  }

  void Run(std::span<RCReference<AsyncValue>> results) {
    AsyncKernelFrame::Parts parts;
    parts.registers = registers_;
    parts.results = registers_;
    parts.attributes = program_.attributes.data();
    parts.functions = program_.functions.data();
    parts.exec_ctx = exec_ctx_.get();
    parts.locations = &context_.locations;
    parts.first_reusable = std::max(1u, first_owned_);
    parts.is_last_use = first_owned_ == 0 ? IsDeadArgument : IsDeadOwnArgument;
    parts.run = &program_;
    AsyncKernelFrame frame(parts);
    const ProgramKernel* kernel = program_.kernels.data();
    const ProgramKernel* const end = kernel + program_.kernels.size();
    bool careful = any_error_ || !program_.all_have_signatures ||
                   tracing::IsEnabled(tracing::Level::kDebug);
    while (true) {
      if (!careful) kernel = first_owned_ == 0 ? RunFast<true>(kernel, end, &frame)
                                               : RunFast<false>(kernel, end, &frame);
      if (kernel == end) break;
      careful = true;
      if (!RunCarefully(*kernel, &frame)) {
        DropDeadArguments(*kernel);
        size_t step = static_cast<size_t>(kernel - program_.kernels.data());
        return ContinueLive(context_, *exec_ctx_.get(), {step, registers_, first_owned_}, results);
      }
      DropDead<false>(*kernel, registers_);
      ++kernel;
      careful = any_error_ || !program_.all_have_signatures ||
                tracing::IsEnabled(tracing::Level::kDebug);
    }
    ReturnResults(program_, registers_, first_owned_, results);
  }

 private:
  // Runs kernels while nothing is out of the ordinary. Returns the first one that has not been run
  // or, having been run, needs a look at its results; needs_check() tells which.
  template <bool kOwnsArguments>
  const ProgramKernel* RunFast(const ProgramKernel* kernel, const ProgramKernel* end,
                               AsyncKernelFrame* frame) {
    AsyncValue** const registers = registers_;
    const RequestContext& request = *exec_ctx_.get()->request_ctx();
    for (; kernel != end; ++kernel) {
      if (request.IsCancelled()) [[unlikely]] break;
      frame->Rebind(kernel);
      kernel->async_function(frame);
      if (frame->needs_check()) [[unlikely]] {
        if (!CanGoOn(*kernel, frame)) break;
      }
      DropDead<kOwnsArguments>(*kernel, registers);
    }
    return kernel;
  }
  // After a kernel that asked for a check: true, and no check is due any more, if its results are
  // all concrete or not waited for.
  [[gnu::noinline]] bool CanGoOn(const ProgramKernel& kernel, AsyncKernelFrame* frame) {
    if (WaitsForResult(kernel, frame) || any_error_) return false;
    frame->ClearNeedsCheck();
    return true;
  }
  // One kernel, unless RunFast has run it already, with all that may happen. False if the run must
  // go on as a live one.
  bool RunCarefully(const ProgramKernel& kernel, AsyncKernelFrame* frame);
  bool WaitsForResult(const ProgramKernel& kernel, AsyncKernelFrame* frame);

  template <bool kOwnsArguments>
  [[gnu::always_inline]] void DropDead(const ProgramKernel& kernel, AsyncValue** registers) {
    for (const uint32_t* dead = kernel.dead; *dead != kNoRegister; ++dead) {
      if (!kOwnsArguments && *dead < first_owned_) continue;
      // Null: the kernel has made its result of it.
      if (AsyncValue* value = registers[*dead]) value->DropRef();
    }
  }
  void DropDeadArguments(const ProgramKernel& kernel);

  const RunContext& context_;
  const Program& program_;
  AsyncValue** const registers_;
  const uint32_t first_owned_;
  BorrowedContext exec_ctx_;
  bool any_error_ = false;
};

bool StaticRun::RunCarefully(const ProgramKernel& kernel, AsyncKernelFrame* frame) {
  if (!frame->needs_check()) {
    frame->Rebind(&kernel);
    AsyncValue* error = FindError(*exec_ctx_.get(), registers_, kernel.argument_registers());
    if (error) {
      PropagateError(error, registers_ + kernel.first_result, kernel.num_results);
      any_error_ = true;
      return true;
    }
    tracing::Scope scope(tracing::Level::kDebug, [&] { return program_.kernel_name(kernel); });
    kernel.async_function(frame);
    if (kernel.has_signature && !frame->needs_check()) return true;
  }
  frame->ClearNeedsCheck();
  return !WaitsForResult(kernel, frame);
}

bool StaticRun::WaitsForResult(const ProgramKernel& kernel, AsyncKernelFrame* frame) {
  ReportUnsetResults(program_, kernel, *frame);
  bool waits = false;
  for (uint32_t i = 0; i < kernel.num_results; ++i) {
    AsyncValue* value = frame->result(i);
    if (value->IsConcrete()) continue;
    if (value->IsError()) {
      any_error_ = true;
    } else if (!program_.registers[kernel.first_result + i].users.empty()) {
      waits = true;
    }
  }
  return waits;
}

void StaticRun::DropDeadArguments(const ProgramKernel& kernel) {
  for (uint32_t r : kernel.dead_registers()) {
    bool is_result = r >= kernel.first_result && r < kernel.first_result + kernel.num_results;
    if (r >= first_owned_ && !is_result && registers_[r]) registers_[r]->DropRef();
  }
}

}  // namespace

void StartRun(const RunContext& context, const ExecutionContext& exec_ctx, RunArguments arguments,
              std::span<RCReference<AsyncValue>> results) {
  const Program& program = context.program;
  if (NeedsLiveRun(program, exec_ctx, arguments.values)) {
    BorrowedContext inner(exec_ctx);
    inner.get()->set_call_depth(exec_ctx.call_depth() + 1);
    return StartLiveRun(context, *inner.get(), arguments, results);
  }
  Scratch<AsyncValue*> registers(program.registers.size());
  StaticRun(context, exec_ctx, arguments, registers.data()).Run(results);
}

}  // namespace tfrt::internal
