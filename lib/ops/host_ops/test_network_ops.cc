// tfrt_test.*: the ops of a small network, beside the kernels of the same names.

#include <algorithm>
#include <cstring>
#include <limits>

#include "lib/ops/maths/cpu/reduce.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/cast.h"
#include "op_groups.h"
#include "op_output.h"
#include "test_result.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<TensorMetadata> TestElementwiseOpMetadata(const TensorMetadata& a,
                                                   const TensorMetadata& b) {
  if (a.dtype != b.dtype) return InvalidArgumentError("incompatible dtypes for element-wise op");
  if (a.shape != b.shape) {
    return InvalidArgumentError("arguments to element-wise op must have identical shapes");
  }
  return a;
}

StatusOr<TensorMetadata> TestCastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto type = attrs.GetString("type");
  if (!type) return InvalidArgumentError("missing 'type' attribute");
  if (*type == "f32") return TensorMetadata{DType::kF32, in.shape};
  if (*type == "f16") return TensorMetadata{DType::kF16, in.shape};
  return InvalidArgumentError("only casting to f32/f16 is supported");
}

StatusOr<TensorMetadata> TestBroadcastOpMetadata(const TensorMetadata& in,
                                                 const OpAttrsRef& attrs) {
  auto dims = attrs.GetArray<int64_t>("shape");
  if (!dims) return InvalidArgumentError("missing 'shape' attribute");
  if (dims->size() != 2) {
    return InvalidArgumentError("result shape must be 2 dimensional (for now)");
  }
  if (in.shape.rank() != 1 || in.shape.dim(0) != (*dims)[1]) {
    return InvalidArgumentError("input dimension and target shape mismatch");
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(*dims));
  return TensorMetadata{in.dtype, std::move(shape)};
}

// The shape without the dimension that the attribute `axis` names.
StatusOr<TensorShape> WithoutAxis(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto axis = attrs.Get<int32_t>("axis");
  if (!axis) return InvalidArgumentError("missing 'axis' attribute");
  if (*axis < 0 || static_cast<size_t>(*axis) >= in.shape.rank()) {
    return InvalidArgumentError("axis must less than input rank");
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < in.shape.rank(); ++i) {
    if (i != static_cast<size_t>(*axis)) dims.push_back(in.shape.dim(i));
  }
  return TensorShape::Create(dims);
}

StatusOr<TensorMetadata> TestArgmaxOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, WithoutAxis(in, attrs));
  return TensorMetadata{DType::kI32, std::move(shape)};
}

StatusOr<TensorMetadata> TestReduceMeanOpMetadata(const TensorMetadata& in,
                                                  const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, WithoutAxis(in, attrs));
  return TensorMetadata{in.dtype, std::move(shape)};
}

TensorMetadata TestOptionalArgOpMetadata(const TensorMetadata& in, OptionalOpMetadata other) {
  return other ? *other : in;
}

StatusOr<TensorMetadata> TestVariadicArgOpMetadata(VariadicOpMetadata in) {
  if (in.size() == 0) return InvalidArgumentError("tfrt_test.test_variadic_arg takes an argument");
  return in[0];
}

Status Equal(const DenseHostTensor& a, const DenseHostTensor& b, const TensorMetadata& result,
             OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, AllocateTestResult(call, result));
  bool supported = DispatchReal(result.dtype, [&]<typename T>(std::type_identity<T>) {
    auto* x = static_cast<const T*>(a.data());
    auto* y = static_cast<const T*>(b.data());
    std::transform(x, x + a.num_elements(), y, WritableData<T>(out),
                   [](T p, T q) { return p == q ? T(1) : T(0); });
  });
  if (!supported) return InvalidArgumentError("unsupported dtype for equal");
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

StatusOr<DenseHostTensor> CastOrShare(const DenseHostTensor& in, const TensorMetadata& result,
                                      OpCall& call) {
  if (in.dtype() == result.dtype) return in.ShareBuffer();
  auto out = CastTensor(in, result.dtype, call.allocator());
  if (out.status().code() == StatusCode::kInvalidArgument) {
    return InvalidArgumentError("unsupported dtype for cast");
  }
  return out;
}

StatusOr<DenseHostTensor> BroadcastElements(const DenseHostTensor& in, const TensorMetadata& result,
                                            OpCall& call) {
  if (!DispatchReal(in.dtype(), [](auto) {})) {
    return InvalidArgumentError("unsupported dtype for broadcast");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, AllocateTestResult(call, result));
  auto* to = WritableData<char>(out);
  for (size_t done = 0; done < out.size_bytes(); done += in.size_bytes()) {
    std::memcpy(to + done, in.data(), in.size_bytes());
  }
  return out;
}

