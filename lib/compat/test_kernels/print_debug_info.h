// The shared part of the async and the sync form of print_debug_info.
#ifndef TFRT_LIB_COMPAT_TEST_KERNELS_PRINT_DEBUG_INFO_H_
#define TFRT_LIB_COMPAT_TEST_KERNELS_PRINT_DEBUG_INFO_H_

#include "tfrt/support/location.h"

namespace tfrt {

// Prints the location's debug info, or that there is none, as one line.
void PrintDebugInfo(Location location);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_TEST_KERNELS_PRINT_DEBUG_INFO_H_
