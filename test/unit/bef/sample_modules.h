// Modules that several tests use.
#ifndef TFRT_TEST_UNIT_BEF_SAMPLE_MODULES_H_
#define TFRT_TEST_UNIT_BEF_SAMPLE_MODULES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tfrt/bef/bef_builder.h"

namespace tfrt::bef {

// A function of every kind, a region, attributes of many kinds, all sections.
inline BefBuilder RichModule() {
  BefBuilder builder;
  builder.AddFunction({.name = "native",
                       .kind = FunctionKind::kNative,
                       .argument_types = {"i32"},
                       .result_types = {"f32"}});
  FunctionSpec main{.name = "main",
                    .argument_types = {"i32"},
                    .root_stream = 2,
                    .location = FileLocation("rich.mlir", 10, 1),
                    .extras = FunctionExtras{.visibility = 1,
                                             .attributes = {{"tfrt.cost_threshold", "5 : i64"}}}};
  uint32_t constant = main.AddKernel(
      {.name = "t.const",
       .result_types = {"i32"},
       .attributes =
           {{"text", StringAttribute("hello")},
            {"a", ArrayAttribute({I32Attribute(1), StringAttribute("x"), ShapeAttribute({1, -1})})},
            {"dense", DenseAttribute(TypeCode::kF32, {10, 10}, std::vector<uint8_t>(400, 0x3F))}},
       .location = NameLocation("n", FileLocation("rich.mlir", 11, 3))});
  FunctionSpec region{.name = "", .argument_types = {"i32"}};
  region.returns = {
      region.AddKernel({.name = "t.inner", .operands = {0}, .result_types = {"f32"}})};
  uint32_t chain = main.AddKernel({.name = "t.region",
                                   .operands = {0, constant},
                                   .result_types = {"!tfrt.chain"},
                                   .regions = {std::move(region)},
                                   .location = FusedLocation({FileLocation("b.mlir", 1, 1)})});
  uint32_t result =
      main.AddKernel({.name = "t.call",
                      .operands = {chain, 0},
                      .result_types = {"f32"},
                      .callees = {"native", "sync"},
                      .stream = 7,
                      .nonstrict = true,
                      .extras = KernelExtras{.cost = 12, .symbols = {{"fns", true, 2}}}});
  main.returns = {result, constant};
  builder.AddFunction(std::move(main));
  FunctionSpec sync{.name = "sync", .kind = FunctionKind::kSync, .argument_types = {"i64"}};
  sync.returns = {sync.AddKernel({.name = "t.inner", .operands = {0, 0}, .result_types = {"i64"}})};
  builder.AddFunction(std::move(sync));
  builder.set_module_attributes({{"m", "1 : i32"}});
  return builder;
}

// What an imported model has: names, sizes and weights.
inline BefBuilder ModelModule() {
  static const std::vector<uint8_t> kBytes(100, 0x11);
  BefBuilder builder;
  builder.set_producer("maker 1.0");
  builder.AddMetadata("labels", "cat,dog");
  FunctionSpec main{
      .name = "main", .argument_types = {"tensor<?x2xf32>", "t"}, .signature = FunctionSignature{}};
  main.returns = {main.AddKernel({.name = "k", .operands = {0, 1}, .result_types = {"t"}})};
  main.signature->inputs = {
      {"x", DType::kF32, std::vector<SignatureDim>{{.symbol = "batch"}, {.size = 2}}}};
  main.signature->results = {{"y", DType::kI64, std::nullopt}};
  builder.AddFunction(std::move(main));
  builder.AddWeight({"w", DType::kF32, {2, 3}, std::span(kBytes).first(24)});
  builder.AddWeight({"", DType::kI1, {0, 7}, {}});
  builder.AddWeight({"u", DType::kUI8, {100}, kBytes});
  return builder;
}

// One function: two arguments, two kernels, no optional sections asked for by the tests.
inline BefBuilder AddModule() {
  BefBuilder builder;
  FunctionSpec f{.name = "add", .argument_types = {"i32", "i32"}};
  uint32_t sum = f.AddKernel({.name = "k", .operands = {0, 1}, .result_types = {"i32"}});
  f.returns = {f.AddKernel({.name = "k", .operands = {sum, 0}, .result_types = {"i32"}})};
  builder.AddFunction(std::move(f));
  return builder;
}

}  // namespace tfrt::bef

#endif  // TFRT_TEST_UNIT_BEF_SAMPLE_MODULES_H_
