// Ops that move elements of any dtype.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "op_groups.h"
#include "tfrt/core_runtime/op_attr_values.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/cpu/data_movement.h"
#include "tfrt/kernel_maths/cpu/strided_copy.h"
#include "tfrt/kernel_maths/cpu/tile.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_integers.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

Status TransposeElements(OpCall& call, const DenseHostTensor& in,
                         std::span<const int64_t> permutation) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TransposeShape(in.shape(), permutation));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({in.dtype(), std::move(shape)}));
  if (out.num_elements() == 0) {
    SetResult(call, 0, std::move(out));
    return OkStatus();
  }
  cpu::CopyPlan plan = cpu::TransposePlan(in.shape(), permutation);
  const size_t element_size = DTypeSize(in.dtype());
  const size_t units = plan.num_units(), cost = 2 * plan.unit_size() * element_size;
  auto* to = WritableData<char>(out);
  ComputeResult(
      call, units, cost, {&in}, std::move(out),
      [plan = std::move(plan), element_size, from = in.data(), to](size_t begin, size_t end) {
        cpu::Copy(plan, element_size, from, to, begin, end);
      });
  return OkStatus();
}

Status Transpose(const DenseHostTensor& in, const DenseHostTensor& perm, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto permutation, ReadIntegers(call.op_name(), "permutation", perm));
  return TransposeElements(call, in, permutation);
}

Status FoldedTranspose(const DenseHostTensor& in, const TensorMetadata&, const OpAttrsRef& attrs,
                       OpCall& call) {
  return TransposeElements(call, in, *IntegersOf(attrs, "perm"));
}

Status ConcatStrings(OpCall& call, const TensorShape& shape, size_t axis) {
  TFRT_ASSIGN_OR_RETURN(auto out, StringHostTensor::CreateEmpty(shape, call.allocator()));
  auto to = out.MutableStrings().begin();
  const int64_t outer = SizeOfDims(shape, 0, axis);
  for (int64_t row = 0; row < outer; ++row) {
    for (AsyncValue* value : call.arguments().first(call.num_arguments() - 1)) {
      auto strings = value->get<StringHostTensor>().strings();
      const size_t count = strings.size() / outer;
      to = std::ranges::copy(strings.subspan(row * count, count), to).out;
    }
  }
  call.SetResult(0, MakeAvailableAsyncValueRef<StringHostTensor>(std::move(out)).ReleaseRCRef());
  return OkStatus();
}

Status ConcatElements(OpCall& call, DType dtype, const TensorShape& shape, size_t axis) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({dtype, shape}));
  const size_t inner = SizeOfDims(shape, axis + 1, shape.rank()) * DTypeSize(dtype);
  const size_t stride = shape.dim(axis) * inner;
  const int64_t outer = SizeOfDims(shape, 0, axis);
  auto* to = WritableData<char>(out);
  if (out.num_elements() > 0) {
    for (AsyncValue* value : call.arguments().first(call.num_arguments() - 1)) {
      const auto& input = value->get<DenseHostTensor>();
      const size_t row_bytes = input.shape().dim(axis) * inner;
      if (row_bytes > 0) cpu::CopyRows(row_bytes, input.data(), to, stride, 0, outer);
      to += row_bytes;
    }
  }
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

// Arguments: the tensors, then the axis.
Status Concat(VariadicOpArguments<Tensor> arguments, OpCall& call) {
  if (arguments.size() < 2) {
    return InvalidArgumentError(StrCat("tf.ConcatV2 takes tensors and an axis, but there are ",
                                       arguments.size(), " arguments"));
  }
  const size_t count = arguments.size() - 1;
  if (!call.argument(count)->IsType<DenseHostTensor>()) {
    return InvalidArgumentError("tf.ConcatV2: the axis is a string tensor");
  }
  TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "axis",
                                                  call.argument(count)->get<DenseHostTensor>()));
  std::vector<const TensorShape*> shapes(count);
  for (size_t i = 0; i < count; ++i) {
    if (arguments[i].dtype() != arguments[0].dtype()) {
      return InvalidArgumentError(
          StrCat("incompatible dtypes for tf.ConcatV2: ", DTypeName(arguments[0].dtype()), " and ",
                 DTypeName(arguments[i].dtype())));
    }
    shapes[i] = &arguments[i].shape();
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ConcatShape(shapes, axis));
  TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, shape));
  return arguments[0].dtype() == DType::kString
             ? ConcatStrings(call, shape, along)
             : ConcatElements(call, arguments[0].dtype(), shape, along);
}

