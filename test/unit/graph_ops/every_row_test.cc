// Compiled programs may call what eager programs call.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "tfrt/core_runtime/cpu_ops.h"
#include "tfrt/core_runtime/graph_ops.h"
#include "tfrt/core_runtime/op_registry.h"
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

TEST(EveryRowTest, HasOneFunctionForAllItsNames) {
  OpRegistry eager;
  RegisterCpuOps(&eager);
  for (const OpSpelling* spelling : AllOpSpellings()) {
    const OpDefinition* row = GraphOps().Find(StrCat(kGraphOpPrefix, spelling->op));
    const OpDefinition* op = eager.Find(spelling->name);
    ASSERT_TRUE(op) << spelling->name;
    if (!row) continue;  // a constant, and what devices alone have
    // The row's own, or the adapter, which calls that of its state.
    EXPECT_TRUE(op->function == row->function || op->state == row) << spelling->name;
    EXPECT_EQ(op->quick, row->quick) << spelling->name;
  }
}

// The rows that eager programs cannot call.
TEST(EveryRowTest, IsAnOpUnlessCompilersAloneMakeIt) {
  std::set<std::string_view> spelled, missing;
  for (const OpSpelling* spelling : AllOpSpellings()) spelled.insert(spelling->op);
  for (const OpDescription* row : AllOpDescriptions()) {
    if (!spelled.contains(row->name)) missing.insert(row->name);
  }
  EXPECT_EQ(missing, (std::set<std::string_view>{"elementwise_tape", "pack_filter", "pack_matrix",
                                                 "packed_attention"}));
}

}  // namespace
}  // namespace tfrt
