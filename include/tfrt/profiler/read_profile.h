// ReadProfile: reads a profile file of any format.
#ifndef TFRT_PROFILER_READ_PROFILE_H_
#define TFRT_PROFILER_READ_PROFILE_H_

#include <string>

#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Detects the format of the file by its first bytes, and calls the reader of that format. Files may
// be compressed by gzip. Fails with InvalidArgument for a file that cannot be read or has an
// unknown format. An example is "PATH: begins with '%PDF-1.4' (25 50 44 46 ...), which is none of:
// Perfetto".
Status ReadProfile(const std::string& path, ProfileConsumer& consumer);
// Reads the whole profile into memory.
StatusOr<Profile> LoadProfile(const std::string& path);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_READ_PROFILE_H_
