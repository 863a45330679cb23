#include "gpu/abi/cuda_driver_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <string>

namespace tfrt::gpu::cuda {
namespace {

TEST(CudaDriverTableTest, OnePointerPerFunction) {
  EXPECT_EQ(sizeof(DriverTable), std::size(kDriverFunctions) * sizeof(void*));
  size_t index = 0;
#define CHECK_MEMBER(type, function, since, parameters, arguments)                \
  EXPECT_EQ(offsetof(DriverTable, function), index * sizeof(void*)) << #function; \
  EXPECT_STREQ(kDriverFunctions[index].name, #function);                          \
  ++index;
  TFRT_CUDA_DRIVER_FUNCTIONS(CHECK_MEMBER)
#undef CHECK_MEMBER
  std::set<std::string> names;
  for (const FunctionInfo& function : kDriverFunctions) names.insert(function.name);
  EXPECT_EQ(names.size(), std::size(kDriverFunctions));
}

TEST(CudaDriverTableTest, StartsEmpty) {
  DriverTable table;
#define CHECK_MEMBER(result, name, since, parameters, arguments) EXPECT_EQ(table.name, nullptr);
  TFRT_CUDA_DRIVER_FUNCTIONS(CHECK_MEMBER)
#undef CHECK_MEMBER
}

TEST(CudaDriverTableTest, WhatOldDriversMayLack) {
  std::set<std::string> optional;
  for (const FunctionInfo& function : kDriverFunctions) {
    if (!function.required) optional.insert(function.name);
  }
  EXPECT_EQ(optional,
            (std::set<std::string>{"cuFuncGetParamInfo", "cuFuncLoad", "cuGraphNodeGetToolsId",
                                   "cuStreamGetCaptureInfo_v3"}));
}

// The names in a list of arguments are those of the list of parameters.
TEST(CudaDriverTableTest, ArgumentsFitParameters) {
  [[maybe_unused]] DriverTable table;
#define CALL(result, name, since, parameters, arguments)              \
  [[maybe_unused]] auto call_##name = [&table] parameters -> result { \
    return table.name arguments;                                      \
  };
  TFRT_CUDA_DRIVER_FUNCTIONS(CALL)
#undef CALL
}

}  // namespace
}  // namespace tfrt::gpu::cuda
