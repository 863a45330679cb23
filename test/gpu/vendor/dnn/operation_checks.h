// Checks of operations, and of their parameters, when they are finalised.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_OPERATION_CHECKS_H_
#define TFRT_TEST_GPU_VENDOR_DNN_OPERATION_CHECKS_H_

#include "backend.h"

namespace tfrt::gpu::cudnn_double {

// Returns what the vendor's library returns (test/gpu/oracle/check_cases.py). Other descriptors
// than operations and their parameters are not looked at.
cudnnStatus_t CheckParameters(const Backend& parameters);
cudnnStatus_t CheckOperation(const Backend& operation);

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_OPERATION_CHECKS_H_
