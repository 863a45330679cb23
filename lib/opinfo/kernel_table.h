// The graph kernels on tensors: which op of the table each computes, and which of its operands is
// what. What is true of the op, its cost and what may be overwritten, is not repeated here.
#ifndef TFRT_OPINFO_KERNEL_TABLE_H_
#define TFRT_OPINFO_KERNEL_TABLE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "tfrt/opinfo/op_description.h"

namespace tfrt {

struct KernelRow {
  static constexpr int8_t kNone = -128;

  std::string_view name;     // a prefix if it ends in a dot, else the whole name
  int8_t written;            // negative: counted from the end; kNone: no operand is written
  std::string_view op = {};  // the canonical name of what it computes; empty: no op of the table
  // Which operand the op's first argument is, and the others after it. The written one is the first
  // result.
  uint8_t first_argument = 0;
  // Read operands that may have the bytes of the written one, of a kernel without an op.
  uint32_t may_share = 0;
  int8_t done_result = 0;
  OpCostFormula cost = {};  // in place of the op's, with operands as arguments
  // The kernel reads what the written operand holds.
  bool changes_written = false;
};

// Empty for kernels that are not known, which may keep or pass on what they are given. Rows of
// tfrt_cpu.OP.* follow from the ops: inputs in the order of the op's arguments, the output, a
// chain.
std::optional<KernelRow> FindKernelRow(std::string_view kernel);

// The operand that a tensor of a cost formula is: of the first argument, or of the first result.
// Negative if the kernel does not have it.
int OperandOf(const KernelRow& row, uint8_t tensor, size_t num_operands);
// The written operand. Negative if there is none, or the kernel cannot have so few operands.
int WrittenOperand(const KernelRow& row, size_t num_operands);

}  // namespace tfrt

#endif  // TFRT_OPINFO_KERNEL_TABLE_H_
