// BufferPool: memory that CUPTI writes its records into.
#ifndef TFRT_GPU_PROFILER_BUFFER_POOL_H_
#define TFRT_GPU_PROFILER_BUFFER_POOL_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace tfrt::gpu {

// Has a hard cap: a request beyond it gets no buffer, and the library drops and counts the records
// for which it has no room. Thread-safe; makes no callbacks while it holds its lock.
class BufferPool {
 public:
  static constexpr size_t kAlignment = 4096;

  BufferPool() = default;
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;
  // Those that have been taken and not given back stay: a library may still write into them.
  ~BufferPool();

  // Sets the limits for buffers that are taken from now on.
  void SetLimits(size_t buffer_bytes, size_t max_buffers);
  // Empty if there is none.
  std::span<uint8_t> Acquire();
  // A buffer that was taken, with records in its first bytes; it is free if there are none.
  void PutFull(uint8_t* buffer, size_t valid_bytes);
  // Those with records, oldest first. Each goes back by GiveBack.
  std::vector<std::span<const uint8_t>> TakeFull();
  void GiveBack(const uint8_t* buffer);

  // How often there was none to take, since SetLimits.
  uint64_t num_refused() const;

 private:
  struct Buffer {
    uint8_t* data = nullptr;
    size_t size = 0;
  };
  void GiveBackLocked(const uint8_t* buffer);

  mutable std::mutex mutex_;
  size_t buffer_bytes_ = size_t{4} << 20;
  size_t max_buffers_ = 16;
  std::vector<Buffer> free_;
  std::vector<Buffer> taken_;
  std::vector<std::span<const uint8_t>> full_;  // of taken_
  uint64_t num_refused_ = 0;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_PROFILER_BUFFER_POOL_H_
