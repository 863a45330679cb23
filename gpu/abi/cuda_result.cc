#include "cuda_result.h"

namespace tfrt::gpu::cuda {

std::string_view ResultName(CUresult result) {
  switch (result) {
#define TFRT_CUDA_RESULT(name, value) \
  case name:                          \
    return #name;
    TFRT_CUDA_RESULTS(TFRT_CUDA_RESULT)
#undef TFRT_CUDA_RESULT
  }
  return {};
}

}  // namespace tfrt::gpu::cuda
