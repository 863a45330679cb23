// Images at other sizes and places, and images made of blocks, on a GPU, or its double, beside the
// CPU.
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
using testing::Each;
using testing::HasSubstr;

class SamplingRowsTest : public RowsTest {
 protected:
  std::string ErrorOf(std::string_view row, const std::vector<HostArray>& arrays,
                      const SetAttrs& attrs = {}) {
    auto results = Run("gpu:0", row, arrays, attrs, 1);
    EXPECT_FALSE(results.ok());
    return std::string(results.status().message());
  }
};

TEST_F(SamplingRowsTest, ResizeToTheNearest) {
  for (DType dtype : {DType::kI8, DType::kBF16, DType::kF32, DType::kUI64}) {
    for (const char* coordinates :
         {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
          "tf_half_pixel_for_nn", "tf_crop_and_resize"}) {
      for (const char* nearest : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
        SCOPED_TRACE(StrCat(DTypeName(dtype), " ", coordinates, " ", nearest));
        auto attrs = [&](OpAttrs& made) {
          made.SetString("coordinates", coordinates);
          made.SetString("nearest", nearest);
          if (dtype != DType::kUI64) made.Set("extrapolation_value", 3.0f);
        };
        const HostArray x = RandomBytes(dtype, {2, 5, 1, 7});
        Expect("resize", {x, Integers({2, 8, 4, 3})}, attrs);
        Expect("resize",
               {x, Integers({2, 3, 1, 21}), HostArray({4}, {1.0f, 0.6f, 1.0f, 3.0f}),
                HostArray({8}, {0.0f, -0.2f, 0.0f, 0.3f, 1.0f, 1.1f, 1.0f, 0.9f})},
               attrs);
      }
    }
  }
  Expect("resize", {RandomBytes(DType::kComplex64, {3}), Integers({3})});  // stays as it is
  Expect("resize", {Random({0, 3}), Integers({0, 5})});
  EXPECT_THAT(ErrorOf("resize", {Random({0, 3}), Integers({2, 5})}),
              HasSubstr("nothing of the shape [0, 3] can become [2, 5]"));
  EXPECT_THAT(ErrorOf("resize", {Random({3}), Integers({5}), HostArray({1}, {-1.0f})}),
              HasSubstr("scale 0 is not above 0"));
  EXPECT_THAT(ErrorOf("resize", {RandomBytes(DType::kComplex64, {3}), Integers({5})},
                      [](OpAttrs& attrs) { attrs.Set("extrapolation_value", 1.0f); }),
              HasSubstr("a tensor of complex64 has no extrapolation value"));
}

TEST_F(SamplingRowsTest, ResizeByWeights) {
  for (DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kI32, DType::kUI8}) {
    for (const char* mode : {"linear", "cubic"}) {
      for (bool antialias : {false, true}) {
        for (bool excludes : {false, true}) {
          SCOPED_TRACE(StrCat(DTypeName(dtype), " ", mode, " ", antialias, " ", excludes));
          // Results of integers are rounded, at times to the other one.
          const double tolerance = dtype == DType::kF64   ? 1e-12
                                   : dtype == DType::kF32 ? 1e-5
                                   : dtype == DType::kF16 ? 4e-3
                                                          : 1;
          auto attrs = [&](OpAttrs& made) {
            made.SetString("mode", mode);
            made.Set("antialias", antialias);
            made.Set("exclude_outside", excludes);
          };
          const HostArray x = RandomOf(dtype, {2, 6, 3, 5}, 100);
          ExpectNear("resize", {x, Integers({2, 4, 7, 2})}, tolerance, attrs);
          ExpectNear("resize", {x, Integers({3, 6, 3, 9})}, tolerance, attrs);
        }
      }
    }
  }
  ExpectNear("resize",
             {Random({1, 4, 5}), Integers({1, 3, 6}), HostArray({3}, {1.0f, 0.75f, 1.2f}),
              HostArray({6}, {0.0f, -0.2f, 0.3f, 1.0f, 1.1f, 0.9f})},
             1e-5, [](OpAttrs& attrs) {
               attrs.SetString("mode", "cubic");
               attrs.SetString("coordinates", "tf_crop_and_resize");
               attrs.Set("extrapolation_value", -7.0f);
             });
}