Status Tile(const Tensor& in, const Tensor& multiples, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(cpu::Tiling tiling, cpu::TilingOf(in.shape(), multiples));
  if (in.tensor_type() == kStringHostTensorType) {
    TFRT_ASSIGN_OR_RETURN(auto out, StringHostTensor::CreateEmpty(tiling.shape, call.allocator()));
    cpu::Tile(tiling, in.shape(), 1, static_cast<const StringHostTensor&>(in).strings().data(),
              out.MutableStrings().data());
    call.SetResult(0, MakeAvailableAsyncValueRef<StringHostTensor>(std::move(out)).ReleaseRCRef());
    return OkStatus();
  }
  if (in.tensor_type() != kDenseHostTensorType) {
    return InvalidArgumentError("Unsupported tensor type");
  }
  if (DTypeSize(in.dtype()) == 0) {
    return InvalidArgumentError(StrCat("Unsupported dtype: ", DTypeName(in.dtype())));
  }
  TFRT_ASSIGN_OR_RETURN(auto out, call.Allocate({in.dtype(), tiling.shape}));
  cpu::Tile(tiling, in.shape(), DTypeSize(in.dtype()),
            static_cast<const char*>(static_cast<const DenseHostTensor&>(in).data()),
            WritableData<char>(out));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

// out [outer,depth,inner]: the one element where the index of its place is, the other elsewhere.
template <typename Index>
Status OneHotElements(OpCall& call, const DenseHostTensor& indices, int64_t inner,
                      const DenseHostTensor& on, const DenseHostTensor& off, TensorShape shape,
                      int64_t depth) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({on.dtype(), std::move(shape)}));
  const size_t size = DTypeSize(on.dtype());
  const auto* index_data = static_cast<const Index*>(indices.data());
  const size_t outer = out.num_elements() == 0 ? 0 : indices.num_elements() / inner;
  auto* to = WritableData<char>(out);
  ComputeResult(call, outer, depth * inner * size, {&indices, &on, &off}, std::move(out),
                [=, one = on.data(), other = off.data()](size_t begin, size_t end) {
                  char* element = to + begin * depth * inner * size;
                  for (size_t i = begin; i < end; ++i) {
                    for (int64_t d = 0; d < depth; ++d) {
                      for (int64_t j = 0; j < inner; ++j, element += size) {
                        bool hit = index_data[i * inner + j] == static_cast<Index>(d);
                        std::memcpy(element, hit ? one : other, size);
                      }
                    }
                  }
                });
  return OkStatus();
}

Status OneHot(const DenseHostTensor& indices, const DenseHostTensor& depth_tensor,
              const DenseHostTensor& on, const DenseHostTensor& off, const OpAttrsRef& attrs,
              OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t depth, ReadInteger(call.op_name(), "depth", depth_tensor));
  if (depth < 0 || depth > INT32_MAX) {
    return InvalidArgumentError(
        StrCat("tf.OneHot: the depth is ", depth, ", expected 0 to 2147483647"));
  }
  if (on.num_elements() != 1 || off.num_elements() != 1 || on.dtype() != off.dtype()) {
    return InvalidArgumentError(StrCat("tf.OneHot: on_value and off_value are ",
                                       DTypeName(on.dtype()), " ", on.shape().ToString(), " and ",
                                       DTypeName(off.dtype()), " ", off.shape().ToString(),
                                       ", expected one element of one dtype"));
  }
  const ShapeDims in_dims = indices.shape().dims();
  std::vector<int64_t> dims(in_dims.begin(), in_dims.end());
  const auto rank = static_cast<int64_t>(dims.size());
  int64_t axis = attrs.Get<int64_t>("axis").value_or(-1);
  if (axis < -1 || axis > rank) {
    return InvalidArgumentError(
        StrCat("tf.OneHot: axis ", axis, " is out of range for indices of rank ", rank));
  }
  if (axis == -1) axis = rank;
  const int64_t inner = SizeOfDims(indices.shape(), axis, rank);
  dims.insert(dims.begin() + axis, depth);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  switch (indices.dtype()) {
    case DType::kI32:
      return OneHotElements<int32_t>(call, indices, inner, on, off, std::move(shape), depth);
    case DType::kI64:
      return OneHotElements<int64_t>(call, indices, inner, on, off, std::move(shape), depth);
    default:
      return InvalidArgumentError(StrCat("tf.OneHot: the indices are a tensor of ",
                                         DTypeName(indices.dtype()), ", expected i32 or i64"));
  }
}

}  // namespace

void RegisterMovementOps(OpRegistry* registry) {
  registry->Implement("tf.Transpose", {.function = TFRT_OP(Transpose)});
  registry->Implement("_tf.Transpose", {.metadata = TFRT_OP_METADATA(FoldedTransposeOpMetadata),
                                        .function = TFRT_OP(FoldedTranspose)});
  registry->Implement("tf.ConcatV2", {.function = TFRT_OP(Concat)});
  registry->Implement("tf.Tile", {.function = TFRT_OP(Tile)});
  registry->Implement("tf.OneHot", {.function = TFRT_OP(OneHot)});
}

}  // namespace tfrt
