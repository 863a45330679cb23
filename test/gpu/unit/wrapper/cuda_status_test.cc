#include "gpu/wrapper/cuda_status.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace tfrt::gpu::cuda {
namespace {

TEST(CudaStatusTest, SuccessIsOk) {
  EXPECT_TRUE(StatusOf(DriverTable(), CUDA_SUCCESS, "cuInit").ok());
}

TEST(CudaStatusTest, NameOfTheVendor) {
  EXPECT_EQ(StatusOf(DriverTable(), CUDA_ERROR_INVALID_IMAGE, "cuModuleLoadDataEx").ToString(),
            "INVALID_ARGUMENT: cuModuleLoadDataEx: CUDA_ERROR_INVALID_IMAGE");
}

TEST(CudaStatusTest, TextOfTheDriver) {
  DriverTable driver;
  driver.cuGetErrorName = [](CUresult, const char** name) {
    *name = "CUDA_ERROR_OF_TOMORROW";
    return CUDA_SUCCESS;
  };
  driver.cuGetErrorString = [](CUresult result, const char** text) {
    *text = "no more memory";
    return result == CUDA_ERROR_OUT_OF_MEMORY ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  };
  EXPECT_EQ(StatusOf(driver, CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc_v2 of 8 bytes").ToString(),
            "RESOURCE_EXHAUSTED: cuMemAlloc_v2 of 8 bytes: CUDA_ERROR_OUT_OF_MEMORY "
            "(no more memory)");
  EXPECT_EQ(StatusOf(driver, static_cast<CUresult>(4321), "cuInit").ToString(),
            "UNKNOWN: cuInit: CUDA_ERROR_OF_TOMORROW");
}

// A driver may succeed and give no text.
TEST(CudaStatusTest, DriverWithoutTexts) {
  DriverTable driver;
  driver.cuGetErrorName = driver.cuGetErrorString = [](CUresult, const char** text) {
    *text = nullptr;
    return CUDA_SUCCESS;
  };
  EXPECT_EQ(StatusOf(driver, static_cast<CUresult>(4321), "cuInit").message(),
            "cuInit: CUDA error 4321");
}

TEST(CudaStatusTest, EveryCodeOfTheTableHasOne) {
#define CHECK_CODE(name, value)                           \
  EXPECT_EQ(CodeOf(name) == StatusCode::kOk, value == 0); \
  EXPECT_EQ(CodeOf(name) == StatusCode::kUnknown, value == 999) << #name;
  TFRT_CUDA_RESULTS(CHECK_CODE)
#undef CHECK_CODE
  EXPECT_EQ(CodeOf(static_cast<CUresult>(4321)), StatusCode::kUnknown);
}

TEST(CudaStatusTest, Codes) {
  EXPECT_EQ(CodeOf(CUDA_ERROR_INVALID_VALUE), StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(CUDA_ERROR_NO_DEVICE), StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED), StatusCode::kAlreadyExists);
  EXPECT_EQ(CodeOf(CUDA_ERROR_NOT_PERMITTED), StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf(CUDA_ERROR_INVALID_CONTEXT), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeOf(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeOf(CUDA_ERROR_NOT_SUPPORTED), StatusCode::kUnimplemented);
  EXPECT_EQ(CodeOf(CUDA_ERROR_LAUNCH_TIMEOUT), StatusCode::kDeadlineExceeded);
  EXPECT_EQ(CodeOf(CUDA_ERROR_DEVICE_UNAVAILABLE), StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf(CUDA_ERROR_ECC_UNCORRECTABLE), StatusCode::kDataLoss);
  EXPECT_EQ(CodeOf(CUDA_ERROR_ILLEGAL_ADDRESS), StatusCode::kInternal);
}

TEST(CudaStatusTest, ErrorsThatLoseTheContext) {
  std::set<std::string> names;
#define COLLECT(name, value) \
  if (LosesContext(name)) names.insert(#name);
  TFRT_CUDA_RESULTS(COLLECT)
#undef COLLECT
  EXPECT_EQ(names, (std::set<std::string>{
                       "CUDA_ERROR_ASSERT", "CUDA_ERROR_CONTAINED", "CUDA_ERROR_ECC_UNCORRECTABLE",
                       "CUDA_ERROR_EXTERNAL_DEVICE", "CUDA_ERROR_HARDWARE_STACK_ERROR",
                       "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_ILLEGAL_INSTRUCTION",
                       "CUDA_ERROR_INVALID_ADDRESS_SPACE", "CUDA_ERROR_INVALID_PC",
                       "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_LAUNCH_TIMEOUT",
                       "CUDA_ERROR_MISALIGNED_ADDRESS", "CUDA_ERROR_MPS_CLIENT_TERMINATED",
                       "CUDA_ERROR_NVLINK_UNCORRECTABLE", "CUDA_ERROR_TENSOR_MEMORY_LEAK"}));
  EXPECT_FALSE(LosesContext(static_cast<CUresult>(4321)));
}

}  // namespace
}  // namespace tfrt::gpu::cuda
