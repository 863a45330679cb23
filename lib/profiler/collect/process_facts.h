// Facts in a profile about the process and the machine that made it.
#ifndef TFRT_LIB_PROFILER_COLLECT_PROCESS_FACTS_H_
#define TFRT_LIB_PROFILER_COLLECT_PROCESS_FACTS_H_

#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

// Adds the properties of profile_properties.h that hold for any program: producer, command, clock,
// processor.
void AddProcessFacts(ProfileConsumer* consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_PROCESS_FACTS_H_
