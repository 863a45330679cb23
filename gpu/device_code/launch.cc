#include "launch.h"

#include <algorithm>

#include "launch_sizes.h"

namespace tfrt::gpu {
namespace {

// More than enough for the largest GPUs; each block then has more than one thing to do.
constexpr int64_t kMostBlocks = 1 << 16;
constexpr uint32_t kElementwiseThreads = 256;

int64_t CeilDiv(int64_t size, int64_t part) { return size / part + (size % part != 0 ? 1 : 0); }

DeviceLaunch Launch(int64_t blocks, int64_t threads) {
  return {static_cast<uint32_t>(std::min(blocks, kMostBlocks)), static_cast<uint32_t>(threads)};
}

// Whole warps for so many things to do, as many as a block has at most.
int64_t RowThreads(int64_t count) {
  const int64_t whole = CeilDiv(std::max(count, int64_t{1}), device::kWarp) * device::kWarp;
  return std::min(whole, int64_t{device::kMostRowThreads});
}

}  // namespace

DeviceLaunch ElementwiseLaunch(int64_t size) {
  return Launch(CeilDiv(size, kElementwiseThreads), kElementwiseThreads);
}

DeviceLaunch RowsLaunch(int64_t rows, int64_t columns) { return Launch(rows, RowThreads(columns)); }

DeviceLaunch ColumnsLaunch(int64_t outer, int64_t size, int64_t inner) {
  // A warp for each element of a column, as far as there are warps.
  const int64_t most_warps = device::kMostRowThreads / device::kWarp;
  const int64_t warps = std::clamp(size, int64_t{1}, most_warps);
  return Launch(outer * CeilDiv(inner, device::kWarp), warps * device::kWarp);
}

DeviceLaunch TransposeLaunch(int64_t batch, int64_t rows, int64_t columns) {
  const int64_t tile = device::kTransposeTile;
  return Launch(batch * CeilDiv(rows, tile) * CeilDiv(columns, tile), device::kTransposeThreads);
}

DeviceLaunch MatMulLaunch(int64_t batch, int64_t m, int64_t n) {
  const int64_t tile = device::kMatMulTile;
  return Launch(batch * CeilDiv(m, tile) * CeilDiv(n, tile), device::kMatMulThreads);
}

}  // namespace tfrt::gpu
