// Compiled programs may call what eager programs call.

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "lib/ops/host_ops/cpu_ops.h"
#include "lib/ops/host_ops/graph_ops.h"
#include "test/unit/graph_kernels/graph_op_runner.h"
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
  EXPECT_EQ(missing,
            (std::set<std::string_view>{"dynamic_quantized_lstm", "dynamic_quantized_matmul",
                                        "elementwise_tape", "pack_filter", "pack_matrix",
                                        "packed_attention", "quantized_conv", "quantized_matmul"}));
}

// The rule says so, before an op reads elements as something else.
TEST(EveryRowTest, TakesIntegersWhereItSaysSo) {
  GraphOpRunner runner;
  size_t num_cases = 0;
  for (const OpDefinition& op : GraphOps().ops()) {
    const std::span<const OpArgumentSpec> specs = op.arguments;
    for (size_t i = 0; i < specs.size(); ++i) {
      if (!specs[i].is_integer || op.has_side_effects()) continue;
      Handles arguments;
      if (!specs[i].last.empty()) arguments.push_back(runner.Zeros(DType::kI64, {1}));
      for (size_t j = 0; j < specs.size(); ++j) {
        arguments.push_back(runner.Zeros(j == i ? DType::kF32 : DType::kI64, {1}));
      }
      const std::string_view name = specs[i].last.empty() ? specs[i].name : specs[i].last;
      EXPECT_EQ(
          runner.Error(op.name, std::move(arguments), {}, op.results.size()),
          StrCat(op.description->name, ": ", name, " is a tensor of f32, expected i32 or i64"));
      ++num_cases;
    }
  }
  EXPECT_GE(num_cases, 30);
}

}  // namespace
}  // namespace tfrt
