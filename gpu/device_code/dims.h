// Numbers along the dimensions of tensors, and the places of elements there.
#ifndef TFRT_GPU_DEVICE_CODE_DIMS_H_
#define TFRT_GPU_DEVICE_CODE_DIMS_H_

#include "grid.h"
#include "launch_sizes.h"

// Parameters of kernels: a number for each of so many dimensions, the slowest first.
#define TFRT_FOUR(name) int64_t name##1, int64_t name##2, int64_t name##3, int64_t name##4
#define TFRT_EIGHT(name) \
  TFRT_FOUR(name), int64_t name##5, int64_t name##6, int64_t name##7, int64_t name##8
#define TFRT_FOUR_OF(name) {name##1, name##2, name##3, name##4}
#define TFRT_EIGHT_OF(name) {name##1, name##2, name##3, name##4, name##5, name##6, name##7, name##8}

namespace tfrt::gpu::device {

// Sizes, places or steps along dimensions, the slowest first.
template <int rank>
struct Dims {
  int64_t at[rank];

  TFRT_DEVICE int64_t Product() const {
    int64_t product = 1;
#pragma unroll
    for (int d = 0; d < rank; ++d) product *= at[d];
    return product;
  }
  // For a place: returns its distance from the first element.
  TFRT_DEVICE int64_t OffsetWith(const Dims& steps) const {
    int64_t offset = 0;
#pragma unroll
    for (int d = 0; d < rank; ++d) offset += at[d] * steps.at[d];
    return offset;
  }
};

// The place of element i of a dense tensor with these sizes, all of which fit Index.
template <typename Index, int rank>
TFRT_DEVICE Dims<rank> PlaceOf(Index i, const Dims<rank>& sizes) {
  Dims<rank> place;
#pragma unroll
  for (int d = rank - 1; d > 0; --d) {
    const auto size = static_cast<Index>(sizes.at[d]);
    const Index quotient = i / size;
    place.at[d] = static_cast<int64_t>(i - quotient * size);
    i = quotient;
  }
  place.at[0] = static_cast<int64_t>(i);
  return place;
}

// Calls fn(i, place of element i) for all elements of a dense tensor, each in one thread.
// Divisions of 32 bits take a fraction of the time. Those of 64 are calls, for which a kernel may
// spill registers: on this way only.
template <int rank, typename F>
TFRT_DEVICE void ForEachPlace(const Dims<rank>& sizes, F fn) {
  const int64_t count = sizes.Product();
  if (count <= INT32_MAX) {
    ForEach(count, [&](int64_t i) { fn(i, PlaceOf(static_cast<uint32_t>(i), sizes)); });
  } else {
    ForEach(count, [&](int64_t i) { fn(i, PlaceOf(static_cast<uint64_t>(i), sizes)); });
  }
}

// The same for an fn of many instructions: they are there once, for sizes of 32 bits and of 64.
template <int rank, typename F>
TFRT_DEVICE void ForEachPlaceAtOnce(const Dims<rank>& sizes, F fn) {
  ForEach(sizes.Product(), [&](int64_t i) {
    Dims<rank> place;
    int64_t rest = i;
#pragma unroll
    for (int d = rank - 1; d > 0; --d) {
      const int64_t quotient = Divide(rest, sizes.at[d]);
      place.at[d] = rest - quotient * sizes.at[d];
      rest = quotient;
    }
    place.at[0] = rest;
    fn(i, place);
  });
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_DIMS_H_
