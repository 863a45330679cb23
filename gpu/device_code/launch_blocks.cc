#include "launch_blocks.h"

#include <algorithm>

#include "block_threads.h"
#include "launch_sizes.h"

namespace tfrt::gpu {
namespace {

constexpr int64_t kThreads = device::kBlockThreads;
// More than enough for the largest GPUs; each block then has more than one thing to do.
constexpr int64_t kMostGridBlocks = 1 << 16;
// As many as the largest GPUs run at a time: more would only read the same indices again.
constexpr int64_t kMostScatterBlocks = 1 << 10;

int64_t NumParts(int64_t size, int64_t part) { return size / part + (size % part != 0 ? 1 : 0); }

}  // namespace

DeviceLaunch BlocksLaunch(int64_t count) {
  return {static_cast<uint32_t>(std::min(count, kMostGridBlocks)), static_cast<uint32_t>(kThreads)};
}

DeviceLaunch ThreadsLaunch(int64_t count) { return BlocksLaunch(NumParts(count, kThreads)); }

DeviceLaunch ScanLaunch(int64_t outer, int64_t size, int64_t inner) {
  if (size == 0) return BlocksLaunch(0);
  return inner >= device::kManyScanColumns ? ThreadsLaunch(outer * inner)
                                           : BlocksLaunch(outer * inner);
}

DeviceLaunch TopKLaunch(int64_t outer, int64_t inner, int64_t k) {
  return BlocksLaunch(k == 0 ? 0 : outer * inner);
}

DeviceLaunch ScatterLaunch(int64_t updates, int64_t elements) {
  if (updates == 0) return BlocksLaunch(0);
  return BlocksLaunch(std::min(NumParts(elements, kThreads), kMostScatterBlocks));
}

DeviceLaunch AttentionLaunch(int64_t batch, int64_t heads, int64_t queries, int64_t value_size) {
  return BlocksLaunch(batch * heads * NumParts(queries, device::kAttentionRows) *
                      NumParts(value_size, device::kAttentionColumns));
}

DeviceLaunch TeamRowsLaunch(int64_t rows, int64_t columns) {
  constexpr int64_t kWarps = kThreads / device::kWarp;
  return BlocksLaunch(columns <= device::kWarpRow ? NumParts(rows, kWarps) : rows);
}

int64_t ColumnParts(int64_t rows, int64_t columns) {
  // Enough blocks for the largest GPUs, but no parts that take less time than adding them.
  constexpr int64_t kBlocks = 512, kLeastRows = 64, kMostParts = 256;
  const int64_t groups = std::max<int64_t>(NumParts(columns, device::kColumnsAtOnce), 1);
  return std::clamp<int64_t>(std::min(kBlocks / groups, rows / kLeastRows), 1, kMostParts);
}

DeviceLaunch ColumnPartsLaunch(int64_t rows, int64_t columns) {
  return BlocksLaunch(NumParts(columns, device::kColumnsAtOnce) * ColumnParts(rows, columns));
}

}  // namespace tfrt::gpu
