#include "gpu/abi/cudnn_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>

namespace tfrt::gpu::cudnn {
namespace {

TEST(CudnnTableTest, OnePointerPerFunction) {
  EXPECT_EQ(sizeof(Table), std::size(kFunctions) * sizeof(void*));
  size_t index = 0;
#define CHECK_MEMBER(type, function, since, parameters, arguments)          \
  EXPECT_EQ(offsetof(Table, function), index * sizeof(void*)) << #function; \
  EXPECT_STREQ(kFunctions[index].name, #function);                          \
  EXPECT_TRUE(kFunctions[index].required) << #function;                     \
  ++index;
  TFRT_CUDNN_FUNCTIONS(CHECK_MEMBER)
#undef CHECK_MEMBER
}

TEST(CudnnResultTest, NamesAndValuesAreUnique) {
  std::set<std::string_view> names;
  size_t num_results = 0;
#define COUNT(name, value, code)  \
  ++num_results;                  \
  names.insert(ResultName(name)); \
  EXPECT_EQ(ResultName(static_cast<cudnnStatus_t>(value)), #name);
  TFRT_CUDNN_RESULTS(COUNT)
#undef COUNT
  EXPECT_EQ(names.size(), num_results);
  EXPECT_EQ(ResultName(static_cast<cudnnStatus_t>(9999)), "");
}

}  // namespace
}  // namespace tfrt::gpu::cudnn
