#include "tfrt/async/async_value.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"

namespace tfrt {
namespace {

// Counts its live instances, so that tests see when payloads die.
struct Tracked {
  explicit Tracked(int* live, int v = 0) : live(live), value(v) { ++*live; }
  Tracked(Tracked&& other) noexcept : live(other.live), value(other.value) { ++*live; }
  ~Tracked() { --*live; }
  int* live;
  int value;
};
struct KeptOnError : Tracked {
  using Tracked::Tracked;
  static constexpr bool kKeepAsyncValuePayloadOnError = true;
};

TEST(AsyncValueTest, AValueMayBeBornForTwoOwners) {
  auto producers = MakeUnconstructedAsyncValueRef<int32_t>();
  auto consumers = producers.CopyRefOfNew();
  EXPECT_EQ(producers.GetAsyncValue(), consumers.GetAsyncValue());
  EXPECT_EQ(consumers.GetAsyncValue()->NumRef(), 2u);
  producers.emplace(3);
  producers.reset();
  EXPECT_TRUE(consumers.GetAsyncValue()->HasOneRef());
  EXPECT_EQ(consumers.get(), 3);
}

TEST(AsyncValueTest, HeaderAndPayloadLayout) {
  EXPECT_EQ(sizeof(AsyncValue), 16u);
  EXPECT_EQ(sizeof(internal::ConcreteAsyncValue<int32_t>), 24u);
  auto value = MakeAvailableAsyncValueRef<int32_t>(7);
  auto* payload = reinterpret_cast<char*>(&value.get());
  EXPECT_EQ(payload - reinterpret_cast<char*>(value.GetAsyncValue()), 16);
}

TEST(AsyncValueTest, StatesFromUnconstructedToConcrete) {
  auto value = MakeUnconstructedAsyncValueRef<std::string>();
  EXPECT_EQ(value.GetAsyncValue()->state(), AsyncValue::State::kUnconstructed);
  value.GetAsyncValue()->Construct<std::string>("abc");
  EXPECT_EQ(value.GetAsyncValue()->state(), AsyncValue::State::kConstructed);
  EXPECT_FALSE(value.IsAvailable());
  value.get() += "d";  // the producer may still change it
  value.SetStateConcrete();
  EXPECT_TRUE(value.IsConcrete());
  EXPECT_EQ(value.get(), "abcd");
}

TEST(AsyncValueTest, PayloadDiesWithTheLastReference) {
  int live = 0;
  auto value = MakeAvailableAsyncValueRef<Tracked>(&live);
  auto copy = value.CopyRef();
  EXPECT_EQ(live, 1);
  EXPECT_FALSE(value.IsUnique());
  value.reset();
  EXPECT_EQ(live, 1);
  EXPECT_TRUE(copy.IsUnique());
  copy.reset();
  EXPECT_EQ(live, 0);
}

TEST(AsyncValueTest, ErrorReplacesAConstructedPayload) {
  int live = 0;
  auto value = MakeConstructedAsyncValueRef<Tracked>(&live);
  value.SetError(InternalError("broken"));
  EXPECT_EQ(live, 0);
  EXPECT_TRUE(value.IsError());
  EXPECT_EQ(value.GetError().message(), "broken");
}

TEST(AsyncValueTest, OkIsNoError) {
  auto value = MakeUnconstructedAsyncValueRef<int>();
  value.SetError(OkStatus());
  AsyncValueRef<int> made = OkStatus();
  for (const AsyncValueRef<int>& each : {value.CopyRef(), made.CopyRef()}) {
    ASSERT_TRUE(each.IsError());
    EXPECT_EQ(each.GetError().message(), "a Status that is OK was given as an error");
  }
}

TEST(AsyncValueTest, PayloadMayOutliveAnError) {
  int live = 0;
  auto value = MakeConstructedAsyncValueRef<KeptOnError>(&live, 5);
  value.SetError(InternalError("broken"));
  EXPECT_EQ(live, 1);
  EXPECT_EQ(value.get().value, 5);
  EXPECT_EQ(value.GetError().message(), "broken");
  value.reset();
  EXPECT_EQ(live, 0);
  // An error before there is a payload keeps none.
  auto early = MakeUnconstructedAsyncValueRef<KeptOnError>();
  early.SetError(InternalError("early"));
  EXPECT_EQ(early.GetError().message(), "early");
}

TEST(AsyncValueTest, NewestWaiterRunsFirst) {
  auto value = MakeUnconstructedAsyncValueRef<int>();
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) value.AndThen([&order, i] { order.push_back(i); });
  EXPECT_TRUE(order.empty());
  value.emplace(1);
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0}));
  value.AndThen([&] { order.push_back(9); });
  EXPECT_EQ(order.back(), 9);
}

