#include "lib/base/support/inline_vector.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tfrt {
namespace {

using Numbers = InlineVector<int, 2>;

Numbers UpTo(int size) {
  Numbers numbers;
  for (int i = 0; i < size; ++i) numbers.push_back(i);
  return numbers;
}

std::vector<int> Listed(std::span<const int> numbers) { return {numbers.begin(), numbers.end()}; }

TEST(InlineVectorTest, CopiesAndMovesAreEqualWhereverTheElementsLie) {
  for (int size : {0, 1, 2, 3, 9}) {
    const Numbers numbers = UpTo(size);
    const std::vector<int> expected = Listed(numbers);
    ASSERT_EQ(expected.size(), static_cast<size_t>(size));
    Numbers copied = numbers;
    EXPECT_EQ(Listed(copied), expected);
    Numbers moved = std::move(copied);
    EXPECT_EQ(Listed(moved), expected);
    for (int other : {0, 2, 5}) {
      Numbers assigned = UpTo(other);
      assigned = numbers;
      EXPECT_EQ(Listed(assigned), expected);
      assigned = UpTo(other);
      EXPECT_EQ(assigned.size(), static_cast<size_t>(other));
    }
  }
}

TEST(InlineVectorTest, ACopyIsApart) {
  Numbers numbers = UpTo(3);
  Numbers copied = numbers;
  numbers[0] = 7;
  EXPECT_EQ(copied[0], 0);
  EXPECT_EQ(numbers.back(), 2);
}

}  // namespace
}  // namespace tfrt
