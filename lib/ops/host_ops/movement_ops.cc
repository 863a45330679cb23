// Ops that move all elements.

#include <vector>

#include "copied_result.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/maths/tensor/movement.h"
#include "lib/ops/maths/tensor/slice.h"
#include "lib/ops/maths/tensor/tile.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

// For ops that take strings, too: the result's strings, which `write` sets.
template <typename F>
Status SetStrings(OpCall& call, const TensorShape& shape, F write) {
  TFRT_ASSIGN_OR_RETURN(auto out, StringHostTensor::CreateEmpty(shape, call.allocator()));
  write(out.MutableStrings());
  call.SetResult(0, MakeAvailableAsyncValueRef<StringHostTensor>(std::move(out)).ReleaseRCRef());
  return OkStatus();
}

// The strings of a tensor of them; null for others.
const StringHostTensor* IfStrings(const Tensor& tensor) {
  return tensor.tensor_type() == kStringHostTensorType
             ? static_cast<const StringHostTensor*>(&tensor)
             : nullptr;
}
// InvalidArgument for a tensor of another kind: programs may hold any.
StatusOr<const DenseHostTensor*> DenseAt(const OpCall& call, size_t index) {
  const auto& tensor = call.argument(index)->get<Tensor>();
  if (tensor.tensor_type() != kDenseHostTensorType) {
    return internal::UnexpectedTensorType(call, index);
  }
  return static_cast<const DenseHostTensor*>(&tensor);
}

// The rule has compared the numbers of elements only where it could follow the sizes.
Status SetReshaped(OpCall& call, const Tensor& in, const TensorShape& shape) {
  if (in.num_elements() != shape.num_elements()) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": ", in.shape().ToString(), " cannot become ", shape.ToString()));
  }
  if (const StringHostTensor* strings = IfStrings(in)) {
    return SetStrings(call, shape,
                      [&](auto out) { std::ranges::copy(strings->strings(), out.begin()); });
  }
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* dense, DenseAt(call, 0));
  return SetShared(call, *dense, shape);
}

Status Reshape(const Tensor& in, const DenseHostTensor&, const TensorMetadata& result,
               OpCall& call) {
  return SetReshaped(call, in, result.shape);
}

Status Squeeze(const Tensor& in, const TensorMetadata& result, OpCall& call) {
  return SetReshaped(call, in, result.shape);
}

Status Transpose(const DenseHostTensor& in, const DenseHostTensor& perm,
                 const TensorMetadata& result, OpCall& call) {
  const auto permutation = ReadIntegers(perm);
  // The rule has looked at them, but the memory may be a program's, which writes there meanwhile.
  TFRT_RETURN_IF_ERROR(CheckPermutation(permutation, in.shape().rank()));
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  return SetCopied(call, in, cpu::TransposePlan(in.shape(), permutation), 0, result);
}

Status ConcatStrings(OpCall& call, const TensorShape& shape, size_t axis) {
  return SetStrings(call, shape, [&](auto out) {
    auto to = out.begin();
    const int64_t outer = SizeOfDims(shape, 0, axis);
    for (int64_t row = 0; row < outer; ++row) {
      for (AsyncValue* value : call.arguments().first(call.num_arguments() - 1)) {
        auto strings = value->get<StringHostTensor>().strings();
        const size_t count = strings.size() / outer;
        to = std::ranges::copy(strings.subspan(row * count, count), to).out;
      }
    }
  });
}

// Arguments: the tensors, then the axis.
Status Concat(VariadicOpArguments<Tensor> arguments, const TensorMetadata& result, OpCall& call) {
  const size_t count = arguments.size() - 1;
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* last, DenseAt(call, count));
  TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "axis", *last));
  if (result.dtype == DType::kString) {
    TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, result.shape));
    for (size_t i = 0; i < count; ++i) {
      if (!IfStrings(arguments[i])) return internal::UnexpectedTensorType(call, i);
    }
    return ConcatStrings(call, result.shape, along);
  }
  std::vector<const DenseHostTensor*> parts;
  for (size_t i = 0; i < count; ++i) {
    TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* part, DenseAt(call, i));
    if (part->num_elements() > 0) parts.push_back(part);
  }
  if (parts.empty()) return SetEmpty(call, result);
  if (parts.size() == 1) return SetShared(call, *parts[0], result.shape);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Concat(result.dtype, parts, axis, out, call.exec_ctx());
  });
}

Status BroadcastTo(const DenseHostTensor& in, const DenseHostTensor&, const TensorMetadata& result,
                   OpCall& call) {
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  return SetCopied(call, in, cpu::BroadcastToPlan(in.shape(), result.shape), 0, result);
}

Status Tile(const Tensor& in, const DenseHostTensor& multiples_tensor, const TensorMetadata& result,
            OpCall& call) {
  const auto multiples = ReadIntegers(multiples_tensor);
  if (const StringHostTensor* strings = IfStrings(in)) {
    return SetStrings(call, result.shape, [&](auto out) {
      cpu::Tile({multiples, result.shape}, in.shape(), 1, strings->strings().data(), out.data());
    });
  }
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* dense, DenseAt(call, 0));
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  return SetCopied(call, *dense, cpu::TilePlan(in.shape(), multiples), 0, result);
}

