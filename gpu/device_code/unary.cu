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
#include "grid.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {
namespace {

template <typename Op, typename T, typename R>
TFRT_DEVICE void Map(R* out, const T* in, int64_t size, float alpha = 0, float beta = 0) {
  using C = Compute<T>;
  ForEach(size, [=](int64_t i) {
    out[i] = Encode<R>(Op::Apply(Decode(in[i]), static_cast<C>(alpha), static_cast<C>(beta)));
  });
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
