#include "kernels.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "gpu/device_code/steps.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/cast.h"
#include "tfrt/support/small_array.h"

namespace tfrt::gpu {

namespace {

class View final : public GpuOp {
 public:
  Status Run(GpuOpCall& call) const override {
    call.SetView(0, 0);
    return OkStatus();
  }
};

}  // namespace

MadeOp MakeView(GpuOpSetup& setup) {
  if (DTypeSize(setup.dtype(0)) == 0) return setup.UnsupportedDType(setup.dtype(0));
  return std::make_unique<View>();
}

StatusOr<std::string> WidthOf(const GpuOpSetup& setup, DType dtype) {
  const size_t bytes = DTypeSize(dtype);
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return setup.UnsupportedDType(dtype);
  return StrCat("b", 8 * bytes);
}

StatusOr<BroadcastKernel> BroadcastKernel::Make(GpuOpSetup& setup, std::string_view name,
                                                DType dtype) {
  TFRT_ASSIGN_OR_RETURN(const Function* flat, setup.TypedKernel(name, dtype));
  TFRT_ASSIGN_OR_RETURN(const Function* broadcast,
                        setup.TypedKernel(StrCat("broadcast_", name), dtype));
  TFRT_ASSIGN_OR_RETURN(CopyKernel copy, CopyKernel::Make(setup, dtype));
  return BroadcastKernel(flat, broadcast, std::move(copy));
}

Status BroadcastKernel::Run(GpuOpCall& call, const OpBytes& out, const OpBytes& a,
                            const TensorShape& a_shape, const OpBytes& b,
                            const TensorShape& b_shape) const {
  auto run_flat = [&](const OpBytes& x, const OpBytes& y, int64_t size) {
    return call.Launch(*flat_, ElementwiseLaunch(size), out, x, y, size, int64_t{1}, int64_t{1});
  };
  if (a_shape == b_shape) [[likely]]
    return run_flat(a, b, a_shape.num_elements());
  const ShapeDims a_dims = a_shape.dims(), b_dims = b_shape.dims();
  const std::optional<BroadcastSteps> steps = PlanBroadcast(a_dims, b_dims);
  if (!steps) {
    TFRT_ASSIGN_OR_RETURN(TensorShape shape, BroadcastShape(a_shape, b_shape));
    TFRT_ASSIGN_OR_RETURN(OpBytes all_a, copy_.Broadcast(call, a, a_shape, shape));
    TFRT_ASSIGN_OR_RETURN(OpBytes all_b, copy_.Broadcast(call, b, b_shape, shape));
    return run_flat(all_a, all_b, shape.num_elements());
  }
  const auto& [sizes, a_steps, b_steps] = *steps;
  const int64_t size = sizes[0] * sizes[1] * sizes[2] * sizes[3];
  const DeviceLaunch launch = ElementwiseLaunch(size);
  if (steps->is_flat()) return call.Launch(*flat_, launch, out, a, b, size, a_steps[3], b_steps[3]);
  return call.Launch(*broadcast_, launch, out, a, b, sizes[0], sizes[1], sizes[2], sizes[3],
                     a_steps[0], a_steps[1], a_steps[2], a_steps[3], b_steps[0], b_steps[1],
                     b_steps[2], b_steps[3]);
}

StatusOr<PermuteKernel> PermuteKernel::Make(GpuOpSetup& setup, DType dtype) {
  TFRT_ASSIGN_OR_RETURN(CopyKernel copy, CopyKernel::Make(setup, dtype));
  const Function* transpose = nullptr;
  if (StatusOr<std::string> width = WidthOf(setup, dtype); width.ok()) {
    TFRT_ASSIGN_OR_RETURN(transpose, setup.Kernel(StrCat("transpose_", *width)));
  }
  return PermuteKernel(transpose, std::move(copy));
}

Status PermuteKernel::Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in,
                          std::span<const int64_t> dims,
                          std::span<const int64_t> permutation) const {
  const std::optional<PermutationSteps> steps = PlanPermutation(dims, permutation);
  if (transpose_ && steps && steps->transpose) {
    const auto& [batch, rows, columns] = *steps->transpose;
    return call.Launch(*transpose_, TransposeLaunch(batch, rows, columns), out, in, batch, rows,
                       columns);
  }
  SmallArray<CopyDim, 8> copied(dims.size());
  int64_t in_step = 1, out_step = 1;
  for (size_t i = dims.size(); i-- > 0; in_step *= dims[i]) {
    const auto to = std::ranges::find(permutation, static_cast<int64_t>(i));
    copied[static_cast<size_t>(to - permutation.begin())].in_step = in_step;
  }
  for (size_t i = dims.size(); i-- > 0; out_step *= copied[i].size) {
    copied[i].size = dims[static_cast<size_t>(permutation[i])];
    copied[i].out_step = out_step;
  }
  return copy_.Run(call, out, in, copied.span());
}

