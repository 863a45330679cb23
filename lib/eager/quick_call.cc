#include "quick_call.h"

#include "call_record.h"
#include "quick_call_body.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

Tensor CallQuickOp(const OpDefinition& op, TensorArgument& x, TensorArgument& y) {
  if (tracing::IsAnythingActive()) [[unlikely]]
    return CallQuickOpRecorded(op, x, y);
  return CallQuick<NoCallRecord>(op, x, y);
}

}  // namespace tfrt::eager
