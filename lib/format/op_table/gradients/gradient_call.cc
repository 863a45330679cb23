// Implements the calls that rules are made of, and finds the rules.

#include <algorithm>
#include <string>
#include <utility>

#include "gradient_families.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

StatusOr<OpAttrValue> GradientCall::FindAttr(std::string_view name) const {
  if (auto value = attrs_.Get(name)) return *std::move(value);
  for (const OpAttrSpec& spec : op_.attrs) {
    if (spec.name == name && !spec.default_value.empty()) return ParseDefault(spec);
  }
  return InvalidArgumentError(StrCat("there is no attribute '", name, "'"));
}

std::vector<GradientAttr> GradientCall::SameAttrs(std::initializer_list<std::string_view> names) {
  std::vector<GradientAttr> attrs;
  for (std::string_view name : names) {
    StatusOr<OpAttrValue> value = FindAttr(name);
    if (!value.ok()) {
      Fail(std::string(value.status().message()));
      continue;
    }
    attrs.push_back({name, *std::move(value)});
  }
  return attrs;
}

void GradientCall::Fail(const std::string& why) {
  builder_.Fail(InvalidArgumentError(StrCat("the gradient of ", op_.name, ": ", why)));
}

GradientValue GradientCall::gradient(size_t index) {
  return has_gradient(index) ? gradients_[index] : ZerosLike(results_[index]);
}

std::vector<GradientValue> GradientCall::CallAll(std::string_view op,
                                                 std::initializer_list<GradientValue> arguments,
                                                 std::span<const GradientAttr> attrs) {
  return builder_.Call(*FindOpDescription(op), std::span(arguments.begin(), arguments.size()),
                       attrs);
}

GradientValue GradientCall::Number(double number) {
  return builder_.Number(TypeOf(results_[0]).dtype, number);
}

GradientValue GradientCall::ShapeOf(GradientValue value) {
  const ValueType& type = TypeOf(value);
  if (type.shape.is_known()) {
    std::vector<int64_t> sizes;
    for (Dim dim : type.shape.dims()) sizes.push_back(dim.value());
    return Integers(sizes);
  }
  const GradientAttr attrs[] = {{"dtype", DType::kI64}};
  return Call("shape_of", {value}, attrs);
}

GradientValue GradientCall::ZerosLike(GradientValue value) {
  return BroadcastTo(builder_.Number(TypeOf(value).dtype, 0), value);
}

GradientValue GradientCall::SumTo(GradientValue value, GradientValue like) {
  const SymbolicShape &from = TypeOf(value).shape, &to = TypeOf(like).shape;
  if (from.is_known() && to.is_known() && from == to) return value;
  return Call("sum_to", {value, ShapeOf(like)});
}

std::vector<int64_t> GradientCall::ElementsOf(size_t argument) {
  const auto& elements = TypeOf(arguments_[argument]).elements;
  std::vector<int64_t> numbers;
  for (size_t i = 0; elements && i < elements->size() && (*elements)[i].is_known(); ++i) {
    numbers.push_back((*elements)[i].value());
  }
  if (elements && numbers.size() == elements->size()) return numbers;
  Fail(StrCat("'", op_.arguments[std::min(argument, op_.arguments.size() - 1)].name,
              "' must be a constant"));
  return {};
}

std::vector<int64_t> GradientCall::SizesOf(GradientValue value) {
  const SymbolicShape& shape = TypeOf(value).shape;
  std::vector<int64_t> sizes;
  if (!shape.is_known()) {
    Fail(StrCat("the sizes of ", TypeOf(value).ToString(), " must be known"));
    return sizes;
  }
  for (Dim dim : shape.dims()) sizes.push_back(dim.value());
  return sizes;
}

size_t GradientCall::RankOf(GradientValue value) {
  const SymbolicShape& shape = TypeOf(value).shape;
  if (shape.has_rank()) return shape.rank();
  Fail(StrCat("the rank of ", TypeOf(value).ToString(), " must be known"));
  return 0;
}

}  // namespace tfrt
