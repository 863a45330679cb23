// Ops whose results are the bytes of their argument.

#include "gpu_ops.h"
#include "kernels.h"

namespace tfrt::gpu {
namespace {

MadeOp MakeBitCast(GpuOpSetup& setup) {
  const DType to = setup.attrs().GetType("dtype").value();
  if (to == DType::kI1 && setup.dtype(0) != DType::kI1) {
    return InvalidArgumentError(StrCat(setup.op_name(), ": bytes of ", DTypeName(setup.dtype(0)),
                                       " are not always those of i1"));
  }
  return MakeView(setup);
}

constexpr GpuOpRow kShapeRows[] = {
    {"bit_cast", MakeBitCast}, {"ensure_shape", MakeView}, {"expand_dims", MakeView},
    {"identity", MakeView},    {"reshape", MakeView},      {"squeeze", MakeView},
};

}  // namespace

std::span<const GpuOpRow> ShapeGpuOps() { return kShapeRows; }

}  // namespace tfrt::gpu
