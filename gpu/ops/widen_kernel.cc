#include "widen_kernel.h"

#include <algorithm>

namespace tfrt::gpu {

StatusOr<WidenKernel> WidenKernel::Make(GpuOpSetup& setup, size_t factor, size_t zeros) {
  const DType dtype = setup.dtype(factor);
  if (setup.has(zeros) && setup.dtype(zeros) != dtype) {
    return setup.DifferentDTypes(dtype, setup.dtype(zeros));
  }
  TFRT_ASSIGN_OR_RETURN(const Function* widen, setup.TypedKernel("widen", dtype));
  return WidenKernel(widen, factor, zeros);
}

StatusOr<OpBytes> WidenKernel::Run(GpuOpCall& call, std::string_view name, int64_t count,
                                   int64_t every) const {
  OpBytes zeros;
  int64_t given = 1;
  if (call.has(zeros_)) {
    const TensorShape& shape = call.argument(zeros_).shape;
    given = shape.num_elements();
    if (given != 1 && given != count) {
      return InvalidArgumentError(StrCat(call.op_name(), ": the zero points of ", name,
                                         " have the shape ", shape.ToString(), ", expected one or ",
                                         count));
    }
    zeros = call.bytes(zeros_);
  }
  const int64_t size = call.argument(factor_).shape.num_elements();
  TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Scratch(static_cast<size_t>(size) * sizeof(int32_t)));
  TFRT_RETURN_IF_ERROR(call.Launch(*widen_, ElementwiseLaunch(size), out, call.bytes(factor_),
                                   zeros, size, std::max<int64_t>(every, 1), given));
  return out;
}

}  // namespace tfrt::gpu
