// Products and convolutions in the forms that models have them, and quantized numbers, on a GPU, or
// its double, beside the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "test/gpu/unit/ops/rows_fixture.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using testing::HasSubstr;

using LayerRowsTest = RowsTest;

TEST_F(LayerRowsTest, FusedBatchMatMul) {
  for (DType dtype : {DType::kF32, DType::kF16, DType::kBF16}) {
    SCOPED_TRACE(std::string(DTypeName(dtype)));
    auto random = [&](std::vector<int64_t> dims) { return RandomOf(dtype, std::move(dims)); };
    auto expect = [&](const std::vector<HostArray>& arrays, const SetAttrs& attrs = {}) {
      ExpectNear("fused_batch_matmul", arrays, Tolerance(dtype), attrs);
    };
    const HostArray a = random({2, 20, 9}), b = random({9, 13}), bias = random({13});
    expect({a, b});
    expect({a, b, bias});
    for (const char* activation :
         {"relu", "clip", "gelu", "gelu_tanh", "sigmoid", "tanh", "leaky_relu", "hard_sigmoid",
          "hard_swish", "swish", "elu", "softplus", "mish"}) {
      SCOPED_TRACE(activation);
      expect({a, b, bias, random({13})}, [&](OpAttrs& attrs) {
        attrs.SetString("activation", activation);
        attrs.Set("alpha", 0.25f);
        attrs.Set("beta", 0.5f);
      });
    }
    for (float scale : {1.0f, -0.5f}) {
      expect({a, b, bias, random({2, 20, 13})}, [&](OpAttrs& attrs) {
        attrs.Set("scale", scale);
        attrs.SetString("activation", "clip");
        attrs.Set("alpha", 0.0f);
        attrs.Set("beta", 6.0f);
      });
      expect({random({3, 9, 20}), random({1, 13, 9})}, [&](OpAttrs& attrs) {
        attrs.Set("scale", scale);
        attrs.Set("transpose_a", true);
        attrs.Set("transpose_b", true);
      });
      // One row, cut into parts; and no products at all.
      expect({random({1, 3000}), random({3000, 70}), random({70}), random({1, 1})},
             [&](OpAttrs& attrs) { attrs.Set("scale", scale / 8); });
      expect({random({4, 0}), random({0, 3}), random({3})},
             [&](OpAttrs& attrs) { attrs.Set("scale", scale); });
    }
    expect({random({0, 9}), b, bias});
  }
}

TEST_F(LayerRowsTest, ConvTranspose) {
  struct Case {
    std::vector<int64_t> image, filter;  // [N,I,...], [I,O/groups,...]
    std::vector<int64_t> strides, dilations, pads, output_padding;
    int64_t groups = 1;
    const char* padding = "explicit";
  };
  const Case cases[] = {{{2, 3, 5}, {3, 4, 3}, {2}, {1}, {1, 0}, {1}},
                        {{2, 4, 5, 6}, {4, 3, 3, 2}, {2, 1}, {1, 2}, {1, 0, 0, 1}, {}, 2},
                        {{1, 6, 4, 4}, {6, 1, 4, 4}, {2, 2}, {1, 1}, {1, 1, 1, 1}, {0, 1}, 6},
                        {{1, 2, 3, 4, 3}, {2, 3, 2, 3, 2}, {1, 2, 3}, {2, 1, 1}, {}, {0, 1, 0}},
                        {{1, 2, 5, 5}, {2, 3, 3, 4}, {2, 3}, {1, 1}, {}, {1, 0}, 1, "same_upper"},
                        {{1, 2, 5, 5}, {2, 3, 3, 4}, {2, 3}, {1, 1}, {}, {}, 1, "same_lower"},
                        {{1, 2, 5, 5}, {2, 3, 3, 4}, {2, 3}, {1, 1}, {}, {1, 2}, 1, "same_lower"},
                        {{1, 2, 0}, {2, 3, 4}, {1}, {1}, {}, {}}};
  auto last = [](std::vector<int64_t> dims, bool is_filter) {
    std::vector<int64_t> moved(dims.begin() + 2, dims.end());
    moved.insert(is_filter ? moved.end() : moved.begin(), is_filter ? dims[1] : dims[0]);
    moved.push_back(is_filter ? dims[0] : dims[1]);
    return moved;
  };
  for (DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kBF16}) {
    SCOPED_TRACE(std::string(DTypeName(dtype)));
    for (const Case& each : cases) {
      for (bool channels_last : {false, true}) {
        // Types differ in how elements are read and written, and in nothing else.
        if (dtype != DType::kF32 && channels_last != (dtype == DType::kF16)) continue;
        const HostArray image =
            RandomOf(dtype, channels_last ? last(each.image, /*is_filter=*/false) : each.image);
        const HostArray filter =
            RandomOf(dtype, channels_last ? last(each.filter, /*is_filter=*/true) : each.filter);
        const HostArray bias = RandomOf(dtype, {each.filter[1] * each.groups});
        auto attrs = [&](OpAttrs& made) {
          made.Set("channels_last", channels_last);
          made.Set("groups", each.groups);
          made.SetString("padding", each.padding);
          made.SetArray<int64_t>("strides", each.strides);
          made.SetArray<int64_t>("dilations", each.dilations);
          made.SetArray<int64_t>("pads", each.pads);
          made.SetArray<int64_t>("output_padding", each.output_padding);
        };
        ExpectNear("conv_transpose", {image, filter, bias}, Tolerance(dtype), attrs);
        if (dtype != DType::kF32) continue;
        ExpectNear("conv_transpose", {image, filter}, Tolerance(dtype), attrs);
      }
    }
  }
  EXPECT_THAT(ErrorOf("conv_transpose", {Random({1, 3, 4}), Random({3, 2, 2})},
                      [](OpAttrs& attrs) { attrs.Set("groups", int64_t{2}); }),
              HasSubstr("the filter [3, 2, 2] is not for 4 channels in 2 groups"));
}

