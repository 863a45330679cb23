#ifndef TFRT_LIB_PROFILER_PERFETTO_EXTENSION_DESCRIPTOR_H_
#define TFRT_LIB_PROFILER_PERFETTO_EXTENSION_DESCRIPTOR_H_

#include <string>

namespace tfrt::profiler {

// An encoded google.protobuf.FileDescriptorSet of tfrt_trace.proto, as far as it is about events:
// with it Perfetto's tools show TfrtEvent as arguments of slices.
std::string ExtensionDescriptorSet();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_EXTENSION_DESCRIPTOR_H_
