#include "element_blocks.h"

namespace tfrt::maths {

using cpu::BroadcastBlocks;

ElementBlocks::ElementBlocks(ElementwiseOp op, cpu::ElementFunction function,
                             std::span<const ElementOperand> operands, const TensorMetadata& result,
                             void* out)
    : op_(op),
      function_(function),
      num_operands_(operands.size()),
      out_(static_cast<char*>(out)),
      result_size_(DTypeSize(result.dtype)) {
  bool has_rows = false;
  std::array<BroadcastBlocks::Operand, kMaxElementwiseOperands> layouts;
  for (size_t i = 0; i < num_operands_; ++i) {
    const ElementOperand& operand = operands[i];
    data_[i] = operand.dense ? operand.dense->data() : nullptr;
    elements_[i] = operand.element;
    element_sizes_[i] = DTypeSize(operand.dtype);
    const bool is_like_output = operand.shape == result.shape;
    repeats_[i] = !is_like_output && operand.shape.num_elements() == 1;
    has_rows |= !is_like_output && !repeats_[i];
    layouts[i] = {operand.shape, element_sizes_[i]};
  }
  if (has_rows) broadcast_.emplace(std::span(layouts).first(num_operands_), result.shape);
}

void ElementBlocks::operator()(size_t begin, size_t end) const {
  std::array<const void*, kMaxElementwiseOperands> from;
  for (size_t i = 0; i < num_operands_; ++i) from[i] = data_[i] ? data_[i] : &elements_[i];
  const auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end);
  if (!broadcast_) {
    cpu::ElementRun run{.size = last - first, .out = out_ + begin * result_size_};
    for (size_t i = 0; i < num_operands_; ++i) {
      const size_t offset = repeats_[i] ? 0 : begin * element_sizes_[i];
      run.in[i] = static_cast<const char*>(from[i]) + offset;
      run.repeats[i] = repeats_[i];
    }
    return function_(op_, run);
  }
  alignas(64) std::byte
      scratch[kMaxElementwiseOperands * BroadcastBlocks::kPart * BroadcastBlocks::kMaxElementSize];
  broadcast_->Run(
      std::span(from).first(num_operands_), scratch, first, last, last - first,
      [&](int64_t position, int64_t size, std::span<const BroadcastBlocks::View> views) {
        cpu::ElementRun run{.size = size,
                            .out = out_ + static_cast<size_t>(position) * result_size_};
        for (size_t i = 0; i < num_operands_; ++i) {
          run.in[i] = views[i].data;
          run.repeats[i] = views[i].repeats;
        }
        function_(op_, run);
      });
}

}  // namespace tfrt::maths
