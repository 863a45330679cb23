#include "launch.h"

#include <algorithm>

#include "launch_sizes.h"

namespace tfrt::gpu {
namespace {

// More than enough for the largest GPUs; each block then has more than one thing to do.
constexpr int64_t kMostBlocks = 1 << 16;

// A thread of an element-wise kernel computes this many elements or a few more. Beyond some blocks
// for each multiprocessor of the largest GPUs it computes several times as many.
constexpr int64_t kElementwiseThreads = 256, kElementsOfThread = 4, kMostElementwiseBlocks = 4096;

// As many blocks as a large GPU runs at the same time, or more.
constexpr int64_t kBusyBlocks = 1024;

using device::CeilDiv;

DeviceLaunch Launch(int64_t blocks, int64_t threads, int64_t most = kMostBlocks) {
  return {static_cast<uint32_t>(std::min(blocks, most)), static_cast<uint32_t>(threads)};
}

// The blocks of the first launch of a reduction.
int64_t ReductionBlocks(int64_t outer, int64_t size, int64_t inner, int64_t parts) {
  switch (device::ReductionWayOf(size, inner, parts)) {
    case device::ReductionWay::kThread:
      return CeilDiv(outer * inner, device::kRowThreads);
    case device::ReductionWay::kWarp:
      return CeilDiv(outer * parts, device::kRowThreads / device::kWarp);
    case device::ReductionWay::kBlock:
      return outer * parts;
    case device::ReductionWay::kColumns:
      return outer * parts * CeilDiv(inner, device::kWarp);
  }
  return 0;
}

// In how many parts `size` is reduced. A second launch costs as much as some 10,000 elements. A
// part has so many elements that its state is little beside them.
int64_t ReductionParts(int64_t outer, int64_t size, int64_t inner) {
  constexpr int64_t kLeastInRow = 4096, kLeastInColumn = 512, kLeastInColumns = 16384;
  const bool is_row = inner == 1;
  const int64_t columns = device::ReductionColumns(inner);
  const int64_t least =
      is_row ? kLeastInRow : std::max(kLeastInColumn, CeilDiv(kLeastInColumns, columns));
  const int64_t blocks = ReductionBlocks(outer, size, inner, 1);
  if (blocks > kBusyBlocks / 2 || size < (is_row ? 4 : 2) * least) return 1;
  const int64_t parts = std::min(CeilDiv(size, least), CeilDiv(kBusyBlocks, blocks));
  // Parts are rounded up: the last ones may be empty.
  return CeilDiv(size, device::PartSize(size, parts));
}

}  // namespace

DeviceLaunch ElementwiseLaunch(int64_t size) {
  return Launch(CeilDiv(size, kElementwiseThreads * kElementsOfThread), kElementwiseThreads,
                kMostElementwiseBlocks);
}

ReductionLaunch PlanReduction(int64_t outer, int64_t size, int64_t inner) {
  ReductionLaunch plan;
  if (outer == 0 || inner == 0) return plan;
  plan.parts = ReductionParts(outer, size, inner);
  plan.first = Launch(ReductionBlocks(outer, size, inner, plan.parts), device::kRowThreads);
  if (plan.parts > 1) {
    plan.combine = Launch(outer * CeilDiv(inner, device::kWarp), device::kRowThreads);
    plan.scratch_bytes = outer * plan.parts * inner * device::kReductionStateBytes;
  }
  return plan;
}

DeviceLaunch SoftmaxLaunch(int64_t rows, int64_t columns) {
  const bool by_blocks = columns > device::kSoftmaxMostOfWarp;
  const int64_t at_once = by_blocks ? 1 : device::kRowThreads / device::kWarp;
  return Launch(CeilDiv(rows, at_once), device::kRowThreads);
}

DeviceLaunch TransposeLaunch(int64_t batch, int64_t rows, int64_t columns) {
  const int64_t tile = device::kTransposeTile;
  return Launch(batch * CeilDiv(rows, tile) * CeilDiv(columns, tile), device::kTransposeThreads);
}

MatMulLaunch PlanMatMul(int64_t batch, int64_t m, int64_t n, int64_t k) {
  MatMulLaunch plan;
  if (batch == 0 || m == 0 || n == 0) return plan;
  plan.has_few_rows = m <= device::kMatMulFewRows;
  const int64_t tiles = plan.has_few_rows
                            ? CeilDiv(n, device::kMatMulFewColumns)
                            : CeilDiv(m, device::kMatMulTile) * CeilDiv(n, device::kMatMulTile);
  // Sums of parts are written and read once more, which is little beside so many elements of b, or
  // of products.
  const int64_t least = plan.has_few_rows ? 128 * m : 256, blocks = batch * tiles;
  if (blocks <= kBusyBlocks / 2 && k >= 2 * least) {
    const int64_t parts = std::min(k / least, CeilDiv(kBusyBlocks, blocks));
    plan.parts = CeilDiv(k, device::PartSize(k, parts));
  }
  plan.first =
      Launch(plan.parts * blocks, plan.has_few_rows ? device::kRowThreads : device::kMatMulThreads);
  if (plan.parts > 1) {
    plan.combine = Launch(CeilDiv(batch * m * n, device::kWarp), device::kRowThreads);
    plan.scratch_bytes = plan.parts * batch * m * n * device::kMatMulSumBytes;
  }
  return plan;
}

}  // namespace tfrt::gpu
