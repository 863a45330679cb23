#include "tfrt/opinfo/memory_effects.h"

#include <algorithm>
#include <iterator>

#include "kernel_table.h"

namespace tfrt {
namespace {

// output_grad, input, gamma, mean, variance, chain, and the three that it writes, a chain for each.
constexpr std::string_view kBatchNormGrad = "eigen.batch_norm.grad.f32";

}  // namespace

std::optional<MemoryEffects> LookUpMemoryEffects(std::string_view op_name, unsigned num_operands) {
  if (op_name == kBatchNormGrad) {
    if (num_operands != 9) return std::nullopt;
    return MemoryEffects{0b111 << 6, 0, MemoryEffects::kNoResult};
  }
  auto row = FindKernelRow(op_name);
  if (!row) return std::nullopt;
  MemoryEffects effects{0, row->may_share, row->done_result};
  if (row->written == KernelRow::kNone) return effects;
  int written = WrittenOperand(*row, num_operands);
  if (written < 0 || written >= 32) return std::nullopt;
  effects.written = uint32_t{1} << written;
  if (const OpDescription* op = FindOpDescription(row->op); op && !row->changes_written) {
    effects.may_share = op->may_overwrite << row->first_argument;
  }
  if (effects.may_share & effects.written) return std::nullopt;
  return effects;
}

bool StartsAfterItsOperands(std::string_view op_name) {
  constexpr std::string_view kStrictFamilies[] = {"tfrt.", "tfrt_dht.", "ts.",
                                                  "coo.",  "eigen.",    "tfrt_cpu."};
  return std::ranges::any_of(kStrictFamilies,
                             [&](std::string_view f) { return op_name.starts_with(f); }) ||
         FindKernelRow(op_name);
}

}  // namespace tfrt