TEST_F(SamplingRowsTest, GridSample) {
  for (DType dtype : {DType::kF32, DType::kF64}) {
    const double tolerance = dtype == DType::kF32 ? 1e-4 : 1e-12;
    for (const char* mode : {"nearest", "linear", "cubic"}) {
      for (const char* padding : {"zeros", "border", "reflection"}) {
        for (bool corners : {false, true}) {
          SCOPED_TRACE(StrCat(DTypeName(dtype), " ", mode, " ", padding, " ", corners));
          auto attrs = [&](OpAttrs& made) {
            made.SetString("mode", mode);
            made.SetString("padding", padding);
            made.Set("align_corners", corners);
          };
          auto sample = [&](std::vector<int64_t> image, std::vector<int64_t> grid) {
            ExpectNear("grid_sample", {RandomOf(dtype, image), RandomOf(dtype, grid, 2.5)},
                       tolerance, attrs);
          };
          sample({2, 3, 5}, {2, 40, 1});
          sample({2, 3, 4, 5}, {2, 6, 7, 2});
          sample({1, 2, 3, 1, 4}, {1, 5, 3, 4, 3});
        }
      }
    }
  }
  EXPECT_THAT(ErrorOf("grid_sample", {Random({1, 1, 2, 2, 2, 2}), Random({1, 1, 1, 1, 1, 4})}),
              HasSubstr("images of 4 dimensions, where GPUs have 3 at most"));
  EXPECT_THAT(ErrorOf("grid_sample", {Random({1, 1, 0}), Random({1, 3, 1})}),
              HasSubstr("there is nothing to sample in the shape [1, 1, 0]"));
  EXPECT_THAT(ErrorOf("grid_sample", {Random({1, 1, 2}), Random({1, 3, 1})},
                      [](OpAttrs& attrs) { attrs.SetString("mode", "area"); }),
              HasSubstr("unknown mode 'area'"));
}

TEST_F(SamplingRowsTest, RoiAlign) {
  std::vector<float> boxes;
  for (float x : {0.0f, 1.5f, -3.0f, 4.0f}) {
    for (float size : {0.5f, 3.0f, 9.0f}) boxes.insert(boxes.end(), {x, x / 2, x + size, size});
  }
  const auto count = static_cast<int64_t>(boxes.size() / 4);
  std::vector<int64_t> images(boxes.size() / 4);
  for (size_t i = 0; i < images.size(); ++i) images[i] = static_cast<int64_t>(i % 2);
  const HostArray image = RandomOf(DType::kF32, {2, 3, 7, 6});
  for (const char* mode : {"avg", "max"}) {
    for (int64_t samples : {0, 2}) {
      for (bool half_pixel : {true, false}) {
        ExpectNear("roi_align", {image, HostArray({count, 4}, boxes), HostArray({count}, images)},
                   1e-5, [&](OpAttrs& attrs) {
                     attrs.SetString("mode", mode);
                     attrs.Set("samples", int64_t{samples});
                     attrs.Set("half_pixel", half_pixel);
                     attrs.Set("height", int64_t{3});
                     attrs.Set("width", int64_t{2});
                     attrs.Set("scale", 0.75f);
                   });
      }
    }
  }
  // What the host refuses is nothing here.
  EXPECT_THAT(Floats("roi_align",
                     {image, HostArray({2, 4}, {0.0f, 0.0f, 3.0f, 3.0f, 0.0f, 0.0f, 3e8f, 3e8f}),
                      HostArray({2}, {2, 0})}),
              Each(0.0f));
}

TEST_F(SamplingRowsTest, AddBlocks) {
  for (DType dtype :
       {DType::kF16, DType::kBF16, DType::kF32, DType::kF64, DType::kI32, DType::kI64}) {
    SCOPED_TRACE(std::string(DTypeName(dtype)));
    Expect("add_blocks", {RandomOf(dtype, {2, 3 * 4, 10}, 99), Integers({13}), Integers({4})});
    Expect("add_blocks", {RandomOf(dtype, {1, 2 * 6, 12}, 99), Integers({6, 7}), Integers({2, 3})},
           [](OpAttrs& attrs) {
             const int64_t strides[] = {2, 1}, dilations[] = {1, 2}, pads[] = {0, 1, 1, 0};
             attrs.SetArray<int64_t>("strides", strides);
             attrs.SetArray<int64_t>("dilations", dilations);
             attrs.SetArray<int64_t>("pads", pads);
           });
    Expect("add_blocks",
           {RandomOf(dtype, {2, 8, 18}, 99), Integers({3, 4, 4}), Integers({2, 2, 2})});
  }
  EXPECT_THAT(ErrorOf("add_blocks", {Random({1, 4, 5}), Integers({13}), Integers({4})}),
              HasSubstr("there are 5 blocks, expected 10"));
  EXPECT_THAT(
      ErrorOf("add_blocks", {Random({1, 1, 1}), Integers({1, 1, 1, 1}), Integers({1, 1, 1, 1})}),
      HasSubstr("images of 4 dimensions, where GPUs have 3 at most"));
}

}  // namespace
}  // namespace tfrt::gpu
