// What binding makes of a function. What it refuses is in bef_file_test.cc.
#include "lib/runtime/executor/binder.h"

#include <gtest/gtest.h>

#include <cstring>

#include "test/unit/executor/bound_program.h"

namespace tfrt::internal {
namespace {

using bef::FunctionSpec;

TEST(BinderTest, UsersAreListedLastUseFirst) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  uint32_t sum = f.AddKernel(Op("t.add", {0, 0}, {"i32"}));
  f.AddKernel(Op("t.inc", {0}, {"i32"}));
  f.AddKernel(Op("t.add", {sum, 0}, {"i32"}));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_EQ(List(bound.program.registers[0].users), (std::vector<uint32_t>{2, 1, 0, 0}));
  EXPECT_EQ(List(bound.program.registers[sum].users), std::vector<uint32_t>{2});
  EXPECT_TRUE(bound.program.registers[sum + 1].users.empty());
}

TEST(BinderTest, ReturnsByRegisterAndByPosition) {
  FunctionSpec f{.name = "f", .argument_types = {"i32", "i32", "i32"}};
  uint32_t inc = f.AddKernel(Op("t.inc", {0}, {"i32"}));
  f.returns = {1, inc, 1};
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  const Program& program = bound.program;
  EXPECT_EQ(List(program.registers[1].returns), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(List(program.registers[inc].returns), std::vector<uint32_t>{1});
  EXPECT_FALSE(program.registers[0].returned());
  ASSERT_EQ(program.returns.size(), 3u);
  const uint32_t sources[] = {1, inc, 1}, takes_from[] = {0, inc + 1, 2};
  for (size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(program.returns[p].source, sources[p]) << p;
    EXPECT_EQ(program.returns[p].takes_from, takes_from[p]) << p;
  }
  EXPECT_EQ(program.unused_arguments, std::vector<uint32_t>{2});
}

TEST(BinderTest, AttributesOfAKernelLieInARow) {
  FunctionSpec f{.name = "f"};
  for (int32_t value : {10, 20, 30}) f.AddKernel(Const(value));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  for (uint32_t k = 0; k < 3; ++k) {
    const ProgramKernel& kernel = bound.program.kernel(k);
    ASSERT_EQ(kernel.num_attributes, 1u);
    int32_t value;
    std::memcpy(&value, bound.program.attributes[kernel.first_attribute], sizeof(value));
    EXPECT_EQ(value, static_cast<int32_t>(10 * (k + 1)));
  }
}

TEST(BinderTest, AKernelMayReuseADeadOperandOfItsResultsType) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t b = f.AddKernel(Const(2));
  uint32_t sum = f.AddKernel(Op("t.add", {a, b}, {"i32"}));     // a: dies here
  uint32_t more = f.AddKernel(Op("t.add", {sum, b}, {"i32"}));  // sum: is returned
  f.AddKernel(Op("t.inc", {0}, {"i32"}));                       // an argument dies here
  f.AddKernel(Op("t.log", {more}, {"!tfrt.chain"}));            // a chain is no number
  f.returns = {sum};
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_EQ(bound.program.kernel(2).reusable_register, static_cast<int32_t>(a));
  EXPECT_EQ(bound.program.kernel(4).reusable_register, 0);
  for (uint32_t k : {3, 5}) EXPECT_EQ(bound.program.kernel(k).reusable_register, -1) << k;
}

TEST(BinderTest, SyncKernelsSkipChecksThatTypesProve) {
  FunctionSpec f{.name = "f", .kind = bef::FunctionKind::kSync, .argument_types = {"i32"}};
  uint32_t of_argument = f.AddKernel(Op("t.sync_add", {0, 0}, {"i32"}));
  uint32_t proven = f.AddKernel(Op("t.sync_add", {of_argument, of_argument}, {"i32"}));
  uint32_t text = f.AddKernel(Op("t.sync_text", {proven}, {"s"}));
  f.AddKernel(Op("t.sync_add", {proven, text}, {"i32"}));  // a text is no number
  f.AddKernel(Op("t.sync_add", {proven, 0}, {"i32"}));     // the caller gives what it likes
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  const KernelEntry& add = *bound.host.host().kernel_registry().FindKernel("t.sync_add");
  ASSERT_NE(add.signature->unchecked_sync_function, nullptr);
  ASSERT_NE(add.signature->unchecked_sync_function, add.sync_function);
  EXPECT_EQ(bound.program.kernel(0).sync_function, add.sync_function);
  EXPECT_EQ(bound.program.kernel(1).sync_function, add.signature->unchecked_sync_function);
  EXPECT_EQ(bound.program.kernel(3).sync_function, add.sync_function);
  EXPECT_EQ(bound.program.kernel(4).sync_function, add.sync_function);
}

TEST(BinderTest, AsyncKernelsSkipChecksThatTypesProve) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  uint32_t of_argument = f.AddKernel(Op("t.inc", {0}, {"i32"}));       // the caller's: any value
  uint32_t proven = f.AddKernel(Op("t.inc", {of_argument}, {"i32"}));  // 1
  uint32_t fails = f.AddKernel(Op("t.fail", {}, {"i32"}));
  f.AddKernel(Op("t.add", {proven, fails}, {"i32"}));  // 3: an error is not seen
  uint32_t alias = f.AddKernel(Op("t.alias", {proven}, {"i32"}));
  f.AddKernel(Op("t.inc", {alias}, {"i32"}));  // 5: any value
  uint32_t late = f.AddKernel(Op("t.later", {proven}, {"i32"}));
  f.AddKernel(Op("t.add", {late, proven}, {"i32"}));        // 7: the same
  f.AddKernel(Op("t.copy_text", {proven}, {"s"}));          // 8: a number is no text
  bef::KernelSpec marked = Op("t.inc", {proven}, {"i32"});  // 9: sees errors
  marked.nonstrict = true;
  f.AddKernel(std::move(marked));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  auto is_unchecked = [&](uint32_t k) {
    const KernelEntry& entry = *bound.kernels[bound.program.body.kernels()[k].kernel_id()];
    EXPECT_NE(entry.signature->unchecked_async_function, nullptr);
    EXPECT_NE(entry.signature->unchecked_async_function, entry.async_function);
    return bound.program.kernel(k).async_function == entry.signature->unchecked_async_function;
  };
  for (uint32_t k : {1, 3}) EXPECT_TRUE(is_unchecked(k)) << k;
  for (uint32_t k : {0, 5, 7, 8, 9}) EXPECT_FALSE(is_unchecked(k)) << k;
}

