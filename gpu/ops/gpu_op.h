// GpuOp: what a row of the op table does on a GPU. One function of this folder makes it for the
// calls of a row that have the same attributes and dtypes. It writes down the commands of a call,
// which are those of all calls at the same sizes (gpu_op_plan.h).
#ifndef TFRT_GPU_OPS_GPU_OP_H_
#define TFRT_GPU_OPS_GPU_OP_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gpu/device_code/launch.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/module.h"
#include "gpu/runtime/point.h"
#include "gpu_op_plan.h"
#include "lib/ops/op_call/op_runner.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/ref_count.h"
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
  // Drivers compile a module when the first of its kernels is needed. Their errors are neither
  // Unimplemented nor NotFound.
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

// One call, whose commands the op writes down. Its arguments and the metadata of its results are
// known; the host's tensors among the arguments can be read. The commands run for this call, and
// for later ones whose arguments have the same metadata and whose host tensors have the same
// elements. So nothing else of the arguments may count. Used by one thread.
class GpuOpCall {
 public:
  // `arguments`: as in OpRun. `metadata`: of the results.
  GpuOpCall(const OpRun& run, const GpuOpArguments& arguments,
            std::span<const TensorMetadata> metadata)
      : device_(static_cast<GpuDevice&>(run.device)),
        op_name_(run.op.name),
        arguments_(arguments.values()),
        metadata_(metadata),
        plan_(MakeRef<GpuOpPlan>(arguments, metadata)) {}
  GpuOpCall(const GpuOpCall&) = delete;
  GpuOpCall& operator=(const GpuOpCall&) = delete;

  std::string_view op_name() const { return op_name_; }
  GpuDevice& device() const { return device_; }

  size_t num_arguments() const { return arguments_.size(); }
  bool has(size_t index) const { return index < arguments_.size() && arguments_[index]; }
  const TensorMetadata& argument(size_t index) const {
    return arguments_[index]->get<Tensor>().metadata();
  }
  // Returns the bytes of an argument that is no host value.
  OpBytes bytes(size_t index) const;
  // Returns an argument that the op reads on the host.
  const DenseHostTensor& host_value(size_t index) const {
    assert(arguments_[index]->get<Tensor>().tensor_type() == kDenseHostTensorType);
    return static_cast<const DenseHostTensor&>(arguments_[index]->get<Tensor>());
  }

  size_t num_results() const { return metadata_.size(); }
  const TensorMetadata& result(size_t index) const { return metadata_[index]; }

  // Returns memory for the elements of a result. Fails with ResourceExhausted if no memory has so
  // many bytes.
  StatusOr<OpBytes> Allocate(size_t result);
  // Makes a result of an argument's bytes, all or those from `offset_bytes` on. No command.
  void SetView(size_t result, size_t argument, size_t offset_bytes = 0);
  // Makes a result of memory that is written by a command of the compute stream, already enqueued.
  // All calls get the same.
  void SetShared(size_t result, RCReference<Memory> memory, Point written);
  // Returns memory for the commands of the call alone.
  StatusOr<OpBytes> Scratch(size_t size_bytes);
  // Returns the bytes of memory that calls read and never write.
  OpBytes Keep(RCReference<Memory> memory);

  // Adds a kernel. Arguments are OpBytes and numbers, of the types that the kernel has. Adds
  // nothing if the launch has no blocks. Fails like Function::Check.
  template <typename... Args>
  Status Launch(const Function& function, DeviceLaunch launch, const Args&... args) {
    static_assert(sizeof...(Args) <= GpuOpPlan::kMaxParameters);
    if (launch.blocks == 0) return OkStatus();
    const GpuOpPlan::Parameter parameters[] = {ParameterOf(args)...};
    return AddLaunch(function, launch, parameters);
  }
  // Adds a copy within the device, or from memory that is kept.
  Status Copy(const OpBytes& to, const OpBytes& from);
  // Adds a command of a vendor's library, on these bytes.
  void CallLibrary(std::unique_ptr<const LibraryCommand> command, std::vector<OpBytes> bytes);
  // Adds zeros.
  Status Clear(const OpBytes& bytes) { return Fill(bytes, 0); }
  // Adds the four bytes of `pattern`, repeatedly.
  Status Fill(const OpBytes& bytes, uint32_t pattern);

  // --- For the runner. ---

  // Returns what has been written down. The call must not be used afterwards.
  RCReference<const GpuOpPlan> TakePlan();
  // Returns the metadata of the result for which there is no memory; null if that was not why the
  // call failed.
  const TensorMetadata* refused() const { return refused_; }

 private:
  static GpuOpPlan::Parameter ParameterOf(const OpBytes& bytes) {
    return {.value = static_cast<uint64_t>(bytes.offset_bytes), .place = bytes.place};
  }
  template <typename T>
  static GpuOpPlan::Parameter ParameterOf(const T& number) {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= sizeof(uint64_t));
    GpuOpPlan::Parameter parameter{.size_bytes = sizeof(T)};
    std::memcpy(&parameter.value, &number, sizeof(T));
    return parameter;
  }
  Status AddLaunch(const Function& function, DeviceLaunch launch,
                   std::span<const GpuOpPlan::Parameter> parameters);
  OpBytes AddExtra(GpuOpPlan::Extra extra);

  GpuDevice& device_;
  const std::string_view op_name_;
  const std::span<AsyncValue* const> arguments_;
  const std::span<const TensorMetadata> metadata_;
  RCReference<GpuOpPlan> plan_;
  const TensorMetadata* refused_ = nullptr;
};

// An op that is ready to run. Results do not depend on earlier calls; thread-safe.
class GpuOp {
 public:
  virtual ~GpuOp() = default;
  // Writes down the commands, and sets all results of the call. Errors name the op.
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
