// Profiles in the format of TensorFlow's profiler: an XSpace message (NAME.xplane.pb).
#ifndef TFRT_LIB_PROFILER_FILES_XSPACE_PROFILE_H_
#define TFRT_LIB_PROFILER_FILES_XSPACE_PROFILE_H_

#include <string>
#include <string_view>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Returns whether these first bytes of a file, 512 or all of them, may begin such a message. Such
// files have no mark, so their beginning is only compared with typical ones. Test formats that have
// a mark first.
bool LooksLikeXSpace(std::string_view first_bytes);

// Reads the file into the project's own types: ops become layers, calls of traced functions become
// runs of models. Holds it in memory as a whole. Fails with InvalidArgument for files of more than
// 1 GiB, and for files that are no such message from the first byte on. Later damage is reported as
// a problem.
Status ReadXSpace(const std::string& path, ProfileConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_XSPACE_PROFILE_H_
