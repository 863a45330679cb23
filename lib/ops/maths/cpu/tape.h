// Element-wise tapes (lib/format/op_table/elementwise_tape.h): several ops in one go over memory,
// with the bits that they give one after the other.
#ifndef TFRT_LIB_OPS_MATHS_CPU_TAPE_H_
#define TFRT_LIB_OPS_MATHS_CPU_TAPE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadcast_blocks.h"
#include "lib/format/op_table/elementwise_tape.h"

namespace tfrt::cpu {

// A tape for arguments and a result of certain shapes. Immutable; thread-safe.
class Tape {
 public:
  struct Argument {
    TensorShape shape;
    DType dtype = DType::kF32;  // or i1, i8, u8
  };
  // `steps` are of DecodeTape for so many arguments and constants, which broadcast to `out`.
  Tape(std::vector<TapeStep> steps, std::vector<float> constants,
       std::span<const Argument> arguments, const TensorShape& out);

  // In the unit of ItemsPerBlock.
  size_t cost_of_element() const;
  // The least number of elements that Run's ranges should have: it runs all steps for each range,
  // and processes as many elements at once.
  static constexpr size_t kLeastElements = BroadcastBlocks::kPart;
  // Computes the elements [begin, end) of the result. It may have the very memory of an argument of
  // its shape and dtype, which is ResultOfTape's.
  void Run(std::span<const void* const> arguments, void* out, int64_t begin, int64_t end) const;

 private:
  static constexpr int64_t kPart = BroadcastBlocks::kPart;

  std::vector<TapeStep> steps_;
  std::vector<float> constants_;
  BroadcastBlocks blocks_;
  std::vector<DType> dtypes_;  // of the arguments
  size_t num_slots_ = 0;
  bool gives_bytes_ = false;
};

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_TAPE_H_
