// graph.if_call and graph.loop_call: conditions that come at once or later, errors, cancellation,
// and loops that go on for long.

#include <future>
#include <limits>

#include "lib/runtime/host/planned_allocator.h"
#include "test/support/deadline.h"
#include "test/unit/model/number_programs.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using Results = StatusOr<std::vector<DenseHostTensor>>;

struct Setting {
  const char* name;
  const char* queue;
  bool late;
};

class GraphControlFlowTest : public testing::TestWithParam<Setting> {
 protected:
  GraphControlFlowTest() {
    numbers_come_late = GetParam().late;
    num_sums = 0;
    gate = gate_.GetAsyncValue();
    RegisterNumberKernels(&host_->kernel_registry());
  }
  ~GraphControlFlowTest() override {
    OpenGate();
    host_->Quiesce();
  }
  void OpenGate() {
    if (!std::exchange(is_open_, true)) gate_.emplace(Chain());
  }

  Session MakeSession(bef::FunctionSpec main, std::vector<bef::FunctionSpec> others) {
    StatusOr<Model> model = Model::FromBytes(BuildModel(std::move(main), others), host_.get());
    EXPECT_TRUE(model.ok()) << model.status().ToString();
    return *Session::Create(*model);
  }
  std::vector<DenseHostTensor> Numbers(std::initializer_list<int64_t> values) {
    std::vector<DenseHostTensor> numbers;
    for (int64_t value : values) numbers.push_back(MakeNumber(value, host_->allocator()));
    return numbers;
  }
  static Results Run(Session& session, const std::vector<DenseHostTensor>& inputs) {
    std::vector<const DenseHostTensor*> pointers;
    for (const DenseHostTensor& input : inputs) pointers.push_back(&input);
    return session.RunInOrder(pointers);
  }

