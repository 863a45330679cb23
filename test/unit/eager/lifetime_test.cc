// Tensors, and arrays made of them, that are there longer than their context.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "test/unit/eager/eager_fixture.h"

#ifndef __has_feature  // g++
#define __has_feature(x) 0
#endif

namespace tfrt::eager {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

class EagerLifetimeTest : public EagerModesTest {
 protected:
  std::vector<const char*> Devices() const { return {"cpu:0", device()}; }
};

// More elements than blocks of the runtime's pool have room for.
HostArray Large(float value) {
  const int64_t dims[] = {1000};
  return HostArray::Take(std::span<const int64_t>(dims), std::vector<float>(1000, value));
}

TEST_P(EagerLifetimeTest, TensorsOutliveTheirContext) {
  std::vector<Tensor> small, large;
  for (const char* device : Devices()) {
    Scope scope(*context_, On(device));
    small.push_back(Add(Make({2}, {1, 2}), Make({2}, {1, 1})));
    large.push_back(Relu(Tensor::FromArray(Large(3))));
  }
  context_.reset();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(large[i].IsAvailable());
    EXPECT_EQ(large[i].device(), Devices()[i]);
    EXPECT_EQ(large[i].shape().value(), TensorShape{1000});
    EXPECT_EQ(large[i].dtype().value(), DType::kF32);
    EXPECT_THAT(ValuesOf<float>(large[i]), testing::AllOf(SizeIs(1000), Each(3)));
    EXPECT_EQ(large[i].Values<float>()->data(), large[i].Values<float>()->data());
    EXPECT_THAT(ValuesOf<int32_t>(small[i]), ElementsAre(2, 3));
    EXPECT_THAT(small[i].ToString(), testing::HasSubstr("values = [2, 3]"));
    EXPECT_EQ(small[i].Item<int32_t>().status().message(), "the tensor has 2 elements, not one");
  }
}

TEST_P(EagerLifetimeTest, TensorsOfAllTypesOutliveTheirContext) {
  std::vector<Tensor> scalars, lists;
  for (const char* device : Devices()) {
    Scope scope(*context_, On(device));
    scalars.push_back(CallOp("test.Scalar", {}));
    lists.push_back(CallOp("test.Sparse", {}));
  }
  context_.reset();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(ValuesOf<int32_t>(scalars[i]), ElementsAre(7, 7, 7, 7));
    EXPECT_THAT(ValuesOf<int32_t>(lists[i]), ElementsAre(0, 0, 7, 0));
  }
}

TEST_P(EagerLifetimeTest, ErrorsOutliveTheirContext) {
  Tensor error;
  {
    Scope scope(*context_, On(device()));
    error = CallOp("test.Error", {Make({1}, {1.0f})});
  }
  context_.reset();
  EXPECT_EQ(error.status().code(), StatusCode::kInternal);
  EXPECT_EQ(error.device(), "");
  EXPECT_FALSE(error.Values<float>().ok());
}

TEST_P(EagerLifetimeTest, DlpackArraysOutliveTheirContext) {
  for (const char* device : Devices()) {
    auto context = MakeContext(Options());
    DLManagedTensor* exported;
    {
      Scope scope(*context, On(device));
      StatusOr<DLManagedTensor*> array = Relu(Tensor::FromArray(Large(4))).ToDlpack();
      ASSERT_TRUE(array.ok()) << array.status().message();
      exported = *array;
    }
    context.reset();
    Scope scope(*context_);
    Tensor back = *Tensor::FromDlpack(exported);
    EXPECT_THAT(ValuesOf<float>(back), testing::AllOf(SizeIs(1000), Each(4)));
  }
}

TEST_P(EagerLifetimeTest, EndWaitsForWhatIsPending) {
  AsyncValueRef<Chain> gate = TestOps(*context_).gate();
  std::atomic<bool> open = false;
  std::thread opener([&] {
    while (!open) std::this_thread::yield();
    gate.AsPtr().emplace();
  });
  Tensor y, z;
  {
    Scope scope(*context_, On(device()));
    if (is_sync()) open = true;
    y = CallOp("test.Gate", {Make({2}, {1.0f, 2.0f})});
    z = Relu(y);
  }
  open = true;
  context_.reset();
  EXPECT_TRUE(z.IsAvailable());
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf<float>(z), ElementsAre(1, 2));
  opener.join();
}

// A forked process has none of the threads.
TEST(EagerForkTest, CallsInAForkAreErrors) {
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer wants a fork to execute another program";
#endif
  const std::string message =
      "the context belongs to the process that this one was forked from, whose threads are not "
      "here";
  auto context = MakeContext({.work_queue = "mstd:2"});
  TestOps(*context).CloseGate();
  Tensor x, pending;
  {
    Scope scope(*context, {.mode = ExecutionMode::kAsync});
    x = Make({1}, {1.0f});
    ASSERT_TRUE(x.status().ok());
    pending = CallOp("test.Gate", {x});
  }
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Scope scope(*context, {.mode = ExecutionMode::kAsync});
    const auto says_so = [&](const Status& status) {
      return status.message().find(message) != std::string_view::npos;
    };
    const bool is_right =
        says_so(Relu(x).status()) && says_so(pending.status()) && x.Item<float>().value() == 1;
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  TestOps(*context).OpenGate();
  EXPECT_TRUE(pending.status().ok());
}

