#include "cupti_result.h"

namespace tfrt::gpu::cupti {

std::string_view ResultName(CUptiResult result) {
  switch (result) {
#define TFRT_CUPTI_RESULT(name, value) \
  case name:                           \
    return #name;
    TFRT_CUPTI_RESULTS(TFRT_CUPTI_RESULT)
#undef TFRT_CUPTI_RESULT
  }
  return {};
}

}  // namespace tfrt::gpu::cupti
