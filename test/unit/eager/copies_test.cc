// Copies on other devices: which are made, remembered, found again and dropped.

#include <atomic>
#include <thread>

#include "test/unit/eager/eager_fixture.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
namespace {

using testing::Each;
using testing::ElementsAre;
using EagerCopiesTest = EagerModesTest;

constexpr int64_t kLarge[] = {1000};

Tensor MakeLarge(float value) {
  return Tensor::FromArray(
      HostArray::Take(std::span<const int64_t>(kLarge), std::vector<float>(kLarge[0], value)));
}

TEST_P(EagerCopiesTest, ThereAndBackIsTheSameTensor) {
  Scope scope(*context_, On("cpu:0"));
  Tensor x = Relu(Make({2}, {1.0f, 2.0f}));
  Tensor there = x.CopyTo(device());
  EXPECT_EQ(there.CopyTo("cpu:0").state(), x.state());
  EXPECT_EQ(there.Values<float>()->data(), x.Values<float>()->data());
  EXPECT_EQ(x.CopyTo(device()).state(), there.state());
  // Elements that have been given out stay with the tensor that gave them.
  std::span<const float> elements = *there.Values<float>();
  x = Tensor();
  context_->Wait();
  EXPECT_THAT(elements, ElementsAre(1, 2));
}

TEST_P(EagerCopiesTest, ThereAndBackByWayOfAThird) {
  auto context = MakeContext(Options({}, {"cpu:2"}));
  Scope scope(*context, On("cpu:0"));
  Tensor x = Make({2}, {1.0f, 2.0f});
  Tensor there = x.CopyTo(device()).CopyTo("cpu:2");
  EXPECT_EQ(there.CopyTo("cpu:0").state(), x.state());
  EXPECT_EQ(there.CopyTo(device()).state(), x.CopyTo(device()).state());
}

TEST_P(EagerCopiesTest, ACopyDoesNotKeepItsOrigin) {
  std::atomic<bool> released = false;
  float elements[] = {1, 2};
  const int64_t dims[] = {2};
  Scope scope(*context_, On("cpu:0"));
  Tensor there;
  {
    Tensor x = Tensor::FromArray(HostArray::Borrow(std::span<const int64_t>(dims),
                                                   std::span<const float>(elements),
                                                   [&] { released = true; }));
    there = x.CopyTo(device());
    EXPECT_TRUE(there.status().ok());
  }
  // A task gives the memory back when the copy is over.
  context_->host()->Quiesce();
  EXPECT_TRUE(released);
  EXPECT_THAT(ValuesOf<float>(there.CopyTo("cpu:0")), ElementsAre(1, 2));
}

TEST_P(EagerCopiesTest, WhatIsOverwrittenIsNotFoundAgain) {
  Scope scope(*context_, On("cpu:0"));
  Tensor x = Add(Make({2}, {1.0f, 2.0f}), Make({2}, {1.0f, 1.0f}));
  Tensor there = x.CopyTo(device());
  EXPECT_TRUE(there.status().ok());
  Tensor sum = Add(std::move(x), Make({2}, {10.0f, 10.0f}));
  EXPECT_THAT(ValuesOf<float>(there.CopyTo("cpu:0")), ElementsAre(2, 3));
  EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(12, 13));
}

TEST_P(EagerCopiesTest, CopiesCanBeDropped) {
  auto other = MakeContext(Options({.host = context_->host()}));
  Tensor y;
  {
    Scope scope(*other);
    y = MakeLarge(2);
    EXPECT_TRUE(y.CopyTo(device()).status().ok());
  }
  Scope scope(*context_, On("cpu:0"));
  Tensor x = MakeLarge(1);
  TensorState* first = x.CopyTo(device()).state();
  Tensor held = x.CopyTo(device());
  EXPECT_EQ(held.state(), first);
  context_->Wait();
  EXPECT_EQ(context_->DropCopies(), 1u);
  EXPECT_EQ(context_->DropCopies(), 0u);
  // What is held is good still, and so are new copies.
  EXPECT_THAT(ValuesOf<float>(held), Each(1));
  EXPECT_NE(x.CopyTo(device()).state(), first);
  EXPECT_THAT(ValuesOf<float>(x.CopyTo(device())), Each(1));
  // Those of another context are not this one's.
  EXPECT_EQ(other->DropCopies(), 1u);
}

