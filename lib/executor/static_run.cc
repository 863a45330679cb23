// The static run: the program's kernels in their static order, on the calling thread.
//
// A register owns one reference, from the kernel that made its value to the kernel after which
// nobody needs it; these were found at load, so nothing is counted here. Borrowed arguments are not
// owned and not released.

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "run.h"
#include "scratch.h"
#include "task_capture.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/tracing/record.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::internal {
namespace {

// The argument dies with this call and is passed once.
bool IsDeadArgument(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& kernel = static_cast<const ProgramKernel&>(frame.site());
  uint32_t r = kernel.arguments[index];
  std::span<const uint32_t> dead = kernel.dead_registers();
  if (std::find(dead.begin(), dead.end(), r) == dead.end()) return false;
  std::span<const uint32_t> arguments = kernel.argument_registers();
  return std::count(arguments.begin(), arguments.end(), r) == 1;
}

// A borrowed argument's reference belongs to the caller, so it is never ours to reuse.
bool IsDeadOwnArgument(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& program = *static_cast<const Program*>(frame.parts().run);
  return frame.site().arguments[index] >= program.num_arguments && IsDeadArgument(frame, index);
}

// Of a program that is not one segment.
[[gnu::noinline]] bool MayRunSegmentsStatically(const RunContext& context,
                                                const ExecutionContext& exec_ctx) {
  const Program& program = context.program;
  if (!program.has_static_order) return false;
  if (exec_ctx.work_queue().IsSingleThreaded()) {
    if (!program.order_free || exec_ctx.kernel_order() == KernelOrder::kPrescribed) return false;
    // What the host calls, or was put off, runs at once if nothing else can run before its result
    // is there.
    return exec_ctx.kernel_order() == KernelOrder::kFree || !exec_ctx.work_queue().MayHaveTasks();
  }
  return exec_ctx.work_queue().GetParallelismLevel() == 1 || context.times.are_short();
}

// Arguments are borrowed pointers, or references that become the run's.
using Borrowed = AsyncValue* const;
using Owned = RCReference<AsyncValue>;
AsyncValue* Look(Borrowed& argument) { return argument; }
AsyncValue* Look(Owned& argument) { return argument.get(); }
AsyncValue* Take(Borrowed& argument) { return argument; }
AsyncValue* Take(Owned& argument) { return argument.release(); }

// What functions that the program calls may think of their order.
KernelOrder InnerOrder(const Program& program, const ExecutionContext& exec_ctx) {
  KernelOrder order = exec_ctx.kernel_order();
  if (order == KernelOrder::kPrescribed || order == KernelOrder::kFree) return order;
  return program.order_free ? KernelOrder::kFree : KernelOrder::kPrescribed;
}

void StartDeeperLiveRun(const RunContext& context, const ExecutionContext& exec_ctx,
                        RunArguments arguments, std::span<RCReference<AsyncValue>> results) {
  BorrowedContext inner(exec_ctx);
  inner.get()->set_call_depth(exec_ctx.call_depth() + 1);
  // Other tasks may run in between.
  if (exec_ctx.kernel_order() != KernelOrder::kFree) {
    inner.get()->set_kernel_order(KernelOrder::kPrescribed);
  }
  StartLiveRun(context, *inner.get(), arguments, results);
}

template <typename Argument>
[[gnu::noinline]] bool WaitsForArgument(const Program& program, std::span<Argument> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!Look(arguments[i])->IsAvailable() && !program.registers[i].users.empty()) return true;
  }
  return false;
}

// Whether nobody can tell that a task keeps the arguments, which the run itself would release as it
// goes: their end runs no code.
bool MayKeep(std::span<AsyncValue* const> arguments) {
  return std::ranges::all_of(arguments, [](AsyncValue* argument) {
    return argument->IsConcrete() && argument->Resolved()->HasTrivialPayload();
  });
}

