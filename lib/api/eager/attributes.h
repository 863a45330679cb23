// The attributes of a call against those that the op has.
#ifndef TFRT_LIB_API_EAGER_ATTRIBUTES_H_
#define TFRT_LIB_API_EAGER_ATTRIBUTES_H_

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/status.h"

namespace tfrt::eager {

// InvalidArgument for an attribute that the op does not have, with the list of its attributes and
// the one with the nearest name. InvalidArgument also for a missing attribute without a default,
// and for one of another type than the op declares. Programs may give ops attributes that they do
// not have, as in TensorFlow: this is the rule of the C++ API.
Status CheckAttributes(const OpDefinition& op, const OpAttrsRef& attrs);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_ATTRIBUTES_H_
