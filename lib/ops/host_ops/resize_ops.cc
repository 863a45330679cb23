// graph.resize

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "copied_result.h"
#include "lib/ops/maths/cpu/pick.h"
#include "lib/ops/maths/cpu/resize.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "op_groups.h"
#include "sampling_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status PickNearest(const DenseHostTensor& in, const std::vector<cpu::ResizeDim>& dims,
                   const cpu::ResizeOptions& options, float extrapolation,
                   const TensorMetadata& result, OpCall& call) {
  // The one element that stands for what is outside.
  auto outside = std::make_shared<std::array<char, 16>>();
  const bool is_real = DispatchDType(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T value = CastElement<T>(extrapolation);
    std::memcpy(outside->data(), &value, sizeof(T));
  });
  if (!is_real && extrapolation != 0) {
    return InvalidArgumentError(
        StrCat("a tensor of ", DTypeName(in.dtype()), " has no extrapolation value"));
  }
  // First: a plan may be as large as the result.
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  std::vector<cpu::PickedDim> picked(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) picked[i] = cpu::NearestPositions(dims[i], options);
  cpu::PickPlan plan(in.shape(), std::move(picked), DTypeSize(in.dtype()));
  auto* to = WritableData<char>(out);
  const auto rows = static_cast<size_t>(plan.num_rows);
  const size_t cost = 2 * plan.row_bytes;
  ComputeResult(call, rows, cost, {&in}, std::move(out),
                [plan = std::move(plan), outside, from = in.data(), to](size_t begin, size_t end) {
                  cpu::Pick(plan, from, outside->data(), to, begin, end);
                });
  return OkStatus();
}

// To integers the nearest one that there is.
template <typename T, typename Wide>
T Narrowed(Wide value) {
  if constexpr (std::is_integral_v<T>) value = std::nearbyint(value);
  return CastElement<T>(value);
}

// Computed in `Wide`; the tensor's own elements are cast to it and back.
template <typename T, typename Wide>
Status Interpolate(const DenseHostTensor& in, const std::vector<cpu::ResizeDim>& dims,
                   const cpu::ResizeOptions& options, float extrapolation,
                   const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  cpu::ResizePlan<Wide> plan(dims, options, static_cast<Wide>(extrapolation));
  T* to = WritableData<T>(out);
  const Wide* from;
  std::shared_ptr<std::vector<Wide>> wide;  // owns what is not the tensor's
  if constexpr (std::is_same_v<T, Wide>) {
    from = static_cast<const T*>(in.data());
  } else {
    const auto* elements = static_cast<const T*>(in.data());
    wide = std::make_shared<std::vector<Wide>>(static_cast<size_t>(in.num_elements()));
    for (size_t i = 0; i < wide->size(); ++i) (*wide)[i] = CastElement<Wide>(elements[i]);
    from = wide->data();
  }
  const auto rows = static_cast<size_t>(plan.num_rows);
  const size_t cost =
      8 * sizeof(Wide) * static_cast<size_t>(plan.in_row_size() + plan.out_row_size());
  ComputeResult(call, rows, cost, {&in}, std::move(out),
                [plan = std::move(plan), wide, from, to](size_t begin, size_t end) {
                  const auto first = static_cast<int64_t>(begin), last = static_cast<int64_t>(end);
                  if constexpr (std::is_same_v<T, Wide>) {
                    cpu::Resize(plan, from, to + first * plan.out_row_size(), first, last);
                  } else {
                    const int64_t size = plan.out_row_size();
                    std::vector<Wide> row(static_cast<size_t>(size));
                    for (int64_t i = first; i < last; ++i) {
                      cpu::Resize(plan, from, row.data(), i, i + 1);
                      for (int64_t j = 0; j < size; ++j) {
                        to[i * size + j] = Narrowed<T>(row[static_cast<size_t>(j)]);
                      }
                    }
                  }
                });
  return OkStatus();
}

Status ResizeElements(const DenseHostTensor& in, const DenseHostTensor* scales,
                      const DenseHostTensor* box, const TensorMetadata& result,
                      const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(const cpu::ResizeOptions options, ResizeOptionsOf(attrs));
  if (result.shape.num_elements() == 0) return SetEmpty(call, result);
  if (in.num_elements() == 0) {
    return InvalidArgumentError(StrCat("nothing of the shape ", in.shape().ToString(),
                                       " can become ", result.shape.ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(const auto dims, ResizeDimsOf(in.shape(), result.shape, scales, box));
  if (std::ranges::all_of(dims, [&](const auto& dim) { return dim.is_whole(options); })) {
    return SetShared(call, in, result.shape);
  }
  const float extrapolation = *attrs.Get<float>("extrapolation_value");
  if (options.mode == cpu::ResizeMode::kNearest) {
    return PickNearest(in, dims, options, extrapolation, result, call);
  }
  Status status = OkStatus();
  const bool is_real = DispatchReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    using Wide = std::conditional_t<kIsFloat<T> && sizeof(T) <= 4, float, double>;
    status = Interpolate<T, Wide>(in, dims, options, extrapolation, result, call);
  });
  if (is_real) return status;
  return InvalidArgumentError(
      StrCat("a tensor of ", DTypeName(in.dtype()), " can only be resized to the nearest"));
}

Status Resize(const DenseHostTensor& in, const DenseHostTensor&,
              OptionalOpArgument<DenseHostTensor> scales, OptionalOpArgument<DenseHostTensor> box,
              const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  Status status = ResizeElements(in, scales.get(), box.get(), result, attrs, call);
  if (status.ok()) return status;
  return Status(status.code(), StrCat(call.op_name(), ": ", status.message()));
}

}  // namespace

void RegisterResizeOps(OpRegistry* registry) {
  registry->Implement("graph.resize", {.function = TFRT_OP(Resize)});
}

}  // namespace tfrt
