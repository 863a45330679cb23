// Checks of device code that are possible before a driver gets it.
#ifndef TFRT_GPU_RUNTIME_IMAGE_H_
#define TFRT_GPU_RUNTIME_IMAGE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"

namespace tfrt::gpu::internal {

// Checks an image, because drivers do not get its length. OK for a text, which ends at its zero
// byte. OK for a binary (ELF, or the vendor's container of several) whose parts lie in the image by
// its own tables. InvalidArgument "device code is neither text nor a binary that is known", "device
// code is cut: its section 3 ends at byte 4096 of 1024". The contents of the parts are not checked.
Status CheckImage(std::string_view image);

// The sizes of an entry point's parameters as its PTX text declares them. Nothing if the image is
// no text, has no such entry point, or declares it in a way that this does not know.
std::optional<std::vector<uint32_t>> ParametersInText(std::string_view image,
                                                      std::string_view entry);

}  // namespace tfrt::gpu::internal

#endif  // TFRT_GPU_RUNTIME_IMAGE_H_
