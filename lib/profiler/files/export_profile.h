// ExportProfile: converts a profile file from one format to another.
#ifndef TFRT_LIB_PROFILER_FILES_EXPORT_PROFILE_H_
#define TFRT_LIB_PROFILER_FILES_EXPORT_PROFILE_H_

#include <functional>
#include <memory>
#include <string>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Reads a profile of any format into a consumer, and finishes it.
using ProfileReader = std::function<Status(const std::string& path, ProfileConsumer& consumer)>;
// Makes the writer of a file: CreateChromeJsonWriter and the like.
using ProfileWriterMaker =
    std::function<StatusOr<std::unique_ptr<ProfileConsumer>>(const std::string& path)>;

// Exports the profile at `from` to `to`. On success `to` is complete; otherwise it is as before.
// Returns InvalidArgument if both paths are one file.
Status ExportProfile(const std::string& from, const std::string& to, const ProfileReader& read,
                     const ProfileWriterMaker& make_writer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_EXPORT_PROFILE_H_
