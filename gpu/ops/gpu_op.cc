#include "gpu_op.h"

#include <utility>

#include "gpu/device_code/device_code.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/stream.h"

namespace tfrt::gpu {

StatusOr<const Function*> GpuOpSetup::Kernel(std::string_view name) {
  TFRT_ASSIGN_OR_RETURN(DeviceKernel kernel, FindDeviceKernel(name));
  TFRT_ASSIGN_OR_RETURN(RCReference<Module> module, context_.LoadModule(kernel.module->ptx));
  TFRT_ASSIGN_OR_RETURN(const Function* function, module->GetFunction(name));
  modules_.push_back(std::move(module));
  return function;
}

StatusOr<const Function*> GpuOpSetup::TypedKernel(std::string_view name, DType dtype,
                                                  std::string_view suffix) {
  StatusOr<const Function*> function =
      Kernel(StrCat(name, "_", DTypeName(dtype), suffix.empty() ? "" : "_", suffix));
  if (!function.ok() && function.status().code() == StatusCode::kNotFound &&
      !DeviceModules().empty()) {
    return UnsupportedDType(dtype);
  }
  return function;
}

Status GpuOpSetup::UnsupportedDType(DType dtype) const {
  return UnimplementedError(
      StrCat(op_name_, ": unsupported dtype ", DTypeName(dtype), " on ", context_.name()));
}

Status GpuOpSetup::DifferentDTypes(DType a, DType b) const {
  return InvalidArgumentError(
      StrCat(op_name_, ": dtypes ", DTypeName(a), " and ", DTypeName(b), " on ", context_.name()));
}

StatusOr<MemoryRange> GpuOpCall::Allocate(size_t result) {
  const TensorMetadata& metadata = metadata_[result];
  Result& made = results_[result];
  assert(!made.is_set);
  StatusOr<size_t> size_bytes = DenseHostTensor::SizeBytes(metadata);
  if (!size_bytes.ok()) [[unlikely]] {
    refused_ = &metadata;
    return size_bytes.status();
  }
  made.is_set = true;
  if (*size_bytes == 0) return MemoryRange();
  StatusOr<RCReference<Memory>> memory = device_.Allocate(device_.compute(), *size_bytes);
  if (!memory.ok()) [[unlikely]] {
    refused_ = &metadata;
    return memory.status();
  }
  made.memory = *std::move(memory);
  made.range = made.memory->bytes();
  return made.range;
}

void GpuOpCall::SetView(size_t result, const DenseGpuTensor& of, size_t offset_bytes) {
  Result& made = results_[result];
  assert(!made.is_set);
  made.is_set = true;
  if (metadata_[result].shape.num_elements() == 0) return;
  const size_t size_bytes = *DenseHostTensor::SizeBytes(metadata_[result]);
  made.memory = of.range().MemoryRef();
  made.range = {made.memory.get(), of.range().address + offset_bytes, size_bytes};
  made.written = of.written();
}

StatusOr<MemoryRange> GpuOpCall::Scratch(size_t size_bytes) {
  if (size_bytes == 0) return MemoryRange();
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory,
                        device_.Allocate(device_.compute(), size_bytes));
  scratch_.push_back(std::move(memory));
  return scratch_.back()->bytes();
}

Status GpuOpCall::LaunchKernel(const Function& function, DeviceLaunch launch,
                               std::span<const LaunchArgument> arguments) {
  const LaunchShape shape = {.grid = {launch.blocks, 1, 1}, .block = {launch.threads, 1, 1}};
  TFRT_ASSIGN_OR_RETURN(last_command_, device_.compute().Launch(function, shape, arguments));
  return OkStatus();
}

Status GpuOpCall::Copy(const MemoryRange& to, const MemoryRange& from) {
  if (to.size_bytes == 0) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(last_command_, device_.compute().Copy(to, from));
  return OkStatus();
}

Status GpuOpCall::Fill(const MemoryRange& range, uint32_t pattern) {
  if (range.size_bytes == 0) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(last_command_, device_.compute().Fill(range, pattern));
  return OkStatus();
}

Status GpuOpCall::OrderArguments() {
  Stream& compute = device_.compute();
  for (AsyncValue* argument : arguments_) {
    if (!argument) continue;
    const auto& tensor = argument->get<Tensor>();
    if (tensor.tensor_type() != kDenseGpuTensorType) continue;
    TFRT_RETURN_IF_ERROR(static_cast<const DenseGpuTensor&>(tensor).OrderReads(compute));
  }
  return OkStatus();
}

void GpuOpCall::SetResults() {
  for (size_t i = 0; i < results_.size(); ++i) {
    Result& result = results_[i];
    assert(result.is_set && "an op sets all its results");
    const Point written = result.written ? result.written : last_command_;
    run_.results[i] =
        MakeAvailableAsyncValueRef<DenseGpuTensor>(metadata_[i], result.range, written)
            .ReleaseRCRef();
  }
}

}  // namespace tfrt::gpu
