// ModuleCache: the modules of a context by their bytes.
#ifndef TFRT_GPU_RUNTIME_MODULE_CACHE_H_
#define TFRT_GPU_RUNTIME_MODULE_CACHE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "module.h"
#include "point.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;

// Thread-safe. No lock is held while the driver loads or unloads.
class ModuleCache {
 public:
  // So many that nobody has stay loaded: those that were asked for last.
  static constexpr size_t kMaxUnused = 64;

  explicit ModuleCache(Context* context) : context_(context) {}
  ModuleCache(const ModuleCache&) = delete;
  ModuleCache& operator=(const ModuleCache&) = delete;

  // See Context::LoadModule.
  StatusOr<RCReference<Module>> Load(std::string_view image);
  // Appends the commands that use variables of modules still, of whatever context. Nobody has a
  // module.
  void AppendUses(std::vector<Point>* points);

 private:
  StatusOr<std::unique_ptr<Module>> LoadAnew(std::string_view image);
  // A new reference. Under mutex_.
  RCReference<Module> Use(Module& module);
  // Takes those out of the cache that are too many. Under mutex_.
  std::vector<std::unique_ptr<Module>> AcquireUnused();
  // Waits for what may use them.
  Status Unload(std::vector<std::unique_ptr<Module>> modules);

  Context* const context_;
  std::mutex mutex_;
  std::condition_variable loaded_;
  // By all their bytes, which the driver need not keep. Null: somebody loads it. Under mutex_.
  std::map<std::string, std::unique_ptr<Module>, std::less<>> modules_;
  uint64_t num_loads_ = 0;  // under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_MODULE_CACHE_H_
