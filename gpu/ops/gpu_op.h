// GpuOp: what a row of the op table does on a GPU. One function of this folder makes it for the
// calls of a row that have the same attributes and dtypes. Each call then allocates its results and
// enqueues commands.
#ifndef TFRT_GPU_OPS_GPU_OP_H_
#define TFRT_GPU_OPS_GPU_OP_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device_code/launch.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/launch.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/module.h"
#include "gpu/runtime/point.h"
#include "gpu/tensor/dense_gpu_tensor.h"
#include "lib/ops/op_call/op_runner.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/status.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dtype.h"

namespace tfrt::gpu {

// Holds what is known of all calls that have the same attributes and dtypes. A view, except for the
// modules that it collects.
class GpuOpSetup {
 public:
  // `attrs`: those of the row, by canonical names and complete. `dtypes`: of the arguments
  // (kUnsupported: left out).
  GpuOpSetup(std::string_view op_name, Context& context, const OpAttrsRef& attrs,
             std::span<const DType> dtypes)
      : op_name_(op_name), context_(context), attrs_(attrs), dtypes_(dtypes) {}

  std::string_view op_name() const { return op_name_; }
  Context& context() const { return context_; }
  size_t num_arguments() const { return dtypes_.size(); }
  bool has(size_t argument) const {
    return argument < dtypes_.size() && dtypes_[argument] != DType::kUnsupported;
  }
  DType dtype(size_t argument) const {
    return argument < dtypes_.size() ? dtypes_[argument] : DType::kUnsupported;
  }

  // Returns an attribute of the row, of the type that the op table says.
  template <typename T>
  T Attr(std::string_view name) const {
    std::optional<T> value = attrs_.Get<T>(name);
    assert(value && "the row has no such attribute of this type");
    return *value;
  }
  const OpAttrsRef& attrs() const { return attrs_; }

  // Returns the kernel of the device code with this name, and keeps its module for the calls.
  // Drivers compile a module when the first of its kernels is needed.
  StatusOr<const Function*> Kernel(std::string_view name);
  // Returns the kernel NAME_DTYPE, or NAME_DTYPE_SUFFIX. Unimplemented "OP: unsupported dtype DTYPE
  // on gpu:0" if there is none for numbers of this type: placement then finds another device.
  StatusOr<const Function*> TypedKernel(std::string_view name, DType dtype,
                                        std::string_view suffix = {});
  // Returns that error.
  [[gnu::cold]] Status UnsupportedDType(DType dtype) const;
  // InvalidArgument "OP: dtypes A and B on gpu:0".
  [[gnu::cold]] Status DifferentDTypes(DType a, DType b) const;

  std::vector<RCReference<Module>> TakeModules() { return std::move(modules_); }

 private:
  const std::string_view op_name_;
  Context& context_;
  const OpAttrsRef& attrs_;
  const std::span<const DType> dtypes_;
  std::vector<RCReference<Module>> modules_;
};

// One call. Its arguments and the metadata of its results are known; the host's tensors among the
// arguments can be read. Used by one thread; ends when the op's commands are enqueued.
class GpuOpCall {
 public:
  // `arguments`: as in OpRun. `metadata`: of the results.
  GpuOpCall(const OpRun& run, std::span<AsyncValue* const> arguments,
            std::span<const TensorMetadata> metadata)
      : device_(static_cast<GpuDevice&>(run.device)),
        run_(run),
        arguments_(arguments),
        metadata_(metadata) {}
  GpuOpCall(const GpuOpCall&) = delete;
  GpuOpCall& operator=(const GpuOpCall&) = delete;

  std::string_view op_name() const { return run_.op.name; }
  GpuDevice& device() const { return device_; }

