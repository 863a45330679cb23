// Products by the doubles of cuBLAS and cublasLt, on small integers: sums are exact.
#include "gpu/libraries/blas/gemm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "test/gpu/unit/runtime/double_test_base.h"

namespace tfrt::gpu::blas {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GemmTest : public DoubleTest {
 protected:
  void SetUp() override {
    setenv("TFRT_GPU_LIBRARY_PATH", TFRT_TEST_GPU_DOUBLE_DIR, /*overwrite=*/1);
    DoubleTest::SetUp();
    stream_ = context_->CreateStream().value();
    double_.ClearCalls();
  }
  void TearDown() override {
    stream_.reset();
    DoubleTest::TearDown();
  }

  template <typename T>
  RCReference<Memory> Upload(const std::vector<T>& values, size_t offset = 0) {
    const size_t size_bytes = values.size() * sizeof(T);
    RCReference<Memory> pinned = context_->AllocatePinned(size_bytes).value();
    std::memcpy(pinned->host_address(), values.data(), size_bytes);
    RCReference<Memory> memory = context_->Allocate(*stream_, offset + size_bytes).value();
    EXPECT_TRUE(stream_->Copy(memory->Bytes(offset, size_bytes), pinned->bytes()).ok());
    return memory;
  }
  template <typename T>
  std::vector<T> Download(Memory& memory) {
    RCReference<Memory> pinned = context_->AllocatePinned(memory.size_bytes()).value();
    EXPECT_TRUE(stream_->Copy(pinned->bytes(), memory.bytes()).ok());
    EXPECT_TRUE(stream_->Wait().ok());
    std::vector<T> values(memory.size_bytes() / sizeof(T));
    std::memcpy(values.data(), pinned->host_address(), memory.size_bytes());
    return values;
  }
  uint64_t NumCalls(const char* function) { return double_.NumCalls(function); }

  RCReference<Stream> stream_;
};

// [[1, 2, 3], [4, 5, 6]] by [[1, 0], [0, 1], [1, -4]] is [[4, -10], [10, -19]] in rows.
TEST_F(GemmTest, BiasOfRowMajorMatricesIsOneOfColumns) {
  RCReference<Memory> a = Upload<float>({1, 2, 3, 4, 5, 6});
  RCReference<Memory> b = Upload<float>({1, 0, 0, 1, 1, -4});
  RCReference<Memory> c = Upload<float>({9, 9, 9, 9});
  RCReference<Memory> bias = Upload<float>({100, 12});
  const float alpha = 1, beta = 0;
  const Gemm gemm = Gemm::OfRowMajor(
      {.m = 2, .n = 2, .k = 3, .lda = 3, .ldb = 2, .ldc = 2, .epilogue = GemmEpilogue::kReluBias});
  const GemmOperands operands = GemmOperands::OfRowMajor({.a = a->bytes(),
                                                          .b = b->bytes(),
                                                          .c = c->bytes(),
                                                          .bias = bias->bytes(),
                                                          .alpha = &alpha,
                                                          .beta = &beta});
  ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  EXPECT_THAT(Download<float>(*c), ElementsAre(104, 2, 110, 0));
}

// A transposed operand, whose rows in memory are columns of the product.
TEST_F(GemmTest, TransposedRowMajorMatrices) {
  RCReference<Memory> a = Upload<float>({1, 4, 2, 5, 3, 6});
  RCReference<Memory> b = Upload<float>({1, 0, 1, 0, 1, -4});
  RCReference<Memory> c = Upload<float>({1, 1, 1, 1});
  const float alpha = 2, beta = -1;
  const Gemm gemm = Gemm::OfRowMajor({.transa = cublas::CUBLAS_OP_T,
                                      .transb = cublas::CUBLAS_OP_T,
                                      .m = 2,
                                      .n = 2,
                                      .k = 3,
                                      .lda = 2,
                                      .ldb = 3,
                                      .ldc = 2});
  const GemmOperands operands = GemmOperands::OfRowMajor(
      {.a = a->bytes(), .b = b->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta});
  ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  EXPECT_THAT(Download<float>(*c), ElementsAre(7, -21, 19, -39));
}

// An algorithm that was found for aligned addresses would be refused with others.
TEST_F(GemmTest, TheLibraryIsAskedOnceForAnAlignment) {
  std::vector<float> eye(16);
  for (int i = 0; i < 4; ++i) eye[static_cast<size_t>(i) * 5] = 1;
  std::vector<float> numbers(16);
  for (int i = 0; i < 16; ++i) numbers[static_cast<size_t>(i)] = static_cast<float>(i);
  RCReference<Memory> a = Upload(eye);
  RCReference<Memory> b = Upload(numbers), shifted = Upload(numbers, /*offset=*/4);
  RCReference<Memory> c = Upload(eye);
  const float alpha = 1, beta = 0;
  const Gemm gemm = {.m = 4, .n = 4, .k = 4, .lda = 4, .ldb = 4, .ldc = 4};
  GemmOperands operands = {
      .a = a->bytes(), .b = b->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta};
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  }
  EXPECT_EQ(NumCalls("cublasLtMatmulAlgoGetHeuristic"), 1u);
  operands.b = shifted->Bytes(4, 64);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  }
  EXPECT_EQ(NumCalls("cublasLtMatmulAlgoGetHeuristic"), 2u);
  EXPECT_EQ(NumCalls("cublasLtMatmul"), 5u);
  EXPECT_EQ(NumCalls("cublasLtCreate"), 1u);
  EXPECT_THAT(Download<float>(*c), testing::ElementsAreArray(numbers));
}

