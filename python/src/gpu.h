// The devices gpu:0, gpu:1, ... of contexts, in a package that has the GPU half.
#ifndef TFRT_PYTHON_GPU_H_
#define TFRT_PYTHON_GPU_H_

#include "tfrt/host_context/host_context.h"

namespace tfrt::python {

// Makes the kind "gpu" known to a new host, when a device of that kind is first requested. Opens
// nothing before. In a package without the GPU half such a request fails with the reason.
void OfferGpuDevices(HostContext& host);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_GPU_H_
