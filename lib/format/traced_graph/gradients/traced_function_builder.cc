#include "traced_function_builder.h"

#include <cstring>
#include <memory>
#include <utility>

#include "lib/format/traced_graph/visit.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

template <typename T>
std::vector<uint8_t> BytesOf(T value) {
  std::vector<uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

// Empty for other dtypes.
std::vector<uint8_t> BytesOf(DType dtype, double number) {
  switch (dtype) {
    case DType::kF32:
      return BytesOf(static_cast<float>(number));
    case DType::kF64:
      return BytesOf(number);
    case DType::kF16:
      return BytesOf(Fp16(static_cast<float>(number)));
    case DType::kBF16:
      return BytesOf(Bf16(static_cast<float>(number)));
    case DType::kI32:
      return BytesOf(static_cast<int32_t>(number));
    case DType::kI64:
      return BytesOf(static_cast<int64_t>(number));
    default:
      return {};
  }
}

}  // namespace

void TracedFunctionBuilder::Fail(Status error) {
  if (!status_.ok()) return;
  status_ = Status(error.code(), StrCat(PlaceOf(*graph_, location_), error.message()));
}

ValueId TracedFunctionBuilder::AddValue(const TracedType& type) {
  return AddValue(type, ToValueType(type));
}

ValueId TracedFunctionBuilder::AddValue(const TracedType& type, ValueType known) {
  const ValueId value = graph_->functions[0].AddValue(type);
  known_.resize(value + 1);
  known_[value] = std::move(known);
  return value;
}

ValueId TracedFunctionBuilder::AddValueOf(uint32_t index) {
  const TracedConstant& constant = graph_->constants[index];
  return AddValue(constant.type, TypeOfConstant(constant));
}

std::vector<ValueId> TracedFunctionBuilder::Call(const OpDescription& op,
                                                 std::span<const ValueId> arguments,
                                                 std::span<const GradientAttr> attrs) {
  std::vector<ValueId> none(op.results.size(), kNoGradient);
  if (!status_.ok()) return none;
  TracedOp call{.op = StrCat(kGraphOpPrefix, op.name), .location = location_};
  std::vector<const ValueType*> known;
  for (ValueId argument : arguments) {
    call.arguments.push_back(argument);
    known.push_back(argument == kLeftOut ? nullptr : &known_[argument]);
  }
  while (!known.empty() && !known.back()) known.pop_back();
  for (const GradientAttr& attr : attrs) call.attrs.push_back({std::string(attr.name), attr.value});
  auto results = InferResults(op, known, TracedAttrReader(call.attrs), op.results.size());
  if (!results.ok()) {
    Fail(results.status());
    return none;
  }
  for (ValueType& result : *results) {
    if (!result.has_dtype()) {
      Fail(InvalidArgumentError(StrCat(op.name, ": the dtype of a result is not known")));
      return none;
    }
    const TracedType type = function::TracedTypeOf(result);
    call.results.push_back(AddValue(type, std::move(result)));
  }
  return Append(std::move(call)).results;
}

ValueId TracedFunctionBuilder::CallOne(std::string_view op,
                                       std::initializer_list<ValueId> arguments,
                                       std::vector<GradientAttr> attrs) {
  return Call(*FindOpDescription(op), std::span(arguments.begin(), arguments.size()), attrs)[0];
}

ValueId TracedFunctionBuilder::AddConstant(DType dtype, std::vector<int64_t> dims,
                                           std::vector<uint8_t> bytes) {
  if (!status_.ok()) return kNoGradient;
  auto owner = std::make_shared<std::vector<uint8_t>>(std::move(bytes));
  TracedConstant& constant = graph_->constants.emplace_back();
  constant = {.type = {dtype, std::move(dims)}, .owner = owner, .data = *owner};
  TracedOp op{.kind = TracedOpKind::kConstant,
              .index = static_cast<uint32_t>(graph_->constants.size() - 1),
              .location = location_};
  op.results = {AddValueOf(op.index)};
  return Append(std::move(op)).results[0];
}

ValueId TracedFunctionBuilder::Integers(std::span<const int64_t> numbers) {
  std::vector<uint8_t> bytes(numbers.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return AddConstant(DType::kI64, {static_cast<int64_t>(numbers.size())}, std::move(bytes));
}

ValueId TracedFunctionBuilder::Number(DType dtype, double number) {
  std::vector<uint8_t> bytes = BytesOf(dtype, number);
  if (bytes.empty()) {
    Fail(InvalidArgumentError(StrCat("there are no gradients of ", DTypeName(dtype))));
    return kNoGradient;
  }
  return AddConstant(dtype, {}, std::move(bytes));
}

ValueId TracedFunctionBuilder::ZerosLike(ValueId value) {
  if (!status_.ok()) return kNoGradient;
  const ValueType& type = TypeOf(value);
  const ValueId zero = Number(type.dtype, 0);
  if (TypeOf(value).shape.is_known()) {
    std::vector<int64_t> sizes;
    for (Dim dim : TypeOf(value).shape.dims()) sizes.push_back(dim.value());
    return CallOne("broadcast_to", {zero, Integers(sizes)});
  }
  const ValueId shape = CallOne("shape_of", {value}, {{"dtype", DType::kI64}});
  return CallOne("broadcast_to", {zero, shape});
}

ValueId TracedFunctionBuilder::RowOf(ValueId stack, ValueId at) {
  return CallOne("gather", {stack, at, Number(DType::kI64, 0)});
}

ValueId TracedFunctionBuilder::LengthOf(ValueId value) {
  const ValueId shape = CallOne("shape_of", {value}, {{"dtype", DType::kI64}});
  return RowOf(shape, Number(DType::kI64, 0));
}

}  // namespace tfrt::function
