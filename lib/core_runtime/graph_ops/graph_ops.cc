#include "tfrt/core_runtime/graph_ops.h"

#include <cassert>
#include <memory>

#include "graph_op_groups.h"
#include "tfrt/core_runtime/cpu_ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Rows that only eager programs call so far: by the function of a spelling that has the row's own
// arguments and attributes.
void RegisterEagerFunctions(OpRegistry* registry) {
  static const OpRegistry* const eager = [] {
    auto* made = new OpRegistry();
    RegisterCpuOps(made);
    return made;
  }();
  for (const OpSpelling* spelling : AllOpSpellings()) {
    const OpDefinition* op = eager->Find(spelling->name);
    if (!op || !op->function || op->description->name != spelling->op) continue;
    if (!spelling->attrs.empty() || !spelling->folded_argument.empty()) continue;
    const OpSpelling* row = FindOpSpelling(StrCat(kGraphOpPrefix, spelling->op));
    // Constants have a kernel of their own.
    if (registry->Find(row->name) || spelling->op == "constant") continue;
    registry->Implement(row->name, {.function = op->function});
  }
}

}  // namespace

void RegisterGraphOps(OpRegistry* registry) {
  RegisterAttentionGraphOps(registry);
  RegisterConversionGraphOps(registry);
  RegisterConvolutionGraphOps(registry);
  RegisterCreationGraphOps(registry);
  RegisterElementwiseGraphOps(registry);
  RegisterFusedGraphOps(registry);
  RegisterGatherGraphOps(registry);
  RegisterMovementGraphOps(registry);
  RegisterNormalizationGraphOps(registry);
  RegisterPadGraphOps(registry);
  RegisterPoolingGraphOps(registry);
  RegisterProductGraphOps(registry);
  RegisterRecurrentGraphOps(registry);
  RegisterReductionGraphOps(registry);
  RegisterResizeGraphOps(registry);
  RegisterSamplingGraphOps(registry);
  RegisterScatterGraphOps(registry);
  RegisterSelectionGraphOps(registry);
  RegisterSlicesGraphOps(registry);
  RegisterStructureGraphOps(registry);
  RegisterTapeGraphOps(registry);
  RegisterEagerFunctions(registry);
  assert(registry->first_error().ok());
}

const OpRegistry& GraphOps() {
  static const OpRegistry* const ops = [] {
    auto* made = new OpRegistry();
    RegisterGraphOps(made);
    return made;
  }();
  return *ops;
}

}  // namespace tfrt