// With hosts of their own, which end with their contexts: threads that wait for an op, or copy from
// another device.
TEST(EagerReadTest, ContextsMayEndWhileOthersRead) {
  constexpr int kReaders = 4;
  for (const char* queue : {"s", "mstd:1", "mstd:2"}) {
    for (const char* device : {"cpu:0", "cpu:1"}) {
      for (int round = 0; round < 40; ++round) {
        auto context = MakeContext({.work_queue = queue, .devices = {"cpu:0", "cpu:1"}});
        Tensor x;
        {
          Scope scope(*context, {.mode = ExecutionMode::kAsync, .device = device});
          x = Tensor::FromArray(Large(1));
          for (int i = 0; i < 20; ++i) x = Relu(x);
        }
        std::atomic<int> begun{0};
        std::vector<std::thread> readers;
        for (int i = 0; i < kReaders; ++i) {
          readers.emplace_back([x, &begun] {
            begun.fetch_add(1);
            EXPECT_THAT(ValuesOf<float>(x), testing::AllOf(SizeIs(1000), Each(1)));
          });
        }
        while (begun.load() < (round % 2 == 0 ? kReaders : 1)) std::this_thread::yield();
        context.reset();
        for (std::thread& reader : readers) reader.join();
      }
    }
  }
}

TEST_P(EagerLifetimeTest, NoOpTakesTensorsOfAnEndedContext) {
  Tensor old;
  {
    Scope scope(*context_, On(device()));
    old = Make({1}, {1.0f});
  }
  context_ = MakeContext(Options());
  EXPECT_NE(old.CopyTo("cpu:0").status().message().find("Copy: the tensor's context has ended"),
            std::string::npos);
  Scope scope(*context_, On(device()));
  Tensor x = Make({1}, {1.0f});
  EXPECT_EQ(TFRT_MESSAGE_AT(Add(x, old).status(), __LINE__),
            "test.Add: argument b belongs to a context that has ended");
  EXPECT_EQ(TFRT_MESSAGE_AT(Relu(old).status(), __LINE__),
            "tf.Relu: argument x belongs to a context that has ended");
  EXPECT_EQ(TFRT_MESSAGE_AT(old.CopyTo("cpu:0").status(), __LINE__),
            "Copy: the tensor's context has ended");
  // Nor does a scope of another context, which is still there, get in the way of their elements.
  EXPECT_THAT(ValuesOf<float>(old), ElementsAre(1));
}

TEST_P(EagerLifetimeTest, TensorsMoveBetweenScopesAndThreads) {
  // Made by one scope and dropped in others, by other threads and outside of all scopes.
  std::vector<Tensor> tensors;
  auto other = MakeContext(Options());
  for (int round = 0; round < 3; ++round) {
    Scope scope(*context_, On("cpu:0"));
    for (int i = 0; i < 1500; ++i) tensors.push_back(Make({1}, {float(i)}));
    std::thread dropper([&, half = std::vector<Tensor>(tensors.begin() + 700, tensors.end())] {
      Scope inner(*context_);
    });
    dropper.join();
    Scope elsewhere(*other);
    tensors.resize(tensors.size() - 500);
  }
  tensors.resize(10);
  context_.reset();
  EXPECT_THAT(ValuesOf<float>(tensors[9]), ElementsAre(9));
}

class EagerScopeDeathTest : public EagerModesTest {
 protected:
  // The contexts have threads.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(EagerScopeDeathTest, ContextsEndAfterTheirScopes) {
  EXPECT_DEATH(
      {
        Scope scope(*context_, On("cpu:0"));
        context_.reset();
      },
      "a tfrt::eager::Context ends before its scopes, of which there are 1");
}

TEST_P(EagerScopeDeathTest, ScopesEndInTheReverseOrder) {
  EXPECT_DEATH(
      {
        auto outer = std::make_unique<Scope>(*context_, On("cpu:0"));
        Scope inner(*context_, On(device()));
        outer.reset();
      },
      "a tfrt::eager::Scope ends before one that began after it on its thread");
}

TEST_P(EagerScopeDeathTest, ScopesEndOnTheirThread) {
  EXPECT_DEATH(
      {
        auto scope = std::make_unique<Scope>(*context_, On("cpu:0"));
        std::thread([&] { scope.reset(); }).join();
      },
      "a tfrt::eager::Scope ends on another thread than the one where it began");
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerScopeDeathTest, testing::ValuesIn(kAllModes), ModeName);
INSTANTIATE_TEST_SUITE_P(Modes, EagerLifetimeTest, testing::ValuesIn(kAllModesOnDevices), ModeName);

}  // namespace
}  // namespace tfrt::eager
