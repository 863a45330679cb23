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
    operands.push_back({each.shape, each.is_truth ? sizeof(uint8_t) : sizeof(float)});
  }
  return operands;
}

}  // namespace

Tape::Tape(std::vector<TapeStep> steps, std::vector<float> constants,
           std::span<const Argument> arguments, const TensorShape& out)
    : steps_(std::move(steps)),
      constants_(std::move(constants)),
      blocks_(OperandsOfArguments(arguments), out) {
  for (const Argument& each : arguments) is_truth_.push_back(each.is_truth);
  for (const TapeStep& step : steps_) {
    num_slots_ = std::max<size_t>(num_slots_, step.destination + 1u);
  }
}

size_t Tape::cost_of_element() const {
  size_t cost = 0;
  for (const TapeStep& step : steps_) cost += CostOfElement(step.op, DType::kF32);
  return cost;
}

void Tape::Run(std::span<const void* const> arguments, float* out, int64_t begin,
               int64_t end) const {
  // Slots, then arguments that are converted, then what the blocks need. Few of each: on the stack.
  const size_t num_truths = static_cast<size_t>(std::ranges::count(is_truth_, true));
  const size_t scratch = (blocks_.scratch_bytes() + sizeof(float) - 1) / sizeof(float);
  const size_t size = (num_slots_ + num_truths) * static_cast<size_t>(kPart) + scratch;
  alignas(64) float few[8 * kPart];
  std::unique_ptr<float[]> many;
  float* slots = few;
  if (size > std::size(few)) {
    many = std::make_unique_for_overwrite<float[]>(size);
    slots = many.get();
  }
  float* truths = slots + num_slots_ * static_cast<size_t>(kPart);
  auto* spread = reinterpret_cast<std::byte*>(truths + num_truths * static_cast<size_t>(kPart));

  std::vector<BroadcastBlocks::View> inputs(is_truth_.size());
  blocks_.Run(arguments, spread, begin, end, kPart,
              [&](int64_t first, int64_t count, std::span<const BroadcastBlocks::View> views) {
                float* converted = truths;
                for (size_t i = 0; i < views.size(); ++i) {
                  inputs[i] = views[i];
                  if (!is_truth_[i]) continue;
                  auto* from = static_cast<const uint8_t*>(views[i].data);
                  const int64_t n = views[i].repeats ? 1 : count;
                  for (int64_t j = 0; j < n; ++j) converted[j] = from[j] != 0 ? 1.0f : 0.0f;
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
                  run.out =
                      &step == &steps_.back() ? out + first : slots + step.destination * kPart;
                  RunTapeFloats(step.op, run);
                }
              });
}

}  // namespace tfrt::cpu
