#include "chunks.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

#include "tfrt/support/str_cat.h"
#include "tfrt/support/yield_point.h"

namespace tfrt::tracing::internal {

constinit ChunkPool chunk_pool;
constinit std::atomic<uint32_t> recording_generation{0};

Status ChunkPool::Begin(size_t num_chunks, uint32_t generation) {
  // Nobody's: threads of sessions before find nothing from here on. In one step, as one of them may
  // pop just now: each change of the head has a number of its own, by which Pop tells that it has
  // read an old one. relaxed: publishes nothing.
  uint64_t top = free_.load(std::memory_order_relaxed);
  while (!free_.compare_exchange_weak(top, (top >> 32 << 32) + (uint64_t{1} << 32) + kNoSlot,
                                      std::memory_order_relaxed)) {
  }
  size_t num_ready = 0;
  for (size_t i = 0; i < kMaxChunks && num_ready < num_chunks; ++i) {
    ChunkSlot& slot = slots_[i];
    // A thread has kept it since another session. acquire: what the last holder wrote comes before.
    if (slot.held.load(std::memory_order_acquire)) continue;
    // relaxed: sessions begin and end one after the other; threads see it as Pop says.
    Chunk* chunk = slot.chunk.load(std::memory_order_relaxed);
    if (!chunk) {
      void* memory = ::operator new(kChunkBytes, std::nothrow);
      if (!memory) {
        End();
        return ResourceExhaustedError(
            StrCat("no memory for ", num_chunks * kChunkBytes, " bytes of records"));
      }
      std::memset(memory, 0, kChunkBytes);  // so that records do not wait for pages
      chunk = new (memory) Chunk;
      slot.chunk.store(chunk, std::memory_order_relaxed);
    }
    slot.generation.store(0, std::memory_order_relaxed);
    slot.num_read = 0;
    Push(static_cast<uint32_t>(i));
    num_slots_.store(i + 1, std::memory_order_relaxed);
    ++num_ready;
  }
  num_dropped_.store(0, std::memory_order_relaxed);
  // seq_cst, which releases: who sees the generation sees the slots.
  recording_generation.store(generation, std::memory_order_seq_cst);
  return OkStatus();
}

void ChunkPool::Stop() {
  // seq_cst: see Next.
  recording_generation.store(0, std::memory_order_seq_cst);
}

void ChunkPool::End() {
  for (ChunkSlot& slot : slots_) {
    // seq_cst: see Next. acquire: what the last holder wrote comes before the end of its memory.
    if (slot.held.exchange(true, std::memory_order_seq_cst)) continue;
    slot.generation.store(0, std::memory_order_relaxed);
    if (Chunk* chunk = slot.chunk.exchange(nullptr, std::memory_order_relaxed)) {
      ::operator delete(chunk);
    }
    // release: the next holder sees that the chunk is gone.
    slot.held.store(false, std::memory_order_release);
  }
}

void ChunkPool::Push(uint32_t index) {
  uint64_t top = free_.load(std::memory_order_relaxed);
  uint64_t pushed;
  do {
    slots_[index].next_free.store(static_cast<uint32_t>(top), std::memory_order_relaxed);
    pushed = (top >> 32 << 32) + (uint64_t{1} << 32) + index;
    // release: who pops it sees the slot as it is now.
  } while (!free_.compare_exchange_weak(top, pushed, std::memory_order_release,
                                        std::memory_order_relaxed));
}

uint32_t ChunkPool::Pop() {
  // acquire: pairs with Push.
  uint64_t top = free_.load(std::memory_order_acquire);
  while (true) {
    const auto index = static_cast<uint32_t>(top);
    if (index == kNoSlot) return kNoSlot;
    TFRT_YIELD_POINT(chunk_popped);
    // If another thread has popped the slot meanwhile, this is an arbitrary number, and the
    // exchange fails.
    const uint32_t below = slots_[index].next_free.load(std::memory_order_relaxed);
    const uint64_t popped = (top >> 32 << 32) + (uint64_t{1} << 32) + below;
    if (free_.compare_exchange_weak(top, popped, std::memory_order_acquire)) return index;
  }
}

Chunk* ChunkPool::Next(uint32_t generation, ChunkSlot** slot) {
  if (ChunkSlot* before = std::exchange(*slot, nullptr)) {
    // release: whoever reads, holds or frees the chunk next comes after what this thread wrote.
    before->held.store(false, std::memory_order_release);
  }
  while (true) {
    // acquire: pairs with Begin.
    if (recording_generation.load(std::memory_order_acquire) != generation) return nullptr;
    const uint32_t index = Pop();
    if (index == kNoSlot) return nullptr;
    ChunkSlot& next = slots_[index];
    // Either this thread sees that the session has ended, or End sees that the slot is held: both
    // write one and then read the other, seq_cst. acquire: after what the last holder did. A slot
    // that is held already was taken by a thread whose session has ended, and is lost to this one.
    if (next.held.exchange(true, std::memory_order_seq_cst)) continue;
    TFRT_YIELD_POINT(chunk_held);
    if (recording_generation.load(std::memory_order_seq_cst) != generation) {
      // If the next session has begun, it has lost the slot.
      next.held.store(false, std::memory_order_release);
      return nullptr;
    }
    *slot = &next;
    return next.chunk.load(std::memory_order_relaxed);
  }
}

const Chunk* ChunkPool::ChunkOf(size_t index, uint32_t generation, bool* held) const {
  const ChunkSlot& slot = slots_[index];
  // acquire: sees the header, and that the slot is held.
  if (slot.generation.load(std::memory_order_acquire) != generation) return nullptr;
  // acquire, and before the count is read: if it is not held, the count is the last one.
  *held = slot.held.load(std::memory_order_acquire);
  return slot.chunk.load(std::memory_order_relaxed);
}

void ChunkPool::Recycle(size_t index) {
  ChunkSlot& slot = slots_[index];
  // relaxed: Push releases.
  slot.generation.store(0, std::memory_order_relaxed);
  slot.num_read = 0;
  Push(static_cast<uint32_t>(index));
}

[[gnu::tls_model("initial-exec")]] thread_local constinit ThreadBuffer thread_buffer;

namespace {

// Gives the thread's chunk back when the thread ends.
struct ThreadEnd {
  ~ThreadEnd() {
    ThreadBuffer& buffer = thread_buffer;
    // The main thread's: destructors of static objects come later, and nobody else needs its chunk.
    if (syscall(SYS_gettid) == getpid()) return;
    // Destructors that run later may still record; there is nowhere to write to.
    buffer.has_ended = true;
    buffer.chunk = nullptr;
    // release: as in ChunkPool::Next.
    if (buffer.slot) buffer.slot->held.store(false, std::memory_order_release);
    buffer.slot = nullptr;
  }
};

// Numbers threads in the order in which they first record, from 1. relaxed: only a number.
constinit std::atomic<uint32_t> num_threads{0};

// Ids have the thread's number in their upper 24 bits.
constexpr int kIdBitsOfThread = 40;

// A chunk for records of the session. False if there is none.
bool TakeChunk(ThreadBuffer* buffer, uint32_t generation) {
  if (buffer->has_ended) return false;
  thread_local ThreadEnd at_end;
  asm volatile("" : : "r"(&at_end));  // so that its destructor is registered
  if (buffer->last_id == 0) NumberThread(buffer);
  buffer->chunk = chunk_pool.Next(generation, &buffer->slot);
  buffer->count = 0;
  buffer->generation = generation;
  if (!buffer->chunk) return false;
  Chunk::Header& header = buffer->chunk->header;
  header.thread_number = buffer->number;
  header.thread_id = static_cast<int32_t>(syscall(SYS_gettid));
  header.number = ++buffer->num_chunks;
  header.count.store(0, std::memory_order_relaxed);
  // release: a reader that sees the generation sees the rest of the header.
  buffer->slot->generation.store(generation, std::memory_order_release);
  return true;
}

}  // namespace

void NumberThread(ThreadBuffer* buffer) {
  buffer->number = num_threads.fetch_add(1, std::memory_order_relaxed) + 1;
  buffer->last_id = uint64_t{buffer->number} << kIdBitsOfThread;
}

bool MakeRoom(ThreadBuffer* buffer, uint32_t generation) {
  if (TakeChunk(buffer, generation)) return true;
  // Not of a session that has ended meanwhile. relaxed: as in WriteRecord.
  if (recording_generation.load(std::memory_order_relaxed) == generation) chunk_pool.CountDropped();
  return false;
}

}  // namespace tfrt::tracing::internal
