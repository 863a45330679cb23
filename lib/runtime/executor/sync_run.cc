#include "sync_run.h"

#include <algorithm>
#include <memory>

#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/record.h"

namespace tfrt::internal {
namespace {

// Cancellation is looked at before each block of this many kernels.
constexpr ptrdiff_t kBlockSize = 16;

// Values and the pointers to them, kept per thread for the runs that nest on it. While a value is
// free it is trivial, and while an entry of the pointer table is free it points to the value of
// its own index; so a run has nothing to set up but its arguments and results.
struct RegisterStack {
  std::unique_ptr<Value[]> values;
  std::unique_ptr<Value*[]> pointers;
  size_t size = 0;
  size_t used = 0;

  void Resize(size_t new_size) {
    values.reset(new Value[new_size]);
    pointers.reset(new Value*[new_size]);
    for (size_t r = 0; r < new_size; ++r) pointers[r] = &values[r];
    size = new_size;
  }
};
constexpr size_t kMaxKept = 8192;  // registers
thread_local RegisterStack thread_registers;

// The registers of one run: arguments and results are the caller's Values, the rest our own.
class SyncRegisters {
 public:
  SyncRegisters(const Program& program, std::span<Value* const> arguments, std::span<Value> results)
      : program_(program), stack_(&thread_registers) {
    size_t size = program.num_registers;
    if (size > stack_->size - stack_->used) {
      if (stack_->used == 0 && size <= kMaxKept) {
        stack_->Resize(std::min(kMaxKept, std::max<size_t>(64, 2 * size)));
      } else {
        own_.Resize(size);
        stack_ = &own_;
      }
    }
    base_ = stack_->used;
    stack_->used += size;
    Value** table = pointers();
    for (size_t r = 0; r < arguments.size(); ++r) table[r] = arguments[r];
    for (size_t p = 0; p < results.size(); ++p) {
      results[p].reset();
      table[program.sync_result_registers[p]] = &results[p];
    }
  }
  ~SyncRegisters() {
    Value** table = pointers();
    Value* values = stack_->values.get() + base_;
    for (size_t r = 0; r < program_.num_arguments; ++r) table[r] = &values[r];
    for (uint32_t r : program_.sync_result_registers) table[r] = &values[r];
    stack_->used = base_;
  }
  SyncRegisters(const SyncRegisters&) = delete;
  SyncRegisters& operator=(const SyncRegisters&) = delete;

  Value** pointers() const { return stack_->pointers.get() + base_; }
  // After an error: destroys what later kernels would have.
  void DestroyOwn() {
    Value* values = stack_->values.get() + base_;
    for (size_t r = 0; r < program_.num_registers; ++r) values[r].reset();
  }

