// HandleTable: the opaque pointers that programs hold in place of objects.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_HANDLE_TABLE_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_HANDLE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tfrt::gpu::cuda_double {

// Handles are numbers in the form of pointers that are never reused. The use of a destroyed object
// is therefore detected and meets no later one. Not thread-safe: the driver's lock is held.
template <typename T, typename Handle>
class HandleTable {
 public:
  // `kind` tells the handles of one table from those of the others.
  explicit HandleTable(uint64_t kind) : base_(kind << 40) {}

  Handle Add(std::shared_ptr<T> object) {
    objects_.push_back(std::move(object));
    ++num_live_;
    return Of(objects_.size());
  }
  // Null if there is no such object, or no longer.
  const std::shared_ptr<T>& Find(Handle handle) const {
    static const std::shared_ptr<T> kNone;
    uint64_t index = Index(handle);
    return index < objects_.size() ? objects_[index] : kNone;
  }
  // Whether there was such an object.
  bool WasRemoved(Handle handle) const {
    uint64_t index = Index(handle);
    return index < objects_.size() && !objects_[index];
  }
  std::shared_ptr<T> Remove(Handle handle) {
    uint64_t index = Index(handle);
    if (index >= objects_.size() || !objects_[index]) return nullptr;
    --num_live_;
    return std::exchange(objects_[index], nullptr);
  }
  // Calls `f(object)` for each that is there.
  template <typename F>
  void ForEach(F&& f) const {
    for (const auto& object : objects_) {
      if (object) f(object);
    }
  }
  size_t num_live() const { return num_live_; }

 private:
  static constexpr uint64_t kStep = 64;

  Handle Of(uint64_t number) const { return reinterpret_cast<Handle>(base_ + number * kStep); }
  // Past all objects for what is no handle of this table.
  uint64_t Index(Handle handle) const {
    uint64_t offset = reinterpret_cast<uint64_t>(handle) - base_;
    return offset % kStep == 0 ? offset / kStep - 1 : UINT64_MAX;
  }

  const uint64_t base_;
  std::vector<std::shared_ptr<T>> objects_;
  size_t num_live_ = 0;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_HANDLE_TABLE_H_
