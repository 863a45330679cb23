// Profiles as JSON of Chrome's trace event format. The project's own are written and read exactly;
// profiles of other tools can be read.
#ifndef TFRT_LIB_PROFILER_FILES_JSON_PROFILE_H_
#define TFRT_LIB_PROFILER_FILES_JSON_PROFILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Creates the writer of a file for viewers (ui.perfetto.dev, chrome://tracing). ReadJsonProfile
// restores all data from it: ids, times to the nanosecond, names of any bytes, problems. Viewers
// need events of one row to nest, so overlapping events on a track get separate rows. Events that
// share a correlation id are joined by arrows (of the first million).
//
// The file exists when Finish returns OK. Fails with Internal if no file can be made in the path's
// folder.
StatusOr<std::unique_ptr<ProfileConsumer>> CreateChromeJsonWriter(const std::string& path);

// Returns whether these may be the first bytes of such a file, 512 or all of them: JSON, packed by
// gzip or not.
bool LooksLikeJsonProfile(std::string_view first_bytes);

// Reads files of CreateChromeJsonWriter. Converts the profiles of ONNX Runtime, of PyTorch
// (export_chrome_trace) and of TensorFlow (trace.json.gz) into the project's own types; any other
// Chrome trace becomes scopes.
//
// Own files need memory only for their names. Files of others are held as a whole, up to 10^7
// events, because nesting is only known at the end. A damaged or truncated file is read up to the
// damage, which is reported as a problem. Fails with InvalidArgument if the file is no profile at
// all.
Status ReadJsonProfile(const std::string& path, ProfileConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_JSON_PROFILE_H_
