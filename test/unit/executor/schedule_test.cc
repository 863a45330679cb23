// The static order, the lists of dead registers, and the registers of sync functions.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "lib/runtime/executor/program.h"
#include "test/unit/executor/bound_program.h"

namespace tfrt::internal {
namespace {

using bef::FunctionSpec;

std::vector<uint32_t> Order(const Program& program) { return program.numbers; }

TEST(ScheduleTest, OneStreamHasTheOrderOfTheQueue) {
  // Starters run last first, consumers in program order (docs/executor.md).
  FunctionSpec f{.name = "f"};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t b = f.AddKernel(Const(2));
  f.AddKernel(Op("t.inc", {a}, {"i32"}));
  f.AddKernel(Op("t.inc", {b}, {"i32"}));
  f.AddKernel(Op("t.log", {b}, {"!tfrt.chain"}));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_TRUE(bound.program.single_segment);
  EXPECT_TRUE(bound.program.has_static_order);
  EXPECT_EQ(Order(bound.program), (std::vector<uint32_t>{1, 3, 4, 0, 2}));
}

TEST(ScheduleTest, TasksForOtherStreamsEndTheSegment) {
  FunctionSpec f{.name = "f"};
  uint32_t a = f.AddKernel(Const(1, 0));
  f.AddKernel(Op("t.inc", {a}, {"i32"}, 0));
  f.AddKernel(Op("t.inc", {a}, {"i32"}, 1));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_FALSE(bound.program.single_segment);
  EXPECT_TRUE(bound.program.has_static_order);
}

TEST(ScheduleTest, NonStrictKernelsHaveNoStaticOrder) {
  FunctionSpec f{.name = "f"};
  uint32_t a = f.AddKernel(Const(1));
  f.AddKernel(Const(2));
  f.AddKernel(Op("t.first", {a}, {"i32"}));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_FALSE(bound.program.has_static_order);
  EXPECT_FALSE(bound.program.single_segment);
  EXPECT_EQ(Order(bound.program), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(ScheduleTest, WhereAnyOrderIsRightFewValuesAreAlive) {
  // In program order all constants are made before the first is used.
  FunctionSpec f{.name = "f"};
  std::vector<uint32_t> constants;
  for (uint32_t i = 0; i < 20; ++i) constants.push_back(f.AddKernel(Const(1, i % 2)));
  for (uint32_t i = 0; i < 20; ++i)
    f.AddKernel(Op("t.log", {constants[i]}, {"!tfrt.chain"}, i % 2));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  const Program& program = bound.program;
  ASSERT_FALSE(program.single_segment);
  size_t alive = 0, most = 0;
  for (const ProgramKernel& kernel : program.kernels) {
    most = std::max(most, alive += kernel.num_results);
    alive -= kernel.dead_registers().size();
  }
  EXPECT_EQ(alive, 0u);
  EXPECT_LE(most, 2u);
}

TEST(ScheduleTest, ValuesDieInOperandOrderThenUnusedResults) {
  FunctionSpec f{.name = "f", .argument_types = {"i32"}};
  uint32_t a = f.AddKernel(Const(1));
  uint32_t b = f.AddKernel(Const(2));
  uint32_t c = f.AddKernel(Const(3));
  bef::KernelSpec visit = Op("t.visit", {b, a, b, c, 0}, {"i32", "i32", "i32"});
  visit.attributes = {{"id", bef::I32Attribute(1)}};
  uint32_t first = f.AddKernel(visit);
  f.returns = {c, first + 1};
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_EQ(List(bound.program.kernel(3).dead_registers()),
            (std::vector<uint32_t>{a, b, 0, first, first + 2}));
  for (uint32_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(bound.program.kernel(k).dead_registers().empty()) << k;
    EXPECT_EQ(*bound.program.kernel(k).dead, kNoRegister) << k;
  }
}

// Walks the program in its static order as a run does.
void CheckLives(const Program& program) {
  std::set<uint32_t> alive, dead;
  for (uint32_t r = 0; r < program.num_arguments; ++r) alive.insert(r);
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const ProgramKernel& kernel = program.kernels[i];
    ASSERT_EQ(program.positions[program.numbers[i]], i);
    for (uint32_t r : kernel.argument_registers()) {
      ASSERT_TRUE(alive.contains(r)) << "kernel " << i << " reads register " << r;
    }
    for (uint32_t j = 0; j < kernel.num_results; ++j) alive.insert(kernel.first_result + j);
    for (uint32_t r : kernel.dead_registers()) {
      ASSERT_TRUE(dead.insert(r).second) << "register " << r << " dies twice";
      ASSERT_EQ(alive.erase(r), 1u) << "register " << r << " dies unborn";
    }
    ASSERT_EQ(kernel.dead[kernel.dead_registers().size()], kNoRegister);
    if (kernel.reusable_register >= 0) {
      auto r = static_cast<uint32_t>(kernel.reusable_register);
      ASSERT_EQ(std::count(kernel.dead_registers().begin(), kernel.dead_registers().end(), r), 1);
    }
  }
  std::set<uint32_t> returned(program.unused_arguments.begin(), program.unused_arguments.end());
  for (uint32_t r : program.result_registers()) returned.insert(r);
  EXPECT_EQ(alive, returned);
}

TEST(ScheduleTest, RandomProgramsReadWhatIsAliveAndLeaveWhatTheyReturn) {
  std::mt19937 random(11);
  size_t num_single = 0, num_several = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    RandomProgram spec = MakeProgram(random, 1 + static_cast<uint32_t>(round % 3), false);
    BoundProgram bound(ToFunction(spec));
    ASSERT_TRUE(bound.Bind().ok());
    ASSERT_TRUE(bound.program.has_static_order);
    ASSERT_EQ(bound.program.kernels.size(), spec.steps.size());
    (bound.program.single_segment ? num_single : num_several)++;
    ASSERT_NO_FATAL_FAILURE(CheckLives(bound.program));
  }
  EXPECT_GT(num_single, 50u);
  EXPECT_GT(num_several, 50u);
}

// --- sync functions ---

FunctionSpec RandomSyncFunction(std::mt19937& random) {
  FunctionSpec f{.name = "f", .kind = bef::FunctionKind::kSync, .argument_types = {"i32", "i32"}};
  uint32_t num_kernels = 1 + random() % 60;
  for (uint32_t k = 0; k < num_kernels; ++k) {
    uint32_t n = f.num_registers();
    f.AddKernel(Op("t.sync_add",
                   {static_cast<uint32_t>(random() % n), static_cast<uint32_t>(random() % n)},
                   {"i32"}));
  }
  std::set<uint32_t> returned;  // a sync function returns a register once
  for (int i = 0; i < 3; ++i) returned.insert(2 + static_cast<uint32_t>(random() % num_kernels));
  f.returns.assign(returned.begin(), returned.end());
  return f;
}

TEST(ScheduleSyncTest, SharedRegistersHoldTheRightValuesWhenTheyAreRead) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    BoundProgram bound(RandomSyncFunction(random));
    ASSERT_TRUE(bound.Bind().ok());
    const Program& program = bound.program;
    ASSERT_LE(program.num_registers, program.registers.size());
    // What each shared register holds: a register of the file.
    std::vector<uint32_t> held(program.num_registers, kNoRegister);
    for (uint32_t r = 0; r < program.num_arguments; ++r) held[r] = r;
    std::set<uint32_t> results(program.sync_result_registers.begin(),
                               program.sync_result_registers.end());
    uint32_t next_result = program.num_arguments;
    for (size_t k = 0; k < program.kernels.size(); ++k) {
      ASSERT_EQ(program.numbers[k], k) << "sync functions run in program order";
      const ProgramKernel& kernel = program.kernels[k];
      std::span<const uint32_t> operands = program.body.kernels()[k].operands();
      for (uint32_t a = 0; a < kernel.num_arguments; ++a) {
        ASSERT_EQ(held[kernel.arguments[a]], operands[a]) << "kernel " << k << ", operand " << a;
      }
      ASSERT_LT(kernel.first_result, program.num_registers);
      ASSERT_GE(kernel.first_result, program.num_arguments);
      held[kernel.first_result] = next_result++;
    }
    for (size_t p = 0; p < program.sync_result_registers.size(); ++p) {
      EXPECT_EQ(held[program.sync_result_registers[p]], program.result_registers()[p]);
    }
  }
}

