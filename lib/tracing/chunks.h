// Where records go: chunks of memory, each written by one thread and readable meanwhile.
//
// A chunk belongs to a slot. The slot's `held` says that a thread may write to the chunk; only that
// thread takes it back, when it goes on to another chunk or ends. So a thread that was about to
// write when its session ended writes to a chunk that nobody else uses, and that nobody frees. The
// generation in the chunk says of which session its records are.
#ifndef TFRT_LIB_TRACING_CHUNKS_H_
#define TFRT_LIB_TRACING_CHUNKS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tfrt/support/status.h"
#include "tfrt/tracing/record.h"

namespace tfrt::tracing::internal {

inline constexpr size_t kChunkBytes = 64 << 10;
inline constexpr size_t kMaxChunks = 16384;  // 1 GiB

struct Chunk {
  struct Header {
    std::atomic<uint32_t> generation{0};
    std::atomic<uint32_t> count{0};  // records that are complete
    uint32_t thread_number = 0;
    int32_t thread_id = 0;  // the system's
  };
  static constexpr uint32_t kCapacity =
      static_cast<uint32_t>((kChunkBytes - sizeof(Header)) / sizeof(Record));

  Header header;
  Record records[kCapacity];
};
static_assert(sizeof(Chunk) <= kChunkBytes);

struct ChunkSlot {
  std::atomic<Chunk*> chunk{nullptr};
  std::atomic<bool> held{false};
};

// Of the process: one session uses it at a time.
class ChunkPool {
 public:
  // Gets memory for `num_chunks` chunks ready, which the session `generation` may use from now on.
  // ResourceExhausted if there is none. The session that was before must have ended.
  Status Begin(size_t num_chunks, uint32_t generation);
  // The session stops: no record of it begins any more.
  void Stop();
  // Frees the memory, but for chunks that threads still hold.
  void End();

  // For threads that record. A chunk that nobody else has, of the session `generation`; null if
  // none is left, or if that session has ended. `slot` is what the thread held before, or null, and
  // becomes what it holds now.
  Chunk* Next(uint32_t generation, ChunkSlot** slot);
  void CountDropped() { num_dropped_.fetch_add(1, std::memory_order_relaxed); }

  // For readers: the chunks that are or have been in use.
  size_t num_used() const;
  const Chunk* chunk(size_t index) const;
  // relaxed: a number.
  uint64_t num_dropped() const { return num_dropped_.load(std::memory_order_relaxed); }

 private:
  ChunkSlot slots_[kMaxChunks];
  std::atomic<size_t> num_chunks_{0};  // of the session
  std::atomic<size_t> next_{0};        // the first slot that nobody has asked for
  std::atomic<uint64_t> num_dropped_{0};
};
extern ChunkPool chunk_pool;

// Adds a record of the session `generation` to the thread's chunk, or counts it as dropped.
void WriteRecord(const Record& record, uint32_t generation);
// A new id for a record of this thread.
uint64_t NextRecordId();

}  // namespace tfrt::tracing::internal

#endif  // TFRT_LIB_TRACING_CHUNKS_H_
