#include "lib/compiler/memory_planning/memory_planner.h"

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "gmock/gmock.h"

namespace tfrt::compiler {
namespace {

using ::testing::ElementsAre;

TensorUse Read(uint32_t tensor) { return {tensor, false, false}; }
TensorUse Share(uint32_t tensor) { return {tensor, false, true}; }
TensorUse Write(uint32_t tensor) { return {tensor, true, false}; }

// An op that uses tensors and waits for all work of other ops.
PlannerOp Op(std::vector<TensorUse> uses, std::vector<uint32_t> after = {}) {
  PlannerOp op;
  for (uint32_t other : after) op.operands.push_back({other, true});
  op.uses = std::move(uses);
  return op;
}

MemoryPlan Plan(std::vector<PlannedTensor> tensors, std::vector<PlannerOp> ops) {
  auto plan = PlanTensors(tensors, ops);
  EXPECT_TRUE(plan);
  return plan.value_or(MemoryPlan());
}

TEST(MemoryPlannerTest, NoTensors) {
  MemoryPlan plan = Plan({}, {});
  EXPECT_EQ(plan.size_bytes, 0);
  EXPECT_EQ(plan.unplanned_bytes, 0);
  EXPECT_EQ(plan.lower_bound_bytes, 0);
}

TEST(MemoryPlannerTest, OneAfterTheOther) {
  MemoryPlan plan = Plan({{100}, {40}}, {Op({Write(0)}), Op({Read(0)}, {0}), Op({Write(1)}, {1})});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 0));
  EXPECT_EQ(plan.size_bytes, 128);
  EXPECT_EQ(plan.unplanned_bytes, 192);
  EXPECT_EQ(plan.lower_bound_bytes, 128);
}

TEST(MemoryPlannerTest, WithoutDependencyNothingIsShared) {
  MemoryPlan plan = Plan({{100}, {40}}, {Op({Write(0)}), Op({Read(0)}, {0}), Op({Write(1)})});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 128));
  // In program order it would be possible.
  EXPECT_EQ(plan.lower_bound_bytes, 128);
}

// The second use of tensor 0 is not waited for.
TEST(MemoryPlannerTest, EveryUseMustBeOver) {
  MemoryPlan plan = Plan(
      {{64}, {64}}, {Op({Write(0)}), Op({Read(0)}, {0}), Op({Read(0)}, {0}), Op({Write(1)}, {1})});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 64));
}

// A result that says nothing of the end of the work.
TEST(MemoryPlannerTest, StartedIsNotDone) {
  PlannerOp last = Op({Write(1)});
  last.operands.push_back({1, false});
  MemoryPlan plan = Plan({{64}, {64}}, {Op({Write(0)}), Op({Read(0)}, {0}), last});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 64));
}

// But it says that what the op waited for is done.
TEST(MemoryPlannerTest, StartedIsAfterItsOperands) {
  PlannerOp last = Op({Write(1)});
  last.operands.push_back({2, false});
  MemoryPlan plan = Plan({{64}, {64}}, {Op({Write(0)}), Op({Read(0)}, {0}), Op({}, {1}), last});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 0));
}

TEST(MemoryPlannerTest, NonStrictOpTellsNothing) {
  PlannerOp middle = Op({}, {1});
  middle.strict = false;
  MemoryPlan plan =
      Plan({{64}, {64}}, {Op({Write(0)}), Op({Read(0)}, {0}), middle, Op({Write(1)}, {2})});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 64));
}

TEST(MemoryPlannerTest, InPlace) {
  MemoryPlan plan = Plan({{64, 4}, {64, 4}}, {Op({Write(0)}), Op({Share(0), Write(1)}, {0})});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 0));
  EXPECT_EQ(plan.lower_bound_bytes, 64);
}

