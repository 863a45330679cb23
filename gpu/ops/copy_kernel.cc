#include "copy_kernel.h"

#include <bit>
#include <cassert>
#include <optional>

#include "gpu/device_code/device_code.h"
#include "gpu/device_code/launch_blocks.h"
#include "gpu/runtime/context.h"
#include "lib/base/support/inline_vector.h"

namespace tfrt::gpu {
namespace {

// The last four of eight numbers.
std::array<int64_t, 4> LastFour(const std::array<int64_t, 8>& numbers) {
  return {numbers[4], numbers[5], numbers[6], numbers[7]};
}

}  // namespace

StatusOr<const Function*> KernelsByWidth::Find(GpuOpCall& call, int64_t unit_bytes) const {
  const auto width = static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(unit_bytes)));
  assert(width < kNumWidths);
  // acquire: comes after what the thread that loaded it wrote there.
  if (const Function* function = functions_[width].load(std::memory_order_acquire)) [[likely]]
    return function;
  const std::string name = StrCat(name_, "_b", 8 * unit_bytes);
  TFRT_ASSIGN_OR_RETURN(DeviceKernel kernel, FindDeviceKernel(name));
  TFRT_ASSIGN_OR_RETURN(RCReference<Module> module,
                        call.device().context().LoadModule(kernel.module->ptx));
  TFRT_ASSIGN_OR_RETURN(const Function* function, module->GetFunction(name));
  std::lock_guard lock(mutex_);
  modules_.push_back(std::move(module));
  // release: see above. Another thread may have set the same function.
  functions_[width].store(function, std::memory_order_release);
  return function;
}

StatusOr<CopyKernel> CopyKernel::Make(GpuOpSetup& setup, DType dtype) {
  const size_t bytes = DTypeSize(dtype);
  if (!std::has_single_bit(bytes) || bytes > 16) return setup.UnsupportedDType(dtype);
  return CopyKernel(static_cast<int64_t>(bytes));
}

Status CopyKernel::Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in,
                       std::span<const CopyDim> dims) const {
  const std::optional<CopyPlan> plan =
      PlanCopy(dims, element_bytes_, out.low_bits() | in.low_bits());
  if (!plan) {
    // More dimensions than the kernel has: the outermost is one copy after the other.
    const CopyDim& dim = dims[0];
    for (int64_t i = 0; i < dim.size; ++i) {
      TFRT_RETURN_IF_ERROR(Run(call, Shifted(out, i * dim.out_step * element_bytes_),
                               Shifted(in, i * dim.in_step * element_bytes_), dims.subspan(1)));
    }
    return OkStatus();
  }
  const KernelsByWidth& kernels = plan->has_four_dims ? kernels_->four_dims : kernels_->eight_dims;
  const DeviceLaunch launch = ThreadsLaunch(plan->num_units());
  if (launch.blocks == 0) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(const Function* function, kernels.Find(call, plan->unit_bytes));
  const std::tuple buffers(out, in);
  if (!plan->has_four_dims) {
    return LaunchParts(call, *function, launch, buffers, plan->sizes, plan->in_steps,
                       plan->out_steps);
  }
  return LaunchParts(call, *function, launch, buffers, LastFour(plan->sizes),
                     LastFour(plan->in_steps), LastFour(plan->out_steps));
}

Status CopyKernel::Run(GpuOpCall& call, const OpBytes& out, const OpBytes& in,
                       const cpu::CopyPlan& plan) const {
  InlineVector<CopyDim, 8> dims;
  for (const auto& dim : plan.outer.dims) {
    dims.push_back({dim.size, dim.strides[0], dim.strides[1]});
  }
  dims.push_back({plan.rows, plan.in_row_stride, plan.row_stride});
  dims.push_back({plan.columns, plan.column_stride, 1});
  return Run(call, out, in, dims);
}

Status CopyKernel::SetResult(GpuOpCall& call, const cpu::CopyPlan& plan, int64_t first) const {
  const int64_t offset_bytes = first * element_bytes_;
  if (IsInOrder(plan, call.result(0).shape.num_elements())) {
    call.SetView(0, 0, static_cast<size_t>(offset_bytes));
    return OkStatus();
  }
  TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
  return Run(call, out, Shifted(call.bytes(0), offset_bytes), plan);
}

StatusOr<OpBytes> CopyKernel::Broadcast(GpuOpCall& call, const OpBytes& in, const TensorShape& from,
                                        const TensorShape& to) const {
  if (from == to || to.num_elements() == 0) return in;
  TFRT_ASSIGN_OR_RETURN(OpBytes out,
                        call.Scratch(static_cast<size_t>(to.num_elements()) * element_bytes()));
  TFRT_RETURN_IF_ERROR(Run(call, out, in, cpu::BroadcastToPlan(from, to)));
  return out;
}

}  // namespace tfrt::gpu
