// WriteFile: a file that is there whole or not at all.
#ifndef TFRT_SUPPORT_WRITE_FILE_H_
#define TFRT_SUPPORT_WRITE_FILE_H_

#include <cstddef>
#include <functional>
#include <string>

#include "tfrt/support/status.h"

namespace tfrt {

// Takes the bytes of a file in order; false if it cannot.
using ByteSink = std::function<bool(const void* data, size_t size_bytes)>;

// Replaces the file at `path` by what `write` hands to the sink. It is a new file that takes the
// name when it is complete: whoever has the old one open or mapped, `write` itself perhaps, keeps
// that, and after an error it is still there. The error of `write`, or Internal "cannot write
// 'PATH': REASON".
Status WriteFile(const std::string& path, const std::function<Status(const ByteSink&)>& write);

}  // namespace tfrt

#endif  // TFRT_SUPPORT_WRITE_FILE_H_
