// The graph kernels: which op of the table each computes, and which of its operands is what. The
// op's description says what may be overwritten.
//
// Kernels of one stem are one kernel for several element types: "tfrt_test.relu.f32" and
// "tfrt_test.relu.i32" have the stem "tfrt_test.relu".
#ifndef TFRT_LIB_FORMAT_OP_TABLE_KERNEL_TABLE_H_
#define TFRT_LIB_FORMAT_OP_TABLE_KERNEL_TABLE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "tfrt/opinfo/op_description.h"

namespace tfrt {

struct KernelRow {
  static constexpr int8_t kNone = -128;

  std::string_view name;     // the stem
  int8_t written = kNone;    // negative: counted from the end; kNone: no operand is written
  std::string_view op = {};  // the canonical name of what it computes; empty: no op of the table
  // The operand that is the op's first argument; the other arguments follow it. The written operand
  // is the first result.
  uint8_t first_argument = 0;
  // Read operands that may have the bytes of the written one, of a kernel without an op.
  uint32_t may_share = 0;
  int8_t done_result = 0;
  // The kernel reads what the written operand holds.
  bool changes_written = false;
  uint8_t num_written = 1;   // so many from `written` on
  uint8_t num_operands = 0;  // exactly so many; 0: any number
  // The kernel may start before its operands are there, and keep what it is given.
  bool starts_early = false;
};

// The name without what says for which element types, and for which rank, the kernel is:
// ".f32", ".i64.2", ".f32_to_i64". A dialect and one more name always stay.
std::string_view KernelStem(std::string_view kernel);

// Empty for kernels of which no more is known than for any, and for plain ones (below). Rows of
// tfrt_cpu.OP follow from the ops: inputs in the order of the op's arguments, the output, a chain.
std::optional<KernelRow> FindKernelRow(std::string_view kernel);
// All rows but those that follow from ops.
std::span<const KernelRow> KernelRows();

// True for kernels that are known to start after their operands, though they have no row.
bool IsPlainKernel(std::string_view stem);
std::span<const std::string_view> PlainKernels();
// True for tfrt_cpu.OP_shape, which check or compute the shapes of an op.
bool IsShapeKernel(std::string_view stem);

// The first written operand. Negative if there is none, or the kernel cannot have so many operands.
int WrittenOperand(const KernelRow& row, size_t num_operands);

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_KERNEL_TABLE_H_