TEST(MemoryPlannerTest, InPlaceOnlyIfTheOpAllowsItAndSizesAreEqual) {
  EXPECT_THAT(Plan({{64, 4}, {64, 4}}, {Op({Write(0)}), Op({Read(0), Write(1)}, {0})}).offsets,
              ElementsAre(0, 64));
  EXPECT_THAT(Plan({{64, 4}, {60, 4}}, {Op({Write(0)}), Op({Share(0), Write(1)}, {0})}).offsets,
              ElementsAre(0, 64));
  EXPECT_THAT(Plan({{64, 4}, {64, 8}}, {Op({Write(0)}), Op({Share(0), Write(1)}, {0})}).offsets,
              ElementsAre(0, 64));
  // An operand twice: both must allow it.
  EXPECT_THAT(Plan({{64}, {64}}, {Op({Write(0)}), Op({Share(0), Read(0), Write(1)}, {0})}).offsets,
              ElementsAre(0, 64));
  EXPECT_THAT(Plan({{64}, {64}}, {Op({Write(0)}), Op({Share(0), Share(0), Write(1)}, {0})}).offsets,
              ElementsAre(0, 0));
  // Two tensors are written.
  EXPECT_THAT(Plan({{64}, {64}, {64}}, {Op({Write(0)}), Op({Share(0), Write(1), Write(2)}, {0})})
                  .size_bytes,
              192);
  // What was written before is read again.
  EXPECT_THAT(
      Plan({{64}, {64}}, {Op({Write(0)}), Op({Share(0), Write(1), Read(1)}, {0})}).size_bytes, 128);
}

TEST(MemoryPlannerTest, InPlaceNotIfTheInputIsUsedOtherwise) {
  // By an op that may come later.
  EXPECT_EQ(Plan({{64}, {64}}, {Op({Write(0)}), Op({Read(0)}, {0}), Op({Share(0), Write(1)}, {0})})
                .size_bytes,
            128);
  // By one that is over.
  EXPECT_EQ(Plan({{64}, {64}}, {Op({Write(0)}), Op({Read(0)}, {0}), Op({Share(0), Write(1)}, {1})})
                .size_bytes,
            64);
}

TEST(MemoryPlannerTest, InPlaceNotIfTheOutputIsUsedBefore) {
  EXPECT_EQ(Plan({{64}, {64}}, {Op({Write(0)}), Op({Write(1)}), Op({Share(0), Write(1)}, {0, 1})})
                .size_bytes,
            128);
}

// Of two inputs only one can hand over its bytes.
TEST(MemoryPlannerTest, InPlaceOfOneInput) {
  MemoryPlan plan = Plan({{64}, {64}, {64}}, {Op({Write(0)}), Op({Write(1)}),
                                              Op({Share(0), Share(1), Write(2)}, {0, 1})});
  EXPECT_THAT(plan.offsets, ElementsAre(0, 64, 0));
  EXPECT_EQ(plan.size_bytes, 128);
}

// Bytes are handed on and on; tensor 0 itself is long over then.
TEST(MemoryPlannerTest, InPlaceChain) {
  std::vector<PlannerOp> ops = {Op({Write(0)})};
  for (uint32_t i = 1; i < 100; ++i) ops.push_back(Op({Share(i - 1), Write(i)}, {i - 1}));
  MemoryPlan plan = Plan(std::vector<PlannedTensor>(100, {1000, 4}), ops);
  EXPECT_EQ(plan.size_bytes, 1024);
  EXPECT_EQ(plan.unplanned_bytes, 102400);
}

TEST(MemoryPlannerTest, PingPong) {
  std::vector<PlannerOp> ops = {Op({Write(0)})};
  for (uint32_t i = 1; i < 51; ++i) ops.push_back(Op({Read(i - 1), Write(i)}, {i - 1}));
  MemoryPlan plan = Plan(std::vector<PlannedTensor>(51, {4096, 4}), ops);
  EXPECT_EQ(plan.size_bytes, 8192);
  EXPECT_EQ(plan.lower_bound_bytes, 8192);
}

// A large tensor finds the place of two small ones.
TEST(MemoryPlannerTest, SeveralSizes) {
  MemoryPlan plan =
      Plan({{64}, {128}, {192}}, {Op({Write(0)}), Op({Write(1)}), Op({Write(2)}, {0, 1})});
  EXPECT_EQ(plan.size_bytes, 192);
}

TEST(MemoryPlannerTest, SizesThatDoNotFit) {
  constexpr int64_t kHuge = int64_t{1} << 61;
  EXPECT_FALSE(PlanTensors({{std::numeric_limits<int64_t>::max()}}, {Op({Write(0)})}));
  EXPECT_FALSE(PlanTensors({{kHuge}, {kHuge}, {1}}, {Op({Write(0), Write(1), Write(2)})}));
  EXPECT_TRUE(PlanTensors({{kHuge}, {kHuge}}, {Op({Write(0), Write(1)})}));
}

