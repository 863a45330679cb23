// BodyPool: memory for the bodies of requests, bounded, and reused where that pays.
#ifndef TFRT_LIB_SERVE_HTTP_BODY_POOL_H_
#define TFRT_LIB_SERVE_HTTP_BODY_POOL_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tfrt::serve::http {

class BodyPool;

// Memory of one body, 64-byte aligned. Keeps its pool alive. Not thread-safe but for its end.
class BodyBlock {
 public:
  static constexpr size_t kAlignment = 64;

  BodyBlock(std::shared_ptr<BodyPool> pool, std::byte* data, size_t capacity)
      : pool_(std::move(pool)), data_(data), capacity_(capacity) {}
  BodyBlock(const BodyBlock&) = delete;
  BodyBlock& operator=(const BodyBlock&) = delete;
  ~BodyBlock();

  std::byte* data() const { return data_; }
  size_t capacity() const { return capacity_; }
  // Counts bytes that are now used, until the block ends. Returns false, without counting them, if
  // the bytes of all blocks together would be too many.
  bool Use(size_t num_bytes);

 private:
  const std::shared_ptr<BodyPool> pool_;
  std::byte* const data_;
  const size_t capacity_;
  size_t used_ = 0;
};

// Thread-safe. Large blocks are kept when they are freed. Fresh memory would cost a page fault for
// each 4 KiB, more than the copy from the kernel.
//
// Only bytes that have arrived count for the limit, as fresh memory costs nothing until it is used.
// A client that only announced a large body could otherwise keep others from sending theirs.
class BodyPool : public std::enable_shared_from_this<BodyPool> {
 public:
  // Blocks that are smaller are left to the allocator of the program.
  static constexpr size_t kSmallestKept = 64 << 10;

  static std::shared_ptr<BodyPool> Make(size_t max_bytes, size_t max_kept_bytes) {
    return std::shared_ptr<BodyPool>(new BodyPool(max_bytes, max_kept_bytes));
  }
  ~BodyPool();

  // Returns memory of at least `size` bytes, which are those of some earlier body. Null if there is
  // no memory.
  std::shared_ptr<BodyBlock> Allocate(size_t size);
  size_t bytes_in_use() const {
    return in_use_.load(std::memory_order_relaxed);  // a figure; orders nothing
  }

 private:
  BodyPool(size_t max_bytes, size_t max_kept_bytes)
      : max_bytes_(max_bytes), max_kept_bytes_(max_kept_bytes) {}
  friend class BodyBlock;
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
