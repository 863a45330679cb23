#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "test/gpu/unit/wrapper/fake_table.h"
#include "tfrt/gpu/wrapper/cuda_handles.h"

namespace tfrt::gpu::cuda {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

// With its zero byte.
constexpr std::string_view kImage("text", 5);

class CudaModuleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Context::ForgetCurrent();
    context_ = *Context::RetainPrimary(table_, 0);
  }

  std::string ErrorWithLog(CUresult result, std::string log) {
    fake_calls.results["cuModuleLoadDataEx"] = result;
    fake_calls.jit_log = std::move(log);
    return LoadModule(*context_, kImage, "'relu'").status().ToString();
  }

  DriverTable table_ = FakeTable();
  std::unique_ptr<Context> context_;
};

TEST_F(CudaModuleTest, ImageWithoutEnd) {
  TakeLog();
  EXPECT_EQ(LoadModule(*context_, "text", "'relu'").status().ToString(),
            "INVALID_ARGUMENT: 'relu' does not end in a zero byte (4 bytes)");
  EXPECT_EQ(LoadModule(*context_, "", "'relu'").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(TakeLog(), "") << "the driver would read on";
}

TEST_F(CudaModuleTest, Log) {
  EXPECT_EQ(
      ErrorWithLog(CUDA_ERROR_INVALID_PTX, "line 7: what is 'frob'?\n\n"),
      "INVALID_ARGUMENT: cuModuleLoadDataEx of 'relu': CUDA_ERROR_INVALID_PTX: line 7: what is "
      "'frob'?");
}

TEST_F(CudaModuleTest, NoLog) {
  EXPECT_EQ(ErrorWithLog(CUDA_ERROR_INVALID_IMAGE, ""),
            "INVALID_ARGUMENT: cuModuleLoadDataEx of 'relu': CUDA_ERROR_INVALID_IMAGE");
}

// The driver fills the buffer to its last byte.
TEST_F(CudaModuleTest, LogThatFillsItsRoom) {
  std::string error = ErrorWithLog(CUDA_ERROR_INVALID_PTX, std::string(100000, 'x'));
  EXPECT_THAT(error,
              StartsWith("INVALID_ARGUMENT: cuModuleLoadDataEx of 'relu': CUDA_ERROR_INVALID"));
  EXPECT_THAT(error, EndsWith(": " + std::string(8192, 'x')));
}

TEST_F(CudaModuleTest, LogOfWhatWasLoadedIsDropped) {
  fake_calls.jit_log = "a warning";
  EXPECT_TRUE(LoadModule(*context_, kImage, "'relu'").ok());
}

}  // namespace
}  // namespace tfrt::gpu::cuda