// A run that is not static from the start.
[[gnu::noinline, gnu::cold]] void StartOtherwise(const RunContext& context,
                                                 const ExecutionContext& exec_ctx,
                                                 RunArguments arguments,
                                                 std::span<RCReference<AsyncValue>> results) {
  if (!context.program.can_be_put_off || !exec_ctx.work_queue().IsSingleThreaded() ||
      !MayKeep(arguments.values)) {
    return StartDeeperLiveRun(context, exec_ctx, arguments, results);
  }
  ExecutionContext later = exec_ctx;
  if (exec_ctx.kernel_order() != KernelOrder::kPutOff) {
    later.set_kernel_order(KernelOrder::kPutOff);
    EnqueueTask(exec_ctx, context.function.MakeTask(later, arguments.values, results));
    if (!arguments.owned) return;
    for (AsyncValue* argument : arguments.values) argument->DropRef();
    return;
  }
  // Something may run in between after all, so the tasks of this run must take their places.
  later.set_kernel_order(KernelOrder::kPrescribed);
  TaskCapture tasks(later);
  StartDeeperLiveRun(context, later, arguments, results);
  tasks.RunAll();
}

void ReturnResults(const Program& program, AsyncValue** registers, uint32_t first_owned,
                   std::span<RCReference<AsyncValue>> results) {
  const Program::Return* next = program.returns.data();
  for (RCReference<AsyncValue>& result : results) {
    AsyncValue* value = registers[next->source];
    // The last position gets the register's own reference.
    if (!next->is_last || next->source < first_owned) value->AddRef();
    new (&result) RCReference<AsyncValue>(TakeRef(value));  // it was null
    ++next;
  }
}

class StaticRun {
 public:
  template <typename Argument>
  StaticRun(const RunContext& context, const ExecutionContext& exec_ctx,
            std::span<Argument> arguments, bool all_concrete, AsyncValue** registers)
      : context_(context),
        program_(context.program),
        registers_(registers),
        first_owned_(std::is_same_v<Argument, Owned> ? 0 : program_.num_arguments),
        exec_ctx_(exec_ctx),
        any_error_(!all_concrete) {
    exec_ctx_.get()->set_call_depth(exec_ctx.call_depth() + 1);
    exec_ctx_.get()->set_kernel_order(InnerOrder(program_, exec_ctx));
    ClearPointers(registers_, program_.registers.size());
    for (size_t r = 0; r < arguments.size(); ++r) {
      registers_[r] = Take(arguments[r]);
      asm volatile("");  // as in ClearPointers
    }
    if constexpr (std::is_same_v<Argument, Owned>) {
      for (uint32_t r : program_.unused_arguments) registers_[r]->DropRef();
    }
  }

  // Returns how many kernels have run until the end, or until the run went on as a live one.
  size_t Run(std::span<RCReference<AsyncValue>> results) {
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
    const bool may_record = tracing::IsAnythingActive();
    if (!NeedsCare() && !may_record) [[likely]] {
      kernel = RunFast<false>(kernel, end, &frame);
    }
    if (kernel != end || may_record) [[unlikely]] {  // also of no kernels
      kernel = RunRest(kernel, &frame, results);
      if (kernel != end) return static_cast<size_t>(kernel - program_.kernels.data()) + 1;
    }
    ReturnResults(program_, registers_, first_owned_, results);
    return program_.kernels.size();
  }

