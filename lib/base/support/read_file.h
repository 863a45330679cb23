// ReadFile: reads the bytes of a file.
#ifndef TFRT_LIB_BASE_SUPPORT_READ_FILE_H_
#define TFRT_LIB_BASE_SUPPORT_READ_FILE_H_

#include <string>

#include "tfrt/support/status.h"

namespace tfrt {

// Fails with Internal and the system's reason if the file cannot be opened or read. A directory
// cannot be read.
StatusOr<std::string> ReadFile(const std::string& path);

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_READ_FILE_H_
