// The defaults of an op's attributes, which its row in the op table spells as C++ does
// (OpAttrSpec::default_value), as values.
#ifndef TFRT_LIB_OPS_OP_CALL_OP_DEFAULTS_H_
#define TFRT_LIB_OPS_OP_CALL_OP_DEFAULTS_H_

#include <span>

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/status.h"

namespace tfrt {

// Sets the attribute to its default. Changes nothing if it has none, or if `attrs` has the
// attribute. InvalidArgument for a text that is no value of the attribute's kind. `attrs` borrows
// the name.
Status SetDefault(const OpAttrSpec& spec, OpAttrs& attrs);

// InvalidArgument if SetDefault would fail for one of the attributes.
Status CheckDefaults(std::span<const OpAttrSpec> attrs);

// `attrs` and, in `complete`, which must be empty, the defaults of what they leave out; the result
// borrows both. The defaults are valid: CheckDefaults.
OpAttrsRef WithDefaults(const OpDefinition& op, const OpAttrsRef& attrs, OpAttrs& complete);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_OP_DEFAULTS_H_
