// Ops that take elements which indices name, or put them there. The indices stay on the device: one
// outside of its dimension takes zeros, and puts nothing.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "copy_kernel.h"
#include "gpu/device_code/launch_blocks.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/maths/cpu/element_places.h"
#include "lib/ops/maths/cpu/scatter.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/runtime/tensor/dense_integers.h"

namespace tfrt::gpu {
namespace {

using Eight = std::array<int64_t, 8>;

// The first `depth` dimensions, for kernels that take up to eight.
StatusOr<Eight> IndexedDims(const GpuOpCall& call, const TensorShape& shape, size_t depth) {
  Eight sizes = {};
  if (depth > sizes.size()) {
    return UnimplementedError(
        StrCat(call.op_name(), ": ", depth, " indices for each slice, where GPUs have up to 8"));
  }
  for (size_t i = 0; i < depth; ++i) sizes[i] = shape.dim(i);
  return sizes;
}

// The arguments of *_elements_*.
struct ElementPlaces {
  Eight sizes = {1, 1, 1, 1, 1, 1, 1, 1};
  Eight steps = {};
  int64_t axis_size;
  int64_t axis_step;

  // Indices of the tensor's rank lie within it, whatever they are along the axis.
  static StatusOr<ElementPlaces> Of(const GpuOpCall& call, const TensorShape& tensor,
                                    const TensorShape& indices, int64_t given_axis) {
    TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(given_axis, tensor));
    for (size_t i = 0; i < tensor.rank(); ++i) {
      if (i == axis || indices.dim(i) <= tensor.dim(i)) continue;
      return InvalidArgumentError(StrCat(call.op_name(), ": indices of the shape ",
                                         indices.ToString(), " are outside of the shape ",
                                         tensor.ToString(), " in dimension ", i));
    }
    const cpu::ElementPlaces found(tensor, indices, axis);
    ElementPlaces places{.axis_size = found.axis_size, .axis_step = found.axis_stride};
    if (indices.rank() > places.sizes.size()) {
      return UnimplementedError(StrCat(call.op_name(), ": the indices have the shape ",
                                       indices.ToString(), ", where GPUs have rank 8 at most"));
    }
    size_t at = places.sizes.size() - indices.rank();
    for (const auto& dim : found.outer.dims) {
      places.sizes[at] = dim.size;
      places.steps[at++] = dim.strides[0];
    }
    places.sizes[at] = found.columns;
    places.steps[at] = found.column_stride;
    return places;
  }
};

// Common to the ops that take elements of argument 0, by the indices in argument 1.
class Taking : public GpuOp {
 protected:
  Taking(std::string_view name, const GpuOpSetup& setup)
      : element_bytes_(static_cast<int64_t>(DTypeSize(setup.dtype(0)))),
        kernels_(StrCat(name, "_", DTypeName(setup.dtype(1)))) {}

  // Kernels move units of so many bytes, of which slices of so many elements consist.
  int64_t UnitBytesOf(const GpuOpCall& call, const OpBytes& out, int64_t slice) const {
    return std::max(element_bytes_, UnitBytes(static_cast<uint64_t>(slice * element_bytes_),
                                              out.low_bits() | call.bytes(0).low_bits()));
  }

  const int64_t element_bytes_;
  const KernelsByWidth kernels_;
};
template <typename Op, typename... Args>
MadeOp MakeTaking(GpuOpSetup& setup, const Args&... args) {
  if (setup.dtype(1) != DType::kI32 && setup.dtype(1) != DType::kI64) {
    return setup.UnsupportedDType(setup.dtype(1));
  }
  // Checks the size of elements.
  TFRT_RETURN_IF_ERROR(CopyKernel::Make(setup, setup.dtype(0)).status());
  return std::make_unique<Op>(setup, args...);
}

// Arguments: input, indices, axis.
class Gather final : public Taking {
 public:
  Gather(const GpuOpSetup& setup, int64_t batch_dims)
      : Taking("gather", setup), batch_dims_(batch_dims) {}

