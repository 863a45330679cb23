#include "module.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "context.h"
#include "image.h"
#include "registered_memory.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

StatusOr<const Function*> Module::GetFunction(std::string_view name) {
  name = name.substr(0, name.find('\0'));
  {
    std::lock_guard lock(mutex_);
    if (auto found = functions_.find(name); found != functions_.end()) return found->second.get();
  }
  // Without the lock, as the driver may load code now.
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  std::string text(name);
  cuda::CUfunction handle = nullptr;
  TFRT_RETURN_IF_ERROR(context_->Check(context_->Call([&] {
    return context_->driver().cuModuleGetFunction(&handle, handle_.get(), text.c_str());
  }),
                                       "cuModuleGetFunction", text));
  std::unique_ptr<Function> function(new Function(this, text, handle));
  TFRT_RETURN_IF_ERROR(function->Describe());
  std::lock_guard lock(mutex_);
  // That of another thread if there is one by now.
  return functions_.emplace(std::move(text), std::move(function)).first->second.get();
}

StatusOr<RCReference<Memory>> Module::GetGlobal(std::string_view name) {
  name = name.substr(0, name.find('\0'));
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  std::string text(name);
  cuda::CUdeviceptr begin = 0;
  size_t size_bytes = 0;
  TFRT_RETURN_IF_ERROR(context_->Check(context_->Call([&] {
    return context_->driver().cuModuleGetGlobal_v2(&begin, &size_bytes, handle_.get(),
                                                   text.c_str());
  }),
                                       "cuModuleGetGlobal_v2", text));
  std::lock_guard lock(mutex_);
  return GlobalMemory::Create(this, &variables_[std::move(text)], begin, size_bytes);
}

void Module::DropRef(uint32_t n) const {
  Context* context = context_;
  // acq_rel: who unloads it comes behind all its users. Nothing of it is used after this.
  if (count_.fetch_sub(n, std::memory_order_acq_rel) == n) context->DropRef();
}

void Module::AppendUses(std::vector<Point>* points) {
  std::lock_guard lock(mutex_);
  for (const auto& [name, variable] : variables_) {
    assert(variable.memories.empty() && "a variable outlives its module");
    variable.uses.ForEach([&](Point point) {
      if (!IsKnownDone(point)) points->push_back(point);
    });
  }
}

Status Function::Describe() {
  Context& context = module_->context();
  const cuda::DriverTable& driver = context.driver();
  auto ask = [&](cuda::CUfunction_attribute attribute, int* value) {
    return context.Check(driver.cuFuncGetAttribute(value, attribute, handle_), "cuFuncGetAttribute",
                         name_);
  };
  int threads = 0, dynamic_shared = 0;
  TFRT_RETURN_IF_ERROR(ask(cuda::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &threads));
  TFRT_RETURN_IF_ERROR(ask(cuda::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &static_shared_bytes_));
  TFRT_RETURN_IF_ERROR(ask(cuda::CU_FUNC_ATTRIBUTE_NUM_REGS, &num_registers_));
  TFRT_RETURN_IF_ERROR(ask(cuda::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &dynamic_shared));
  max_threads_per_block_ = static_cast<uint64_t>(std::max(threads, 0));
  max_dynamic_shared_bytes_.store(static_cast<uint32_t>(std::max(dynamic_shared, 0)),
                                  std::memory_order_relaxed);
  if (!driver.cuFuncGetParamInfo) {
    auto sizes = internal::ParametersInText(module_->image_, name_);
    knows_parameters_ = sizes.has_value();
    if (sizes) parameter_sizes_ = *std::move(sizes);
    return OkStatus();
  }
  for (;;) {
    size_t offset = 0, size_bytes = 0;
    cuda::CUresult result =
        driver.cuFuncGetParamInfo(handle_, parameter_sizes_.size(), &offset, &size_bytes);
    if (result == cuda::CUDA_ERROR_INVALID_VALUE) break;  // there is no such parameter
    TFRT_RETURN_IF_ERROR(context.Check(result, "cuFuncGetParamInfo", name_));
    parameter_sizes_.push_back(static_cast<uint32_t>(size_bytes));
  }
  knows_parameters_ = true;
  return OkStatus();
}

Status Function::Refuse(const LaunchShape& shape, std::span<const LaunchArgument> arguments) const {
  if (knows_parameters_) {
    if (arguments.size() != parameter_sizes_.size()) {
      return InvalidArgumentError(StrCat("kernel '", name_, "' takes ", parameter_sizes_.size(),
                                         " arguments, not ", arguments.size()));
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].size_bytes == parameter_sizes_[i]) continue;
      return InvalidArgumentError(StrCat("argument ", i, " of kernel '", name_, "' has ",
                                         parameter_sizes_[i], " bytes, not ",
                                         arguments[i].size_bytes));
    }
  }
  if (shape.grid[0] == 0 || shape.grid[1] == 0 || shape.grid[2] == 0) {
    return InvalidArgumentError(StrCat("kernel '", name_, "' has a grid without blocks"));
  }
  if (shape.block[0] == 0 || shape.block[1] == 0 || shape.block[2] == 0) {
    return InvalidArgumentError(StrCat("kernel '", name_, "' has blocks without threads"));
  }
  uint64_t threads = uint64_t{shape.block[0]} * shape.block[1];
  if (threads > max_threads_per_block_ || threads * shape.block[2] > max_threads_per_block_) {
    return InvalidArgumentError(StrCat("kernel '", name_, "' runs in blocks of up to ",
                                       max_threads_per_block_, " threads, not ", shape.block[0],
                                       " x ", shape.block[1], " x ", shape.block[2]));
  }
  // Each kernel may have so much; more is for those that ask.
  Context& context = module_->context();
  int most = context.max_shared_bytes_per_block() - static_shared_bytes_;
  if (most < 0 || shape.shared_bytes > static_cast<uint32_t>(most)) {
    return InvalidArgumentError(StrCat("kernel '", name_, "' can have up to ", std::max(most, 0),
                                       " bytes of dynamic shared memory, not ",
                                       shape.shared_bytes));
  }
  TFRT_RETURN_IF_ERROR(context.EnterAnew());
  TFRT_RETURN_IF_ERROR(
      context.Check(context.driver().cuFuncSetAttribute(
                        handle_, cuda::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most),
                    "cuFuncSetAttribute", name_));
  max_dynamic_shared_bytes_.store(static_cast<uint32_t>(most), std::memory_order_relaxed);
  return OkStatus();
}

}  // namespace tfrt::gpu
