#include "gpu/double/ptx/shared_memory.h"

#include <algorithm>
#include <cstring>

namespace tfrt::gpu::ptx {
namespace {

void Join(WarpClock& into, const WarpClock& from) {
  for (uint32_t i = 0; i < kMaxWarps; ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

void SharedMemory::Begin(uint32_t size, uint32_t num_warps) {
  bytes_.resize(size);
  cells_.resize(size);
  ++block_;  // makes all cells those of an earlier block
  fences_ = {};
  for (uint32_t warp = 0; warp < num_warps; ++warp) {
    clocks_[warp] = {};
    clocks_[warp][warp] = 1;
  }
}

SharedMemory::Cell& SharedMemory::CellAt(uint32_t offset) {
  Cell& cell = cells_[offset];
  if (cell.block != block_) {
    cell = Cell();
    cell.block = block_;
  }
  return cell;
}

bool SharedMemory::Races(const Use& use, const Accessor& accessor) const {
  if (!use.any || (use.strong && accessor.strong)) return false;
  if (use.thread == accessor.warp * kWarpLanes + accessor.lane) return false;
  uint32_t warp = use.thread / kWarpLanes;
  uint32_t known = clocks_[accessor.warp][warp];
  return warp == accessor.warp ? use.clock >= known : use.clock > known;
}

SharedMemory::Result SharedMemory::Read(uint32_t offset, uint32_t size, const Accessor& accessor) {
  Result result;
  Use use{clocks_[accessor.warp][accessor.warp],
          static_cast<uint16_t>(accessor.warp * kWarpLanes + accessor.lane), accessor.strong, true};
  for (uint32_t i = offset; i < offset + size; ++i) {
    Cell& cell = CellAt(i);
    if (!cell.write.any) {
      if (result.verdict == Verdict::kOk) result.verdict = Verdict::kUninitialised;
    } else if (Races(cell.write, accessor)) {
      result = {Verdict::kRace, cell.write.thread, true};
    }
    if (cell.reads[0].any && cell.reads[0].thread != use.thread) cell.reads[1] = cell.reads[0];
    cell.reads[0] = use;
  }
  return result;
}

SharedMemory::Result SharedMemory::Write(uint32_t offset, uint32_t size, const Accessor& accessor,
                                         const void* value) {
  Result result;
  Use use{clocks_[accessor.warp][accessor.warp],
          static_cast<uint16_t>(accessor.warp * kWarpLanes + accessor.lane), accessor.strong, true};
  uint32_t step = static_cast<uint32_t>(accessor.step);
  for (uint32_t i = offset; i < offset + size; ++i) {
    Cell& cell = CellAt(i);
    if (Races(cell.write, accessor)) {
      bool same =
          cell.write_step == step && cell.write.thread / kWarpLanes == accessor.warp &&
          std::memcmp(bytes_.data() + i, static_cast<const char*>(value) + (i - offset), 1) == 0;
      if (!same) result = {Verdict::kRace, cell.write.thread, true};
    }
    for (const Use& read : cell.reads) {
      if (Races(read, accessor)) result = {Verdict::kRace, read.thread, false};
    }
    cell.write = use;
    cell.write_step = step;
  }
  return result;
}

void SharedMemory::Release(uint32_t warp, WarpClock& clock) {
  Join(clock, clocks_[warp]);
  ++clocks_[warp][warp];
}

void SharedMemory::Acquire(uint32_t warp, const WarpClock& clock) {
  // What a warp knows of itself is its own count.
  uint32_t own = clocks_[warp][warp];
  Join(clocks_[warp], clock);
  clocks_[warp][warp] = own;
}

void SharedMemory::Fence(uint32_t warp) {
  Acquire(warp, fences_);
  Release(warp, fences_);
}

}  // namespace tfrt::gpu::ptx