 private:
  const Program& program_;
  RegisterStack* stack_;
  RegisterStack own_;
  size_t base_;
};

void ResetResults(const ProgramKernel& kernel, Value** registers) {
  for (uint32_t i = 0; i < kernel.num_results; ++i) registers[kernel.first_result + i]->reset();
}

void ReportUnsetResults(const Program& program, const ProgramKernel& kernel,
                        SyncKernelFrame* frame) {
  for (uint32_t i = 0; i < kernel.num_results; ++i) {
    if (frame->result(i).has_value()) continue;
    frame->ReportError(StrCat("kernel '", program.kernel_name(kernel), "' did not set result ", i));
    return;
  }
}

// Says which work a function needs beside calling its kernels.
enum class Care { kNone, kDropValues, kAll };

template <bool kRecords>
[[gnu::always_inline]] inline void CallKernel(const Program& program, const ProgramKernel& kernel,
                                              SyncKernelFrame* frame) {
  if constexpr (kRecords) {
    KernelRecordScope record(program, kernel);
    kernel.sync_function(frame);
  } else {
    kernel.sync_function(frame);
  }
}

template <Care care, bool kRecords>
bool RunKernel(const Program& program, const ProgramKernel& kernel, SyncKernelFrame* frame,
               Value** registers) {
  frame->Rebind(&kernel);
  if constexpr (care == Care::kAll) {
    if (!kernel.returns_all_results) ResetResults(kernel, registers);
    CallKernel<kRecords>(program, kernel, frame);
    if (frame->status().ok() && !kernel.returns_all_results) {
      ReportUnsetResults(program, kernel, frame);
    }
  } else {
    CallKernel<kRecords>(program, kernel, frame);
  }
  if (!frame->status().ok()) [[unlikely]]
    return false;
  if constexpr (care != Care::kNone) {
    for (const uint32_t* dead = kernel.dead; *dead != kNoRegister; ++dead) {
      registers[*dead]->reset();
    }
  }
  return true;
}

template <Care care, bool kRecords>
Status RunKernels(const Program& program, SyncKernelFrame* frame, Value** registers) {
  const RequestContext& request = *frame->exec_ctx().request_ctx();
  const ProgramKernel* kernel = program.kernels.data();
  const ProgramKernel* const end = kernel + program.kernels.size();
  for (; end - kernel >= kBlockSize; kernel += kBlockSize) {
    if (AsyncValue* cancelled = request.GetCancelAsyncValue()) return cancelled->GetError();
    for (ptrdiff_t i = 0; i < kBlockSize; i += 4) {
      if (!RunKernel<care, kRecords>(program, kernel[i], frame, registers) ||
          !RunKernel<care, kRecords>(program, kernel[i + 1], frame, registers) ||
          !RunKernel<care, kRecords>(program, kernel[i + 2], frame, registers) ||
          !RunKernel<care, kRecords>(program, kernel[i + 3], frame, registers)) {
        return frame->status();
      }
    }
  }
  if (kernel == end) return OkStatus();
  if (AsyncValue* cancelled = request.GetCancelAsyncValue()) return cancelled->GetError();
  for (; kernel != end; ++kernel) {
    if (!RunKernel<care, kRecords>(program, *kernel, frame, registers)) return frame->status();
  }
  return OkStatus();
}

using Run = Status (*)(const Program&, SyncKernelFrame*, Value**);
template <bool kRecords>
Run ChooseRun(const Program& program) {
  if (!program.all_return_all_results) return &RunKernels<Care::kAll, kRecords>;
  bool drops_values = program.dead_lists.size() > kEmptyDeadLists;
  return drops_values ? &RunKernels<Care::kDropValues, kRecords>
                      : &RunKernels<Care::kNone, kRecords>;
}

[[gnu::noinline]] Status RunRecorded(const Program& program, SyncKernelFrame* frame,
                                     Value** registers) {
  tracing::RecordScope record(kFunctionRecord, [&] { return RecordNameOf(program); });
  if constexpr (tracing::kRecordsExist) {
    if (RecordsKernels()) return ChooseRun<true>(program)(program, frame, registers);
  }
  return ChooseRun<false>(program)(program, frame, registers);
}

}  // namespace

Status RunSync(const Program& program, const ExecutionContext& exec_ctx,
               std::span<Value* const> arguments, std::span<Value> results) {
  SyncRegisters registers(program, arguments, results);
  BorrowedContext kernel_ctx(exec_ctx);
  kernel_ctx.get()->set_call_depth(exec_ctx.call_depth() + 1);
  SyncKernelFrame::Parts parts;
  parts.registers = registers.pointers();
  parts.attributes = program.tables.attributes;
  parts.functions = program.tables.functions;
  parts.exec_ctx = kernel_ctx.get();
  const KernelCallSite entry;
  parts.site = &entry;
  parts.locations = program.tables.locations;
  SyncKernelFrame frame(parts);
  Status status = tracing::IsAnythingActive()
                      ? RunRecorded(program, &frame, registers.pointers())
                      : ChooseRun<false>(program)(program, &frame, registers.pointers());
  if (!status.ok()) [[unlikely]] {
    registers.DestroyOwn();
    for (Value& result : results) result.reset();
  }
  return status;
}

}  // namespace tfrt::internal
