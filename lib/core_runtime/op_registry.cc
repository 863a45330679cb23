#include "tfrt/core_runtime/op_registry.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

void OpRegistry::Add(OpDefinition op) {
  if (by_name_.contains(op.name)) {
    if (first_error_.ok()) {
      first_error_ = AlreadyExistsError(StrCat("the op '", op.name, "' is registered twice"));
    }
    return;
  }
  op.id = static_cast<uint32_t>(ops_.size());
  ops_.push_back(std::move(op));
  by_name_.emplace(ops_.back().name, &ops_.back());
}

}  // namespace tfrt
