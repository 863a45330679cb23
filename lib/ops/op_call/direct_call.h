// DirectCall: an op's function with what it finds out about attributes, once for all calls that
// have the same ones.
#ifndef TFRT_LIB_OPS_OP_CALL_DIRECT_CALL_H_
#define TFRT_LIB_OPS_OP_CALL_DIRECT_CALL_H_

#include <memory>

#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {

// The function that computes an op of the host, and the attributes that it takes: those of a row
// are by canonical names, and complete.
struct DirectCall {
  OpFunction function;
  OpAttrsRef attrs;  // frozen
  std::shared_ptr<const ParsedOpAttrs>
      parsed_attrs;  // by the op's parser; null: none, or they are wrong
};
// Returns the direct call for these attributes, which must be complete and of the kinds that the op
// declares. It does once what the op's own function would do at each call.
DirectCall DirectCallOf(const OpDefinition& op, const OpAttrsRef& attrs);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_DIRECT_CALL_H_
