#include "lib/runtime/executor/order_free.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lib/format/bef/bef_reader.h"
#include "test/unit/executor/test_kernels.h"

namespace tfrt::internal {
namespace {

// A function of each name, whose kernels are t.add (order-free), t.log (not), or calls of other
// functions.
struct Body {
  std::string name;
  bool logs = false;
  std::vector<uint32_t> calls = {};
};

std::vector<bool> OrderFree(const std::vector<Body>& bodies) {
  bef::BefBuilder builder;
  for (const Body& body : bodies) {
    bef::FunctionSpec f{.name = body.name, .argument_types = {"i32"}, .result_types = {"i32"}};
    uint32_t value = f.AddKernel(Op("t.add", {0, 0}, {"i32"}));
    if (body.logs) f.AddKernel(Op("t.log", {value}, {"chain"}));
    for (uint32_t callee : body.calls) {
      bef::KernelSpec call = Op("t.call", {value}, {"i32"});
      call.callees = {bodies[callee].name};
      value = f.AddKernel(std::move(call));
    }
    f.returns = {value};
    builder.AddFunction(std::move(f));
  }
  TestHost host;
  KernelRegistry& registry = host.host().kernel_registry();
  auto image = BefImage::CopyOf(*builder.Build());
  bef::BefView view = *bef::BefView::Open(image.bytes());
  std::vector<const KernelEntry*> kernels;
  for (std::string_view name : view.kernel_names()) kernels.push_back(registry.FindKernel(name));
  OrderFreedom freedom(view, kernels);
  std::vector<bool> is_free;
  for (uint32_t f = 0; f < bodies.size(); ++f)
    is_free.push_back(freedom.Has(f, *view.DecodeFunction(f)));
  return is_free;
}

using Free = std::vector<bool>;

TEST(OrderFreedomTest, OwnKernelsDecideWhereNothingIsCalled) {
  EXPECT_EQ(OrderFree({{.name = "pure"}, {.name = "logs", .logs = true}}), (Free{true, false}));
}

TEST(OrderFreedomTest, EffectsSpreadFromCalleesToCallers) {
  EXPECT_EQ(OrderFree({{.name = "a", .calls = {1}},
                       {.name = "b", .calls = {2}},
                       {.name = "c", .logs = true},
                       {.name = "d", .calls = {4}},
                       {.name = "e"}}),
            (Free{false, false, false, true, true}));
}

TEST(OrderFreedomTest, OfSeveralCalleesOneWithEffectsIsEnough) {
  EXPECT_EQ(
      OrderFree(
          {{.name = "both", .calls = {1, 2}}, {.name = "pure"}, {.name = "logs", .logs = true}}),
      (Free{false, true, false}));
}

TEST(OrderFreedomTest, RecursionHasNoEffectByItself) {
  EXPECT_EQ(OrderFree({{.name = "self", .calls = {0}},
                       {.name = "even", .calls = {2}},
                       {.name = "odd", .calls = {1}},
                       {.name = "ping", .calls = {4}},
                       {.name = "pong", .logs = true, .calls = {3}}}),
            (Free{true, true, true, false, false}));
}

}  // namespace
}  // namespace tfrt::internal
