#include "kernel_table.h"

#include "shape_rules.h"

namespace tfrt {
namespace {

using Formula = OpCostFormula::Kind;

constexpr int8_t kNone = KernelRow::kNone;
constexpr int8_t kEveryResult = -1;

// A longer prefix comes before one that it begins with.
constexpr KernelRow kRows[] = {
    {"tfrt_dht.fill_tensor_with_constant.", 0},
    {"tfrt_dht.set_tensor_with_constant_values.", 0},
    {"tfrt_dht.set_tensor_with_values.", 0},
    {.name = "tfrt_dht.tensor_equal.", .written = kNone, .done_result = kEveryResult},
    {.name = "tfrt_dht.tensor_allclose.", .written = kNone, .done_result = kEveryResult},
    {"tfrt_dht.print_tensor", kNone},
    {"tfrt_dht.print_tensor_shape", kNone},
    {"tfrt_dht.get_tensor_shape", kNone},
    {"tfrt_dht.no_op_ht", kNone},

    // a, b, out or a, out; "_inplace" also reads what it writes.
    {"tfrt_test.relu.", 1, "relu"},
    {"tfrt_test.relu_inplace.", 0},
    {"tfrt_test.add.", 2, "add"},
    {"tfrt_test.add_inplace.", 1},
    {.name = "tfrt_test.equal.", .written = 2, .may_share = 0b11},
    {"tfrt_test.equal_inplace.", 1},
    {"tfrt_test.relu_grad_inplace.", 1},
    {"tfrt_test.subtract_inplace.", 1},
    {"tfrt_test.softmax_inplace.", 0},
    {"tfrt_test.cast.", 1, "cast"},
    {"tfrt_test.slice_inplace.", 3},
    {"tfrt_test.max_pooling_2d.", 1, "max_pool2d"},
    {"tfrt_test.global_average_pooling.", 1, "global_average_pool"},
    {"tfrt_test.flatten.", 1},
    {"tfrt_test.zero_padding.", 1, "pad"},
    {"tfrt_test.gradient_descent.", 2},
    {"tfrt_test.tensor_transpose.", 1, "transpose"},
    {"tfrt_test.mean_axis_zero.", 1},
    {"tfrt_test.broadcast_2d.", 1},
    {"tfrt_test.matmul.", 4, "matmul", 1},
    // The result is a tensor of its own.
    {"tfrt_test.broadcast.", kNone},
    {"tfrt_test.reduce_mean.", kNone},
    {"tfrt_test.argmax.", kNone},

    {"eigen.matmul.", 4, "matmul", 1},
    {"eigen.zero_padding.", 1, "pad"},
    {"eigen.max_pooling_2d.", 1, "max_pool2d"},
    // The gradient of the output first; of the op it is the last argument.
    {.name = "eigen.conv2d.grad.input.", .written = -2, .cost = {Formula::kConvolution, 0, 1, 0}},
    {.name = "eigen.conv2d.grad.filter.",
     .written = -2,
     .cost = {Formula::kConvolution, 0, OpCostFormula::kResult, 0}},
    // With and without bias and normalisation: out, chain at the end.
    {"eigen.conv2d.", -2, "conv2d"},
    {.name = "eigen.batch_norm.f32", .written = 0, .op = "batch_norm", .changes_written = true},

    // Its output is the variable, which it changes.
    {.name = "tfrt_cpu.sgd_update.", .written = -2, .op = "sgd_update", .changes_written = true},
    {"tfrt_cpu.concat.", 0, "concat", 2},  // out, chain, inputs
    {.name = "tfrt_cpu.softmax_cross_entropy_grad.",
     .written = -2,
     .may_share = 0b1,
     .cost = {Formula::kPerElement, kFlopsOfExp + 4, 0}},
};

bool Matches(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('.') ? name.starts_with(pattern) : name == pattern;
}

}  // namespace

std::optional<KernelRow> FindKernelRow(std::string_view kernel) {
  for (const KernelRow& row : kRows) {
    if (Matches(row.name, kernel)) return row;
  }
  constexpr std::string_view kFamily = "tfrt_cpu.";
  if (!kernel.starts_with(kFamily)) return std::nullopt;
  std::string_view rest = kernel.substr(kFamily.size());
  size_t dot = rest.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const OpDescription* op = FindOpDescription(rest.substr(0, dot));
  if (!op) return std::nullopt;
  return KernelRow{kernel, -2, op->name};
}

int WrittenOperand(const KernelRow& row, size_t num_operands) {
  if (row.written == KernelRow::kNone) return -1;
  int operand = row.written < 0 ? static_cast<int>(num_operands) + row.written : row.written;
  return operand < static_cast<int>(num_operands) ? operand : -1;
}

int OperandOf(const KernelRow& row, uint8_t tensor, size_t num_operands) {
  if (tensor == OpCostFormula::kResult) return WrittenOperand(row, num_operands);
  return tensor < OpCostFormula::kResult ? row.first_argument + tensor : -1;
}

}  // namespace tfrt
