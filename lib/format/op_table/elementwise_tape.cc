#include "elementwise_tape.h"

#include <array>
#include <bitset>
#include <cassert>

#include "op_families.h"
#include "shape_rules.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

struct ElementwiseOpInfo {
  ElementwiseOp op = ElementwiseOp::kAdd;
  std::string_view row;
  uint8_t operands = 0;
  uint8_t parameters = 0;
  bool in_tapes = false;
};

constexpr ElementwiseOpInfo kListed[] = {
#define TFRT_INFO(number, name, row, operands, parameters, in_tapes) \
  {ElementwiseOp::name, row, operands, parameters, in_tapes},
    TFRT_ELEMENTWISE_OPS(TFRT_INFO)
#undef TFRT_INFO
#define TFRT_INFO(number, name, operands) {ElementwiseOp::name, "", operands, 0, true},
        TFRT_TAPE_STEPS(TFRT_INFO)
#undef TFRT_INFO
};

// By number, of which the first is 1 and none is left out.
constexpr auto kInfos = [] {
  std::array<ElementwiseOpInfo, std::size(kListed)> infos;
  for (const ElementwiseOpInfo& each : kListed) infos[static_cast<size_t>(each.op) - 1] = each;
  return infos;
}();

const ElementwiseOpInfo& InfoOf(ElementwiseOp op) {
  const ElementwiseOpInfo& info = kInfos[static_cast<size_t>(op) - 1];
  assert(info.op == op);
  return info;
}

// Steps come and go one after the other; each part is checked when it is read.
class TapeReader {
 public:
  TapeReader(std::span<const int64_t> program, size_t num_arguments, size_t num_constants)
      : program_(program), num_arguments_(num_arguments), num_constants_(num_constants) {}

  bool at_end() const { return position_ == program_.size(); }

  StatusOr<TapeStep> Next() {
    const int64_t number = program_[position_++];
    if (number < 1 || number > static_cast<int64_t>(kInfos.size()) ||
        !kInfos[static_cast<size_t>(number - 1)].in_tapes) {
      return Error("has the op ", number, ", which is none of a tape");
    }
    const ElementwiseOpInfo& info = kInfos[static_cast<size_t>(number - 1)];
    if (program_.size() - position_ < 1u + info.operands) {
      return Error("ends after ", program_.size() - position_, " of ", 1 + info.operands,
                   " numbers");
    }
    TapeStep step{.op = info.op};
    const int64_t destination = program_[position_++];
    if (destination < 0 || destination >= kTapeSlots) {
      return Error("writes slot ", destination, " of ", kTapeSlots);
    }
    step.destination = static_cast<uint8_t>(destination);
    for (size_t i = 0; i < info.operands; ++i) {
      TFRT_ASSIGN_OR_RETURN(step.operands[i], NextOperand());
      const bool is_parameter = i + info.parameters >= info.operands;
      if (is_parameter && step.operands[i].kind != TapeOperand::Kind::kConstant) {
        return Error("has an operand ", i, " of ", info.row, " that is no constant");
      }
    }
    is_written_.set(step.destination);
    ++steps_;
    return step;
  }

 private:
  StatusOr<TapeOperand> NextOperand() {
    using Kind = TapeOperand::Kind;
    const int64_t number = program_[position_++];
    if (number < 0 || number >= kTapeConstant + static_cast<int64_t>(num_constants_)) {
      return Error("reads the operand ", number, ", which is nothing");
    }
    if (number >= kTapeConstant) {
      return TapeOperand{Kind::kConstant, static_cast<uint16_t>(number - kTapeConstant)};
    }
    if (number < kTapeSlot) {
      if (number < static_cast<int64_t>(num_arguments_)) {
        return TapeOperand{Kind::kArgument, static_cast<uint16_t>(number)};
      }
      return Error("reads argument ", number, " of ", num_arguments_);
    }
    const int64_t slot = number - kTapeSlot;
    if (slot >= kTapeSlots || !is_written_[static_cast<size_t>(slot)]) {
      return Error("reads slot ", slot, ", which no step before has written");
    }
    return TapeOperand{Kind::kSlot, static_cast<uint16_t>(slot)};
  }

  template <typename... Pieces>
  Status Error(const Pieces&... pieces) const {
    return InvalidArgumentError(StrCat("step ", steps_, " ", pieces...));
  }

