// Op functions that call ops, and wait for them.

#include <mutex>

#include "test/unit/eager/eager_fixture.h"
#include "tfrt/eager/variable.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What the nested ops use; one test at a time.
struct Nested {
  Context* context = nullptr;
  ExecutionMode mode = ExecutionMode::kSync;
  Tensor foreign;
  Variable variable;
  Status status;
};
Nested nested;

Tensor TensorOf(const DenseHostTensor& x) {
  std::span<const int32_t> elements(static_cast<const int32_t*>(x.data()),
                                    static_cast<size_t>(x.num_elements()));
  return Tensor::FromArray(HostArray(x.shape().dims(), elements));
}
StatusOr<DenseHostTensor> DenseOf(const Tensor& tensor) {
  TFRT_RETURN_IF_ERROR(tensor.status());
  TFRT_ASSIGN_OR_RETURN(auto values, tensor.Values<int32_t>());
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, tensor.shape());
  const HostArray array(shape.dims(), values);
  return array.tensor()->ShareBuffer();
}

// nest.Quadruple(x): with three ops, of which one is an op that calls ops. On another device, too.
StatusOr<DenseHostTensor> Twice(const DenseHostTensor& x) {
  Scope scope(*nested.context, {.mode = nested.mode});
  Tensor tensor = TensorOf(x);
  return DenseOf(Add(tensor, tensor));
}
StatusOr<DenseHostTensor> Quadruple(const DenseHostTensor& x) {
  Scope scope(*nested.context, {.mode = nested.mode, .device = "cpu:1"});
  Tensor twice = CallOp("nest.Twice", {TensorOf(x)});
  EXPECT_TRUE(twice.IsAvailable());  // whatever the mode
  return DenseOf(Add(twice, twice));
}
// nest.Effects(x): two effects, in their order; nest.EffectsInside(x): the same of an op that has
// none of its own.
StatusOr<DenseHostTensor> Effects(const DenseHostTensor& x) {
  Scope scope(*nested.context, {.mode = nested.mode});
  Tensor tensor = TensorOf(x);
  TFRT_RETURN_IF_ERROR(CallEffect("test.Effect", tensor));
  TFRT_RETURN_IF_ERROR(CallEffect("test.Effect", Add(tensor, tensor)));
  return DenseOf(tensor);
}
Status EffectsOnly(const DenseHostTensor& x) { return Effects(x).status(); }
// nest.Foreign(x): uses a tensor that it has not been given.
StatusOr<DenseHostTensor> Foreign(const DenseHostTensor& x) {
  Scope scope(*nested.context, {.mode = nested.mode});
  nested.context->Wait();
  nested.status = Add(nested.foreign, TensorOf(x)).status();
  TFRT_RETURN_IF_ERROR(nested.foreign.status());
  return DenseOf(nested.foreign);
}
// nest.Count(x): adds x to a variable.
StatusOr<DenseHostTensor> Count(const DenseHostTensor& x) {
  Scope scope(*nested.context, {.mode = nested.mode});
  return DenseOf(nested.variable.AssignAdd(TensorOf(x)));
}

// nest.NoScope(x): sees whether its thread has a scope.
StatusOr<DenseHostTensor> NoScope(const DenseHostTensor& x) {
  nested.status = TensorOf(x).status();
  return x.ShareBuffer();
}

struct Param {
  const char* queue;
  ModeAndOrder modes;
};
std::vector<Param> Params() {
  std::vector<Param> params;
  for (const char* queue : {"s", "mstd:1", "mstd:4"}) {
    for (const ModeAndOrder& modes : kAllModes) params.push_back({queue, modes});
  }
  return params;
}

