// cuDNN, the vendor's library of neural networks: opened at its first use.
#ifndef TFRT_GPU_WRAPPER_CUDNN_H_
#define TFRT_GPU_WRAPPER_CUDNN_H_

#include <string>
#include <string_view>

#include "gpu/abi/cudnn_table.h"
#include "tfrt/support/status.h"
#include "vendor_library.h"

namespace tfrt::gpu::cudnn {

// libcudnn.so.9, which loads its other parts itself.
const VendorFacts& FactsOf(const Table* table);
using Library = VendorLibrary<Table>;

// "9.19.0" of 91900, "8.9.7" of 8907.
std::string VersionText(int version);

// Returns OK, or an error "WHAT: CUDNN_STATUS_NAME (what the library says of it)", with the code of
// CodeOf. Must be called on the thread of the failed call, before its next call of the library.
Status StatusOf(const Table& table, cudnnStatus_t result, std::string_view what);
// The code that an error has as a Status; kUnknown if it is newer than our table.
StatusCode CodeOf(cudnnStatus_t result);

}  // namespace tfrt::gpu::cudnn

#endif  // TFRT_GPU_WRAPPER_CUDNN_H_
