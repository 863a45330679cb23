#include "op_scope.h"

#include "lib/runtime/host/timeline.h"

namespace tfrt::eager {

Status AwaitElements(HostContext* host, AsyncValue* elements) {
  if (elements->IsAvailable()) return OkStatus();
  TFRT_RETURN_IF_ERROR(TimelineScope::Check("to wait for elements on a device"));
  AwaitBegun(host, elements);
  return OkStatus();
}

Status AwaitOthers(HostContext* host, AsyncValue* value) {
  if (value->IsAvailable()) return OkStatus();
  if (in_op_function) {
    return FailedPreconditionError(
        "an op function cannot wait for a tensor that it has not been given: it may be made by an "
        "op that waits for this one");
  }
  AwaitOnTop(host, {&value, 1});
  return OkStatus();
}

}  // namespace tfrt::eager
