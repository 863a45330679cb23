// Contexts that go while others use what is theirs.
#include <atomic>
#include <thread>
#include <vector>

#include "test/gpu/unit/runtime/gpu_test_base.h"

namespace tfrt::gpu {
namespace {

class ContextTest : public GpuTest {
 protected:
  explicit ContextTest(FakeGpu::Mode mode = FakeGpu::Mode::kWhenAsked) : GpuTest(mode) {}

  RCReference<Context> MakeOther() {
    return Context::Create(gpu_.table(), 1, {.name = "gpu:1", .queue = queue_.get()}).value();
  }
};

TEST_F(ContextTest, OtherCodeMaySetTheContextOfTheThread) {
  auto other = MakeOther();
  auto own = Context::Create(gpu_.table(), 0, {.name = "own", .queue = queue_.get()}).value();
  const cuda::CUcontext handle = own->handle();
  std::vector<char> bytes(64);
  RCReference<Stream> stream, spare;
  RCReference<Memory> memory, registered;
  RCReference<Module> module;
  auto expect = [&](const char* function, auto&& call) {
    ASSERT_EQ(gpu_.table().cuCtxSetCurrent(other->handle()), cuda::CUDA_SUCCESS);
    call();
    EXPECT_EQ(gpu_.ContextAt(function), handle) << function;
  };
  expect("cuStreamCreateWithPriority", [&] { stream = own->CreateStream().value(); });
  expect("cuStreamCreateWithPriority", [&] { spare = own->CreateStream().value(); });
  expect("cuMemAlloc_v2", [&] { memory = own->Allocate(*stream, 64).value(); });
  expect("cuMemHostAlloc", [&] { EXPECT_TRUE(own->AllocatePinned(64).ok()); });
  expect("cuMemHostRegister_v2", [&] { registered = own->Register(bytes.data(), 64, {}).value(); });
  expect("cuMemHostUnregister", [&] { registered.reset(); });
  expect("cuModuleLoadDataEx",
         [&] { module = own->LoadModule(std::string_view(".version\0", 9)).value(); });
  expect("cuModuleGetFunction", [&] { EXPECT_TRUE(module->GetFunction("idle").ok()); });
  expect("cuModuleGetGlobal_v2", [&] { EXPECT_TRUE(module->GetGlobal("knob").ok()); });
  // A library finds it, and may leave another one behind.
  expect("cuCtxSetCurrent", [&] {
    EXPECT_TRUE(stream
                    ->Enqueue("library", {},
                              [&] {
                                gpu_.table().cuCtxSetCurrent(other->handle());
                                return OkStatus();
                              })
                    .ok());
  });
  EXPECT_TRUE(stream->Fill(memory->Bytes(0, 64), 0).ok());
  EXPECT_EQ(gpu_.ContextAt("cuMemsetD32Async"), handle);
  expect("cuEventCreate", [&] { EXPECT_TRUE(stream->Record().ok()); });
  memory.reset();
  expect("cuMemFree_v2", [&] { EXPECT_TRUE(own->allocator().Trim().ok()); });
  stream.reset();
  spare.reset();
  module.reset();
  for (const char* function : {"cuStreamDestroy_v2", "cuEventDestroy_v2", "cuModuleUnload"}) {
    expect(function, [&] { own.reset(); });
  }
}

class GoingTest : public ContextTest {
 protected:
  GoingTest() : ContextTest(FakeGpu::Mode::kReleased) {}
  ~GoingTest() override { gpu_.Release(); }
};

// Memory keeps its own context, and not those whose streams use it.
TEST_F(GoingTest, WhoAsksForAPointOfAContextThatGoesHearsOfItsEnd) {
  auto pinned = context_->AllocatePinned(64).value();
  std::vector<char> bytes(64);
  std::atomic<bool> is_released{false};
  auto registered =
      context_->Register(bytes.data(), bytes.size(), [&] { is_released = true; }).value();
  auto stream = MakeStream();
  auto other = MakeOther();
  {
    auto user = other->CreateStream().value();
    auto memory = other->Allocate(*user, 64).value();
    for (const auto& from : {pinned, registered}) {
      ASSERT_TRUE(user->Copy(memory->Bytes(0, 64), from->Bytes(0, 64)).ok());
    }
  }
  gpu_.ForgetCalls();
  std::thread goes([&] { other.reset(); });
  while (gpu_.NumCalls("cuStreamSynchronize") == 0) std::this_thread::yield();
  // This thread waits for nothing.
  AsyncValueRef<Chain> unused = context_->WhenUnused(*pinned);
  EXPECT_FALSE(unused.IsAvailable());
  registered.reset();
  EXPECT_FALSE(is_released);
  std::thread waits([&] { EXPECT_TRUE(stream->WaitForUses(*pinned).ok()); });
  gpu_.Release();
  waits.join();
  goes.join();
  Await(unused);
  EXPECT_TRUE(unused.IsConcrete());
  queue_->Quiesce();
  EXPECT_TRUE(is_released);
}

TEST_F(GoingTest, MemoryWithoutAQueueIsAwaitedThere) {
  auto own = Context::Create(gpu_.table(), 0, {}).value();
  std::vector<char> bytes(64);
  std::atomic<bool> is_released{false};
  auto registered = own->Register(bytes.data(), bytes.size(), [&] { is_released = true; }).value();
  auto other = MakeOther();
  {
    auto user = other->CreateStream().value();
    ASSERT_TRUE(user->Fill(registered->Bytes(0, 64), 0x61616161).ok());
  }
  gpu_.ForgetCalls();
  std::thread goes([&] { other.reset(); });
  while (gpu_.NumCalls("cuStreamSynchronize") == 0) std::this_thread::yield();
  std::thread drops([&] { registered.reset(); });
  EXPECT_FALSE(is_released);
  gpu_.Release();
  drops.join();
  goes.join();
  EXPECT_TRUE(is_released);
  EXPECT_EQ(bytes, std::vector<char>(64, 'a'));
}

TEST_F(ContextTest, ItsMemoryGoesBehindTheCommandsOfOthers) {
  auto user = MakeStream();
  auto to = Allocate(*user, 64);
  for (MemoryKind kind : {MemoryKind::kDevice, MemoryKind::kPinned, MemoryKind::kGlobal}) {
    auto other = MakeOther();
    {
      auto stream = other->CreateStream().value();
      auto from = kind == MemoryKind::kDevice ? other->Allocate(*stream, 64).value()
                  : kind == MemoryKind::kPinned
                      ? other->AllocatePinned(64).value()
                      : other->LoadModule(std::string_view(".version\0", 9))
                            .value()
                            ->GetGlobal("knob")
                            .value();
      ASSERT_TRUE(user->Copy(to->Bytes(0, 4), from->Bytes(0, 4)).ok());
    }
    EXPECT_FALSE(IsKnownDone(user->tail()));
    other.reset();
    EXPECT_TRUE(IsKnownDone(user->tail())) << static_cast<int>(kind);
  }
}

// Each has commands that use the other's memory, and neither waits for the other's end.
TEST_F(ContextTest, TwoMayGoAtOnce) {
  for (int i = 0; i < 100; ++i) {
    RCReference<Context> contexts[] = {MakeOther(), MakeOther()};
    {
      RCReference<Stream> streams[2];
      RCReference<Memory> memories[2];
      for (int j : {0, 1}) {
        streams[j] = contexts[j]->CreateStream().value();
        memories[j] = contexts[j]->Allocate(*streams[j], 64).value();
      }
      for (int j : {0, 1}) {
        Memory &to = *memories[j], &from = *memories[1 - j];
        ASSERT_TRUE(streams[j]->Copy(to.Bytes(0, 64), from.Bytes(0, 64)).ok());
      }
    }
    std::thread goes([&] { contexts[0].reset(); });
    contexts[1].reset();
    goes.join();
  }
}

// As threads meet: whoever asks may find the context, then end it, or come too late.
TEST_F(ContextTest, ManyContextsGoWhileOthersAsk) {
  auto pinned = context_->AllocatePinned(4096).value();
  std::atomic<bool> is_over{false};
  std::thread asks([&] {
    while (!is_over) Await(context_->WhenUnused(*pinned));
  });
  std::thread waits([&] {
    auto stream = context_->CreateStream().value();
    while (!is_over) ASSERT_TRUE(stream->WaitForUses(*pinned).ok());
  });
  for (int i = 0; i < 200; ++i) {
    auto other = MakeOther();
    auto user = other->CreateStream().value();
    auto memory = other->Allocate(*user, 4096).value();
    ASSERT_TRUE(user->Copy(memory->Bytes(0, 4096), pinned->Bytes(0, 4096)).ok());
  }
  is_over = true;
  asks.join();
  waits.join();
}

}  // namespace
}  // namespace tfrt::gpu
