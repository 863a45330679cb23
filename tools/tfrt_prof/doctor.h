// tfrt_prof doctor, metrics: what can be recorded here, and what to do about the rest.
#ifndef TFRT_TOOLS_TFRT_PROF_DOCTOR_H_
#define TFRT_TOOLS_TFRT_PROF_DOCTOR_H_

#include <string>

#include "tfrt/profiler/figures.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

Report Examine();
// Counters of a GPU's chip. Errors: OpenDeviceTools and DeviceTools::list_metrics.
StatusOr<Report> ListChipMetrics(const std::string& chip);

}  // namespace tfrt::profiler

#endif  // TFRT_TOOLS_TFRT_PROF_DOCTOR_H_
