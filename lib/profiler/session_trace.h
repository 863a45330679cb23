// Converts the records of a tracing session to a trace for analyses and files.
#ifndef TFRT_LIB_PROFILER_SESSION_TRACE_H_
#define TFRT_LIB_PROFILER_SESSION_TRACE_H_

#include "tfrt/profiler/trace.h"
#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {

// Passes all records to `consumer`: a track for each thread, the records' own types, and how many
// did not fit. Does not call Finish, so that the caller may add properties.
void TraceFromSession(const tracing::Trace& trace, TraceConsumer& consumer);

// As above, into memory.
Trace TraceFromSession(const tracing::Trace& trace);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_SESSION_TRACE_H_
