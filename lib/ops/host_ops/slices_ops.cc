// Ops on slices of a tensor: which differ, which are chosen, and in which order.

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "copied_result.h"
#include "index_checks.h"
#include "lib/ops/maths/cpu/slices.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "sampling_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// The slices along the one axis of the attribute `axes`; without one all elements.
StatusOr<std::optional<size_t>> OneAxis(const DenseHostTensor& in, const OpAttrsRef& attrs) {
  const auto axes = *attrs.GetArray<int64_t>("axes");
  if (axes.empty()) return std::optional<size_t>();
  TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(axes[0], in.shape()));
  return std::optional<size_t>(axis);
}
cpu::SliceSizes SlicesOf(const TensorShape& shape, std::optional<size_t> axis) {
  if (!axis) return {1, shape.num_elements(), 1};
  return {SizeOfDims(shape, 0, *axis), shape.dim(*axis),
          SizeOfDims(shape, *axis + 1, shape.rank())};
}

// Those of the slices that `which` lists.
StatusOr<DenseHostTensor> Chosen(const DenseHostTensor& in, std::optional<size_t> axis,
                                 const std::vector<int64_t>& which, const OpCall& call) {
  const cpu::SliceSizes slices = SlicesOf(in.shape(), axis);
  const auto count = static_cast<int64_t>(which.size());
  std::vector<int64_t> dims = {count};
  if (axis) {
    const ShapeDims old = in.shape().dims();
    dims.assign(old.begin(), old.end());
    dims[*axis] = count;
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({in.dtype(), std::move(shape)}));
  if (out.num_elements() == 0) return out;
  const cpu::GatherSizes sizes{slices.outer, slices.size, count,
                               static_cast<size_t>(slices.inner) * DTypeSize(in.dtype())};
  cpu::Gather(sizes, in.data(), which.data(), WritableData<char>(out), 0, slices.outer * count);
  return out;
}

StatusOr<DenseHostTensor> VectorOf(const std::vector<int64_t>& numbers, const OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(
      DenseHostTensor out,
      call.Allocate({DType::kI64, TensorShape{static_cast<int64_t>(numbers.size())}}));
  if (!numbers.empty()) std::memcpy(WritableData<char>(out), numbers.data(), out.size_bytes());
  return out;
}

Status Unique(const DenseHostTensor& in, const OpAttrsRef& attrs, OpCall& call) {
  if (in.dtype() != DType::kI1 && !DispatchReal(in.dtype(), [](auto) {})) {
    return InvalidArgumentError(
        StrCat(call.op_name(), " does not take tensors of ", DTypeName(in.dtype())));
  }
  TFRT_ASSIGN_OR_RETURN(auto axis, OneAxis(in, attrs));
  const cpu::UniqueSlices found = cpu::FindUnique(SlicesOf(in.shape(), axis), in.dtype(), in.data(),
                                                  *attrs.Get<bool>("sorted"));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor values, Chosen(in, axis, found.first, call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor places, VectorOf(found.first, call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor inverse, VectorOf(found.inverse, call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor counts, VectorOf(found.counts, call));
  SetResult(call, 0, std::move(values));
  SetResult(call, 1, std::move(places));
  SetResult(call, 2, std::move(inverse));
  SetResult(call, 3, std::move(counts));
  return OkStatus();
}

// A condition may be shorter than there are slices.
Status Compress(const DenseHostTensor& in, const DenseHostTensor& condition,
                const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto axis, OneAxis(in, attrs));
  const int64_t size = SlicesOf(in.shape(), axis).size;
  const auto* chosen = static_cast<const uint8_t*>(condition.data());
  std::vector<int64_t> which;
  for (int64_t i = 0; i < condition.num_elements(); ++i) {
    if (chosen[i] == 0) continue;
    if (i >= size) {
      return InvalidArgumentError(
          StrCat(call.op_name(), ": the condition is true at ", i, ", but there are ", size));
    }
    which.push_back(i);
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, Chosen(in, axis, which, call));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

Status SplitSizes(const DenseHostTensor& tensor, const DenseHostTensor& whole_tensor,
                  OpCall& call) {
  const auto sizes = ReadIntegers(tensor);
  TFRT_ASSIGN_OR_RETURN(int64_t whole, ReadInteger(call.op_name(), "whole", whole_tensor));
  int64_t sum = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || __builtin_add_overflow(sum, sizes[i], &sum)) {
      return InvalidArgumentError(StrCat(call.op_name(), ": size ", i, " is ", sizes[i]));
    }
  }
  if (sum != whole) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": the sizes add up to ", sum, ", but the dimension has ", whole));
  }
  return SetShared(call, tensor, tensor.shape());
}

