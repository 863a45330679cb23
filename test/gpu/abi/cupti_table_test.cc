#include "gpu/abi/cupti_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace tfrt::gpu::cupti {
namespace {

TEST(CuptiTableTest, OnePointerPerFunction) {
  EXPECT_EQ(sizeof(Table), std::size(kFunctions) * sizeof(void*));
  size_t index = 0;
#define CHECK_MEMBER(type, function, required, parameters, arguments)       \
  EXPECT_EQ(offsetof(Table, function), index * sizeof(void*)) << #function; \
  EXPECT_STREQ(kFunctions[index].name, #function);                          \
  ++index;
  TFRT_CUPTI_FUNCTIONS(CHECK_MEMBER)
#undef CHECK_MEMBER
}

TEST(CuptiTableTest, WhatLibrariesMayLack) {
  std::set<std::string> optional;
  for (const FunctionInfo& function : kFunctions) {
    if (!function.required && !std::string_view(function.name).starts_with("cuptiProfilerHost")) {
      optional.insert(function.name);
    }
  }
  EXPECT_EQ(optional,
            (std::set<std::string>{"cuptiGetErrorMessage", "cuptiActivityRegisterTimestampCallback",
                                   "cuptiActivityEnableLatencyTimestamps", "cuptiSetThreadIdType",
                                   "cuptiSubscribe_v2"}));
}

TEST(CuptiResultTest, NamesAndValuesAreUnique) {
  std::set<std::string_view> names;
  size_t num_results = 0;
#define COUNT(name, value)        \
  ++num_results;                  \
  names.insert(ResultName(name)); \
  EXPECT_EQ(ResultName(static_cast<CUptiResult>(value)), #name);
  TFRT_CUPTI_RESULTS(COUNT)
#undef COUNT
  EXPECT_EQ(names.size(), num_results);
  EXPECT_EQ(ResultName(static_cast<CUptiResult>(1000)), "");
}

// What a reader of the older record finds in the newer one.
TEST(CuptiRecordTest, NewerRecordsBeginLikeOlderOnes) {
  EXPECT_EQ(sizeof(CUpti_ActivityKernel9), 208u);
  EXPECT_EQ(sizeof(CUpti_ActivityKernel10), 216u);
  EXPECT_EQ(sizeof(CUpti_ActivityMemcpy5), 88u);
  EXPECT_EQ(sizeof(CUpti_ActivityMemcpy6), 96u);
  EXPECT_EQ(sizeof(CUpti_ActivityExternalCorrelation), 24u);
}

}  // namespace
}  // namespace tfrt::gpu::cupti