// --- random programs ---

// A program whose tensors are written and read in an order that its dependencies give. Each
// dependency of that kind is a value of the op itself that tells that it is done, or goes through
// an op without uses.
struct Program {
  std::vector<PlannedTensor> tensors;
  std::vector<PlannerOp> ops;
  std::vector<bool> updates;  // by op: reads what it writes
};

class ProgramMaker {
 public:
  explicit ProgramMaker(std::mt19937& random) : random_(random) {}

  Program Make() {
    for (int n = 5 + Below(25); n > 0; --n) AddStep();
    return std::move(program_);
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % n); }

  void AddStep() {
    int kind = Below(8);
    if (kind == 0) {
      AddOther();
    } else if (kind <= 4 || writers_.empty()) {
      program_.tensors.push_back({64 * (1 + Below(2)), Below(8) == 0 ? 8 : 4});
      writers_.push_back(-1);
      readers_.emplace_back();
      AddWriter(static_cast<uint32_t>(writers_.size() - 1));
    } else if (kind == 5) {
      AddWriter(RecentTensor());
    } else {
      AddReader(RecentTensor());
    }
  }

  uint32_t RecentTensor() {
    int count = static_cast<int>(writers_.size());
    return static_cast<uint32_t>(count - 1 - Below(std::min(count, 4)));
  }

  // An op that has to do with no tensor.
  void AddOther() {
    PlannerOp op;
    op.strict = Below(2) == 0;
    for (int n = Below(3); n > 0 && !program_.ops.empty(); --n) {
      op.operands.push_back({uint32_t(Below(int(program_.ops.size()))), Below(2) == 0});
    }
    Add(std::move(op), false);
  }

  void AddReader(uint32_t tensor) {
    PlannerOp op;
    After(writers_[tensor], &op);
    op.uses.push_back(Read(tensor));
    readers_[tensor].push_back(Add(std::move(op), false));
  }

  void AddWriter(uint32_t tensor) {
    PlannerOp op;
    bool updates = writers_[tensor] >= 0 && Below(3) == 0;
    std::vector<uint32_t> inputs;
    for (int n = Below(3); n > 0; --n) {
      uint32_t input = RecentTensor();
      if (input == tensor || writers_[input] < 0) continue;
      After(writers_[input], &op);
      op.uses.push_back({input, false, !updates && Below(2) == 0});
      inputs.push_back(input);
    }
    if (writers_[tensor] >= 0) After(writers_[tensor], &op);
    for (int reader : readers_[tensor]) After(reader, &op);
    // Often what came before is waited for, though the tensors do not ask for it.
    if (Below(2) == 0) {
      int count = static_cast<int>(program_.ops.size());
      for (int other = std::max(0, count - 1 - Below(6)); other < count; ++other) After(other, &op);
    }
    op.uses.push_back(Write(tensor));
    int number = Add(std::move(op), updates);
    writers_[tensor] = number;
    readers_[tensor].clear();
    for (uint32_t input : inputs) readers_[input].push_back(number);
  }

  void After(int other, PlannerOp* op) {
    if (Below(3) != 0) {
      op->operands.push_back({static_cast<uint32_t>(other), true});
      return;
    }
    PlannerOp merge;
    merge.operands.push_back({static_cast<uint32_t>(other), true});
    op->operands.push_back({static_cast<uint32_t>(Add(std::move(merge), false)), Below(2) == 0});
  }

  int Add(PlannerOp op, bool updates) {
    program_.ops.push_back(std::move(op));
    program_.updates.push_back(updates);
    return static_cast<int>(program_.ops.size()) - 1;
  }

  std::mt19937& random_;
  Program program_;
  std::vector<int> writers_;               // by tensor: the last op that wrote it
  std::vector<std::vector<int>> readers_;  // by tensor: who read it since then
};

