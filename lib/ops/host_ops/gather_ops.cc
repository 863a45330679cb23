// Ops that take what indices name. An index below 0 counts from the end.

#include "copied_result.h"
#include "index_checks.h"
#include "lib/ops/maths/cpu/data_movement.h"
#include "lib/ops/maths/cpu/element_places.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

Status Gather(const DenseHostTensor& in, const DenseHostTensor& indices,
              const DenseHostTensor& axis_tensor, const TensorMetadata& result,
              const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "axis", axis_tensor));
  TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, in.shape()));
  const int64_t batch_dims = *attrs.Get<int64_t>("batch_dims");
  const size_t batch = batch_dims + (batch_dims < 0 ? indices.shape().rank() : 0);
  return WithIndices(indices, [&]<typename Index>(const Index* which) -> Status {
    TFRT_RETURN_IF_ERROR(CheckIndices(call, in, along, which, indices.num_elements()));
    if (result.shape.num_elements() == 0) return SetEmpty(call, result);
    const TensorShape& shape = in.shape();
    const cpu::GatherSizes sizes{
        SizeOfDims(shape, batch, along), shape.dim(along),
        SizeOfDims(indices.shape(), batch, indices.shape().rank()),
        static_cast<size_t>(SizeOfDims(shape, along + 1, shape.rank())) * DTypeSize(in.dtype())};
    const auto rows = static_cast<size_t>(SizeOfDims(shape, 0, along) * sizes.num_indices);
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    auto* to = WritableData<char>(out);
    ComputeResult(call, rows, sizes.inner_bytes, {&in, &indices}, std::move(out),
                  [sizes, which, from = in.data(), to](size_t begin, size_t end) {
                    cpu::Gather(sizes, from, which, to, begin, end);
                  });
    return OkStatus();
  });
}

Status GatherNd(const DenseHostTensor& in, const DenseHostTensor& indices,
                const TensorMetadata& result, OpCall& call) {
  const TensorShape& index_shape = indices.shape();
  const size_t last = index_shape.rank() - 1;
  const auto depth = static_cast<size_t>(index_shape.dim(last));
  const int64_t rows = SizeOfDims(index_shape, 0, last);
  cpu::GatherNdPlan plan(in.shape(), depth, DTypeSize(in.dtype()));
  plan.from_end = true;
  return WithIndices(indices, [&]<typename Index>(const Index* which) -> Status {
    TFRT_RETURN_IF_ERROR(CheckSlices(call, in, plan, which, rows));
    if (result.shape.num_elements() == 0) return SetEmpty(call, result);
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    auto* to = WritableData<char>(out);
    const size_t cost = plan.slice_bytes;
    ComputeResult(call, static_cast<size_t>(rows), cost, {&in, &indices}, std::move(out),
                  [plan = std::move(plan), from = in.data(), which, to](size_t begin, size_t end) {
                    cpu::GatherNd(plan, from, which, to, begin, end);
                  });
    return OkStatus();
  });
}

Status GatherElements(const DenseHostTensor& in, const DenseHostTensor& indices,
                      const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(*attrs.Get<int64_t>("axis"), in.shape()));
  TFRT_RETURN_IF_ERROR(CheckWithin(call, in.shape(), indices.shape(), axis));
  return WithIndices(indices, [&]<typename Index>(const Index* which) -> Status {
    TFRT_RETURN_IF_ERROR(CheckIndices(call, in, axis, which, indices.num_elements()));
    if (result.shape.num_elements() == 0) return SetEmpty(call, result);
    cpu::ElementPlaces places(in.shape(), indices.shape(), axis);
    const auto rows = static_cast<size_t>(places.outer.num_elements());
    const size_t element_size = DTypeSize(in.dtype());
    const size_t cost = static_cast<size_t>(places.columns) * (element_size + sizeof(Index));
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    auto* to = WritableData<char>(out);
    ComputeResult(call, rows, cost, {&in, &indices}, std::move(out),
                  [places = std::move(places), element_size, from = in.data(), which, to](
                      size_t begin, size_t end) {
                    cpu::GatherElements(places, element_size, from, which, to, begin, end);
                  });
    return OkStatus();
  });
}

}  // namespace

void RegisterGatherOps(OpRegistry* registry) {
  registry->Implement("graph.gather", {.function = TFRT_OP(Gather)});
  registry->Implement("graph.gather_nd", {.function = TFRT_OP(GatherNd)});
  registry->Implement("graph.gather_elements", {.function = TFRT_OP(GatherElements)});
}

}  // namespace tfrt
