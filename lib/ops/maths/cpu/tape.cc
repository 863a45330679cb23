#include "tape.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "element_functions.h"

namespace tfrt::cpu {
namespace {

std::vector<BroadcastBlocks::Operand> OperandsOfArguments(
    std::span<const Tape::Argument> arguments) {
  std::vector<BroadcastBlocks::Operand> operands;
  for (const Tape::Argument& each : arguments) {
    operands.push_back({each.shape, DTypeSize(each.dtype)});
  }
  return operands;
}

}  // namespace

Tape::Tape(std::vector<TapeStep> steps, std::vector<float> constants,
           std::span<const Argument> arguments, const TensorShape& out)
    : steps_(std::move(steps)),
      constants_(std::move(constants)),
      blocks_(OperandsOfArguments(arguments), out) {
  for (const Argument& each : arguments) dtypes_.push_back(each.dtype);
  for (const TapeStep& step : steps_) {
    num_slots_ = std::max<size_t>(num_slots_, step.destination + 1u);
  }
  gives_bytes_ = ResultOfTape(steps_.back()) != DType::kF32;
}

size_t Tape::cost_of_element() const {
  size_t cost = 0;
  for (const TapeStep& step : steps_) cost += CostOfElement(step.op, DType::kF32);
  return cost;
}

void Tape::Run(std::span<const void* const> arguments, void* out, int64_t begin,
               int64_t end) const {
  // Slots, then arguments that are converted, then what the blocks need. Few of each: on the stack.
  const size_t num_converted =
      dtypes_.size() - static_cast<size_t>(std::ranges::count(dtypes_, DType::kF32));
  const size_t scratch = (blocks_.scratch_bytes() + sizeof(float) - 1) / sizeof(float);
  const size_t size = (num_slots_ + num_converted) * static_cast<size_t>(kPart) + scratch;
  alignas(64) float few[8 * kPart];
  std::unique_ptr<float[]> many;
  float* slots = few;
  if (size > std::size(few)) {
    many = std::make_unique_for_overwrite<float[]>(size);
    slots = many.get();
  }
  float* floats = slots + num_slots_ * static_cast<size_t>(kPart);
  auto* spread = reinterpret_cast<std::byte*>(floats + num_converted * static_cast<size_t>(kPart));

  std::vector<BroadcastBlocks::View> inputs(dtypes_.size());
  blocks_.Run(arguments, spread, begin, end, kPart,
              [&](int64_t first, int64_t count, std::span<const BroadcastBlocks::View> views) {
                float* converted = floats;
                for (size_t i = 0; i < views.size(); ++i) {
                  inputs[i] = views[i];
                  if (dtypes_[i] == DType::kF32) continue;
                  ToTapeFloats(dtypes_[i], views[i].data, views[i].repeats ? 1 : count, converted);
                  inputs[i].data = converted;
                  converted += kPart;
                }
                for (const TapeStep& step : steps_) {
                  ElementRun run{.size = count};
                  for (size_t i = 0; i < OperandsOf(step.op); ++i) {
                    const TapeOperand operand = step.operands[i];
                    switch (operand.kind) {
                      case TapeOperand::Kind::kArgument:
                        run.in[i] = inputs[operand.index].data;
                        run.repeats[i] = inputs[operand.index].repeats;
                        break;
                      case TapeOperand::Kind::kSlot:
                        run.in[i] = slots + operand.index * kPart;
                        break;
                      case TapeOperand::Kind::kConstant:
                        run.in[i] = &constants_[operand.index];
                        run.repeats[i] = true;
                        break;
                    }
                  }
                  float* const slot = slots + step.destination * kPart;
                  const bool is_last = &step == &steps_.back();
                  run.out = is_last && !gives_bytes_ ? static_cast<float*>(out) + first : slot;
                  RunTapeFloats(step.op, run);
                  if (is_last && gives_bytes_) {
                    FromTapeFloats(slot, count, static_cast<uint8_t*>(out) + first);
                  }
                }
              });
}

}  // namespace tfrt::cpu
