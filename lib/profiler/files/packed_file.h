// Reads and writes data packed by gzip.
#ifndef TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_
#define TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Returns the whole file, unpacked. Fails like ProfileSource, with ResourceExhausted if it has more
// than `max_bytes`, and with DataLoss if it is truncated.
StatusOr<std::string> ReadPackedFile(const std::string& path, size_t max_bytes);
// Returns `bytes` packed by gzip, the same for the same bytes.
std::string GzipOf(std::string_view bytes);
bool LooksPacked(std::string_view first_bytes);
// Returns the unpacked form of a file's first bytes, as far as possible; otherwise `first_bytes`.
std::string FirstUnpacked(std::string_view first_bytes);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_PACKED_FILE_H_
