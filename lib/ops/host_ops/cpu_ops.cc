#include "cpu_ops.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "graph_ops.h"
#include "op_groups.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

void RegisterCpuOps(OpRegistry* registry) {
  RegisterConstantOps(registry);
  RegisterTestCreationOps(registry);
  RegisterTestOps(registry);
  RegisterTestNetworkOps(registry);
  for (const OpSpelling* spelling : AllOpSpellings()) {
    if (registry->Find(spelling->name)) continue;
    if (const OpDefinition* row = GraphOps().Find(StrCat(kGraphOpPrefix, spelling->op))) {
      registry->Add(OpDefinition(*spelling, *row));
    } else {
      registry->Implement(spelling->name, {});  // its metadata alone are known
    }
  }
  assert(registry->first_error().ok());
}

void CpuOps::LeaveOut(std::initializer_list<std::string_view> prefixes) {
  auto kept = std::make_unique<OpRegistry>();
  for (const OpDefinition& op : ops_->ops()) {
    bool leaves = std::ranges::any_of(
        prefixes, [&](std::string_view prefix) { return op.name.starts_with(prefix); });
    if (!leaves) kept->Add(op);
  }
  ops_ = std::move(kept);
}

}  // namespace tfrt
