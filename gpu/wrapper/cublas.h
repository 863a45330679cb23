// cuBLAS and cublasLt, the vendor's libraries of linear algebra: opened at their first use.
#ifndef TFRT_GPU_WRAPPER_CUBLAS_H_
#define TFRT_GPU_WRAPPER_CUBLAS_H_

#include <string>
#include <string_view>

#include "gpu/abi/cublas_table.h"
#include "gpu/abi/cublaslt_table.h"
#include "tfrt/support/status.h"
#include "vendor_library.h"

namespace tfrt::gpu::cublas {

// libcublas.so.13 or .12, which loads the cublasLt of its release itself.
const VendorFacts& FactsOf(const Table* table);
using Library = VendorLibrary<Table>;

// "13.1.0" of 130100.
std::string VersionText(int version);

// Returns the code that an error of either library has as a Status; kUnknown if it is newer than
// our table.
StatusCode CodeOf(cublasStatus_t result);
// Returns OK, or an error "WHAT: CUBLAS_STATUS_NAME" with that code.
inline Status StatusOf(cublasStatus_t result, std::string_view what) {
  return LibraryStatus(result, what);
}

}  // namespace tfrt::gpu::cublas

namespace tfrt::gpu::cublaslt {

// libcublasLt.so.13 or .12.
const VendorFacts& FactsOf(const Table* table);
using Library = VendorLibrary<Table>;

}  // namespace tfrt::gpu::cublaslt

#endif  // TFRT_GPU_WRAPPER_CUBLAS_H_