// Each row distance is another product, of the same element here.
TEST_F(GemmTest, TheOldestOfVeryManyAlgorithmsIsForgotten) {
  RCReference<Memory> a = Upload<float>({2}), c = Upload<float>({1});
  const float alpha = 1, beta = 0;
  const GemmOperands operands = {
      .a = a->bytes(), .b = a->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta};
  auto enqueue = [&](size_t lda) {
    return EnqueueGemm(
               *stream_,
               {.m = 1, .n = 1, .k = 1, .lda = static_cast<int64_t>(lda), .ldb = 1, .ldc = 1},
               operands)
        .ok();
  };
  for (size_t lda = 1; lda <= kMaxGemmPlans + 1; ++lda) ASSERT_TRUE(enqueue(lda)) << lda;
  EXPECT_EQ(NumCalls("cublasLtMatmulAlgoGetHeuristic"), kMaxGemmPlans + 1);
  ASSERT_TRUE(enqueue(2) && enqueue(kMaxGemmPlans + 1));
  EXPECT_EQ(NumCalls("cublasLtMatmulAlgoGetHeuristic"), kMaxGemmPlans + 1);
  ASSERT_TRUE(enqueue(1));
  EXPECT_EQ(NumCalls("cublasLtMatmulAlgoGetHeuristic"), kMaxGemmPlans + 2);
  EXPECT_THAT(Download<float>(*c), ElementsAre(4));
}

