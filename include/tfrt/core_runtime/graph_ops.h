// The rows of the op table as compiled programs call them, by canonical names: "graph.conv".
#ifndef TFRT_CORE_RUNTIME_GRAPH_OPS_H_
#define TFRT_CORE_RUNTIME_GRAPH_OPS_H_

#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {

// A registry of them for the whole program, with the implementations that run them on the host. It
// is made at the first call. Thread-safe.
const OpRegistry& GraphOps();

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_GRAPH_OPS_H_
