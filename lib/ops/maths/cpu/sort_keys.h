// Sorts integers: what sort.cc makes of elements of any dtype.
#ifndef TFRT_LIB_OPS_MATHS_CPU_SORT_KEYS_H_
#define TFRT_LIB_OPS_MATHS_CPU_SORT_KEYS_H_

#include <cstddef>
#include <cstdint>

namespace tfrt::cpu {

// An unsigned number of 128 bits.
struct alignas(16) WideKey {
  uint64_t low;
  uint64_t high;
};

// Ascending. With Highway's headers this is its vqsort (docs/design/0024-sorting.md), otherwise
// std::sort; the keys are the same. Narrow ones are signed, because AVX2 compares no others.
void SortKeys(int32_t* keys, size_t count);
void SortKeys(int64_t* keys, size_t count);
void SortKeys(WideKey* keys, size_t count);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SORT_KEYS_H_
