// Tensors at other sizes.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/host_ops/sampling_attrs.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/cast.h"

namespace tfrt::gpu {
namespace {

using cpu::ResizeDim;
using cpu::ResizeMode;
using cpu::ResizeOptions;

// Makes the elements of a dimension, of those of the same one at another size.
class DimKernel {
 public:
  virtual ~DimKernel() = default;
  // Enqueues: in [outer,in_size,inner] -> out [outer,out_size,inner].
  virtual Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, int64_t outer,
                     const ResizeDim& dim, int64_t inner) const = 0;
};

// Takes the nearest elements.
class NearestKernel final : public DimKernel {
 public:
  static StatusOr<std::unique_ptr<DimKernel>> Make(GpuOpSetup& setup, const ResizeOptions& options,
                                                   float extrapolation) {
    const DType dtype = setup.dtype(0);
    uint64_t bits = 0;
    const bool is_real = DispatchReal(dtype, [&]<typename T>(std::type_identity<T>) {
      const T value = CastElement<T>(extrapolation);
      std::memcpy(&bits, &value, sizeof(T));
    });
    if (!is_real && extrapolation != 0) {
      return InvalidArgumentError(StrCat(setup.op_name(), ": a tensor of ", DTypeName(dtype),
                                         " has no extrapolation value"));
    }
    TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* positions, setup.Kernel("resize_nearest"));
    TFRT_ASSIGN_OR_RETURN(const Function* pick, setup.Kernel(StrCat("pick_", width)));
    return std::unique_ptr<DimKernel>(
        new NearestKernel(positions, pick, options, DTypeSize(dtype), bits));
  }

  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, int64_t outer,
             const ResizeDim& dim, int64_t inner) const override {
    TFRT_ASSIGN_OR_RETURN(OpBytes positions,
                          call.Scratch(static_cast<size_t>(dim.out_size) * sizeof(int64_t)));
    TFRT_RETURN_IF_ERROR(call.Launch(positions_, ThreadsLaunch(dim.out_size), positions,
                                     dim.in_size, dim.out_size, dim.scale, int32_t{dim.is_scaled},
                                     dim.begin, dim.end, static_cast<int32_t>(options_.coordinates),
                                     static_cast<int32_t>(options_.nearest)));
    return WithBits(bits_, element_bytes_, [&](auto outside) {
      return call.Launch(pick_, ThreadsLaunch(outer * dim.out_size * inner), out, in, positions,
                         outer, dim.in_size, dim.out_size, inner, outside);
    });
  }

 private:
  NearestKernel(const Function* positions, const Function* pick, const ResizeOptions& options,
                size_t element_bytes, uint64_t bits)
      : positions_(*positions),
        pick_(*pick),
        options_(options),
        element_bytes_(element_bytes),
        bits_(bits) {}

  const Function &positions_, &pick_;
  const ResizeOptions options_;
  const size_t element_bytes_;
  const uint64_t bits_;  // of what is outside
};

// Adds up weighted elements, of f32 or f64.
class WeightedKernel final : public DimKernel {
 public:
  static StatusOr<std::unique_ptr<DimKernel>> Make(GpuOpSetup& setup, const ResizeOptions& options,
                                                   float extrapolation, DType dtype) {
    TFRT_ASSIGN_OR_RETURN(const Function* taps, setup.TypedKernel("resize_taps", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* resize, setup.TypedKernel("resize", dtype));
    return std::unique_ptr<DimKernel>(
        new WeightedKernel(taps, resize, options, extrapolation, dtype));
  }

  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in, int64_t outer,
             const ResizeDim& dim, int64_t inner) const override {
    const bool is_cubic = options_.mode == ResizeMode::kCubic;
    // Where a smaller size is made, `antialias` stretches the weights over what becomes one
    // element, but no wider than the input twice: farther taps only repeat its ends.
    const double stretch = options_.antialias ? std::min(dim.scale, 1.0) : 1.0;
    const double width = std::min(std::ceil((is_cubic ? 2 : 1) / stretch),
                                  2.0 * static_cast<double>(dim.in_size) + 2);
    const int64_t count = 2 * static_cast<int64_t>(width);
    const auto taps = static_cast<size_t>(count * dim.out_size);
    TFRT_ASSIGN_OR_RETURN(OpBytes positions, call.Scratch(taps * sizeof(int64_t)));
    TFRT_ASSIGN_OR_RETURN(OpBytes weights, call.Scratch(taps * DTypeSize(dtype_)));
    TFRT_RETURN_IF_ERROR(
        call.Launch(taps_, ThreadsLaunch(dim.out_size), positions, weights, dim.in_size,
                    dim.out_size, count, dim.scale, int32_t{dim.is_scaled}, dim.begin, dim.end,
                    static_cast<int32_t>(options_.coordinates), int32_t{is_cubic},
                    options_.cubic_coefficient, stretch, int32_t{options_.exclude_outside},
                    int32_t{options_.antialias || options_.exclude_outside}));
    auto launch = [&](auto outside) {
      return call.Launch(resize_, ThreadsLaunch(outer * dim.out_size * inner), out, in, positions,
                         weights, outer, dim.in_size, dim.out_size, inner, count, outside);
    };
    return dtype_ == DType::kF64 ? launch(static_cast<double>(extrapolation_))
                                 : launch(extrapolation_);
  }

