// Ops that move elements without a look at them. The plans are the host's.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "copy_kernel.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/maths/cpu/strided_copy.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/maths/tensor/slice.h"
#include "lib/runtime/tensor/dense_integers.h"

namespace tfrt::gpu {
namespace {

// Elements of argument 0. The plan, a function of the call, says which and where; it may set the
// first of them. It is called for results that have elements.
template <typename Plan>
class Moved final : public GpuOp {
 public:
  Moved(CopyKernel copy, Plan plan) : copy_(std::move(copy)), plan_(plan) {}

  static MadeOp Make(GpuOpSetup& setup, Plan plan) {
    TFRT_ASSIGN_OR_RETURN(CopyKernel copy, CopyKernel::Make(setup, setup.dtype(0)));
    return std::make_unique<Moved>(std::move(copy), plan);
  }

  Status Run(GpuOpCall& call) const override {
    if (call.result(0).shape.num_elements() == 0) return call.Allocate(0).status();
    int64_t first = 0;
    const StatusOr<cpu::CopyPlan> plan = plan_(call, &first);
    if (!plan.ok()) return plan.status();
    return copy_.SetResult(call, *plan, first);
  }

 private:
  const CopyKernel copy_;
  const Plan plan_;
};
template <typename Plan>
MadeOp MakeMoved(GpuOpSetup& setup, Plan plan) {
  return Moved<Plan>::Make(setup, plan);
}

MadeOp MakeBroadcastTo(GpuOpSetup& setup) {
  return MakeMoved(setup, [](const GpuOpCall& call, int64_t*) -> StatusOr<cpu::CopyPlan> {
    return cpu::BroadcastToPlan(call.argument(0).shape, call.result(0).shape);
  });
}

MadeOp MakeTile(GpuOpSetup& setup) {
  return MakeMoved(setup, [](const GpuOpCall& call, int64_t*) -> StatusOr<cpu::CopyPlan> {
    return cpu::TilePlan(call.argument(0).shape, ReadIntegers(call.host_value(1)));
  });
}

MadeOp MakeSlice(GpuOpSetup& setup) {
  return MakeMoved(setup, [](const GpuOpCall& call, int64_t* first) -> StatusOr<cpu::CopyPlan> {
    TFRT_ASSIGN_OR_RETURN(cpu::Box box,
                          cpu::BoxOf(call.argument(0).shape, ReadIntegers(call.host_value(1)),
                                     ReadIntegers(call.host_value(2))));
    return cpu::BoxPlan(box, first);
  });
}

MadeOp MakeStridedSlice(GpuOpSetup& setup) {
  auto mask = [&](std::string_view name) { return setup.Attr<int64_t>(name); };
  const cpu::SliceMasks masks{mask("begin_mask"), mask("end_mask"), mask("ellipsis_mask"),
                              mask("new_axis_mask"), mask("shrink_axis_mask")};
  return MakeMoved(setup,
                   [masks](const GpuOpCall& call, int64_t* first) -> StatusOr<cpu::CopyPlan> {
                     TFRT_ASSIGN_OR_RETURN(
                         cpu::Box box,
                         cpu::StridedBoxOf(call.argument(0).shape, ReadIntegers(call.host_value(1)),
                                           ReadIntegers(call.host_value(2)),
                                           ReadIntegers(call.host_value(3)), masks));
                     return cpu::BoxPlan(box, first);
                   });
}

// The images (n), channels (c), a block's rows (p) and columns (q), rows (r) and columns (s) of
// blocks. Layouts list them, the outermost first.
struct BlockLayout {
  static constexpr std::string_view kParts = "ncpqrs";
  std::string_view deep;  // with more channels
  std::string_view wide;  // with more places
};
BlockLayout LayoutOf(bool channels_last, bool columns_first) {
  if (channels_last) return {columns_first ? "nrscpq" : "nrspqc", "nrpsqc"};
  return {columns_first ? "ncpqrs" : "npqcrs", "ncrpsq"};
}

template <bool to_space>
MadeOp MakeMoveDepth(GpuOpSetup& setup) {
  const auto block = setup.Attr<int64_t>("block");
  const auto last = setup.Attr<bool>("channels_last");
  const BlockLayout layout = LayoutOf(last, setup.Attr<bool>("columns_first"));
  return MakeMoved(setup, [=](const GpuOpCall& call, int64_t*) -> StatusOr<cpu::CopyPlan> {
    const TensorShape& space = to_space ? call.result(0).shape : call.argument(0).shape;
    const int64_t sizes[] = {
        space.dim(0), space.dim(last ? 3 : 1),         block,
        block,        space.dim(last ? 1 : 2) / block, space.dim(last ? 2 : 3) / block};
    auto size_of = [&](char part) { return sizes[BlockLayout::kParts.find(part)]; };
    auto stride_in = [&](std::string_view parts, char part) {
      int64_t stride = 1;
      for (size_t i = parts.size() - 1; parts[i] != part; --i) stride *= size_of(parts[i]);
      return stride;
    };
    const std::string_view from = to_space ? layout.deep : layout.wide;
    const std::string_view to = to_space ? layout.wide : layout.deep;
    cpu::CopyDims dims;
    for (char part : to) {
      dims.push_back({size_of(part), {stride_in(from, part), stride_in(to, part)}});
    }
    return cpu::CopyPlan(dims);
  });
}

class Transpose final : public GpuOp {
 public:
  Transpose(PermuteKernel permute, CopyKernel copy)
      : permute_(std::move(permute)), copy_(std::move(copy)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(PermuteKernel permute, PermuteKernel::Make(setup, setup.dtype(0)));
    TFRT_ASSIGN_OR_RETURN(CopyKernel copy, CopyKernel::Make(setup, setup.dtype(0)));
    return std::make_unique<Transpose>(std::move(permute), std::move(copy));
  }

