// Module: device code that is loaded in a context. Function: a kernel in it.
#ifndef TFRT_GPU_RUNTIME_MODULE_H_
#define TFRT_GPU_RUNTIME_MODULE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/abi/cuda_types.h"
#include "gpu/wrapper/cuda_handles.h"
#include "launch.h"
#include "memory.h"
#include "point.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "use_points.h"

namespace tfrt::gpu {

class Context;
class GlobalMemory;
class Module;

// The driver's facts about a kernel, requested once. Owned by its module. Immutable except for the
// limit of dynamic shared memory. Thread-safe.
class Function {
 public:
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  // Returns the name of the kernel, without a zero byte.
  const std::string& name() const { return name_; }
  const Module& module() const { return *module_; }
  cuda::CUfunction handle() const { return handle_; }
  int static_shared_bytes() const { return static_shared_bytes_; }
  int num_registers() const { return num_registers_; }
  // Returns the sizes in bytes, in order.
  std::span<const uint32_t> parameter_sizes() const { return parameter_sizes_; }
  // Whether the driver, or the PTX, tells these sizes.
  bool knows_parameters() const { return knows_parameters_; }

  // Returns InvalidArgument if the driver would reject the launch. Does so, too, if the kernel
  // would read other bytes than it is given, as far as the driver reports them. Messages for
  // arguments are "kernel 'relu' takes 3 arguments, not 2" and "argument 1 of kernel 'relu' has 8
  // bytes, not 4". Those for shapes are "kernel 'relu' runs in blocks of up to 1024 threads, not
  // 2048" and "kernel 'relu' has a grid without blocks".
  Status Check(const LaunchShape& shape, std::span<const LaunchArgument> arguments) const {
    bool fits = Fits(shape, arguments.size());
    for (size_t i = 0; fits && knows_parameters_ && i < arguments.size(); ++i) {
      fits = arguments[i].size_bytes == parameter_sizes_[i];
    }
    return fits ? Status() : Refuse(shape, arguments);
  }
  // Returns whether Check would return OK at once, if the arguments had the right sizes.
  bool Fits(const LaunchShape& shape, size_t num_arguments) const {
    uint64_t threads = uint64_t{shape.block[0]} * shape.block[1];
    return threads <= kMaxThreads && threads * shape.block[2] - 1 < max_threads_per_block_ &&
           shape.grid[0] != 0 && shape.grid[1] != 0 && shape.grid[2] != 0 &&
           shape.shared_bytes <= max_dynamic_shared_bytes() &&
           (!knows_parameters_ || num_arguments == parameter_sizes_.size());
  }

 private:
  friend class Module;
  friend class Stream;
  static constexpr uint64_t kMaxThreads = uint64_t{1} << 31;
  Function(Module* module, std::string name, cuda::CUfunction handle)
      : module_(module), name_(std::move(name)), handle_(handle) {}

  // Reads the facts from the driver. The context must be current.
  Status Describe();
  uint32_t max_dynamic_shared_bytes() const {
    // relaxed: the driver itself orders launches after the call that raised it.
    return max_dynamic_shared_bytes_.load(std::memory_order_relaxed);
  }
  // Returns the fault. Returns OK if it was the limit of shared memory, the device allows a higher
  // one, and the limit has now been raised.
  Status Refuse(const LaunchShape& shape, std::span<const LaunchArgument> arguments) const;

  Module* const module_;
  const std::string name_;
  const cuda::CUfunction handle_;
  uint64_t max_threads_per_block_ = 0;
  int static_shared_bytes_ = 0, num_registers_ = 0;
  bool knows_parameters_ = false;  // by the driver (12.4 and later) or the PTX
  std::vector<uint32_t> parameter_sizes_;
  mutable std::atomic<uint32_t> max_dynamic_shared_bytes_{0};
};

// Made by Context::LoadModule. Held by references (RCReference<Module>), which keep its context
// alive. Users of a function must hold one. After the last one is dropped, the code stays loaded
// for later loads of the same bytes, until there are many such modules. Thread-safe.
class Module {
 public:
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Context& context() const { return *context_; }
  // Returns a kernel that lives as long as the module; the same one for each call. `name` is cut at
  // its first zero byte. Fails with the driver's error: "'cuModuleGetFunction' of 'relu':
  // CUDA_ERROR_NOT_FOUND (...)".
  StatusOr<const Function*> GetFunction(std::string_view name);
  // Returns a variable, as memory that keeps the module alive. Uses by one such memory are noted
  // for all of them. Fails as above.
  StatusOr<RCReference<Memory>> GetGlobal(std::string_view name);

  void AddRef(uint32_t n = 1) const {
    // relaxed: a new reference is made from one that is already held, or under the cache's lock.
    count_.fetch_add(n, std::memory_order_relaxed);
  }
  void DropRef(uint32_t n = 1) const;

 private:
  friend class Function;
  friend class GlobalMemory;
  friend class ModuleCache;
  Module(Context* context, std::string_view image, cuda::Module handle)
      : context_(context), image_(image), handle_(std::move(handle)) {}

  // A variable that was requested.
  struct Variable {
    std::vector<const GlobalMemory*> memories;  // the existing ones
    UsePoints uses;                             // of those that no longer exist
  };

  // Appends the commands that still use variables, of any context.
  void AppendUses(std::vector<Point>* points);

  Context* const context_;
  const std::string_view image_;  // the cache keeps it as long as the module is referenced
  const cuda::Module handle_;
  mutable std::atomic<uint32_t> count_{0};  // raised from 0 under the cache's lock
  uint64_t last_load_ = 0;                  // under the cache's lock
  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions_;
  std::map<std::string, Variable, std::less<>> variables_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_MODULE_H_
