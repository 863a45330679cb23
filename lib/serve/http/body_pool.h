// BodyPool: memory for the bodies of requests, bounded, and reused where that pays.
#ifndef TFRT_LIB_SERVE_HTTP_BODY_POOL_H_
#define TFRT_LIB_SERVE_HTTP_BODY_POOL_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace tfrt::serve::http {

// Thread-safe. Blocks keep their pool alive. Large blocks are kept when they are freed. Fresh
// memory would cost a page fault for each 4 KiB, more than the copy from the kernel.
class BodyPool : public std::enable_shared_from_this<BodyPool> {
 public:
  // Blocks that are smaller are left to the allocator of the program.
  static constexpr size_t kSmallestKept = 64 << 10;

  static std::shared_ptr<BodyPool> Make(size_t max_bytes, size_t max_kept_bytes) {
    return std::shared_ptr<BodyPool>(new BodyPool(max_bytes, max_kept_bytes));
  }
  ~BodyPool();

  // Returns 64-byte aligned memory of at least `size` bytes, and its true size in `capacity`. Null
  // if all blocks together would be larger than `max_bytes`, or if there is no memory. The bytes
  // are those of some earlier body.
  std::shared_ptr<std::byte> Allocate(size_t size, size_t* capacity);
  size_t bytes_in_use() const {
    return in_use_.load(std::memory_order_relaxed);  // a figure; orders nothing
  }

 private:
  BodyPool(size_t max_bytes, size_t max_kept_bytes)
      : max_bytes_(max_bytes), max_kept_bytes_(max_kept_bytes) {}
  void Free(std::byte* block, size_t capacity);

  const size_t max_bytes_, max_kept_bytes_;
  // relaxed: a sum, which is compared with a limit.
  std::atomic<size_t> in_use_{0};
  struct Kept {
    std::byte* block;
    size_t capacity;
  };
  std::mutex mutex_;
  std::vector<Kept> kept_;  // the last freed last
  size_t kept_bytes_ = 0;
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_BODY_POOL_H_
