// Ops that make tensors of attributes and of shapes.

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>

#include "op_groups.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_integers.h"
#include "tfrt/tensor/dtype_dispatch.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

StatusOr<DenseHostTensor> Const(const OpAttrsRef& attrs, const TensorMetadata& result,
                                OpCall& call) {
  const DenseAttribute value = *attrs.GetDense("value");
  if (result.dtype == DType::kI1) {
    auto bad = std::ranges::find_if(value.bytes(), [](uint8_t byte) { return byte > 1; });
    if (bad != value.bytes().end()) {
      return InvalidArgumentError(StrCat("tf.Const: element ", bad - value.bytes().begin(),
                                         " of the i1 `value` is ", int{*bad}));
    }
  }
  // Attributes with an owner are used where they lie.
  const bool aligned = reinterpret_cast<uintptr_t>(value.bytes().data()) % 8 == 0;
  if (attrs.is_frozen() && aligned) {
    return DenseHostTensor::CreateFromBuffer(
        result, HostBuffer::CreateFromConstant(value.bytes().data(), value.bytes().size(),
                                               [owner = attrs](void*, size_t) {}));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  if (out.size_bytes() != value.bytes().size()) {
    return InvalidArgumentError(StrCat("tf.Const: the `value` attribute has ", value.bytes().size(),
                                       " bytes, but its shape needs ", out.size_bytes()));
  }
  if (out.size_bytes() > 0) {
    std::memcpy(WritableData<char>(out), value.bytes().data(), out.size_bytes());
  }
  return out;
}

StatusOr<RCReference<AsyncValue>> ZerosLike(const Tensor&, const TensorMetadata& result) {
  RCReference<AsyncValue> zero;
  DispatchDType(result.dtype, [&]<typename T>(std::type_identity<T>) {
    zero = MakeAvailableAsyncValueRef<ScalarHostTensor<T>>(result.shape, T(0)).ReleaseRCRef();
  });
  if (!zero) return InvalidArgumentError("unsupported dtype");
  return zero;
}

StatusOr<DenseHostTensor> Shape(const Tensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  for (size_t i = 0; i < in.shape().rank(); ++i) {
    const int64_t dim = in.shape().dim(i);
    if (result.dtype == DType::kI64) {
      WritableData<int64_t>(out)[i] = dim;
    } else if (dim <= std::numeric_limits<int32_t>::max()) {
      WritableData<int32_t>(out)[i] = static_cast<int32_t>(dim);
    } else {
      return InvalidArgumentError(StrCat("tf.Shape: dimension ", i, " of the shape ",
                                         in.shape().ToString(), " does not fit i32"));
    }
  }
  return out;
}

// A scalar tensor: one element, however many there are.
StatusOr<RCReference<AsyncValue>> Fill(const DenseHostTensor& dims, const DenseHostTensor& value,
                                       OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ShapeOfIntegers(call.op_name(), dims));
  if (value.num_elements() != 1) {
    return InvalidArgumentError(StrCat("tf.Fill: the value has the shape ",
                                       value.shape().ToString(), ", expected one element"));
  }
  RCReference<AsyncValue> filled;
  DispatchDType(value.dtype(), [&]<typename T>(std::type_identity<T>) {
    T element;
    if constexpr (std::is_same_v<T, bool>) {
      element = *static_cast<const uint8_t*>(value.data()) != 0;  // any byte, see docs/tensors.md
    } else {
      element = *static_cast<const T*>(value.data());
    }
    filled =
        MakeAvailableAsyncValueRef<ScalarHostTensor<T>>(std::move(shape), element).ReleaseRCRef();
  });
  if (!filled) {
    return InvalidArgumentError(StrCat("tf.Fill: unsupported dtype ", DTypeName(value.dtype())));
  }
  return filled;
}

}  // namespace

void RegisterConstantOps(OpRegistry* registry) {
  registry->Implement("tf.Const",
                      {.metadata = TFRT_OP_METADATA(ConstOpMetadata), .function = TFRT_OP(Const)});
  registry->Implement("tf.ZerosLike", {.function = TFRT_OP(ZerosLike)});
  registry->Implement("tf.Shape", {.function = TFRT_OP(Shape)});
  registry->Implement("tf.Fill", {.function = TFRT_OP(Fill)});
}

}  // namespace tfrt