class EagerNestedCallsTest : public testing::TestWithParam<Param> {
 protected:
  EagerNestedCallsTest() {
    context_ = MakeContext({.work_queue = GetParam().queue,
                            .devices = {"cpu:0", "cpu:1"},
                            .order = GetParam().modes.order,
                            .diagnostic_handler = [this](const DecodedDiagnostic& diagnostic) {
                              std::lock_guard lock(mutex_);
                              reported_.emplace_back(diagnostic.status.message());
                            }});
    const auto add = [&](std::string_view name, OpFunction function, OpFlags flags,
                         std::vector<std::string_view> results) {
      CustomOp op{.name = name, .summary = "", .arguments = {{"x"}}, .flags = flags};
      op.results = std::move(results);
      op.function = function;
      EXPECT_TRUE(context_->RegisterOp(std::move(op)).ok());
    };
    add("nest.Twice", TFRT_OP(Twice), OpFlags::kNone, {"y"});
    add("nest.Quadruple", TFRT_OP(Quadruple), OpFlags::kNone, {"y"});
    add("nest.Effects", TFRT_OP(EffectsOnly), OpFlags::kSideEffects, {});
    add("nest.EffectsInside", TFRT_OP(Effects), OpFlags::kNone, {"y"});
    add("nest.Foreign", TFRT_OP(Foreign), OpFlags::kNone, {"y"});
    add("nest.Count", TFRT_OP(Count), OpFlags::kNone, {"y"});
    add("nest.NoScope", TFRT_OP(NoScope), OpFlags::kNone, {"y"});
    nested = {.context = context_.get(), .mode = mode()};
  }
  ~EagerNestedCallsTest() override {
    context_->Wait();
    nested = {};
  }
  ExecutionMode mode() const { return GetParam().modes.mode; }
  bool is_sync() const { return mode() == ExecutionMode::kSync; }

  std::mutex mutex_;
  std::vector<std::string> reported_;  // under mutex_
  std::unique_ptr<Context> context_;
};

constexpr char kNoScope[] = "this thread has no tfrt::eager::Scope";

// Tasks of anybody's run on top of a thread that waits: its scope is not theirs.
TEST_P(EagerNestedCallsTest, TasksThatAThreadRunsWhileItWaitsHaveNoScope) {
  Scope scope(*context_, {.mode = mode()});
  TestOpState& ops = TestOps(*context_);
  Status seen;
  auto add_task = [&] {
    seen = OkStatus();
    context_->host()->work_queue().AddTask([&] {
      seen = Tensor::Of({1}).status();
      ops.OpenGate();
    });
  };
  add_task();
  Tensor x = CallOp("test.Gate", {Tensor::Of({1})});
  EXPECT_THAT(ValuesOf<int32_t>(x), ElementsAre(1));
  EXPECT_THAT(std::string(seen.message()), HasSubstr(kNoScope));
  EXPECT_THAT(ValuesOf<int32_t>(Add(x, x)), ElementsAre(2)) << "it is there again";
  if (is_sync()) return;
  ops.CloseGate();
  x = CallOp("test.Gate", {Tensor::Of({1})});
  add_task();
  context_->Wait();
  EXPECT_THAT(std::string(seen.message()), HasSubstr(kNoScope));
  EXPECT_THAT(ValuesOf<int32_t>(Add(x, x)), ElementsAre(2));
}

// The same of an op's function, whatever made the thread run it.
TEST_P(EagerNestedCallsTest, OpsThatAThreadRunsWhileItWaitsHaveNoScope) {
  if (is_sync()) return;  // the function is a part of the call
  Scope scope(*context_, {.mode = mode()});
  Tensor x = CallOp("nest.NoScope", {Tensor::Of({1})});
  AsyncValue* awaited = x.state()->value();
  context_->host()->Await({&awaited, 1});
  EXPECT_THAT(std::string(nested.status.message()), HasSubstr(kNoScope));
  EXPECT_THAT(ValuesOf<int32_t>(Add(x, x)), ElementsAre(2));
}

TEST_P(EagerNestedCallsTest, CallAndWait) {
  Scope scope(*context_, {.mode = mode()});
  std::vector<Tensor> results;
  for (int i = 0; i < 20; ++i) {
    results.push_back(CallOp("nest.Quadruple", {Tensor::Of({i, 1})}));
    results.push_back(Add(results.back(), results.back()));
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(ValuesOf<int32_t>(results[2 * i]), ElementsAre(4 * i, 4));
    EXPECT_THAT(ValuesOf<int32_t>(results[2 * i + 1]), ElementsAre(8 * i, 8));
  }
}

