// Pools of images with any order of channels, against their definitions.

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "graph_op_runner.h"
#include "image_reference.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

const ImageCase kPoolingCases[] = {
    {.in = {9}, .kernel = {3}, .batch = 2, .inputs = 3},
    {.in = {9}, .kernel = {2}, .inputs = 3, .strides = {2}, .pads = {1, 0}},
    {.in = {12, 11},
     .kernel = {3, 3},
     .batch = 2,
     .inputs = 33,
     .strides = {2, 2},
     .pads = {1, 1, 1, 1}},
    {.in = {10, 10},
     .kernel = {3, 2},
     .inputs = 4,
     .strides = {3, 4},
     .dilations = {2, 3},
     .pads = {0, 1, 1, 2}},
    {.in = {7, 8}, .kernel = {3, 3}, .inputs = 5, .strides = {2, 2}, .padding = "same_upper"},
    {.in = {7, 8}, .kernel = {3, 2}, .inputs = 5, .strides = {2, 2}, .padding = "same_lower"},
    {.in = {5, 6, 7},
     .kernel = {2, 3, 2},
     .batch = 2,
     .inputs = 3,
     .strides = {2, 1, 2},
     .pads = {1, 1, 0, 0, 1, 1}},
    {.in = {50, 60}, .kernel = {3, 3}, .inputs = 9, .pads = {1, 1, 1, 1}},
};

class PoolingOpsTest : public testing::TestWithParam<const char*> {
 protected:
  using Window = std::function<double(const Doubles& elements, int64_t padded_taps)>;

  // [N,C,out...], by what `window` makes of the elements of each.
  static Doubles Expected(const ImageCase& c, bool ceil, const Doubles& image,
                          const Window& window) {
    const std::vector<ImageCase::Window> windows = c.Windows(ceil);
    Doubles result;
    for (int64_t plane = 0; plane < c.batch * c.inputs; ++plane) {
      for (const ImageCase::Window& taps : windows) {
        Doubles elements;
        int64_t padded = 0;
        for (const ImageCase::Tap& tap : taps) {
          padded += tap.padded;
          if (tap.at >= 0) elements.push_back(image[plane * c.Product(c.in) + tap.at]);
        }
        result.push_back(window(elements, padded));
      }
    }
    return result;
  }

  static void SetAttrs(const ImageCase& c, bool ceil, bool last, OpAttrs& attrs) {
    attrs.Set("channels_last", last);
    attrs.Set("ceil", ceil);
    attrs.SetString("padding", c.padding);
    attrs.SetArray("kernel", std::span<const int64_t>(c.kernel));
    attrs.SetArray("strides", std::span<const int64_t>(c.strides));
    attrs.SetArray("dilations", std::span<const int64_t>(c.dilations));
    attrs.SetArray("pads", std::span<const int64_t>(c.pads));
  }

  template <typename T>
  void Check(
      std::string_view op, double tolerance, const Window& window,
      const std::function<void(OpAttrs&)>& set = [](OpAttrs&) {}) {
    for (const ImageCase& c : kPoolingCases) {
      Doubles image = RandomEighths(c.batch * c.inputs * c.Product(c.in), 5);
      for (double& element : image) element = std::is_integral_v<T> ? element * 8 + 8 : element;
      for (bool ceil : {false, true}) {
        const Doubles expected = Expected(c, ceil, image, window);
        for (bool last : {false, true}) {
          SCOPED_TRACE(StrCat(op, " of ", DTypeName(DTypeOf<T>()), " ", c.in[0], " ceil ",
                              int{ceil}, " last ", int{last}));
          OpAttrs attrs;
          SetAttrs(c, ceil, last, attrs);
          set(attrs);
          const Doubles in = last ? ChannelsLast(image, c.batch, c.inputs) : image;
          std::vector<T> elements;
          for (double value : in) elements.push_back(static_cast<T>(static_cast<float>(value)));
          const size_t num_results = op == "graph.max_pool_with_places" ? 2 : 1;
          TensorHandle result = std::move(runner_.Run(
              op, {runner_.Dense<T>(ShapeWith(c.in, c.batch, c.inputs, last), elements)}, attrs,
              num_results)[0]);
          ASSERT_FALSE(result.IsError()) << result.async_tensor()->GetError().message();
          const T* actual = static_cast<const T*>(DenseOf(result).data());
          const Doubles wanted = last ? ChannelsLast(expected, c.batch, c.inputs) : expected;
          ASSERT_EQ(DenseOf(result).num_elements(), static_cast<int64_t>(wanted.size()));
          for (size_t i = 0; i < wanted.size(); ++i) {
            if (std::isnan(wanted[i])) {
              ASSERT_NE(static_cast<double>(actual[i]), static_cast<double>(actual[i])) << i;
            } else {
              ASSERT_NEAR(static_cast<double>(actual[i]), wanted[i], tolerance) << i;
            }
          }
        }
      }
    }
  }

