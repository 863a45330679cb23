// Infers the known facts of a call's results, and the work of a call.

#include <algorithm>

#include "shape_inference.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using ArgumentKind = OpArgumentSpec::Kind;

// As many arguments and results as the op has, and integers where it takes them.
Status CheckOperands(const OpDescription& op, std::string_view name,
                     std::span<const ValueType* const> arguments, size_t num_results) {
  size_t required = 0;
  bool variadic = false;
  for (const OpArgumentSpec& spec : op.arguments) {
    required += spec.kind == ArgumentKind::kRequired;
    variadic |= spec.kind == ArgumentKind::kVariadic;
  }
  if (arguments.size() < required || (!variadic && arguments.size() > op.arguments.size())) {
    return InvalidArgumentError(StrCat(name, " takes ", required, variadic ? " or more" : "",
                                       " arguments, but there are ", arguments.size()));
  }
  if (num_results > op.results.size()) {
    return InvalidArgumentError(
        StrCat(name, " has ", op.results.size(), " results, but is asked for ", num_results));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool may_be_left_out =
        i < op.arguments.size() && op.arguments[i].kind == ArgumentKind::kOptional;
    if (!arguments[i]) {
      if (may_be_left_out) continue;
      return InvalidArgumentError(StrCat(name, ": argument ", i, " is left out"));
    }
    if (!op.is_integer(i, arguments.size())) continue;
    const OpArgumentSpec& spec = op.arguments[std::min(i, op.arguments.size() - 1)];
    TFRT_RETURN_IF_ERROR(
        CheckIsInteger(name, spec.last.empty() ? spec.name : spec.last, arguments[i]->dtype));
  }
  return OkStatus();
}

// Attributes as a spelling names them, by canonical name.
class SpelledReader : public OpAttrReader {
 public:
  SpelledReader(const OpSpelling& spelling, const OpAttrReader& attrs)
      : spelling_(spelling), attrs_(attrs) {}
  std::optional<OpAttrValue> Get(std::string_view name) const override {
    return attrs_.Get(spelling_.Spelled(name));
  }

 private:
  const OpSpelling& spelling_;
  const OpAttrReader& attrs_;
};

double NumElements(std::span<const int64_t> dims) {
  double count = 1;
  for (int64_t dim : dims) count *= static_cast<double>(dim);
  return count;
}

// The sizes, if they and the dtype are known.
std::optional<std::vector<int64_t>> KnownDims(const ValueType& value) {
  if (!value.has_dtype() || !value.shape.is_known()) return std::nullopt;
  std::vector<int64_t> dims;
  for (Dim dim : value.shape.dims()) dims.push_back(dim.value());
  return dims;
}

}  // namespace

StatusOr<OpAttrValue> OpShapeCall::Find(std::string_view name) const {
  if (auto value = attrs_.Get(name)) return *std::move(value);
  for (const OpAttrSpec& spec : op_.attrs) {
    if (spec.name == name && !spec.default_value.empty()) return ParseDefault(spec);
  }
  return InvalidArgumentError(StrCat(name_, " needs the attribute '", name, "'"));
}

Status OpShapeCall::AttrError(std::string_view name) const {
  StatusOr<OpAttrValue> value = Find(name);
  return value.ok() ? WrongKind(name) : value.status();
}

Status OpShapeCall::WrongKind(std::string_view name) const {
  std::string_view expected = "another type";
  for (const OpAttrSpec& spec : op_.attrs) {
    if (spec.name == name) expected = OpAttrKindName(spec.kind);
  }
  return InvalidArgumentError(StrCat(name_, ": the attribute '", name, "' is not ", expected));
}

StatusOr<std::vector<ValueType>> InferResults(const OpDescription& op, std::string_view name,
                                              std::span<const ValueType* const> arguments,
                                              const OpAttrReader& attrs, size_t num_results) {
  TFRT_RETURN_IF_ERROR(CheckOperands(op, name, arguments, num_results));
  std::vector<ValueType> results(op.results.size());
  if (op.shape) {
    TFRT_RETURN_IF_ERROR(op.shape.function(OpShapeCall(op, name, arguments, attrs), results));
  }
  results.resize(num_results);
  return results;
}

