// Attributes of each kind, and some of none.
#ifndef TFRT_TEST_UNIT_HOST_OPS_ATTRIBUTE_SAMPLES_H_
#define TFRT_TEST_UNIT_HOST_OPS_ATTRIBUTE_SAMPLES_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/bef/attribute_encoder.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/opinfo/op_signature.h"

namespace tfrt {

struct AttributeSample {
  OpAttrSpec::Kind kind;  // kAny: it is of no kind that an op asks for
  void (*set)(OpAttrs& attrs, std::string_view name);
};

// A string and a number in one array.
inline void SetMixedArray(OpAttrs& attrs, std::string_view name) {
  static const auto& encoded = *new auto([] {
    auto buffer = std::make_unique<bef::Buffer>();
    auto at = bef::EncodeAttribute(
        bef::ArrayAttribute({bef::StringAttribute("BiasAdd"), bef::I64Attribute(7)}), buffer.get());
    return std::pair(std::move(buffer), *at);
  }());
  attrs.SetExternal(name, AggregateAttribute::kCode,
                    encoded.first->bytes().data() + encoded.second);
}

inline const std::vector<AttributeSample>& AttributeSamples() {
  using Kind = OpAttrSpec::Kind;
  static constexpr int64_t kWide[] = {1, 2};
  static constexpr int32_t kNarrow[] = {1, 2};
  static constexpr float kFloats[] = {1, 2};
  static constexpr std::string_view kStrings[] = {"BiasAdd", "Relu"};
  static const auto& samples = *new std::vector<AttributeSample>{
      {Kind::kBool, [](OpAttrs& a, std::string_view n) { a.Set(n, true); }},
      {Kind::kI32, [](OpAttrs& a, std::string_view n) { a.Set(n, int32_t{1}); }},
      {Kind::kI64, [](OpAttrs& a, std::string_view n) { a.Set(n, int64_t{1}); }},
      {Kind::kF32, [](OpAttrs& a, std::string_view n) { a.Set(n, 1.0f); }},
      {Kind::kAny, [](OpAttrs& a, std::string_view n) { a.Set(n, 1.0); }},
      {Kind::kString, [](OpAttrs& a, std::string_view n) { a.SetString(n, "SAME"); }},
      {Kind::kType, [](OpAttrs& a, std::string_view n) { a.SetType(n, DType::kF32); }},
      {Kind::kShape, [](OpAttrs& a, std::string_view n) { a.SetShape(n, kWide); }},
      {Kind::kShape, [](OpAttrs& a, std::string_view n) { a.SetUnrankedShape(n); }},
      {Kind::kDense,
       [](OpAttrs& a, std::string_view n) {
         a.SetDense(n, DType::kF32, std::span(kWide).first(1),
                    {reinterpret_cast<const uint8_t*>(kFloats), sizeof(float)});
       }},
      {Kind::kI64Array,
       [](OpAttrs& a, std::string_view n) { a.SetArray<int64_t>(n, std::span(kWide)); }},
      {Kind::kAny,
       [](OpAttrs& a, std::string_view n) { a.SetArray<int32_t>(n, std::span(kNarrow)); }},
      {Kind::kF32Array,
       [](OpAttrs& a, std::string_view n) { a.SetArray<float>(n, std::span(kFloats)); }},
      {Kind::kStringArray, [](OpAttrs& a, std::string_view n) { a.SetStringArray(n, kStrings); }},
      {Kind::kAny, &SetMixedArray},
      {Kind::kFunction, [](OpAttrs& a, std::string_view n) { a.SetFunction(n, "f"); }},
  };
  return samples;
}

// Calls fn(attrs, spec) with attributes of which one, `spec`, is of another kind than the op says.
template <typename Op, typename F>
void ForEachWrongAttribute(const Op& op, F&& fn) {
  for (const OpAttrSpec& wrong : op.attrs) {
    for (const AttributeSample& sample : AttributeSamples()) {
      if (wrong.kind == OpAttrSpec::Kind::kAny || sample.kind == wrong.kind) continue;
      OpAttrs attrs;
      for (const OpAttrSpec& spec : op.attrs) {
        auto right = std::ranges::find(AttributeSamples(), spec.kind, &AttributeSample::kind);
        (&spec == &wrong ? sample : *right).set(attrs, spec.name);
      }
      fn(attrs, wrong);
    }
  }
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_HOST_OPS_ATTRIBUTE_SAMPLES_H_