TEST_F(GemmTest, DoublesAndIntegersAreForCublas) {
  RCReference<Memory> a = Upload<double>({1, 2, 3, 4}), c = Upload<double>({0, 0, 0, 0});
  const double alpha = 1, beta = 0;
  Gemm gemm = {.m = 2,
               .n = 2,
               .k = 2,
               .a_type = cublas::CUDA_R_64F,
               .b_type = cublas::CUDA_R_64F,
               .c_type = cublas::CUDA_R_64F,
               .lda = 2,
               .ldb = 2,
               .ldc = 2,
               .compute = cublas::CUBLAS_COMPUTE_64F};
  ASSERT_TRUE(
      EnqueueGemm(
          *stream_, gemm,
          {.a = a->bytes(), .b = a->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta})
          .ok());
  EXPECT_THAT(Download<double>(*c), ElementsAre(7, 10, 15, 22));

  RCReference<Memory> bytes = Upload<int8_t>({1, 2, -3, 4}), sums = Upload<int32_t>({5});
  const int32_t one = 1;
  ASSERT_TRUE(EnqueueGemm(*stream_,
                          {.transa = cublas::CUBLAS_OP_T,
                           .m = 1,
                           .n = 1,
                           .k = 4,
                           .a_type = cublas::CUDA_R_8I,
                           .b_type = cublas::CUDA_R_8I,
                           .c_type = cublas::CUDA_R_32I,
                           .lda = 4,
                           .ldb = 4,
                           .ldc = 1,
                           .compute = cublas::CUBLAS_COMPUTE_32I},
                          {.a = bytes->bytes(),
                           .b = bytes->bytes(),
                           .c = sums->bytes(),
                           .alpha = &one,
                           .beta = &one})
                  .ok());
  EXPECT_THAT(Download<int32_t>(*sums), ElementsAre(35));
  EXPECT_EQ(NumCalls("cublasGemmEx"), 2u);
  EXPECT_EQ(NumCalls("cublasLtMatmul"), 0u);

  gemm.epilogue = GemmEpilogue::kRelu;
  const Status refused =
      EnqueueGemm(*stream_, gemm, {.a = a->bytes(), .b = a->bytes(), .c = c->bytes()}).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("CUBLAS_STATUS_NOT_SUPPORTED"));
}

