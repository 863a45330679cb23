#include "cublas_result.h"

namespace tfrt::gpu::cublas {

std::string_view ResultName(cublasStatus_t result) {
  switch (result) {
#define TFRT_CUBLAS_RESULT(name, value, code) \
  case name:                                  \
    return #name;
    TFRT_CUBLAS_RESULTS(TFRT_CUBLAS_RESULT)
#undef TFRT_CUBLAS_RESULT
  }
  return {};
}

}  // namespace tfrt::gpu::cublas
