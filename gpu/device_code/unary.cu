// Element-wise ops of one operand.
//
//   NAME_TYPE(out, in, size)
//   NAME_TYPE(out, in, size, alpha, beta)      both f32, for leaky_relu, elu, selu, swish,
//                                              hard_sigmoid, is_nan and is_inf; what an op lacks is
//                                              ignored
//
// out [size] may be in [size]. Results have the type of the operand, those of is_nan and is_inf are
// i1.

#include "element_ops.h"
#include "ops_by_type.h"
#include "vectors.h"

namespace tfrt::gpu::device {
namespace {

template <typename Op, typename T, typename R>
TFRT_DEVICE void Map(R* out, const T* in, int64_t size, float alpha = 0, float beta = 0) {
  using C = Compute<T>;
  constexpr int kCount = kSideBySide<T, R>;
  const bool in_vectors = IsAligned(in, kCount * sizeof(T)) && IsAligned(out, kCount * sizeof(R));
  auto apply = [=](T x) {
    return Encode<R>(Op::Apply(Decode(x), static_cast<C>(alpha), static_cast<C>(beta)));
  };
  ForEachVector<kCount>(
      size, in_vectors,
      [=](int64_t i) {
        auto elements = LoadVector<kCount>(in + i);
        if constexpr (Op::kIsShort) {
          Vector<R, kCount> results;
#pragma unroll
          for (int e = 0; e < kCount; ++e) results.at[e] = apply(elements.at[e]);
          StoreVector(out + i, results);
        } else {
#pragma unroll 1
          for (int e = 0; e < kCount; ++e) Shift(elements, apply(elements.at[0]));
          StoreVector(out + i, elements);
        }
      },
      [=](int64_t i) { out[i] = apply(in[i]); });
}

}  // namespace

using Element = TFRT_TYPE;

#define TFRT_UNARY_KERNEL(name, op)                                              \
  TFRT_KERNEL TFRT_ENTRY(name)(Element * out, const Element* in, int64_t size) { \
    Map<op>(out, in, size);                                                      \
  }
#define TFRT_PARAMETRIC_KERNEL(name, op)                                                    \
  TFRT_KERNEL TFRT_ENTRY(name)(Element * out, const Element* in, int64_t size, float alpha, \
                               float beta) {                                                \
    Map<op>(out, in, size, alpha, beta);                                                    \
  }
#define TFRT_PREDICATE_KERNEL(name, op)                                                \
  TFRT_KERNEL TFRT_ENTRY(name)(i1 * out, const Element* in, int64_t size, float alpha, \
                               float beta) {                                           \
    Map<op>(out, in, size, alpha, beta);                                               \
  }

TFRT_OF_TYPE(TFRT_UNARY)(TFRT_UNARY_KERNEL) TFRT_OF_TYPE(TFRT_PARAMETRIC)(TFRT_PARAMETRIC_KERNEL)
    TFRT_OF_TYPE(TFRT_PREDICATES)(TFRT_PREDICATE_KERNEL)

}  // namespace tfrt::gpu::device
