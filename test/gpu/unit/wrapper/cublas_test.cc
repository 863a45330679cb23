#include "gpu/wrapper/cublas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tfrt::gpu::cublas {
namespace {

using testing::HasSubstr;

TEST(CublasLibraryTest, NoLibrary) {
  const LibrarySearch nowhere = {.before_loader = {{"/nowhere", "the test"}}, .loader = false};
  StatusOr<const Library*> library = Library::Open(nowhere);
  EXPECT_EQ(library.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(std::string(library.status().message()), HasSubstr("libcublas.so.13"));
  StatusOr<const cublaslt::Library*> lt = cublaslt::Library::Open(nowhere);
  EXPECT_EQ(lt.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(std::string(lt.status().message()), HasSubstr("libcublasLt.so.13"));
}

TEST(CublasLibraryTest, VersionsAsText) {
  EXPECT_EQ(VersionText(130100), "13.1.0");
  EXPECT_EQ(VersionText(120103), "12.1.3");
}

TEST(CublasStatusTest, ErrorsHaveTheVendorsNames) {
  EXPECT_EQ(StatusOf(CUBLAS_STATUS_SUCCESS, "f"), OkStatus());
  const Status error = StatusOf(CUBLAS_STATUS_NOT_SUPPORTED, "f");
  EXPECT_EQ(error.message(), "f: CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_EQ(error.code(), StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(StatusOf(static_cast<cublasStatus_t>(77), "f").message()),
              HasSubstr("77"));
}

TEST(CublasStatusTest, EachCodeHasAStatus) {
  EXPECT_EQ(CodeOf(CUBLAS_STATUS_SUCCESS), StatusCode::kOk);
  EXPECT_EQ(CodeOf(CUBLAS_STATUS_ALLOC_FAILED), StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf(CUBLAS_STATUS_INVALID_VALUE), StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(static_cast<cublasStatus_t>(77)), StatusCode::kUnknown);
#define CHECK_CODE(name, value, code) \
  if (name != CUBLAS_STATUS_SUCCESS) EXPECT_NE(CodeOf(name), StatusCode::kOk) << #name;
  TFRT_CUBLAS_RESULTS(CHECK_CODE)
#undef CHECK_CODE
}

}  // namespace
}  // namespace tfrt::gpu::cublas
