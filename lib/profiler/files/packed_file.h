// What gzip packs.
#ifndef TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_
#define TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::profiler {

// The whole file, unpacked. The errors of TraceSource; ResourceExhausted if it has more than
// `max_bytes`, DataLoss if it is cut off.
StatusOr<std::string> ReadPackedFile(const std::string& path, size_t max_bytes);
// `bytes` packed by gzip, the same for the same bytes.
std::string GzipOf(std::string_view bytes);
bool LooksPacked(std::string_view first_bytes);
// What the first bytes of a file are when unpacked, as far as they say; else `first_bytes`.
std::string FirstUnpacked(std::string_view first_bytes);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_
