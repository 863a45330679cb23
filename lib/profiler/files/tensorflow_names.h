// Interprets the names of events in TensorFlow's profiles.
#ifndef TFRT_LIB_PROFILER_FILES_TENSORFLOW_NAMES_H_
#define TFRT_LIB_PROFILER_FILES_TENSORFLOW_NAMES_H_

#include <string_view>

#include "foreign_profile.h"

namespace tfrt::profiler {

struct TensorFlowName {
  ForeignRole role = ForeignRole::kCall;
  std::string_view name;  // of the node, or of the function
  std::string_view op = {};
};

// Interprets an event of the host. The name "conv1:Conv2D" is an op, "EagerLocalExecute:
// __inference_f_15" a run of the traced function f, "SessionRun" a run of a graph. All others are
// calls.
TensorFlowName TensorFlowNameOf(std::string_view name);

// Returns whether a row of a device's events is one of its streams; the others repeat the same
// events.
bool IsTensorFlowStream(std::string_view row_name);

// Returns the role of an event of a stream.
ForeignRole TensorFlowDeviceRole(std::string_view name);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_TENSORFLOW_NAMES_H_
