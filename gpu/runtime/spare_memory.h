// SpareMemory: who keeps memory of a device that can be made again.
#ifndef TFRT_GPU_RUNTIME_SPARE_MEMORY_H_
#define TFRT_GPU_RUNTIME_SPARE_MEMORY_H_

#include <mutex>
#include <set>

namespace tfrt::gpu {

// Holders drop their memory when a device has none left. Thread-safe.
class SpareMemory {
 public:
  class Holder {
   public:
    // Drops the memory. Returns whether there was any. Called under the lock of the list, by any
    // thread. So it adds and removes no holders.
    virtual bool DropSpareMemory() const = 0;

   protected:
    ~Holder() = default;
  };

  // Has an effect once for each holder, which must be removed before it is destroyed.
  void Add(const Holder* holder) {
    std::lock_guard lock(mutex_);
    holders_.insert(holder);
  }
  // Returns when no call of the holder is in progress.
  void Remove(const Holder* holder) {
    std::lock_guard lock(mutex_);
    holders_.erase(holder);
  }
  // Makes all holders drop their memory. Returns whether there was any.
  bool Drop() {
    std::lock_guard lock(mutex_);
    bool any = false;
    for (const Holder* holder : holders_) any |= holder->DropSpareMemory();
    return any;
  }

 private:
  std::mutex mutex_;
  std::set<const Holder*> holders_;  // under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_SPARE_MEMORY_H_
