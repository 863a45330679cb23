// Images sampled at places between their elements, and images made of blocks.

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "lib/ops/host_ops/sampling_attrs.h"
#include "lib/runtime/tensor/dense_integers.h"

namespace tfrt::gpu {
namespace {

Status NothingToSample(const GpuOpCall& call) {
  return InvalidArgumentError(StrCat(call.op_name(), ": there is nothing to sample in the shape ",
                                     call.argument(0).shape.ToString()));
}

class GridSample final : public GpuOp {
 public:
  GridSample(const Function* function, OpAttrsRef attrs)
      : function_(*function), attrs_(std::move(attrs)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    if (setup.dtype(1) != setup.dtype(0)) {
      return setup.DifferentDTypes(setup.dtype(0), setup.dtype(1));
    }
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel("grid_sample", setup.dtype(0)));
    return std::make_unique<GridSample>(function, setup.attrs());
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& in = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(cpu::GridSampleOptions options,
                          GridSampleOptionsOf(call.op_name(), in, call.argument(1).shape, attrs_));
    const size_t rank = options.sizes.size();
    if (rank > kMostRank) {
      return InvalidArgumentError(StrCat(call.op_name(), ": images of ", rank,
                                         " dimensions, where GPUs have ", kMostRank, " at most"));
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    if (in.num_elements() == 0) return NothingToSample(call);
    std::array<int64_t, kMostRank> sizes = {1, 1, 1};
    for (size_t i = 0; i < rank; ++i) sizes[kMostRank - rank + i] = options.sizes[i];
    return call.Launch(function_, ThreadsLaunch(in.dim(0) * options.points), out, call.bytes(0),
                       call.bytes(1), in.dim(0), options.channels, options.points, sizes[0],
                       sizes[1], sizes[2], static_cast<int32_t>(rank),
                       static_cast<int32_t>(options.mode), static_cast<int32_t>(options.padding),
                       int32_t{options.align_corners});
  }

 private:
  static constexpr size_t kMostRank = 3;

  const Function& function_;
  const OpAttrsRef attrs_;
};

class RoiAlign final : public GpuOp {
 public:
  RoiAlign(const Function* function, OpAttrsRef attrs)
      : function_(*function), attrs_(std::move(attrs)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType dtype = setup.dtype(0), index = setup.dtype(2);
    if (setup.dtype(1) != dtype) return setup.DifferentDTypes(dtype, setup.dtype(1));
    if (index != DType::kI32 && index != DType::kI64) return setup.UnsupportedDType(index);
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel(StrCat("roi_align_", DTypeName(index)), dtype));
    return std::make_unique<RoiAlign>(function, setup.attrs());
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& in = call.argument(0).shape;
    const int64_t size = call.result(0).shape.num_elements();
    TFRT_ASSIGN_OR_RETURN(cpu::RoiAlignOptions options,
                          RoiAlignOptionsOf(call.op_name(), in, attrs_));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (size == 0) return OkStatus();
    if (in.num_elements() == 0) return NothingToSample(call);
    return call.Launch(function_, ThreadsLaunch(size), out, call.bytes(0), call.bytes(1),
                       call.bytes(2), call.result(0).shape.dim(0), options.images, options.channels,
                       options.height, options.width, options.rows, options.columns,
                       options.samples, static_cast<float>(options.scale),
                       int32_t{options.half_pixel}, int32_t{options.max});
  }

 private:
  const Function& function_;
  const OpAttrsRef attrs_;
};

class AddBlocks final : public GpuOp {
 public:
  AddBlocks(const Function* function, OpAttrsRef attrs)
      : function_(*function), attrs_(std::move(attrs)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel("add_blocks", setup.dtype(0)));
    return std::make_unique<AddBlocks>(function, setup.attrs());
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape &in = call.argument(0).shape, &out_shape = call.result(0).shape;
    const Integers image = ReadIntegers(call.host_value(1));
    const Integers block = ReadIntegers(call.host_value(2));
    TFRT_ASSIGN_OR_RETURN(std::vector<cpu::BlockDim> dims,
                          BlockDimsOf(call.op_name(), attrs_, image, block, in.dim(2)));
    // The rule has looked at the sizes, but the memory may be a program's, which writes there
    // meanwhile.
    int64_t rows = out_shape.dim(0) * out_shape.dim(1), taken = rows;
    bool fits = dims.size() + 2 == out_shape.rank();
    Numbers numbers;
    for (size_t i = 0; fits && i < dims.size(); ++i) {
      fits = dims[i].image == out_shape.dim(i + 2) &&
             !__builtin_mul_overflow(taken, dims[i].block, &taken);
    }
    if (!fits || taken != in.dim(0) * in.dim(1)) {
      return InvalidArgumentError(StrCat(call.op_name(), ": the sizes have changed"));
    }
    if (dims.size() > kMostRank) {
      return InvalidArgumentError(StrCat(call.op_name(), ": images of ", dims.size(),
                                         " dimensions, where GPUs have ", kMostRank, " at most"));
    }
    for (size_t i = 0; i < dims.size(); ++i) {
      if (!SetDimension(dims[i], kMostRank - dims.size() + i, &numbers)) {
        return InvalidArgumentError(
            StrCat(call.op_name(), ": the images are too large for ", call.device().name()));
      }
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    const auto& n = numbers;
    return call.Launch(function_, ThreadsLaunch(out_shape.num_elements()), out, call.bytes(0), rows,
                       n[0][0], n[0][1], n[0][2], n[1][0], n[1][1], n[1][2], n[2][0], n[2][1],
                       n[2][2], n[3][0], n[3][1], n[3][2], n[4][0], n[4][1], n[4][2], n[5][0],
                       n[5][1], n[5][2]);
  }

 private:
  static constexpr size_t kMostRank = 3;

  // Sizes of images, sizes and numbers of blocks, strides, dilations, paddings: for each dimension.
  struct Numbers : std::array<std::array<int32_t, kMostRank>, 6> {
    Numbers() {
      for (auto& each : *this) each.fill(1);
      back().fill(0);
    }
  };

  // Returns false if a number has more than 31 bits.
  static bool SetDimension(const cpu::BlockDim& dim, size_t at, Numbers* numbers) {
    const int64_t all[] = {dim.image, dim.block, dim.count, dim.stride, dim.dilation, dim.before};
    for (size_t i = 0; i < numbers->size(); ++i) {
      if (all[i] > std::numeric_limits<int32_t>::max()) return false;
      (*numbers)[i][at] = static_cast<int32_t>(all[i]);
    }
    return true;
  }

  const Function& function_;
  const OpAttrsRef attrs_;
};

constexpr GpuOpRow kSamplingRows[] = {{"add_blocks", AddBlocks::Make},
                                      {"grid_sample", GridSample::Make},
                                      {"roi_align", RoiAlign::Make}};

}  // namespace

std::span<const GpuOpRow> SamplingGpuOps() { return kSamplingRows; }

}  // namespace tfrt::gpu
