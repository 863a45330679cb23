// Floats as integers of few bits, and back.

#include <algorithm>
#include <memory>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/maths/shapes/axes.h"

namespace tfrt::gpu {
namespace {

// A tensor as [outer,size,inner], of which each place along the axis has its scale or, with a block
// that is not 0, each so many.
struct ScaleLayout {
  int64_t outer = 1, size = 1, inner = 1, block = 0;
};

Status LaunchScaled(GpuOpCall& call, const Function& function, const OpBytes& out,
                    const OpBytes& in, const OpBytes& scales, const OpBytes& zeros,
                    const ScaleLayout& layout) {
  const auto& [outer, size, inner, block] = layout;
  return call.Launch(function, ElementwiseLaunch(outer * size * inner), out, in, scales, zeros,
                     outer, size, inner, block);
}

// quantize and dequantize.
class Scaled final : public GpuOp {
 public:
  Scaled(const Function* function, int64_t axis, int64_t block)
      : function_(*function), axis_(axis), block_(block) {}

  static MadeOp MakeQuantize(GpuOpSetup& setup) {
    const DType to =
        setup.has(2) ? setup.dtype(2) : setup.attrs().GetType("dtype").value_or(DType::kUI8);
    if (setup.dtype(1) != setup.dtype(0)) {
      return setup.DifferentDTypes(setup.dtype(0), setup.dtype(1));
    }
    return Make(setup, "quantize", setup.dtype(0), to);
  }
  static MadeOp MakeDequantize(GpuOpSetup& setup) {
    return Make(setup, "dequantize", setup.dtype(1), setup.dtype(0));
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(ScaleLayout layout, LayoutOf(call));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return LaunchScaled(call, function_, out, call.bytes(0), call.bytes(1),
                        call.has(2) ? call.bytes(2) : OpBytes(), layout);
  }

 private:
  static MadeOp Make(GpuOpSetup& setup, std::string_view kernel, DType floats, DType integers) {
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel(kernel, floats, DTypeName(integers)));
    return std::make_unique<Scaled>(function, setup.Attr<int64_t>("axis"),
                                    setup.Attr<int64_t>("block"));
  }

  StatusOr<ScaleLayout> LayoutOf(const GpuOpCall& call) const {
    const TensorShape& shape = call.argument(0).shape;
    if (block_ == 0 && call.argument(1).shape.num_elements() == 1) {
      return ScaleLayout{.inner = shape.num_elements()};
    }
    ScaleLayout layout{.block = block_};
    TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(axis_, shape));
    for (size_t i = 0; i < axis; ++i) layout.outer *= shape.dim(i);
    layout.size = shape.dim(axis);
    for (size_t i = axis + 1; i < shape.rank(); ++i) layout.inner *= shape.dim(i);
    return layout;
  }

  const Function& function_;
  const int64_t axis_, block_;
};

// Results: u8, and the scale and the zero point that fit the elements.
class DynamicQuantize final : public GpuOp {
 public:
  DynamicQuantize(const Function* limits, const Function* of_limits, const Function* quantize)
      : limits_(*limits), of_limits_(*of_limits), quantize_(*quantize) {}

  static MadeOp Make(GpuOpSetup& setup) {
    if (setup.dtype(0) != DType::kF32) return setup.UnsupportedDType(setup.dtype(0));
    TFRT_ASSIGN_OR_RETURN(const Function* limits, setup.Kernel("quantization_limits"));
    TFRT_ASSIGN_OR_RETURN(const Function* of_limits, setup.Kernel("quantization_of_limits"));
    TFRT_ASSIGN_OR_RETURN(const Function* quantize, setup.Kernel("quantize_f32_u8"));
    return std::make_unique<DynamicQuantize>(limits, of_limits, quantize);
  }

  Status Run(GpuOpCall& call) const override {
    const int64_t size = call.argument(0).shape.num_elements();
    const int64_t parts = std::clamp<int64_t>(size / kLeastOfPart, 1, kMostParts);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    TFRT_ASSIGN_OR_RETURN(OpBytes scale, AllocateOrScratch(call, 1, sizeof(float)));
    TFRT_ASSIGN_OR_RETURN(OpBytes zero, AllocateOrScratch(call, 2, sizeof(uint8_t)));
    TFRT_ASSIGN_OR_RETURN(OpBytes limits,
                          call.Scratch(static_cast<size_t>(parts) * 2 * sizeof(float)));
    TFRT_RETURN_IF_ERROR(
        call.Launch(limits_, BlocksLaunch(parts), limits, call.bytes(0), size, parts));
    TFRT_RETURN_IF_ERROR(call.Launch(of_limits_, BlocksLaunch(1), scale, zero, limits, parts));
    return LaunchScaled(call, quantize_, out, call.bytes(0), scale, zero, {.inner = size});
  }

 private:
  // A block takes less than that in the time of its launch. So many blocks keep the largest GPUs
  // busy.
  static constexpr int64_t kLeastOfPart = 8192, kMostParts = 1024;

  static StatusOr<OpBytes> AllocateOrScratch(GpuOpCall& call, size_t result, size_t bytes) {
    return result < call.num_results() ? call.Allocate(result) : call.Scratch(bytes);
  }

  const Function &limits_, &of_limits_, &quantize_;
};

constexpr GpuOpRow kQuantizeRows[] = {{"dequantize", Scaled::MakeDequantize},
                                      {"dynamic_quantize", DynamicQuantize::Make},
                                      {"quantize", Scaled::MakeQuantize}};

}  // namespace

std::span<const GpuOpRow> QuantizeGpuOps() { return kQuantizeRows; }

}  // namespace tfrt::gpu