TEST(AsyncValueTest, WaitersMayLieInTheirOwnersMemory) {
  struct Counter : internal::Task {
    explicit Counter(const Ops* ops) : Task(ops) {}
    int num_runs = 0;
  };
  const internal::Task::Ops ops = {
      .run = [](internal::Task* task) { ++static_cast<Counter*>(task)->num_runs; }};
  Counter counter(&ops);
  for (int i = 1; i <= 3; ++i) {
    auto value = MakeUnconstructedAsyncValueRef<int>();
    value.GetAsyncValue()->AndThenRun(&counter);
    EXPECT_EQ(counter.num_runs, 2 * i - 2);
    value.emplace(i);
    EXPECT_EQ(counter.num_runs, 2 * i - 1);
    value.GetAsyncValue()->AndThenRun(&counter);  // at once
    EXPECT_EQ(counter.num_runs, 2 * i);
  }
}

TEST(AsyncValueTest, WaiterForms) {
  auto good = MakeUnconstructedAsyncValueRef<int>();
  int seen = 0;
  Status status = InternalError("not called");
  good.AndThen([&](StatusOr<int*> v) { seen = **v; });
  good.AndThen([&](Status s) { status = s; });
  good.emplace(42);
  EXPECT_EQ(seen, 42);
  EXPECT_TRUE(status.ok());

  auto bad = MakeUnconstructedAsyncValueRef<int>();
  bad.AndThen([&](StatusOr<int*> v) { status = v.status(); });
  bad.emplace(StatusOr<int>(InvalidArgumentError("no")));
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
}

TEST(AsyncValueTest, Map) {
  auto ready = MakeAvailableAsyncValueRef<int>(20);
  auto twice = ready.Map([](int n) { return 2.5 * n; });
  ASSERT_TRUE(twice.IsConcrete());
  EXPECT_EQ(*twice, 50.0);

  auto later = MakeUnconstructedAsyncValueRef<int>();
  auto half = later.Map([](int n) -> StatusOr<int> {
    if (n % 2 != 0) return InvalidArgumentError("odd");
    return n / 2;
  });
  auto quarter = half.Map([](int n) { return std::to_string(n / 2); });
  EXPECT_FALSE(half.IsAvailable());
  later.emplace(12);
  EXPECT_EQ(*half, 6);
  EXPECT_EQ(*quarter, "3");

  auto odd = MakeAvailableAsyncValueRef<int>(3).Map(
      [](int n) -> StatusOr<int> { return InvalidArgumentError(std::to_string(n)); });
  EXPECT_EQ(odd.GetError().message(), "3");
  EXPECT_EQ(odd.Map([](int n) { return n; }).GetError().message(), "3");
}

TEST(AsyncValueTest, WaiterMayDropTheValue) {
  int live = 0;
  auto value = MakeUnconstructedAsyncValueRef<Tracked>();
  AsyncValue* raw = value.GetAsyncValue();
  raw->AndThen([held = value.CopyRef()]() mutable { held.reset(); });
  auto producer = value.AsPtr();
  value.reset();
  producer.emplace(&live);
  EXPECT_EQ(live, 0);
}

// A payload that is wrong once it is dead, so that a read of it shows in every build.
class Fragile {
 public:
  explicit Fragile(int64_t v) : value_(v) {}
  Fragile(Fragile&& other) noexcept : value_(other.value_) {}
  ~Fragile() { value_ = -1; }
  int64_t value() const { return value_; }

 private:
  volatile int64_t value_;
};

