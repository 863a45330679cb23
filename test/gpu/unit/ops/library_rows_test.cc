// Products, convolutions and pools by cuBLAS and cuDNN, or by their doubles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/tracing/tracing.h"
#include "test/gpu/unit/ops/rows_fixture.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using testing::Contains;
using testing::HasSubstr;

// Keeps what is recorded of libraries.
class LibraryRecords final : public tracing::Sink {
 public:
  LibraryRecords() { tracing::AddSink(this, tracing::Level::kVerbose); }
  ~LibraryRecords() override { tracing::RemoveSink(this); }
  void PushScope(std::string_view) override {}
  void PopScope() override {}
  void RecordEvent(std::string_view name) override {
    std::lock_guard lock(mutex_);
    if (name.starts_with("gpu.library ")) texts_.emplace_back(name);
  }
  std::vector<std::string> Take() {
    std::lock_guard lock(mutex_);
    return std::exchange(texts_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;  // under mutex_
};

class LibraryRowsTest : public RowsTest {
 protected:
  void SetUp() override {
    GpuDouble::Get().ClearCalls();
    Choose("vendor");
  }
  void TearDown() override {
    context_.reset();
    if (GpuDouble::Get().is_double()) EXPECT_EQ(0, GpuDouble::Get().Inject(""));
    unsetenv("TFRT_GPU_LIBRARIES");
    RowsTest::TearDown();
  }
  // A context whose ops use libraries as the variable says.
  void Choose(const char* choice) {
    context_.reset();
    setenv("TFRT_GPU_LIBRARIES", choice, /*overwrite=*/1);
    RowsTest::SetUp();
  }
  // The library and kernels of ours give the same numbers, but for so much of each, or of 1.
  void ExpectLikeOwn(std::string_view row, const std::vector<HostArray>& arrays, double tolerance,
                     const SetAttrs& attrs) {
    SCOPED_TRACE(row);
    auto numbers = [&]() -> std::vector<double> {
      auto results = Run("gpu:0", row, arrays, attrs, 1);
      EXPECT_TRUE(results.ok()) << results.status().message();
      return results.ok() ? Numbers((*results)[0]) : std::vector<double>();
    };
    const std::vector<double> got = numbers();
    Choose("own");
    const std::vector<double> expected = numbers();
    Choose("vendor");
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_NEAR(got[i], expected[i], tolerance * std::fmax(1, std::fabs(expected[i]))) << i;
    }
  }
  // So many calls of a library enqueued products, or runs of plans. A GPU counts none.
  void ExpectProducts(uint64_t number) const {
    uint64_t got = 0;
    for (const char* function : {"cublasLtMatmul", "cublasGemmEx", "cublasGemmStridedBatchedEx"}) {
      got += GpuDouble::Get().NumCalls(function);
    }
    if (GpuDouble::Get().is_double()) EXPECT_EQ(got, number);
  }
  void ExpectPlanRuns(uint64_t number) const {
    if (!GpuDouble::Get().is_double()) return;
    EXPECT_EQ(GpuDouble::Get().NumCalls("cudnnBackendExecute"), number);
  }
};

constexpr DType kFloats[] = {DType::kF32, DType::kF16, DType::kBF16};

TEST_F(LibraryRowsTest, Products) {
  for (DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kBF16}) {
    SCOPED_TRACE(std::string(DTypeName(dtype)));
    for (bool transpose_a : {false, true}) {
      for (bool transpose_b : {false, true}) {
        auto attrs = [&](OpAttrs& made) {
          made.Set("transpose_a", transpose_a);
          made.Set("transpose_b", transpose_b);
        };
        const HostArray a = RandomOf(
            dtype, transpose_a ? std::vector<int64_t>{24, 16} : std::vector<int64_t>{16, 24});
        const HostArray b = RandomOf(
            dtype, transpose_b ? std::vector<int64_t>{40, 24} : std::vector<int64_t>{24, 40});
        ExpectNear("matmul", {a, b}, Tolerance(dtype), attrs);
      }
    }
  }
  ExpectProducts(16);
}

// The bias is one of columns, which are the library's rows. The library has an epilogue for Relu,
// and kernels of ours do the rest.
TEST_F(LibraryRowsTest, ProductsWithABias) {
  // The library has no epilogues of f64: kernels of ours compute those.
  for (DType dtype : {DType::kF32, DType::kF16, DType::kBF16, DType::kF64}) {
    for (const char* activation : {"none", "relu", "gelu", "gelu_tanh", "tanh"}) {
      SCOPED_TRACE(StrCat(DTypeName(dtype), " ", activation));
      auto attrs = [&](OpAttrs& made) { made.SetString("activation", activation); };
      const std::vector<HostArray> arrays = {RandomOf(dtype, {16, 24}, 4),
                                             RandomOf(dtype, {24, 40}), RandomOf(dtype, {40})};
      if (dtype == DType::kF32) {
        ExpectNear("matmul_bias", arrays, Tolerance(dtype), attrs);
      } else {  // which the host does not have
        ExpectLikeOwn("matmul_bias", arrays, Tolerance(dtype), attrs);
      }
    }
  }
  ExpectProducts(15);
}

