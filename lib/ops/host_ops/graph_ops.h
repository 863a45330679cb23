// The rows of the op table as compiled programs call them, by canonical names: "graph.conv".
#ifndef TFRT_LIB_OPS_HOST_OPS_GRAPH_OPS_H_
#define TFRT_LIB_OPS_HOST_OPS_GRAPH_OPS_H_

#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {

// A registry of them for the whole program, with the implementations that run them on the host. It
// is made at the first call. Thread-safe.
const OpRegistry& GraphOps();

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_GRAPH_OPS_H_
