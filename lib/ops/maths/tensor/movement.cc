#include "movement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lib/ops/maths/cpu/data_movement.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/cpu/pick.h"
#include "lib/ops/maths/cpu/strided_copy.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "operand_checks.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"
#include "tile.h"

namespace tfrt::maths {
namespace {

template <typename Index>
Completion RunGather(const DenseHostTensor& in, const DenseHostTensor& indices, size_t axis,
                     DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto index_view, DenseView<Index>::Create(indices, "the indices"));
  const int64_t size = in.shape().dim(axis);
  for (Index index : index_view.elements()) {
    if (index < 0 || index >= size) {
      return InvalidArgumentError(StrCat("gather: index ", index, " is out of range for axis ",
                                         axis, " of the shape ", in.shape().ToString()));
    }
  }
  TFRT_ASSIGN_OR_RETURN(void* to, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  const size_t inner = SizeOfDims(in.shape(), axis + 1, in.shape().rank()) * DTypeSize(in.dtype());
  const cpu::GatherSizes sizes{SizeOfDims(in.shape(), 0, axis), size,
                               static_cast<int64_t>(index_view.size()), inner};
  return RunBlocks(exec_ctx, sizes.outer * sizes.num_indices, ItemsPerBlock(inner),
                   {&in, &indices, &out},
                   [=, from = in.data(), index_data = index_view.data()](size_t begin, size_t end) {
                     cpu::Gather(sizes, from, index_data, to, begin, end);
                   });
}

template <typename Index>
Completion RunOneHot(const DenseHostTensor& indices, MutableDenseView<float> out,
                     const DenseHostTensor& out_tensor, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto in, DenseView<Index>::Create(indices, "the indices"));
  if (out.size() == 0) return GetReadyChain();
  const auto depth = static_cast<int64_t>(out.size() / in.size());
  return RunBlocks(exec_ctx, in.size(), ItemsPerBlock(depth * sizeof(float)),
                   {&indices, &out_tensor},
                   [depth, in = in.data(), out = out.data()](size_t begin, size_t end) {
                     for (size_t i = begin; i < end; ++i) {
                       float* row = out + i * depth;
                       std::fill_n(row, depth, 0.0f);
                       int64_t index = in[i];
                       if (index >= 0 && index < depth) row[index] = 1;
                     }
                   });
}

}  // namespace

Completion Reshape(DType dtype, const DenseHostTensor& in, DenseHostTensor& out,
                   const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(in, dtype, "the input"));
  TFRT_RETURN_IF_ERROR(CheckDType(out, dtype, "the output"));
  TFRT_ASSIGN_OR_RETURN(void* to, out.MutableData());
  if (in.num_elements() != out.num_elements()) {
    return InvalidArgumentError(StrCat("reshape: the shapes ", in.shape().ToString(), " and ",
                                       out.shape().ToString(),
                                       " have different numbers of elements"));
  }
  TFRT_RETURN_IF_ERROR(CheckApartOrSame("reshape", out, {&in}));
  if (in.data() == to) return GetReadyChain();
  return RunBlocks(
      exec_ctx, in.size_bytes(), ItemsPerBlock(1), {&in, &out},
      [from = static_cast<const char*>(in.data()), to = static_cast<char*>(to)](
          size_t begin, size_t end) { std::copy(from + begin, from + end, to + begin); });
}

Completion Transpose(DType dtype, const DenseHostTensor& in, std::span<const int64_t> permutation,
                     DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        ShapeByRow("transpose", {Known(in.shape()), Known(permutation)}));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("transpose", out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("transpose", out, {&in}));
  TFRT_RETURN_IF_ERROR(CheckDType(in, dtype, "the input"));
  TFRT_RETURN_IF_ERROR(CheckDType(out, dtype, "the output"));
  TFRT_ASSIGN_OR_RETURN(void* to, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  TFRT_RETURN_IF_ERROR(CheckPermutation(permutation, in.shape().rank()));
  const size_t size = DTypeSize(dtype);
  cpu::CopyPlan plan = cpu::TransposePlan(in.shape(), permutation);
  size_t units = plan.num_units();
  size_t block = ItemsPerBlock(2 * plan.unit_size() * size);
  return RunBlocks(exec_ctx, units, block, {&in, &out},
                   [plan = std::move(plan), size, from = in.data(), to](size_t begin, size_t end) {
                     cpu::Copy(plan, size, from, to, begin, end);
                   });
}

Completion Gather(DType dtype, const DenseHostTensor& in, const DenseHostTensor& indices,
                  int64_t axis, DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(size_t normal_axis, NormalizeAxis(axis, in.shape()));
  TFRT_ASSIGN_OR_RETURN(
      TensorShape shape,
      ShapeByRow("gather", {Known(in.shape()), Known(indices.shape()), Known(axis)}));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("gather", out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("gather", out, {&in, &indices}));
  TFRT_RETURN_IF_ERROR(CheckDType(in, dtype, "the input"));
  TFRT_RETURN_IF_ERROR(CheckDType(out, dtype, "the output"));
  if (indices.dtype() == DType::kI64) {
    return RunGather<int64_t>(in, indices, normal_axis, out, exec_ctx);
  }
  return RunGather<int32_t>(in, indices, normal_axis, out, exec_ctx);
}

