// The doubles of cuBLAS and cublasLt check what the vendor documents. Products of programs show the
// rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/libraries/blas/lt_descriptors.h"
#include "gpu/wrapper/cublas.h"
#include "test/gpu/unit/runtime/double_test_base.h"

namespace tfrt::gpu::blas {
namespace {

using namespace cublas;  // NOLINT: the vendor's names
using testing::ElementsAre;
using testing::HasSubstr;

class BlasDoubleTest : public DoubleTest {
 protected:
  void SetUp() override {
    setenv("TFRT_GPU_LIBRARY_PATH", TFRT_TEST_GPU_DOUBLE_DIR, /*overwrite=*/1);
    DoubleTest::SetUp();
    ASSERT_TRUE(context_->EnterAnew().ok());
    stream_ = context_->CreateStream().value();
    memory_ = context_->Allocate(*stream_, 4096).value();
    ASSERT_TRUE(stream_->Fill(memory_->bytes(), 0x3f800000).ok());  // ones
    ASSERT_TRUE(context_->EnterAnew().ok());
  }
  void TearDown() override {
    memory_.reset();
    stream_.reset();
    DoubleTest::TearDown();
  }
  const cublas::Table& blas() { return cublas::Library::Get().value()->table(); }
  const cublaslt::Table& lt() { return cublaslt::Library::Get().value()->table(); }
  void* At(uint64_t offset) {
    return reinterpret_cast<void*>(static_cast<uintptr_t>(memory_->address() + offset));
  }