  Status Run(GpuOpCall& call) const override {
    const TensorShape &shape = call.argument(0).shape, &indices = call.argument(1).shape;
    TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "axis", call.host_value(2)));
    TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, shape));
    const auto batch = static_cast<size_t>(
        batch_dims_ + (batch_dims_ < 0 ? static_cast<int64_t>(indices.rank()) : 0));
    const int64_t num_batches = SizeOfDims(shape, 0, batch);
    const int64_t outer = SizeOfDims(shape, batch, along);
    const int64_t count = SizeOfDims(indices, batch, indices.rank());
    const int64_t slice = SizeOfDims(shape, along + 1, shape.rank());
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    const int64_t unit_bytes = UnitBytesOf(call, out, slice);
    const int64_t inner = slice * element_bytes_ / unit_bytes;
    TFRT_ASSIGN_OR_RETURN(const Function* function, kernels_.Find(call, unit_bytes));
    return call.Launch(*function, ThreadsLaunch(num_batches * outer * count * inner), out,
                       call.bytes(0), call.bytes(1), num_batches, outer, shape.dim(along), count,
                       inner);
  }

 private:
  const int64_t batch_dims_;
};

class GatherNd final : public Taking {
 public:
  explicit GatherNd(const GpuOpSetup& setup) : Taking("gather_nd", setup) {}

  Status Run(GpuOpCall& call) const override {
    const TensorShape &shape = call.argument(0).shape, &indices = call.argument(1).shape;
    const size_t last = indices.rank() - 1;
    const int64_t rows = SizeOfDims(indices, 0, last), depth = indices.dim(last);
    const auto indexed = static_cast<size_t>(depth);
    TFRT_ASSIGN_OR_RETURN(Eight sizes, IndexedDims(call, shape, indexed));
    const int64_t slice = SizeOfDims(shape, indexed, shape.rank());
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    const int64_t unit_bytes = UnitBytesOf(call, out, slice);
    const int64_t units = slice * element_bytes_ / unit_bytes;
    TFRT_ASSIGN_OR_RETURN(const Function* function, kernels_.Find(call, unit_bytes));
    return LaunchParts(call, *function, ThreadsLaunch(rows * units),
                       std::tuple(out, call.bytes(0), call.bytes(1), rows, depth, units), sizes);
  }
};

class GatherElements final : public Taking {
 public:
  GatherElements(const GpuOpSetup& setup, int64_t axis)
      : Taking("gather_elements", setup), axis_(axis) {}

  Status Run(GpuOpCall& call) const override {
    const TensorShape& indices = call.argument(1).shape;
    TFRT_ASSIGN_OR_RETURN(ElementPlaces places,
                          ElementPlaces::Of(call, call.argument(0).shape, indices, axis_));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    TFRT_ASSIGN_OR_RETURN(const Function* function, kernels_.Find(call, element_bytes_));
    return LaunchParts(call, *function, ThreadsLaunch(indices.num_elements()),
                       std::tuple(out, call.bytes(0), call.bytes(1)), places.sizes, places.steps,
                       std::tuple(places.axis_size, places.axis_step));
  }

 private:
  const int64_t axis_;
};

// Common to the ops that put the updates in argument 2 into a copy of argument 0, by the indices in
// argument 1.
class Putting : public GpuOp {
 public:
  // How updates are combined with elements.
  struct Kernel {
    const Function* function;
    cpu::Reduction reduction;
    CastKernel before, after;  // of truth values, which are reduced as numbers
  };