TEST(BinderTest, AProgramIsWhatAllItsKernelsAre) {
  auto bind = [](std::vector<bef::KernelSpec> kernels) {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}};
    for (bef::KernelSpec& kernel : kernels) f.AddKernel(std::move(kernel));
    auto bound = std::make_unique<BoundProgram>(std::move(f));
    EXPECT_TRUE(bound->Bind().ok());
    return bound;
  };
  auto free = bind({Const(1), Op("t.inc", {0}, {"i32"})});
  EXPECT_TRUE(free->program.order_free);
  EXPECT_FALSE(free->program.has_non_strict);
  EXPECT_TRUE(free->program.all_clear_results);
  auto ordered = bind({Const(1), Op("t.log", {0}, {"!tfrt.chain"})});
  EXPECT_FALSE(ordered->program.order_free);
  bef::KernelSpec marked = Op("t.unique", {0}, {"i1"});
  marked.nonstrict = true;
  auto by_file = bind({Const(1), marked});
  EXPECT_TRUE(by_file->program.has_non_strict);
  EXPECT_FALSE(by_file->program.kernel(0).non_strict);
  EXPECT_TRUE(by_file->program.kernel(1).non_strict);
  auto by_hand = bind({Const(1), Op("t.forget_by_hand", {0}, {"i32"})});
  EXPECT_TRUE(by_hand->program.kernel(0).clears_results);
  EXPECT_FALSE(by_hand->program.kernel(1).clears_results);
  EXPECT_FALSE(by_hand->program.all_clear_results);
  auto by_kernel = bind({Op("t.first", {0}, {"i32"})});
  EXPECT_TRUE(by_kernel->program.kernel(0).non_strict);
}

TEST(BinderTest, OfAKernelWithoutSignatureNothingIsChecked) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  f.AddKernel(Op("t.inc", {0, 0, 0}, {"i32", "i32"}));
  BoundProgram bound(std::move(f));
  KernelEntry bare = *bound.kernels[0];
  bare.signature = nullptr;
  EXPECT_FALSE(bound.Bind().ok());
  bound.program = {};
  bound.kernels[0] = &bare;
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_FALSE(bound.program.all_clear_results);
  EXPECT_EQ(bound.program.kernel(0).num_results, 2u);
}

TEST(BinderTest, AnErrorHasTheLocationOfItsKernel) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  for (uint32_t line : {3, 4, 5}) {
    bef::KernelSpec kernel = Op("t.inc", std::vector<uint32_t>(line == 4 ? 2 : 1, 0), {"i32"});
    kernel.location = bef::FileLocation("x.mlir", line, 1);
    f.AddKernel(std::move(kernel));
  }
  BoundProgram bound(std::move(f));
  EXPECT_EQ(bound.Bind().message(), "kernel 't.inc' takes 1 argument, but the program gives 2");
  EXPECT_EQ(bound.view->DecodeLocation(bound.error_location).ToString(), "x.mlir:4:1");
}

TEST(BinderTest, WithoutTypesATrailingOperandCountsAsAChain) {
  for (bool with_types : {true, false}) {
    FunctionSpec f{.name = "f", .argument_types = {"i32"}};
    f.AddKernel(Op("t.inc", {0, 0}, {"i32"}));
    BoundProgram bound(std::move(f), {.optional_sections = with_types});
    EXPECT_EQ(bound.Bind().ok(), !with_types);
  }
}

}  // namespace
}  // namespace tfrt::internal
