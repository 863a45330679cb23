// Shape functions called as tests write them: arguments and attributes in, text out.
#ifndef TFRT_TEST_UNIT_OP_TABLE_INFERENCE_TESTING_H_
#define TFRT_TEST_UNIT_OP_TABLE_INFERENCE_TESTING_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/opinfo/op_description.h"

namespace tfrt {

using Attrs = std::map<std::string, OpAttrValue, std::less<>>;
using Numbers = std::vector<int64_t>;

class MapReader : public OpAttrReader {
 public:
  explicit MapReader(const Attrs& attrs) : attrs_(attrs) {}
  std::optional<OpAttrValue> Get(std::string_view name) const override {
    auto found = attrs_.find(name);
    return found == attrs_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const Attrs& attrs_;
};

inline std::vector<const ValueType*> Pointers(const std::vector<ValueType>& arguments) {
  std::vector<const ValueType*> pointers;
  for (const ValueType& argument : arguments) pointers.push_back(&argument);
  return pointers;
}

// The results as text, or the message of the error.
inline std::string Text(std::string_view op, const std::vector<ValueType>& arguments,
                        const Attrs& attrs = {}) {
  const OpDescription& row = *FindOpDescription(op);
  auto results = InferResults(row, Pointers(arguments), MapReader(attrs), row.results.size());
  if (!results.ok()) return std::string(results.status().message());
  std::string text;
  for (const ValueType& result : *results) {
    text += text.empty() ? "" : ", ";
    text += result.ToString();
  }
  return text;
}

inline ValueType F32(SymbolicShape shape) { return {DType::kF32, std::move(shape)}; }
inline ValueType I64(SymbolicShape shape) { return {DType::kI64, std::move(shape)}; }
inline ValueType I1(SymbolicShape shape) { return {DType::kI1, std::move(shape)}; }
// A vector of integers whose elements are known.
inline ValueType Ints(std::vector<Dim> elements) {
  return {DType::kI64, {static_cast<int64_t>(elements.size())}, std::move(elements)};
}
inline ValueType Int(Dim element) {
  return {DType::kI64, SymbolicShape(std::vector<Dim>()), {{element}}};
}

inline const SymbolicShape kScalar = SymbolicShape::OfRank(0);
inline const Dim kUnknown, kBatch = Dim::Symbol(0), kLength = Dim::Symbol(1);

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_OP_TABLE_INFERENCE_TESTING_H_
