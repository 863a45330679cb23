#include "gpu/abi/cuda_result.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace tfrt::gpu::cuda {
namespace {

TEST(CudaResultTest, NamesAreTheVendors) {
  EXPECT_EQ(ResultName(CUDA_SUCCESS), "CUDA_SUCCESS");
  EXPECT_EQ(ResultName(CUDA_ERROR_INVALID_IMAGE), "CUDA_ERROR_INVALID_IMAGE");
  EXPECT_EQ(ResultName(CUDA_ERROR_UNKNOWN), "CUDA_ERROR_UNKNOWN");
}

TEST(CudaResultTest, NamesAndValuesAreUnique) {
  std::set<std::string_view> names;
  int num_results = 0;
#define COUNT(name, value)        \
  ++num_results;                  \
  names.insert(ResultName(name)); \
  EXPECT_EQ(ResultName(static_cast<CUresult>(value)), #name);
  TFRT_CUDA_RESULTS(COUNT)
#undef COUNT
  EXPECT_EQ(names.size(), num_results);
}

TEST(CudaResultTest, CodesOfNewerDriversHaveNoName) {
  EXPECT_EQ(ResultName(static_cast<CUresult>(9)), "");
  EXPECT_EQ(ResultName(static_cast<CUresult>(1000)), "");
  EXPECT_EQ(ResultName(static_cast<CUresult>(0xffffffff)), "");
}

}  // namespace
}  // namespace tfrt::gpu::cuda
