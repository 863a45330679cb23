// Stable sorting of kernel and register numbers, in one place: std::stable_sort is kilobytes of
// code for each order it is used with.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_STABLE_SORT_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_STABLE_SORT_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tfrt::internal {

// Sorts numbers by key(number), equal keys in the order in which they are.
template <typename Key>
void StableSortByKey(std::span<uint32_t> numbers, Key&& key) {
  // The first few by insertion, which is all that most lists need.
  constexpr size_t kFew = 16;
  size_t sorted = 1;
  while (sorted < numbers.size() &&
         (sorted < kFew || key(numbers[sorted]) >= key(numbers[sorted - 1]))) {
    uint32_t number = numbers[sorted];
    size_t i = sorted++;
    for (; i > 0 && key(numbers[i - 1]) > key(number); --i) numbers[i] = numbers[i - 1];
    numbers[i] = number;
  }
  if (sorted >= numbers.size()) return;
  // A plain order of plain words: the one instantiation of the sort that all keys share.
  std::vector<uint64_t> order;
  std::vector<uint32_t> unsorted(numbers.begin(), numbers.end());
  order.reserve(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    order.push_back(uint64_t{key(numbers[i])} << 32 | i);
  }
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = unsorted[static_cast<uint32_t>(order[i])];
  }
}

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_STABLE_SORT_H_
