// Ops that take slices that indices name.

#include <cstdint>
#include <string>
#include <utility>

#include "op_groups.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/cpu/data_movement.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_integers.h"

namespace tfrt {
namespace {

template <typename Index>
Status GatherElements(OpCall& call, const DenseHostTensor& in, const DenseHostTensor& indices,
                      size_t axis, size_t batch_dims, TensorShape shape) {
  auto* index_data = static_cast<const Index*>(indices.data());
  const int64_t count = indices.num_elements(), size = in.shape().dim(axis);
  for (int64_t i = 0; i < count; ++i) {
    if (index_data[i] >= 0 && index_data[i] < size) continue;
    return InvalidArgumentError(StrCat("gather: index ", index_data[i],
                                       " is out of range for axis ", axis, " of the shape ",
                                       in.shape().ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({in.dtype(), std::move(shape)}));
  const cpu::GatherSizes sizes{
      SizeOfDims(in.shape(), batch_dims, axis), size,
      SizeOfDims(indices.shape(), batch_dims, indices.shape().rank()),
      SizeOfDims(in.shape(), axis + 1, in.shape().rank()) * DTypeSize(in.dtype())};
  const size_t rows =
      out.num_elements() == 0 ? 0 : SizeOfDims(in.shape(), 0, axis) * sizes.num_indices;
  auto* to = WritableData<char>(out);
  ComputeResult(call, rows, sizes.inner_bytes, {&in, &indices}, std::move(out),
                [=, from = in.data()](size_t begin, size_t end) {
                  cpu::Gather(sizes, from, index_data, to, begin, end);
                });
  return OkStatus();
}

// As the kernels tfrt_cpu.gather.*, and batches of that.
Status Gather(const DenseHostTensor& in, const DenseHostTensor& indices,
              const DenseHostTensor& axis_tensor, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "axis", axis_tensor));
  const int64_t batch_dims = attrs.Get<int64_t>("batch_dims").value_or(0);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        GatherShape(in.shape(), indices.shape(), axis, batch_dims));
  TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, in.shape()));
  TFRT_ASSIGN_OR_RETURN(size_t batch, NormalizeBatchDims(batch_dims, indices.shape()));
  switch (indices.dtype()) {
    case DType::kI32:
      return GatherElements<int32_t>(call, in, indices, along, batch, std::move(shape));
    case DType::kI64:
      return GatherElements<int64_t>(call, in, indices, along, batch, std::move(shape));
    default:
      return InvalidArgumentError(StrCat("tf.GatherV2: the indices are a tensor of ",
                                         DTypeName(indices.dtype()), ", expected i32 or i64"));
  }
}

template <typename Index>
Status GatherNdSlices(OpCall& call, const DenseHostTensor& in, const DenseHostTensor& indices,
                      const TensorMetadata& result) {
  const TensorShape& index_shape = indices.shape();
  const auto depth = static_cast<size_t>(index_shape.dim(index_shape.rank() - 1));
  const int64_t rows = SizeOfDims(index_shape, 0, index_shape.rank() - 1);
  auto* index_data = static_cast<const Index*>(indices.data());
  cpu::GatherNdPlan plan(in.shape(), depth, DTypeSize(in.dtype()));
  if (int64_t row = cpu::FirstOutside(plan, index_data, 0, rows); row < rows) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) {
      text += StrCat(i == 0 ? "" : ", ", index_data[row * static_cast<int64_t>(depth) + i]);
    }
    return InvalidArgumentError(StrCat("tf.GatherNd: row ", row, " of the indices, [", text,
                                       "], is not in the shape ", in.shape().ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto* to = WritableData<char>(out);
  const int64_t computed = out.num_elements() == 0 ? 0 : rows;  // before it is moved from
  ComputeResult(
      call, computed, plan.slice_bytes, {&in, &indices}, std::move(out),
      [plan = std::move(plan), from = in.data(), index_data, to](size_t begin, size_t end) {
        cpu::GatherNd(plan, from, index_data, to, begin, end);
      });
  return OkStatus();
}

Status GatherNd(const DenseHostTensor& in, const DenseHostTensor& indices,
                const TensorMetadata& result, OpCall& call) {
  return indices.dtype() == DType::kI64 ? GatherNdSlices<int64_t>(call, in, indices, result)
                                        : GatherNdSlices<int32_t>(call, in, indices, result);
}

}  // namespace

void RegisterGatherOps(OpRegistry* registry) {
  registry->Implement("tf.GatherV2", {.function = TFRT_OP(Gather)});
  registry->Implement("tf.GatherNd", {.function = TFRT_OP(GatherNd)});
}

}  // namespace tfrt
