#include "module_cache.h"

#include <cstdint>
#include <iterator>
#include <utility>

#include "tfrt/gpu/runtime/context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

StatusOr<Module*> ModuleCache::Load(std::string_view image) {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto found = modules_.find(image);
    if (found == modules_.end()) break;
    if (found->second) return found->second.get();
    loaded_.wait(lock);  // and if it could not be loaded, this thread tries
  }
  auto place = modules_.emplace(std::string(image), nullptr).first;
  lock.unlock();
  StatusOr<std::unique_ptr<Module>> module = LoadAnew(place->first);
  lock.lock();
  loaded_.notify_all();
  if (!module.ok()) {
    modules_.erase(place);
    return module.status();
  }
  place->second = *std::move(module);
  return place->second.get();
}

StatusOr<std::unique_ptr<Module>> ModuleCache::LoadAnew(std::string_view image) {
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  char log[4096] = {};
  cuda::CUjit_option options[] = {cuda::CU_JIT_ERROR_LOG_BUFFER,
                                  cuda::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The size is passed in place of a pointer, and what was written comes back there.
  void* values[] = {log, reinterpret_cast<void*>(uintptr_t{sizeof(log) - 1})};
  cuda::CUmodule handle = nullptr;
  cuda::CUresult result = context_->driver().cuModuleLoadDataEx(
      &handle, image.data(), std::size(options), options, values);
  if (result == cuda::CUDA_SUCCESS) {
    return std::unique_ptr<Module>(new Module(context_, cuda::Module(context_->native(), handle)));
  }
  Status status = context_->Check(result, "cuModuleLoadDataEx");
  std::string_view text(log);
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty()) return status;
  return Status(status.code(), StrCat(status.message(), "; GPU JIT error log: ", text));
}

}  // namespace tfrt::gpu