 private:
  WeightedKernel(const Function* taps, const Function* resize, const ResizeOptions& options,
                 float extrapolation, DType dtype)
      : taps_(*taps),
        resize_(*resize),
        options_(options),
        extrapolation_(extrapolation),
        dtype_(dtype) {}

  const Function &taps_, &resize_;
  const ResizeOptions options_;
  const float extrapolation_;
  const DType dtype_;
};

// Resizes one dimension after the other.
class Resize final : public GpuOp {
 public:
  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(ResizeOptions options, ResizeOptionsOf(setup.attrs()));
    const auto extrapolation = setup.Attr<float>("extrapolation_value");
    const DType own = setup.dtype(0);
    if (options.mode == ResizeMode::kNearest) {
      TFRT_ASSIGN_OR_RETURN(auto kernel, NearestKernel::Make(setup, options, extrapolation));
      return std::unique_ptr<const GpuOp>(
          new Resize(std::move(kernel), {}, {}, nullptr, options, DTypeSize(own)));
    }
    const bool is_small_float = IsFloat(own) && DTypeSize(own) <= 4;
    const DType dtype = is_small_float ? DType::kF32 : DType::kF64;
    TFRT_ASSIGN_OR_RETURN(CastKernel before, CastKernel::Make(setup, own, dtype));
    TFRT_ASSIGN_OR_RETURN(CastKernel after, CastKernel::Make(setup, dtype, own));
    const Function* round = nullptr;
    if (!IsFloat(own)) {
      TFRT_ASSIGN_OR_RETURN(round, setup.TypedKernel("round", dtype));
    }
    TFRT_ASSIGN_OR_RETURN(auto kernel, WeightedKernel::Make(setup, options, extrapolation, dtype));
    return std::unique_ptr<const GpuOp>(
        new Resize(std::move(kernel), before, after, round, options, DTypeSize(dtype)));
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape &in_shape = call.argument(0).shape, &out_shape = call.result(0).shape;
    const int64_t in_size = in_shape.num_elements(), out_size = out_shape.num_elements();
    if (out_size == 0) return call.Allocate(0).status();
    if (in_size == 0) {
      return InvalidArgumentError(StrCat(call.op_name(), ": nothing of the shape ",
                                         in_shape.ToString(), " can become ",
                                         out_shape.ToString()));
    }
    auto dims = ResizeDimsOf(in_shape, out_shape, call.has(2) ? &call.host_value(2) : nullptr,
                             call.has(3) ? &call.host_value(3) : nullptr);
    if (!dims.ok()) {
      return InvalidArgumentError(StrCat(call.op_name(), ": ", dims.status().message()));
    }
    auto changes = [&](const ResizeDim& dim) { return !dim.is_whole(options_); };
    const auto num_changed = std::ranges::count_if(*dims, changes);
    if (num_changed == 0) {
      call.SetView(0, 0);
      return OkStatus();
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    TFRT_ASSIGN_OR_RETURN(OpBytes elements, before_.Run(call, call.bytes(0), in_size));
    int64_t outer = 1, inner = in_size, left = num_changed;
    for (const ResizeDim& dim : *dims) {
      inner /= dim.in_size;
      if (changes(dim)) {
        OpBytes made = out;
        if (--left > 0 || after_) {
          TFRT_ASSIGN_OR_RETURN(
              made,
              call.Scratch(static_cast<size_t>(outer * dim.out_size * inner) * element_bytes_));
        }
        TFRT_RETURN_IF_ERROR(kernel_->Run(call, made, elements, outer, dim, inner));
        elements = made;
      }
      outer *= dim.out_size;
    }
    if (!after_) return OkStatus();
    if (round_) {
      TFRT_RETURN_IF_ERROR(
          call.Launch(*round_, ElementwiseLaunch(out_size), elements, elements, out_size));
    }
    return after_.Run(call, out, elements, out_size);
  }

 private:
  Resize(std::unique_ptr<DimKernel> kernel, CastKernel before, CastKernel after,
         const Function* round, const ResizeOptions& options, size_t element_bytes)
      : kernel_(std::move(kernel)),
        before_(before),
        after_(after),
        round_(round),
        options_(options),
        element_bytes_(element_bytes) {}

  const std::unique_ptr<const DimKernel> kernel_;
  const CastKernel before_, after_;
  const Function* const round_;  // null: results are floats
  const ResizeOptions options_;
  const size_t element_bytes_;
};

constexpr GpuOpRow kResizeRows[] = {{"resize", Resize::Make}};

}  // namespace

std::span<const GpuOpRow> ResizeGpuOps() { return kResizeRows; }

}  // namespace tfrt::gpu
