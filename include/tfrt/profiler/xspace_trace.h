// Traces of TensorFlow's profiler as it writes them: an XSpace message (NAME.xplane.pb).
#ifndef TFRT_PROFILER_XSPACE_TRACE_H_
#define TFRT_PROFILER_XSPACE_TRACE_H_

#include <string>
#include <string_view>

#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// The first bytes of a file, 512 or all of them. Such files have no mark: what they begin with is
// compared with what such messages begin with, so ask after formats that have one.
bool LooksLikeXSpace(std::string_view first_bytes);

// Reads it into the types of our own traces: ops as layers, calls of traced functions as runs of
// models. In memory as a whole: InvalidArgument for files of more than 1 GiB, and for what is no
// such message from the first byte on; what is broken later is a problem.
Status ReadXSpace(const std::string& path, TraceConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_XSPACE_TRACE_H_
