#include "shared_memory.h"

#include <algorithm>
#include <cstring>

namespace tfrt::gpu::ptx {
namespace {

constexpr uint32_t kWordBytes = 4;

void Join(WarpClock& into, const WarpClock& from) {
  for (uint32_t i = 0; i < kMaxWarps; ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

void SharedMemory::Begin(uint32_t size, uint32_t num_warps) {
  bytes_.resize(size);
  words_.resize((size + kWordBytes - 1) / kWordBytes);
  byte_cells_.resize(words_.size() * kWordBytes);
  ++block_;  // makes all cells those of an earlier block
  fences_ = {};
  for (uint32_t warp = 0; warp < num_warps; ++warp) {
    clocks_[warp] = {};
    clocks_[warp][warp] = 1;
  }
}

void SharedMemory::StartWord(Word& word) {
  word = Word();
  word.whole.block = block_;
}

std::span<SharedMemory::Cell> SharedMemory::CellsAt(uint32_t offset, uint32_t size) {
  Word& word = WordAt(offset / kWordBytes);
  if (size == kWordBytes && !word.split) return {&word.whole, 1};
  Cell* cells = &byte_cells_[offset / kWordBytes * kWordBytes];
  if (!word.split) {
    std::fill_n(cells, kWordBytes, word.whole);
    word.split = true;
  }
  return {cells + offset % kWordBytes, size};
}

void SharedMemory::ReadCell(Cell& cell, const Accessor& accessor, const Use& use,
                            Result& result) const {
  if (!cell.write.any) {
    if (result.verdict == Verdict::kOk) result.verdict = Verdict::kUninitialised;
  } else if (Races(cell.write, accessor)) {
    result = {Verdict::kRace, cell.write.thread, true};
  }
  NoteRead(cell, use);
}

SharedMemory::Result SharedMemory::Read(uint32_t offset, uint32_t size, const Accessor& accessor) {
  Result result;
  Use use = UseOf(accessor);
  for (uint32_t end = offset + size; offset < end; offset += kWordBytes) {
    for (Cell& cell : CellsAt(offset, std::min(size, kWordBytes)))
      ReadCell(cell, accessor, use, result);
  }
  return result;
}

void SharedMemory::WriteCell(Cell& cell, const Accessor& accessor, const Use& use, bool same_value,
                             Result& result) const {
  uint32_t step = static_cast<uint32_t>(accessor.step);
  if (Races(cell.write, accessor)) {
    bool same_instruction =
        cell.write_step == step && cell.write.thread / kWarpLanes == accessor.warp;
    if (!same_instruction || !same_value) result = {Verdict::kRace, cell.write.thread, true};
  }
  for (const Use& read : cell.reads) {
    if (Races(read, accessor)) result = {Verdict::kRace, read.thread, false};
  }
  cell.write = use;
  cell.write_step = step;
}

SharedMemory::Result SharedMemory::Write(uint32_t offset, uint32_t size, const Accessor& accessor,
                                         const void* value) {
  Result result;
  Use use = UseOf(accessor);
  const auto* bytes = static_cast<const std::byte*>(value);
  for (uint32_t end = offset + size; offset < end; offset += kWordBytes, bytes += kWordBytes) {
    uint32_t part = std::min(size, kWordBytes);
    bool same_value = std::memcmp(bytes_.data() + offset, bytes, part) == 0;
    for (Cell& cell : CellsAt(offset, part)) WriteCell(cell, accessor, use, same_value, result);
  }
  return result;
}

void SharedMemory::Release(uint32_t warp, WarpClock& clock) {
  Join(clock, clocks_[warp]);
  ++clocks_[warp][warp];
}

void SharedMemory::Acquire(uint32_t warp, const WarpClock& clock) {
  // The entry of the warp itself is its own count.
  uint32_t own = clocks_[warp][warp];
  Join(clocks_[warp], clock);
  clocks_[warp][warp] = own;
}

void SharedMemory::Fence(uint32_t warp) {
  Acquire(warp, fences_);
  Release(warp, fences_);
}

}  // namespace tfrt::gpu::ptx