  template <typename Op, typename... Args>
  static MadeOp Make(GpuOpSetup& setup, std::string_view name, const Args&... args) {
    const DType dtype = setup.dtype(0);
    if (setup.dtype(2) != dtype) return setup.DifferentDTypes(dtype, setup.dtype(2));
    StatusOr<cpu::Reduction> reduction =
        cpu::ReductionOf(setup.attrs().GetString("reduction").value(), dtype);
    if (!reduction.ok()) {
      return InvalidArgumentError(StrCat(setup.op_name(), ": ", reduction.status().message()));
    }
    const std::string kernel = StrCat(name, "_", DTypeName(setup.dtype(1)));
    Kernel made{.reduction = *reduction};
    if (*reduction == cpu::Reduction::kNone) {
      TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, dtype));
      TFRT_ASSIGN_OR_RETURN(made.function, setup.Kernel(StrCat(kernel, "_", width)));
    } else if (dtype == DType::kI1) {
      const bool is_or = *reduction == cpu::Reduction::kAdd || *reduction == cpu::Reduction::kMax;
      made.reduction = is_or ? cpu::Reduction::kMax : cpu::Reduction::kMin;
      TFRT_ASSIGN_OR_RETURN(made.function, setup.TypedKernel(kernel, DType::kI32));
      TFRT_ASSIGN_OR_RETURN(made.before, CastKernel::Make(setup, dtype, DType::kI32));
      TFRT_ASSIGN_OR_RETURN(made.after, CastKernel::Make(setup, DType::kI32, dtype));
    } else {
      TFRT_ASSIGN_OR_RETURN(made.function, setup.TypedKernel(kernel, dtype));
    }
    return std::make_unique<Op>(made, args...);
  }

  Status Run(GpuOpCall& call) const final {
    const int64_t size = call.result(0).shape.num_elements();
    const int64_t num_updates = call.argument(2).shape.num_elements();
    if (num_updates == 0) {
      call.SetView(0, 0);
      return OkStatus();
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (!kernel_.before) {
      TFRT_RETURN_IF_ERROR(call.Copy(out, call.bytes(0)));
      return Put(call, out, call.bytes(2));
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes numbers, kernel_.before.Run(call, call.bytes(0), size));
    TFRT_ASSIGN_OR_RETURN(OpBytes updates, kernel_.before.Run(call, call.bytes(2), num_updates));
    TFRT_RETURN_IF_ERROR(Put(call, numbers, updates));
    return kernel_.after.Run(call, out, numbers, size);
  }

 protected:
  explicit Putting(const Kernel& kernel) : kernel_(kernel) {}

  // Enqueues the updates, of which there are some, into elements of the result's shape.
  virtual Status Put(GpuOpCall& call, const OpBytes& elements, const OpBytes& updates) const = 0;

  const Function& function() const { return *kernel_.function; }
  int32_t reduction() const { return static_cast<int32_t>(kernel_.reduction); }

 private:
  const Kernel kernel_;
};
static_assert(static_cast<int>(cpu::Reduction::kAdd) == 1 &&
              static_cast<int>(cpu::Reduction::kMul) == 2 &&
              static_cast<int>(cpu::Reduction::kMax) == 3 &&
              static_cast<int>(cpu::Reduction::kMin) == 4);  // as scatter.cu numbers them

class ScatterNd final : public Putting {
 public:
  explicit ScatterNd(const Kernel& kernel) : Putting(kernel) {}

 private:
  Status Put(GpuOpCall& call, const OpBytes& elements, const OpBytes& updates) const override {
    const TensorShape &shape = call.argument(0).shape, &indices = call.argument(1).shape;
    const size_t last = indices.rank() - 1;
    const int64_t rows = SizeOfDims(indices, 0, last), depth = indices.dim(last);
    const auto indexed = static_cast<size_t>(depth);
    TFRT_ASSIGN_OR_RETURN(Eight sizes, IndexedDims(call, shape, indexed));
    const int64_t slice = SizeOfDims(shape, indexed, shape.rank());
    return LaunchParts(
        call, function(), ScatterLaunch(rows * slice, shape.num_elements()),
        std::tuple(elements, call.bytes(1), updates, rows, depth, slice, reduction()), sizes);
  }
};

