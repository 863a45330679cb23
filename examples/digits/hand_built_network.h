// The network of digits.mlir as a BEF file made without the compiler, for tests of the runtime
// alone.
#ifndef TFRT_EXAMPLES_DIGITS_HAND_BUILT_NETWORK_H_
#define TFRT_EXAMPLES_DIGITS_HAND_BUILT_NETWORK_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "classifier.h"
#include "tfrt/bef/bef_builder.h"

namespace digits {

// `weights` as in data/weights.f32.
inline tfrt::StatusOr<std::vector<uint8_t>> BuildNetwork(const std::string& weights) {
  namespace bef = tfrt::bef;
  constexpr int64_t kNumHidden = 32;
  const std::string tensor = "!tfrt_tensor.tensor";
  const std::string chain = "!tfrt.chain";
  const std::string shape = "!ts.shape";
  bef::FunctionSpec f{.name = "classify", .argument_types = {tensor}};
  auto op = [&](const char* name, std::vector<uint32_t> operands, const std::string& result_type) {
    return f.AddKernel(
        {.name = name, .operands = std::move(operands), .result_types = {result_type}});
  };
  auto constant = [&](const char* name, const std::string& type, bef::AttributeValue value) {
    return f.AddKernel(
        {.name = name, .result_types = {type}, .attributes = {{"value", std::move(value)}}});
  };
  size_t position = 0;
  auto weight = [&](std::vector<int64_t> dims) {
    size_t size = sizeof(float);
    for (int64_t dim : dims) size *= static_cast<size_t>(dim);
    std::vector<uint8_t> data(weights.begin() + position, weights.begin() + position + size);
    position += size;
    return constant("tfrt_test.const_dense_attr", tensor,
                    bef::DenseAttribute(bef::TypeCode::kF32, std::move(dims), std::move(data)));
  };
  auto build_shape = [&](int64_t columns) {
    bef::AttributeValue dims =
        bef::ArrayAttribute({bef::I64Attribute(kNumImages), bef::I64Attribute(columns)});
    return constant("ts.build_shape", shape, std::move(dims));
  };
  uint32_t w1 = weight({kPixels, kNumHidden});
  uint32_t b1 = weight({kNumHidden});
  uint32_t w2 = weight({kNumHidden, kNumClasses});
  uint32_t b2 = weight({kNumClasses});
  uint32_t one = constant("tfrt.constant.f32", "f32", bef::F32Attribute(1));
  uint32_t c0 = op("tfrt.new.chain", {}, chain);
  uint32_t hidden = op("tfrt_test.broadcast.f32.2", {b1, build_shape(kNumHidden)}, tensor);
  uint32_t c1 = op("eigen.matmul.f32", {one, 0, w1, one, hidden, c0}, chain);
  uint32_t c2 = op("tfrt_test.relu_inplace.f32", {hidden, c1}, chain);
  uint32_t logits = op("tfrt_test.broadcast.f32.2", {b2, build_shape(kNumClasses)}, tensor);
  uint32_t c3 = op("eigen.matmul.f32", {one, hidden, w2, one, logits, c2}, chain);
  uint32_t classes = op("tfrt_test.argmax.f32.2", {logits, c3}, tensor);
  f.returns = {op("tfrt.alias.value", {c3, logits}, tensor), classes};
  bef::BefBuilder builder;
  builder.AddFunction(std::move(f));
  return builder.Build();
}

}  // namespace digits

#endif  // TFRT_EXAMPLES_DIGITS_HAND_BUILT_NETWORK_H_
