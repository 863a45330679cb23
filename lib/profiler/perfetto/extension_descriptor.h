#ifndef TFRT_LIB_PROFILER_PERFETTO_EXTENSION_DESCRIPTOR_H_
#define TFRT_LIB_PROFILER_PERFETTO_EXTENSION_DESCRIPTOR_H_

#include <string>

namespace tfrt::profiler {

// Returns an encoded google.protobuf.FileDescriptorSet of the parts of tfrt_trace.proto that
// concern events. With it Perfetto's tools show TfrtEvent as arguments of slices.
std::string ExtensionDescriptorSet();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_EXTENSION_DESCRIPTOR_H_
