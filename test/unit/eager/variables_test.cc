// Variables: ordered, and as they were when an update fails.

#include "tfrt/eager/variable.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "test/unit/eager/eager_fixture.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class EagerVariablesTest : public EagerModesTest {
 protected:
  Variable Make(Tensor (*initial)(), Context& context) {
    Scope scope(context, On(device()));
    return Variable(initial());
  }
  // Threads that begin at once; `run` gets their numbers and is called in a scope.
  void InThreads(Context& context, int count, const std::function<void(int)>& run) {
    std::atomic<int> begun{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        Scope scope(context, On(device()));
        begun.fetch_add(1);
        while (begun.load() < count) std::this_thread::yield();
        run(i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  // A context with each kind of work queue.
  void OnEachQueue(const std::function<void(Context&)>& test) {
    for (const char* queue : {"s", "mstd:2"}) {
      SCOPED_TRACE(queue);
      test(*MakeContext(Options({.work_queue = queue})));
    }
  }
};

Tensor Half() { return Tensor::Of({0.5f}); }
Tensor Zero() { return Tensor::Of({0.0f}); }

float SumOf(const Variable& variable) {
  Tensor value = variable.Read();
  return ValuesOf<float>(value)[0];
}

std::vector<float> ValueOf(const Variable& variable) {
  Tensor value = variable.Read();
  return ValuesOf<float>(value);
}

TEST_P(EagerVariablesTest, ReadAndUpdate) {
  Scope scope(*context_, On(device()));
  Variable variable(Tensor::Of({1.0f, 2.0f}));
  EXPECT_THAT(ValueOf(variable), ElementsAre(1, 2));
  Tensor before = variable.Read();
  EXPECT_THAT(ValuesOf<float>(variable.AssignAdd(HostArray({2}, {1.0f, 1.0f}))), ElementsAre(2, 3));
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
  Variable same = variable;
  same.AssignSub(0.5f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(1.5f, 2.5f));
  variable.Assign(Tensor::Of({7.0f, 8.0f}));
  EXPECT_THAT(ValueOf(same), ElementsAre(7, 8));
  EXPECT_THAT(ValuesOf<float>(before), ElementsAre(1, 2));  // as it was read
  // An input of ops, and what the ops of training change.
  EXPECT_THAT(ValuesOf<float>(Mul(variable, 2.0f)), ElementsAre(14, 16));
  SgdUpdate(variable, Tensor::Of({4.0f, 8.0f}), 0.25f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(6, 6));
}

TEST_P(EagerVariablesTest, UpdatesWaitForTheOnesBefore) {
  Scope scope(*context_, On(device()));
  if (is_sync()) TestOps(*context_).OpenGate();
  Variable variable(Tensor::Of({1.0f}));
  variable.AssignAdd(CallOp("test.Gate", {Tensor::Of({10.0f})}));
  Tensor between = variable.Read();
  variable.Update([](const Tensor& old) { return Mul(old, 2.0f); });
  variable.AssignSub(1.0f);
  // In SYNC mode, too, the second device may still be at it.
  if (!is_sync()) {
    EXPECT_FALSE(variable.Read().IsAvailable());
  }
  if (!is_sync()) TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(between), ElementsAre(11));
  EXPECT_THAT(ValueOf(variable), ElementsAre(21));
}

TEST_P(EagerVariablesTest, OfManyThreads) {
  constexpr int kThreads = 4, kUpdates = 50;
  Variable variable;
  {
    Scope scope(*context_, On(device()));
    variable = Variable(Tensor::Of({0.0f, 100.0f}));
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Scope scope(*context_, On(device()));
      for (int update = 0; update < kUpdates; ++update) {
        Tensor value = i % 2 == 0 ? variable.AssignAdd(1.0f) : variable.AssignSub(-1.0f);
        // Both elements at once.
        std::vector<float> elements = ValuesOf<float>(value);
        ASSERT_EQ(elements[1], elements[0] + 100);
        // What fails in between is as if it had not been.
        if (update % 10 == 0) variable.AssignAdd(Tensor::Of({1.0f, 2.0f, 3.0f}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(ValueOf(variable), ElementsAre(kThreads * kUpdates, 100 + kThreads * kUpdates));
}

TEST_P(EagerVariablesTest, AFailedUpdateLeavesTheValue) {
  Scope scope(*context_, On(device()));
  TestOps(*context_).OpenGate();
  Variable variable(Tensor::Of({1.0f, 2.0f}));
  // At the call, in the op, and after it.
  Tensor wrong = variable.AssignAdd(Tensor::Of({1.0f, 2.0f, 3.0f}));
  EXPECT_EQ(TFRT_MESSAGE_AT(wrong.status(), __LINE__ - 1),
            "tf.AddV2: Dimensions must be equal, but are 2 and 3: x is f32 [2], y is f32 [3]");
  for (const char* op : {"test.Error", "test.LateError"}) {
    Tensor failed = variable.Update([&](const Tensor& old) { return CallOp(op, {old}); });
    EXPECT_THAT(std::string(failed.status().message()), HasSubstr(op));
    variable.AssignAdd(failed);
    EXPECT_THAT(ValueOf(variable), ElementsAre(1, 2));
  }
  variable.AssignAdd(1.0f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
}

TEST_P(EagerVariablesTest, DtypeShapeAndDeviceStay) {
  Variable variable;
  {
    Scope scope(*context_, On(device()));
    variable = Variable(Tensor::Of({1.0f, 2.0f}));
  }
  Scope scope(*context_, On("cpu:0"));
  EXPECT_EQ(variable.AssignAdd(1.0f).device(), device());
  EXPECT_EQ(variable.Read().device(), device());
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
  Tensor integers = variable.Assign(Tensor::Of({1, 2}));
  EXPECT_EQ(TFRT_MESSAGE_AT(integers.status(), __LINE__ - 1),
            "Variable: the variable is f32 [2], but its new value i32 [2]");
  // Broadcasting makes more of it, and the shape of the next is known when it has run.
  Tensor matrix = variable.AssignAdd(Tensor::Of({{1.0f, 1.0f}, {1.0f, 1.0f}}));
  EXPECT_EQ(TFRT_MESSAGE_AT(matrix.status(), __LINE__ - 1),
            "Variable: the variable is f32 [2], but its new value f32 [2, 2]");
  Tensor one =
      variable.Update([](const Tensor&) { return CallOp("test.Same", {Tensor::Of({1.0f})}); });
  EXPECT_THAT(std::string(one.status().message()), HasSubstr("but its new value f32 [1]"));
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
}

TEST_P(EagerVariablesTest, ACancelledUpdateLeavesTheValue) {
  Scope scope(*context_, On(device()));
  Variable variable(Tensor::Of({1.0f}));
  ASSERT_TRUE(variable.Read().status().ok());
  Tensor update;
  if (!is_sync()) {
    // Called before, and not begun.
    Tensor late = CallOp("test.Gate", {Tensor::Of({10.0f})});
    update = variable.AssignAdd(late);
  }
  context_->Cancel();
  Tensor refused = variable.AssignAdd(5.0f);
  EXPECT_EQ(refused.status().code(), StatusCode::kCancelled);
  TestOps(*context_).OpenGate();
  context_->Wait();
  if (!is_sync()) {
    EXPECT_EQ(update.status().code(), StatusCode::kCancelled);
  }
  context_->Restart();
  EXPECT_THAT(ValueOf(variable), ElementsAre(1));
  variable.AssignAdd(1.0f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(2));
}

TEST_P(EagerVariablesTest, WithoutAValue) {
  Scope scope(*context_, On(device()));
  Variable none;
  EXPECT_FALSE(none.valid());
  EXPECT_FALSE(none.Read().valid());
  EXPECT_EQ(TFRT_MESSAGE_AT(none.AssignAdd(1.0f).status(), __LINE__),
            "Variable: this is not a variable");
  Variable variable(Tensor::Of({1.0f}));
  Tensor nothing = variable.Update([](const Tensor&) { return Tensor(); });
  EXPECT_EQ(TFRT_MESSAGE_AT(nothing.status(), __LINE__ - 1),
            "Variable: the new value is not a tensor");
  auto other = MakeContext();
  Tensor elsewhere = variable.Update([&](const Tensor&) {
    Scope scope(*other, {.mode = mode()});
    return Tensor::Of({2.0f});
  });
  EXPECT_EQ(TFRT_MESSAGE_AT(elsewhere.status(), __LINE__ - 4),
            "Variable: the new value belongs to another context");
  EXPECT_THAT(ValueOf(variable), ElementsAre(1));
  // One that begins as an error stays one.
  Tensor error = CallOp("test.Error", {Tensor::Of({1.0f})});
  Variable bad(error);
  EXPECT_EQ(bad.AssignAdd(1.0f).status(), error.status());
  EXPECT_EQ(bad.Read().status(), error.status());
}

TEST_P(EagerVariablesTest, TwoThatAreUpdatedFromEachOther) {
  constexpr int kUpdates = 200;
  OnEachQueue([&](Context& context) {
    Variable both[] = {Make(Half, context), Make(Half, context)};
    std::atomic<int> inside{0};
    InThreads(context, 2, [&](int i) {
      for (int n = 0; n < kUpdates; ++n) {
        both[i].Update([&](const Tensor& old) {
          inside.fetch_add(1);
          while (inside.load() < 2) std::this_thread::yield();  // both at first
          return Sub(old, Mul(both[1 - i], 0.001f));
        });
      }
      EXPECT_TRUE(both[i].Read().status().ok());
    });
  });
}

TEST_P(EagerVariablesTest, InDifferentModes) {
  constexpr int kUpdates = 100;
  OnEachQueue([&](Context& context) {
    Variable both[] = {Make(Half, context), Make(Half, context)};
    InThreads(context, 4, [&](int i) {
      Scope scope(context, {.mode = i < 2 ? ExecutionMode::kSync : ExecutionMode::kAsync,
                            .device = device()});
      Variable &own = both[i % 2], &other = both[1 - i % 2];
      for (int n = 0; n < kUpdates; ++n) {
        own.Update([&](const Tensor& old) { return Sub(old, Mul(other, 0.001f)); });
      }
      EXPECT_TRUE(own.Read().status().ok());
    });
  });
}

// What a thread has updated it sees, also beside others.
TEST_P(EagerVariablesTest, AThreadSeesItsUpdates) {
  constexpr int kThreads = 3, kUpdates = 100;
  OnEachQueue([&](Context& context) {
    Variable sum = Make(Zero, context);
    InThreads(context, kThreads, [&](int) {
      float before = 0;
      for (int n = 0; n < kUpdates; ++n) {
        sum.AssignAdd(1.0f);
        const float now = SumOf(sum);
        EXPECT_GE(now, before + 1);
        before = now;
      }
    });
    Scope scope(context, On(device()));
    EXPECT_EQ(SumOf(sum), kThreads * kUpdates);
  });
}

TEST_P(EagerVariablesTest, AThreadHasItsTurnBesideOneThatAlwaysUpdates) {
  std::unique_ptr<Context> context = MakeContext(Options({.work_queue = "mstd:2"}));
  Variable sum = Make(Zero, *context);
  std::atomic<bool> over{false};
  InThreads(*context, 2, [&](int i) {
    if (i == 0) {
      for (int n = 0; n < 50; ++n) EXPECT_TRUE(sum.AssignAdd(1.0f).status().ok());
      over = true;
    } else {
      while (!over) EXPECT_TRUE(sum.AssignAdd(1.0f).status().ok());
    }
  });
}

// Each sees what the other has left, and what is read is of one time.
TEST_P(EagerVariablesTest, Together) {
  constexpr int kUpdates = 100;
  OnEachQueue([&](Context& context) {
    Variable both[] = {Make(Zero, context), Make(Zero, context)};
    Variable pair[] = {Make(Zero, context), Make(Zero, context)};
    std::vector<float> made[2];
    InThreads(context, 3, [&](int i) {
      for (int n = 0; n < kUpdates; ++n) {
        if (i == 2) {
          const Variable::Use uses[] = {{&pair[0], true}, {&pair[1], true}};
          (void)Variable::UpdateTogether(uses, [](std::span<const Tensor> values) {
            return std::vector<Tensor>{AddV2(values[0], 1.0f), AddV2(values[1], 1.0f)};
          });
          continue;
        }
        const Variable::Use uses[] = {{&both[i], true}, {&both[1 - i], false}};
        const std::vector<Tensor> next =
            Variable::UpdateTogether(uses, [](std::span<const Tensor> values) {
              return std::vector<Tensor>{AddV2(Maximum(values[0], values[1]), 1.0f)};
            });
        made[i].push_back(ValuesOf<float>(next[0])[0]);
        const Variable::Use reads[] = {{&pair[0], false}, {&pair[1], false}};
        (void)Variable::UpdateTogether(reads, [](std::span<const Tensor> values) {
          EXPECT_EQ(ValuesOf<float>(values[0]), ValuesOf<float>(values[1]));
          return std::vector<Tensor>();
        });
      }
    });
    std::vector<float> all = made[0];
    all.insert(all.end(), made[1].begin(), made[1].end());
    std::ranges::sort(all);
    EXPECT_TRUE(std::ranges::adjacent_find(all) == all.end());
    EXPECT_EQ(all.back(), 2 * kUpdates);
  });
}

TEST_P(EagerVariablesTest, UpdatesInOthers) {
  OnEachQueue([&](Context& context) {
    Variable a = Make(Zero, context), b = Make(Zero, context);
    // One in the other, always in this order.
    InThreads(context, 2, [&](int) {
      for (int n = 0; n < 50; ++n) {
        Tensor made = a.Update([&](const Tensor& old) { return AddV2(old, b.AssignAdd(1.0f)); });
        EXPECT_TRUE(made.status().ok()) << made.status().message();
      }
    });
    // Each in the other: the second one to ask has an error, the first one its turn.
    std::atomic<int> inside{0}, failed{0};
    InThreads(context, 2, [&](int i) {
      Variable &outer = i == 0 ? a : b, &inner = i == 0 ? b : a;
      outer.Update([&](const Tensor& old) {
        inside.fetch_add(1);
        while (inside.load() < 2) std::this_thread::yield();
        Status status = inner.AssignAdd(1.0f).status();
        if (!status.ok()) {
          EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
          EXPECT_THAT(std::string(status.message()),
                      HasSubstr("would wait for one that waits for it"));
          failed.fetch_add(1);
        }
        return AddV2(old, 1.0f);
      });
    });
    EXPECT_EQ(failed, 1);
    Scope scope(context, On(device()));
    EXPECT_EQ(SumOf(a) + SumOf(b), 50 * 101 + 100 + 3);
  });
}

TEST_P(EagerVariablesTest, OneInItsOwnUpdate) {
  Scope scope(*context_, On(device()));
  Variable variable(Tensor::Of({1.0f}));
  Tensor inner, together, read;
  variable.Update([&](const Tensor& old) {
    inner = variable.AssignAdd(1.0f);
    const Variable::Use uses[] = {{&variable, true}};
    together = Variable::UpdateTogether(uses, [](std::span<const Tensor> values) {
      return std::vector<Tensor>(values.begin(), values.end());
    })[0];
    read = variable.Read();
    return AddV2(old, 2.0f);
  });
  EXPECT_EQ(inner.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(together.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(ValuesOf<float>(read), ElementsAre(1));
  EXPECT_THAT(ValueOf(variable), ElementsAre(3));
}

// A worker that waits for its turn runs the task that the one whose turn it is waits for.
TEST_P(EagerVariablesTest, WhoWaitsRunsTasks) {
  for (const char* queue : {"s", "mstd:1"}) {
    std::unique_ptr<Context> context = MakeContext(Options({.work_queue = queue}));
    HostContext& host = *context->host();
    Variable sum = Make(Zero, *context);
    auto updated = MakeUnconstructedAsyncValueRef<Chain>();
    auto made = MakeUnconstructedAsyncValueRef<Chain>();
    Status in_task;
    {
      Scope scope(*context, On(device()));
      sum.Update([&](const Tensor& old) {
        host.work_queue().AddTask([&] {
          {
            Scope in_scope(*context, On(device()));
            in_task = sum.AssignAdd(1.0f).status();
          }
          updated.AsPtr().emplace();
        });
        host.work_queue().AddTask([&] { made.AsPtr().emplace(); });
        AsyncValue* awaited = made.GetAsyncValue();
        host.Await({&awaited, 1});
        return AddV2(old, 1.0f);
      });
      AsyncValue* awaited = updated.GetAsyncValue();
      host.Await({&awaited, 1});
      // On `s` it ran on top of the update, which it could not wait for.
      const bool on_top = std::string_view(queue) == "s";
      EXPECT_EQ(in_task.code(), on_top ? StatusCode::kFailedPrecondition : StatusCode::kOk);
      EXPECT_EQ(SumOf(sum), on_top ? 1 : 2);
    }
  }
}

// A task on top of one that waits for its turn may wait for another one's turn to end.
TEST_P(EagerVariablesTest, WhoWaitsBelowATaskIsOvertaken) {
  std::unique_ptr<Context> context = MakeContext(Options({.work_queue = "mstd:1"}));
  HostContext& host = *context->host();
  Variable sum = Make(Zero, *context);
  auto updated = MakeUnconstructedAsyncValueRef<Chain>();
  std::atomic<bool> is_on_top{false};
  std::thread other;
  {
    Scope scope(*context, On(device()));
    sum.Update([&](const Tensor& old) {
      host.work_queue().AddTask([&] {
        Scope in_scope(*context, On(device()));
        sum.AssignAdd(1.0f);
      });
      host.work_queue().AddTask([&] {
        is_on_top = true;
        AsyncValue* awaited = updated.GetAsyncValue();
        host.Await({&awaited, 1});
      });
      while (!is_on_top) std::this_thread::yield();
      return AddV2(old, 1.0f);
    });
    other = std::thread([&] {
      {
        Scope in_scope(*context, On(device()));
        sum.AssignAdd(1.0f);
      }
      updated.AsPtr().emplace();
    });
    other.join();
    host.work_queue().Quiesce();
    EXPECT_EQ(SumOf(sum), 3);
  }
}

TEST_P(EagerVariablesTest, OfManyTasks) {
  constexpr int kTasks = 50;
  OnEachQueue([&](Context& context) {
    Variable sum = Make(Zero, context);
    for (int i = 0; i < kTasks; ++i) {
      context.host()->work_queue().AddTask([&] {
        Scope scope(context, On("cpu:0"));
        sum.AssignAdd(1.0f);
      });
    }
    InThreads(context, 2, [&](int) {
      for (int n = 0; n < kTasks; ++n) EXPECT_TRUE(sum.AssignAdd(1.0f).status().ok());
    });
    context.host()->work_queue().Quiesce();
    context.Wait();
    Scope scope(context, On(device()));
    if (is_sync() || is_sim()) return;  // a task on top of an update may have had an error
    EXPECT_EQ(SumOf(sum), 3 * kTasks);
  });
}

// As a host call that the update calls.
TEST_P(EagerVariablesTest, APartOfAnUpdateDoesNotWaitForIt) {
  Scope scope(*context_, On(device()));
  Variable variable(Tensor::Of({1.0f}));
  ASSERT_TRUE(variable.Read().status().ok());
  std::vector<Status> errors;
  variable.Update([&](const Tensor& old) {
    std::thread([&] {
      Scope in_scope(*context_, On(device()));
      PartOfCallScope part;
      errors.push_back(variable.Read().status());
      errors.push_back(variable.AssignAdd(1.0f).status());
      for (bool is_assigned : {false, true}) {
        const Variable::Use uses[] = {{&variable, is_assigned}};
        (void)Variable::UpdateTogether(uses, [&](std::span<const Tensor> values) {
          errors.push_back(values[0].status());
          return std::vector<Tensor>(is_assigned ? 1 : 0);
        });
      }
    }).join();
    return AddV2(old, 1.0f);
  });
  ASSERT_EQ(errors.size(), 4u);
  for (const Status& error : errors) {
    EXPECT_EQ(error.code(), StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(error.message()), HasSubstr("is being assigned"));
  }
  EXPECT_THAT(ValueOf(variable), ElementsAre(2));
}

Variable* updated_in_op = nullptr;
Status updated_in_op_status;
DenseHostTensor UpdateInOp(const DenseHostTensor& x) {
  updated_in_op_status = updated_in_op->Assign(1.0f).status();
  return x.ShareBuffer();
}

TEST_P(EagerVariablesTest, AnOpFunctionDoesNotWait) {
  ASSERT_TRUE(context_
                  ->RegisterOp({.name = "test.Updates",
                                .summary = "",
                                .arguments = {{"x"}},
                                .results = {"y"},
                                .function = TFRT_OP(UpdateInOp)})
                  .ok());
  Scope scope(*context_, On("cpu:0"));
  Variable variable(Tensor::Of({1.0f}));
  updated_in_op = &variable;
  variable.Update([&](const Tensor& old) {
    EXPECT_TRUE(CallOp("test.Updates", {Tensor::Of({1})}).status().ok());
    return AddV2(old, 1.0f);
  });
  EXPECT_EQ(updated_in_op_status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(updated_in_op_status.message()), HasSubstr("an op function cannot wait"));
  EXPECT_THAT(ValueOf(variable), ElementsAre(2));
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerVariablesTest, testing::ValuesIn(kAllModesOnDevices),
                         ModeName);

}  // namespace
}  // namespace tfrt::eager
