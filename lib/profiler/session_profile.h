// Converts the records of a tracing session to a profile for analyses and files.
#ifndef TFRT_LIB_PROFILER_SESSION_PROFILE_H_
#define TFRT_LIB_PROFILER_SESSION_PROFILE_H_

#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {

// Passes all records to `consumer`: a track for each thread, the records' own types, and how many
// did not fit. Does not call Finish, so that the caller may add properties.
void ProfileFromSession(const tracing::Profile& profile, ProfileConsumer& consumer);

// As above, into memory.
Profile ProfileFromSession(const tracing::Profile& profile);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_SESSION_PROFILE_H_
