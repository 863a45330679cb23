// The devices of kind "cpu".
#ifndef TFRT_LIB_RUNTIME_HOST_CPU_DEVICE_H_
#define TFRT_LIB_RUNTIME_HOST_CPU_DEVICE_H_

#include "tfrt/host_context/device.h"

namespace tfrt::internal {

// cpu:0 has the host's memory; cpu:1, ... compute as it does, in memory of their
// own, so that tensors are copied between them.
RCReference<Device> CreateCpuDevice(HostContext* host, int ordinal);

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_HOST_CPU_DEVICE_H_
