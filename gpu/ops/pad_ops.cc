// Ops that put elements around a tensor, or cut some off.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "copy_kernel.h"
#include "gpu/device_code/copy_plan.h"
#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/maths/cpu/pick.h"
#include "lib/runtime/tensor/dense_integers.h"

namespace tfrt::gpu {
namespace {

using device::PadMode;

// Two numbers for each dimension.
using Paddings = InlineVector<int64_t, 16>;

class PadKernel {
 public:
  PadKernel(size_t element_bytes, PadMode mode) : element_bytes_(element_bytes), mode_(mode) {}

  static StatusOr<std::unique_ptr<const PadKernel>> Make(GpuOpSetup& setup, PadMode mode) {
    TFRT_RETURN_IF_ERROR(WidthOf(setup, setup.dtype(0)).status());
    return std::make_unique<const PadKernel>(DTypeSize(setup.dtype(0)), mode);
  }

  size_t element_bytes() const { return element_bytes_; }

  // Sets the result to argument 0 with the paddings around it. `value`: the bits of an element.
  Status SetResult(GpuOpCall& call, const Paddings& paddings, uint64_t value) const {
    const TensorShape& shape = call.argument(0).shape;
    // The rule has looked at the paddings, but the memory may be a program's, which writes there
    // meanwhile. So what they make must be as large as the result.
    const TensorShape& result = call.result(0).shape;
    bool as_told = paddings.size() == 2 * shape.rank() && result.rank() == shape.rank();
    Dims dims;
    for (size_t i = 0; as_told && i < shape.rank(); ++i) {
      // Elements at the edge are refused where all others are.
      const auto like = mode_ == PadMode::kConstant ? cpu::PadMode::kConstant : cpu::PadMode::kEdge;
      TFRT_ASSIGN_OR_RETURN(
          const cpu::PickedDim padded,
          cpu::PaddedDim(shape.dim(i), paddings[2 * i], paddings[2 * i + 1], like));
      as_told = padded.size() == result.dim(i);
      dims.push_back(shape.dim(i));
    }
    if (!as_told)
      return InvalidArgumentError(StrCat(call.op_name(), ": the paddings have changed"));
    if (std::ranges::all_of(paddings, [](int64_t number) { return number == 0; })) {
      call.SetView(0, 0);
      return OkStatus();
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    return Run(call, out, call.bytes(0), dims, paddings, value);
  }

 private:
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, const Dims& dims,
             const Paddings& paddings, uint64_t value) const {
    const auto element_bytes = static_cast<int64_t>(element_bytes_);
    const std::optional<PadPlan> plan =
        PlanPad({dims.data(), dims.size()}, {paddings.data(), paddings.size()}, mode_,
                element_bytes, value, out.low_bits() | in.low_bits());
    if (!plan) return RunInTwo(call, out, in, dims, paddings, value);
    TFRT_ASSIGN_OR_RETURN(const Function* function, kernels_.Find(call, plan->unit_bytes));
    const OpBytes first = Shifted(in, plan->in_offset);
    return WithBits(plan->value, static_cast<size_t>(plan->unit_bytes), [&](auto unit) {
      return LaunchParts(call, *function, ThreadsLaunch(plan->num_units()),
                         std::tuple(out, first, unit, static_cast<int32_t>(mode_)), plan->sizes,
                         plan->kept, plan->before, plan->steps);
    });
  }