TEST_F(LibraryRowsTest, BatchesOfProducts) {
  for (DType dtype : {DType::kF32, DType::kF64, DType::kF16}) {
    ExpectNear("batch_matmul", {RandomOf(dtype, {3, 4, 16, 24}), RandomOf(dtype, {1, 4, 24, 40})},
               Tolerance(dtype));
    // One matrix for all, repeated by a step of zero.
    ExpectNear("batch_matmul", {RandomOf(dtype, {5, 16, 24}), RandomOf(dtype, {24, 40})},
               Tolerance(dtype));
  }
  ExpectProducts(12);
}

// The sizes of convolutions in these tests: [N,H,W,C] and [H,W,C,O].
TEST_F(LibraryRowsTest, Convolutions) {
  for (DType dtype : kFloats) {
    for (const char* padding : {"SAME", "VALID"}) {
      for (int64_t stride : {1, 2}) {
        SCOPED_TRACE(StrCat(DTypeName(dtype), " ", padding, " ", stride));
        const int64_t strides[] = {1, stride, stride, 1};
        auto attrs = [&](OpAttrs& made) {
          made.SetString("padding", padding);
          made.SetArray<int64_t>("strides", strides);
        };
        const HostArray image = RandomOf(dtype, {2, 9, 8, 8}),
                        filter = RandomOf(dtype, {3, 3, 8, 16});
        ExpectLikeOwn("conv2d", {image, filter}, Tolerance(dtype), attrs);
        if (dtype == DType::kF32) ExpectNear("conv2d", {image, filter}, Tolerance(dtype), attrs);
      }
    }
  }
  ExpectPlanRuns(16);
}

TEST_F(LibraryRowsTest, ConvolutionsWithWhatFollows) {
  const int64_t strides[] = {1, 1, 1, 1};
  for (DType dtype : kFloats) {
    for (const char* activation : {"none", "relu", "gelu"}) {
      SCOPED_TRACE(StrCat(DTypeName(dtype), " ", activation));
      auto attrs = [&](OpAttrs& made) {
        made.SetString("padding", "SAME");
        made.SetString("activation", activation);
        made.SetArray<int64_t>("strides", strides);
      };
      const HostArray image = RandomOf(dtype, {2, 6, 5, 8}),
                      filter = RandomOf(dtype, {3, 3, 8, 16}), bias = RandomOf(dtype, {16}),
                      addend = RandomOf(dtype, {2, 6, 5, 16});
      ExpectLikeOwn("conv2d_bias", {image, filter, bias}, Tolerance(dtype), attrs);
      ExpectLikeOwn("conv2d_bias_add", {image, filter, bias, addend}, Tolerance(dtype), attrs);
    }
  }
  ExpectPlanRuns(18);
}

TEST_F(LibraryRowsTest, ConvolutionsOfGroups) {
  for (bool channels_last : {false, true}) {
    auto attrs = [&](OpAttrs& made) {
      made.Set("channels_last", channels_last);
      made.Set("groups", int64_t{2});
      made.SetString("padding", "explicit");
      made.SetArray<int64_t>("pads", std::vector<int64_t>{1, 0, 0, 1});
      made.SetArray<int64_t>("strides", std::vector<int64_t>{1, 2});
      made.SetArray<int64_t>("dilations", std::vector<int64_t>{2, 1});
    };
    const HostArray image =
        channels_last ? RandomOf(DType::kF32, {2, 9, 8, 16}) : RandomOf(DType::kF32, {2, 16, 9, 8});
    const HostArray filter =
        channels_last ? RandomOf(DType::kF32, {3, 2, 8, 16}) : RandomOf(DType::kF32, {16, 8, 3, 2});
    ExpectNear("conv", {image, filter}, Tolerance(DType::kF32), attrs);
  }
}

TEST_F(LibraryRowsTest, GradientsOfConvolutions) {
  const int64_t strides[] = {1, 2, 2, 1};
  auto attrs = [&](OpAttrs& made) {
    made.SetString("padding", "SAME");
    made.SetArray<int64_t>("strides", strides);
  };
  const HostArray image = RandomOf(DType::kF32, {2, 9, 8, 8});
  const HostArray filter = RandomOf(DType::kF32, {3, 3, 8, 16});
  const HostArray gradient = RandomOf(DType::kF32, {2, 5, 4, 16});
  auto sizes = [](std::vector<int32_t> values) {
    const int64_t dims[] = {4};
    return HostArray(std::span<const int64_t>(dims), values);
  };
  ExpectNear("conv2d_input_grad", {sizes({2, 9, 8, 8}), filter, gradient}, Tolerance(DType::kF32),
             attrs);
  ExpectNear("conv2d_filter_grad", {image, sizes({3, 3, 8, 16}), gradient}, Tolerance(DType::kF32),
             attrs);
  ExpectPlanRuns(2);
}

