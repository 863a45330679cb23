// Epochs: memory that many threads read without a lock, and that goes when none of them can still
// see it.
#ifndef TFRT_LIB_API_FUNCTION_EPOCH_H_
#define TFRT_LIB_API_FUNCTION_EPOCH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace tfrt::function {

// The slot of a thread, while it reads. Made at its first read, handed on when the thread ends,
// never freed.
struct EpochSlot {
  std::atomic<uint64_t> reading{0};  // 0: it does not
  std::atomic<bool> is_taken{true};
  EpochSlot* next = nullptr;
};

// Protects reads between construction and destruction. Objects that the thread reaches through
// atomic pointers loaded in between live as long. Takes no lock, and allocates only at a thread's
// first read. Must not nest.
class EpochReader {
 public:
  EpochReader();
  ~EpochReader() { slot_.reading.store(0, std::memory_order_release); }
  EpochReader(const EpochReader&) = delete;
  EpochReader& operator=(const EpochReader&) = delete;

 private:
  EpochSlot& slot_;
};

// Frees things once no reader can have them. Guarded by its owner's lock.
class EpochGarbage {
 public:
  EpochGarbage() = default;
  EpochGarbage(const EpochGarbage&) = delete;
  EpochGarbage& operator=(const EpochGarbage&) = delete;
  // Nobody reads any more.
  ~EpochGarbage();

  // Calls `free` once all readers are over that began before; nobody can find the thing any more.
  void Add(std::function<void()> free);
  // Frees what can be freed.
  void Collect();
  size_t size() const { return waiting_.size(); }

 private:
  struct Waiting {
    uint64_t epoch;
    std::function<void()> free;
  };
  std::vector<Waiting> waiting_;
};

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_EPOCH_H_
