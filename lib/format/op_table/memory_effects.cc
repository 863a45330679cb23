#include "memory_effects.h"

#include "kernel_table.h"

namespace tfrt {

std::optional<MemoryEffects> LookUpMemoryEffects(std::string_view op_name, unsigned num_operands) {
  auto row = FindKernelRow(op_name);
  if (!row || row->starts_early) return std::nullopt;
  MemoryEffects effects{0, row->may_share, row->done_result};
  if (row->written == KernelRow::kNone) return effects;
  int written = WrittenOperand(*row, num_operands);
  if (written < 0 || written + row->num_written > 32) return std::nullopt;
  effects.written = ((uint32_t{1} << row->num_written) - 1) << written;
  if (const OpDescription* op = FindOpDescription(row->op); op && !row->changes_written) {
    effects.may_share = op->may_overwrite << row->first_argument;
  }
  if (effects.may_share & effects.written) return std::nullopt;
  return effects;
}

KernelStart LookUpKernelStart(std::string_view op_name) {
  if (auto row = FindKernelRow(op_name)) {
    return row->starts_early ? KernelStart::kEarly : KernelStart::kAfterOperands;
  }
  const std::string_view stem = KernelStem(op_name);
  return IsPlainKernel(op_name) || IsPlainKernel(stem) || IsShapeKernel(stem)
             ? KernelStart::kAfterOperands
             : KernelStart::kUnknown;
}

std::vector<std::string_view> KnownKernelStems() {
  std::vector<std::string_view> stems(PlainKernels().begin(), PlainKernels().end());
  for (const KernelRow& row : KernelRows()) stems.push_back(row.name);
  return stems;
}

}  // namespace tfrt