  // More dimensions are padded than the kernel has: first some of them, then the others.
  Status RunInTwo(GpuOpCall& call, const OpBytes& out, const OpBytes& in, const Dims& dims,
                  const Paddings& paddings, uint64_t value) const {
    constexpr int64_t kAtOnce = 2;  // between and beside them are three that stay as they are
    Dims between = dims;
    Paddings now = paddings, later = paddings;
    int64_t num_padded = 0, size = 1;
    for (size_t i = 0; i < dims.size(); ++i) {
      const bool is_padded = paddings[2 * i] != 0 || paddings[2 * i + 1] != 0;
      Paddings& others = is_padded && num_padded < kAtOnce ? later : now;
      others[2 * i] = others[2 * i + 1] = 0;
      num_padded += is_padded;
      between[i] += now[2 * i] + now[2 * i + 1];
      size *= between[i];
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes some, call.Scratch(static_cast<size_t>(size) * element_bytes_));
    TFRT_RETURN_IF_ERROR(Run(call, some, in, dims, now, value));
    return Run(call, out, some, between, later, value);
  }

  const size_t element_bytes_;
  const PadMode mode_;
  const KernelsByWidth kernels_{"pad"};
};

// Argument 1 has the paddings.
class Pad final : public GpuOp {
 public:
  Pad(std::unique_ptr<const PadKernel> kernel, bool has_value)
      : kernel_(std::move(kernel)), has_value_(has_value) {}

  static MadeOp Make(GpuOpSetup& setup, PadMode mode, bool has_value) {
    TFRT_ASSIGN_OR_RETURN(auto kernel, PadKernel::Make(setup, mode));
    return std::make_unique<Pad>(std::move(kernel), has_value);
  }

  Status Run(GpuOpCall& call) const override {
    uint64_t value = 0;
    if (has_value_) std::memcpy(&value, call.host_value(2).data(), kernel_->element_bytes());
    Paddings paddings;
    for (int64_t number : ReadIntegers(call.host_value(1))) paddings.push_back(number);
    return kernel_->SetResult(call, paddings, value);
  }

 private:
  const std::unique_ptr<const PadKernel> kernel_;
  const bool has_value_;
};

// Where the difference is odd, what is cut or added behind is the larger half.
class CenterCropPad final : public GpuOp {
 public:
  explicit CenterCropPad(std::unique_ptr<const PadKernel> kernel) : kernel_(std::move(kernel)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(auto kernel, PadKernel::Make(setup, PadMode::kConstant));
    return std::make_unique<CenterCropPad>(std::move(kernel));
  }

  Status Run(GpuOpCall& call) const override {
    Paddings paddings;
    const TensorShape &from = call.argument(0).shape, &to = call.result(0).shape;
    for (size_t i = 0; i < from.rank(); ++i) {
      const int64_t more = to.dim(i) - from.dim(i);
      paddings.push_back(more / 2);
      paddings.push_back(more - more / 2);
    }
    return kernel_->SetResult(call, paddings, 0);
  }

 private:
  const std::unique_ptr<const PadKernel> kernel_;
};

MadeOp MakePad(GpuOpSetup& setup) { return Pad::Make(setup, PadMode::kConstant, false); }

MadeOp MakePadWith(GpuOpSetup& setup) {
  if (setup.dtype(2) != setup.dtype(0)) {
    return setup.DifferentDTypes(setup.dtype(0), setup.dtype(2));
  }
  return Pad::Make(setup, PadMode::kConstant, true);
}

MadeOp MakeExtend(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(cpu::PadMode mode, cpu::PadModeOf(setup.attrs().GetString("mode").value()));
  switch (mode) {
    case cpu::PadMode::kReflect:
      return Pad::Make(setup, PadMode::kReflect, false);
    case cpu::PadMode::kEdge:
      return Pad::Make(setup, PadMode::kEdge, false);
    case cpu::PadMode::kWrap:
      return Pad::Make(setup, PadMode::kWrap, false);
    case cpu::PadMode::kConstant:
      break;
  }
  return Pad::Make(setup, PadMode::kConstant, false);
}

constexpr GpuOpRow kPadRows[] = {{"center_crop_pad", CenterCropPad::Make},
                                 {"extend", MakeExtend},
                                 {"pad", MakePad},
                                 {"pad_with", MakePadWith}};

}  // namespace

std::span<const GpuOpRow> PadGpuOps() { return kPadRows; }

}  // namespace tfrt::gpu
