#include "tfrt/tensor/string_host_tensor.h"

#include "test/unit/tensor/test_tensors.h"

namespace tfrt {
namespace {

TEST(StringHostTensorTest, StartsWithEmptyStrings) {
  auto tensor = StringHostTensor::CreateEmpty(TensorShape{2, 2}, TestAllocator());
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->metadata(), (TensorMetadata{DType::kString, {2, 2}}));
  EXPECT_EQ(tensor->tensor_type(), kStringHostTensorType);
  ASSERT_EQ(tensor->strings().size(), 4u);
  for (const std::string& string : tensor->strings()) EXPECT_EQ(string, "");
  EXPECT_EQ(MakeStrings(TensorShape{0}, {}).strings().size(), 0u);
}

TEST(StringHostTensorTest, SharesItsStrings) {
  auto allocator = CreateLeakCheckAllocator();
  {
    auto tensor = StringHostTensor::CreateEmpty(TensorShape{2}, allocator.get());
    StringHostTensor other = tensor->ShareStrings();
    tensor->MutableStrings()[1] = "a string that is too long to lie in the object";
    EXPECT_EQ(other.strings()[1], "a string that is too long to lie in the object");
    StringHostTensor moved = std::move(other);
    EXPECT_EQ(moved.shape(), (TensorShape{2}));
  }
  EXPECT_FALSE(allocator->ReportLeaks());
}

TEST(StringHostTensorTest, ReportsMissingMemory) {
  auto allocator = CreateFixedSizeAllocator(64);
  EXPECT_EQ(StringHostTensor::CreateEmpty(TensorShape{10}, allocator.get()).status(),
            ResourceExhaustedError("Failed to create SHT"));
  EXPECT_EQ(StringHostTensor::CreateEmpty(TensorShape{INT64_MAX}, allocator.get()).status(),
            ResourceExhaustedError("Failed to create SHT"));
}

TEST(StringHostTensorTest, PrintsAtMostSixteen) {
  EXPECT_EQ(MakeStrings(TensorShape{2}, {"a", "b\"c"}).ToString(),
            "StringHostTensor shape = [2], values = [\"a\", \"b\"c\"]");
  EXPECT_EQ(MakeStrings(TensorShape{0}, {}).ToString(),
            "StringHostTensor shape = [0], values = []");
  std::string sixteen = "\"x\"";
  for (int i = 1; i < 16; ++i) sixteen += ", \"x\"";
  for (int64_t count : {16, 17, 32}) {
    EXPECT_EQ(
        MakeStrings(TensorShape{count}, std::vector<std::string>(count, "x")).ToString(),
        "StringHostTensor shape = [" + std::to_string(count) + "], values = [" + sixteen + "]");
  }
  EXPECT_EQ(MakeStrings(TensorShape{33}, std::vector<std::string>(33, "x")).ToString(),
            "StringHostTensor shape = [33], values = [" + sixteen + ", ... ]");
}

}  // namespace
}  // namespace tfrt
