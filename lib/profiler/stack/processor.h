// Which processor this is, as far as it decides what it can do.
#ifndef TFRT_LIB_PROFILER_STACK_PROCESSOR_H_
#define TFRT_LIB_PROFILER_STACK_PROCESSOR_H_

#include "tfrt/profiler/machine.h"

namespace tfrt::profiler {

struct ProcessorModel {
  enum class Vendor : uint8_t { kOther, kIntel, kAmd };
  Vendor vendor = Vendor::kOther;
  unsigned family = 0, model = 0;
};
ProcessorModel ReadProcessorModel();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STACK_PROCESSOR_H_