Status TakeOut(const Tensor& in, const cpu::Box& box, const TensorMetadata& result, OpCall& call) {
  if (const StringHostTensor* strings = IfStrings(in)) {
    return SetStrings(call, result.shape, [&](auto out) {
      cpu::CopyBox(box, 1, strings->strings().data(), out.data(), 0, cpu::NumRows(box));
    });
  }
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* dense, DenseAt(call, 0));
  if (box.shape.num_elements() == 0) return SetEmpty(call, result);
  int64_t first = 0;
  cpu::CopyPlan plan = cpu::BoxPlan(box, &first);
  return SetCopied(call, *dense, std::move(plan), first, result);
}

Status Slice(const Tensor& in, const DenseHostTensor& begin, const DenseHostTensor& size,
             const TensorMetadata& result, OpCall& call) {
  const auto from = ReadIntegers(begin);
  const auto count = ReadIntegers(size);
  TFRT_ASSIGN_OR_RETURN(cpu::Box box, cpu::BoxOf(in.shape(), from, count));
  return TakeOut(in, box, result, call);
}

Status StridedSlice(const Tensor& in, const DenseHostTensor& begin, const DenseHostTensor& end,
                    const DenseHostTensor& strides, const TensorMetadata& result,
                    const OpAttrsRef& attrs, OpCall& call) {
  const auto from = ReadIntegers(begin);
  const auto to = ReadIntegers(end);
  const auto steps = ReadIntegers(strides);
  auto mask = [&](std::string_view name) { return attrs.Get<int64_t>(name).value_or(0); };
  const cpu::SliceMasks masks{mask("begin_mask"), mask("end_mask"), mask("ellipsis_mask"),
                              mask("new_axis_mask"), mask("shrink_axis_mask")};
  TFRT_ASSIGN_OR_RETURN(cpu::Box box, cpu::StridedBoxOf(in.shape(), from, to, steps, masks));
  return TakeOut(in, box, result, call);
}

// Six dimensions: the images, then channels, block, block, rows and columns in the order that the
// layouts and the mode want them in.
template <bool to_space>
Status MoveDepth(const DenseHostTensor& in, const TensorMetadata& result, const OpAttrsRef& attrs,
                 OpCall& call) {
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  const int64_t block = *attrs.Get<int64_t>("block");
  const bool last = *attrs.Get<bool>("channels_last");
  const bool columns_first = *attrs.Get<bool>("columns_first");
  const TensorShape& space = to_space ? result.shape : in.shape();
  const int64_t images = space.dim(0), channels = space.dim(last ? 3 : 1);
  const int64_t rows = space.dim(last ? 1 : 2) / block, columns = space.dim(last ? 2 : 3) / block;
  enum Part { kImage, kChannel, kBlockRow, kBlockColumn, kRow, kColumn };
  const int64_t sizes[] = {images, channels, block, block, rows, columns};
  // The order of parts where there are more channels: `columns_first` has channels outermost.
  std::vector<Part> channel_parts = {kBlockRow, kBlockColumn, kChannel};
  if (columns_first) channel_parts = {kChannel, kBlockRow, kBlockColumn};
  std::vector<Part> deep = {kImage}, wide;
  if (last) {
    deep.insert(deep.end(), {kRow, kColumn});
    deep.insert(deep.end(), channel_parts.begin(), channel_parts.end());
    wide = {kImage, kRow, kBlockRow, kColumn, kBlockColumn, kChannel};
  } else {
    deep.insert(deep.end(), channel_parts.begin(), channel_parts.end());
    deep.insert(deep.end(), {kRow, kColumn});
    wide = {kImage, kChannel, kRow, kBlockRow, kColumn, kBlockColumn};
  }
  const std::vector<Part>&from = to_space ? deep : wide, &to = to_space ? wide : deep;
  int64_t in_strides[6], stride = 1;
  for (size_t i = 6; i-- > 0; stride *= sizes[from[i]]) in_strides[from[i]] = stride;
  cpu::CopyDims dims(6);
  stride = 1;
  for (size_t i = 6; i-- > 0; stride *= sizes[to[i]]) {
    dims[i] = {sizes[to[i]], {in_strides[to[i]], stride}};
  }
  return SetCopied(call, in, cpu::CopyPlan(dims), 0, result);
}

}  // namespace

void RegisterMovementOps(OpRegistry* registry) {
  registry->Implement("graph.reshape", {.function = TFRT_OP(Reshape)});
  registry->Implement("graph.expand_dims", {.function = TFRT_OP(Reshape)});
  registry->Implement("graph.squeeze", {.function = TFRT_OP(Squeeze)});
  registry->Implement("graph.transpose", {.function = TFRT_OP(Transpose)});
  registry->Implement("graph.concat", {.function = TFRT_OP(Concat)});
  registry->Implement("graph.broadcast_to", {.function = TFRT_OP(BroadcastTo)});
  registry->Implement("graph.tile", {.function = TFRT_OP(Tile)});
  registry->Implement("graph.slice", {.function = TFRT_OP(Slice)});
  registry->Implement("graph.strided_slice", {.function = TFRT_OP(StridedSlice)});
  registry->Implement("graph.depth_to_space", {.function = TFRT_OP(MoveDepth<true>)});
  registry->Implement("graph.space_to_depth", {.function = TFRT_OP(MoveDepth<false>)});
}

}  // namespace tfrt