  RCReference<Stream> stream_;
  RCReference<Memory> memory_;
};

TEST_F(BlasDoubleTest, Handles) {
  EXPECT_EQ(blas().cublasCreate_v2(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(blas().cublasDestroy_v2(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(blas().cublasCreate_v2(&handle), CUBLAS_STATUS_SUCCESS);
  RCReference<Context> other =
      Context::Create(driver().table(), driver().FindDevice(0).value(), {.queue = queue_.get()})
          .value();
  RCReference<Stream> of_other = other->CreateStream().value();
  ASSERT_TRUE(context_->EnterAnew().ok());
  EXPECT_EQ(blas().cublasSetStream_v2(handle, of_other->handle()), CUBLAS_STATUS_INVALID_VALUE);
  ASSERT_TRUE(other->EnterAnew().ok());
  EXPECT_EQ(blas().cublasSetStream_v2(handle, stream_->handle()), CUBLAS_STATUS_INVALID_VALUE);
  ASSERT_TRUE(context_->EnterAnew().ok());
  EXPECT_EQ(blas().cublasSetStream_v2(handle, stream_->handle()), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(blas().cublasSetWorkspace_v2(handle, At(16), 256), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(blas().cublasDestroy_v2(handle), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(blas().cublasDestroy_v2(handle), CUBLAS_STATUS_NOT_INITIALIZED);
  of_other.reset();
}

// A workspace is written, so commands of two streams may not share one without order.
TEST_F(BlasDoubleTest, AWorkspaceOfTwoStreamsIsReported) {
  RCReference<Stream> other = context_->CreateStream().value();
  ASSERT_TRUE(stream_->Wait().ok());
  ASSERT_TRUE(context_->EnterAnew().ok());
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(blas().cublasCreate_v2(&handle), CUBLAS_STATUS_SUCCESS);
  const float one = 1, zero = 0;
  auto multiply = [&](Stream& stream, uint64_t result) {
    ASSERT_EQ(blas().cublasSetStream_v2(handle, stream.handle()), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(blas().cublasSetWorkspace_v2(handle, At(1024), 256), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(blas().cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, At(0),
                                  CUDA_R_32F, 2, At(0), CUDA_R_32F, 2, &zero, At(result),
                                  CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
              CUBLAS_STATUS_SUCCESS);
  };
  multiply(*stream_, 256);
  multiply(*other, 512);
  ASSERT_EQ(context_->driver().cuCtxSynchronize(), cuda::CUDA_SUCCESS);
  const std::vector<std::string> reports = double_.TakeReports();
  ASSERT_FALSE(reports.empty());
  EXPECT_THAT(reports[0], HasSubstr("unordered"));
  EXPECT_THAT(reports[0], HasSubstr("cublasGemmEx"));
  EXPECT_EQ(blas().cublasDestroy_v2(handle), CUBLAS_STATUS_SUCCESS);
}

// An algorithm is for the alignment and the product that it was found for.
TEST_F(BlasDoubleTest, AlgorithmsAreForOneAlignment) {
  cublaslt::cublasLtHandle_t handle = nullptr;
  ASSERT_EQ(lt().cublasLtCreate(&handle), CUBLAS_STATUS_SUCCESS);
  {
    const Gemm gemm = {.m = 4, .n = 4, .k = 4, .lda = 4, .ldb = 4, .ldc = 4};
    StatusOr<LtDescriptors> made = LtDescriptors::Make(lt(), gemm, /*bias=*/0);
    ASSERT_TRUE(made.ok());
    auto find = [&](size_t workspace_bytes, uint32_t alignment,
                    cublaslt::cublasLtMatmulHeuristicResult_t* result) {
      StatusOr<LtPreference> preference =
          MakeLtPreference(lt(), workspace_bytes, alignment, 256, 256);
      int returned = 0;
      return lt().cublasLtMatmulAlgoGetHeuristic(handle, made->desc.get(), made->a.get(),
                                                 made->b.get(), made->c.get(), made->c.get(),
                                                 preference->get(), 1, result, &returned);
    };
    auto run = [&](const cublaslt::cublasLtMatmulHeuristicResult_t& found, uint64_t a,
                   size_t workspace_bytes) {
      const float one = 1, zero = 0;
      return lt().cublasLtMatmul(handle, made->desc.get(), &one, At(a), made->a.get(), At(0),
                                 made->b.get(), &zero, At(512), made->c.get(), At(512),
                                 made->c.get(), &found.algo, At(1024), workspace_bytes,
                                 stream_->handle());
    };
    cublaslt::cublasLtMatmulHeuristicResult_t aligned, unaligned, with_workspace;
    ASSERT_EQ(find(0, 256, &aligned), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(find(0, 4, &unaligned), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(run(aligned, 256, 0), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(run(aligned, 260, 0), CUBLAS_STATUS_INVALID_VALUE);
    EXPECT_EQ(run(unaligned, 260, 0), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(find(0, 2, &unaligned), CUBLAS_STATUS_NOT_SUPPORTED);
    ASSERT_EQ(find(32 << 20, 256, &with_workspace), CUBLAS_STATUS_SUCCESS);
    EXPECT_GT(with_workspace.workspaceSize, 0u);
    EXPECT_EQ(run(with_workspace, 0, 0), CUBLAS_STATUS_INVALID_VALUE);

    // Another product.
    StatusOr<LtDescriptors> larger =
        LtDescriptors::Make(lt(), {.m = 2, .n = 4, .k = 4, .lda = 4, .ldb = 4, .ldc = 4}, 0);
    const float one = 1, zero = 0;
    EXPECT_EQ(lt().cublasLtMatmul(handle, larger->desc.get(), &one, At(0), larger->a.get(), At(0),
                                  larger->b.get(), &zero, At(512), larger->c.get(), At(512),
                                  larger->c.get(), &aligned.algo, nullptr, 0, stream_->handle()),
              CUBLAS_STATUS_INVALID_VALUE);
  }
  EXPECT_TRUE(stream_->Wait().ok());
  ASSERT_TRUE(context_->EnterAnew().ok());
  EXPECT_EQ(lt().cublasLtDestroy(handle), CUBLAS_STATUS_SUCCESS);
}

// Creation takes values that no product has, as the vendor's library does; the search refuses them.
TEST_F(BlasDoubleTest, DescriptorsAreCheckedWhenTheyAreUsed) {
  cublaslt::cublasLtMatrixLayout_t layout = nullptr;
  EXPECT_EQ(lt().cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 4, 4, -1), CUBLAS_STATUS_SUCCESS);
  const int32_t count = 2;
  EXPECT_EQ(lt().cublasLtMatrixLayoutSetAttribute(
                layout, cublaslt::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, 8),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(lt().cublasLtMatrixLayoutSetAttribute(
                layout, cublaslt::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, 4),
            CUBLAS_STATUS_SUCCESS);
  cublaslt::cublasLtMatmulDesc_t desc = nullptr;
  ASSERT_EQ(lt().cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F),
            CUBLAS_STATUS_SUCCESS);
  const uint32_t epilogue = 12345;
  EXPECT_EQ(lt().cublasLtMatmulDescSetAttribute(desc, cublaslt::CUBLASLT_MATMUL_DESC_EPILOGUE,
                                                &epilogue, sizeof(epilogue)),
            CUBLAS_STATUS_SUCCESS);
  cublaslt::cublasLtHandle_t handle = nullptr;
  ASSERT_EQ(lt().cublasLtCreate(&handle), CUBLAS_STATUS_SUCCESS);
  cublaslt::cublasLtMatmulPreference_t preference = nullptr;
  ASSERT_EQ(lt().cublasLtMatmulPreferenceCreate(&preference), CUBLAS_STATUS_SUCCESS);
  cublaslt::cublasLtMatmulHeuristicResult_t result;
  int returned = 0;
  EXPECT_EQ(lt().cublasLtMatmulAlgoGetHeuristic(handle, desc, layout, layout, layout, layout,
                                                preference, 1, &result, &returned),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(lt().cublasLtMatmulPreferenceDestroy(preference), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(lt().cublasLtMatmulDescDestroy(desc), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(lt().cublasLtMatmulDescDestroy(desc), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(lt().cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(lt().cublasLtDestroy(handle), CUBLAS_STATUS_SUCCESS);
}

// The unused triangle and the gaps between columns are not read: nothing has written them.
TEST_F(BlasDoubleTest, OnlyTheDocumentedBytesAreUsed) {
  RCReference<Memory> fresh = context_->Allocate(*stream_, 1024).value();
  // A lower triangle of order 2 with a leading dimension of 3, and B of one column: 1 ? .
  for (uint64_t offset : {0, 4, 16, 256, 260}) {
    ASSERT_TRUE(stream_->Fill(fresh->Bytes(offset, 4), 0x3f800000).ok());
  }
  RCReference<Memory> pinned = context_->AllocatePinned(16).value();
  auto* addresses = static_cast<uint64_t*>(pinned->host_address());
  addresses[0] = fresh->address();
  addresses[1] = fresh->address() + 256;
  ASSERT_TRUE(context_->EnterAnew().ok());
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(blas().cublasCreate_v2(&handle), CUBLAS_STATUS_SUCCESS);
  const Memory* used[] = {fresh.get(), pinned.get()};
  const float one = 1;
  ASSERT_TRUE(stream_
                  ->Enqueue("cublasStrsmBatched", used,
                            [&]() -> Status {
                              (void)blas().cublasSetStream_v2(handle, stream_->handle());
                              return StatusOf(
                                  blas().cublasStrsmBatched(
                                      handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                      CUBLAS_DIAG_NON_UNIT, 2, 1, &one,
                                      reinterpret_cast<const float* const*>(addresses), 3,
                                      reinterpret_cast<float* const*>(addresses + 1), 2, 1),
                                  "cublasStrsmBatched");
                            })
                  .ok());
  EXPECT_TRUE(stream_->Wait().ok());
  ASSERT_TRUE(context_->EnterAnew().ok());
  EXPECT_EQ(blas().cublasDestroy_v2(handle), CUBLAS_STATUS_SUCCESS);
  EXPECT_THAT(double_.TakeReports(), ElementsAre());
}

}  // namespace
}  // namespace tfrt::gpu::blas
