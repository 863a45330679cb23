// Each op of the table has a gradient rule or a reason to have none.

#include <map>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "tfrt/opinfo/gradient_rules.h"

namespace tfrt {
namespace {

constexpr std::string_view kNoFloats = "its results are no floats";
constexpr std::string_view kNoArguments = "its results do not depend on floats";
constexpr std::string_view kIntegers = "it is about integers, or rounds to them";
constexpr std::string_view kCompiler =
    "the compiler's passes make it, of ops that have rules, when gradients are there already";
constexpr std::string_view kComposed = "written with simpler ops and loops it has gradients";
constexpr std::string_view kNoAdjoint = "the table has no op that brings its gradient back";
constexpr std::string_view kImported = "only imported models have it, which are not trained";

const std::map<std::string_view, std::string_view>& WithoutRule() {
  static const auto* const ops = new std::map<std::string_view, std::string_view>{
      {"add_blocks", kNoAdjoint},
      {"argmax", kNoFloats},
      {"argmin", kNoFloats},
      {"assert", kNoFloats},
      {"average_pool", kImported},
      {"bit_cast", kIntegers},
      {"bitwise_and", kNoFloats},
      {"bitwise_not", kNoFloats},
      {"bitwise_or", kNoFloats},
      {"bitwise_xor", kNoFloats},
      {"center_crop_pad", kImported},
      {"compress", kImported},
      {"constant", kNoArguments},
      {"conv", kImported},
      {"conv_integer", kNoFloats},
      {"conv_transpose", kImported},
      {"dequantize", kIntegers},
      {"dynamic_quantize", kIntegers},
      {"elementwise_tape", kCompiler},
      {"equal", kNoFloats},
      {"extend", kImported},
      {"eye_like", kNoArguments},
      {"fused_batch_matmul", kCompiler},
      {"fused_batch_norm", "the host has no such op"},
      {"fused_conv", kCompiler},
      {"fused_matmul", kCompiler},
      {"greater", kNoFloats},
      {"greater_equal", kNoFloats},
      {"grid_sample", kNoAdjoint},
      {"gru", kComposed},
      {"is_inf", kNoFloats},
      {"is_nan", kNoFloats},
      {"less", kNoFloats},
      {"less_equal", kNoFloats},
      {"logical_and", kNoFloats},
      {"logical_not", kNoFloats},
      {"logical_or", kNoFloats},
      {"logical_xor", kNoFloats},
      {"lp_pool", kImported},
      {"lrn", kImported},
      {"lstm", kComposed},
      {"matmul_integer", kNoFloats},
      {"max_pool", kImported},
      {"max_pool_with_places", kImported},
      {"non_max_suppression", kNoFloats},
      {"nonzero", kNoFloats},
      {"not_equal", kNoFloats},
      {"pack_filter", kCompiler},
      {"pack_matrix", kCompiler},
      {"quantize", kIntegers},
      {"range", kImported},
      {"resize", kNoAdjoint},
      {"rnn", kComposed},
      {"roi_align", kNoAdjoint},
      {"shape_of", kNoFloats},
      {"shift_left", kNoFloats},
      {"shift_right", kNoFloats},
      {"split_sizes", kNoFloats},
      {"unique", kImported},
  };
  return *ops;
}

TEST(GradientTableTest, EachOpHasARuleOrAReason) {
  for (const OpDescription* op : AllOpDescriptions()) {
    const bool has_rule = FindGradientRule(op->name) != nullptr;
    EXPECT_NE(has_rule, WithoutRule().contains(op->name))
        << op->name
        << (has_rule ? " has a rule: take it out of the list"
                     : " has no gradient rule: write it (docs/extending.md), or say here why it "
                       "has none");
  }
  for (const auto& [name, reason] : WithoutRule()) {
    EXPECT_NE(FindOpDescription(name), nullptr) << name << " is no op of the table";
    EXPECT_FALSE(reason.empty()) << name;
  }
}

}  // namespace
}  // namespace tfrt
