// An op of the host as one of other devices.
#ifndef TFRT_LIB_OPS_OP_CALL_RUN_ON_HOST_H_
#define TFRT_LIB_OPS_OP_CALL_RUN_ON_HOST_H_

#include "op_runner.h"

namespace tfrt {

// An OpComposite for ops with a function: copies the arguments to the host, runs the function there
// and copies the results to the device. Results come later. Needs conversions between the host and
// the device, both ways.
OpOutcome RunOnHost(const OpRun& run);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_RUN_ON_HOST_H_
