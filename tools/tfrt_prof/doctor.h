// tfrt_prof doctor: what can be recorded here, and what to do about the rest.
#ifndef TFRT_TOOLS_TFRT_PROF_DOCTOR_H_
#define TFRT_TOOLS_TFRT_PROF_DOCTOR_H_

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

Report Examine();

}  // namespace tfrt::profiler

#endif  // TFRT_TOOLS_TFRT_PROF_DOCTOR_H_
