#include "launch_windows.h"

#include <algorithm>

#include "launch_blocks.h"
#include "window_sizes.h"

namespace tfrt::gpu {
namespace {

int64_t ProductOf(const SpatialNumbers& numbers) {
  return int64_t{numbers[0]} * numbers[1] * numbers[2];
}

int64_t NumTiles(int64_t rows, int64_t columns) {
  const int64_t tile = device::kConvTile;
  return ((rows + tile - 1) / tile) * ((columns + tile - 1) / tile);
}

// The rows of a filter's gradient, for each group.
int64_t FilterRows(const DeviceWindows& windows) {
  return ProductOf(windows.taps) * windows.channels;
}

}  // namespace

int64_t DeviceWindows::in_pixels() const { return batch * ProductOf(in); }
int64_t DeviceWindows::out_pixels() const { return batch * ProductOf(out); }
int64_t DeviceWindows::filter_size() const { return ProductOf(taps) * channels * groups * outputs; }
bool DeviceWindows::fits_conv() const {
  const int64_t deepest = ProductOf(taps) * std::max(channels, outputs);
  return std::max({in_pixels(), out_pixels(), deepest}) <= INT32_MAX;
}

DeviceLaunch ConvLaunch(const DeviceWindows& windows) {
  return BlocksLaunch(windows.groups * NumTiles(windows.out_pixels(), windows.outputs));
}

DeviceLaunch ConvInputGradLaunch(const DeviceWindows& windows) {
  return BlocksLaunch(windows.groups * NumTiles(windows.in_pixels(), windows.channels));
}

int32_t ConvFilterGradParts(const DeviceWindows& windows) {
  // Enough blocks for the largest GPUs, but no parts that take less time than adding them.
  constexpr int64_t kBlocks = 512, kLeastDepth = 256, kMostParts = 128;
  const int64_t tiles = windows.groups * NumTiles(FilterRows(windows), windows.outputs);
  const int64_t wanted = tiles == 0 ? 1 : kBlocks / tiles;
  const int64_t possible = windows.out_pixels() / kLeastDepth;
  return static_cast<int32_t>(std::clamp<int64_t>(std::min(wanted, possible), 1, kMostParts));
}

DeviceLaunch ConvFilterGradLaunch(const DeviceWindows& windows) {
  return BlocksLaunch(windows.groups * NumTiles(FilterRows(windows), windows.outputs) *
                      ConvFilterGradParts(windows));
}

DeviceLaunch PoolLaunch(const DeviceWindows& windows) {
  return ThreadsLaunch(windows.out_pixels() * windows.channels);
}

DeviceLaunch PoolGradLaunch(const DeviceWindows& windows) {
  return ThreadsLaunch(windows.in_pixels() * windows.channels);
}

}  // namespace tfrt::gpu
