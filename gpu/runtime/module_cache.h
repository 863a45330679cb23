// ModuleCache: the modules of a context by their bytes.
#ifndef TFRT_GPU_RUNTIME_MODULE_CACHE_H_
#define TFRT_GPU_RUNTIME_MODULE_CACHE_H_

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "tfrt/gpu/runtime/module.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;

// Thread-safe. No lock is held while the driver loads.
class ModuleCache {
 public:
  explicit ModuleCache(Context* context) : context_(context) {}
  ModuleCache(const ModuleCache&) = delete;
  ModuleCache& operator=(const ModuleCache&) = delete;

  // See Context::LoadModule.
  StatusOr<Module*> Load(std::string_view image);

 private:
  StatusOr<std::unique_ptr<Module>> LoadAnew(std::string_view image);

  Context* const context_;
  std::mutex mutex_;
  std::condition_variable loaded_;
  // By all their bytes, which the driver need not keep. Null: somebody loads it. Under mutex_.
  std::map<std::string, std::unique_ptr<Module>, std::less<>> modules_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_MODULE_CACHE_H_
