#include "lib/ops/maths/tensor/summary.h"

#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/half.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

template <typename T>
std::string Summary(TensorShape shape, const std::vector<T>& elements, int64_t max_elements) {
  auto allocator = CreateMallocAllocator();
  auto tensor = DenseHostTensor::CreateUninitialized({DTypeOf<T>(), shape}, allocator.get());
  std::copy(elements.begin(), elements.end(), static_cast<T*>(*tensor->MutableData()));
  return cpu::Summary(*tensor, max_elements);
}

TEST(SummaryTest, Dimensions) {
  const std::vector<int32_t> four = {1, 2, 3, 4};
  EXPECT_EQ(Summary<int32_t>({4}, four, 3), "1 2 3...");
  EXPECT_EQ(Summary<int32_t>({4}, four, 4), "1 2 3 4");
  EXPECT_EQ(Summary<int32_t>({4}, four, -1), "1 2 3 4");
  EXPECT_EQ(Summary<int32_t>({4}, four, 0), "...");
  EXPECT_EQ(Summary<int32_t>({}, {7}, 3), "7");
  EXPECT_EQ(Summary<int32_t>({}, {7}, 0), "...");
  EXPECT_EQ(Summary<int32_t>({0}, {}, 3), "");
  EXPECT_EQ(Summary<int32_t>({2, 0}, {}, 3), "");
  EXPECT_EQ(Summary<int32_t>({2, 2}, four, 4), "[1 2][3 4]");
  EXPECT_EQ(Summary<int32_t>({2, 2}, four, 3), "[1 2][3...]...");
  EXPECT_EQ(Summary<int32_t>({2, 2}, four, 2), "[1 2]...");
  EXPECT_EQ(Summary<int32_t>({2, 1, 2}, four, 3), "[[1 2]][[3...]]...");
}

TEST(SummaryTest, Elements) {
  EXPECT_EQ(Summary<float>({5}, {0.1f, 1, -1e20f, INFINITY, 16777216}, -1),
            "0.1 1 -1e+20 inf 16777216");
  EXPECT_EQ(Summary<double>({2}, {0.1, 1.0 / 3}, -1), "0.1 0.3333333333333333");
  EXPECT_EQ(Summary<Fp16>({1}, {Fp16(0.5f)}, -1), "0.5");
  EXPECT_EQ(Summary<Bf16>({1}, {Bf16(-2.0f)}, -1), "-2");
  EXPECT_EQ(Summary<int8_t>({2}, {-128, 65}, -1), "-128 65");
  EXPECT_EQ(Summary<uint64_t>({1}, {UINT64_MAX}, -1), "18446744073709551615");
  auto allocator = CreateMallocAllocator();
  auto bools = DenseHostTensor::CreateUninitialized({DType::kI1, {2}}, allocator.get());
  static_cast<bool*>(*bools->MutableData())[0] = true;
  static_cast<bool*>(*bools->MutableData())[1] = false;
  EXPECT_EQ(cpu::Summary(*bools, -1), "1 0");
  EXPECT_EQ((Summary<std::complex<float>>({1}, {{1, -2}}, -1)), "(1,-2)");
}

TEST(SummaryTest, OtherTensors) {
  EXPECT_EQ(cpu::Summary(ScalarHostTensor<float>({2, 2}, 1.5f), 3), "[1.5 1.5][1.5...]...");
  auto allocator = CreateMallocAllocator();
  auto strings = StringHostTensor::CreateEmpty({2}, allocator.get());
  strings->MutableStrings()[0] = "one two";
  EXPECT_EQ(cpu::Summary(*strings, 1), "one two...");
}

}  // namespace
}  // namespace tfrt
