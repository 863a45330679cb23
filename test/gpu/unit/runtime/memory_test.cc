// Memory of the host: pinned, registered, copied through; and modules.
#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/runtime/staging.h"
#include "gpu/runtime/use_points.h"
#include "test/gpu/unit/runtime/gpu_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(UsePointsTest, TheLastUseOfEachStreamCounts) {
  UsePoints uses;
  EXPECT_TRUE(uses.empty());
  for (uint32_t stream = 1; stream <= 9; ++stream) {
    uses.NoteLast({stream, 5});
    uses.Note({stream, 10 * stream});
    uses.Note({stream, 7});
  }
  std::vector<uint64_t> numbers(10);
  int streams = 0;
  uses.ForEach([&](Point point) {
    ++streams;
    numbers[point.stream] = point.number;
  });
  EXPECT_EQ(streams, 9);
  EXPECT_FALSE(uses.ForEachOfFew([](Point) {}));
  for (uint32_t stream = 1; stream <= 9; ++stream) EXPECT_EQ(numbers[stream], 10 * stream);
  EXPECT_FALSE(uses.IsOnlyOf(1));
  uses.Reset({3, 4});
  EXPECT_TRUE(uses.IsOnlyOf(3));
  EXPECT_TRUE(uses.ForEachOfFew([](Point) {}));
  uses.ForEach([&](Point point) { EXPECT_EQ(point, (Point{3, 4})); });
  uses.Reset({});
  EXPECT_TRUE(uses.empty());
}

TEST(ClockTest, ItIsTheHighestOfEach) {
  Clock a, b;
  EXPECT_FALSE(a.Covers({7, 1}));
  a.Raise({7, 3});
  a.Raise({7, 2});
  b.Raise({9, 1});
  b.Raise({7, 5});
  a.Join(b);
  EXPECT_TRUE(a.Covers({7, 5}));
  EXPECT_FALSE(a.Covers({7, 6}));
  EXPECT_TRUE(a.Covers({9, 1}));
  EXPECT_EQ(a.Of(1000), 0u);
  // Each record has one: it is no larger than what was waited for, whatever the numbers of streams.
  a.Raise({4000, 1});
  EXPECT_THAT(a.points(), testing::ElementsAre(Point{7, 5}, Point{9, 1}, Point{4000, 1}));
  for (uint32_t stream = 100; stream > 0; --stream) a.Raise({stream, 1000 + stream});
  for (uint32_t stream = 1; stream <= 100; ++stream) EXPECT_EQ(a.Of(stream), 1000 + stream);
  EXPECT_EQ(a.Of(0), 0u);
  EXPECT_EQ(a.Of(101), 0u);
  EXPECT_EQ(a.Of(4000), 1u);
}

class MemoryTest : public GpuTest {
 protected:
  explicit MemoryTest(ContextOptions options = {})
      : GpuTest(FakeGpu::Mode::kReleased, std::move(options)) {}
  ~MemoryTest() override { gpu_.Release(); }
};

TEST_F(MemoryTest, PinnedMemoryIsUsedAgainWhenTheDeviceIsDoneWithIt) {
  auto stream = MakeStream();
  auto device = Allocate(*stream, 100);
  auto pinned = context_->AllocatePinned(100).value();
  EXPECT_EQ(pinned->host_address(), reinterpret_cast<void*>(pinned->address()));
  void* address = pinned->host_address();
  ASSERT_TRUE(stream->Copy(device->Bytes(0, 100), pinned->Bytes(0, 100)).ok());
  pinned.reset();
  EXPECT_NE(context_->AllocatePinned(200).value()->host_address(), address);
  gpu_.Release();
  ASSERT_TRUE(stream->Wait().ok());
  auto first = context_->AllocatePinned(4096).value(), second = context_->AllocatePinned(1).value();
  EXPECT_TRUE(first->host_address() == address || second->host_address() == address);
  EXPECT_EQ(gpu_.NumCalls("cuMemHostAlloc"), 2u);
  EXPECT_EQ(context_->pinned_pool().bytes_reserved(), 8192u);
  EXPECT_EQ(context_->AllocatePinned(0).value()->address(), 0u);
}

