#ifndef TFRT_TEST_GPU_VENDOR_PTX_SHARED_MEMORY_H_
#define TFRT_TEST_GPU_VENDOR_PTX_SHARED_MEMORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program.h"

namespace tfrt::gpu::ptx {

inline constexpr uint32_t kMaxWarps = 32;

// A vector clock of the warps of a block. A warp's own entry counts its synchronisations; the
// others count those that happened before in the other warps.
using WarpClock = std::array<uint32_t, kMaxWarps>;

// The shared memory of a block, with what is needed to tell for each byte who used it last. Two
// accesses race if one writes, they come from different threads, neither happens before the other,
// and not both are strong.
//
// Accesses are ordered by barriers of the block, among the warps that take part. Barriers of a warp
// and fences order them for all of the warp. The last write and the last two threads that read are
// kept for a byte. One of many unordered readers is therefore always found, if not the one that a
// person would name.
class SharedMemory {
 public:
  struct Accessor {
    uint32_t warp;
    uint32_t lane;
    uint64_t step;  // tells one execution of an instruction from another
    bool strong;    // atomic or volatile
  };
  enum class Verdict : uint8_t { kOk, kUninitialised, kRace };
  struct Result {
    Verdict verdict = Verdict::kOk;
    uint32_t other = 0;  // the thread of the other access: warp * 32 + lane
    bool other_wrote = false;
  };

  // A new block of `num_warps` warps begins; nothing is initialised.
  void Begin(uint32_t size, uint32_t num_warps);

  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }
  std::byte* bytes() { return bytes_.data(); }

  // As Read of a word, if there is nothing to say of it and its bytes have been used together;
  // false if Read must look.
  bool ReadWholeWord(uint32_t offset, const Accessor& accessor) {
    Word& word = words_[offset / 4];
    Cell& cell = word.whole;
    if (cell.block != block_ || word.split || !cell.write.any || Races(cell.write, accessor))
      return false;
    NoteRead(cell, UseOf(accessor));
    return true;
  }
  // Notes a read of the bytes [offset, offset + size), which lie inside.
  Result Read(uint32_t offset, uint32_t size, const Accessor& accessor);
  // Notes a write of `value`. Lanes that write the same value by the same instruction do not race.
  Result Write(uint32_t offset, uint32_t size, const Accessor& accessor, const void* value);

  // Synchronisation: what `warp` did up to now happens before whatever a warp does that acquires
  // `clock` later.
  void Release(uint32_t warp, WarpClock& clock);
  void Acquire(uint32_t warp, const WarpClock& clock);
  // Lanes of the warp have waited for each other.
  void SynchronizeWarp(uint32_t warp) { ++clocks_[warp][warp]; }
  // A fence: joins all that other fences of the block released, and releases.
  void Fence(uint32_t warp);

 private:
  struct Use {
    uint32_t clock = 0;
    uint16_t thread = 0;
    bool strong = false;
    bool any = false;
  };
  struct Cell {
    uint32_t block = 0;  // the block whose uses these are
    uint32_t write_step = 0;
    Use write;
    Use reads[2];  // of two different threads, the later one first
  };

  // The uses of the four bytes of a word: one cell, as long as all of them are used together.
  struct Word {
    Cell whole;
    bool split = false;  // each byte has a cell of its own, in byte_cells_
  };

  Word& WordAt(uint32_t index) {
    Word& word = words_[index];
    if (word.whole.block != block_) StartWord(word);
    return word;
  }
  void StartWord(Word& word);
  // The cells of the bytes from `offset` on, of which there are `size` in one word; one cell for
  // all of a word.
  std::span<Cell> CellsAt(uint32_t offset, uint32_t size);
  bool Races(const Use& use, const Accessor& accessor) const {
    if (!use.any || (use.strong && accessor.strong)) return false;
    if (use.thread == accessor.warp * kWarpLanes + accessor.lane) return false;
    uint32_t warp = use.thread / kWarpLanes;
    uint32_t known = clocks_[accessor.warp][warp];
    return warp == accessor.warp ? use.clock >= known : use.clock > known;
  }
  Use UseOf(const Accessor& accessor) const {
    return {clocks_[accessor.warp][accessor.warp],
            static_cast<uint16_t>(accessor.warp * kWarpLanes + accessor.lane), accessor.strong,
            true};
  }
  static void NoteRead(Cell& cell, const Use& use) {
    if (cell.reads[0].any && cell.reads[0].thread != use.thread) cell.reads[1] = cell.reads[0];
    cell.reads[0] = use;
  }
  void ReadCell(Cell& cell, const Accessor& accessor, const Use& use, Result& result) const;
  void WriteCell(Cell& cell, const Accessor& accessor, const Use& use, bool same_value,
                 Result& result) const;

  std::vector<std::byte> bytes_;
  std::vector<Word> words_;
  std::vector<Cell> byte_cells_;  // those of words that are split
  std::array<WarpClock, kMaxWarps> clocks_ = {};
  WarpClock fences_ = {};
  uint32_t block_ = 0;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_SHARED_MEMORY_H_
