// Records that say whether a vendor's library or kernels of ours compute a call, and why.
#ifndef TFRT_GPU_OPS_LIBRARY_USE_H_
#define TFRT_GPU_OPS_LIBRARY_USE_H_

#include <cstdint>
#include <string_view>

#include "gpu/libraries/library_choice.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// The reasons, as records name them.
enum class LibraryReason : uint8_t {
  kServes,       // "serves it": the library computes the call
  kOwnChosen,    // "TFRT_GPU_LIBRARIES=own"
  kNotFound,     // "not found": no library could be opened
  kSmall,        // "small": a call of the library costs more than it saves
  kMemoryBound,  // "bound by memory": kernels of ours move no more bytes
  kUnsupported,  // "unsupported": dtype, layout or sizes that the library does not take
};

// Records that a plan of the op is made with `library` ("cuBLAS"), or without it.
void NoteLibraryUse(std::string_view op_name, std::string_view library, LibraryReason reason);

// The same for an op that could not open the library, with OK; or its error, if the choice is
// kVendor.
Status NoteMissingLibrary(std::string_view op_name, std::string_view library, LibraryChoice choice,
                          const Status& error);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_LIBRARY_USE_H_
