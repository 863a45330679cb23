// Metadata functions made of the op table's shape rules (lib/format/op_table/shape_inference.h).
#ifndef TFRT_LIB_OPS_OP_CALL_DERIVED_METADATA_H_
#define TFRT_LIB_OPS_OP_CALL_DERIVED_METADATA_H_

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt {

// The shape function of the rule's ops on metadata, of which all is known. Null for kNone.
OpMetadataFunction MetadataFunctionOf(ShapeRuleNumber rule);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_DERIVED_METADATA_H_
