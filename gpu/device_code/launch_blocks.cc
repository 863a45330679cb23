#include "launch_blocks.h"

#include <algorithm>

#include "block_threads.h"

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

}  // namespace tfrt::gpu
