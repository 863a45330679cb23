#include "activation.h"

#include "gpu/device_code/launch_blocks.h"

namespace tfrt::gpu {

StatusOr<Activation> Activation::Make(GpuOpSetup& setup, std::string_view name, float alpha,
                                      float beta) {
  Activation made;
  if (name == "none") return made;
  const bool is_relu6 = name == "relu6" || (name == "clip" && alpha == 0 && beta == 6);
  if (name == "relu" || is_relu6) {
    made.in_kernel_ =
        static_cast<int32_t>(is_relu6 ? MatMulActivation::kRelu6 : MatMulActivation::kRelu);
    return made;
  }
  if (name == "clip") {
    TFRT_ASSIGN_OR_RETURN(FillValue least, FillValue::OfNumber(setup, setup.dtype(0), alpha));
    TFRT_ASSIGN_OR_RETURN(FillValue most, FillValue::OfNumber(setup, setup.dtype(0), beta));
    made.bounds_ = {least, most, DTypeSize(setup.dtype(0))};
  }
  if (name == "leaky_relu" || name == "hard_sigmoid" || name == "swish" || name == "elu") {
    made.parameters_ = {alpha, beta};
  }
  TFRT_ASSIGN_OR_RETURN(made.after_, setup.TypedKernel(name, setup.dtype(0)));
  return made;
}

Status Activation::Run(GpuOpCall& call, const OpBytes& out, int64_t size) const {
  if (!after_) return OkStatus();
  if (bounds_) {
    TFRT_ASSIGN_OR_RETURN(OpBytes least, call.Scratch(bounds_->element_bytes));
    TFRT_ASSIGN_OR_RETURN(OpBytes most, call.Scratch(bounds_->element_bytes));
    TFRT_RETURN_IF_ERROR(bounds_->least.Run(call, least, 1));
    TFRT_RETURN_IF_ERROR(bounds_->most.Run(call, most, 1));
    return call.Launch(*after_, ThreadsLaunch(size), out, out, least, most, size);
  }
  const DeviceLaunch launch = ElementwiseLaunch(size);
  if (!parameters_) return call.Launch(*after_, launch, out, out, size);
  return call.Launch(*after_, launch, out, out, size, (*parameters_)[0], (*parameters_)[1]);
}

}  // namespace tfrt::gpu
