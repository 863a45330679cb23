// Ops that put elements in order, or look for values where they are in order.

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "copied_result.h"
#include "lib/ops/maths/cpu/sort.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"
#include "unsupported_dtype.h"

namespace tfrt {
namespace {

bool HasOrder(DType dtype) {
  return dtype == DType::kI1 || DispatchReal(dtype, [](auto) {});
}

StatusOr<cpu::SortSizes> SizesOf(const TensorShape& shape, const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(*attrs.Get<int64_t>("axis"), shape));
  return cpu::SortSizes{SizeOfDims(shape, 0, axis), shape.dim(axis),
                        SizeOfDims(shape, axis + 1, shape.rank()), *attrs.Get<bool>("descending")};
}

// Each element is compared with about as many as its row has halves.
size_t CostOfRow(const cpu::SortSizes& sizes) {
  const auto size = static_cast<size_t>(sizes.size);
  return 4 * size * std::bit_width(size);
}

Status Sort(const DenseHostTensor& in, const TensorMetadata& result, const OpAttrsRef& attrs,
            OpCall& call) {
  if (!HasOrder(in.dtype())) return UnsupportedDType(call, in.dtype());
  TFRT_ASSIGN_OR_RETURN(cpu::SortSizes sizes, SizesOf(in.shape(), attrs));
  if (in.num_elements() == 0) return SetEmpty(call, result);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto* to = WritableData<char>(out);
  ComputeResult(
      call, static_cast<size_t>(sizes.outer * sizes.inner), CostOfRow(sizes), {&in}, std::move(out),
      [sizes, dtype = in.dtype(), from = in.data(), to](size_t begin, size_t end) {
        cpu::Sort(sizes, dtype, from, to, static_cast<int64_t>(begin), static_cast<int64_t>(end));
      });
  return OkStatus();
}

Status ArgSort(const DenseHostTensor& in, const TensorMetadata& result, const OpAttrsRef& attrs,
               OpCall& call) {
  if (!HasOrder(in.dtype())) return UnsupportedDType(call, in.dtype());
  TFRT_ASSIGN_OR_RETURN(cpu::SortSizes sizes, SizesOf(in.shape(), attrs));
  if (in.num_elements() == 0) return SetEmpty(call, result);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto* to = WritableData<char>(out);
  ComputeResult(call, static_cast<size_t>(sizes.outer * sizes.inner), CostOfRow(sizes), {&in},
                std::move(out),
                [sizes, dtype = in.dtype(), from = in.data(), places = result.dtype, to](
                    size_t begin, size_t end) {
                  cpu::ArgSort(sizes, dtype, from, places, to, static_cast<int64_t>(begin),
                               static_cast<int64_t>(end));
                });
  return OkStatus();
}

Status SearchSorted(const DenseHostTensor& sorted, const DenseHostTensor& values,
                    const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  if (!HasOrder(sorted.dtype())) return UnsupportedDType(call, sorted.dtype());
  const bool right = *attrs.Get<bool>("right");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto* to = WritableData<char>(out);
  const int64_t size = sorted.num_elements();
  const size_t cost = 8 * static_cast<size_t>(std::bit_width(static_cast<size_t>(size)) + 1);
  ComputeResult(call, static_cast<size_t>(values.num_elements()), cost, {&sorted, &values},
                std::move(out),
                [size, dtype = sorted.dtype(), row = sorted.data(), wanted = values.data(), right,
                 places = result.dtype, to](size_t begin, size_t end) {
                  cpu::SearchSorted(size, dtype, row, wanted, right, places, to,
                                    static_cast<int64_t>(begin), static_cast<int64_t>(end));
                });
  return OkStatus();
}

}  // namespace

void RegisterSortingOps(OpRegistry* registry) {
  registry->Implement("graph.sort", {.function = TFRT_OP(Sort)});
  registry->Implement("graph.argsort", {.function = TFRT_OP(ArgSort)});
  registry->Implement("graph.search_sorted", {.function = TFRT_OP(SearchSorted)});
}

}  // namespace tfrt
