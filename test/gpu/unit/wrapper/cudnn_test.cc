#include "gpu/wrapper/cudnn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace tfrt::gpu::cudnn {
namespace {

using testing::HasSubstr;

TEST(CudnnLibraryTest, NoLibrary) {
  StatusOr<const Library*> library =
      Library::Open({.before_loader = {{"/nowhere", "the test"}}, .loader = false});
  EXPECT_EQ(library.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(std::string(library.status().message()), HasSubstr("libcudnn.so.9"));
}

TEST(CudnnLibraryTest, VersionsHaveTwoWaysToCount) {
  EXPECT_EQ(VersionText(91900), "9.19.0");
  EXPECT_EQ(VersionText(90000), "9.0.0");
  EXPECT_EQ(VersionText(8907), "8.9.7");
}

TEST(CudnnStatusTest, ErrorsHaveTheVendorsNames) {
  Table table;
  table.cudnnGetErrorString = [](cudnnStatus_t) { return "CUDNN_STATUS_NEWER"; };
  table.cudnnGetLastErrorString = [](char* text, size_t) { *text = '\0'; };
  EXPECT_EQ(StatusOf(table, CUDNN_STATUS_SUCCESS, "f"), OkStatus());
  EXPECT_EQ(StatusOf(table, CUDNN_STATUS_BAD_PARAM, "f").message(), "f: CUDNN_STATUS_BAD_PARAM");
  EXPECT_EQ(StatusOf(table, static_cast<cudnnStatus_t>(77), "f").message(),
            "f: CUDNN_STATUS_NEWER");
  table.cudnnGetLastErrorString = [](char* text, size_t size_bytes) {
    std::strncpy(text, "dims[1] > 0\nmore", size_bytes);
  };
  EXPECT_EQ(StatusOf(table, CUDNN_STATUS_BAD_PARAM, "f").message(),
            "f: CUDNN_STATUS_BAD_PARAM (dims[1] > 0)");
}

TEST(CudnnStatusTest, EachCodeHasAStatus) {
  EXPECT_EQ(CodeOf(CUDNN_STATUS_SUCCESS), StatusCode::kOk);
  EXPECT_EQ(CodeOf(CUDNN_STATUS_BAD_PARAM), StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(CUDNN_STATUS_NOT_SUPPORTED_SHAPE), StatusCode::kUnimplemented);
  EXPECT_EQ(CodeOf(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf(static_cast<cudnnStatus_t>(77)), StatusCode::kUnknown);
#define CHECK_CODE(name, value, code) \
  if (name != CUDNN_STATUS_SUCCESS) EXPECT_NE(CodeOf(name), StatusCode::kOk) << #name;
  TFRT_CUDNN_RESULTS(CHECK_CODE)
#undef CHECK_CODE
}

}  // namespace
}  // namespace tfrt::gpu::cudnn