TEST_F(MemoryTest, WithSomeBlocksThePoolAsksBeforeItGrows) {
  auto stream = MakeStream();
  auto device = Allocate(*stream, 100);
  for (int i = 0; i < 100; ++i) {
    auto pinned = context_->AllocatePinned(100).value();
    ASSERT_TRUE(stream->Copy(device->Bytes(0, 100), pinned->Bytes(0, 100)).ok());
    pinned.reset();
    gpu_.Release();
  }
  EXPECT_LE(gpu_.NumCalls("cuMemHostAlloc"), 5u);
}

TEST_F(MemoryTest, TooMuchPinnedMemoryIsAnError) {
  Status status = context_->AllocatePinned(size_t{1} << 50).status();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "gpu:0: no page-locked memory of 1.00PiB; 0 are reserved");
  gpu_.Fail("cuMemHostAlloc", cuda::CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(context_->AllocatePinned(100).status().code(), StatusCode::kResourceExhausted);
}

class PinnedLimitTest : public MemoryTest {
 protected:
  PinnedLimitTest() : MemoryTest({.pinned_limit_bytes = 20'000}) {}
};

TEST_F(PinnedLimitTest, WhatIsLockedIsLimited) {
  auto first = context_->AllocatePinned(4000).value();
  context_->AllocatePinned(8000).value().reset();
  // What nobody has goes back first.
  EXPECT_EQ(context_->AllocatePinned(16'000).status().message(),
            "gpu:0: no page-locked memory of 15.6KiB; 4.0KiB are reserved, limit: 19.5KiB");
  first.reset();
  EXPECT_TRUE(context_->AllocatePinned(16'000).ok());
  EXPECT_EQ(context_->pinned_pool().bytes_reserved(), 16384u);
}

TEST_F(MemoryTest, PinnedMemoryOfOtherSizesGoesBackWhereThereIsNoMore) {
  auto stream = MakeStream();
  auto device = Allocate(*stream, 100);
  auto busy = context_->AllocatePinned(100).value();
  ASSERT_TRUE(stream->Copy(device->Bytes(0, 100), busy->Bytes(0, 100)).ok());
  auto used = context_->AllocatePinned(100).value();
  busy.reset();
  context_->AllocatePinned(10'000).value().reset();
  EXPECT_EQ(context_->pinned_pool().bytes_reserved(), 2 * 4096u + 16384u);
  gpu_.Fail("cuMemHostAlloc", cuda::CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_TRUE(context_->AllocatePinned(20'000).ok());
  // What the device, or anybody, uses still has stayed.
  EXPECT_EQ(gpu_.NumCalls("cuMemFreeHost"), 1u);
  EXPECT_EQ(context_->pinned_pool().bytes_reserved(), 2 * 4096u + 32768u);
}

TEST_F(MemoryTest, RegisteredMemoryIsReleasedBehindItsUses) {
  auto stream = MakeStream();
  auto device = Allocate(*stream, 64);
  std::vector<char> bytes(64);
  std::atomic<bool> released{false};
  auto memory = context_->Register(bytes.data(), 64, [&] { released = true; }).value();
  EXPECT_EQ(memory->host_address(), bytes.data());
  ASSERT_TRUE(stream->Copy(memory->Bytes(0, 64), device->Bytes(0, 64)).ok());
  memory.reset();
  EXPECT_FALSE(released);
  EXPECT_EQ(gpu_.NumCalls("cuMemHostUnregister"), 0u);
  gpu_.Release();
  queue_->Quiesce();
  EXPECT_TRUE(released);
  EXPECT_EQ(gpu_.NumCalls("cuMemHostUnregister"), 1u);
  // Without uses at once, and also if the driver refuses.
  released = false;
  context_->Register(bytes.data(), 64, [&] { released = true; }).value().reset();
  EXPECT_TRUE(released);
  released = false;
  gpu_.Fail("cuMemHostRegister_v2", cuda::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  Status status = context_->Register(bytes.data(), 64, [&] { released = true; }).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"));
  EXPECT_TRUE(released);
}

// As where the host has ended.
TEST_F(MemoryTest, WhatGoesOnLaterNeedsAQueue) {
  auto slot = std::make_shared<QueueSlot>();
  auto context = Context::Create(gpu_.table(), 0, {.queue_slot = slot}).value();
  auto stream = context->CreateStream().value();
  auto memory = context->Allocate(*stream, 1 << 20).value();
  std::vector<char> bytes(1 << 20);
  int released = 0;
  auto release = [&] { ++released; };
  ASSERT_TRUE(stream->Fill(memory->Bytes(0, 4), 0).ok());
  const AsyncValueRef<Chain> chains[] = {
      context->staging()
          .CopyToDevice(stream, memory->Bytes(0, 1 << 20), bytes.data(), release)
          .Map([](Point&) { return Chain(); }),
      context->staging().CopyToHost(stream, bytes.data(), memory->Bytes(0, 1 << 20), release),
      context->staging().CopyToHost(stream, bytes.data(), memory->Bytes(0, 5), release),
      stream->Synchronize()};
  for (const AsyncValueRef<Chain>& chain : chains) {
    ASSERT_TRUE(chain.IsError());
    EXPECT_EQ(chain.GetError().ToString(),
              "FAILED_PRECONDITION: gpu:0 has no work queue any more: its host has ended, and the "
              "call names none");
  }
  EXPECT_EQ(released, 3);
  gpu_.Release();
}

TEST_F(MemoryTest, BorrowedMemoryIsGivenBackWhenItsCommandsHaveRun) {
  auto stream = MakeStream();
  auto owner = Allocate(*stream, 64);
  ASSERT_TRUE(stream->Fill(owner->bytes(), 0).ok());
  std::atomic<int> released = 0;
  RCReference<Memory> memory = context_->Borrow(owner->address(), 64, [&] { ++released; });
  EXPECT_EQ(memory->kind(), MemoryKind::kForeign);
  EXPECT_EQ(memory->address(), owner->address());
  EXPECT_EQ(memory->host_address(), nullptr);
  ASSERT_TRUE(Increment(*stream, *memory).ok());
  memory.reset();
  EXPECT_EQ(released, 0);
  gpu_.Release();
  EndQueue();
  EXPECT_EQ(released, 1);
  EXPECT_EQ(gpu_.NumCalls("cuMemHostUnregister"), 0u);
  // Of memory that no command uses it is called at once.
  memory = context_->Borrow(0, 0, [&] { ++released; });
  memory.reset();
  EXPECT_EQ(released, 2);
}

TEST_F(MemoryTest, RegisteredMemoryWithoutAQueueIsAwaited) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  auto context = Context::Create(gpu_.table(), 0, {}).value();
  auto stream = context->CreateStream().value();
  std::vector<char> bytes(64);
  bool released = false;
  auto memory = context->Register(bytes.data(), 64, [&] { released = true; }).value();
  ASSERT_TRUE(stream->Fill(memory->Bytes(0, 64), 0x61616161).ok());
  memory.reset();
  EXPECT_TRUE(released);
  EXPECT_EQ(std::string(bytes.data(), 64), std::string(64, 'a'));
}

TEST_F(MemoryTest, SmallCopiesHaveReadTheirSourceAtOnce) {
  auto stream = MakeStream();
  auto memory = Allocate(*stream, 5);
  char from[] = "abcde", to[6] = {};
  int released = 0;
  AsyncValueRef<Point> there =
      context_->staging().CopyToDevice(stream, memory->Bytes(0, 5), from, [&] { ++released; });
  EXPECT_TRUE(there.IsConcrete());
  EXPECT_EQ(released, 1);
  std::memset(from, 'x', 5);
  AsyncValueRef<Chain> back =
      context_->staging().CopyToHost(stream, to, memory->Bytes(0, 5), [&] { ++released; });
  EXPECT_FALSE(back.IsAvailable());
  EXPECT_EQ(released, 1);
  gpu_.Release();
  Await(back);
  EXPECT_STREQ(to, "abcde");
  EXPECT_EQ(released, 2);
}

// The driver's copy would: its caller waits for all that the stream has to do, under a lock.
TEST_F(MemoryTest, ACopyWithinTheHostBlocksNoThread) {
  auto stream = MakeStream(), other = MakeStream();
  auto from = context_->AllocatePinned(8).value(), to = context_->AllocatePinned(8).value();
  std::memset(from->host_address(), 0, 8);
  std::memset(to->host_address(), 0, 8);
  ASSERT_TRUE(Increment(*stream, *from).ok());
  std::promise<Status> copied;
  std::thread thread(
      [&] { copied.set_value(stream->Copy(to->Bytes(0, 8), from->Bytes(0, 8)).status()); });
  std::future<Status> result = copied.get_future();
  const bool has_returned = result.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  EXPECT_TRUE(has_returned) << "the copy waits for the device";
  if (has_returned) {
    // The order is that of the stream.
    EXPECT_EQ(*static_cast<float*>(to->host_address()), 0);
    ASSERT_TRUE(other->WaitForUses(*to).ok());
    ASSERT_TRUE(Increment(*other, *to).ok());
  }
  // Memory that nobody has any more is kept for the copy.
  from.reset();
  gpu_.Release();
  thread.join();
  EXPECT_TRUE(result.get().ok());
  ASSERT_TRUE(other->Wait().ok());
  EXPECT_EQ(*static_cast<float*>(to->host_address()), 2);
}

TEST_F(MemoryTest, ACopyWithinTheHostThatIsNotEnqueuedIsAnError) {
  auto stream = MakeStream();
  auto from = context_->AllocatePinned(8).value(), to = context_->AllocatePinned(8).value();
  gpu_.Fail("cuLaunchHostFunc", cuda::CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(std::string(stream->Copy(to->Bytes(0, 8), from->Bytes(0, 8)).status().message()),
              HasSubstr("'cuLaunchHostFunc': CUDA_ERROR_INVALID_VALUE"));
}

TEST_F(MemoryTest, NoBytesAreCopiedAtOnce) {
  auto stream = MakeStream();
  auto memory = Allocate(*stream, 0);
  int released = 0;
  gpu_.ForgetCalls();
  EXPECT_TRUE(
      context_->staging().CopyToDevice(stream, {}, nullptr, [&] { ++released; }).IsConcrete());
  EXPECT_TRUE(
      context_->staging().CopyToHost(stream, nullptr, {}, [&] { ++released; }).IsConcrete());
  EXPECT_EQ(released, 2);
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_F(MemoryTest, LongCopiesGoThroughTwoBlocksEachWay) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  auto stream = MakeStream();
  constexpr size_t kBytes = 5 * Staging::kBlockBytes + 3;
  std::vector<uint32_t> from(kBytes / 4 + 1), to(from.size());
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint32_t>(i * 2654435761u);
  auto memory = Allocate(*stream, kBytes);
  std::vector<AsyncValueRef<Point>> points;
  for (int round = 0; round < 3; ++round) {
    points.push_back(
        context_->staging().CopyToDevice(stream, memory->Bytes(0, kBytes), from.data(), {}));
  }
  for (auto& point : points) Await(point);
  std::vector<AsyncValueRef<Chain>> chains;
  for (int round = 0; round < 3; ++round) {
    chains.push_back(
        context_->staging().CopyToHost(stream, to.data(), memory->Bytes(0, kBytes), {}));
  }
  for (auto& chain : chains) Await(chain);
  to.back() = from.back();  // the last byte of the word is not part of it
  EXPECT_EQ(to, from);
  EXPECT_EQ(context_->pinned_pool().bytes_reserved(), 4 * Staging::kBlockBytes);
}

TEST_F(MemoryTest, ALongCopyBlocksNoThread) {
  auto stream = MakeStream();
  constexpr size_t kBytes = 4 * Staging::kBlockBytes;
  std::vector<char> from(kBytes, 'x'), to(kBytes);
  auto memory = Allocate(*stream, kBytes);
  AsyncValueRef<Point> there =
      context_->staging().CopyToDevice(stream, memory->Bytes(0, kBytes), from.data(), {});
  EXPECT_FALSE(there.IsAvailable());
  auto ran = MakeUnconstructedAsyncValueRef<Chain>();
  queue_->AddTask([ran = ran.CopyRef()] { ran.emplace(); });
  Await(ran);
  EXPECT_FALSE(there.IsAvailable());
  gpu_.Release();
  Await(there);
  AsyncValueRef<Chain> back =
      context_->staging().CopyToHost(stream, to.data(), memory->Bytes(0, kBytes), {});
  queue_->Quiesce();
  EXPECT_TRUE(back.IsConcrete());
  EXPECT_EQ(to, from);
}

TEST_F(MemoryTest, ALongCopyHoldsUpNoOtherStream) {
  auto stream = MakeStream(), other = MakeStream();
  constexpr size_t kBytes = 4 * Staging::kBlockBytes, kLess = 2 * Staging::kBlockBytes;
  std::vector<char> from(kBytes, 'x');
  auto memory = Allocate(*stream, kBytes), of_other = Allocate(*other, kLess);
  Staging& staging = context_->staging();
  AsyncValueRef<Point> first = staging.CopyToDevice(stream, memory->bytes(), from.data(), {});
  AsyncValueRef<Point> second = staging.CopyToDevice(other, of_other->bytes(), from.data(), {});
  EXPECT_FALSE(first.IsAvailable());
  ASSERT_TRUE(second.IsConcrete());
  // The point is that of the copy, whatever others have enqueued since.
  EXPECT_EQ(second.get(), other->tail());
  ASSERT_TRUE(other->Fill(of_other->bytes(), 0).ok());
  EXPECT_EQ(second.get().number, other->tail().number - 1);
  gpu_.Release();
  Await(first);
  EXPECT_EQ(first.get(), stream->tail());
  queue_->Quiesce();
  // Many streams in turn keep a few pairs of blocks.
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  for (int i = 0; i < 6; ++i) {
    auto another = MakeStream();
    Await(staging.CopyToDevice(another, Allocate(*another, kLess)->bytes(), from.data(), {}));
  }
  EXPECT_LE(context_->pinned_pool().bytes_reserved(), 10 * Staging::kBlockBytes);
}

class StarvedCopyTest : public MemoryTest {
 protected:
  // For the blocks of one long copy.
  StarvedCopyTest() : MemoryTest({.pinned_limit_bytes = 3 * Staging::kBlockBytes}) {}
};

TEST_F(StarvedCopyTest, CopiesWithoutBlocksComeAfterOthers) {
  constexpr size_t kBytes = 4 * Staging::kBlockBytes;
  std::vector<char> from(kBytes, 'x');
  std::vector<RCReference<Stream>> streams;
  std::vector<RCReference<Memory>> memories;
  std::vector<AsyncValueRef<Point>> copies;
  for (int i = 0; i < 3; ++i) {
    streams.push_back(MakeStream());
    memories.push_back(Allocate(*streams[i], kBytes));
    copies.push_back(
        context_->staging().CopyToDevice(streams[i], memories[i]->bytes(), from.data(), {}));
    EXPECT_FALSE(copies[i].IsAvailable());
  }
  gpu_.Release();
  for (const auto& copy : copies) Await(copy);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(copies[i].get(), streams[i]->tail());
  // One that has the blocks to itself needs no other.
  Await(context_->staging().CopyToDevice(streams[2], memories[2]->bytes(), from.data(), {}));
  EXPECT_LE(context_->pinned_pool().bytes_reserved(), 3 * Staging::kBlockBytes);
}

// A stream that always has another copy does not keep the blocks.
TEST_F(StarvedCopyTest, StreamsTakeTurns) {
  constexpr size_t kBytes = 4 * Staging::kBlockBytes;
  std::vector<char> from(kBytes, 'x');
  const RCReference<Stream> busy = MakeStream(), other = MakeStream();
  std::vector<RCReference<Memory>> memories;
  std::vector<AsyncValueRef<Point>> copies;
  std::mutex mutex;
  std::vector<int> ended;
  std::latch all_ended(4);
  for (const auto& stream : {busy, busy, busy, other}) {
    memories.push_back(Allocate(*stream, kBytes));
    copies.push_back(
        context_->staging().CopyToDevice(stream, memories.back()->bytes(), from.data(), {}));
    copies.back().AndThen([&, number = static_cast<int>(copies.size())] {
      std::lock_guard lock(mutex);
      ended.push_back(number);
      all_ended.count_down();
    });
  }
  gpu_.Release();
  all_ended.wait();
  std::lock_guard lock(mutex);
  EXPECT_THAT(ended, testing::ElementsAre(1, 4, 2, 3));
}

TEST_F(MemoryTest, ModulesAreLoadedOnceForTheSameBytes) {
  std::string_view image(".version 7.0 other\0", 19);
  RCReference<Module> module = context_->LoadModule(image).value();
  uint64_t loads = gpu_.NumCalls("cuModuleLoadDataEx");
  EXPECT_EQ(context_->LoadModule(std::string(image)).value(), module);
  EXPECT_NE(module, module_);
  EXPECT_EQ(gpu_.NumCalls("cuModuleLoadDataEx"), loads);
  auto knob = module->GetGlobal(std::string_view("knob\0", 5)).value();
  EXPECT_EQ(knob->size_bytes(), 4u);
  EXPECT_EQ(knob->kind(), MemoryKind::kGlobal);
}

// Programs that bring their own code come and go.
TEST_F(MemoryTest, ModulesThatNobodyHasAreUnloadedWhenThereAreMany) {
  auto image = [](int i) { return ".version 7.0 " + std::to_string(i) + '\0'; };
  auto stream = MakeStream();
  auto kept = context_->LoadModule(image(0)).value();
  auto knob = context_->LoadModule(image(1)).value()->GetGlobal("knob").value();
  for (int i = 2; i < 100; ++i) {
    auto module = context_->LoadModule(image(i)).value();
    ASSERT_TRUE(stream->Launch(*module->GetFunction("idle").value(), {}, {}).ok());
    gpu_.Release();
  }
  gpu_.ForgetCalls();
  EXPECT_TRUE(context_->LoadModule(image(99)).ok());
  EXPECT_TRUE(context_->LoadModule(image(40)).ok());
  EXPECT_EQ(context_->LoadModule(image(0)).value().get(), kept.get());
  EXPECT_TRUE(context_->LoadModule(image(1)).ok());
  EXPECT_EQ(gpu_.NumCalls("cuModuleLoadDataEx"), 0u);
  // Commands of any context may use the variable still.
  auto other = Context::Create(gpu_.table(), 1, {.queue = queue_.get()}).value();
  auto user = other->CreateStream().value();
  ASSERT_TRUE(user->Fill(knob->Bytes(0, 4), 0).ok());
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  knob.reset();
  EXPECT_FALSE(IsKnownDone(user->tail()));
  for (int i = 100; i < 200; ++i) ASSERT_TRUE(context_->LoadModule(image(i)).ok());
  EXPECT_TRUE(IsKnownDone(user->tail()));
  EXPECT_EQ(gpu_.NumCalls("cuModuleUnload"), 101u);
  EXPECT_EQ(context_->LoadModule(image(0)).value().get(), kept.get());
}

// Whoever asks for a variable gets a memory of his own, which is the same bytes.
TEST_F(MemoryTest, UsesOfAVariableAreThoseOfAllItsMemories) {
  auto first = MakeStream(), second = MakeStream(), third = MakeStream();
  auto a = module_->GetGlobal("knob").value(), b = module_->GetGlobal("knob").value();
  ASSERT_TRUE(first->Fill(a->Bytes(0, 4), 0).ok());
  ASSERT_TRUE(second->WaitForUses(*b).ok());
  EXPECT_TRUE(gpu_.IsOrdered(first->handle(), second->handle()));
  a.reset();
  ASSERT_TRUE(third->WaitForUses(*b).ok());
  EXPECT_TRUE(gpu_.IsOrdered(first->handle(), third->handle()));
  AsyncValueRef<Chain> unused = context_->WhenUnused(*b);
  EXPECT_FALSE(unused.IsAvailable());
  gpu_.Release();
  Await(unused);
}

TEST_F(MemoryTest, WhatTheCompilerSaysIsPartOfTheError) {
  gpu_.set_jit_log("ptxas application ptx input, line 3; fatal: syntax error\n");
  Status status = context_->LoadModule(std::string_view("no code\0", 8)).status();
  EXPECT_THAT(std::string(status.message()),
              AllOf(testing::StartsWith(
                        "'cuModuleLoadDataEx': CUDA_ERROR_INVALID_IMAGE (as the fake driver says)"),
                    HasSubstr("; GPU JIT error log: ptxas application ptx input, line 3; fatal: "
                              "syntax error")));
  gpu_.set_jit_log("");
  Status again = context_->LoadModule(std::string_view("no code\0", 8)).status();
  EXPECT_THAT(std::string(again.message()), testing::Not(HasSubstr("JIT")));
  EXPECT_EQ(module_->GetFunction("relu").status().message(),
            "'cuModuleGetFunction' of 'relu': CUDA_ERROR_NOT_FOUND (as the fake driver says)");
  EXPECT_THAT(std::string(module_->GetGlobal("nothing").status().message()),
              AllOf(HasSubstr("'nothing'"), HasSubstr("CUDA_ERROR_NOT_FOUND")));
}

}  // namespace
}  // namespace tfrt::gpu
