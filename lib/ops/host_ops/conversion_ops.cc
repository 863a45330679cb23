// Ops that convert elements to another dtype.

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "lib/ops/maths/cpu/half_casts.h"
#include "lib/ops/maths/cpu/quantize.h"
#include "lib/ops/maths/shapes/axes.h"
#include "op_groups.h"
#include "op_output.h"
#include "staged_work.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"
#include "unsupported_dtype.h"

namespace tfrt {
namespace {

Status Cast(OpArgument<DenseHostTensor> in, const TensorMetadata& result, OpCall& call) {
  if (in->dtype() == result.dtype) {
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  const CastFunction cast = cpu::FindVectorCast(in->dtype(), result.dtype);
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

// A part of a tensor has a smallest and a largest element.
constexpr size_t kLimits = 2;

// Scales are positive and finite. Those of biases of i32, which are products of two, may be 0.
template <typename T>
Status CheckScales(const OpCall& call, const DenseHostTensor& scale, bool may_be_zero) {
  const T* scales = static_cast<const T*>(scale.data());
  for (int64_t i = 0; i < scale.num_elements(); ++i) {
    const auto each = static_cast<float>(scales[i]);
    if ((each > 0 || (may_be_zero && each == 0)) && std::isfinite(each)) continue;
    return InvalidArgumentError(
        StrCat(call.op_name(), ": scale ", i, " is ", each, ", expected ",
               may_be_zero ? "a finite one that is not negative" : "a positive finite one"));
  }
  return OkStatus();
}

Status CheckScales(const OpCall& call, const DenseHostTensor& scale, bool may_be_zero) {
  switch (scale.dtype()) {
    case DType::kF16:
      return CheckScales<Fp16>(call, scale, may_be_zero);
    case DType::kBF16:
      return CheckScales<Bf16>(call, scale, may_be_zero);
    default:
      return CheckScales<float>(call, scale, may_be_zero);
  }
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
  TFRT_RETURN_IF_ERROR(CheckScales(call, scale, x.dtype() == DType::kI32));
  TFRT_ASSIGN_OR_RETURN(cpu::ScaleLayout layout, ScaleLayoutOf(x, scale, attrs));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  return ConvertByScale(call, function, layout, x, scale, zero.get(), std::move(out));
}

// The range of all elements, part by part; then all are quantised.
Status DynamicQuantize(const DenseHostTensor& x, OpCall& call) {
  if (x.dtype() != DType::kF32) {
    return UnsupportedDType(call, x.dtype());
  }
  const auto size = static_cast<size_t>(x.num_elements());
  auto work = std::make_shared<StagedWork>(cpu::RowParts(x.num_elements(), sizeof(float), kLimits));
  for (const TensorMetadata& metadata :
       {TensorMetadata{DType::kUI8, x.shape()}, {DType::kF32, {}}, {DType::kUI8, {}}}) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(metadata));
    work->outputs.push_back(std::move(out));
  }
  work->inputs.push_back(x.ShareBuffer());
  const auto* in = static_cast<const float*>(x.data());
  auto* y = WritableData<uint8_t>(work->outputs[0]);
  auto* scale = WritableData<float>(work->outputs[1]);
  auto* zero = WritableData<uint8_t>(work->outputs[2]);
  const auto parts = static_cast<size_t>(work->parts.count());
  AsyncValueRef<Chain> measured =
      RunBlocks(call.exec_ctx(), parts, 1, {}, [work, in](size_t begin, size_t end) {
        for (auto part = static_cast<int64_t>(begin); part < static_cast<int64_t>(end); ++part) {
          const int64_t first = work->parts.begin(part);
          const cpu::FloatRange range = cpu::RangeOf(in + first, work->parts.end(part) - first);
          double* limits = work->parts.sums(part);
          limits[0] = range.low;
          limits[1] = range.high;
        }
      });
  AsyncValueRef<Chain> done =
      Then(std::move(measured), [=, exec_ctx = call.exec_ctx()]() -> AsyncValueRef<Chain> {
        cpu::FloatRange range;
        for (size_t part = 0; part < parts; ++part) {
          const double* limits = work->parts.sums(static_cast<int64_t>(part));
          range.low = std::min(range.low, static_cast<float>(limits[0]));
          range.high = std::max(range.high, static_cast<float>(limits[1]));
        }
        const cpu::Quantization fit = cpu::FitQuantization(range);
        *scale = fit.scale;
        *zero = fit.zero;
        return RunBlocks(exec_ctx, size, ItemsPerBlock(8), {},
                         [work, in, y, scale, zero](size_t begin, size_t end) {
                           cpu::ScaleLayout part;
                           part.inner = static_cast<int64_t>(end - begin);
                           cpu::FindQuantize(DType::kF32, DType::kUI8)(part, in + begin, scale,
                                                                       zero, y + begin, 0, 1);
                         });
      });
  SetResultsAfter(call, std::move(work), std::move(done));
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