 private:
  // Runs kernels while nothing is out of the ordinary. Returns the first one that has not been run
  // or, having been run, needs a look at its results; needs_check() tells which. `kRecords`: with
  // records of the kernels.
  template <bool kRecords>
  const ProgramKernel* RunFast(const ProgramKernel* kernel, const ProgramKernel* end,
                               AsyncKernelFrame* frame) {
    AsyncValue** const registers = registers_;
    const uint32_t first_owned = first_owned_;
    const RequestContext& request = *exec_ctx_.get()->request_ctx();
    for (; kernel != end; ++kernel) {
      if (request.IsCancelled()) [[unlikely]]
        break;
      frame->Rebind(kernel);
      if constexpr (kRecords) {
        CallRecorded(*kernel, frame);
      } else {
        kernel->async_function(frame);
      }
      if (frame->needs_check()) [[unlikely]] {
        if (!CanGoOn(*kernel, frame)) break;
      }
      DropDead(*kernel, registers, first_owned);
    }
    return kernel;
  }
  // Goes on after RunFast, or begins, with records if somebody wants them. Returns the end of the
  // kernels, or the kernel after which the run went on as a live one.
  [[gnu::noinline]] const ProgramKernel* RunRest(const ProgramKernel* kernel,
                                                 AsyncKernelFrame* frame,
                                                 std::span<RCReference<AsyncValue>> results) {
    tracing::RecordScope record(kFunctionRecord, [&] { return RecordNameOf(program_); });
    const ProgramKernel* const end = program_.kernels.data() + program_.kernels.size();
    kernel = RecordsKernels() ? RunRest<tracing::kRecordsExist>(kernel, end, frame)
                              : RunRest<false>(kernel, end, frame);
    if (kernel != end) {
      size_t step = static_cast<size_t>(kernel - program_.kernels.data());
      ContinueLive(context_, *exec_ctx_.get(), {step, registers_, first_owned_, late_record_},
                   results);
    }
    return kernel;
  }
  // Runs fast where that is possible. Returns `end`, or the kernel after which the run must go on
  // as a live one.
  template <bool kRecords>
  const ProgramKernel* RunRest(const ProgramKernel* kernel, const ProgramKernel* end,
                               AsyncKernelFrame* frame) {
    if constexpr (kRecords) {
      if (!NeedsCare() && !frame->needs_check()) kernel = RunFast<true>(kernel, end, frame);
    }
    while (kernel != end) {
      if (!RunCarefully(*kernel, frame)) {
        DropDeadArguments(*kernel);
        return kernel;
      }
      DropDead(*kernel, registers_, first_owned_);
      ++kernel;
      if (!NeedsCare()) kernel = RunFast<kRecords>(kernel, end, frame);
    }
    return end;
  }
  bool NeedsCare() const { return any_error_ || !program_.all_have_signatures; }
  // After a kernel that asked for a check: true, and no check is due any more, if its results are
  // all concrete or not waited for.
  bool CanGoOn(const ProgramKernel& kernel, AsyncKernelFrame* frame) {
    AsyncValue* const* result = registers_ + kernel.first_result;
    for (AsyncValue* const* end = result + kernel.num_results; result != end; ++result) {
      if (*result && (*result)->IsConcrete()) [[likely]]
        continue;
      if (WaitsForResult(kernel, frame) || any_error_) return false;
      break;
    }
    if (tracing::kRecordsExist && late_record_ != 0) [[unlikely]]
      TellLateResults(kernel);
    frame->ClearNeedsCheck();
    return true;
  }
  [[gnu::noinline, gnu::cold]] void TellLateResults(const ProgramKernel& kernel);
  [[gnu::noinline]] void CallRecorded(const ProgramKernel& kernel, AsyncKernelFrame* frame);
  // One kernel, unless RunFast has run it already, with all that may happen. False if the run must
  // go on as a live one.
  [[gnu::noinline]] bool RunCarefully(const ProgramKernel& kernel, AsyncKernelFrame* frame);
  [[gnu::noinline]] bool WaitsForResult(const ProgramKernel& kernel, AsyncKernelFrame* frame);

  [[gnu::always_inline]] static void DropDead(const ProgramKernel& kernel, AsyncValue** registers,
                                              uint32_t first_owned) {
    for (const uint32_t* dead = kernel.dead; *dead != kNoRegister; ++dead) {
      if (*dead < first_owned) continue;
      // Null: the kernel has made its result of it.
      if (AsyncValue* value = registers[*dead]) value->DropRef();
    }
  }
  std::span<AsyncValue* const> ResultsOf(const ProgramKernel& kernel) const {
    return {registers_ + kernel.first_result, kernel.num_results};
  }
  [[gnu::noinline, gnu::cold]] void DropDeadArguments(const ProgramKernel& kernel);

