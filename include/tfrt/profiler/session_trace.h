// What a tracing session has recorded, as a trace for analyses and files.
#ifndef TFRT_PROFILER_SESSION_TRACE_H_
#define TFRT_PROFILER_SESSION_TRACE_H_

#include "tfrt/profiler/trace.h"
#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {

// Tells `consumer` of all records: a track for each thread, the records' own types, and how many
// found no room. Does not call Finish, so that the caller may add properties.
void TraceFromSession(const tracing::Trace& trace, TraceConsumer& consumer);

// The same in memory.
Trace TraceFromSession(const tracing::Trace& trace);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_SESSION_TRACE_H_
