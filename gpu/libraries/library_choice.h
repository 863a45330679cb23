// LibraryChoice: whether ops of the eager API use the vendors' libraries or the kernels of ours.
#ifndef TFRT_GPU_LIBRARIES_LIBRARY_CHOICE_H_
#define TFRT_GPU_LIBRARIES_LIBRARY_CHOICE_H_

#include <cstdint>

#include "tfrt/support/status.h"

namespace tfrt::gpu {

enum class LibraryChoice : uint8_t {
  kWhereFound,  // the libraries where they are found and serve the call, otherwise kernels of ours
  kOwn,         // kernels of ours; no library is opened
  kVendor,      // as kWhereFound, but a library that cannot be opened is the error of the op
};

// Returns the choice of the environment variable TFRT_GPU_LIBRARIES: `own`, `vendor`, or unset or
// empty for kWhereFound. InvalidArgument for another value.
StatusOr<LibraryChoice> LibraryChoiceFromEnvironment();

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_LIBRARIES_LIBRARY_CHOICE_H_
