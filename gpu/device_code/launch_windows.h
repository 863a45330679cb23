// How to launch the kernels of conv.cu and of pools: grids, and the arguments that describe
// windows. As launch_blocks.h.
#ifndef TFRT_GPU_DEVICE_CODE_LAUNCH_WINDOWS_H_
#define TFRT_GPU_DEVICE_CODE_LAUNCH_WINDOWS_H_

#include <array>
#include <cstdint>

#include "launch.h"

namespace tfrt::gpu {

// Numbers along depth, rows and columns of images; of those that an image has not, sizes and steps
// are 1, paddings 0.
using SpatialNumbers = std::array<int32_t, 3>;

// The arguments WINDOWS of conv_*, and but for `groups` and `outputs` those of pools, in this
// order.
struct DeviceWindows {
  int32_t batch = 1;
  int32_t groups = 1;
  int32_t channels = 1;  // of a group
  int32_t outputs = 1;   // of a group
  SpatialNumbers in = {1, 1, 1};
  SpatialNumbers out = {1, 1, 1};
  SpatialNumbers taps = {1, 1, 1};
  SpatialNumbers stride = {1, 1, 1};
  SpatialNumbers dilation = {1, 1, 1};
  SpatialNumbers before = {};
  int32_t channels_last = 0;

  int64_t in_pixels() const;
  int64_t out_pixels() const;
  int64_t filter_size() const;
  // Whether conv_* takes them: the sizes of its matrices are below 2^31.
  bool fits_conv() const;
};

DeviceLaunch ConvLaunch(const DeviceWindows& windows);
DeviceLaunch ConvInputGradLaunch(const DeviceWindows& windows);
// conv_filter_grad_*. Its argument `num_parts` follows from the sizes alone.
int32_t ConvFilterGradParts(const DeviceWindows& windows);
DeviceLaunch ConvFilterGradLaunch(const DeviceWindows& windows);

// max_pool_*, average_pool_*, lp_pool_*, and the gradients of pools.
DeviceLaunch PoolLaunch(const DeviceWindows& windows);
DeviceLaunch PoolGradLaunch(const DeviceWindows& windows);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_LAUNCH_WINDOWS_H_