  static double SumOf(const Doubles& elements) {
    double sum = 0;
    for (double element : elements) sum += element;
    return sum;
  }

  GraphOpRunner runner_{GetParam()};
};

TEST_P(PoolingOpsTest, Max) {
  const Window largest = [](const Doubles& elements, int64_t) {
    double value = -std::numeric_limits<double>::infinity();
    for (double element : elements) value = std::max(value, element);
    return value;
  };
  Check<float>("graph.max_pool", 0, largest);
  Check<double>("graph.max_pool", 0, largest);
  Check<Fp16>("graph.max_pool", 0, largest);
  Check<float>("graph.max_pool_with_places", 0, largest);
  auto from = [](double least) -> Window {
    return [least](const Doubles& elements, int64_t) {
      return std::accumulate(elements.begin(), elements.end(), least,
                             [](double a, double b) { return std::max(a, b); });
    };
  };
  Check<uint8_t>("graph.max_pool", 0, from(0));
  Check<int8_t>("graph.max_pool", 0, from(-128));
}

TEST_P(PoolingOpsTest, Average) {
  const Window mean = [](const Doubles& elements, int64_t) {
    return SumOf(elements) / static_cast<double>(elements.size());
  };
  const Window padded_mean = [](const Doubles& elements, int64_t taps) {
    return SumOf(elements) / static_cast<double>(taps);
  };
  auto count_padding = [](OpAttrs& attrs) { attrs.Set("count_padding", true); };
  Check<float>("graph.average_pool", 1e-6, mean);
  Check<float>("graph.average_pool", 1e-6, padded_mean, count_padding);
  Check<double>("graph.average_pool", 1e-14, padded_mean, count_padding);
  Check<Bf16>("graph.average_pool", 0.01, mean);
}

TEST_P(PoolingOpsTest, Norms) {
  for (int64_t p : {1, 2, 3}) {
    const Window norm = [p](const Doubles& elements, int64_t) {
      double sum = 0;
      for (double element : elements) sum += std::pow(std::fabs(element), static_cast<double>(p));
      return std::pow(sum, 1.0 / static_cast<double>(p));
    };
    Check<float>("graph.lp_pool", 1e-5, norm, [p](OpAttrs& attrs) { attrs.Set("p", p); });
  }
}

INSTANTIATE_TEST_SUITE_P(Queues, PoolingOpsTest, testing::Values("s", "mstd:2"),
                         [](const auto& info) {
                           return std::string(info.param) == "s" ? "OneThread" : "Threads";
                         });

TEST(PoolingPlacesTest, TheFirstOfTheLargest) {
  GraphOpRunner runner;
  OpAttrs attrs;
  const int64_t kernel[] = {2, 2};
  attrs.SetArray("kernel", std::span<const int64_t>(kernel));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TensorHandle in = runner.Dense<float>({1, 2, 2, 3}, {1, 5, 5, 2, 5, 0, nan, 1, 2, 3, 3, nan});
  Handles results = runner.Run("graph.max_pool_with_places", {in}, attrs, 2);
  EXPECT_EQ(results[1].tensor()->ToString(),
            "DenseHostTensor dtype = i64, shape = [1, 2, 1, 2], values = [1, 1, 6, 11]");
  attrs.Set("channels_last", true);
  in = runner.Dense<int8_t>({1, 2, 2, 2}, {-4, 3, 2, 1, 2, 3, -5, 7});
  results = runner.Run("graph.max_pool_with_places", {in}, attrs, 2);
  EXPECT_EQ(results[0].tensor()->ToString(),
            "DenseHostTensor dtype = i8, shape = [1, 1, 1, 2], values = [2, 7]");
  EXPECT_EQ(results[1].tensor()->ToString(),
            "DenseHostTensor dtype = i64, shape = [1, 1, 1, 2], values = [2, 7]");
}

TEST(PoolingOpErrorsTest, Refused) {
  GraphOpRunner runner;
  OpAttrs attrs;
  const int64_t kernel[] = {2, 2};
  attrs.SetArray("kernel", std::span<const int64_t>(kernel));
  EXPECT_EQ(runner.Error("graph.average_pool", {runner.Zeros(DType::kI32, {1, 1, 2, 2})}, attrs),
            "no average pooling of i32");
  EXPECT_EQ(runner.Error("graph.max_pool", {runner.Zeros(DType::kI1, {1, 1, 2, 2})}, attrs),
            "no max pooling of i1");
  attrs.Set("p", int64_t{0});
  EXPECT_EQ(runner.Error("graph.lp_pool", {runner.Floats({1, 1, 2, 2})}, attrs),
            "p is 0, expected 1 or more");
}

}  // namespace
}  // namespace tfrt
