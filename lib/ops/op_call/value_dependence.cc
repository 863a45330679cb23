#include "value_dependence.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/opinfo/op_description.h"

namespace tfrt {
namespace {

// The place from which on an operand may be a host value. Optional arguments that are left out move
// those behind them forward.
size_t FirstHostOperand(const OpDescription& op, size_t num_operands) {
  for (size_t i = 0; i < num_operands; ++i) {
    const bool is_optional =
        i < op.arguments.size() && op.arguments[i].kind == OpArgumentSpec::Kind::kOptional;
    if (is_optional || op.is_host_value(i, num_operands)) return i;
  }
  return num_operands;
}

}  // namespace

bool TimeDependsOnValues(const bef::BefView& view, const bef::DecodedFunction& function,
                         size_t num_inputs) {
  // By register: whether its elements follow from constants and from shapes.
  std::vector<bool> is_known(function.num_registers());
  for (size_t i = num_inputs; i < function.num_arguments(); ++i) is_known[i] = true;
  for (const bef::DecodedKernel& kernel : function.kernels()) {
    std::string_view name = view.kernel_names()[kernel.kernel_id()];
    if (!kernel.functions().empty() || !name.starts_with(kGraphOpPrefix)) return true;
    name.remove_prefix(kGraphOpPrefix.size());
    const OpDescription* op = FindOpDescription(name);
    if (!op || op->has_side_effects()) return true;
    const std::span<const uint32_t> operands = kernel.operands();
    const auto knows = [&](uint32_t operand) { return is_known[operand]; };
    const bool knows_all = std::ranges::all_of(operands, knows);
    if (!knows_all) {
      // The number of samples of a region may follow from its sides.
      if (HasFlag(op->flags, OpFlags::kOpenResults) || name == "roi_align") return true;
      const size_t begin =
          op->has_host_values() ? FirstHostOperand(*op, operands.size()) : operands.size();
      if (!std::ranges::all_of(operands.subspan(begin), knows)) return true;
    }
    const std::span<const uint32_t> results = kernel.results();
    for (size_t i = 0; i < results.size(); ++i) {
      is_known[results[i]] = knows_all || (i < 32 && (op->host_results >> i & 1) != 0);
    }
  }
  return false;
}

}  // namespace tfrt