Completion Concat(DType dtype, std::span<const DenseHostTensor* const> inputs, int64_t axis,
                  DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  const TensorShape& shape = out.shape();
  TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("concat", out, inputs));
  for (size_t i = 0; i < inputs.size(); ++i) {
    TFRT_RETURN_IF_ERROR(CheckDType(*inputs[i], dtype, StrCat("input ", i)));
  }
  TFRT_RETURN_IF_ERROR(CheckDType(out, dtype, "the output"));
  TFRT_ASSIGN_OR_RETURN(void* to, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  struct Part {
    const void* from;
    char* to;
    size_t row_bytes;
  };
  std::vector<Part> parts;
  const size_t inner = SizeOfDims(shape, along + 1, shape.rank()) * DTypeSize(dtype);
  auto* part_begin = static_cast<char*>(to);
  for (const DenseHostTensor* input : inputs) {
    size_t row_bytes = input->shape().dim(along) * inner;
    if (row_bytes == 0) continue;
    parts.push_back({input->data(), part_begin, row_bytes});
    part_begin += row_bytes;
  }
  const size_t stride = shape.dim(along) * inner;
  const size_t rows = SizeOfDims(shape, 0, along);
  const size_t num_rows = rows * parts.size();
  const size_t block = ItemsPerBlock(stride / parts.size());
  std::vector<const DenseHostTensor*> operands(inputs.begin(), inputs.end());
  operands.push_back(&out);
  return RunBlocks(exec_ctx, num_rows, block, std::span<const DenseHostTensor* const>(operands),
                   [parts = std::move(parts), stride, rows](size_t begin, size_t end) {
                     while (begin < end) {
                       const Part& part = parts[begin / rows];
                       size_t first = begin % rows;
                       size_t last = std::min(rows, first + end - begin);
                       cpu::CopyRows(part.row_bytes, part.from, part.to, stride, first, last);
                       begin += last - first;
                     }
                   });
}

Completion Pad(const DenseHostTensor& in, std::span<const int64_t> padding, float value,
               DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ShapeByRow("pad", {Known(in.shape()), Known(padding)}));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("pad", out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("pad", out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  std::vector<cpu::PickedDim> dims(in.shape().rank());
  for (size_t i = 0; i < dims.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(dims[i], cpu::PaddedDim(in.shape().dim(i), padding[2 * i],
                                                  padding[2 * i + 1], cpu::PadMode::kConstant));
  }
  cpu::PickPlan plan(in.shape(), std::move(dims), sizeof(float));
  const size_t rows = plan.num_rows, block = ItemsPerBlock(plan.row_bytes);
  return RunBlocks(exec_ctx, rows, block, {&in, &out},
                   [plan = std::move(plan), value, x = x.data(), y = y.data()](
                       size_t begin, size_t end) { cpu::Pick(plan, x, &value, y, begin, end); });
}

Completion OneHot(const DenseHostTensor& indices, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  const size_t rank = out.shape().rank();
  int64_t depth = rank == 0 ? 0 : out.shape().dim(rank - 1);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        ShapeByRow("one_hot", {Known(indices.shape()), Known(depth), {}, {}}));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("one_hot", out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("one_hot", out, {&indices}));
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, "the output"));
  if (indices.dtype() == DType::kI64) return RunOneHot<int64_t>(indices, view, out, exec_ctx);
  return RunOneHot<int32_t>(indices, view, out, exec_ctx);
}

Status Tile(const DenseHostTensor& in, const DenseHostTensor& multiples, DenseHostTensor& out) {
  TFRT_ASSIGN_OR_RETURN(cpu::Tiling tiling, cpu::TilingOf(in.shape(), multiples));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("Tile", out, tiling.shape));
  TFRT_RETURN_IF_ERROR(CheckApart("Tile", out, {&in, &multiples}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(out, "the output"));
  cpu::Tile(tiling, in.shape(), 1, x.data(), y.data());
  return OkStatus();
}

namespace {

// Tensors share all their strings, or none.
Status CheckStringsApart(const StringHostTensor& in, const StringHostTensor& out) {
  if (in.strings().empty() || in.strings().data() != out.strings().data()) return OkStatus();
  return InvalidArgumentError("Tile: the output overlaps an input");
}

}  // namespace

Status Tile(const StringHostTensor& in, const DenseHostTensor& multiples, StringHostTensor& out) {
  TFRT_ASSIGN_OR_RETURN(cpu::Tiling tiling, cpu::TilingOf(in.shape(), multiples));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("Tile", out, tiling.shape));
  TFRT_RETURN_IF_ERROR(CheckStringsApart(in, out));
  cpu::Tile(tiling, in.shape(), 1, in.strings().data(), out.MutableStrings().data());
  return OkStatus();
}

Status TileToShape(const StringHostTensor& in, StringHostTensor& out) {
  const TensorShape &from = in.shape(), &to = out.shape();
  const size_t rank = to.rank();
  if (from.rank() != rank || (in.num_elements() == 0 && out.num_elements() != 0)) {
    return InvalidArgumentError(StrCat("Tile: the shape ", from.ToString(),
                                       " cannot be repeated to the shape ", to.ToString()));
  }
  TFRT_RETURN_IF_ERROR(CheckStringsApart(in, out));
  auto source = in.strings();
  auto target = out.MutableStrings();
  for (size_t i = 0; i < target.size(); ++i) {
    // From the innermost dimension outwards: where element i is in `out`, hence in `in`.
    int64_t rest = static_cast<int64_t>(i), place = 0, stride = 1;
    for (size_t d = rank; d-- > 0;) {
      place += rest % to.dim(d) % from.dim(d) * stride;
      rest /= to.dim(d);
      stride *= from.dim(d);
    }
    target[i] = source[static_cast<size_t>(place)];
  }
  return OkStatus();
}

}  // namespace tfrt::maths
