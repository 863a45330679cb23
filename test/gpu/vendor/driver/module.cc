#include "module.h"

#include <algorithm>

namespace tfrt::gpu::cuda_double {

uint32_t MaxThreads(const ptx::Entry& entry) {
  uint64_t most = kMaxThreadsPerBlock;
  if (entry.maximum_threads) most = std::min(most, entry.maximum_threads->count());
  if (entry.required_threads) most = std::min(most, entry.required_threads->count());
  // Registers are given to warps, in multiples of eight per thread.
  uint64_t per_warp = (std::max(entry.registers, 1u) + 7) / 8 * 8 * kWarpSize;
  return static_cast<uint32_t>(std::min(most, kRegistersPerMultiprocessor / per_warp * kWarpSize));
}

uint32_t MaxResidentBlocks(const ptx::Entry& entry, uint32_t num_threads, uint64_t dynamic_bytes) {
  if (num_threads == 0 || num_threads > MaxThreads(entry)) return 0;
  if (dynamic_bytes > kSharedBytesPerMultiprocessor) return 0;
  uint64_t num_warps = (num_threads + kWarpSize - 1) / kWarpSize;
  uint64_t shared =
      (entry.static_shared_bytes + dynamic_bytes + kReservedSharedBytesPerBlock + 127) / 128 * 128;
  uint64_t registers = num_warps * ((std::max(entry.registers, 1u) + 7) / 8 * 8) * kWarpSize;
  uint64_t blocks = std::min<uint64_t>(kBlocksPerMultiprocessor,
                                       kThreadsPerMultiprocessor / (num_warps * kWarpSize));
  blocks = std::min(blocks, kSharedBytesPerMultiprocessor / shared);
  return static_cast<uint32_t>(std::min(blocks, kRegistersPerMultiprocessor / registers));
}

}  // namespace tfrt::gpu::cuda_double
