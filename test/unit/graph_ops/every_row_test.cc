// Compiled programs may call what eager programs call.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tfrt/core_runtime/graph_ops.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

TEST(EveryRowTest, WithASpellingHasAGraphOp) {
  std::set<std::string_view> missing;
  for (const OpSpelling* spelling : AllOpSpellings()) {
    const std::string name = StrCat(kGraphOpPrefix, spelling->op);
    if (!GraphOps().Find(name)) missing.insert(spelling->op);
  }
  // A constant is a kernel of its own; the host has no fused batch normalisation.
  EXPECT_EQ(missing, (std::set<std::string_view>{"constant", "fused_batch_norm"}));
}

}  // namespace
}  // namespace tfrt
