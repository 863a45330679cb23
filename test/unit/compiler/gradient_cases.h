// Gradients of one call or a few, compiled and run, against finite differences.
#ifndef TFRT_TEST_UNIT_COMPILER_GRADIENT_CASES_H_
#define TFRT_TEST_UNIT_COMPILER_GRADIENT_CASES_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "lib/format/traced_graph/gradients/gradients.h"
#include "traced_programs.h"

namespace tfrt::function {

using Values = FunctionTracer::Values;

struct GradientCase {
  const char* name;
  std::vector<std::vector<int64_t>> shapes;  // of the arguments
  // Makes what is summed up, with weights that differ, to the loss.
  std::function<ValueId(FunctionTracer&, const Values&)> make;
  float low = -1, high = 1;  // the arguments' elements
};

inline int64_t SizeOf(const std::vector<int64_t>& dims) {
  int64_t size = 1;
  for (int64_t dim : dims) size *= dim;
  return size;
}

// Sums the elements times 1, 1.25, 1.5, ..., so that no two have the same gradient.
inline ValueId LossOf(FunctionTracer& r, ValueId value) {
  const std::vector<int64_t> dims = *r.TypeOf(value).dims;
  Floats weights(static_cast<size_t>(SizeOf(dims)));
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = 1 + 0.25f * static_cast<float>(i % 7);
  ValueId weighted = r.Call("tf.Mul", {value, r.Floats(dims, weights)});
  std::vector<int64_t> axes(dims.size());
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
  return axes.empty() ? weighted : r.Call("tf.Sum", {weighted, r.Integers(axes)});
}

inline void ExpectFiniteDifferences(const GradientCase& test) {
  FunctionTracer r;
  Values arguments;
  GradientOptions options;
  for (size_t i = 0; i < test.shapes.size(); ++i) {
    arguments.push_back(r.Input("x" + std::to_string(i), DType::kF32, test.shapes[i]));
    options.arguments.push_back(static_cast<uint32_t>(i));
  }
  r.Return({LossOf(r, test.make(r, arguments))});
  ASSERT_TRUE(Verify(r.graph).ok()) << Verify(r.graph).ToString();
  auto gradient = GradientOf(r.graph, options);
  ASSERT_TRUE(gradient.ok()) << gradient.status().ToString();
  ASSERT_TRUE(Verify(*gradient).ok()) << Verify(*gradient).ToString() << ToString(*gradient);
  Program program(*gradient);

  std::mt19937 random(7);
  std::uniform_real_distribution<float> element(test.low, test.high);
  std::vector<Floats> values;
  for (const auto& shape : test.shapes) {
    Floats& elements = values.emplace_back(static_cast<size_t>(SizeOf(shape)));
    for (float& each : elements) each = element(random);
  }
  auto run = [&] {
    std::vector<Input> inputs;
    for (size_t i = 0; i < values.size(); ++i) {
      inputs.push_back(program.F32(test.shapes[i], values[i]));
    }
    auto results = program.Run(inputs);
    EXPECT_TRUE(results.ok()) << results.status().ToString() << ToString(*gradient);
    std::vector<Floats> all;
    for (size_t i = 0; results.ok() && i < results->size(); ++i) {
      all.push_back(ElementsOf<float>((*results)[i]));
    }
    return all;
  };
  const std::vector<Floats> results = run();
  ASSERT_EQ(results.size(), 1 + values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(results[1 + i].size(), values[i].size());
    // A few elements of each.
    for (size_t j = 0; j < values[i].size(); j += 1 + values[i].size() / 6) {
      constexpr float kStep = 1e-2f;
      const float at = values[i][j];
      values[i][j] = at + kStep;
      const float above = run()[0][0];
      values[i][j] = at - kStep;
      const float below = run()[0][0];
      values[i][j] = at;
      const float expected = (above - below) / (2 * kStep);
      EXPECT_NEAR(results[1 + i][j], expected, 2e-2f * std::max(1.0f, std::fabs(expected)))
          << "argument " << i << ", element " << j;
    }
  }
}

class GradientTest : public testing::TestWithParam<GradientCase> {};

inline std::string NameOf(const testing::TestParamInfo<GradientCase>& test) {
  return test.param.name;
}

}  // namespace tfrt::function

#endif  // TFRT_TEST_UNIT_COMPILER_GRADIENT_CASES_H_
