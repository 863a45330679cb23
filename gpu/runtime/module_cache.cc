#include "module_cache.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/gpu/runtime/context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

namespace {

// Whether the code may be for other devices than the one that was to load it.
bool IsOfArchitecture(cuda::CUresult result) {
  return result == cuda::CUDA_ERROR_NO_BINARY_FOR_GPU || result == cuda::CUDA_ERROR_INVALID_PTX ||
         result == cuda::CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

// "; gpu:0 has compute capability 7.5", and "; the code is for sm_90" if that is a text that says
// so.
std::string Architectures(const Context& context, std::string_view image) {
  const int capability = context.compute_capability();
  std::string text = StrCat("; ", context.name(), " has compute capability ", capability / 10, ".",
                            capability % 10);
  constexpr std::string_view kTarget = ".target ";
  size_t begin = image.find(kTarget);
  if (begin == image.npos) return text;
  std::string_view target = image.substr(begin + kTarget.size(), 32);
  size_t end = target.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
  if (end == target.npos || !target.starts_with("sm_")) return text;
  return StrCat(text, "; the code is for ", target.substr(0, end));
}

}  // namespace

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
  cuda::CUmodule handle = nullptr;
  cuda::CUresult result = context_->CallWithRoom([&] {
    // The size is passed in place of a pointer, and what was written comes back there.
    void* values[] = {log, reinterpret_cast<void*>(uintptr_t{sizeof(log) - 1})};
    return context_->driver().cuModuleLoadDataEx(&handle, image.data(), std::size(options), options,
                                                 values);
  });
  if (result == cuda::CUDA_SUCCESS) {
    return std::unique_ptr<Module>(new Module(context_, cuda::Module(context_->native(), handle)));
  }
  Status status = context_->Check(result, "cuModuleLoadDataEx");
  std::string message(status.message());
  if (IsOfArchitecture(result)) message += Architectures(*context_, image);
  std::string_view text(log);
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  if (!text.empty()) message += StrCat("; GPU JIT error log: ", text);
  return Status(status.code(), std::move(message));
}

}  // namespace tfrt::gpu
