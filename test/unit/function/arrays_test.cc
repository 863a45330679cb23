// Operators and functions of arrays in traced functions: what the calls give outside of them.

#include "tfrt/eager/arrays.h"

#include <functional>
#include <span>

#include "test/unit/eager/promotion_table.h"
#include "test/unit/function/function_fixture.h"

namespace tfrt::function {
namespace {

namespace arrays = eager::arrays;
using TracedArraysTest = FunctionTest;

std::vector<Tensor> ScalarsOfAllTypes(double value) {
  std::vector<Tensor> scalars;
  for (DType dtype : eager::kDTypes) scalars.push_back(eager::ScalarAs(dtype, value));
  return scalars;
}

// Traces `body`, and compares its results with those of the same calls outside.
void ExpectSame(const char* name,
                const std::function<std::vector<Tensor>(std::span<const Tensor> x,
                                                        std::span<const Tensor> y)>& body) {
  const std::vector<Tensor> x = ScalarsOfAllTypes(6), y = ScalarsOfAllTypes(3);
  Function<std::vector<Tensor>(std::vector<Tensor>, std::vector<Tensor>)> traced(
      name, [&](const std::vector<Tensor>& x, const std::vector<Tensor>& y) { return body(x, y); });
  const std::vector<Tensor> results = traced(x, y), expected = body(x, y);
  ASSERT_EQ(results.size(), expected.size());
  for (size_t i = 0; i < results.size(); ++i) {
    ASSERT_TRUE(results[i].status().ok()) << i << ": " << results[i].status().message();
    EXPECT_EQ(results[i].ToString(), expected[i].ToString()) << i;
  }
}

TEST_F(TracedArraysTest, AllPairsOfDTypesMeetAsTheyDoOutside) {
  ExpectSame("pairs", [](std::span<const Tensor> x, std::span<const Tensor> y) {
    std::vector<Tensor> results;
    for (size_t i = 0; i < x.size(); ++i) {
      for (size_t j = 0; j < y.size(); ++j) {
        results.push_back(x[i] + y[j]);
        EXPECT_EQ(results.back().dtype().value(), eager::MeetingPoint(i, j)) << i << " " << j;
      }
    }
    return results;
  });
}

TEST_F(TracedArraysTest, OperatorsComputeWhatTheyDoOutside) {
  ExpectSame("operators", [](std::span<const Tensor> x, std::span<const Tensor> y) {
    std::vector<Tensor> results;
    for (size_t i = 0; i < x.size(); ++i) {
      const Tensor &a = x[i], &b = y[(i + 5) % y.size()];
      for (Tensor each : {a * b, a / b, a < b, a == b, !a, a * 2, 0.5 + a, arrays::Sqrt(a),
                          arrays::LogicalXor(a, b), arrays::IsFinite(a)}) {
        results.push_back(std::move(each));
      }
      if (a.dtype().value() == DType::kI1) continue;
      results.push_back(-a % b);
      results.push_back(arrays::FloorDivide(a, 4));
      results.push_back(arrays::Clip(a, 1, 5));
      results.push_back(a);
      results.back() -= 1;
    }
    return results;
  });
}

TEST_F(TracedArraysTest, ErrorsAreErrorsOfTheCall) {
  Function<Tensor(Tensor)> wrong("wrong", [](const Tensor& x) { return x + 300; }, Quiet());
  const Tensor result = wrong(Tensor::FromArray(HostArray({1}, std::array<uint8_t, 1>{1})));
  EXPECT_THAT(std::string(result.status().message()),
              AllOf(HasSubstr("arrays_test.cc:"),
                    HasSubstr("add: y: the number 300 does not fit elements of u8")));
  Function<Tensor(Tensor)> kind(
      "kind",
      [](Tensor x) {
        x /= 2;
        return x;
      },
      Quiet());
  EXPECT_THAT(std::string(kind(Tensor::Of({1, 2})).status().message()),
              HasSubstr("keeps the dtype of its left side, which is i32"));
}

}  // namespace
}  // namespace tfrt::function