StatusOr<std::vector<ValueType>> InferResults(const OpSpelling& spelling,
                                              std::span<const ValueType* const> arguments,
                                              const OpAttrReader& attrs, size_t num_results) {
  const OpDescription& op = *FindOpDescription(spelling.op);
  SpelledReader reader(spelling, attrs);
  if (spelling.folded_argument.empty()) {
    return InferResults(op, spelling.name, arguments, reader, num_results);
  }

  if (arguments.size() >= op.arguments.size()) {
    return InvalidArgumentError(StrCat("the op takes ", op.arguments.size() - 1,
                                       " arguments, but there are ", arguments.size()));
  }
  auto value = attrs.Get(spelling.folded_argument);
  ValueType folded{DType::kI64};
  if (value && std::holds_alternative<ValueType>(*value)) {
    folded = std::get<ValueType>(*value);
  } else if (value && std::holds_alternative<std::vector<int64_t>>(*value)) {
    const auto& numbers = std::get<std::vector<int64_t>>(*value);
    folded.shape = {static_cast<int64_t>(numbers.size())};
    folded.elements.emplace(numbers.begin(), numbers.end());
  } else {
    // In the words of TensorFlow's runtime.
    return InvalidArgumentError(StrCat("'", spelling.folded_argument,
                                       "' attribute is not specified for ",
                                       spelling.name.substr(spelling.name.rfind('.') + 1), " op"));
  }
  std::vector<const ValueType*> all(arguments.begin(), arguments.end());
  size_t at = 0;
  while (op.arguments[at].name != spelling.folded_argument) ++at;
  if (at > all.size()) return InvalidArgumentError(StrCat(spelling.name, " lacks arguments"));
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), &folded);
  return InferResults(op, spelling.name, all, reader, num_results);
}

// How many channels of the images a filter [o,c,...] or, with the channels last, [...,c,o] is for;
// 0 if it fits neither. Sizes may fit both: kernels have more channels than rows.
int64_t FilterChannels(std::span<const int64_t> filter, std::span<const int64_t> images) {
  if (filter.size() < 2 || filter.size() != images.size()) return 0;
  const int64_t first = filter.front() == images[1] ? filter.front() : 0;
  const int64_t last = filter.back() == images.back() ? filter.back() : 0;
  return std::max(first, last);
}

std::optional<double> EstimateFlops(const OpCostFormula& formula, std::span<const int64_t> first,
                                    std::optional<std::span<const int64_t>> last) {
  switch (formula.kind) {
    case OpCostFormula::Kind::kUnknown:
      return std::nullopt;
    case OpCostFormula::Kind::kPerElement:
      return formula.flops * NumElements(first);
    case OpCostFormula::Kind::kMatMul:
      if (!last || first.size() < 2 || last->size() < 2) return std::nullopt;
      // Each matrix of the result takes the elements of one first matrix by its columns; of a batch
      // either input may have fewer matrices than the result.
      return 2 * NumElements(first.last(2)) * NumElements(last->first(last->size() - 2)) *
             static_cast<double>(last->back());
    case OpCostFormula::Kind::kConvolution:
      // Each element of the images sums over the filter but for its output channels.
      if (!last || first.size() != 4 || last->size() != 4 || first[3] == 0) return std::nullopt;
      return 2 * NumElements(*last) * NumElements(first) / static_cast<double>(first[3]);
    case OpCostFormula::Kind::kFilter: {
      const int64_t channels = last ? FilterChannels(first, *last) : 0;
      if (channels == 0) return std::nullopt;
      return 2 * NumElements(*last) * NumElements(first) / static_cast<double>(channels);
    }
  }
  return std::nullopt;
}

std::optional<OpWork> EstimateWork(const OpDescription& op,
                                   std::span<const ValueType* const> arguments,
                                   std::span<const ValueType> results) {
  OpWork work;
  std::optional<std::vector<int64_t>> first, last;
  auto add = [&](const ValueType& value, uint8_t tensor, double& bytes) {
    auto dims = KnownDims(value);
    if (!dims) return false;
    bytes += NumElements(*dims) * static_cast<double>(DTypeSize(value.dtype));
    if (tensor == op.cost.first) first = dims;
    if (tensor == op.cost.last) last = std::move(dims);
    return true;
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]) continue;
    if (!add(*arguments[i], static_cast<uint8_t>(i), work.bytes_read)) return std::nullopt;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    auto tensor = static_cast<uint8_t>(OpCostFormula::kResult + i);
    if (!add(results[i], tensor, work.bytes_written)) return std::nullopt;
  }
  if (!first) return std::nullopt;
  auto flops = EstimateFlops(op.cost, *first, last);
  if (!flops) return std::nullopt;
  work.flops = *flops;
  return work;
}

}  // namespace tfrt
