#include "sync_run.h"

#include <memory>

#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/tracing.h"

namespace tfrt::internal {
namespace {

// The registers of one run: arguments and results are the caller's Values, the rest our own.
class SyncRegisters {
 public:
  SyncRegisters(const Program& program, std::span<Value* const> arguments,
                std::span<Value> results) {
    size_t size = program.registers.size();
    if (size > kInline) {
      heap_values_ = std::make_unique<Value[]>(size);
      heap_pointers_ = std::make_unique<Value*[]>(size);
    }
    Value* values = heap_values_ ? heap_values_.get() : inline_values_;
    pointers_ = heap_pointers_ ? heap_pointers_.get() : inline_pointers_;
    for (size_t r = 0; r < size; ++r) pointers_[r] = &values[r];
    for (size_t r = 0; r < arguments.size(); ++r) pointers_[r] = arguments[r];
    for (size_t p = 0; p < results.size(); ++p) {
      pointers_[program.result_registers[p]] = &results[p];
    }
  }
  Value* const* pointers() const { return pointers_; }

 private:
  static constexpr size_t kInline = 32;
  Value inline_values_[kInline];
  Value* inline_pointers_[kInline];
  std::unique_ptr<Value[]> heap_values_;
  std::unique_ptr<Value*[]> heap_pointers_;
  Value** pointers_;
};

Status RunKernel(const Program& program, const ProgramKernel& kernel, Value* const* registers,
                 const ExecutionContext& exec_ctx) {
  tracing::Scope scope(tracing::Level::kDebug, kernel.name);
  SyncKernelFrame::Parts parts;
  parts.registers = registers;
  parts.argument_registers = program.indices.data() + kernel.arguments.begin;
  parts.result_registers = program.indices.data() + kernel.results.begin;
  parts.num_arguments = kernel.arguments.size;
  parts.num_attributes = kernel.attributes.size;
  parts.num_functions = kernel.functions.size;
  parts.num_results = kernel.results.size;
  parts.attributes = program.attributes.data() + kernel.attributes.begin;
  parts.functions = program.functions.data() + kernel.functions.begin;
  parts.exec_ctx = &exec_ctx;
  SyncKernelFrame frame(parts);
  kernel.sync_function(&frame);
  if (!frame.status().ok()) return frame.status();
  for (uint32_t i = 0; i < kernel.results.size; ++i) {
    if (!frame.result(i).has_value()) {
      frame.ReportError(StrCat("kernel '", kernel.name, "' did not set result ", i));
      return frame.status();
    }
  }
  return OkStatus();
}

}  // namespace

Status RunSync(const Program& program, const LocationHandler& locations,
               const ExecutionContext& exec_ctx, std::span<Value* const> arguments,
               std::span<Value> results) {
  SyncRegisters registers(program, arguments, results);
  ExecutionContext kernel_ctx = exec_ctx;
  Status status;
  for (const ProgramKernel& kernel : program.kernels) {
    if (AsyncValue* cancelled = exec_ctx.request_ctx()->GetCancelAsyncValue()) {
      status = cancelled->GetError();
      break;
    }
    kernel_ctx.set_location(Location(&locations, kernel.location));
    status = RunKernel(program, kernel, registers.pointers(), kernel_ctx);
    if (!status.ok()) break;
    const uint8_t* uses = program.uses.data() + kernel.arguments.begin;
    std::span<const uint32_t> args = program.Indices(kernel.arguments);
    for (size_t a = 0; a < args.size(); ++a) {
      if ((uses[a] & kLastUse) && args[a] >= program.num_arguments) {
        registers.pointers()[args[a]]->reset();
      }
    }
    for (uint32_t r : program.Indices(kernel.results)) {
      const ProgramRegister& reg = program.registers[r];
      if (reg.users.size == 0 && !reg.returned()) registers.pointers()[r]->reset();
    }
  }
  if (!status.ok()) {
    for (Value& result : results) result.reset();
  }
  return status;
}

}  // namespace tfrt::internal
