// Objects: what handles and descriptors of one kind stand for, and which of them are there.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_OBJECTS_H_
#define TFRT_TEST_GPU_VENDOR_DNN_OBJECTS_H_

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace tfrt::gpu::cudnn_double {

// Thread-safe. A handle is the address of its object, which is kept by whoever uses it.
template <typename T>
class Objects {
 public:
  // Never destroyed: calls may still come while the process exits.
  static Objects& All() {
    static auto& all = *new Objects;
    return all;
  }

  void* Add(std::shared_ptr<T> object) {
    void* handle = object.get();
    std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  // Null for what was never made, or has been destroyed.
  std::shared_ptr<T> Find(const void* handle) {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  // Whether there was one.
  bool Remove(const void* handle) {
    std::lock_guard lock(mutex_);
    return objects_.erase(handle) != 0;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, std::shared_ptr<T>> objects_;  // under mutex_
};

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_OBJECTS_H_