  size_t num_arguments() const { return arguments_.size(); }
  bool has(size_t index) const { return index < arguments_.size() && arguments_[index]; }
  const TensorMetadata& argument(size_t index) const {
    return arguments_[index]->get<Tensor>().metadata();
  }
  // Returns an argument that is no host value.
  const DenseGpuTensor& tensor(size_t index) const {
    assert(arguments_[index]->get<Tensor>().tensor_type() == kDenseGpuTensorType);
    return static_cast<const DenseGpuTensor&>(arguments_[index]->get<Tensor>());
  }
  MemoryRange bytes(size_t index) const { return tensor(index).range(); }
  // Returns an argument that the op reads on the host.
  const DenseHostTensor& host_value(size_t index) const {
    assert(arguments_[index]->get<Tensor>().tensor_type() == kDenseHostTensorType);
    return static_cast<const DenseHostTensor&>(arguments_[index]->get<Tensor>());
  }

  size_t num_results() const { return metadata_.size(); }
  const TensorMetadata& result(size_t index) const { return metadata_[index]; }

  // Allocates the elements of a result for the commands that follow. Fails with ResourceExhausted.
  StatusOr<MemoryRange> Allocate(size_t result);
  // Makes a result of an argument's bytes, all or those from `offset_bytes` on. No command.
  void SetView(size_t result, const DenseGpuTensor& of, size_t offset_bytes = 0);
  // Allocates memory for the commands of this call alone.
  StatusOr<MemoryRange> Scratch(size_t size_bytes);

  // Enqueues a kernel in the compute stream. Arguments are MemoryRange and numbers, of the types
  // that the kernel has. Nothing happens if the launch has no blocks.
  template <typename... Args>
  Status Launch(const Function& function, DeviceLaunch launch, const Args&... args) {
    if (launch.blocks == 0) return OkStatus();
    const LaunchArgument arguments[] = {ArgumentOf(args)...};
    return LaunchKernel(function, launch, arguments);
  }
  // Enqueues a copy within the device.
  Status Copy(const MemoryRange& to, const MemoryRange& from);
  // Enqueues zeros.
  Status Clear(const MemoryRange& range) { return Fill(range, 0); }
  // Enqueues the four bytes of `pattern`, repeatedly.
  Status Fill(const MemoryRange& range, uint32_t pattern);
  // Returns the point of the call's last command so far; empty if there is none.
  Point last_command() const { return last_command_; }

  // --- For the runner. ---

  // Makes the compute stream wait for what other streams have enqueued to write the arguments.
  Status OrderArguments();
  // Sets run.results to tensors that are written when the last command has run.
  void SetResults();
  // Returns the metadata of the result for which there was no memory; null if that was not why the
  // call failed.
  const TensorMetadata* refused() const { return refused_; }

 private:
  static LaunchArgument ArgumentOf(const MemoryRange& range) {
    return LaunchArgument::OfAddress(range);
  }
  template <typename T>
  static LaunchArgument ArgumentOf(const T& number) {
    return LaunchArgument::Of(number);
  }
  Status LaunchKernel(const Function& function, DeviceLaunch launch,
                      std::span<const LaunchArgument> arguments);

  struct Result {
    RCReference<Memory> memory;
    MemoryRange range;
    Point written;  // empty: by the call's last command
    bool is_set = false;
  };
  static constexpr size_t kFewResults = 2;

  GpuDevice& device_;
  const OpRun& run_;
  const std::span<AsyncValue* const> arguments_;
  const std::span<const TensorMetadata> metadata_;
  SmallArray<Result, kFewResults> results_{metadata_.size()};
  std::vector<RCReference<Memory>> scratch_;
  Point last_command_;
  const TensorMetadata* refused_ = nullptr;
};

// An op that is ready to run. Results do not depend on earlier calls; thread-safe.
class GpuOp {
 public:
  virtual ~GpuOp() = default;
  // Sets all results of the call. Errors name the op.
  virtual Status Run(GpuOpCall& call) const = 0;
};

using MadeOp = StatusOr<std::unique_ptr<const GpuOp>>;
// Makes the op. Unimplemented for dtypes without a kernel; errors of the driver.
using GpuOpMaker = MadeOp (*)(GpuOpSetup& setup);

// A row of the op table that GPUs have.
struct GpuOpRow {
  std::string_view row;
  GpuOpMaker make;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_GPU_OP_H_
