// Element-wise ops of two operands.
//
//   NAME_TYPE(out, a, b, size, a_step, b_step)
//     out[i] = op(a[i a_step], b[i b_step]): step 0 repeats one element, 1 takes each.
//   broadcast_NAME_TYPE(out, a, b, size1, size2, size3, size4,
//                       a_step1, ..., a_step4, b_step1, ..., b_step4)
//     out [size1,size2,size3,size4], dense, of operands that are so many elements apart along each
//     dimension: 0 repeats.
//
// All sizes and steps are i64. `out` may be an operand that does not repeat.

#include "element_ops.h"
#include "grid.h"
#include "ops_by_type.h"
#include "strides.h"

namespace tfrt::gpu::device {
namespace {

template <typename Op, typename T, typename R>
TFRT_DEVICE void MapPairs(R* out, const T* a, const T* b, int64_t size, int64_t a_step,
                          int64_t b_step) {
  ForEach(size, [=](int64_t i) {
    out[i] = Encode<R>(Op::Apply(Decode(a[i * a_step]), Decode(b[i * b_step])));
  });
}

template <typename Op, typename T, typename R>
TFRT_DEVICE void MapBroadcast(R* out, const T* a, const T* b, Places sizes, Places a_steps,
                              Places b_steps) {
  ForEach(sizes.Elements(), [=](int64_t i) {
    const Places place = sizes.PlaceOf(i);
    out[i] = Encode<R>(
        Op::Apply(Decode(a[place.OffsetWith(a_steps)]), Decode(b[place.OffsetWith(b_steps)])));
  });
}

}  // namespace

using Element = TFRT_TYPE;

// `Result` is the type of results.
#define TFRT_PAIR_KERNELS(name, op)                                                               \
  TFRT_KERNEL TFRT_ENTRY(name)(Result * out, const Element* a, const Element* b, int64_t size,    \
                               int64_t a_step, int64_t b_step) {                                  \
    MapPairs<op>(out, a, b, size, a_step, b_step);                                                \
  }                                                                                               \
  TFRT_KERNEL TFRT_ENTRY(broadcast_##name)(                                                       \
      Result * out, const Element* a, const Element* b, int64_t size1, int64_t size2,             \
      int64_t size3, int64_t size4, int64_t a_step1, int64_t a_step2, int64_t a_step3,            \
      int64_t a_step4, int64_t b_step1, int64_t b_step2, int64_t b_step3, int64_t b_step4) {      \
    MapBroadcast<op>(out, a, b, {size1, size2, size3, size4},                                     \
                     {a_step1, a_step2, a_step3, a_step4}, {b_step1, b_step2, b_step3, b_step4}); \
  }

#ifdef TFRT_COMPARES
using Result = i1;
TFRT_OF_TYPE(TFRT_COMPARE)(TFRT_PAIR_KERNELS)
#else
using Result = Element;
TFRT_OF_TYPE(TFRT_BINARY)(TFRT_PAIR_KERNELS)
#endif

}  // namespace tfrt::gpu::device