TEST_F(LayerRowsTest, MatMulInteger) {
  for (DType a : {DType::kI8, DType::kUI8}) {
    for (DType b : {DType::kI8, DType::kUI8}) {
      Expect("matmul_integer", {RandomBytes(a, {5, 70}), RandomBytes(b, {70, 9})});
      Expect("matmul_integer", {RandomBytes(a, {3, 5, 7}), RandomBytes(b, {7, 9}),
                                RandomBytes(a, {}), RandomBytes(b, {9})});
      Expect("matmul_integer", {RandomBytes(a, {3, 20, 7}), RandomBytes(b, {3, 7, 9}),
                                RandomBytes(a, {20}), RandomBytes(b, {1})});
      Expect("matmul_integer",
             {RandomBytes(a, {3, 5, 7}), RandomBytes(b, {3, 7, 9}), RandomBytes(a, {3, 5, 1})});
      Expect("matmul_integer", {RandomBytes(a, {2, 0}), RandomBytes(b, {0, 3})});
    }
  }
  const HostArray a = RandomBytes(DType::kI8, {5, 7}), b = RandomBytes(DType::kI8, {7, 9});
  EXPECT_THAT(ErrorOf("matmul_integer", {a, b, RandomBytes(DType::kI8, {4})}),
              HasSubstr("the zero points of the rows have the shape [4], expected one or 5"));
  EXPECT_THAT(
      ErrorOf("matmul_integer", {a, b, RandomBytes(DType::kI8, {}), RandomBytes(DType::kI8, {5})}),
      HasSubstr("the zero points of the columns have the shape [5], expected one or 9"));
}

TEST_F(LayerRowsTest, ConvInteger) {
  for (DType dtype : {DType::kI8, DType::kUI8}) {
    for (bool channels_last : {false, true}) {
      const HostArray image = RandomBytes(dtype, channels_last ? std::vector<int64_t>{2, 7, 6, 4}
                                                               : std::vector<int64_t>{2, 4, 7, 6});
      const HostArray filter = RandomBytes(dtype, channels_last ? std::vector<int64_t>{3, 2, 2, 6}
                                                                : std::vector<int64_t>{6, 2, 3, 2});
      auto attrs = [&](OpAttrs& made) {
        const int64_t strides[] = {2, 1}, pads[] = {1, 0, 1, 2};
        made.Set("channels_last", channels_last);
        made.Set("groups", int64_t{2});
        made.SetArray<int64_t>("strides", strides);
        made.SetArray<int64_t>("pads", pads);
      };
      Expect("conv_integer", {image, filter}, attrs);
      Expect("conv_integer", {image, filter, RandomBytes(dtype, {}), RandomBytes(dtype, {6})},
             attrs);
      Expect("conv_integer", {image, filter, RandomBytes(dtype, {1}), RandomBytes(dtype, {})},
             attrs);
    }
  }
  EXPECT_THAT(
      ErrorOf("conv_integer", {RandomBytes(DType::kI8, {1, 2, 4}),
                               RandomBytes(DType::kI8, {3, 2, 2}), RandomBytes(DType::kI8, {2})}),
      HasSubstr("the zero points of the input have the shape [2], expected one or 1"));
}

