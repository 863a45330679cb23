#include "cudnn_result.h"

namespace tfrt::gpu::cudnn {

std::string_view ResultName(cudnnStatus_t result) {
  switch (result) {
#define TFRT_CUDNN_RESULT(name, value, code) \
  case name:                                 \
    return #name;
    TFRT_CUDNN_RESULTS(TFRT_CUDNN_RESULT)
#undef TFRT_CUDNN_RESULT
  }
  return {};
}

}  // namespace tfrt::gpu::cudnn
