// What names of events in TensorFlow's traces mean.
#ifndef TFRT_LIB_PROFILER_FILES_TENSORFLOW_NAMES_H_
#define TFRT_LIB_PROFILER_FILES_TENSORFLOW_NAMES_H_

#include <string_view>

#include "foreign_trace.h"

namespace tfrt::profiler {

struct TensorFlowName {
  ForeignRole role = ForeignRole::kCall;
  std::string_view name;  // of the node, or of the function
  std::string_view op = {};
};

// Of an event of the host: "conv1:Conv2D" is an op, "EagerLocalExecute: __inference_f_15" a run of
// the traced function f, "SessionRun" one of a graph; all else is a call.
TensorFlowName TensorFlowNameOf(std::string_view name);

// Whether a row of a device's events is one of its streams; the others say the same in other words.
bool IsTensorFlowStream(std::string_view row_name);

// What an event of a stream is.
ForeignRole TensorFlowDeviceRole(std::string_view name);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_TENSORFLOW_NAMES_H_
