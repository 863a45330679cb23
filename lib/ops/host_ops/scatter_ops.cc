// Ops that put elements where indices say. An index below 0 counts from the end; updates of the
// same place are made in the order of the indices.

#include <cstring>

#include "copied_result.h"
#include "index_checks.h"
#include "lib/ops/maths/cpu/scatter.h"
#include "lib/ops/maths/shapes/axes.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

// The result, with the elements of the input: perhaps its memory.
StatusOr<DenseHostTensor> CopyOrReuse(const DenseHostTensor& in, const TensorMetadata& result,
                                      OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  if (out.data() != in.data() && in.size_bytes() > 0) {
    std::memcpy(WritableData<char>(out), in.data(), in.size_bytes());
  }
  return out;
}

StatusOr<cpu::Reduction> ReductionOf(const OpCall& call, const OpAttrsRef& attrs, DType dtype) {
  StatusOr<cpu::Reduction> reduction = cpu::ReductionOf(*attrs.GetString("reduction"), dtype);
  if (reduction.ok()) return reduction;
  return InvalidArgumentError(StrCat(call.op_name(), ": ", reduction.status().message()));
}

Status ScatterElements(const DenseHostTensor& in, const DenseHostTensor& indices,
                       const DenseHostTensor& updates, const TensorMetadata& result,
                       const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(*attrs.Get<int64_t>("axis"), in.shape()));
  TFRT_ASSIGN_OR_RETURN(cpu::Reduction reduction, ReductionOf(call, attrs, in.dtype()));
  TFRT_RETURN_IF_ERROR(CheckWithin(call, in.shape(), indices.shape(), axis));
  return WithIndices(indices, [&]<typename Index>(const Index* which) -> Status {
    TFRT_RETURN_IF_ERROR(CheckIndices(call, in, axis, which, indices.num_elements()));
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, CopyOrReuse(in, result, call));
    if (indices.num_elements() > 0) {
      const cpu::ElementPlaces places(in.shape(), indices.shape(), axis);
      cpu::ScatterElements(places, reduction, in.dtype(), which, updates.data(),
                           WritableData<char>(out));
    }
    SetResult(call, 0, std::move(out));
    return OkStatus();
  });
}

Status ScatterNd(const DenseHostTensor& in, const DenseHostTensor& indices,
                 const DenseHostTensor& updates, const TensorMetadata& result,
                 const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(cpu::Reduction reduction, ReductionOf(call, attrs, in.dtype()));
  const size_t last = indices.shape().rank() - 1;
  const auto depth = static_cast<size_t>(indices.shape().dim(last));
  const int64_t rows = SizeOfDims(indices.shape(), 0, last);
  cpu::GatherNdPlan plan(in.shape(), depth, DTypeSize(in.dtype()));
  plan.from_end = true;
  return WithIndices(indices, [&]<typename Index>(const Index* which) -> Status {
    TFRT_RETURN_IF_ERROR(CheckSlices(call, in, plan, which, rows));
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, CopyOrReuse(in, result, call));
    if (updates.num_elements() > 0) {
      cpu::ScatterNd(plan, reduction, in.dtype(), which, rows, updates.data(),
                     WritableData<char>(out));
    }
    SetResult(call, 0, std::move(out));
    return OkStatus();
  });
}

}  // namespace

void RegisterScatterOps(OpRegistry* registry) {
  registry->Implement("graph.scatter_elements", {.function = TFRT_OP(ScatterElements)});
  registry->Implement("graph.scatter_nd", {.function = TFRT_OP(ScatterNd)});
}

}  // namespace tfrt
