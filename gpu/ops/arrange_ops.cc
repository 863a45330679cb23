// Ops along a dimension, and on matrices' diagonals.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/runtime/tensor/dense_integers.h"

namespace tfrt::gpu {
namespace {

// A tensor as [outer,size,inner] around one dimension.
struct AroundAxis {
  int64_t outer, size, inner;

  static StatusOr<AroundAxis> Of(const TensorShape& shape, int64_t axis) {
    TFRT_ASSIGN_OR_RETURN(size_t at, NormalizeAxis(axis, shape));
    return AroundAxis{SizeOfDims(shape, 0, at), shape.dim(at),
                      SizeOfDims(shape, at + 1, shape.rank())};
  }
};

// Results: the elements and their places.
class TopK final : public GpuOp {
 public:
  TopK(const Function* function, int64_t axis, bool largest)
      : function_(*function), axis_(axis), largest_(largest) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.TypedKernel("top_k", setup.dtype(0)));
    return std::make_unique<TopK>(function, setup.Attr<int64_t>("axis"),
                                  setup.Attr<bool>("largest"));
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(AroundAxis in, AroundAxis::Of(call.argument(0).shape, axis_));
    TFRT_ASSIGN_OR_RETURN(AroundAxis out, AroundAxis::Of(call.result(0).shape, axis_));
    TFRT_ASSIGN_OR_RETURN(OpBytes values, call.Allocate(0));
    TFRT_ASSIGN_OR_RETURN(OpBytes places, call.Allocate(1));
    return call.Launch(function_, TopKLaunch(in.outer, in.inner, out.size), values, places,
                       call.bytes(0), in.outer, in.size, in.inner, out.size,
                       static_cast<int32_t>(largest_));
  }

 private:
  const Function& function_;
  const int64_t axis_;
  const bool largest_;
};

class CumulativeSum final : public GpuOp {
 public:
  CumulativeSum(const Function* function, bool exclusive, bool reverse)
      : function_(*function), exclusive_(exclusive), reverse_(reverse) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.TypedKernel("cumulative_sum", setup.dtype(0)));
    return std::make_unique<CumulativeSum>(function, setup.Attr<bool>("exclusive"),
                                           setup.Attr<bool>("reverse"));
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "axis", call.host_value(1)));
    TFRT_ASSIGN_OR_RETURN(AroundAxis in, AroundAxis::Of(call.argument(0).shape, axis));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, ScanLaunch(in.outer, in.size, in.inner), out, call.bytes(0),
                       in.outer, in.size, in.inner, static_cast<int32_t>(exclusive_),
                       static_cast<int32_t>(reverse_));
  }

 private:
  const Function& function_;
  const bool exclusive_, reverse_;
};

// Matrices with 0 on one side of a diagonal.
class Triangle final : public GpuOp {
 public:
  Triangle(const Function* function, bool upper) : function_(*function), upper_(upper) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(const Function* function, setup.Kernel(StrCat("triangle_", width)));
    return std::make_unique<Triangle>(function, setup.Attr<bool>("upper"));
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(int64_t diagonal,
                          ReadInteger(call.op_name(), "diagonal", call.host_value(1)));
    const TensorShape& shape = call.argument(0).shape;
    const size_t rank = shape.rank();
    const int64_t rows = shape.dim(rank - 2), columns = shape.dim(rank - 1);
    // Farther away it is no diagonal of these matrices.
    diagonal = std::clamp<int64_t>(diagonal, -rows - 1, columns + 1);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    return call.Launch(function_, ThreadsLaunch(shape.num_elements()), out, call.bytes(0),
                       SizeOfDims(shape, 0, rank - 2), rows, columns, diagonal,
                       static_cast<int32_t>(upper_));
  }

 private:
  const Function& function_;
  const bool upper_;
};

// The lengths stay on the device: those outside of the dimension are taken for the nearest.
class ReverseSequence final : public GpuOp {
 public:
  ReverseSequence(CastKernel lengths, const Function* function, int64_t batch, int64_t time)
      : lengths_(lengths), function_(*function), batch_axis_(batch), time_axis_(time) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(CastKernel lengths, CastKernel::Make(setup, setup.dtype(1), DType::kI64));
    TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.Kernel(StrCat("reverse_sequence_", width)));
    return std::make_unique<ReverseSequence>(lengths, function, setup.Attr<int64_t>("batch_axis"),
                                             setup.Attr<int64_t>("time_axis"));
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.argument(0).shape;
    TFRT_ASSIGN_OR_RETURN(size_t batch, NormalizeAxis(batch_axis_, shape));
    TFRT_ASSIGN_OR_RETURN(size_t time, NormalizeAxis(time_axis_, shape));
    const size_t first = std::min(batch, time), second = std::max(batch, time);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    TFRT_ASSIGN_OR_RETURN(OpBytes lengths, lengths_.Run(call, call.bytes(1), shape.dim(batch)));
    return call.Launch(function_, ThreadsLaunch(shape.num_elements()), out, call.bytes(0), lengths,
                       SizeOfDims(shape, 0, first), shape.dim(first),
                       SizeOfDims(shape, first + 1, second), shape.dim(second),
                       SizeOfDims(shape, second + 1, shape.rank()),
                       static_cast<int32_t>(batch < time));
  }

 private:
  const CastKernel lengths_;
  const Function& function_;
  const int64_t batch_axis_, time_axis_;
};

constexpr GpuOpRow kArrangeRows[] = {
    {"cumulative_sum", CumulativeSum::Make},
    {"reverse_sequence", ReverseSequence::Make},
    {"top_k", TopK::Make},
    {"triangle", Triangle::Make},
};

}  // namespace

std::span<const GpuOpRow> ArrangeGpuOps() { return kArrangeRows; }

}  // namespace tfrt::gpu