// Chains in which nobody but the waiters holds the values between the first and the last. Beyond
// the levels that run nested, waiters run when the call that made their value available has long
// returned.
#ifdef __SANITIZE_THREAD__
constexpr int kDeepest = 10'000;  // a hundred times as many take minutes
#else
constexpr int kDeepest = 1'000'000;
#endif
class DeepChainTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Depths, DeepChainTest,
                         testing::Values(10, 399, 400, 401, 1'000, kDeepest));

TEST_P(DeepChainTest, MapPassesValuesOn) {
  auto first = MakeUnconstructedAsyncValueRef<Fragile>();
  auto last = first.CopyRef();
  for (int i = 0; i < GetParam(); ++i) {
    last = last.Map([](Fragile& f) { return Fragile(f.value() + 1); });
  }
  first.emplace(0);
  ASSERT_TRUE(last.IsConcrete());
  EXPECT_EQ(last->value(), GetParam());
}

TEST_P(DeepChainTest, MapPassesErrorsOn) {
  auto first = MakeUnconstructedAsyncValueRef<Fragile>();
  auto last = first.CopyRef();
  for (int i = 0; i < GetParam(); ++i) {
    last = last.Map([](Fragile& f) { return Fragile(f.value() + 1); });
  }
  first.SetError(InternalError("lost"));
  ASSERT_TRUE(last.IsError());
  EXPECT_EQ(last.GetError().message(), "lost");
}

TEST_P(DeepChainTest, MapPassesOnAnErrorOfItsFunction) {
  auto first = MakeUnconstructedAsyncValueRef<Fragile>();
  auto last = first.CopyRef();
  int where = GetParam() / 2;
  for (int i = 0; i < GetParam(); ++i) {
    last = last.Map([where](Fragile& f) -> StatusOr<Fragile> {
      if (f.value() == where) return InternalError("half way");
      return Fragile(f.value() + 1);
    });
  }
  first.emplace(0);
  ASSERT_TRUE(last.IsError());
  EXPECT_EQ(last.GetError().message(), "half way");
}

TEST_P(DeepChainTest, WaitersReadTheirValue) {
  auto first = MakeUnconstructedAsyncValueRef<Fragile>();
  auto last = first.CopyRef();
  for (int i = 0; i < GetParam(); ++i) {
    auto next = MakeUnconstructedAsyncValueRef<Fragile>();
    last.AndThen([next](StatusOr<Fragile*> from) { next.emplace((*from)->value() + 1); });
    last = std::move(next);
  }
  first.emplace(0);
  ASSERT_TRUE(last.IsConcrete());
  EXPECT_EQ(last->value(), GetParam());
}

TEST_P(DeepChainTest, SeveralWaitersOfOneValueAllReadIt) {
  auto first = MakeUnconstructedAsyncValueRef<Fragile>();
  auto last = first.CopyRef();
  int64_t num_right = 0;
  for (int i = 0; i < GetParam(); ++i) {
    auto next = MakeUnconstructedAsyncValueRef<Fragile>();
    auto check = [&num_right, i](StatusOr<Fragile*> from) { num_right += (*from)->value() == i; };
    last.AndThen(check);
    last.AndThen([next](StatusOr<Fragile*> from) { next.emplace((*from)->value() + 1); });
    last.AndThen(check);
    last = std::move(next);
  }
  first.emplace(0);
  EXPECT_EQ(last->value(), GetParam());
  EXPECT_EQ(num_right, 2 * int64_t{GetParam()});
}

TEST_P(DeepChainTest, WaitersReadThroughForwardedValues) {
  for (bool is_error : {false, true}) {
    auto first = MakeIndirectAsyncValue();
    RCReference<AsyncValue> last = first;
    int num_right = 0;
    for (int i = 0; i < GetParam(); ++i) {
      auto next = MakeIndirectAsyncValue();
      AsyncValue* from = last.get();
      from->AndThen([next, from, is_error, &num_right] {
        num_right +=
            is_error ? from->GetError().message() == "lost" : from->get<Fragile>().value() == 7;
        next->ForwardTo(FormRef(from->Resolved()));
      });
      last = std::move(next);
    }
    first->ForwardTo(is_error ? MakeErrorAsyncValue(InternalError("lost"))
                              : MakeAvailableAsyncValueRef<Fragile>(7).ReleaseRCRef());
    first.reset();
    EXPECT_EQ(num_right, GetParam());
    EXPECT_EQ(last->IsError(), is_error);
  }
}

TEST(IndirectAsyncValueTest, KnowsThatItWasForwarded) {
  auto target = MakeUnconstructedAsyncValueRef<int>();
  auto indirect = MakeIndirectAsyncValue();
  EXPECT_FALSE(indirect->IsForwarded());
  indirect->ForwardTo(target.CopyRCRef());
  EXPECT_TRUE(indirect->IsForwarded());
  EXPECT_FALSE(indirect->IsAvailable());
  target.emplace(1);
  EXPECT_TRUE(indirect->IsForwarded());
}

TEST(IndirectAsyncValueTest, ReadsItsTarget) {
  auto indirect = MakeIndirectAsyncValue();
  EXPECT_TRUE(indirect->IsUnresolvedIndirect());
  EXPECT_EQ(indirect->type_id(), kUnknownTypeId);
  indirect->ForwardTo(MakeAvailableAsyncValueRef<int>(3).ReleaseRCRef());
  EXPECT_TRUE(indirect->IsConcrete());
  EXPECT_EQ(indirect->get<int>(), 3);
  EXPECT_TRUE(indirect->IsType<int>());
}

TEST(IndirectAsyncValueTest, WaitsForAnUnavailableTarget) {
  auto target = MakeUnconstructedAsyncValueRef<int>();
  auto indirect = MakeIndirectAsyncValue();
  indirect->ForwardTo(target.CopyRCRef());
  EXPECT_FALSE(indirect->IsAvailable());
  target.emplace(4);
  EXPECT_EQ(indirect->get<int>(), 4);
}

TEST(IndirectAsyncValueTest, ChainsCollapse) {
  auto first = MakeIndirectAsyncValue();
  auto second = MakeIndirectAsyncValue();
  second->ForwardTo(first);
  auto value = MakeAvailableAsyncValueRef<int>(5);
  first->ForwardTo(value.CopyRCRef());
  EXPECT_EQ(second->Resolved(), value.GetAsyncValue());
  EXPECT_EQ(second->get<int>(), 5);
}

TEST(IndirectAsyncValueTest, ForwardsErrors) {
  auto indirect = MakeIndirectAsyncValue();
  indirect->SetError(InternalError("gone"));
  EXPECT_TRUE(indirect->IsError());
  EXPECT_EQ(indirect->GetError().message(), "gone");
  auto second = MakeIndirectAsyncValue();
  second->ForwardTo(indirect);
  EXPECT_EQ(second->GetError().message(), "gone");
}

TEST(IndirectAsyncValueTest, UniqueOnlyIfTheTargetIsToo) {
  auto value = MakeAvailableAsyncValueRef<int>(5);
  auto indirect = MakeIndirectAsyncValue();
  EXPECT_FALSE(indirect->IsUnique()) << "an unresolved placeholder is nobody's to reuse";
  indirect->ForwardTo(value.CopyRCRef());
  EXPECT_FALSE(indirect->IsUnique());
  value.reset();
  EXPECT_TRUE(indirect->IsUnique());
}

TEST(IndirectAsyncValueTest, LongChainsOfForwardsDoNotExhaustTheStack) {
  constexpr int kLength = 200000;
  std::vector<RCReference<IndirectAsyncValue>> chain;
  chain.push_back(MakeIndirectAsyncValue());
  for (int i = 1; i < kLength; ++i) {
    chain.push_back(MakeIndirectAsyncValue());
    chain[i]->ForwardTo(chain[i - 1]);
  }
  chain[0]->ForwardTo(MakeAvailableAsyncValueRef<int>(6).ReleaseRCRef());
  for (auto& value : chain) ASSERT_TRUE(value->IsConcrete());
  EXPECT_EQ(chain.back()->get<int>(), 6);
}

TEST(RunWhenReadyTest, RunsOnceAllAreAvailableEvenIfErrors) {
  auto a = MakeUnconstructedAsyncValueRef<int>();
  auto b = MakeUnconstructedAsyncValueRef<int>();
  auto c = MakeAvailableAsyncValueRef<int>(1);
  AsyncValue* values[] = {a.GetAsyncValue(), b.GetAsyncValue(), c.GetAsyncValue()};
  int calls = 0;
  RunWhenReady(values, [&] { ++calls; });
  a.SetError(InternalError("x"));
  EXPECT_EQ(calls, 0);
  b.emplace(2);
  EXPECT_EQ(calls, 1);
  RunWhenReady(values, [&] { ++calls; });
  EXPECT_EQ(calls, 2);
  RunWhenReady({}, [&] { ++calls; });
  EXPECT_EQ(calls, 3);
}

#ifndef NDEBUG
TEST(AsyncValueDeathTest, WhatSomebodyWaitsForIsNotDropped) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        auto promise = MakeUnconstructedAsyncValueRef<int>();
        promise.AndThen([] {});
        promise.reset();
      },
      "a value that somebody waits for is dropped before it is there");
}
#endif

TEST(LiveCountTest, CountsValuesWhenTracking) {
#ifdef TFRT_TRACK_LIVE_OBJECTS
  GetReadyChain();
  int64_t before = NumLiveAsyncValues();
  {
    auto value = MakeAvailableAsyncValueRef<int>(1);
    auto indirect = MakeIndirectAsyncValue();
    EXPECT_EQ(NumLiveAsyncValues(), before + 2);
  }
  EXPECT_EQ(NumLiveAsyncValues(), before);
#else
  EXPECT_EQ(NumLiveAsyncValues(), 0);
#endif
}

}  // namespace
}  // namespace tfrt
