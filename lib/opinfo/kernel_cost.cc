#include "tfrt/opinfo/kernel_cost.h"

#include <cstddef>

namespace tfrt {
namespace {

enum class Formula : uint8_t {
  kMatMul,       // operands `first`: a [...,m,k], `last`: out [...,m,n]
  kConvolution,  // `first`: filter [h,w,c,o], `last`: out [n,h,w,o], or their gradients
  kPerElement,   // so many flops for each element of operand `first`
};

struct Entry {
  std::string_view prefix;
  Formula formula;
  int first;  // negative: counted from the end
  int last = 0;
  double flops_per_element = 0;
};

// What the polynomials of exp, tanh, erf and log cost per element, with their range reductions.
constexpr double kExp = 15, kTanh = 20, kErf = 25, kLog = 20;

// A longer prefix comes before one that it begins with.
constexpr Entry kEntries[] = {
    {"eigen.matmul.", Formula::kMatMul, 1, 4},
    {"tfrt_test.matmul.", Formula::kMatMul, 1, 4},
    {"tf_sync._FusedMatMul.", Formula::kMatMul, 0, 3},
    {"tfrt_cpu.matmul.bias.", Formula::kMatMul, 0, 3},
    {"tfrt_cpu.matmul.", Formula::kMatMul, 0, 2},
    {"tfrt_cpu.batch_matmul.", Formula::kMatMul, 0, 2},

    {"eigen.conv2d.grad.input.", Formula::kConvolution, 1, 0},
    {"eigen.conv2d.grad.filter.", Formula::kConvolution, 2, 0},
    {"eigen.conv2d.", Formula::kConvolution, 1, -2},
    {"tfrt_cpu.conv2d.", Formula::kConvolution, 1, -2},

    {"eigen.batch_norm.grad.", Formula::kPerElement, 0, 0, 9},
    {"eigen.batch_norm.", Formula::kPerElement, 0, 0, 2},
    {"eigen.max_pooling_2d.", Formula::kPerElement, 0, 0, 1},
    {"eigen.zero_padding.", Formula::kPerElement, 0, 0, 0},

    {"tfrt_cpu.gelu.", Formula::kPerElement, 0, 0, kErf + 4},
    {"tfrt_cpu.tanh.", Formula::kPerElement, 0, 0, kTanh},
    {"tfrt_cpu.sigmoid.", Formula::kPerElement, 0, 0, kExp + 2},
    {"tfrt_cpu.exp.", Formula::kPerElement, 0, 0, kExp},
    {"tfrt_cpu.log.", Formula::kPerElement, 0, 0, kLog},
    {"tfrt_cpu.rsqrt.", Formula::kPerElement, 0, 0, 2},
    {"tfrt_cpu.softmax_cross_entropy_grad.", Formula::kPerElement, 0, 0, kExp + 4},
    {"tfrt_cpu.softmax_cross_entropy.", Formula::kPerElement, 0, 0, kExp + 4},
    {"tfrt_cpu.softmax.", Formula::kPerElement, 0, 0, kExp + 4},
    {"tfrt_cpu.log_softmax.", Formula::kPerElement, 0, 0, kExp + 4},
    {"tfrt_cpu.layer_norm.", Formula::kPerElement, 0, 0, 7},
    {"tfrt_cpu.batch_norm.", Formula::kPerElement, 0, 0, 2},
    {"tfrt_cpu.reshape.", Formula::kPerElement, 0, 0, 0},
    {"tfrt_cpu.transpose.", Formula::kPerElement, 0, 0, 0},
    {"tfrt_cpu.gather.", Formula::kPerElement, 0, 0, 0},
    {"tfrt_cpu.concat.", Formula::kPerElement, 0, 0, 0},
    {"tfrt_cpu.pad.", Formula::kPerElement, 0, 0, 0},
    {"tfrt_cpu.sgd_update.", Formula::kPerElement, -2, 0, 2},
    {"tfrt_cpu.max_pool2d.", Formula::kPerElement, 0, 0, 1},
    {"tfrt_cpu.avg_pool2d.", Formula::kPerElement, 0, 0, 1},
    {"tfrt_cpu.global_average_pool.", Formula::kPerElement, 0, 0, 1},
    {"tfrt_cpu.reduce_", Formula::kPerElement, 0, 0, 1},
    {"tfrt_cpu.argmax.", Formula::kPerElement, 0, 0, 1},
    // The element-wise rest, whose outputs are as large as the operands after broadcasting.
    {"tfrt_cpu.", Formula::kPerElement, -2, 0, 1},

    {"tf_sync.Softmax.", Formula::kPerElement, 0, 0, kExp + 4},
    {"tf_sync.LogSoftmax.", Formula::kPerElement, 0, 0, kExp + 4},
    {"tf_sync.Log.", Formula::kPerElement, 0, 0, kLog},
    {"tf_sync.Log1p.", Formula::kPerElement, 0, 0, kLog + 5},
    {"tf_sync.Rsqrt.", Formula::kPerElement, 0, 0, 2},
    {"tf_sync.Sigmoid.", Formula::kPerElement, 0, 0, kExp + 2},
    {"tf_sync.Tile.", Formula::kPerElement, 0, 0, 0},
    {"tf_sync.", Formula::kPerElement, -1, 0, 1},  // element-wise
};

const OperandShape* At(std::span<const OperandShape> operands, int index) {
  if (index < 0) index += static_cast<int>(operands.size());
  if (index < 0 || index >= static_cast<int>(operands.size())) return nullptr;
  const OperandShape& operand = operands[static_cast<size_t>(index)];
  return operand.element_size_bytes > 0 ? &operand : nullptr;
}

double NumElements(const OperandShape& operand) {
  double elements = 1;
  for (int64_t dim : operand.dims) elements *= static_cast<double>(dim);
  return elements;
}

std::optional<double> Flops(const Entry& entry, std::span<const OperandShape> operands) {
  const OperandShape* first = At(operands, entry.first);
  if (!first) return std::nullopt;
  if (entry.formula == Formula::kPerElement) return entry.flops_per_element * NumElements(*first);
  const OperandShape* last = At(operands, entry.last);
  if (!last) return std::nullopt;
  if (entry.formula == Formula::kMatMul) {
    if (first->dims.size() < 2 || last->dims.size() < 2) return std::nullopt;
    // For each element of the output a row of the first matrix; of a batch either input may have
    // fewer matrices than the output.
    const size_t rank = first->dims.size(), out_rank = last->dims.size();
    double products = static_cast<double>(first->dims[rank - 2] * first->dims[rank - 1]);
    for (size_t i = 0; i + 2 < out_rank; ++i) products *= static_cast<double>(last->dims[i]);
    return 2 * products * static_cast<double>(last->dims.back());
  }
  // Each output element sums over the filter but for its output channels.
  if (first->dims.size() != 4 || last->dims.size() != 4 || first->dims[3] == 0) return std::nullopt;
  return 2 * NumElements(*last) * NumElements(*first) / static_cast<double>(first->dims[3]);
}

}  // namespace

std::optional<KernelCost> EstimateKernelCost(std::string_view kernel,
                                             std::span<const OperandShape> operands) {
  for (const Entry& entry : kEntries) {
    if (!kernel.starts_with(entry.prefix)) continue;
    std::optional<double> flops = Flops(entry, operands);
    if (!flops) return std::nullopt;
    KernelCost cost{*flops, 0};
    for (const OperandShape& operand : operands) {
      if (operand.element_size_bytes <= 0) continue;
      cost.bytes += NumElements(operand) * static_cast<double>(operand.element_size_bytes);
    }
    return cost;
  }
  return std::nullopt;
}

}  // namespace tfrt
