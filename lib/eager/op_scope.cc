#include "op_scope.h"

namespace tfrt::eager {

thread_local constinit bool in_op_function = false;

Status AwaitOthers(HostContext* host, AsyncValue* value) {
  if (value->IsAvailable()) return OkStatus();
  if (in_op_function) {
    return FailedPreconditionError(
        "an op function cannot wait for a tensor that it has not been given: it may be made by an "
        "op that waits for this one");
  }
  host->Await({&value, 1});
  return OkStatus();
}

}  // namespace tfrt::eager
