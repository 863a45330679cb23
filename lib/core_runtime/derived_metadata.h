// Metadata functions made of the op table's shape rules (tfrt/opinfo/shape_inference.h).
#ifndef TFRT_LIB_CORE_RUNTIME_DERIVED_METADATA_H_
#define TFRT_LIB_CORE_RUNTIME_DERIVED_METADATA_H_

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt {

// What a description's shape function is on metadata, of which all is known. Null if it is not made
// of a rule, or if sizes that depend on elements are not in the metadata.
OpMetadataFunction MetadataFunctionOf(OpShapeFunction shape);

}  // namespace tfrt

#endif  // TFRT_LIB_CORE_RUNTIME_DERIVED_METADATA_H_
