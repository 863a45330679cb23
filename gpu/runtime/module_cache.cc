#include "module_cache.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "context.h"
#include "image.h"
#include "stream_slots.h"
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

StatusOr<RCReference<Module>> ModuleCache::Load(std::string_view image) {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto found = modules_.find(image);
    if (found == modules_.end()) break;
    if (found->second) return Use(*found->second);
    loaded_.wait(lock);  // and if it could not be loaded, this thread tries
  }
  auto place = modules_.emplace(std::string(image), nullptr).first;
  lock.unlock();
  StatusOr<std::unique_ptr<Module>> loaded = LoadAnew(place->first);
  lock.lock();
  loaded_.notify_all();
  if (!loaded.ok()) {
    modules_.erase(place);
    return loaded.status();
  }
  place->second = *std::move(loaded);
  RCReference<Module> module = Use(*place->second);
  std::vector<std::unique_ptr<Module>> unused = AcquireUnused();
  lock.unlock();
  TFRT_RETURN_IF_ERROR(Unload(std::move(unused)));
  return module;
}

RCReference<Module> ModuleCache::Use(Module& module) {
  // acquire: who uses it again sees what its last users did.
  if (module.count_.fetch_add(1, std::memory_order_acquire) == 0) context_->AddRef();
  module.last_load_ = ++num_loads_;
  return TakeRef(&module);
}

std::vector<std::unique_ptr<Module>> ModuleCache::AcquireUnused() {
  std::vector<decltype(modules_)::iterator> unused;
  for (auto it = modules_.begin(); it != modules_.end(); ++it) {
    // acquire: who unloads it comes behind all its users. It stays 0 as long as the lock is held.
    if (it->second && it->second->count_.load(std::memory_order_acquire) == 0) unused.push_back(it);
  }
  std::vector<std::unique_ptr<Module>> taken;
  if (unused.size() <= kMaxUnused) return taken;
  std::ranges::sort(unused, {}, [](auto it) { return it->second->last_load_; });
  for (size_t i = 0; i < unused.size() - kMaxUnused; ++i) {
    taken.push_back(std::move(unused[i]->second));
    modules_.erase(unused[i]);
  }
  return taken;
}

// NOLINTNEXTLINE: takes the modules over
Status ModuleCache::Unload(std::vector<std::unique_ptr<Module>> modules) {
  if (modules.empty()) return OkStatus();
  std::vector<Point> points;
  for (const auto& module : modules) module->AppendUses(&points);
  // Launches note themselves nowhere; drivers wait for them, too.
  Status status = context_->Synchronize();
  // These points belong to other contexts.
  internal::AwaitAll(points);
  cuda::Context::ForgetCurrent();  // that may have entered them
  return status;
}

void ModuleCache::AppendUses(std::vector<Point>* points) {
  std::lock_guard lock(mutex_);
  for (const auto& [image, module] : modules_) module->AppendUses(points);
}

StatusOr<std::unique_ptr<Module>> ModuleCache::LoadAnew(std::string_view image) {
  TFRT_RETURN_IF_ERROR(internal::CheckImage(image));
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  char log[4096] = {};
  cuda::CUjit_option options[] = {cuda::CU_JIT_ERROR_LOG_BUFFER,
                                  cuda::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  cuda::CUmodule handle = nullptr;
  cuda::CUresult result = context_->Call([&] {
    // The size is passed in place of a pointer, and what was written comes back there.
    void* values[] = {log, reinterpret_cast<void*>(uintptr_t{sizeof(log) - 1})};
    return context_->driver().cuModuleLoadDataEx(&handle, image.data(), std::size(options), options,
                                                 values);
  });
  if (result == cuda::CUDA_SUCCESS) {
    return std::unique_ptr<Module>(
        new Module(context_, image, cuda::Module(context_->native(), handle)));
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
