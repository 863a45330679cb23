#include "gpu/wrapper/cupti.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace tfrt::gpu::cupti {
namespace {

using testing::HasSubstr;

TEST(CuptiLibraryTest, NoLibrary) {
  StatusOr<const Library*> library =
      Library::Open({.before_loader = {{"/nowhere", "the test"}}, .loader = false});
  EXPECT_EQ(library.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(std::string(library.status().message()), HasSubstr("libcupti.so.13"));
  EXPECT_THAT(std::string(library.status().message()),
              HasSubstr("/nowhere (the test): no such file"));
}

StatusOr<const Library*> OpenFake(const std::string& name) {
  return Library::Open({.before_loader = {{FAKE_CUPTIS "/" + name, "the test"}}, .loader = false});
}

TEST(CuptiLibraryTest, Versions) {
  StatusOr<const Library*> good = OpenFake("v28");
  ASSERT_TRUE(good.ok()) << good.status().ToString();
  EXPECT_EQ((*good)->version(), 28);
  EXPECT_EQ(*OpenFake("v28"), *good);  // the same file is the same library
  EXPECT_EQ((*good)->missing_range_functions().size(), std::size(kRangeFunctions));
  EXPECT_EQ((*good)->table().cuptiSubscribe_v2, nullptr);
  EXPECT_THAT(std::string(OpenFake("v18").status().message()),
              HasSubstr("libcupti.so.13 has the version 18; CUDA 12.0 (19) or newer is needed"));
  EXPECT_THAT(std::string(OpenFake("no_version").status().message()),
              HasSubstr("lacks cuptiGetVersion"));
  EXPECT_THAT(std::string(OpenFake("lacks_flush").status().message()),
              HasSubstr("cuptiActivityFlushAll"));
}

TEST(CuptiStatusTest, ErrorsHaveTheVendorsNames) {
  Table table;
  EXPECT_EQ(StatusOf(table, CUPTI_SUCCESS, "f"), OkStatus());
  EXPECT_EQ(StatusOf(table, CUPTI_ERROR_INVALID_KIND, "f").message(),
            "f: CUPTI_ERROR_INVALID_KIND");
  EXPECT_EQ(StatusOf(table, static_cast<CUptiResult>(77), "f").message(), "f: CUPTI error 77");
  table.cuptiGetResultString = [](CUptiResult, const char** text) {
    *text = "CUPTI_ERROR_NEWER";
    return CUPTI_SUCCESS;
  };
  EXPECT_EQ(StatusOf(table, static_cast<CUptiResult>(77), "f").message(),
            "f: CUPTI error 77 (CUPTI_ERROR_NEWER)");
  table.cuptiGetErrorMessage = [](CUptiResult, const char** text) {
    *text = "a sentence";
    return CUPTI_SUCCESS;
  };
  EXPECT_EQ(StatusOf(table, CUPTI_ERROR_INVALID_KIND, "f").message(),
            "f: CUPTI_ERROR_INVALID_KIND (a sentence)");
}

TEST(CuptiStatusTest, EachCodeHasAStatus) {
  EXPECT_EQ(CodeOf(CUPTI_SUCCESS), StatusCode::kOk);
  EXPECT_EQ(CodeOf(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES), StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf(CUPTI_ERROR_INVALID_CHIP_NAME), StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(CUPTI_ERROR_UNKNOWN), StatusCode::kUnknown);
  EXPECT_EQ(CodeOf(static_cast<CUptiResult>(77)), StatusCode::kUnknown);
#define CHECK_CODE(name, value) \
  if (name != CUPTI_SUCCESS) EXPECT_NE(CodeOf(name), StatusCode::kOk) << #name;
  TFRT_CUPTI_RESULTS(CHECK_CODE)
#undef CHECK_CODE
}

// The states of a machine that keep a profiler from its work.
TEST(CuptiStatusTest, WhatToDo) {
  for (CUptiResult result :
       {CUPTI_ERROR_UNKNOWN, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,
        CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED,
        CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_OUT_OF_MEMORY,
        CUPTI_ERROR_HARDWARE_BUSY, CUPTI_ERROR_NOT_COMPATIBLE}) {
    EXPECT_FALSE(RemedyOf(result).empty()) << ResultName(result);
  }
  EXPECT_EQ(RemedyOf(CUPTI_ERROR_INVALID_KIND), "");
}

TEST(CuptiVersionTest, AsToolkits) {
  EXPECT_EQ(VersionText(130001), "CUDA 13.0");
  EXPECT_EQ(VersionText(19), "CUDA 12.0");
  EXPECT_EQ(VersionText(28), "CUDA 12.9 update 1");
  EXPECT_EQ(VersionText(29), "API 29");
  EXPECT_EQ(VersionText(5), "API 5");
}

}  // namespace
}  // namespace tfrt::gpu::cupti
