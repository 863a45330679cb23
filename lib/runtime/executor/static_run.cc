// The static run: the program's kernels in their static order, on the calling thread.
//
// A register owns one reference, from the kernel that made its value to the kernel after which
// nobody needs it; these were found at load, so nothing is counted here. Borrowed arguments are not
// owned and not released.

#include <algorithm>
#include <new>
#include <utility>

#include "run.h"
#include "scratch.h"
#include "task_capture.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/tracing/record.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::internal {

bool IsDeadArgument(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& kernel = static_cast<const ProgramKernel&>(frame.site());
  uint32_t r = kernel.arguments[index];
  if (r < static_cast<uint32_t>(frame.parts().first_reusable)) return false;
  std::span<const uint32_t> dead = kernel.dead_registers();
  if (std::find(dead.begin(), dead.end(), r) == dead.end()) return false;
  std::span<const uint32_t> arguments = kernel.argument_registers();
  return std::count(arguments.begin(), arguments.end(), r) == 1;
}

namespace {

// True if a program that is not one segment may run statically.
[[gnu::noinline]] bool MayRunSegmentsStatically(const RunContext& context,
                                                const ExecutionContext& exec_ctx) {
  const Program& program = context.program;
  if (!program.has_static_order) return false;
  if (exec_ctx.work_queue().IsSingleThreaded()) {
    if (!program.order_free || exec_ctx.kernel_order() == KernelOrder::kPrescribed) return false;
    // A run that the host calls, or that was put off, runs at once if nothing else can run before
    // its result is available.
    return exec_ctx.kernel_order() == KernelOrder::kFree || !exec_ctx.work_queue().MayHaveTasks();
  }
  return exec_ctx.work_queue().GetParallelismLevel() == 1 || context.times.are_short();
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

bool WaitsForArgument(const Program& program, AsyncValue* const* arguments) {
  for (size_t i = 0; i < program.num_arguments; ++i) {
    if (!arguments[i]->IsAvailable() && !program.registers[i].users.empty()) return true;
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

void ReturnResults(const Program& program, AsyncValue* const* registers, uint32_t first_owned,
                   std::span<RCReference<AsyncValue>> results) {
  const Program::Return* next = program.returns.data();
  for (RCReference<AsyncValue>& result : results) {
    AsyncValue* value = registers[next->source];
    // The last position gets the register's own reference.
    if (next->takes_from <= first_owned) value->AddRef();
    new (&result) RCReference<AsyncValue>(TakeRef(value));  // it was null
    ++next;
  }
}

class StaticRun {
 public:
  // `program` is the context's. The first of `registers` hold the arguments. The run owns a
  // reference of each, or none.
  StaticRun(const RunContext& context, const Program& program, const ExecutionContext& exec_ctx,
            AsyncValue** registers, bool owns_arguments)
      : context_(context),
        exec_ctx_(exec_ctx, program.order_free ? BorrowedContext::Use::kOrderFreeCallee
                                               : BorrowedContext::Use::kCallee),
        frame_(
            {.registers = registers,
             .results = registers,
             .tables = &program.tables,
             .exec_ctx = &exec_ctx_,
             .first_reusable = owns_arguments ? 0 : static_cast<int32_t>(program.num_arguments)}) {
    if (!owns_arguments) return;
    for (uint32_t r : program.unused_arguments) registers[r]->DropRef();
  }

  // Runs a simple program with concrete arguments while nothing is recorded. Returns false if the
  // run went on as a live one.
  [[gnu::always_inline]] bool RunSimple(const ProgramKernel* end, size_t dead_lists,
                                        std::span<RCReference<AsyncValue>> results) {
    const ProgramKernel* kernel = RunFast<false>(program().kernels.data(), end, dead_lists);
    return kernel == end || RunRest(kernel, /*any_error=*/false, results) == end;
  }
  // Goes on after RunFast, or begins, with records if somebody wants them. `any_error`: there may
  // be one among the arguments. Returns the end of the kernels, or the kernel after which the run
  // went on as a live one.
  [[gnu::noinline]] const ProgramKernel* RunRest(const ProgramKernel* kernel, bool any_error,
                                                 std::span<RCReference<AsyncValue>> results) {
    any_error_ |= any_error;
    tracing::RecordScope record(kFunctionRecord, [&] { return RecordNameOf(program()); });
    const ProgramKernel* const end = program().kernels.data() + program().kernels.size();
    kernel = RecordsKernels() ? RunRest<tracing::kRecordsExist>(kernel, end)
                              : RunRest<false>(kernel, end);
    if (kernel != end) {
      size_t step = static_cast<size_t>(kernel - program().kernels.data());
      ContinueLive(context_, *exec_ctx_.get(), {step, registers(), first_owned(), late_record_},
                   results);
    }
    return kernel;
  }

 private:
  const Program& program() const { return context_.program; }
  AsyncValue** registers() const { return frame_.parts().results; }
  // Registers below hold borrowed arguments.
  uint32_t first_owned() const { return static_cast<uint32_t>(frame_.parts().first_reusable); }
  // Where the lists of dead registers of this run begin.
  size_t dead_lists() const { return first_owned() == 0 ? 0 : program().borrowed_dead_lists; }

  // Runs kernels while nothing is out of the ordinary. Returns the first one that has not been run
  // or, having been run, needs a look at its results; needs_check() tells which. `kRecords`: with
  // records of the kernels.
  template <bool kRecords>
  const ProgramKernel* RunFast(const ProgramKernel* kernel, const ProgramKernel* end,
                               size_t dead_lists) {
    AsyncValue** const registers = this->registers();
    const RequestContext& request = *exec_ctx_.original().request_ctx();
    for (; kernel != end; ++kernel) {
      if (request.IsCancelled()) [[unlikely]]
        break;
      frame_.Rebind(kernel);
      if constexpr (kRecords) {
        CallRecorded(*kernel);
      } else {
        kernel->async_function(&frame_);
      }
      if (!frame_.is_usual()) {
        if (frame_.TakeReused()) {
          if ((kernel->dead + dead_lists)[1] == kNoRegister) continue;  // it was the only one
          registers[kernel->reusable_register] = nullptr;
        } else if (!CanGoOn(*kernel)) {
          break;
        }
      }
      DropDead(*kernel, registers, dead_lists);
    }
    return kernel;
  }
  // Runs fast where that is possible. Returns `end`, or the kernel after which the run must go on
  // as a live one.
  template <bool kRecords>
  const ProgramKernel* RunRest(const ProgramKernel* kernel, const ProgramKernel* end) {
    while (true) {
      if (!NeedsCare() && !frame_.needs_check()) {
        kernel = RunFast<kRecords>(kernel, end, dead_lists());
      }
      if (kernel == end) return end;
      if (!RunCarefully(*kernel)) {
        DropDeadArguments(*kernel);
        return kernel;
      }
      DropDead(*kernel, registers(), dead_lists());
      ++kernel;
    }
  }
  bool NeedsCare() const { return any_error_ || !program().all_clear_results; }
  // After a kernel that asked for a check: true, and no check is due any more, if its results are
  // all concrete or not waited for.
  bool CanGoOn(const ProgramKernel& kernel) {
    AsyncValue* const* result = registers() + kernel.first_result;
    for (AsyncValue* const* end = result + kernel.num_results; result != end; ++result) {
      if (*result && (*result)->IsConcrete()) [[likely]]
        continue;
      if (WaitsForResult(kernel) || any_error_) return false;
      break;
    }
    if (tracing::kRecordsExist && late_record_ != 0) [[unlikely]]
      TellLateResults(kernel);
    frame_.ClearNeedsCheck();
    return true;
  }
  [[gnu::noinline, gnu::cold]] void TellLateResults(const ProgramKernel& kernel);
  [[gnu::noinline]] void CallRecorded(const ProgramKernel& kernel);
  // One kernel, unless RunFast has run it already, with all that may happen. False if the run must
  // go on as a live one.
  [[gnu::noinline]] bool RunCarefully(const ProgramKernel& kernel);
  [[gnu::noinline]] bool WaitsForResult(const ProgramKernel& kernel);

  [[gnu::always_inline]] static void DropDead(const ProgramKernel& kernel, AsyncValue** registers,
                                              size_t dead_lists) {
    for (const uint32_t* dead = kernel.dead + dead_lists; *dead != kNoRegister; ++dead) {
      // Null: the kernel has made its result of the value.
      if (AsyncValue* value = registers[*dead]) value->DropRef();
    }
  }
  std::span<AsyncValue* const> ResultsOf(const ProgramKernel& kernel) const {
    return {registers() + kernel.first_result, kernel.num_results};
  }
  [[gnu::noinline, gnu::cold]] void DropDeadArguments(const ProgramKernel& kernel);

  const RunContext& context_;
  BorrowedContext exec_ctx_;
  AsyncKernelFrame frame_;
  bool any_error_ = false;    // there may be one among the registers
  uint64_t late_record_ = 0;  // of a kernel that has just run, if its results come later
};

void StaticRun::CallRecorded(const ProgramKernel& kernel) {
  KernelRecordScope record(program(), kernel);
  kernel.async_function(&frame_);
  if (!kernel.clears_results || frame_.needs_check()) [[unlikely]] {
    late_record_ = EndKernelRecord(&record, ResultsOf(kernel));
  }
}

void StaticRun::TellLateResults(const ProgramKernel& kernel) {
  TellWhenReady(std::exchange(late_record_, 0),
                {registers() + kernel.first_result, kernel.num_results});
}

bool StaticRun::RunCarefully(const ProgramKernel& kernel) {
  AsyncValue** results = registers() + kernel.first_result;
  if (!frame_.needs_check()) {
    frame_.Rebind(&kernel);
    AsyncValue* error = FindError(exec_ctx_.original(), registers(), kernel.argument_registers());
    if (error) {
      PropagateError(error, results, kernel.num_results);
      any_error_ = true;
      return true;
    }
    if (!kernel.clears_results) std::fill_n(results, kernel.num_results, nullptr);
    CallRecorded(kernel);
    if (frame_.TakeReused()) registers()[kernel.reusable_register] = nullptr;
    if (kernel.clears_results && !frame_.needs_check()) return true;
  }
  // WaitsForResult may itself request a check: it makes a result that the kernel has not set an
  // error.
  const bool waits = WaitsForResult(kernel);
  frame_.ClearNeedsCheck();
  return !waits;
}

bool StaticRun::WaitsForResult(const ProgramKernel& kernel) {
  ReportUnsetResults(program(), kernel, frame_);
  bool waits = false;
  for (uint32_t i = 0; i < kernel.num_results; ++i) {
    AsyncValue* value = frame_.result(i);
    if (value->IsConcrete()) continue;
    if (value->IsError()) {
      any_error_ = true;
    } else if (!program().registers[kernel.first_result + i].users.empty()) {
      waits = true;
    }
  }
  if (tracing::kRecordsExist && late_record_ != 0 && !waits) TellLateResults(kernel);
  return waits;
}

void StaticRun::DropDeadArguments(const ProgramKernel& kernel) {
  for (uint32_t r : kernel.dead_registers()) {
    bool is_result = r >= kernel.first_result && r < kernel.first_result + kernel.num_results;
    AsyncValue* value = registers()[r];
    if (r >= first_owned() && !is_result && value) value->DropRef();
  }
}

using Clock = std::chrono::steady_clock;

// Start of a run that is not simple, or not with these arguments, or is recorded.
[[gnu::noinline]] void StartCarefully(const RunContext& context, const ExecutionContext& exec_ctx,
                                      AsyncValue** registers, bool owns_arguments,
                                      bool all_concrete,
                                      std::span<RCReference<AsyncValue>> results) {
  const Program& program = context.program;
  bool is_static = program.single_segment || MayRunSegmentsStatically(context, exec_ctx);
  if (!is_static || (!all_concrete && WaitsForArgument(program, registers))) {
    return StartOtherwise(context, exec_ctx, {{registers, program.num_arguments}, owns_arguments},
                          results);
  }
  StaticRun run(context, program, exec_ctx, registers, owns_arguments);
  const bool is_measured = !program.single_segment && IsMeasured(program, exec_ctx);
  auto begin = is_measured ? Clock::now() : Clock::time_point();
  const ProgramKernel* stopped = run.RunRest(program.kernels.data(), !all_concrete, results);
  auto num_done = static_cast<size_t>(stopped - program.kernels.data());
  if (num_done == program.kernels.size()) {
    ReturnResults(program, registers, owns_arguments ? 0 : program.num_arguments, results);
  } else {
    ++num_done;  // with the kernel after which the run went on as a live one
  }
  if (is_measured) context.times.Record(Clock::now() - begin, num_done);
}

// Arguments are borrowed pointers, or references that become the run's.
AsyncValue* Take(AsyncValue* const& argument) { return argument; }
AsyncValue* Take(RCReference<AsyncValue>& argument) { return argument.release(); }

template <bool owns_arguments, typename Argument>
[[gnu::always_inline]] inline void Start(const RunContext& context,
                                         const ExecutionContext& exec_ctx,
                                         std::span<Argument> arguments,
                                         std::span<RCReference<AsyncValue>> results) {
  const Program& program = context.program;
  Scratch<AsyncValue*>::Few few_scratch;
  Scratch<AsyncValue*> scratch(program.num_registers, &few_scratch);
  AsyncValue** const registers = scratch.data();
  bool all_concrete = true;
  for (size_t r = 0; r < arguments.size(); ++r) {
    AsyncValue* argument = Take(arguments[r]);
    all_concrete &= argument->IsConcrete();
    registers[r] = argument;
  }
  if (!all_concrete || !program.is_simple || tracing::IsAnythingActive()) [[unlikely]] {
    return StartCarefully(context, exec_ctx, registers, owns_arguments, all_concrete, results);
  }
  StaticRun run(context, program, exec_ctx, registers, owns_arguments);
  const ProgramKernel* const end = program.kernels.data() + program.kernels.size();
  const size_t dead_lists = owns_arguments ? 0 : program.borrowed_dead_lists;
  if (!run.RunSimple(end, dead_lists, results)) [[unlikely]]
    return;
  ReturnResults(program, registers, owns_arguments ? 0 : program.num_arguments, results);
}

}  // namespace

void StartRun(const RunContext& context, const ExecutionContext& exec_ctx,
              std::span<AsyncValue* const> arguments, std::span<RCReference<AsyncValue>> results) {
  Start</*owns_arguments=*/false>(context, exec_ctx, arguments, results);
}

void StartRunByValue(const RunContext& context, const ExecutionContext& exec_ctx,
                     std::span<RCReference<AsyncValue>> arguments,
                     std::span<RCReference<AsyncValue>> results) {
  Start</*owns_arguments=*/true>(context, exec_ctx, arguments, results);
}

}  // namespace tfrt::internal
