// Activations of products and convolutions.
#ifndef TFRT_GPU_OPS_ACTIVATION_H_
#define TFRT_GPU_OPS_ACTIVATION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gpu_op.h"
#include "kernels.h"

namespace tfrt::gpu {

// A function of sums, which the kernel that makes them computes, or one that comes after it.
class Activation {
 public:
  // By the names of the op table, and "relu6", of numbers of the dtype of argument 0. Functions use
  // the parameters that they have.
  static StatusOr<Activation> Make(GpuOpSetup& setup, std::string_view name, float alpha = 1,
                                   float beta = 0);

  // Returns the argument `activation` of kernels of products and convolutions.
  int32_t in_kernel() const { return in_kernel_; }
  MatMulActivation of_sums() const { return static_cast<MatMulActivation>(in_kernel_); }
  // Enqueues what that kernel does not compute, in place.
  Status Run(GpuOpCall& call, const OpBytes& out, int64_t size) const;

 private:
  struct Bounds {
    FillValue least, most;
    size_t element_bytes;
  };

  int32_t in_kernel_ = 0;
  const Function* after_ = nullptr;
  std::optional<std::array<float, 2>> parameters_;
  std::optional<Bounds> bounds_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_ACTIVATION_H_
