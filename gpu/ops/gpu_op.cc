#include "gpu_op.h"

#include <utility>

#include "gpu/device_code/device_code.h"
#include "gpu/runtime/context.h"
#include "gpu/tensor/dense_gpu_tensor.h"

namespace tfrt::gpu {
namespace {

// The kernel exists. Placement must not take an error of the driver, which may not support a call
// or not find the function, for a missing kernel.
Status OfDriver(const Status& error) {
  const bool is_missing =
      error.code() == StatusCode::kUnimplemented || error.code() == StatusCode::kNotFound;
  return is_missing ? FailedPreconditionError(error.message()) : error;
}

}  // namespace

StatusOr<const Function*> GpuOpSetup::Kernel(std::string_view name) {
  TFRT_ASSIGN_OR_RETURN(DeviceKernel kernel, FindDeviceKernel(name));
  StatusOr<RCReference<Module>> module = context_.LoadModule(kernel.module->ptx);
  if (!module.ok()) return OfDriver(module.status());
  StatusOr<const Function*> function = (*module)->GetFunction(name);
  if (!function.ok()) return OfDriver(function.status());
  modules_.push_back(*std::move(module));
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

OpBytes GpuOpCall::bytes(size_t index) const {
  assert(arguments_[index]->get<Tensor>().tensor_type() == kDenseGpuTensorType);
  const auto& tensor = static_cast<const DenseGpuTensor&>(arguments_[index]->get<Tensor>());
  if (tensor.range().size_bytes == 0) return OpBytes();
  return {.size_bytes = tensor.range().size_bytes,
          .place = static_cast<uint32_t>(index),
          .place_low_bits = plan_->key_.low_bits(index)};
}

StatusOr<OpBytes> GpuOpCall::Allocate(size_t result) {
  StatusOr<size_t> size_bytes = DenseHostTensor::SizeBytes(metadata_[result]);
  if (!size_bytes.ok()) [[unlikely]] {
    refused_ = &metadata_[result];
    return size_bytes.status();
  }
  GpuOpPlan::Result& made = plan_->results_[result];
  assert(made.kind == GpuOpPlan::Result::Kind::kUnset);
  made.kind = GpuOpPlan::Result::Kind::kAllocated;
  if (*size_bytes == 0) return OpBytes();
  made.bytes = {.size_bytes = *size_bytes,
                .place = static_cast<uint32_t>(arguments_.size() + result)};
  return made.bytes;
}

void GpuOpCall::SetView(size_t result, size_t argument, size_t offset_bytes) {
  GpuOpPlan::Result& made = plan_->results_[result];
  assert(made.kind == GpuOpPlan::Result::Kind::kUnset);
  made.kind = GpuOpPlan::Result::Kind::kView;
  if (metadata_[result].shape.num_elements() == 0) return;
  made.bytes = Shifted(bytes(argument), static_cast<int64_t>(offset_bytes));
  made.bytes.size_bytes = *DenseHostTensor::SizeBytes(metadata_[result]);
}

void GpuOpCall::SetShared(size_t result, RCReference<Memory> memory, Point written) {
  GpuOpPlan::Result& made = plan_->results_[result];
  assert(made.kind == GpuOpPlan::Result::Kind::kUnset);
  made.kind = GpuOpPlan::Result::Kind::kShared;
  made.memory = std::move(memory);
  made.written = written;
}

OpBytes GpuOpCall::AddExtra(GpuOpPlan::Extra extra) {
  const size_t size_bytes = extra.size_bytes;
  const auto place = static_cast<uint32_t>(plan_->num_places());
  plan_->extras_.push_back(std::move(extra));
  return {.size_bytes = size_bytes, .place = place};
}

StatusOr<OpBytes> GpuOpCall::Scratch(size_t size_bytes) {
  if (size_bytes == 0) return OpBytes();
  return AddExtra({.size_bytes = size_bytes});
}

OpBytes GpuOpCall::Keep(RCReference<Memory> memory) {
  const size_t size_bytes = memory->size_bytes();
  return AddExtra({.size_bytes = size_bytes, .memory = std::move(memory)});
}

Status GpuOpCall::AddLaunch(const Function& function, DeviceLaunch launch,
                            std::span<const GpuOpPlan::Parameter> parameters) {
  const LaunchShape shape = {.grid = {launch.blocks, 1, 1}, .block = {launch.threads, 1, 1}};
  std::vector<LaunchArgument> arguments;
  for (const GpuOpPlan::Parameter& parameter : parameters) {
    arguments.push_back({&parameter.value, parameter.size_bytes});
  }
  TFRT_RETURN_IF_ERROR(function.Check(shape, arguments));
  const size_t count = parameters.size();
  GpuOpPlan::Launch made{.function = &function,
                         .module = FormRef(&function.module()),
                         .shape = shape,
                         .num_parameters = static_cast<uint32_t>(count),
                         .parameters = std::make_unique<void*[]>(count),
                         .addresses = std::make_unique<GpuOpPlan::Address[]>(count),
                         .numbers = std::make_unique<uint64_t[]>(count)};
  for (uint32_t i = 0; i < count; ++i) {
    const GpuOpPlan::Parameter& parameter = parameters[i];
    made.numbers[i] = parameter.value;
    made.parameters[i] = &made.numbers[i];
    if (parameter.place == OpBytes::kNowhere) continue;
    made.addresses[made.num_addresses++] = {i, parameter.place, parameter.value};
  }
  plan_->commands_.emplace_back(std::move(made));
  return OkStatus();
}

Status GpuOpCall::Copy(const OpBytes& to, const OpBytes& from) {
  assert(to.size_bytes == from.size_bytes);
  if (to.size_bytes == 0) return OkStatus();
  plan_->commands_.emplace_back(GpuOpPlan::Copy{to, from});
  return OkStatus();
}

Status GpuOpCall::Fill(const OpBytes& bytes, uint32_t pattern) {
  if (bytes.size_bytes == 0) return OkStatus();
  plan_->commands_.emplace_back(GpuOpPlan::Fill{bytes, pattern});
  return OkStatus();
}

void GpuOpCall::CallLibrary(std::unique_ptr<const LibraryCommand> command,
                            std::vector<OpBytes> bytes) {
  plan_->commands_.emplace_back(GpuOpPlan::Library{std::move(command), std::move(bytes)});
}

RCReference<const GpuOpPlan> GpuOpCall::TakePlan() {
  plan_->Finish();
  return std::move(plan_);
}

}  // namespace tfrt::gpu
