#include "empty_driver.h"
#include "gpu_cases.h"

namespace tfrt::bench {

Cases AllCases() { return GpuCases(EmptyDriver()); }

}  // namespace tfrt::bench