  std::span<const int64_t> program_;
  size_t num_arguments_, num_constants_;
  size_t position_ = 0, steps_ = 0;
  std::bitset<kTapeSlots> is_written_;
};

}  // namespace

std::string_view RowOf(ElementwiseOp op) { return InfoOf(op).row; }
size_t OperandsOf(ElementwiseOp op) { return InfoOf(op).operands; }
size_t ParametersOf(ElementwiseOp op) { return InfoOf(op).parameters; }
bool IsTapeOp(ElementwiseOp op) { return InfoOf(op).in_tapes; }

std::optional<ElementwiseOp> FindElementwiseOp(std::string_view row) {
  for (const ElementwiseOpInfo& info : kInfos) {
    if (info.row == row) return info.op;
  }
  return std::nullopt;
}

void AppendTapeStep(const TapeStep& step, std::vector<int64_t>* program) {
  program->push_back(static_cast<int64_t>(step.op));
  program->push_back(step.destination);
  for (size_t i = 0; i < OperandsOf(step.op); ++i) {
    const TapeOperand& operand = step.operands[i];
    program->push_back(operand.index + (operand.kind == TapeOperand::Kind::kSlot ? kTapeSlot
                                        : operand.kind == TapeOperand::Kind::kConstant
                                            ? kTapeConstant
                                            : 0));
  }
}

StatusOr<std::vector<TapeStep>> DecodeTape(std::span<const int64_t> program, size_t num_arguments,
                                           size_t num_constants) {
  if (program.empty()) return InvalidArgumentError("the program has no steps");
  if (num_arguments > static_cast<size_t>(kMaxTapeArguments)) {
    return InvalidArgumentError(
        StrCat("there are ", num_arguments, " arguments, at most ", kMaxTapeArguments, " fit"));
  }
  // As many as an operand can name.
  if (num_constants > UINT16_MAX) {
    return InvalidArgumentError(StrCat("there are ", num_constants, " constants"));
  }
  TapeReader reader(program, num_arguments, num_constants);
  std::vector<TapeStep> steps;
  while (!reader.at_end()) {
    if (steps.size() == kMaxTapeSteps) {
      return InvalidArgumentError(StrCat("the program has more than ", kMaxTapeSteps, " steps"));
    }
    TFRT_ASSIGN_OR_RETURN(TapeStep step, reader.Next());
    steps.push_back(step);
  }
  return steps;
}

namespace {

using AttrKind = OpAttrSpec::Kind;

Status TapeShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(auto program, call.Attr<std::vector<int64_t>>("program"));
  TFRT_ASSIGN_OR_RETURN(auto constants, call.Attr<std::vector<float>>("constants"));
  auto steps = DecodeTape(program, call.num_arguments(), constants.size());
  if (!steps.ok()) return ShapeError(call, steps.status().message());
  results[0] = {ResultOfTape(steps->back()), SymbolicShape(std::vector<Dim>())};
  for (size_t i = 0; i < call.num_arguments(); ++i) {
    const ValueType& argument = call.argument(i);
    if (!IsTapeArgument(argument.dtype) && argument.dtype != DType::kUnsupported) {
      return ShapeError(call, "argument ", i, " is ", DTypeName(argument.dtype),
                        ", expected f32, i1, i8 or u8");
    }
    TFRT_ASSIGN_OR_RETURN(results[0].shape, Broadcast(call, results[0].shape, argument.shape));
  }
  return OkStatus();
}

constexpr OpArgumentSpec kTapeArguments[] = {{"arguments", OpArgumentSpec::Kind::kVariadic}};
constexpr std::string_view kTapeResults[] = {"result"};
constexpr OpAttrSpec kTapeAttrs[] = {{"constants", AttrKind::kF32Array},
                                     {"program", AttrKind::kI64Array}};

constexpr OpDescription kTapeOps[] = {
    {.name = "elementwise_tape",
     .summary =
         "A chain of element-wise ops over broadcast arguments of f32, i1, i8 or u8 as one: the "
         "steps of `program` (lib/format/op_table/elementwise_tape.h), of which the last one gives "
         "the result.",
     .arguments = kTapeArguments,
     .attrs = kTapeAttrs,
     .results = kTapeResults,
     .may_overwrite = 1,
     .cost = PerResultElement(4),
     .shape = TapeShape,
     .gradient = kMadeByPasses},
};

}  // namespace

OpFamily TapeOps() { return {kTapeOps, {}}; }

}  // namespace tfrt