// Over dimension 1 of [outer,size,inner...].
Status Argmax(const DenseHostTensor& in, const TensorMetadata& result, const OpAttrsRef& attrs,
              OpCall& call) {
  if (attrs.Get<int32_t>("axis") != 1) {
    return InvalidArgumentError("unsupported axis for argmax");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, AllocateTestResult(call, result));
  const int64_t outer = in.shape().dim(0), size = in.shape().dim(1);
  if (out.num_elements() > 0 && (size == 0 || size > std::numeric_limits<int32_t>::max())) {
    return InvalidArgumentError(
        StrCat("argmax: axis 1 of the shape ", in.shape().ToString(), " has no index of i32"));
  }
  bool supported = DispatchReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    if (out.num_elements() == 0) return;
    cpu::Argmax(size, out.num_elements() / outer, static_cast<const T*>(in.data()),
                WritableData<int32_t>(out), 0, outer);
  });
  if (!supported) return InvalidArgumentError("unsupported dtype for argmax");
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

// Over dimension 0. Integers are summed in 64 bits, where they wrap, and divided as C does.
Status ReduceMean(const DenseHostTensor& in, const TensorMetadata& result, const OpAttrsRef& attrs,
                  OpCall& call) {
  if (attrs.Get<int32_t>("axis") != 0) {
    return InvalidArgumentError("unsupported axis for reduce_mean");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, AllocateTestResult(call, result));
  const int64_t rows = in.shape().dim(0), columns = out.num_elements();
  bool supported = true;
  if (rows == 0 && columns > 0) {
    return InvalidArgumentError(
        StrCat("reduce_mean: no elements in the shape ", in.shape().ToString()));
  }
  supported = DispatchReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t,
                                   std::conditional_t<sizeof(T) == 8, double, float>>;
    auto* x = static_cast<const T*>(in.data());
    for (int64_t j = 0; j < columns; ++j) {
      Sum sum = 0;
      for (int64_t i = 0; i < rows; ++i) sum += static_cast<Sum>(x[i * columns + j]);
      if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        WritableData<T>(out)[j] = static_cast<T>(static_cast<int64_t>(sum) / rows);
      } else {
        WritableData<T>(out)[j] = static_cast<T>(sum / static_cast<Sum>(rows));
      }
    }
  });
  if (!supported) return InvalidArgumentError("unsupported dtype for reduce_mean");
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterTestNetworkOps(OpRegistry* registry) {
  using AttrKind = OpAttrSpec::Kind;
  registry->Add({.name = "tfrt_test.equal",
                 .summary = "1 where the elements are equal, else 0, in their dtype.",
                 .arguments = {{"a"}, {"b"}},
                 .results = {"equal"},
                 .metadata = TFRT_OP_METADATA(TestElementwiseOpMetadata),
                 .function = TFRT_OP(Equal)});
  registry->Add({.name = "tfrt_test.cast",
                 .summary = "The elements as `type`, which is the text f32 or f16.",
                 .arguments = {{"tensor"}},
                 .attrs = {{"type", AttrKind::kString}},
                 .results = {"cast"},
                 .metadata = TFRT_OP_METADATA(TestCastOpMetadata),
                 .function = TFRT_OP(CastOrShare)});
  registry->Add({.name = "tfrt_test.broadcast",
                 .summary = "A vector as each row of a matrix.",
                 .arguments = {{"vector"}},
                 .attrs = {{"shape", AttrKind::kI64Array}},
                 .results = {"matrix"},
                 .metadata = TFRT_OP_METADATA(TestBroadcastOpMetadata),
                 .function = TFRT_OP(BroadcastElements)});
  registry->Add({.name = "tfrt_test.argmax",
                 .summary = "Where the largest element along dimension 1 is, as i32.",
                 .arguments = {{"tensor"}},
                 .attrs = {{"axis", AttrKind::kI32}},
                 .results = {"index"},
                 .metadata = TFRT_OP_METADATA(TestArgmaxOpMetadata),
                 .function = TFRT_OP(Argmax)});
  registry->Add({.name = "tfrt_test.reduce_mean",
                 .summary = "The mean over dimension 0.",
                 .arguments = {{"tensor"}},
                 .attrs = {{"axis", AttrKind::kI32}},
                 .results = {"mean"},
                 .metadata = TFRT_OP_METADATA(TestReduceMeanOpMetadata),
                 .function = TFRT_OP(ReduceMean)});
  // These ops have metadata functions only; the host has no such ops.
  registry->Add({.name = "tfrt_test.test_optional_arg",
                 .summary = "The metadata of the second argument, or of the first without one.",
                 .arguments = {{"tensor"}, {"other", OpArgumentSpec::Kind::kOptional}},
                 .results = {"result"},
                 .metadata = TFRT_OP_METADATA(TestOptionalArgOpMetadata)});
  registry->Add({.name = "tfrt_test.test_variadic_arg",
                 .summary = "The metadata of the first argument.",
                 .arguments = {{"tensors", OpArgumentSpec::Kind::kVariadic}},
                 .results = {"result"},
                 .metadata = TFRT_OP_METADATA(TestVariadicArgOpMetadata)});
}

}  // namespace tfrt
