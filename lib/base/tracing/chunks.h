// Where records go: chunks of memory, each written by one thread and readable meanwhile.
//
// A chunk belongs to a slot. The slot's `held` is set while a thread may write to the chunk. Only
// that thread clears it, when it takes another chunk or ends. So a thread that was about to write
// when its session ended writes to a chunk that is not reused and not freed. The slot's generation
// is that of the session of its records; 0: of none, the chunk is free.
//
// Free slots are a stack. Threads take slots from it, and only the reader of the session pushes
// onto it. It pushes a slot that no thread holds any more and whose records have been read.
#ifndef TFRT_LIB_BASE_TRACING_CHUNKS_H_
#define TFRT_LIB_BASE_TRACING_CHUNKS_H_

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
    std::atomic<uint32_t> count{0};  // records that are complete
    uint32_t thread_number = 0;
    int32_t thread_id = 0;  // the system's
    uint64_t number = 0;    // among the thread's chunks: later ones have larger numbers
  };
  static constexpr uint32_t kCapacity =
      static_cast<uint32_t>((kChunkBytes - sizeof(Header)) / sizeof(Record));

  Header header;
  Record records[kCapacity];
};
static_assert(sizeof(Chunk) <= kChunkBytes);

struct ChunkSlot {
  std::atomic<Chunk*> chunk{nullptr};
  std::atomic<uint32_t> generation{0};  // here, so that readers look at few cache lines
  std::atomic<bool> held{false};
  std::atomic<uint32_t> next_free{0};  // the slot below it in the stack
  uint32_t num_read = 0;               // the reader's: records that Drain has given
};

// One per process: one session uses it at a time.
class ChunkPool {
 public:
  // Gets memory for `num_chunks` chunks ready, which the session `generation` may use from now on.
  // ResourceExhausted if there is none. The session that was before must have ended.
  Status Begin(size_t num_chunks, uint32_t generation);
  // The session stops: no record of it begins any more.
  void Stop();
  // Frees the memory, but for chunks that threads still hold.
  void End();

  // For threads that record. Returns a chunk of the session `generation` for this thread alone.
  // Null if none is left, or if that session has ended. The parameter `slot` is the slot that the
  // thread held before, or null, and becomes its new one.
  Chunk* Next(uint32_t generation, ChunkSlot** slot);
  void CountDropped() { num_dropped_.fetch_add(1, std::memory_order_relaxed); }

  // For readers, of which there is one at a time, and none while a session begins or ends. A
  // relaxed load suffices: the number is set before the session is visible elsewhere.
  size_t num_slots() const { return num_slots_.load(std::memory_order_relaxed); }
  // The chunk of a slot, if it has records of the session; else null. `held`: whether a thread may
  // still add some.
  const Chunk* ChunkOf(size_t index, uint32_t generation, bool* held) const;
  ChunkSlot& slot(size_t index) { return slots_[index]; }
  // Makes a slot free that is not held, and whose records have been read.
  void Recycle(size_t index);
  // relaxed: a number.
  uint64_t num_dropped() const { return num_dropped_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kNoSlot = kMaxChunks;
  void Push(uint32_t index);
  // kNoSlot: none is free.
  uint32_t Pop();

  ChunkSlot slots_[kMaxChunks];
  // The slot on top of the stack, and above it a number that changes with each change. With it, a
  // thread that was interrupted does not mistake an old top for the present one.
  std::atomic<uint64_t> free_{kNoSlot};
  std::atomic<size_t> num_slots_{0};  // of the session, and those that are still held between them
  std::atomic<uint64_t> num_dropped_{0};
};
extern ChunkPool chunk_pool;

// The buffer that a thread writes to.
struct ThreadBuffer {
  Chunk* chunk = nullptr;  // null: none
  uint32_t count = 0;      // of its records
  uint32_t generation = 0;
  uint64_t last_id = 0;     // 0: of a thread without a number yet
  uint32_t number = 0;      // of the thread
  uint64_t num_chunks = 0;  // that it has had
  bool has_ended = false;
  ChunkSlot* slot = nullptr;
};
// initial-exec: one instruction to find it, even in a shared library.
[[gnu::tls_model("initial-exec")]] extern thread_local constinit ThreadBuffer thread_buffer;

// For a record of the session `generation`: where the thread writes its next one, which
// PublishRecord makes part of the session. Null if there is no room, which is counted, or no such
// session.
inline Record* RoomForRecord(uint32_t generation);
inline void PublishRecord();
// A new id for a record of this thread.
inline uint64_t NextRecordId();

// They are inline because they are part of each record; what is not:
//
// Makes room for a record of the session, or counts one as dropped: false.
bool MakeRoom(ThreadBuffer* buffer, uint32_t generation);
void NumberThread(ThreadBuffer* buffer);

inline Record* RoomForRecord(uint32_t generation) {
  ThreadBuffer& buffer = thread_buffer;
  // relaxed: a record that comes a moment too late is not part of the session.
  if (recording_generation.load(std::memory_order_relaxed) != generation) return nullptr;
  if (!buffer.chunk || buffer.generation != generation || buffer.count == Chunk::kCapacity)
      [[unlikely]] {
    if (!MakeRoom(&buffer, generation)) return nullptr;
  }
  return &buffer.chunk->records[buffer.count];
}

inline void PublishRecord() {
  ThreadBuffer& buffer = thread_buffer;
  // release: publishes the record to readers.
  buffer.chunk->header.count.store(++buffer.count, std::memory_order_release);
}

inline uint64_t NextRecordId() {
  ThreadBuffer& buffer = thread_buffer;
  if (buffer.last_id == 0) [[unlikely]]
    NumberThread(&buffer);
  return ++buffer.last_id;
}

}  // namespace tfrt::tracing::internal

#endif  // TFRT_LIB_BASE_TRACING_CHUNKS_H_