TEST_F(LayerRowsTest, Attention) {
  struct Case {
    int64_t batch, heads, kv_heads, queries, keys, size, value_size;
    std::vector<int64_t> mask;  // empty: none
  };
  const Case cases[] = {{2, 3, 3, 5, 5, 8, 8, {}},
                        {1, 4, 2, 70, 70, 20, 33, {70, 70}},
                        {2, 2, 1, 1, 130, 16, 150, {2, 1, 1, 130}},
                        {1, 2, 2, 66, 9, 3, 1, {2, 1, 9}},
                        {1, 2, 1, 9, 200, 17, 5, {1, 1}},
                        {2, 1, 1, 3, 0, 4, 5, {}},
                        {1, 1, 1, 0, 4, 4, 4, {}},
                        {1, 1, 1, 3, 4, 0, 2, {}}};
  for (DType dtype : {DType::kF32, DType::kF16, DType::kBF16}) {
    SCOPED_TRACE(std::string(DTypeName(dtype)));
    for (const Case& each : cases) {
      for (bool heads_last : {false, true}) {
        auto random = [&](int64_t heads, int64_t steps, int64_t size) {
          return heads_last ? RandomOf(dtype, {each.batch, steps, heads, size})
                            : RandomOf(dtype, {each.batch, heads, steps, size});
        };
        const std::vector<HostArray> qkv = {random(each.heads, each.queries, each.size),
                                            random(each.kv_heads, each.keys, each.size),
                                            random(each.kv_heads, each.keys, each.value_size)};
        std::vector<std::vector<HostArray>> all = {qkv};
        if (!each.mask.empty()) {
          std::vector<HostArray> added = qkv, counts = qkv;
          added.push_back(RandomOf(dtype, each.mask, 3));
          counts.push_back(RandomTruths(each.mask));
          all = {added, counts};
        }
        for (int causal : {0, 1, 2}) {
          // Types differ in how elements are read and written, and in nothing else.
          if (dtype != DType::kF32 && causal != (heads_last ? 0 : 2)) continue;
          for (const std::vector<HostArray>& arrays : all) {
            ExpectNear("attention", arrays, Tolerance(dtype), [&](OpAttrs& attrs) {
              attrs.Set("scale", 0.5f);
              attrs.SetString("layout", heads_last ? "bshd" : "bhsd");
              attrs.Set("causal", causal != 0);
              attrs.Set("causal_at_end", causal == 2);
              attrs.Set("masked_rows_are_zero", causal != 1);
            });
          }
        }
      }
    }
  }
  EXPECT_THAT(ErrorOf("attention",
                      {RandomOf(DType::kF64, {1, 1, 2, 2}), RandomOf(DType::kF64, {1, 1, 2, 2}),
                       RandomOf(DType::kF64, {1, 1, 2, 2})}),
              HasSubstr("has no kernel"));
}

// Scores that grow from one part of the keys to the next, and numbers that are none.
TEST_F(LayerRowsTest, AttentionOfLargeScores) {
  std::vector<float> keys(200), mask(4 * 200);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<float>(i);
  for (size_t i = 0; i < 200; ++i) {
    mask[i] = -INFINITY;                      // no key counts
    mask[200 + i] = i < 100 ? -INFINITY : 0;  // none of the first part
    mask[400 + i] = i == 150 ? std::nanf("") : 0;
  }
  const std::vector<HostArray> arrays = {
      HostArray({1, 1, 4, 1}, std::vector<float>{1, -50, 1, 0.5f}), HostArray({1, 1, 200, 1}, keys),
      HostArray({1, 1, 200, 1}, keys), HostArray({4, 200}, mask)};
  for (bool is_zero : {false, true}) {
    ExpectNear("attention", arrays, 1e-6,
               [&](OpAttrs& attrs) { attrs.Set("masked_rows_are_zero", is_zero); });
  }
}

// The cases of NumPy have no axis of many places, and no addresses where vectors may not begin.
TEST_F(LayerRowsTest, Quantization) {
  for (DType floats : {DType::kF32, DType::kF16, DType::kBF16}) {
    for (DType integers : {DType::kI8, DType::kUI8, DType::kI16, DType::kUI16}) {
      SCOPED_TRACE(StrCat(DTypeName(floats), " ", DTypeName(integers)));
      const HostArray x = RandomOf(floats, {3, 65, 7}, 400), q = RandomBytes(integers, {3, 65, 7});
      for (int64_t block : {0, 4}) {
        const std::vector<int64_t> dims =
            block == 0 ? std::vector<int64_t>{65} : std::vector<int64_t>{3, 17, 7};
        const HostArray scale = ScalesOf(floats, dims), zero = RandomBytes(integers, dims);
        auto attrs = [&](OpAttrs& made) {
          made.Set("block", int64_t{block});
          made.Set("axis", int64_t{-2});
        };
        Expect("quantize", {x, scale, zero}, attrs);
        Expect("dequantize", {q, scale, zero}, attrs);
        Expect("dequantize", {q, scale}, attrs);
      }
      Expect("quantize", {x, ScalesOf(floats, {}), RandomBytes(integers, {})});
      Expect("dequantize", {q, ScalesOf(floats, {}), RandomBytes(integers, {})});
    }
    Expect("dequantize",
           {RandomBytes(DType::kI32, {50}), ScalesOf(floats, {50}), RandomBytes(DType::kI32, {50})},
           [](OpAttrs& attrs) { attrs.Set("axis", int64_t{0}); });
  }
  Expect("dynamic_quantize", {RandomOf(DType::kF32, {40'003}, 5)}, {}, 3);
  Expect("dynamic_quantize", {RandomBytes(DType::kF32, {1000})}, {}, 3);  // NaN, infinities
  EXPECT_THAT(ErrorOf("dynamic_quantize", {RandomOf(DType::kF64, {3})}),
              HasSubstr("has no kernel"));
  EXPECT_THAT(ErrorOf("quantize", {RandomOf(DType::kF32, {3}), RandomOf(DType::kF16, {})}),
              HasSubstr("dtypes f32 and f16"));
}

}  // namespace
}  // namespace tfrt::gpu