StatusOr<ReduceKernel> ReduceKernel::Make(GpuOpSetup& setup, std::string_view name, DType dtype,
                                          std::string_view suffix) {
  TFRT_ASSIGN_OR_RETURN(const Function* first, setup.TypedKernel(name, dtype, suffix));
  TFRT_ASSIGN_OR_RETURN(const Function* parts,
                        setup.TypedKernel(StrCat(name, "_parts"), dtype, suffix));
  return ReduceKernel(first, parts);
}

Status ReduceKernel::Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, int64_t outer,
                         int64_t size, int64_t inner) const {
  const ReductionLaunch plan = PlanReduction(outer, size, inner);
  if (plan.parts == 1) {
    return call.Launch(*first_, plan.first, out, in, outer, size, inner, plan.parts);
  }
  TFRT_ASSIGN_OR_RETURN(OpBytes states, call.Scratch(static_cast<size_t>(plan.scratch_bytes)));
  TFRT_RETURN_IF_ERROR(
      call.Launch(*first_, plan.first, states, in, outer, size, inner, plan.parts));
  return call.Launch(*parts_, plan.combine, out, states, outer, size, inner, plan.parts);
}

StatusOr<CastKernel> CastKernel::Make(GpuOpSetup& setup, DType from, DType to) {
  if (from == to) return CastKernel();
  TFRT_ASSIGN_OR_RETURN(const Function* cast, setup.TypedKernel("cast", from, DTypeName(to)));
  return CastKernel(cast, DTypeSize(to));
}

StatusOr<OpBytes> CastKernel::Run(GpuOpCall& call, const OpBytes& in, int64_t size) const {
  if (!cast_) return in;
  TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Scratch(static_cast<size_t>(size) * result_bytes_));
  TFRT_RETURN_IF_ERROR(Run(call, out, in, size));
  return out;
}

// value_of_type(std::type_identity<T>()): the value for a real type T.
template <typename F>
StatusOr<FillValue> FillValue::Make(GpuOpSetup& setup, DType dtype, F value_of_type) {
  uint64_t bits = 0;
  const bool is_real = DispatchReal(dtype, [&]<typename T>(std::type_identity<T> type) {
    const T value = value_of_type(type);
    std::memcpy(&bits, &value, sizeof(value));
  });
  if (!is_real) return setup.UnsupportedDType(dtype);
  TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, dtype));
  TFRT_ASSIGN_OR_RETURN(const Function* fill, setup.Kernel(StrCat("fill_", width)));
  return FillValue(fill, DTypeSize(dtype), bits);
}

StatusOr<FillValue> FillValue::OfLimit(GpuOpSetup& setup, DType dtype, bool largest) {
  return Make(setup, dtype, [&]<typename T>(std::type_identity<T>) -> T {
    using Limits = std::numeric_limits<T>;
    if constexpr (Limits::has_infinity) {
      return largest ? Limits::infinity() : -Limits::infinity();
    } else {
      return largest ? Limits::max() : Limits::lowest();
    }
  });
}

StatusOr<FillValue> FillValue::OfNumber(GpuOpSetup& setup, DType dtype, float number) {
  return Make(setup, dtype,
              [&]<typename T>(std::type_identity<T>) { return CastElement<T>(number); });
}

Status FillValue::Run(GpuOpCall& call, const OpBytes& out, int64_t size) const {
  const DeviceLaunch launch = ElementwiseLaunch(size);
  return WithBits(bits_, element_bytes_,
                  [&](auto bits) { return call.Launch(*fill_, launch, out, bits, size); });
}

}  // namespace tfrt::gpu
