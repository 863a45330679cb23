#include "kernel_table.h"

#include <algorithm>
#include <iterator>

#include "memory_effects.h"

namespace tfrt {
namespace {

constexpr int8_t kEveryResult = MemoryEffects::kEveryResult;

constexpr int8_t kNoResult = MemoryEffects::kNoResult;

// A kernel of a sync function: the op's arguments, then the output.
constexpr KernelRow Sync(std::string_view name, std::string_view op) {
  return {.name = name, .written = -1, .op = op, .done_result = kNoResult};
}

constexpr KernelRow kRows[] = {
    {"tfrt_dht.fill_tensor_with_constant", 0},
    {"tfrt_dht.set_tensor_with_constant_values", 0},
    {"tfrt_dht.set_tensor_with_values", 0},
    {.name = "tfrt_dht.tensor_equal", .done_result = kEveryResult},
    {.name = "tfrt_dht.tensor_allclose", .done_result = kEveryResult},
    {.name = "tfrt_dht.tensor_allclose.3ulp", .done_result = kEveryResult},
    {.name = "tfrt_dht.tensor_allclose.1000ulp", .done_result = kEveryResult},
    {.name = "tfrt_dht.tensor_allclose.2000ulp", .done_result = kEveryResult},
    {.name = "tfrt_dht.tensor_allclose.100000ulp", .done_result = kEveryResult},
    {"tfrt_dht.print_tensor"},
    {"tfrt_dht.print_tensor_shape"},
    {"tfrt_dht.get_tensor_shape"},
    {"tfrt_dht.no_op_ht"},

    // a, b, out or a, out; "_inplace" also reads what it writes.
    {"tfrt_test.relu", 1, "relu"},
    {"tfrt_test.relu_inplace", 0},
    {"tfrt_test.add", 2, "add"},
    {"tfrt_test.add_inplace", 1},
    {.name = "tfrt_test.equal", .written = 2, .may_share = 0b11},
    {"tfrt_test.equal_inplace", 1},
    {"tfrt_test.relu_grad_inplace", 1},
    {"tfrt_test.subtract_inplace", 1},
    {"tfrt_test.softmax_inplace", 0},
    {"tfrt_test.cast", 1, "cast"},
    {"tfrt_test.slice_inplace", 3},
    {"tfrt_test.max_pooling_2d", 1, "max_pool2d"},
    {"tfrt_test.global_average_pooling", 1, "global_average_pool"},
    {"tfrt_test.flatten", 1},
    {"tfrt_test.zero_padding", 1, "pad"},
    {"tfrt_test.gradient_descent", 2},
    {"tfrt_test.tensor_transpose", 1, "transpose"},
    {"tfrt_test.mean_axis_zero", 1},
    {"tfrt_test.broadcast_2d", 1},
    {"tfrt_test.matmul", 4, "matmul", 1},
    // The result is a tensor of its own.
    {"tfrt_test.broadcast"},
    {"tfrt_test.reduce_mean"},
    {"tfrt_test.argmax"},
    {.name = "tfrt_test.nonstrict_select", .starts_early = true},

    {"eigen.matmul", 4, "matmul", 1},
    {"eigen.zero_padding", 1, "pad"},
    {"eigen.max_pooling_2d", 1, "max_pool2d"},
    // With and without bias and normalisation: out, chain at the end.
    {"eigen.conv2d", -2, "conv2d"},
    {"eigen.conv2d.bias", -2, "conv2d"},
    {"eigen.conv2d.batch_norm", -2, "conv2d"},
    {"eigen.conv2d.batch_norm.relu", -2, "conv2d"},
    {"eigen.conv2d.grad.input", -2},
    {"eigen.conv2d.grad.filter", -2},
    {.name = "eigen.batch_norm", .written = 0, .op = "batch_norm", .changes_written = true},
    // output_grad, input, gamma, mean, variance, chain, and the three that it writes, a chain for
    // each.
    {.name = "eigen.batch_norm.grad",
     .written = 6,
     .done_result = kNoResult,
     .num_written = 3,
     .num_operands = 9},

    // Its output is the variable, which it changes.
    {.name = "tfrt_cpu.sgd_update", .written = -2, .op = "sgd_update", .changes_written = true},
    {"tfrt_cpu.concat", 0, "concat", 2},  // out, chain, inputs
    {"tfrt_cpu.conv2d.bias", -2, "conv2d"},
    {"tfrt_cpu.conv2d.bias.add", -2, "conv2d"},
    {"tfrt_cpu.matmul.bias", -2, "matmul"},
    {.name = "tfrt_cpu.softmax_cross_entropy_grad", .written = -2, .may_share = 0b1},

    Sync("tf_sync.AddV2", "add"),
    Sync("tf_sync.Log", "log"),
    Sync("tf_sync.Log1p", "log1p"),
    Sync("tf_sync.LogSoftmax", "log_softmax"),
    Sync("tf_sync.Mul", "mul"),
    Sync("tf_sync.RealDiv", "div"),
    Sync("tf_sync.Rsqrt", "rsqrt"),
    Sync("tf_sync.Sigmoid", "sigmoid"),
    Sync("tf_sync.Softmax", "softmax"),
    Sync("tf_sync.Sub", "sub"),
    Sync("tf_sync.Tile", "tile"),
    Sync("tf_sync._FusedMatMul", "fused_matmul"),
};

// True for the suffix of an element type in kernel names, or of a rank.
bool IsVariant(std::string_view part) {
  if (part.size() == 1 && part[0] >= '0' && part[0] <= '9') return true;
  if (size_t to = part.find("_to_"); to != part.npos) {
    return IsVariant(part.substr(0, to)) && IsVariant(part.substr(to + 4));
  }
  return part == "bool" || std::ranges::any_of(kElementTypes, [&](const ElementType& type) {
           return part == std::string_view(type.program_name);
         });
}

constexpr std::string_view kCpuFamily = "tfrt_cpu.";

}  // namespace

std::string_view KernelStem(std::string_view kernel) {
  for (;;) {
    size_t dot = kernel.rfind('.');
    if (dot == kernel.npos || kernel.find('.') == dot) return kernel;
    if (!IsVariant(kernel.substr(dot + 1))) return kernel;
    kernel.remove_suffix(kernel.size() - dot);
  }
}

std::optional<KernelRow> FindKernelRow(std::string_view kernel) {
  const std::string_view stem = KernelStem(kernel);
  auto row = std::ranges::find(kRows, stem, &KernelRow::name);
  if (row != std::end(kRows)) return *row;
  if (!stem.starts_with(kCpuFamily) || stem == kernel) return std::nullopt;
  // Those that pack weights make a value of their own.
  if (IsPlainKernel(stem)) return std::nullopt;
  const OpDescription* op = FindOpDescription(stem.substr(kCpuFamily.size()));
  if (!op) return std::nullopt;
  return KernelRow{stem, -2, op->name};
}

std::span<const KernelRow> KernelRows() { return kRows; }

bool IsShapeKernel(std::string_view stem) {
  constexpr std::string_view kShape = "_shape";
  if (!stem.starts_with(kCpuFamily) || !stem.ends_with(kShape)) return false;
  stem.remove_prefix(kCpuFamily.size());
  stem.remove_suffix(kShape.size());
  return FindOpDescription(stem) != nullptr;
}

int WrittenOperand(const KernelRow& row, size_t num_operands) {
  if (row.written == KernelRow::kNone) return -1;
  if (row.num_operands != 0 && row.num_operands != num_operands) return -1;
  int operand = row.written < 0 ? static_cast<int>(num_operands) + row.written : row.written;
  return operand < static_cast<int>(num_operands) ? operand : -1;
}

}  // namespace tfrt
