#include "tfrt/support/small_array.h"

#include <gtest/gtest.h>

#include <memory>

namespace tfrt {
namespace {

TEST(SmallArrayTest, LiesInTheObjectUpToItsLimit) {
  SmallArray<int*, 3> array(3);
  const auto* object = reinterpret_cast<const char*>(&array);
  const auto* elements = reinterpret_cast<const char*>(array.data());
  EXPECT_TRUE(elements >= object && elements < object + sizeof(array));
  SmallArray<int*, 3> larger(4);
  object = reinterpret_cast<const char*>(&larger);
  elements = reinterpret_cast<const char*>(larger.data());
  EXPECT_FALSE(elements >= object && elements < object + sizeof(larger));
}

TEST(SmallArrayTest, ElementsStartAsZero) {
  for (size_t size : {0, 2, 3, 100}) {
    SmallArray<int, 2> array(size);
    ASSERT_EQ(array.size(), size);
    ASSERT_EQ(array.span().size(), size);
    for (int element : array) EXPECT_EQ(element, 0);
    for (size_t i = 0; i < size; ++i) array[i] = static_cast<int>(i);
    if (size > 0) {
      EXPECT_EQ(array.span().back(), static_cast<int>(size) - 1);
    }
  }
}

TEST(SmallArrayTest, DestroysItsElements) {
  auto counted = std::make_shared<int>(0);
  for (size_t size : {1, 5}) {
    SmallArray<std::shared_ptr<int>, 2> array(size);
    for (auto& element : array) element = counted;
    EXPECT_EQ(counted.use_count(), static_cast<long>(size) + 1);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

}  // namespace
}  // namespace tfrt
