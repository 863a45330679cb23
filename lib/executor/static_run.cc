// The static run: the program's kernels in their static order, on the calling thread.
//
// A register owns one reference, from the kernel that made its value to the kernel that is marked as
// its last use; the use marks were found at load, so nothing is counted here. Borrowed arguments are
// not owned and not released.

#include <algorithm>
#include <memory>

#include "run.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/host_context/request_context.h"

namespace tfrt::internal {
namespace {

// Room for pointers: on the stack while they are few.
class PointerBuffer {
 public:
  explicit PointerBuffer(size_t size) {
    if (size > kInline) heap_ = std::make_unique<AsyncValue*[]>(size);
  }
  AsyncValue** data() { return heap_ ? heap_.get() : inline_; }

 private:
  static constexpr size_t kInline = 64;
  AsyncValue* inline_[kInline];
  std::unique_ptr<AsyncValue*[]> heap_;
};

bool IsLastUseStatic(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& program = *static_cast<const Program*>(frame.parts().run);
  Slice arguments = program.kernels[frame.parts().kernel_index].arguments;
  // A borrowed argument's reference belongs to the caller, so its count is never one in here
  // unless the caller gave it up; see StartRun.
  return (program.uses[arguments.begin + index] & kReusable) != 0;
}

bool IsLastUseBorrowed(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& program = *static_cast<const Program*>(frame.parts().run);
  return frame.parts().argument_registers[index] >= program.num_arguments &&
         IsLastUseStatic(frame, index);
}

bool NeedsLiveRun(const Program& program, const ExecutionContext& exec_ctx,
                  std::span<AsyncValue* const> arguments) {
  if (!program.single_segment) {
    // With several threads a program of several streams is worth running on them.
    if (!program.order_free || program.has_non_strict) return true;
    if (!exec_ctx.work_queue().IsSingleThreaded()) return true;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (program.registers[i].users.size != 0 && !arguments[i]->IsAvailable()) return true;
  }
  return false;
}

void ReturnResults(const Program& program, AsyncValue** registers, uint32_t first_owned,
                   std::span<RCReference<AsyncValue>> results) {
  for (size_t p = 0; p < results.size(); ++p) {
    uint32_t r = program.result_registers[p];
    bool moves = r >= first_owned && program.Indices(program.registers[r].returns).back() == p;
    results[p] = moves ? TakeRef(registers[r]) : FormRef(registers[r]);
  }
}

}  // namespace

void StartRun(const RunContext& context, const ExecutionContext& exec_ctx, RunArguments arguments,
              std::span<RCReference<AsyncValue>> results) {
  const Program& program = context.program;
  if (NeedsLiveRun(program, exec_ctx, arguments.values)) {
    return StartLiveRun(context, exec_ctx, arguments, results);
  }
  PointerBuffer register_buffer(program.registers.size());
  AsyncValue** registers = register_buffer.data();
  PointerBuffer result_buffer(program.max_results);
  AsyncValue** kernel_results = result_buffer.data();

  uint32_t first_owned = arguments.owned ? 0 : program.num_arguments;
  bool any_error = false;
  for (uint32_t r = 0; r < program.num_arguments; ++r) {
    registers[r] = arguments.values[r];
    any_error |= registers[r]->IsError();
    if (arguments.owned && program.registers[r].users.size == 0 &&
        !program.registers[r].returned()) {
      registers[r]->DropRef();
    }
  }

  ExecutionContext kernel_ctx = exec_ctx;
  for (size_t step = 0; step < program.static_order.size(); ++step) {
    uint32_t k = program.static_order[step];
    const ProgramKernel& kernel = program.kernels[k];
    std::span<const uint32_t> args = program.Indices(kernel.arguments);
    AsyncValue* error = any_error ? FindError(exec_ctx, registers, args)
                                  : exec_ctx.request_ctx()->GetCancelAsyncValue();
    if (error) [[unlikely]] {
      PropagateError(error, kernel_results, kernel.results.size);
    } else {
      std::fill_n(kernel_results, kernel.results.size, nullptr);
      kernel_ctx.set_location(Location(&context.locations, kernel.location));
      AsyncKernelFrame::Parts parts = MakeParts(program, k, &kernel_ctx, kernel_results);
      parts.registers = registers;
      parts.is_last_use = arguments.owned ? IsLastUseStatic : IsLastUseBorrowed;
      parts.run = &program;
      CallKernel(program, kernel, &parts);
    }
    const uint8_t* uses = program.uses.data() + kernel.arguments.begin;
    for (size_t a = 0; a < args.size(); ++a) {
      if ((uses[a] & kLastUse) && args[a] >= first_owned) registers[args[a]]->DropRef();
    }
    std::span<const uint32_t> result_registers = program.Indices(kernel.results);
    for (size_t i = 0; i < result_registers.size(); ++i) {
      AsyncValue* value = kernel_results[i];
      if (value->IsConcrete()) [[likely]] continue;
      if (value->IsError()) {
        any_error = true;
      } else if (program.registers[result_registers[i]].users.size != 0) {
        return ContinueLive(context, exec_ctx, {step, registers, kernel_results, first_owned},
                            results);
      }
    }
    for (size_t i = 0; i < result_registers.size(); ++i) {
      const ProgramRegister& reg = program.registers[result_registers[i]];
      if (reg.users.size == 0 && !reg.returned()) {
        kernel_results[i]->DropRef();
      } else {
        registers[result_registers[i]] = kernel_results[i];
      }
    }
  }
  ReturnResults(program, registers, first_owned, results);
}

}  // namespace tfrt::internal
