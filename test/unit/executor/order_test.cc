// The order of kernels under the single-threaded queue, on random programs, against a second
// implementation of the order model of docs/executor.md that is written for clarity only. The
// executor takes its static path where the model stays on one stream and its live path elsewhere;
// both must agree with the model, and so must runs that turn from one into the other at a late
// value.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>

#include "test/support/random_program.h"
#include "test/unit/executor/test_kernels.h"

namespace tfrt {
namespace {

using bef::BefBuilder;
using bef::FunctionSpec;

class Model {
 public:
  explicit Model(const RandomProgram& program) : program_(program) {}

  std::vector<int32_t> Run() {
    uint32_t num_registers = program_.num_arguments;
    for (const Step& step : program_.steps) {
      first_result_.push_back(num_registers);
      num_registers += step.num_results;
      pending_.push_back(std::max<size_t>(1, step.operands.size()));
    }
    users_.resize(num_registers);
    for (size_t k = program_.steps.size(); k-- > 0;) {
      const auto& operands = program_.steps[k].operands;
      for (size_t a = operands.size(); a-- > 0;) users_[operands[a]].push_back(k);
    }
    Lists lists{.stream = program_.root_stream};
    std::vector<size_t> starters;
    for (size_t k = 0; k < program_.steps.size(); ++k) {
      if (program_.steps[k].operands.empty()) starters.push_back(k);
    }
    Decrement(starters, &lists);
    for (uint32_t r = 0; r < program_.num_arguments; ++r) Decrement(users_[r], &lists);
    Loop(&lists);
    while (!tasks_.empty()) {
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
    }
    return log_;
  }

 private:
  struct Lists {
    uint32_t stream;
    std::vector<size_t> here = {};
    std::vector<size_t> elsewhere = {};
  };

  void Decrement(const std::vector<size_t>& kernels, Lists* lists) {
    for (size_t k : kernels) {
      size_t left = --pending_[k];
      const Step& step = program_.steps[k];
      // A non-strict kernel is ready with the first of its operands.
      size_t ready_at = step.non_strict ? std::max<size_t>(1, step.operands.size()) - 1 : 0;
      if (left != ready_at) continue;
      bool is_here = program_.steps[k].stream == lists->stream;
      (is_here ? lists->here : lists->elsewhere).push_back(k);
    }
  }

  void Settle(Lists* lists) {
    auto& waiting = lists->elsewhere;
    if (lists->here.empty() && !waiting.empty()) {
      lists->stream = program_.steps[waiting[0]].stream;
      auto differs = [&](size_t k) { return program_.steps[k].stream != lists->stream; };
      size_t left = 0, right = waiting.size();
      while (true) {
        while (left < right && differs(waiting[left])) ++left;
        while (left < right && !differs(waiting[right - 1])) --right;
        if (left >= right) break;
        std::swap(waiting[left++], waiting[--right]);
      }
      lists->here.assign(waiting.begin() + left, waiting.end());
      waiting.resize(left);
    }
    for (uint32_t stream = 0; stream < 16; ++stream) {
      Lists task{.stream = stream};
      for (size_t k : waiting) {
        if (program_.steps[k].stream == stream) task.here.push_back(k);
      }
      if (!task.here.empty()) tasks_.push_back([this, task]() mutable { Loop(&task); });
    }
    waiting.clear();
  }

  void Loop(Lists* lists) {
    Settle(lists);
    while (!lists->here.empty()) {
      size_t k = lists->here.back();
      lists->here.pop_back();
      Execute(k, lists);
      Settle(lists);
    }
  }

  void Execute(size_t k, Lists* lists) {
    log_.push_back(static_cast<int32_t>(k));
    const Step& step = program_.steps[k];
    if (!step.late) {
      for (uint32_t i = 0; i < step.num_results; ++i)
        Decrement(users_[first_result_[k] + i], lists);
      return;
    }
    tasks_.push_back([this, k, &step, stream = lists->stream] {
      for (uint32_t i = 0; i < step.num_results; ++i) {
        Lists continuation{.stream = stream};
        Decrement(users_[first_result_[k] + i], &continuation);
        Loop(&continuation);
      }
    });
  }

