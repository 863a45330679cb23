// Elements and slices put, or added and so on, at places that indices name, one after the other.
#ifndef TFRT_LIB_OPS_MATHS_CPU_SCATTER_H_
#define TFRT_LIB_OPS_MATHS_CPU_SCATTER_H_

#include <cstdint>
#include <string_view>

#include "data_movement.h"
#include "element_places.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/status.h"

namespace tfrt::cpu {

// The ways to combine an element with its update. For NaN and a number, the maximum and the minimum
// are NaN.
enum class Reduction { kNone, kAdd, kMul, kMax, kMin };
// InvalidArgument: "unknown reduction 'mean'", and for what elements of the dtype have not.
StatusOr<Reduction> ReductionOf(std::string_view name, DType dtype);

// Updates for all indices of `places`, in their order. Indices that are nowhere do nothing.
template <typename Index>
void ScatterElements(const ElementPlaces& places, Reduction reduction, DType dtype,
                     const Index* indices, const void* updates, void* out);

// The slices [rows,slice] for all rows of the indices.
template <typename Index>
void ScatterNd(const GatherNdPlan& plan, Reduction reduction, DType dtype, const Index* indices,
               int64_t rows, const void* updates, void* out);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SCATTER_H_