TEST(ScheduleSyncTest, ALongFunctionNeedsFewRegisters) {
  FunctionSpec f{.name = "f", .kind = bef::FunctionKind::kSync, .argument_types = {"i32"}};
  uint32_t last = 0;
  for (int i = 0; i < 1000; ++i) last = f.AddKernel(Op("t.sync_add", {last, last}, {"i32"}));
  f.returns = {last};
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_LE(bound.program.num_registers, 4u);
}

TEST(ScheduleSyncTest, OnlyPayloadsWithDestructorsDie) {
  FunctionSpec f{.name = "f", .kind = bef::FunctionKind::kSync, .argument_types = {"i32"}};
  uint32_t sum = f.AddKernel(Op("t.sync_add", {0, 0}, {"i32"}));
  uint32_t text = f.AddKernel(Op("t.sync_text", {sum}, {"s"}));
  f.AddKernel(Op("t.sync_size", {text}, {"i32"}));
  BoundProgram bound(std::move(f));
  ASSERT_TRUE(bound.Bind().ok());
  EXPECT_TRUE(bound.program.kernel(1).dead_registers().empty()) << "a number";
  EXPECT_EQ(List(bound.program.kernel(2).dead_registers()),
            std::vector<uint32_t>{bound.program.kernel(1).first_result});
}

}  // namespace
}  // namespace tfrt::internal
