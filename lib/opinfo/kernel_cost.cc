#include "tfrt/opinfo/kernel_cost.h"

#include "kernel_table.h"

namespace tfrt {

std::optional<KernelCost> EstimateKernelCost(std::string_view kernel,
                                             std::span<const OperandShape> operands) {
  auto row = FindKernelRow(kernel);
  if (!row) return std::nullopt;
  const bool writes = row->written != KernelRow::kNone;
  if (writes && WrittenOperand(*row, operands.size()) < 0) return std::nullopt;
  OpCostFormula formula = row->cost;
  if (formula.kind == OpCostFormula::Kind::kUnknown) {
    const OpDescription* op = FindOpDescription(row->op);
    if (!op) return std::nullopt;
    formula = op->cost;
  }
  auto dims = [&](uint8_t tensor) -> std::optional<std::span<const int64_t>> {
    int operand = OperandOf(*row, tensor, operands.size());
    if (operand < 0 || operand >= static_cast<int>(operands.size())) return std::nullopt;
    const OperandShape& shape = operands[static_cast<size_t>(operand)];
    return shape.element_size_bytes > 0 ? std::optional(shape.dims) : std::nullopt;
  };
  auto first = dims(formula.first);
  if (!first) return std::nullopt;
  std::optional<double> flops = EstimateFlops(formula, *first, dims(formula.last));
  if (!flops) return std::nullopt;
  KernelCost cost{*flops, 0};
  for (const OperandShape& operand : operands) {
    if (operand.element_size_bytes <= 0) continue;
    double bytes = static_cast<double>(operand.element_size_bytes);
    for (int64_t dim : operand.dims) bytes *= static_cast<double>(dim);
    cost.bytes += bytes;
  }
  return cost;
}

}  // namespace tfrt
