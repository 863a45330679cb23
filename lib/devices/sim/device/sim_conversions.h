// Helpers that conversions and the runner of ops share.
#ifndef TFRT_LIB_DEVICES_SIM_DEVICE_SIM_CONVERSIONS_H_
#define TFRT_LIB_DEVICES_SIM_DEVICE_SIM_CONVERSIONS_H_

#include "sim_tensor.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::sim::internal {

// Enqueues the copy of a tensor of the host to the device; what it reads lives until then.
StatusOr<DenseSimTensor> CopyToSim(const DenseHostTensor& tensor, SimDevice& device,
                                   const ExecutionContext& exec_ctx);

}  // namespace tfrt::sim::internal

#endif  // TFRT_LIB_DEVICES_SIM_DEVICE_SIM_CONVERSIONS_H_