  // With three inputs. Finds out whether the run ends before the gate is open.
  Results RunBehindTheGate(Session& session, const std::vector<DenseHostTensor>& inputs) {
    std::promise<Results> promise;
    std::future<Results> future = promise.get_future();
    session.RunAsync({{"0", inputs[0]}, {"1", inputs[1]}, {"2", inputs[2]}},
                     [&](Results results) { promise.set_value(std::move(results)); });
    host_->Quiesce();
    EXPECT_EQ(future.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    OpenGate();
    host_->Quiesce();
    return future.get();
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost(GetParam().queue);
  AsyncValueRef<Chain> gate_ = MakeUnconstructedAsyncValueRef<Chain>();
  bool is_open_ = false;
};

// (run, condition, sum, step, limit) -> (sum + step < limit, sum + step, sum + step)
bef::FunctionSpec CountingBody() {
  bef::FunctionSpec body = MakeFunction("body", 5);
  const uint32_t sum = AddCall(body, "n.plus", {2, 3});
  body.returns = {AddCall(body, "n.less", {sum, 4}), sum, sum};
  return body;
}
// (count, start, step, limit) -> what the counting body carries and stacks.
bef::FunctionSpec CountingMain() {
  bef::FunctionSpec main = MakeFunction("main", 4);
  const uint32_t truth = AddCall(main, "n.less", {2, 3});
  const uint32_t loop = AddLoop(
      main,
      {.body = "body", .operands = {0, truth, 1, 2, 3}, .has_condition = true, .num_stacked = 1});
  main.returns = {loop, loop + 1};
  return main;
}

TEST_P(GraphControlFlowTest, LoopsEndByConditionOrCount) {
  Session session = MakeSession(CountingMain(), {CountingBody()});
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (int round = 0; round < 3; ++round) {
    Results results = Run(session, Numbers({kMax, 0, 1, 5}));
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    EXPECT_EQ(NumberOf((*results)[0]), 5);
    EXPECT_THAT(NumbersOf((*results)[1]), ElementsAre(1, 2, 3, 4, 5));
    results = Run(session, Numbers({3, 10, 2, 100}));
    EXPECT_THAT(NumbersOf((*results)[1]), ElementsAre(12, 14, 16));
  }
  for (int64_t count : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
    Results results = Run(session, Numbers({count, 7, 1, 100}));
    EXPECT_EQ(NumberOf((*results)[0]), 7);
    EXPECT_EQ((*results)[1].shape(), TensorShape{0});
  }
  // The condition is false from the start.
  Results results = Run(session, Numbers({9, 7, 1, 1}));
  EXPECT_EQ(NumberOf((*results)[0]), 7);
  EXPECT_EQ((*results)[1].num_elements(), 0);
}

TEST_P(GraphControlFlowTest, ALongLoopNeitherNestsNorIsPlannedWhole) {
  Deadline deadline("a loop of many runs");
  Session session = MakeSession(CountingMain(), {CountingBody()});
  const int64_t count = GetParam().late ? 10000 : 50000;
  for (int round = 0; round < 2; ++round) {
    Results results = Run(session, Numbers({count, 0, 1, 2 * count}));
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    EXPECT_EQ(NumberOf((*results)[0]), count);
    EXPECT_EQ((*results)[1].num_elements(), count);
  }
  EXPECT_LE(session.memory().arena_bytes, 2 * PlannedAllocator::kMaxPlanned * 128);
}

// A result may be the next run's input, and is nobody else's memory as long as it is there.
TEST_P(GraphControlFlowTest, ResultsStayAsTheyAreWhileRunsGoOn) {
  Session session = MakeSession(CountingMain(), {CountingBody()});
  std::vector<DenseHostTensor> inputs = Numbers({4, 0, 1, 1000});
  std::vector<std::vector<DenseHostTensor>> kept;
  for (int64_t round = 0; round < 30; ++round) {
    Results results = Run(session, inputs);
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    inputs[1] = (*results)[0].ShareBuffer();
    kept.push_back(*std::move(results));
  }
  for (int64_t round = 0; round < 30; ++round) {
    EXPECT_EQ(NumberOf(kept[round][0]), 4 * (round + 1));
    EXPECT_THAT(NumbersOf(kept[round][1]),
                ElementsAre(4 * round + 1, 4 * round + 2, 4 * round + 3, 4 * round + 4));
  }
}

// (count, n): sums up n in a loop of `count` runs, so often again.
TEST_P(GraphControlFlowTest, LoopsInLoops) {
  bef::FunctionSpec inner = MakeFunction("inner", 4);  // run, condition, sum, n
  inner.returns = {1, AddCall(inner, "n.plus", {2, 3})};
  bef::FunctionSpec outer = MakeFunction("outer", 5);  // run, condition, sum, count, n
  outer.returns = {1, AddLoop(outer, {.body = "inner", .operands = {3, 2, 4}})};
  bef::FunctionSpec main = MakeFunction("main", 2);
  const uint32_t zero = AddCall(main, "n.zero", {1});
  main.returns = {AddLoop(main, {.body = "outer", .operands = {0, zero, 0, 1}})};
  Session session = MakeSession(std::move(main), {std::move(inner), std::move(outer)});
  for (int64_t count : {1, 2, 40}) {
    Results results = Run(session, Numbers({count, 3}));
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    EXPECT_EQ(NumberOf((*results)[0]), 3 * count * count);
  }
}

// The body passes on its condition, which is always true.
TEST_P(GraphControlFlowTest, AnErrorEndsALoop) {
  Deadline deadline("a loop with an error");
  bef::FunctionSpec body = MakeFunction("body", 5);  // run, condition, sum, step, bad
  const uint32_t sum = AddCall(body, "n.fail_at", {AddCall(body, "n.plus", {2, 3}), 4});
  body.returns = {1, sum, sum};
  bef::FunctionSpec main = MakeFunction("main", 4);  // count, start, step, bad
  const uint32_t loop = AddLoop(main, {.body = "body", .operands = {0, 1, 2, 3}, .num_stacked = 1});
  main.returns = {loop, loop + 1};
  Session session = MakeSession(std::move(main), {std::move(body)});
  for (int64_t bad : {1, 100}) {
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
    EXPECT_EQ(Run(session, Numbers({kMax, 0, 1, bad})).status(),
              InternalError(StrCat("failed at ", bad)));
  }
  // The session is none the worse.
  Results results = Run(session, Numbers({50, 0, 1, 100}));
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ(NumberOf((*results)[0]), 50);
}

TEST_P(GraphControlFlowTest, AnEndlessLoopMayBeCancelled) {
  Deadline deadline("a loop that is cancelled");
  bef::FunctionSpec body = MakeFunction("body", 4);  // run, condition, sum, step
  body.returns = {1, AddCall(body, "n.plus", {2, 3})};
  bef::FunctionSpec main = MakeFunction("main", 2);
  main.returns = {AddLoop(main, {.body = "body", .operands = {0, 1}, .has_count = false})};
  Session session = MakeSession(std::move(main), {std::move(body)});
  std::thread canceller([&] {
    while (num_sums < 1000) std::this_thread::yield();
    session.Cancel();
  });
  EXPECT_EQ(Run(session, Numbers({0, 1})).status(), CancelledError("Cancelled"));
  canceller.join();
  const int before = num_sums;
  host_->Quiesce();
  EXPECT_EQ(num_sums, before);
}

// Who hears of the end of a run may take away its inputs.
TEST_P(GraphControlFlowTest, ACancelledLoopWaitsForTheBodyThatRuns) {
  bef::FunctionSpec body = MakeFunction("body", 4);  // run, condition, value, one
  AddCall(body, "n.cancel_at", {0, 3});
  body.returns = {1, AddCall(body, "t.wait", {2})};
  bef::FunctionSpec main = MakeFunction("main", 3);  // count, start, one
  main.returns = {AddLoop(main, {.body = "body", .operands = {0, 1, 2}})};
  Session session = MakeSession(std::move(main), {std::move(body)});
  EXPECT_EQ(RunBehindTheGate(session, Numbers({10, 5, 1})).status(), CancelledError("Cancelled"));
}

// Even if what is still being computed is a result that nobody takes.
TEST_P(GraphControlFlowTest, ResultsOfABodyComeTogether) {
  bef::FunctionSpec body = MakeFunction("body", 4);  // run, condition, value, value
  body.returns = {1, AddCall(body, "n.plus", {2, 2}), AddCall(body, "t.wait", {3})};
  bef::FunctionSpec main = MakeFunction("main", 3);  // count, value, value
  main.returns = {AddLoop(main, {.body = "body", .operands = {0, 1, 2}, .num_carried = 2})};
  Session loop = MakeSession(std::move(main), {std::move(body)});
  Results results = RunBehindTheGate(loop, Numbers({3, 5, 1}));
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ(NumberOf((*results)[0]), 40);
}

TEST_P(GraphControlFlowTest, ResultsOfABranchComeTogether) {
  bef::FunctionSpec branch = MakeFunction("branch", 1);
  branch.returns = {AddCall(branch, "n.plus", {0, 0}), AddCall(branch, "t.wait", {0})};
  bef::FunctionSpec main = MakeFunction("main", 3);
  const uint32_t condition = AddCall(main, "n.less", {0, 1});
  main.returns = {main.AddKernel({.name = "graph.if_call",
                                  .operands = {condition, 2},
                                  .result_types = {"t", "t"},
                                  .callees = {"branch", "branch"}})};
  Session session = MakeSession(std::move(main), {std::move(branch)});
  Results results = RunBehindTheGate(session, Numbers({3, 5, 21}));
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_EQ(NumberOf((*results)[0]), 42);
}

// (a, b) -> a < b ? a + a : fail_at(b, b)
TEST_P(GraphControlFlowTest, BranchesByAConditionThatMayComeLater) {
  bef::FunctionSpec twice = MakeFunction("twice", 2);
  twice.returns = {AddCall(twice, "n.plus", {0, 0}), 1};
  bef::FunctionSpec fail = MakeFunction("fail", 2);
  fail.returns = {AddCall(fail, "n.fail_at", {1, 1}), 1};
  bef::FunctionSpec main = MakeFunction("main", 2);
  const uint32_t condition = AddCall(main, "n.less", {0, 1});
  const uint32_t branch = main.AddKernel({.name = "graph.if_call",
                                          .operands = {condition, 0, 1},
                                          .result_types = {"t", "t"},
                                          .callees = {"fail", "twice"}});
  main.returns = {branch, branch + 1};
  Session session = MakeSession(std::move(main), {std::move(twice), std::move(fail)});
  for (int round = 0; round < 3; ++round) {
    Results results = Run(session, Numbers({3, 4}));
    ASSERT_TRUE(results.ok()) << results.status().ToString();
    EXPECT_EQ(NumberOf((*results)[0]), 6);
    EXPECT_EQ(NumberOf((*results)[1]), 4);
    EXPECT_EQ(Run(session, Numbers({4, 3})).status(), InternalError("failed at 3"));
  }
}

TEST_P(GraphControlFlowTest, ConditionsAndCountsThatAreNone) {
  bef::FunctionSpec same = MakeFunction("same", 1);
  same.returns = {0};
  bef::FunctionSpec main = MakeFunction("main", 1);
  main.returns = {main.AddKernel({.name = "graph.if_call",
                                  .operands = {0, 0},
                                  .result_types = {"t"},
                                  .callees = {"same", "same"}})};
  Session session = MakeSession(std::move(main), {same});
  EXPECT_EQ(Run(session, Numbers({1})).status().message(),
            "the condition is i64 [], expected one element of i1");

  bef::FunctionSpec body = MakeFunction("body", 3);
  body.returns = {0, 2};  // the number of the run is no condition
  main = MakeFunction("main", 2);
  main.returns = {AddLoop(main, {.body = "body", .operands = {0, 1}})};
  Session loop = MakeSession(main, {body});
  EXPECT_EQ(Run(loop, Numbers({5, 1})).status().message(),
            "a loop's condition is i64 [], expected one element of i1");
  main = MakeFunction("main", 2);
  const uint32_t less = AddCall(main, "n.less", {0, 1});
  main.returns = {AddLoop(main, {.body = "body", .operands = {less, 1}})};
  Session count = MakeSession(main, {body});
  EXPECT_EQ(Run(count, Numbers({5, 1})).status().message(),
            "a loop's count is i1 [], expected one element of i64");
}

INSTANTIATE_TEST_SUITE_P(AllQueues, GraphControlFlowTest,
                         testing::Values(Setting{"Here", "s", false}, Setting{"Later", "s", true},
                                         Setting{"Threads", "mstd:3", false},
                                         Setting{"LaterThreads", "mstd:3", true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tfrt
