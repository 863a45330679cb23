// Ops that convert elements to another dtype.

#include <utility>

#include "lib/ops/maths/cpu/quantize.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/runtime/tensor/cast.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "unsupported_dtype.h"

namespace tfrt {
namespace {

Status Cast(OpArgument<DenseHostTensor> in, const TensorMetadata& result, OpCall& call) {
  if (in->dtype() == result.dtype) {
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  const CastFunction cast = FindCast(in->dtype(), result.dtype);
  if (!cast) {
    return InvalidArgumentError(StrCat("cannot cast a tensor of ", DTypeName(in->dtype()), " to ",
                                       DTypeName(result.dtype)));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const size_t from_size = DTypeSize(in->dtype()), to_size = DTypeSize(result.dtype);
  const auto* from = static_cast<const char*>(in->data());
  char* to = WritableData<char>(out);
  const auto size = static_cast<size_t>(out.num_elements());
  ComputeResult(call, size, from_size + to_size, {&*in}, std::move(out),
                [=](size_t begin, size_t end) {
                  cast(from + begin * from_size, to + begin * to_size, end - begin);
                });
  return OkStatus();
}

// The shape function has checked that the scales fit.
StatusOr<cpu::ScaleLayout> ScaleLayoutOf(const DenseHostTensor& in, const DenseHostTensor& scale,
                                         const OpAttrsRef& attrs) {
  cpu::ScaleLayout layout;
  layout.block = attrs.Get<int64_t>("block").value_or(0);
  layout.one_scale = layout.block == 0 && scale.num_elements() == 1;
  if (layout.one_scale) {
    layout.inner = in.num_elements();
    return layout;
  }
  TFRT_ASSIGN_OR_RETURN(size_t axis,
                        NormalizeAxis(attrs.Get<int64_t>("axis").value_or(1), in.shape()));
  layout.size = in.shape().dim(axis);
  for (size_t i = axis + 1; i < in.shape().rank(); ++i) layout.inner *= in.shape().dim(i);
  return layout;
}

// `zeros`: null, or of the integers' dtype. The result is 0 of the call.
Status ConvertByScale(OpCall& call, cpu::QuantizeFunction function, const cpu::ScaleLayout& layout,
                      const DenseHostTensor& in, const DenseHostTensor& scale,
                      const DenseHostTensor* zeros, DenseHostTensor out) {
  const void *x = in.data(), *scales = scale.data(), *z = zeros ? zeros->data() : nullptr;
  char* y = WritableData<char>(out);
  if (!layout.one_scale) {
    const int64_t rows = in.num_elements() == 0 ? 0 : in.num_elements() / layout.inner;
    ComputeResult(call, static_cast<size_t>(rows), 8 * static_cast<size_t>(layout.inner),
                  {&in, &scale, zeros ? zeros : &scale}, std::move(out),
                  [=](size_t begin, size_t end) { function(layout, x, scales, z, y, begin, end); });
    return OkStatus();
  }
  // One row, whose parts are rows of their own.
  const size_t from_size = DTypeSize(in.dtype()), to_size = DTypeSize(out.dtype());
  ComputeResult(call, static_cast<size_t>(in.num_elements()), 8,
                {&in, &scale, zeros ? zeros : &scale}, std::move(out),
                [=](size_t begin, size_t end) {
                  cpu::ScaleLayout part = layout;
                  part.inner = static_cast<int64_t>(end - begin);
                  function(part, static_cast<const char*>(x) + begin * from_size, scales, z,
                           y + begin * to_size, 0, 1);
                });
  return OkStatus();
}

template <cpu::QuantizeFunction (*find)(DType, DType)>
Status Quantize(const DenseHostTensor& x, const DenseHostTensor& scale,
                OptionalOpArgument<DenseHostTensor> zero, const TensorMetadata& result,
                const OpAttrsRef& attrs, OpCall& call) {
  const DType float_dtype = find == cpu::FindQuantize ? x.dtype() : result.dtype;
  const DType integer_dtype = find == cpu::FindQuantize ? result.dtype : x.dtype();
  const cpu::QuantizeFunction function = find(x.dtype(), result.dtype);
  const bool fits = scale.dtype() == float_dtype && (!zero || zero->dtype() == integer_dtype);
  if (!function || !fits) {
    return InvalidArgumentError(StrCat(call.op_name(), ": no conversion from ",
                                       DTypeName(x.dtype()), " to ", DTypeName(result.dtype),
                                       " with a scale of ", DTypeName(scale.dtype())));
  }
  TFRT_ASSIGN_OR_RETURN(cpu::ScaleLayout layout, ScaleLayoutOf(x, scale, attrs));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  return ConvertByScale(call, function, layout, x, scale, zero.get(), std::move(out));
}

Status DynamicQuantize(const DenseHostTensor& x, OpCall& call) {
  if (x.dtype() != DType::kF32) {
    return UnsupportedDType(call, x.dtype());
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({DType::kUI8, x.shape()}));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor scale, call.Allocate({DType::kF32, {}}));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor zero, call.Allocate({DType::kUI8, {}}));
  const cpu::Quantization fit =
      cpu::FitQuantization(static_cast<const float*>(x.data()), x.num_elements());
  *WritableData<float>(scale) = fit.scale;
  *WritableData<uint8_t>(zero) = fit.zero;
  cpu::ScaleLayout layout;
  layout.inner = x.num_elements();
  TFRT_RETURN_IF_ERROR(ConvertByScale(call, cpu::FindQuantize(DType::kF32, DType::kUI8), layout, x,
                                      scale, &zero, std::move(out)));
  if (call.num_results() > 1) SetResult(call, 1, std::move(scale));
  if (call.num_results() > 2) SetResult(call, 2, std::move(zero));
  return OkStatus();
}

}  // namespace

void RegisterConversionOps(OpRegistry* registry) {
  registry->Implement("graph.cast", {.function = TFRT_OP(Cast)});
  registry->Implement("graph.quantize", {.function = TFRT_OP(Quantize<cpu::FindQuantize>)});
  registry->Implement("graph.dequantize", {.function = TFRT_OP(Quantize<cpu::FindDequantize>)});
  registry->Implement("graph.dynamic_quantize", {.function = TFRT_OP(DynamicQuantize)});
}

}  // namespace tfrt