  const RandomProgram& program_;
  std::vector<uint32_t> first_result_;
  std::vector<size_t> pending_;
  std::vector<std::vector<size_t>> users_;
  std::deque<std::function<void()>> tasks_;
  std::vector<int32_t> log_;
};

BefBuilder Build(const RandomProgram& program) {
  FunctionSpec f{.name = "f", .root_stream = program.root_stream};
  f.argument_types.assign(program.num_arguments, "i32");
  for (size_t k = 0; k < program.steps.size(); ++k) {
    const Step& step = program.steps[k];
    bef::KernelSpec kernel =
        Op(step.non_strict ? "t.visit_any"
           : step.late     ? "t.visit_late"
                           : "t.visit",
           step.operands, std::vector<std::string>(step.num_results, "i32"), step.stream);
    kernel.attributes = {{"id", bef::I32Attribute(static_cast<int32_t>(k))}};
    f.AddKernel(std::move(kernel));
  }
  f.returns = program.returns;
  f.result_types.assign(f.returns.size(), "i32");
  BefBuilder builder;
  builder.AddFunction(std::move(f));
  return builder;
}

std::vector<int32_t> Visited(const RandomProgram& program, const char* queue) {
  TestHost host(queue);
  auto file = host.Load(Build(program));
  std::vector<RCReference<AsyncValue>> arguments(program.num_arguments);
  for (auto& argument : arguments) argument = MakeInt(0);
  for (auto& result : host.Run(*file, "f", arguments)) EXPECT_EQ(result->get<int32_t>(), 0);
  return TestLog::Get().entries();
}

struct Shape {
  const char* name;
  uint32_t num_streams;
  bool late_values;
  bool non_strict = false;
};

RandomProgram MakeShaped(std::mt19937& random, const Shape& shape) {
  RandomProgram program = MakeProgram(random, shape.num_streams, shape.late_values);
  if (!shape.non_strict) return program;
  for (Step& step : program.steps) step.non_strict = !step.late && random() % 4 == 0;
  return program;
}

class OrderTest : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(
    Programs, OrderTest,
    testing::Values(Shape{"OneStream", 1, false}, Shape{"OneStreamLate", 1, true},
                    Shape{"TwoStreams", 2, false}, Shape{"ManyStreams", 9, false},
                    Shape{"ManyStreamsLate", 9, true}, Shape{"NonStrict", 1, false, true},
                    Shape{"NonStrictLate", 1, true, true},
                    Shape{"NonStrictManyStreamsLate", 9, true, true}),
    [](const auto& info) { return info.param.name; });

TEST_P(OrderTest, SingleThreadedOrderIsTheModels) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    RandomProgram program = MakeShaped(random, GetParam());
    ASSERT_EQ(Visited(program, "s"), Model(program).Run()) << "seed " << seed;
  }
}

TEST_P(OrderTest, SeveralThreadsRunEveryKernelOnceAndInDataOrder) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    RandomProgram program = MakeShaped(random, GetParam());
    std::vector<int32_t> order = Visited(program, "mstd:2");
    std::vector<size_t> position(program.steps.size(), order.size());
    ASSERT_EQ(order.size(), program.steps.size()) << "seed " << seed;
    for (size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::vector<uint32_t> producer(program.num_arguments, UINT32_MAX);
    for (uint32_t k = 0; k < program.steps.size(); ++k) {
      bool after_some = program.steps[k].operands.empty(), after_all = true;
      for (uint32_t r : program.steps[k].operands) {
        bool after = producer[r] == UINT32_MAX || position[producer[r]] < position[k];
        after_some |= after;
        after_all &= after;
      }
      ASSERT_TRUE(program.steps[k].non_strict ? after_some : after_all) << "seed " << seed;
      producer.insert(producer.end(), program.steps[k].num_results, k);
    }
  }
}

}  // namespace
}  // namespace tfrt
