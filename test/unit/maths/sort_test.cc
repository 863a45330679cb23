// Rows of all dtypes and lengths against std::stable_sort.
#include "lib/ops/maths/cpu/sort.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "lib/ops/maths/cpu/sort_keys.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"

namespace tfrt::cpu {
namespace {

// Bits: of T, where only some have an order of their own.
template <typename T>
struct Bytes {
  unsigned char bytes[sizeof(T)];
};

template <typename T>
double NumberOf(const Bytes<T>& element) {
  if constexpr (std::is_same_v<T, bool>) {
    return element.bytes[0] != 0;
  } else {
    T value;
    std::memcpy(&value, element.bytes, sizeof(T));
    if constexpr (tfrt::internal::kIsHalf<T>) {
      return static_cast<double>(value.ToFloat());
    } else {
      return static_cast<double>(value);  // those below have 53 bits
    }
  }
}

template <typename T>
std::vector<Bytes<T>> RandomElements(size_t count, std::mt19937& random) {
  std::vector<Bytes<T>> elements(count);
  for (Bytes<T>& element : elements) {
    const double few[] = {0.0, -0.0, 1, std::nan(""), INFINITY, -INFINITY, -std::nan("")};
    constexpr bool kIsFloat = tfrt::internal::kIsHalf<T> || std::is_floating_point_v<T>;
    double number = static_cast<double>(random() % 1000) - 500;
    if (kIsFloat && random() % 8 == 0) number = few[random() % std::size(few)];
    if constexpr (std::is_same_v<T, bool>) {
      element.bytes[0] = static_cast<unsigned char>(random() % 2);
    } else if constexpr (std::is_integral_v<T>) {
      const int64_t factor = int64_t{1} << (sizeof(T) == 8 ? 40 : sizeof(T) == 4 ? 10 : 0);
      const T value = static_cast<T>(static_cast<int64_t>(number) * factor);
      std::memcpy(element.bytes, &value, sizeof(T));
    } else {
      T value;
      if constexpr (tfrt::internal::kIsHalf<T>) {
        value = T(static_cast<float>(number));
      } else {
        value = static_cast<T>(number);
      }
      std::memcpy(element.bytes, &value, sizeof(T));
    }
  }
  return elements;
}

template <typename T>
void CheckRows(const SortSizes& sizes, std::mt19937& random) {
  const DType dtype = DTypeOf<T>();
  const int64_t rows = sizes.outer * sizes.inner;
  const auto in = RandomElements<T>(static_cast<size_t>(rows * sizes.size), random);
  std::vector<Bytes<T>> sorted(in.size());
  std::vector<int64_t> places(in.size());
  std::vector<int32_t> short_places(in.size());
  // In two parts, as threads share them.
  for (auto [begin, end] : {std::pair(int64_t{0}, rows / 2), std::pair(rows / 2, rows)}) {
    Sort(sizes, dtype, in.data(), sorted.data(), begin, end);
    ArgSort(sizes, dtype, in.data(), DType::kI64, places.data(), begin, end);
    ArgSort(sizes, dtype, in.data(), DType::kI32, short_places.data(), begin, end);
  }
  std::vector<int64_t> order(static_cast<size_t>(sizes.size));
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t first = row / sizes.inner * sizes.size * sizes.inner + row % sizes.inner;
    auto at = [&](int64_t i) { return static_cast<size_t>(first + i * sizes.inner); };
    auto is_less = [&](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; };
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
      const double a = NumberOf<T>(in[at(i)]), b = NumberOf<T>(in[at(j)]);
      return sizes.descending ? is_less(b, a) : is_less(a, b);
    });
    for (int64_t i = 0; i < sizes.size; ++i) {
      const int64_t place = order[static_cast<size_t>(i)];
      ASSERT_EQ(places[at(i)], place) << DTypeName(dtype) << " row " << row << " element " << i;
      ASSERT_EQ(short_places[at(i)], place);
      ASSERT_EQ(std::memcmp(sorted[at(i)].bytes, in[at(place)].bytes, sizeof(T)), 0)
          << DTypeName(dtype) << " row " << row << " element " << i;
    }
  }
}

// Long rows are of interest where elements are counted.
template <typename T>
bool IsChecked(const SortSizes& sizes) {
  return sizes.size < 5000 || sizeof(T) == 2;
}

TEST(SortTest, RowsOfAllDTypes) {
  std::mt19937 random(5);
  for (const SortSizes& sizes :
       {SortSizes{1, 1, 1}, SortSizes{3, 17, 1}, SortSizes{2, 70, 1}, SortSizes{2, 9, 5},
        SortSizes{1, 600, 1}, SortSizes{2, 60, 19}, SortSizes{1, 16500, 2}}) {
    for (bool descending : {false, true}) {
      SortSizes each = sizes;
      each.descending = descending;
#define TFRT_CHECK(name, T)                             \
  if constexpr (!tfrt::internal::kIsComplex<T>) {       \
    if (IsChecked<T>(each)) CheckRows<T>(each, random); \
    if (HasFatalFailure()) return;                      \
  }
      TFRT_CPP_ELEMENT_TYPES(TFRT_CHECK)
#undef TFRT_CHECK
    }
  }
}

// Keys of all 64 bits, and those in which keys differ least.
TEST(SortTest, KeysOfAllBits) {
  std::mt19937_64 random(6);
  for (size_t size : {size_t{2}, size_t{16}, size_t{17}, size_t{500}, size_t{4099}}) {
    std::vector<int32_t> narrow(size);
    std::vector<int64_t> keys(size);
    std::vector<WideKey> wide(size);
    for (size_t i = 0; i < size; ++i) {
      narrow[i] = static_cast<int32_t>(random());
      keys[i] = static_cast<int64_t>(random());
      wide[i] = {random(), random() % 3 == 0 ? ~uint64_t{0} : random()};
    }
    auto is_less = [](const WideKey& a, const WideKey& b) {
      return a.high != b.high ? a.high < b.high : a.low < b.low;
    };
    SortKeys(narrow.data(), size);
    SortKeys(keys.data(), size);
    SortKeys(wide.data(), size);
    EXPECT_TRUE(std::ranges::is_sorted(narrow));
    EXPECT_TRUE(std::ranges::is_sorted(keys));
    EXPECT_TRUE(std::ranges::is_sorted(wide, is_less));
  }
}

TEST(SortTest, SearchesBothSides) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> row = {-1, -0.0f, 0.0f, 2, 2, kNan};
  const std::vector<float> values = {-2, -1, 0, 1, 2, 3, INFINITY, kNan};
  std::vector<int64_t> left(values.size());
  std::vector<int32_t> right(values.size());
  SearchSorted(6, DType::kF32, row.data(), values.data(), false, DType::kI64, left.data(), 0, 8);
  SearchSorted(6, DType::kF32, row.data(), values.data(), true, DType::kI32, right.data(), 0, 8);
  EXPECT_EQ(left, (std::vector<int64_t>{0, 0, 1, 3, 3, 5, 5, 5}));
  EXPECT_EQ(right, (std::vector<int32_t>{0, 1, 3, 3, 5, 5, 5, 6}));
}

}  // namespace
}  // namespace tfrt::cpu