class ScatterElements final : public Putting {
 public:
  ScatterElements(const Kernel& kernel, int64_t axis) : Putting(kernel), axis_(axis) {}

 private:
  Status Put(GpuOpCall& call, const OpBytes& elements, const OpBytes& updates) const override {
    const TensorShape &shape = call.argument(0).shape, &indices = call.argument(1).shape;
    TFRT_ASSIGN_OR_RETURN(ElementPlaces places, ElementPlaces::Of(call, shape, indices, axis_));
    const int64_t size = shape.num_elements();
    return LaunchParts(call, function(), ScatterLaunch(indices.num_elements(), size),
                       std::tuple(elements, call.bytes(1), updates, size, reduction()),
                       places.sizes, places.steps, std::tuple(places.axis_size, places.axis_step));
  }

  const int64_t axis_;
};

// Arguments: indices, depth, the value at the index, the value elsewhere.
class OneHot final : public GpuOp {
 public:
  OneHot(CastKernel indices, const Function* function, int64_t axis)
      : indices_(indices), function_(*function), axis_(axis) {}

  static MadeOp Make(GpuOpSetup& setup) {
    if (setup.dtype(2) != setup.dtype(3)) {
      return setup.DifferentDTypes(setup.dtype(2), setup.dtype(3));
    }
    const bool is_i32 = setup.dtype(0) == DType::kI32;
    CastKernel indices;
    if (!is_i32) {
      TFRT_ASSIGN_OR_RETURN(indices, CastKernel::Make(setup, setup.dtype(0), DType::kI64));
    }
    TFRT_ASSIGN_OR_RETURN(std::string width, WidthOf(setup, setup.dtype(2)));
    TFRT_ASSIGN_OR_RETURN(const Function* function,
                          setup.Kernel(StrCat(is_i32 ? "one_hot_i32_" : "one_hot_i64_", width)));
    return std::make_unique<OneHot>(indices, function, setup.Attr<int64_t>("axis"));
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape& shape = call.argument(0).shape;
    const size_t rank = shape.rank(), at = axis_ == -1 ? rank : static_cast<size_t>(axis_);
    const int64_t outer = SizeOfDims(shape, 0, at), inner = SizeOfDims(shape, at, rank);
    const int64_t depth = call.result(0).shape.dim(at);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    TFRT_ASSIGN_OR_RETURN(OpBytes indices, indices_.Run(call, call.bytes(0), shape.num_elements()));
    return call.Launch(function_, ThreadsLaunch(outer * depth * inner), out, indices, call.bytes(2),
                       call.bytes(3), outer, depth, inner);
  }

 private:
  const CastKernel indices_;
  const Function& function_;
  const int64_t axis_;
};

MadeOp MakeGather(GpuOpSetup& setup) {
  return MakeTaking<Gather>(setup, setup.Attr<int64_t>("batch_dims"));
}
MadeOp MakeGatherNd(GpuOpSetup& setup) { return MakeTaking<GatherNd>(setup); }
MadeOp MakeGatherElements(GpuOpSetup& setup) {
  return MakeTaking<GatherElements>(setup, setup.Attr<int64_t>("axis"));
}
MadeOp MakeScatterNd(GpuOpSetup& setup) { return Putting::Make<ScatterNd>(setup, "scatter_nd"); }
MadeOp MakeScatterElements(GpuOpSetup& setup) {
  return Putting::Make<ScatterElements>(setup, "scatter_elements", setup.Attr<int64_t>("axis"));
}

constexpr GpuOpRow kIndexRows[] = {
    {"gather", MakeGather},
    {"gather_elements", MakeGatherElements},
    {"gather_nd", MakeGatherNd},
    {"one_hot", OneHot::Make},
    {"scatter_elements", MakeScatterElements},
    {"scatter_nd", MakeScatterNd},
};

}  // namespace

std::span<const GpuOpRow> IndexGpuOps() { return kIndexRows; }

}  // namespace tfrt::gpu
