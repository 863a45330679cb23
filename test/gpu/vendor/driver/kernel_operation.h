// KernelOperation: one kernel with its grid and parameters.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_KERNEL_OPERATION_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_KERNEL_OPERATION_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command.h"
#include "module.h"

namespace tfrt::gpu::cuda_double {

struct Driver;

struct LaunchShape {
  CUfunction function = nullptr;
  ptx::Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
};

class KernelOperation final : public Operation {
 public:
  KernelOperation(std::shared_ptr<Kernel> kernel, LaunchShape shape,
                  std::vector<std::byte> parameters)
      : kernel_(std::move(kernel)), shape_(shape), parameters_(std::move(parameters)) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_KERNEL; }
  std::string_view name() const override { return kernel_->entry->name; }
  uint64_t nanoseconds() const override {
    return 1000 + shape_.grid.count() * shape_.block.count() / 16;
  }
  void Begin(Command& command) const override;
  CUresult Execute(Command& command) const override;
  void End(Command& command) const override;

  const Kernel& kernel() const { return *kernel_; }
  const LaunchShape& shape() const { return shape_; }
  // Laid out as the entry says. Not const: the graph API hands out pointers into it.
  const std::vector<std::byte>& parameters() const { return parameters_; }

 private:
  // Memory of the host that a parameter points into.
  std::vector<std::shared_ptr<Allocation>> HostMemory() const;

  const std::shared_ptr<Kernel> kernel_;
  const LaunchShape shape_;
  const std::vector<std::byte> parameters_;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_KERNEL_OPERATION_H_
