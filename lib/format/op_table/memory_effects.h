// Describes, by op name, what kernels do with the bytes of the tensors they are given: plain data
// for the compiler's memory planning.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_MEMORY_EFFECTS_H_
#define TFRT_LIB_FORMAT_OP_TABLE_MEMORY_EFFECTS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tfrt {

// Describes a kernel that touches the bytes of its tensor operands only while it works: neither a
// result nor anything else shares them afterwards.
struct MemoryEffects {
  // Stands for "every result" in done_result.
  static constexpr int kEveryResult = -1;
  // Stands for "none" in done_result: no single result tells.
  static constexpr int kNoResult = -2;

  // Bit i: operand i is written. Tensor operands that are not written are read.
  uint32_t written = 0;
  // Read operands that may occupy the very bytes of the written one, if both have equally many
  // bytes and elements of one size. The kernel reads all that it still needs before it writes
  // there. Empty unless exactly one operand is written and its previous contents are not read.
  uint32_t may_share = 0;
  // The result that is set when all work is done and no byte is touched any more.
  int done_result = 0;

  constexpr bool writes(unsigned operand) const { return operand < 32 && (written >> operand & 1); }
  constexpr bool may_share_with_written(unsigned operand) const {
    return operand < 32 && (may_share >> operand & 1);
  }
  constexpr bool tells_done(unsigned result) const {
    return done_result == kEveryResult || done_result == static_cast<int>(result);
  }
};

// Returns the effects of op `op_name` with that many operands. Empty for unknown ops, which may
// keep or pass on what they are given. Empty also for operand counts that the op cannot have.
std::optional<MemoryEffects> LookUpMemoryEffects(std::string_view op_name, unsigned num_operands);

// When a kernel starts.
enum class KernelStart : uint8_t {
  kUnknown,        // of a kernel that the table does not have: as if early
  kAfterOperands,  // when all its operands are there
  kEarly,          // perhaps before, as non-strict kernels do
};
KernelStart LookUpKernelStart(std::string_view op_name);
inline bool StartsAfterItsOperands(std::string_view op_name) {
  return LookUpKernelStart(op_name) == KernelStart::kAfterOperands;
}

// Returns the kernels that the table lists, without the endings that name their element types.
// Kernels that follow from the descriptions of ops, tfrt_cpu.OP and tfrt_cpu.OP_shape, are not
// among them.
std::vector<std::string_view> KnownKernelStems();

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_MEMORY_EFFECTS_H_