TEST_P(EagerNestedCallsTest, EffectsArePartOfTheOp) {
  Scope scope(*context_, {.mode = mode()});
  Tensor one = Tensor::Of({1});
  EXPECT_TRUE(CallEffect("nest.Effects", one).ok());
  EXPECT_TRUE(CallEffect("test.Effect", Tensor::Of({3})).ok());
  context_->Wait();
  EXPECT_THAT(TestOps(*context_).TakeLog(), ElementsAre("1", "2", "3"));
  // The effect of its result has taken its turn before the op begins, and waits for it.
  if (is_sync()) TestOps(*context_).OpenGate();
  Tensor four = CallOp("test.Gate", {Tensor::Of({4})});
  Tensor same = CallOp("nest.EffectsInside", {four});
  EXPECT_TRUE(CallEffect("test.Effect", Add(same, Tensor::Of({5}))).ok());
  if (!is_sync()) TestOps(*context_).OpenGate();
  context_->Wait();
  EXPECT_THAT(TestOps(*context_).TakeLog(), ElementsAre("4", "8", "9"));
}

TEST_P(EagerNestedCallsTest, WaitingForOthersIsAnError) {
  // The tensor comes after the op that wants it, or needs it.
  {
    Scope async(*context_, {.mode = ExecutionMode::kAsync});
    nested.foreign = CallOp("test.Gate", {Tensor::Of({1})});
  }
  Scope scope(*context_, {.mode = mode()});
  if (GetParam().modes.order == ExecutionOrder::kDataflow) {
    Tensor result = CallOp("nest.Foreign", {Tensor::Of({1})});
    EXPECT_EQ(result.status().code(), StatusCode::kFailedPrecondition);
    EXPECT_THAT(
        std::string(result.status().message()),
        HasSubstr("nest.Foreign: an op function cannot wait for a tensor that it has not been "
                  "given"));
    EXPECT_EQ(nested.status.code(), StatusCode::kFailedPrecondition);
    std::lock_guard lock(mutex_);
    ASSERT_FALSE(reported_.empty());
    EXPECT_THAT(reported_[0], HasSubstr("cannot wait for all ops of a context"));
  }
  TestOps(*context_).OpenGate();
  // Nothing to wait for.
  ASSERT_TRUE(nested.foreign.status().ok());
  EXPECT_THAT(ValuesOf<int32_t>(CallOp("nest.Foreign", {Tensor::Of({1})})), ElementsAre(1));
}

TEST_P(EagerNestedCallsTest, ATensorThatComesLater) {
  if (is_sync()) GTEST_SKIP() << "there is nothing later";
  Scope scope(*context_, {.mode = mode()});
  Tensor gate = CallOp("test.Gate", {Tensor::Of({1})});
  Tensor first = CallOp("nest.Foreign", {gate});
  nested.foreign = Add(first, first);  // behind it, and needs it
  TestOps(*context_).OpenGate();
  EXPECT_EQ(first.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(nested.foreign.status(), first.status());
}

TEST_P(EagerNestedCallsTest, Variables) {
  {
    Scope scope(*context_, {.mode = mode()});
    nested.variable = Variable(Tensor::Of({0}));
    ASSERT_TRUE(nested.variable.Read().status().ok());
    for (int i = 0; i < 10; ++i) {
      Tensor count = CallOp("nest.Count", {Tensor::Of({1})});
      ASSERT_TRUE(count.status().ok()) << count.status().message();
    }
  }
  EXPECT_EQ(nested.variable.Read().Item<int32_t>().value(), 10);
}

INSTANTIATE_TEST_SUITE_P(Queues, EagerNestedCallsTest, testing::ValuesIn(Params()),
                         [](const testing::TestParamInfo<Param>& info) {
                           std::string queue = info.param.queue;
                           std::erase(queue, ':');
                           return queue + ModeName({info.param.modes, 0});
                         });

}  // namespace
}  // namespace tfrt::eager