// Runs a program in a random order that the dependencies allow, with ops at work at the same time,
// and watches who holds each byte.
class Simulation {
 public:
  Simulation(const Program& program, const MemoryPlan& plan, std::mt19937& random)
      : program_(program),
        plan_(plan),
        random_(random),
        states_(program.ops.size(), State::kWaiting) {}

  // The first thing that went wrong, or nothing.
  std::string Run() {
    size_t num_done = 0;
    while (num_done < states_.size() && error_.empty()) {
      size_t op = random_() % states_.size();
      if (states_[op] == State::kWaiting && CanStart(op)) {
        states_[op] = State::kRunning;
        Start(op);
      } else if (states_[op] == State::kRunning && random_() % 3 == 0) {
        states_[op] = State::kDone;
        Finish(op);
        ++num_done;
      }
    }
    return error_;
  }

 private:
  enum class State { kWaiting, kRunning, kDone };
  static constexpr int kNobody = -1;

  bool CanStart(size_t index) {
    const PlannerOp& op = program_.ops[index];
    if (!op.strict) return true;
    return std::ranges::all_of(op.operands, [&](PlannerOperand operand) {
      State state = states_[operand.op];
      return operand.is_done ? state == State::kDone : state != State::kWaiting;
    });
  }

  // Blocks of 64 bytes of the tensor.
  template <typename F>
  void ForBlocks(uint32_t tensor, F fn) {
    int64_t begin = plan_.offsets[tensor] / 64;
    int64_t end = begin + program_.tensors[tensor].size_bytes / 64;
    for (int64_t block = begin; block < end; ++block)
      fn(holders_.try_emplace(block, kNobody).first->second);
  }
  void ExpectHeld(size_t op, uint32_t tensor, int holder, const char* when) {
    ForBlocks(tensor, [&](int& held_by) {
      if (held_by == holder || !error_.empty()) return;
      error_ = "op " + std::to_string(op) + " " + when + ": the bytes of tensor " +
               std::to_string(tensor) + " belong to " + std::to_string(held_by);
    });
  }
  // While an op writes, the bytes are its own.
  int Writer(size_t op) const { return 1000 + static_cast<int>(op); }

  void Start(size_t index) {
    const PlannerOp& op = program_.ops[index];
    for (const TensorUse& use : op.uses) {
      if (!use.writes || program_.updates[index])
        ExpectHeld(index, use.tensor, int(use.tensor), "starts");
    }
    for (const TensorUse& use : op.uses) {
      if (use.writes) ForBlocks(use.tensor, [&](int& held_by) { held_by = Writer(index); });
    }
  }

  void Finish(size_t index) {
    const PlannerOp& op = program_.ops[index];
    for (const TensorUse& use : op.uses) {
      bool in_place =
          use.may_share && std::ranges::any_of(op.uses, [&](const TensorUse& other) {
            return other.writes && plan_.offsets[other.tensor] == plan_.offsets[use.tensor];
          });
      if (!use.writes && !in_place) ExpectHeld(index, use.tensor, int(use.tensor), "reads");
    }
    for (const TensorUse& use : op.uses) {
      if (!use.writes) continue;
      ExpectHeld(index, use.tensor, Writer(index), "ends");
      ForBlocks(use.tensor, [&](int& held_by) { held_by = int(use.tensor); });
    }
  }

  const Program& program_;
  const MemoryPlan& plan_;
  std::mt19937& random_;
  std::vector<State> states_;
  std::map<int64_t, int> holders_;  // by block: a tensor, or an op that writes
  std::string error_;
};

TEST(MemoryPlannerTest, RandomProgramsInRandomOrders) {
  int64_t unplanned = 0;
  int64_t planned = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Program program = ProgramMaker(random).Make();
    MemoryPlan plan = Plan(program.tensors, program.ops);
    EXPECT_LE(plan.lower_bound_bytes, plan.size_bytes);
    EXPECT_LE(plan.size_bytes, plan.unplanned_bytes);
    for (int run = 0; run < 10; ++run) {
      ASSERT_EQ(Simulation(program, plan, random).Run(), "");
    }
    unplanned += plan.unplanned_bytes;
    planned += plan.size_bytes;
  }
  // The programs are of a kind that leaves something to gain.
  EXPECT_LT(planned * 10, unplanned * 9);
}

}  // namespace
}  // namespace tfrt::compiler