  const RunContext& context_;
  const Program& program_;
  AsyncValue** const registers_;
  const uint32_t first_owned_;
  BorrowedContext exec_ctx_;
  bool any_error_;            // there may be one among the registers
  uint64_t late_record_ = 0;  // of a kernel that has just run, if its results come later
};

void StaticRun::CallRecorded(const ProgramKernel& kernel, AsyncKernelFrame* frame) {
  KernelRecordScope record(program_, kernel);
  kernel.async_function(frame);
  if (!kernel.has_signature || frame->needs_check()) [[unlikely]] {
    late_record_ = EndKernelRecord(&record, ResultsOf(kernel));
  }
}

void StaticRun::TellLateResults(const ProgramKernel& kernel) {
  TellWhenReady(std::exchange(late_record_, 0),
                {registers_ + kernel.first_result, kernel.num_results});
}

bool StaticRun::RunCarefully(const ProgramKernel& kernel, AsyncKernelFrame* frame) {
  if (!frame->needs_check()) {
    frame->Rebind(&kernel);
    AsyncValue* error = FindError(*exec_ctx_.get(), registers_, kernel.argument_registers());
    if (error) {
      PropagateError(error, registers_ + kernel.first_result, kernel.num_results);
      any_error_ = true;
      return true;
    }
    CallRecorded(kernel, frame);
    if (kernel.has_signature && !frame->needs_check()) return true;
  }
  // Which may ask for a check itself: of a result that the kernel has not set it makes an error.
  const bool waits = WaitsForResult(kernel, frame);
  frame->ClearNeedsCheck();
  return !waits;
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
  if (tracing::kRecordsExist && late_record_ != 0 && !waits) TellLateResults(kernel);
  return waits;
}

void StaticRun::DropDeadArguments(const ProgramKernel& kernel) {
  for (uint32_t r : kernel.dead_registers()) {
    bool is_result = r >= kernel.first_result && r < kernel.first_result + kernel.num_results;
    if (r >= first_owned_ && !is_result && registers_[r]) registers_[r]->DropRef();
  }
}

template <typename Argument>
[[gnu::always_inline]] inline void Start(const RunContext& context,
                                         const ExecutionContext& exec_ctx,
                                         std::span<Argument> arguments,
                                         std::span<RCReference<AsyncValue>> results) {
  const Program& program = context.program;
  bool all_concrete = true;
  for (Argument& argument : arguments) all_concrete &= Look(argument)->IsConcrete();
  bool is_static = program.single_segment || MayRunSegmentsStatically(context, exec_ctx);
  if (!is_static || (!all_concrete && WaitsForArgument(program, arguments))) [[unlikely]] {
    Scratch<AsyncValue*> values(arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) values.data()[i] = Take(arguments[i]);
    return StartOtherwise(context, exec_ctx,
                          {{values.data(), arguments.size()}, std::is_same_v<Argument, Owned>},
                          results);
  }
  Scratch<AsyncValue*> registers(program.registers.size());
  StaticRun run(context, exec_ctx, arguments, all_concrete, registers.data());
  if (program.single_segment || !IsMeasured(program, exec_ctx)) [[likely]] {
    run.Run(results);
    return;
  }
  auto begin = std::chrono::steady_clock::now();
  size_t num_kernels = run.Run(results);
  context.times.Record(std::chrono::steady_clock::now() - begin, num_kernels);
}

}  // namespace

void StartRun(const RunContext& context, const ExecutionContext& exec_ctx,
              std::span<AsyncValue* const> arguments, std::span<RCReference<AsyncValue>> results) {
  Start(context, exec_ctx, arguments, results);
}

void StartRunByValue(const RunContext& context, const ExecutionContext& exec_ctx,
                     std::span<RCReference<AsyncValue>> arguments,
                     std::span<RCReference<AsyncValue>> results) {
  Start(context, exec_ctx, arguments, results);
}

}  // namespace tfrt::internal