  Status Run(GpuOpCall& call) const override {
    const Integers permutation = ReadIntegers(call.host_value(1));
    const TensorShape& shape = call.argument(0).shape;
    // The rule has looked at them, but the memory may be a program's, which writes there meanwhile.
    TFRT_RETURN_IF_ERROR(CheckPermutation(permutation, shape.rank()));
    if (shape.num_elements() == 0) return call.Allocate(0).status();
    const cpu::CopyPlan plan = cpu::TransposePlan(shape, permutation);
    if (CopyKernel::IsInOrder(plan, shape.num_elements())) return copy_.SetResult(call, plan);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    const ShapeDims dims = shape.dims();
    return permute_.Run(call, out, call.bytes(0), dims, permutation);
  }

 private:
  const PermuteKernel permute_;
  const CopyKernel copy_;
};

// Arguments: the tensors, then the axis.
class Concat final : public GpuOp {
 public:
  explicit Concat(CopyKernel copy) : copy_(std::move(copy)) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(CopyKernel copy, CopyKernel::Make(setup, setup.dtype(0)));
    return std::make_unique<Concat>(std::move(copy));
  }

  Status Run(GpuOpCall& call) const override {
    const size_t count = call.num_arguments() - 1;
    TFRT_ASSIGN_OR_RETURN(int64_t axis,
                          ReadInteger(call.op_name(), "axis", call.host_value(count)));
    const TensorShape& shape = call.result(0).shape;
    TFRT_ASSIGN_OR_RETURN(size_t along, NormalizeAxis(axis, shape));
    const int64_t outer = SizeOfDims(shape, 0, along);
    const int64_t row = SizeOfDims(shape, along, shape.rank());
    for (size_t i = 0; i < count; ++i) {
      if (shape.num_elements() == 0 || call.argument(i).shape != shape) continue;
      call.SetView(0, i);  // the others are empty
      return OkStatus();
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    for (size_t i = 0; i < count && out.size_bytes > 0; ++i) {
      const TensorShape& part = call.argument(i).shape;
      const int64_t part_row = SizeOfDims(part, along, part.rank());
      const CopyDim dims[] = {{outer, part_row, row}, {part_row, 1, 1}};
      TFRT_RETURN_IF_ERROR(copy_.Run(call, out, call.bytes(i), dims));
      out = Shifted(out, part_row * static_cast<int64_t>(copy_.element_bytes()));
    }
    return OkStatus();
  }

 private:
  const CopyKernel copy_;
};

// Arguments: the list, the index of a row, and the row. Between the list's end and a row after it
// are zeros.
class ListWrite final : public GpuOp {
 public:
  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(int64_t at, ReadInteger(call.op_name(), "index", call.host_value(1)));
    const OpBytes list = call.bytes(0), value = call.bytes(2);
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (value.size_bytes == 0) return OkStatus();
    auto part = [&](size_t begin, size_t end) {
      OpBytes range = Shifted(out, static_cast<int64_t>(begin));
      range.size_bytes = end - begin;
      return range;
    };
    const size_t begin = static_cast<size_t>(at) * value.size_bytes;
    const size_t end = begin + value.size_bytes;
    // All of it: other places need not be at the multiples of 4 that drivers want.
    if (begin > list.size_bytes) TFRT_RETURN_IF_ERROR(call.Clear(out));
    TFRT_RETURN_IF_ERROR(call.Copy(part(0, list.size_bytes), list));
    return call.Copy(part(begin, end), value);
  }

  static MadeOp Make(GpuOpSetup& setup) {
    if (setup.dtype(0) != setup.dtype(2)) {
      return setup.DifferentDTypes(setup.dtype(0), setup.dtype(2));
    }
    return std::make_unique<ListWrite>();
  }
};

constexpr GpuOpRow kMovementRows[] = {
    {"broadcast_to", MakeBroadcastTo},
    {"concat", Concat::Make},
    {"depth_to_space", MakeMoveDepth<true>},
    {"list_write", ListWrite::Make},
    {"slice", MakeSlice},
    {"space_to_depth", MakeMoveDepth<false>},
    {"strided_slice", MakeStridedSlice},
    {"tile", MakeTile},
    {"transpose", Transpose::Make},
};

}  // namespace

std::span<const GpuOpRow> MovementGpuOps() { return kMovementRows; }

}  // namespace tfrt::gpu
