// Ops that sample images at places between their elements.

#include <type_traits>
#include <utility>
#include <vector>

#include "copied_result.h"
#include "index_checks.h"
#include "lib/ops/maths/cpu/sampling.h"
#include "op_groups.h"
#include "sampling_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status OnlyFloats(const OpCall& call, const DenseHostTensor& in) {
  return InvalidArgumentError(StrCat(call.op_name(),
                                     " takes tensors of f32 and f64, but there is one of ",
                                     DTypeName(in.dtype())));
}

// Calls fn(std::type_identity<T>()) for float and double.
template <typename F>
Status WithFloats(const OpCall& call, const DenseHostTensor& in, F&& fn) {
  if (in.dtype() == DType::kF32) return fn(std::type_identity<float>());
  if (in.dtype() == DType::kF64) return fn(std::type_identity<double>());
  return OnlyFloats(call, in);
}

Status GridSample(const DenseHostTensor& in, const DenseHostTensor& grid,
                  const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  const TensorShape& shape = in.shape();
  TFRT_ASSIGN_OR_RETURN(cpu::GridSampleOptions options,
                        GridSampleOptionsOf(call.op_name(), shape, grid.shape(), attrs));
  return WithFloats(call, in, [&]<typename T>(std::type_identity<T>) -> Status {
    if (result.shape.num_elements() == 0) return SetEmpty(call, result);
    if (in.num_elements() == 0) {
      return InvalidArgumentError(
          StrCat(call.op_name(), ": there is nothing to sample in the shape ", shape.ToString()));
    }
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    T* to = WritableData<T>(out);
    const auto points = static_cast<size_t>(shape.dim(0) * options.points);
    const size_t cost = 64 + 8 * static_cast<size_t>(options.channels);
    ComputeResult(call, points, cost, {&in, &grid}, std::move(out),
                  [options = std::move(options), from = static_cast<const T*>(in.data()),
                   places = static_cast<const T*>(grid.data()), to](size_t begin, size_t end) {
                    cpu::GridSample(options, from, places, to, begin, end);
                  });
    return OkStatus();
  });
}

Status RoiAlign(const DenseHostTensor& in, const DenseHostTensor& regions,
                const DenseHostTensor& images, const TensorMetadata& result,
                const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(const cpu::RoiAlignOptions options,
                        RoiAlignOptionsOf(call.op_name(), in.shape(), attrs));
  return WithIndices(images, [&]<typename Index>(const Index* image_of) -> Status {
    const int64_t count = images.num_elements();
    if (int64_t bad = cpu::FirstOutside(image_of, count, 0, options.images); bad < count) {
      return InvalidArgumentError(StrCat(call.op_name(), ": region ", bad, " is of image ",
                                         int64_t{image_of[bad]}, ", but there are ",
                                         options.images));
    }
    return WithFloats(call, in, [&]<typename T>(std::type_identity<T>) -> Status {
      if (result.shape.num_elements() == 0) return SetEmpty(call, result);
      if (in.num_elements() == 0) {
        return InvalidArgumentError(StrCat(call.op_name(),
                                           ": there is nothing to sample in the "
                                           "shape ",
                                           in.shape().ToString()));
      }
      const T* region = static_cast<const T*>(regions.data());
      // A copy: what is checked stays as it is.
      std::vector<T> places(region, region + 4 * count);
      std::vector<int64_t> which(image_of, image_of + count);
      for (int64_t i = 0; i < count; ++i) {
        if (cpu::IsRoi(options, places.data() + 4 * i) && which[static_cast<size_t>(i)] >= 0 &&
            which[static_cast<size_t>(i)] < options.images) {
          continue;
        }
        return InvalidArgumentError(StrCat(call.op_name(), ": region ", i, " is too large"));
      }
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
      T* to = WritableData<T>(out);
      const auto image_size = options.channels * options.height * options.width;
      const int64_t out_size = options.channels * options.rows * options.columns;
      ComputeResult(
          call, static_cast<size_t>(count), 64 * static_cast<size_t>(out_size), {&in},
          std::move(out),
          [options, image_size, out_size, places = std::move(places), which = std::move(which),
           from = static_cast<const T*>(in.data()), to](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
              cpu::RoiAlign(options, from + which[i] * image_size, places.data() + 4 * i,
                            to + static_cast<int64_t>(i) * out_size);
            }
          });
      return OkStatus();
    });
  });
}

}  // namespace

void RegisterSamplingOps(OpRegistry* registry) {
  registry->Implement("graph.grid_sample", {.function = TFRT_OP(GridSample)});
  registry->Implement("graph.roi_align", {.function = TFRT_OP(RoiAlign)});
}

}  // namespace tfrt
