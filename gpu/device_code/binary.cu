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
#include "ops_by_type.h"
#include "strides.h"
#include "vectors.h"

namespace tfrt::gpu::device {
namespace {

template <typename Op, typename R, typename T>
TFRT_DEVICE R Apply(T a, T b) {
  return Encode<R>(Op::Apply(Decode(a), Decode(b)));
}
template <typename Op, typename R, typename T, int count>
TFRT_DEVICE Vector<R, count> Apply(Vector<T, count> a, Vector<T, count> b) {
  if constexpr (Op::kIsShort) {
    Vector<R, count> results;
#pragma unroll
    for (int e = 0; e < count; ++e) results.at[e] = Apply<Op, R>(a.at[e], b.at[e]);
    return results;
  } else {
#pragma unroll 1
    for (int e = 0; e < count; ++e) {
      Shift(a, Apply<Op, R>(a.at[0], b.at[0]));
      Shift(b, b.at[0]);
    }
    return a;
  }
}

// Elements from `from` on, or one of them everywhere.
template <int count, typename T>
TFRT_DEVICE Vector<T, count> LoadOrRepeat(const T* from, bool repeats) {
  return repeats ? Repeat<count>(*from) : LoadVector<count>(from);
}

template <typename Op, typename T, typename R>
TFRT_DEVICE void MapPairs(R* out, const T* a, const T* b, int64_t size, int64_t a_step,
                          int64_t b_step) {
  constexpr int kCount = kSideBySide<T, R>, kBytes = kCount * sizeof(T);
  const bool in_vectors = IsAligned(out, kCount * sizeof(R)) &&
                          (a_step == 0 || IsAligned(a, kBytes)) &&
                          (b_step == 0 || IsAligned(b, kBytes));
  ForEachVector<kCount>(
      size, in_vectors,
      [=](int64_t i) {
        StoreVector(out + i, Apply<Op, R>(LoadOrRepeat<kCount>(a + i * a_step, a_step == 0),
                                          LoadOrRepeat<kCount>(b + i * b_step, b_step == 0)));
      },
      [=](int64_t i) { out[i] = Apply<Op, R>(a[i * a_step], b[i * b_step]); });
}

// Whether each row of the output finds whole vectors in an operand, or a single element.
template <int count, typename T>
TFRT_DEVICE bool HasVectors(const T* from, const Places& steps) {
  if (steps.at[3] == 0) return true;
  return steps.at[3] == 1 && IsAligned(from, count * sizeof(T)) &&
         (steps.at[0] | steps.at[1] | steps.at[2]) % count == 0;
}

template <typename Op, typename T, typename R>
TFRT_DEVICE void MapBroadcast(R* out, const T* a, const T* b, Places sizes, Places a_steps,
                              Places b_steps) {
  constexpr int kCount = kSideBySide<T, R>;
  const bool in_vectors = sizes.at[3] % kCount == 0 && IsAligned(out, kCount * sizeof(R)) &&
                          HasVectors<kCount>(a, a_steps) && HasVectors<kCount>(b, b_steps);
  const int count = in_vectors ? kCount : 1;
  const int64_t elements = sizes.Elements();
  ForEach(in_vectors ? elements / kCount : elements, [=](int64_t number) {
    const int64_t i = number * count;
    const Places place = sizes.PlaceOf(i);
    const T *x = a + place.OffsetWith(a_steps), *y = b + place.OffsetWith(b_steps);
    if (in_vectors) {
      StoreVector(out + i, Apply<Op, R>(LoadOrRepeat<kCount>(x, a_steps.at[3] == 0),
                                        LoadOrRepeat<kCount>(y, b_steps.at[3] == 0)));
    } else {
      out[i] = Apply<Op, R>(*x, *y);
    }
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
