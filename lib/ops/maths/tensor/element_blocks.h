// Element-wise ops on ranges of the elements of a tensor, of operands that are broadcast.
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_ELEMENT_BLOCKS_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_ELEMENT_BLOCKS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "lib/ops/maths/cpu/broadcast_blocks.h"
#include "lib/ops/maths/cpu/element_functions.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// Holds a copy of an element, which blocks may read after the call is over.
union alignas(cpu::BroadcastBlocks::kMaxElementSize) Element {
  char bytes[cpu::BroadcastBlocks::kMaxElementSize];
  float number;
};

struct ElementOperand {
  const DenseHostTensor* dense = nullptr;  // null: one element
  Element element = {};
  TensorShape shape;
  DType dtype = DType::kF32;

  static ElementOperand Of(const DenseHostTensor& tensor) {
    return {&tensor, {}, tensor.shape(), tensor.dtype()};
  }
  const void* data() const { return dense ? dense->data() : &element; }
};

// Computes the elements [begin, end) of an op's result. Copyable; RunBlocks calls it.
class ElementBlocks {
 public:
  // The operands, which `function` takes, are broadcast to `out`, which has elements. Borrows the
  // memory of tensors.
  ElementBlocks(ElementwiseOp op, cpu::ElementFunction function,
                std::span<const ElementOperand> operands, const TensorMetadata& result, void* out);
  void operator()(size_t begin, size_t end) const;

 private:
  ElementwiseOp op_;
  cpu::ElementFunction function_;
  size_t num_operands_;
  std::array<const void*, kMaxElementwiseOperands> data_;  // null: a copy
  std::array<Element, kMaxElementwiseOperands> elements_;
  std::array<bool, kMaxElementwiseOperands> repeats_ = {};
  std::array<size_t, kMaxElementwiseOperands> element_sizes_;
  std::optional<cpu::BroadcastBlocks> broadcast_;  // none: all are like the output, or one element
  char* out_;
  size_t result_size_;
};

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_ELEMENT_BLOCKS_H_
