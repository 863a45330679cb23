// Sizes that programs describe: the largest number stands for all that are too large to count.
#ifndef TFRT_GPU_LIBRARIES_SATURATED_H_
#define TFRT_GPU_LIBRARIES_SATURATED_H_

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace tfrt::gpu {

inline uint64_t SaturatedTimes(uint64_t a, uint64_t b) {
  uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

inline uint64_t SaturatedPlus(uint64_t a, uint64_t b) {
  uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? UINT64_MAX : result;
}

// Returns how many elements there are from the first to the last of a tensor; none if it has none.
// Strides are at least 0.
template <typename List>
uint64_t SpanOf(const List& dims, const List& strides) {
  uint64_t span = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    assert(strides[d] >= 0 && "strides that were not checked");
    if (dims[d] < 1) return 0;
    span = SaturatedPlus(span, SaturatedTimes(static_cast<uint64_t>(dims[d] - 1),
                                              static_cast<uint64_t>(strides[d])));
  }
  return span;
}

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_LIBRARIES_SATURATED_H_