// cublasLt has nothing for a sum of f16 that is written as f64; the error is that of cuBLAS.
TEST_F(GemmTest, TypesThatNeitherHas) {
  RCReference<Memory> a = Upload<double>({1});
  const float one = 1;
  const Status status =
      EnqueueGemm(*stream_,
                  {.m = 1,
                   .n = 1,
                   .k = 1,
                   .a_type = cublas::CUDA_R_16F,
                   .b_type = cublas::CUDA_R_16F,
                   .c_type = cublas::CUDA_R_64F,
                   .lda = 1,
                   .ldb = 1,
                   .ldc = 1},
                  {.a = a->bytes(), .b = a->bytes(), .c = a->bytes(), .alpha = &one, .beta = &one})
          .status();
  EXPECT_EQ(status.message(), "cublasGemmEx: CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
}

TEST_F(GemmTest, BatchesAndProductsOfNothing) {
  RCReference<Memory> a = Upload<float>({2, 3}), b = Upload<float>({5}), c = Upload<float>({1, 1});
  const float alpha = 1, beta = 1;
  const GemmOperands operands = {
      .a = a->bytes(), .b = b->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta};
  Gemm gemm = {.m = 1, .n = 1, .k = 1, .batch_count = 2, .lda = 1, .ldb = 1, .ldc = 1};
  gemm.stride_a = gemm.stride_c = 1;
  ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  EXPECT_THAT(Download<float>(*c), ElementsAre(11, 16));
  gemm.k = 0;
  ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  EXPECT_THAT(Download<float>(*c), ElementsAre(11, 16));
  EXPECT_EQ(NumCalls("cublasLtMatmul"), 1u);
  EXPECT_EQ(NumCalls("cublasGemmStridedBatchedEx"), 1u);
}

// No op of programs has batches of cublasLt.
TEST_F(GemmTest, ABatchThatCannotBeDescribed) {
  RCReference<Memory> a = Upload<float>({2, 3}), c = Upload<float>({1, 1});
  const float alpha = 1, beta = 0;
  const GemmOperands operands = {
      .a = a->bytes(), .b = a->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta};
  Gemm gemm = {.m = 1, .n = 1, .k = 1, .batch_count = 2, .lda = 1, .ldb = 1, .ldc = 1};
  gemm.stride_a = gemm.stride_c = 1;
  ASSERT_EQ(0, double_.Inject("fail=cublasLtMatrixLayoutSetAttribute:1:14"));
  const Status status = EnqueueGemm(*stream_, gemm, operands).status();
  EXPECT_EQ(status.message(), "cublasLtMatrixLayoutSetAttribute: CUBLAS_STATUS_INTERNAL_ERROR");
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
}

TEST_F(GemmTest, SizesBeyondCublas) {
  const double one = 1;
  const Status status = EnqueueGemm(*stream_,
                                    {.m = int64_t{1} << 32,
                                     .n = 1,
                                     .k = 1,
                                     .a_type = cublas::CUDA_R_64F,
                                     .b_type = cublas::CUDA_R_64F,
                                     .c_type = cublas::CUDA_R_64F,
                                     .lda = int64_t{1} << 32,
                                     .ldb = 1,
                                     .ldc = int64_t{1} << 32,
                                     .compute = cublas::CUBLAS_COMPUTE_64F},
                                    {.alpha = &one, .beta = &one})
                            .status();
  EXPECT_EQ(status.message(), "a product of 4294967296x1 and 1x1 matrices is too large for cuBLAS");
}

TEST_F(GemmTest, MemoryThatTheAllocatorHasCachedIsGivenBack) {
  RCReference<Memory> a = Upload<float>({2}), c = Upload<float>({1});
  (void)context_->Allocate(*stream_, 40 << 20).value();  // cached from now on
  const float alpha = 1, beta = 0;
  const GemmOperands operands = {
      .a = a->bytes(), .b = a->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta};
  const Gemm gemm = {.m = 1, .n = 1, .k = 1, .lda = 1, .ldb = 1, .ldc = 1};
  ASSERT_EQ(0, double_.Inject("fail=cublasLtMatmul:1:3"));
  ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  EXPECT_EQ(NumCalls("cublasLtMatmul"), 2u);
  EXPECT_THAT(Download<float>(*c), ElementsAre(4));
  ASSERT_EQ(0, double_.Inject("fail=cublasLtMatmul:1:3,fail=cublasLtMatmul:2:3"));
  const Status status = EnqueueGemm(*stream_, gemm, operands).status();
  EXPECT_EQ(status.message(), "cublasLtMatmul: CUBLAS_STATUS_ALLOC_FAILED");
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
}

TEST_F(GemmTest, AFaultOfTheLibrarysKernelNamesTheOp) {
  RCReference<Memory> a = Upload<float>({2}), c = Upload<float>({1});
  const float alpha = 1, beta = 0;
  const GemmOperands operands = {
      .a = a->bytes(), .b = a->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta};
  const Gemm gemm = {.m = 1, .n = 1, .k = 1, .lda = 1, .ldb = 1, .ldc = 1};
  ASSERT_EQ(0, double_.Inject("fault=cublasLtMatmul:1:700"));
  {
    LaunchScope scope("tf.MatMul", Location());
    ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  }
  const Status status = stream_->Wait();
  EXPECT_THAT(std::string(status.message()), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("tf.MatMul"));
  EXPECT_TRUE(context_->is_lost());
  EXPECT_EQ(EnqueueGemm(*stream_, gemm, operands).status().code(), StatusCode::kUnavailable);
}

// A device that is lost before the call: the library says so in words of its own.
TEST_F(GemmTest, ALostDevice) {
  RCReference<Memory> a = Upload<float>({2}), c = Upload<float>({1});
  const float alpha = 1, beta = 0;
  const GemmOperands operands = {
      .a = a->bytes(), .b = a->bytes(), .c = c->bytes(), .alpha = &alpha, .beta = &beta};
  const Gemm gemm = {.m = 1, .n = 1, .k = 1, .lda = 1, .ldb = 1, .ldc = 1};
  ASSERT_TRUE(EnqueueGemm(*stream_, gemm, operands).ok());
  ASSERT_EQ(0, double_.Inject("lost=0:1:719"));
  ASSERT_TRUE(stream_->Fill(c->bytes(), 0).ok());
  EXPECT_FALSE(stream_->Wait().ok());
  EXPECT_EQ(EnqueueGemm(*stream_, gemm, operands).status().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace tfrt::gpu::blas