TEST_P(EagerCopiesTest, ElementsThatAreReadStay) {
  Scope scope(*context_, On(device()));
  Tensor x = Relu(MakeLarge(1)), y = Relu(MakeLarge(2));
  EXPECT_TRUE(x.CopyTo("cpu:0").status().ok());
  std::span<const float> of_x = *x.Values<float>();  // of the copy that is there already
  std::span<const float> of_y = *y.Values<float>();
  context_->Wait();
  (void)context_->DropCopies();
  EXPECT_THAT(of_x, Each(1));
  EXPECT_THAT(of_y, Each(2));
  EXPECT_EQ(x.Values<float>()->data(), of_x.data());
}

TEST_P(EagerCopiesTest, CopiesNeedNotBeRemembered) {
  auto context = MakeContext(Options({.remember_copies = false}));
  Scope scope(*context, On("cpu:0"));
  Tensor x = MakeLarge(1);
  Tensor there = x.CopyTo(device());
  EXPECT_NE(x.CopyTo(device()).state(), there.state());
  EXPECT_EQ(there.CopyTo("cpu:0").state(), x.state());
  {
    Scope inner(*context, On(device()));
    EXPECT_THAT(ValuesOf<float>(Relu(x)), Each(1));
  }
  EXPECT_EQ(context->DropCopies(), 0u);
  Tensor y = Relu(there);
  std::span<const float> elements = *y.Values<float>();
  EXPECT_EQ(context->DropCopies(), 0u);
  EXPECT_THAT(elements, Each(1));
}

TEST_P(EagerCopiesTest, DroppedWhileThreadsUseThem) {
  Tensor x;
  {
    Scope scope(*context_, On("cpu:0"));
    x = MakeLarge(1);
    EXPECT_TRUE(x.status().ok());
  }
  std::atomic<bool> done = false;
  std::thread dropping([&] {
    while (!done) (void)context_->DropCopies();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, x] {
      Scope scope(*context_, On(device()));
      for (int i = 0; i < 100; ++i) {
        Tensor mine = Relu(x);
        Tensor there = mine.CopyTo("cpu:0");
        mine = i % 2 ? Relu(std::move(mine)) : Tensor();
        Tensor back = there.CopyTo(device());
        EXPECT_EQ((*there.Values<float>())[999], 1);
        EXPECT_EQ((*back.Values<float>())[0], 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  done = true;
  dropping.join();
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerCopiesTest, testing::ValuesIn(kAllModesOnDevices), ModeName);

// Has room for a number of large blocks.
class BoundedAllocator final : public HostAllocator {
 public:
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    if (used + size_bytes > capacity) return nullptr;
    used += size_bytes;
    return memory_->AllocateBytes(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    used -= size_bytes;
    memory_->DeallocateBytes(block, size_bytes);
  }
  std::atomic<size_t> used = 0;
  std::atomic<size_t> capacity = SIZE_MAX;

 private:
  std::unique_ptr<HostAllocator> memory_ = CreateMallocAllocator();
};

using EagerMemoryPressureTest = EagerModesTest;

TEST_P(EagerMemoryPressureTest, CopiesMakeRoom) {
  auto own = std::make_unique<BoundedAllocator>();
  BoundedAllocator& memory = *own;
  HostContext host([](const DecodedDiagnostic&) {}, std::move(own), *CreateWorkQueue("mstd:2"));
  ASSERT_TRUE(devices_.Register(host).ok());
  auto context = MakeContext(Options({.host = &host}));
  // Until the tasks that copies leave behind have let go of memory, too.
  auto wait = [&] {
    context->Wait();
    host.Quiesce();
  };
  Tensor there;
  {
    Scope scope(*context, On(device()));
    there = Relu(MakeLarge(1));
    EXPECT_TRUE(there.status().ok());
  }
  Scope scope(*context, On("cpu:0"));
  EXPECT_TRUE(there.CopyTo("cpu:0").status().ok());  // remembered
  wait();
  Tensor x = MakeLarge(2);
  EXPECT_TRUE(x.status().ok());
  wait();
  ASSERT_GE(memory.used, 4000u);
  memory.capacity = memory.used.load();
  EXPECT_THAT(ValuesOf<float>(Relu(x)), Each(2));
  wait();
  // There is none left to drop now.
  Tensor kept = Relu(x);
  EXPECT_TRUE(kept.status().ok());
  EXPECT_EQ(Relu(x).status().code(), StatusCode::kResourceExhausted);
  memory.capacity = SIZE_MAX;
  EXPECT_THAT(ValuesOf<float>(there), Each(1));
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerMemoryPressureTest, testing::ValuesIn(kAllModesOnDevices),
                         ModeName);

}  // namespace
}  // namespace tfrt::eager
