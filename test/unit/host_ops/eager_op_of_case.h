// Finds the eager op of a case of NumPy's (numpy_op_cases.h).
#ifndef TFRT_TEST_UNIT_HOST_OPS_EAGER_OP_OF_CASE_H_
#define TFRT_TEST_UNIT_HOST_OPS_EAGER_OP_OF_CASE_H_

#include <string_view>

#include "lib/ops/host_ops/graph_ops.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/eager/context.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt {

// The op as users call it, where the name is that of a row. Only compilers make the rest.
inline const OpDefinition* FindEagerOp(std::string_view name, eager::Context& context) {
  if (!name.starts_with(kGraphOpPrefix)) return context.FindOp(name);
  const OpDefinition* row = GraphOps().Find(name);
  for (const OpSpelling* spelling : AllOpSpellings()) {
    const bool is_plain = spelling->attrs.empty() && spelling->folded_argument.empty();
    if (row && is_plain && spelling->op == row->description->name) {
      return context.FindOp(spelling->name);
    }
  }
  return row;
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_HOST_OPS_EAGER_OP_OF_CASE_H_