Status ReverseSequence(const DenseHostTensor& in, const DenseHostTensor& lengths_tensor,
                       const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  const TensorShape& shape = in.shape();
  TFRT_ASSIGN_OR_RETURN(size_t batch, NormalizeAxis(*attrs.Get<int64_t>("batch_axis"), shape));
  TFRT_ASSIGN_OR_RETURN(size_t time, NormalizeAxis(*attrs.Get<int64_t>("time_axis"), shape));
  auto lengths = ReadIntegers(lengths_tensor);
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] >= 0 && lengths[i] <= shape.dim(time)) continue;
    return InvalidArgumentError(StrCat(call.op_name(), ": length ", i, " is ", lengths[i],
                                       ", expected 0 to ", shape.dim(time)));
  }
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  const size_t first = std::min(batch, time), second = std::max(batch, time);
  const cpu::ReverseSizes sizes{
      shape.dim(first), SizeOfDims(shape, first + 1, second), shape.dim(second),
      static_cast<size_t>(SizeOfDims(shape, second + 1, shape.rank())) * DTypeSize(in.dtype()),
      batch < time};
  const auto rows = static_cast<size_t>(SizeOfDims(shape, 0, second + 1));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  void* to = WritableData<char>(out);
  ComputeResult(
      call, rows, sizes.inner_bytes, {&in}, std::move(out),
      [sizes, lengths = std::move(lengths), from = in.data(), to](size_t begin, size_t end) {
        cpu::ReverseSequences(sizes, lengths.data(), from, to, begin, end);
      });
  return OkStatus();
}

Status BitCast(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  if (result.dtype == DType::kI1 && in.dtype() != DType::kI1) {
    return InvalidArgumentError(StrCat(call.op_name(), ": bytes of ", DTypeName(in.dtype()),
                                       " are not always those of i1"));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out,
                        DenseHostTensor::CreateFromBuffer(result, in.buffer()));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

Status AddBlocks(const DenseHostTensor& in, const DenseHostTensor& image_tensor,
                 const DenseHostTensor& block_tensor, const TensorMetadata& result,
                 const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(std::vector<cpu::BlockDim> dims,
                        BlockDimsOf(call.op_name(), attrs, ReadIntegers(image_tensor),
                                    ReadIntegers(block_tensor), in.shape().dim(2)));
  if (!DispatchNumber(in.dtype(), [](auto) {})) {
    return InvalidArgumentError(
        StrCat(call.op_name(), " does not take tensors of ", DTypeName(in.dtype())));
  }
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  const auto rows = static_cast<size_t>(result.shape.dim(0) * result.shape.dim(1));
  const size_t cost = 16 * static_cast<size_t>(in.num_elements()) / rows;
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  void* to = WritableData<char>(out);
  ComputeResult(
      call, rows, cost, {&in}, std::move(out),
      [dims = std::move(dims), dtype = in.dtype(), from = in.data(), to](size_t begin, size_t end) {
        cpu::AddBlocks(dims, dtype, from, to, begin, end);
      });
  return OkStatus();
}

}  // namespace

void RegisterSlicesOps(OpRegistry* registry) {
  registry->Implement("graph.unique", {.function = TFRT_OP(Unique)});
  registry->Implement("graph.compress", {.function = TFRT_OP(Compress)});
  registry->Implement("graph.split_sizes", {.function = TFRT_OP(SplitSizes)});
  registry->Implement("graph.reverse_sequence", {.function = TFRT_OP(ReverseSequence)});
  registry->Implement("graph.bit_cast", {.function = TFRT_OP(BitCast)});
  registry->Implement("graph.add_blocks", {.function = TFRT_OP(AddBlocks)});
}

}  // namespace tfrt