TEST_F(LibraryRowsTest, Pools) {
  const int64_t strides[] = {1, 2, 2, 1}, window[] = {1, 3, 3, 1};
  for (DType dtype : kFloats) {
    auto attrs = [&](OpAttrs& made) {
      made.SetString("padding", "SAME");
      made.SetArray<int64_t>("strides", strides);
      made.SetArray<int64_t>("ksize", window);
    };
    ExpectLikeOwn("max_pool2d", {RandomOf(dtype, {2, 9, 8, 8})}, 0, attrs);
    ExpectLikeOwn("avg_pool2d", {RandomOf(dtype, {2, 9, 8, 8})}, Tolerance(dtype), attrs);
  }
  ExpectPlanRuns(6);
}

TEST_F(LibraryRowsTest, TheReasonIsRecorded) {
  LibraryRecords records;
  const HostArray a = RandomOf(DType::kF32, {16, 24}), b = RandomOf(DType::kF32, {24, 40});
  ExpectNear("matmul", {a, b}, Tolerance(DType::kF32));
  EXPECT_THAT(records.Take(), Contains("gpu.library op=tf.MatMul library=cuBLAS reason=serves it"));
  ExpectNear("matmul", {RandomOf(DType::kI32, {16, 24}), RandomOf(DType::kI32, {24, 40})}, 0);
  EXPECT_THAT(records.Take(),
              Contains("gpu.library op=tf.MatMul library=cuBLAS reason=unsupported"));
  Choose("own");
  ExpectNear("matmul", {a, b}, Tolerance(DType::kF32));
  EXPECT_THAT(records.Take(),
              Contains("gpu.library op=tf.MatMul library=cuBLAS reason=TFRT_GPU_LIBRARIES=own"));
  ExpectProducts(1);
  Choose("");
  ExpectNear("matmul", {a, b}, Tolerance(DType::kF32));
  EXPECT_THAT(records.Take(), Contains("gpu.library op=tf.MatMul library=cuBLAS reason=small"));
  const HostArray row = RandomOf(DType::kF32, {1, 24});
  ExpectNear("matmul", {row, b}, Tolerance(DType::kF32));
  EXPECT_THAT(records.Take(),
              Contains("gpu.library op=tf.MatMul library=cuBLAS reason=bound by memory"));
  ExpectProducts(1);
  ExpectNear("matmul", {RandomOf(DType::kF32, {128, 128}), RandomOf(DType::kF32, {128, 128})},
             Tolerance(DType::kF32));
  ExpectProducts(2);
}

// Where the library is found, one that does not work is left out. Where it is demanded, that is the
// error of the op.
TEST_F(LibraryRowsTest, ALibraryThatDoesNotWork) {
  if (!GpuDouble::Get().is_double()) GTEST_SKIP() << "only the double fails on demand";
  LibraryRecords records;
  const HostArray a = RandomOf(DType::kF32, {128, 128});
  Choose("");
  ASSERT_EQ(0, GpuDouble::Get().Inject("fail=cublasLtCreate:1:1"));
  ExpectNear("matmul", {a, a}, Tolerance(DType::kF32));
  EXPECT_THAT(records.Take(), Contains("gpu.library op=tf.MatMul library=cuBLAS reason=not found"));
  Choose("vendor");
  ASSERT_EQ(0, GpuDouble::Get().Inject("fail=cublasLtCreate:1:1"));
  EXPECT_THAT(ErrorOf("matmul", {a, a}), HasSubstr("CUBLAS_STATUS_NOT_INITIALIZED"));
}

TEST_F(LibraryRowsTest, ACallThatFails) {
  if (!GpuDouble::Get().is_double()) GTEST_SKIP() << "only the double fails on demand";
  const HostArray a = RandomOf(DType::kF32, {16, 16});
  ASSERT_EQ(0, GpuDouble::Get().Inject("fail=cublasLtMatmul:1:14"));
  EXPECT_THAT(ErrorOf("matmul", {a, a}), HasSubstr("CUBLAS_STATUS_INTERNAL_ERROR"));
  const HostArray image = RandomOf(DType::kF32, {1, 4, 4, 8});
  const HostArray filter = RandomOf(DType::kF32, {3, 3, 8, 8});
  auto attrs = [](OpAttrs& made) {
    made.SetString("padding", "SAME");
    made.SetArray<int64_t>("strides", std::vector<int64_t>{1, 1, 1, 1});
  };
  ASSERT_EQ(0, GpuDouble::Get().Inject("fail=cudnnBackendExecute:1:5000"));
  EXPECT_THAT(ErrorOf("conv2d", {image, filter}, attrs),
              HasSubstr("CUDNN_STATUS_EXECUTION_FAILED"));
  ASSERT_EQ(0, GpuDouble::Get().Inject(""));
  ExpectNear("conv2d", {image, filter}, Tolerance(DType::kF32), attrs);
}

TEST_F(LibraryRowsTest, AnotherWordIsAnError) {
  Choose("mine");
  const HostArray a = RandomOf(DType::kF32, {16, 16});
  EXPECT_THAT(ErrorOf("matmul", {a, a}),
              HasSubstr("TFRT_GPU_LIBRARIES is 'mine', and should be own or vendor"));
}

}  // namespace
}  // namespace tfrt::gpu
