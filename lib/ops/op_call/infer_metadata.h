// InferResultMetadata predicts the results of a call by the shape function of the op's description.
#ifndef TFRT_LIB_OPS_OP_CALL_INFER_METADATA_H_
#define TFRT_LIB_OPS_OP_CALL_INFER_METADATA_H_

#include <cstddef>
#include <span>

#include "call_sites.h"
#include "tfrt/async/async_value.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {

// Makes `site` describe a call with these available arguments (null: left out). Elements of
// arguments that are host values count as part of the call. If `site` describes the same call
// already, that is kept. Afterwards site->results are the metadata of `num_results` results, or
// empty if they depend on more than the op table follows. InvalidArgument if such a call cannot
// succeed.
Status InferResultMetadata(const OpDefinition& op, std::span<AsyncValue* const> arguments,
                           const OpAttrsRef& attrs, size_t num_results, CallSite* site);

// The same from the arguments' metadata alone, for ops without host values and open results; sets
// all `results`. Pure.
Status InferMetadata(const OpDefinition& op, OpMetadataArguments arguments, const OpAttrsRef& attrs,
                     std::span<TensorMetadata> results);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_INFER_METADATA_H_
