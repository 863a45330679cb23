// CopyKernel: copies between layouts. KernelsByWidth: kernels that move elements of any type in
// units of so many bits.
#ifndef TFRT_GPU_OPS_COPY_KERNEL_H_
#define TFRT_GPU_OPS_COPY_KERNEL_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "gpu/device_code/copy_plan.h"
#include "gpu_op.h"
#include "lib/ops/maths/cpu/strided_copy.h"

namespace tfrt::gpu {

// Enqueues a kernel whose arguments are the elements of tuples and arrays, one after the other.
template <typename... Parts>
Status LaunchParts(GpuOpCall& call, const Function& function, DeviceLaunch launch,
                   const Parts&... parts) {
  return std::apply(
      [&](const auto&... arguments) { return call.Launch(function, launch, arguments...); },
      std::tuple_cat(parts...));
}

// The kernels NAME_b8 to NAME_b128. A call needs one of them, by sizes and addresses. Each is
// loaded when the first call needs it. Thread-safe. Part of an op: destroyed before the device.
class KernelsByWidth {
 public:
  explicit KernelsByWidth(std::string name) : name_(std::move(name)) {}

  // Returns the kernel for units of 1, 2, 4, 8 or 16 bytes.
  StatusOr<const Function*> Find(GpuOpCall& call, int64_t unit_bytes) const;

 private:
  static constexpr size_t kNumWidths = 5;

  const std::string name_;
  mutable std::array<std::atomic<const Function*>, kNumWidths> functions_ = {};
  mutable std::mutex mutex_;
  mutable std::vector<RCReference<Module>> modules_;  // of the functions; guarded by mutex_
};

// Copies elements of one size, whatever they are.
class CopyKernel {
 public:
  // For elements of `dtype`. InvalidArgument for others than of 1, 2, 4, 8 and 16 bytes.
  static StatusOr<CopyKernel> Make(GpuOpSetup& setup, DType dtype);

  size_t element_bytes() const { return static_cast<size_t>(element_bytes_); }

  // Enqueues a copy of all places of `dims`, outermost first. The ranges begin at the first place.
  // They share no memory.
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in,
             std::span<const CopyDim> dims) const;
  // The same for a plan of the host's.
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in,
             const cpu::CopyPlan& plan) const;

  // Whether the plan's elements, so many, lie side by side in their order.
  static bool IsInOrder(const cpu::CopyPlan& plan, int64_t num_elements) {
    return plan.columns == num_elements && (plan.column_stride == 1 || num_elements == 1);
  }
  // Sets result 0 to what the plan makes of argument 0 from element `first` on. Elements side by
  // side need no copy: the result is a view. Not for a result without elements.
  Status SetResult(GpuOpCall& call, const cpu::CopyPlan& plan, int64_t first = 0) const;

  // Enqueues a copy of `in` that is broadcast to another shape, and returns its bytes, which are
  // those of this call alone. Returns `in` if the shapes are the same.
  StatusOr<OpBytes> Broadcast(GpuOpCall& call, const OpBytes& in, const TensorShape& from,
                              const TensorShape& to) const;

 private:
  struct Kernels {
    KernelsByWidth four_dims{"copy"};
    KernelsByWidth eight_dims{"copy_eight"};
  };
  explicit CopyKernel(int64_t element_bytes) : element_bytes_(element_bytes) {}

  int64_t element_bytes_;
  std::shared_ptr<const Kernels> kernels_ = std::make_shared<Kernels>();
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_COPY_KERNEL_H_
