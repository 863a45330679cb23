// Elements of one of two tensors, and elements between two bounds.

#include <array>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>

#include "copy_kernel.h"
#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"

namespace tfrt::gpu {
namespace {

constexpr size_t kOperands = 3;  // of select: the condition, x, y

// The arguments of broadcast_select_*: sizes and, for each operand, steps.
struct SelectSteps {
  using Four = std::array<int64_t, 4>;
  Four sizes = {1, 1, 1, 1};
  std::array<Four, kOperands> steps = {};
  bool fits = true;  // false: more than four dimensions are left

  // Dimensions that all operands have or repeat together become one.
  static SelectSteps Of(const TensorShape& shape,
                        const std::array<const TensorShape*, kOperands>& operands) {
    SelectSteps plan;
    std::array<int64_t, kOperands> all_steps = {1, 1, 1};  // of the next dimension
    size_t at = plan.sizes.size();                         // the outermost one there is
    for (size_t i = 0; i < shape.rank(); ++i) {
      const int64_t size = shape.dim(shape.rank() - 1 - i);
      if (size == 1) continue;
      bool joins = at < plan.sizes.size();
      std::array<int64_t, kOperands> steps;
      for (size_t k = 0; k < kOperands; ++k) {
        const TensorShape& operand = *operands[k];
        const int64_t own = i < operand.rank() ? operand.dim(operand.rank() - 1 - i) : 1;
        steps[k] = own == 1 ? 0 : all_steps[k];
        all_steps[k] *= own;
        joins = joins && steps[k] == plan.steps[k][at] * plan.sizes[at];
      }
      if (joins) {
        plan.sizes[at] *= size;
        continue;
      }
      if (at == 0) {
        plan.fits = false;
        return plan;
      }
      plan.sizes[--at] = size;
      for (size_t k = 0; k < kOperands; ++k) plan.steps[k][at] = steps[k];
    }
    return plan;
  }
};

class Select final : public GpuOp {
 public:
  Select(const Function* flat, const Function* broadcast, std::array<CopyKernel, kOperands> copies)
      : flat_(*flat), broadcast_(*broadcast), copies_(std::move(copies)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    if (setup.dtype(0) != DType::kI1) return setup.UnsupportedDType(setup.dtype(0));
    const DType dtype = setup.dtype(1);
    if (setup.dtype(2) != dtype) return setup.DifferentDTypes(dtype, setup.dtype(2));
    TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* flat, setup.Kernel(StrCat("select_", width)));
    TFRT_ASSIGN_OR_RETURN(const Function* broadcast,
                          setup.Kernel(StrCat("broadcast_select_", width)));
    TFRT_ASSIGN_OR_RETURN(CopyKernel condition, CopyKernel::Make(setup, DType::kI1));
    TFRT_ASSIGN_OR_RETURN(CopyKernel element, CopyKernel::Make(setup, dtype));
    return std::make_unique<Select>(flat, broadcast,
                                    std::array<CopyKernel, kOperands>{condition, element, element});
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.result(0).shape;
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    const SelectSteps plan = SelectSteps::Of(
        shape, {&call.argument(0).shape, &call.argument(1).shape, &call.argument(2).shape});
    std::array<OpBytes, kOperands> in;
    for (size_t k = 0; k < kOperands; ++k) {
      in[k] = call.bytes(k);
      if (plan.fits) continue;
      TFRT_ASSIGN_OR_RETURN(in[k],
                            copies_[k].Broadcast(call, in[k], call.argument(k).shape, shape));
    }
    const int64_t size = shape.num_elements();
    const DeviceLaunch launch = ThreadsLaunch(size);
    const std::tuple buffers(out, in[0], in[1], in[2]);
    if (!plan.fits) {
      return LaunchParts(call, flat_, launch, buffers,
                         std::tuple(size, int64_t{1}, int64_t{1}, int64_t{1}));
    }
    const auto& [condition, x, y] = plan.steps;
    if (plan.sizes[2] == 1) {
      return LaunchParts(call, flat_, launch, buffers, std::tuple(size, condition[3], x[3], y[3]));
    }
    return LaunchParts(call, broadcast_, launch, buffers, plan.sizes, condition, x, y);
  }

 private:
  const Function& flat_;
  const Function& broadcast_;
  const std::array<CopyKernel, kOperands> copies_;
};

// Each of the bounds may be left out.
class Clip final : public GpuOp {
 public:
  explicit Clip(const Function* function) : function_(*function) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType dtype = setup.dtype(0);
    for (size_t i = 1; i < 3; ++i) {
      if (setup.has(i) && setup.dtype(i) != dtype) {
        return setup.DifferentDTypes(dtype, setup.dtype(i));
      }
    }
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("clip", dtype));
    return std::make_unique<Clip>(function);
  }

  Status Run(GpuOpCall& call) const override {
    const int64_t size = call.result(0).shape.num_elements();
    auto bound = [&](size_t i) { return call.has(i) ? call.bytes(i) : OpBytes(); };
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, ThreadsLaunch(size), out, call.bytes(0), bound(1), bound(2),
                       size);
  }

 private:
  const Function& function_;
};

constexpr GpuOpRow kSelectionRows[] = {{"clip", Clip::Make}, {"select", Select::Make}};

}  // namespace

std::span<const GpuOpRow> SelectionGpuOps() { return kSelectionRows; }

}  // namespace tfrt::gpu
