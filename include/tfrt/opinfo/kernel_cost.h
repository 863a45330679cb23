// What a kernel on tensors costs, as formulas of its operands' shapes: plain data for profiles, for
// schedulers and for compilers that know shapes.
#ifndef TFRT_OPINFO_KERNEL_COST_H_
#define TFRT_OPINFO_KERNEL_COST_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tfrt {

// An operand of a kernel. Those that are no tensors have element_size_bytes 0.
struct OperandShape {
  std::span<const int64_t> dims;
  int64_t element_size_bytes = 0;
};

struct KernelCost {
  double flops = 0;  // additions, multiplications, and what a function like exp takes of both
  double bytes = 0;  // every tensor operand read or written once
};

// The cost of `kernel` on these operands, in the kernel's order. Empty for kernels without a
// formula, and for operands whose number or rank do not fit the kernel.
std::optional<KernelCost> EstimateKernelCost(std::string_view kernel,
                                             std::span<const OperandShape> operands);

}  // namespace tfrt

#endif  // TFRT_OPINFO_KERNEL_COST_H_
