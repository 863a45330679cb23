// The runtime on the test double, which executes device code and knows which commands are ordered.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gpu/runtime/gpu_contexts.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/staging.h"
#include "test/gpu/unit/runtime/double_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Other libraries take contexts off threads, which this runtime believes to be current.
TEST_F(DoubleTest, AThreadMayHaveLostItsContext) {
  auto stream = context_->CreateStream().value(), other = context_->CreateStream().value();
  auto memory = context_->Allocate(*stream, 128).value();
  auto bytes = context_->AllocatePinned(128).value();
  const Point point = stream->tail();
  const std::pair<const char*, std::function<Status()>> calls[] = {
      {"fill", [&] { return stream->Fill(memory->Bytes(0, 128), 0).status(); }},
      {"launch", [&] { return Add(*stream, *memory, 1, 32); }},
      {"record", [&] { return stream->Record().status(); }},
      {"copy", [&] { return stream->Copy(bytes->Bytes(0, 128), memory->Bytes(0, 128)).status(); }},
      {"wait of the device", [&] { return other->WaitFor(stream->tail()); }},
      {"another launch", [&] { return Add(*other, *memory, 1, 32); }},
      {"wait of the host", [&] { return other->Wait(); }},
  };
  for (const auto& [what, call] : calls) {
    ASSERT_EQ(driver().table().cuCtxSetCurrent(nullptr), cuda::CUDA_SUCCESS);
    Status status = call();
    EXPECT_TRUE(status.ok()) << what << ": " << status.message();
  }
  EXPECT_TRUE(IsKnownDone(point));
}

// There, an op, and back, on three streams: 3 records, 2 waits of the device, 1 of the host.
TEST_F(DoubleTest, ATandemHasNoCallTooMany) {
  auto h2d = context_->CreateStream().value(), compute = context_->CreateStream().value(),
       d2h = context_->CreateStream().value();
  std::vector<float> numbers(1000, 1.5f), result(1000);
  auto run = [&] {
    auto memory = context_->Allocate(*compute, 4000).value();
    ASSERT_TRUE(h2d->WaitFor(compute->tail()).ok());
    Await(context_->staging().CopyToDevice(h2d, memory->Bytes(0, 4000), numbers.data(), {}));
    ASSERT_TRUE(compute->WaitFor(h2d->tail()).ok());
    ASSERT_TRUE(Add(*compute, *memory, 2, 1000).ok());
    ASSERT_TRUE(d2h->WaitFor(compute->tail()).ok());
    Await(context_->staging().CopyToHost(d2h, result.data(), memory->Bytes(0, 4000), {}));
    EXPECT_THAT(result, testing::Each(3.5f));
  };
  for (int i = 0; i < 3; ++i) run();  // warm
  const std::map<std::string, uint64_t> calls = {
      {"cuMemcpyHtoDAsync_v2", 1}, {"cuMemcpyDtoHAsync_v2", 1}, {"cuLaunchKernel", 1},
      {"cuEventRecord", 3},        {"cuStreamWaitEvent", 2},    {"cuEventSynchronize", 1}};
  double_.ClearCalls();
  run();
  uint64_t all = 0;
  for (const auto& [name, count] : calls) {
    EXPECT_EQ(double_.NumCalls(name.c_str()), count) << name;
    all += count;
  }
  EXPECT_EQ(double_.NumCalls(nullptr), all);
}

TEST_F(DoubleTest, AThousandWarmOpsAreAThousandLaunches) {
  auto stream = context_->CreateStream().value();
  auto run = [&] {
    auto memory = context_->Allocate(*stream, 4000).value();
    ASSERT_TRUE(stream->Fill(memory->Bytes(0, 4000), 0).ok());
    for (int i = 0; i < 1000; ++i) {
      auto next = context_->Allocate(*stream, 4000 + i % 100).value();
      ASSERT_TRUE(Add(*stream, *memory, 1, 8).ok());
    }
  };
  run();
  double_.ClearCalls();
  run();
  EXPECT_EQ(double_.NumCalls("cuLaunchKernel"), 1000u);
  EXPECT_EQ(double_.NumCalls(nullptr), 1001u);  // and the fill
  ASSERT_TRUE(stream->Wait().ok());
}

TEST_F(DoubleTest, AForgottenWaitIsReported) {
  auto a = context_->CreateStream().value(), b = context_->CreateStream().value();
  auto memory = context_->Allocate(*a, 128).value();
  ASSERT_TRUE(a->Fill(memory->Bytes(0, 128), 0).ok());
  ASSERT_TRUE(Add(*b, *memory, 1, 32).ok());
  ASSERT_TRUE(context_->Synchronize().ok());
  EXPECT_FALSE(double_.TakeReports().empty());
}

// A kernel of one device faults; another device has waited for its stream and goes on with what it
// should have written, into pinned memory of the other device. Whatever becomes of the wait, and
// whether the failed context is still there or has gone before the wait or behind it, nobody takes
// that for a good result.
TEST_F(DoubleTest, AFaultIsNoGoodResultOfAnotherContext) {
  enum class Ends { kNever, kBeforeTheWait, kBehindTheWait, kWithTheOther };
  for (int i = 0; i < 8; ++i) {
    SCOPED_TRACE(i);
    const auto ends = static_cast<Ends>(i % 4);
    ASSERT_EQ(0, double_.Inject(i < 4 ? "fault=add:1:700:context" : "fault=add:1:700"));
    {
      Context::Options options{.queue = queue_.get()};
      auto failing = Context::Create(driver().table(), 0, options).value();
      auto good = Context::Create(driver().table(), 1, options).value();
      auto a = failing->CreateStream().value();
      auto b = good->CreateStream().value();
      auto on_a = failing->Allocate(*a, 64).value();
      auto on_b = good->Allocate(*b, 64).value();
      auto between = good->AllocatePinned(64).value();
      RCReference<Module> module =
          failing->LoadModule(std::string_view(kAdd, sizeof(kAdd))).value();
      const Function* add = module->GetFunction("add").value();
      ASSERT_TRUE(a->Fill(on_a->Bytes(0, 64), 41).ok());
      const MemoryRange bytes = on_a->bytes();
      const float x = 1;
      const uint32_t n = 16;
      LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes), LaunchArgument::Of(x),
                                    LaunchArgument::Of(n)};
      ASSERT_TRUE(a->Launch(*add, {.block = {32, 1, 1}}, arguments).ok());
      // A device that works beside the host may have come to the fault.
      Status status = a->Copy(between->bytes(), bytes).status();
      const Point written = a->tail();
      auto end_failing = [&] {
        on_a.reset();
        a.reset();
        failing.reset();
      };
      if (ends == Ends::kBeforeTheWait) end_failing();
      if (status.ok()) status = b->WaitFor(written);
      if (ends == Ends::kBehindTheWait) end_failing();
      std::vector<uint32_t> out(16, 0);
      if (status.ok()) status = b->Copy(on_b->Bytes(0, 64), between->Bytes(0, 64)).status();
      if (status.ok()) {
        auto copied = good->staging().CopyToHost(b, out.data(), on_b->Bytes(0, 64), {});
        if (ends == Ends::kWithTheOther) end_failing();
        AsyncValue* value = copied.GetAsyncValue();
        queue_->Await({&value, 1});
        if (copied.IsError()) status = copied.GetError();
      }
      EXPECT_FALSE(status.ok()) << "the result is " << out[0];
      if (a) {
        EXPECT_FALSE(a->Wait().ok());
        EXPECT_TRUE(failing->is_lost());
      }
      queue_->Quiesce();
    }
    ASSERT_EQ(0, double_.Inject(""));
    (void)double_.TakeReports();
  }
}

// Blocks go round four streams as fast as the allocator lets them. Whoever writes to one that is
// not free yet is reported.
TEST_F(DoubleTest, BlocksAreHandedOutInOrder) {
  std::mt19937 random(3);
  std::vector<RCReference<Stream>> streams;
  for (int i = 0; i < 4; ++i) streams.push_back(context_->CreateStream().value());
  std::vector<RCReference<Memory>> live;
  for (int step = 0; step < 4000; ++step) {
    Stream& stream = *streams[random() % streams.size()];
    switch (random() % 6) {
      case 0:
      case 1: {
        auto memory = context_->Allocate(stream, 1 + random() % 20000).value();
        ASSERT_TRUE(stream.Fill(memory->bytes(), step).ok());
        live.push_back(std::move(memory));
        break;
      }
      case 2:
        if (live.empty()) break;
        // Used elsewhere, behind all that has used it.
        ASSERT_TRUE(stream.WaitForUses(*live.back()).ok());
        ASSERT_TRUE(stream.Fill(live.back()->Bytes(0, 1), 7).ok());
        break;
      case 3:
      case 4:
        if (live.size() < 12) break;
        std::swap(live[random() % live.size()], live.back());
        live.pop_back();
        break;
      default:
        if (random() % 8 == 0) ASSERT_TRUE(stream.Wait().ok());
        if (random() % 4 == 0) ASSERT_TRUE(stream.WaitFor(streams[0]->tail()).ok());
    }
  }
  ASSERT_TRUE(context_->Synchronize().ok());
}

// The end of a context waits for them, or the double would report that they use what was freed.
TEST_F(DoubleTest, OthersMayUseTheMemoryOfAContextThatGoes) {
  auto stream = context_->CreateStream().value();
  auto to = context_->Allocate(*stream, 4096).value();
  for (int ordinal : {0, 1}) {
    auto other = Context::Create(driver().table(), driver().FindDevice(ordinal).value(),
                                 {.name = "other", .queue = queue_.get()})
                     .value();
    auto own = other->CreateStream().value();
    auto device = other->Allocate(*own, 4096).value();
    ASSERT_TRUE(own->Fill(device->Bytes(0, 4096), 7).ok());
    auto pinned = other->AllocatePinned(4096).value();
    ASSERT_TRUE(own->Copy(pinned->Bytes(0, 4096), device->Bytes(0, 4096)).ok());
    ASSERT_TRUE(own->Wait().ok());
    for (RCReference<Memory>* from : {&device, &pinned}) {
      ASSERT_TRUE(stream->Copy(to->Bytes(0, 4096), (*from)->Bytes(0, 4096)).ok());
      from->reset();
    }
    own.reset();
    other.reset();
    ASSERT_TRUE(stream->Wait().ok());
  }
}

// A copy of one device from it may still run when the device is lost, and the owner takes it back
// on a thread that has never been there.
TEST_F(DoubleTest, MemoryIsNotGivenBackBeforeALostDeviceIsDone) {
  ASSERT_EQ(0, double_.Inject("lost=1:3:214"));
  {
    auto lost = Context::Create(driver().table(), 1, {.queue = queue_.get()}).value();
    auto a = lost->CreateStream().value(), b = lost->CreateStream().value();
    auto on_a = lost->Allocate(*a, 256).value(), on_b = lost->Allocate(*b, 256).value();
    std::vector<uint32_t> numbers(64, 1);
    auto host = context_->Register(numbers.data(), 256, {}).value();
    ASSERT_TRUE(a->Copy(on_a->Bytes(0, 256), host->Bytes(0, 256)).ok());
    // The copy runs, and not the record behind it, so that nobody knows.
    (void)driver().table().cuStreamQuery(a->handle());
    // A device that works beside the host may have come to the loss.
    Status status = b->Fill(on_b->Bytes(0, 256), 1).status();
    if (status.ok()) status = b->Wait();
    EXPECT_FALSE(status.ok());
    EXPECT_TRUE(lost->is_lost());
    std::thread([&] { host.reset(); }).join();
    queue_->Quiesce();
  }
  EXPECT_THAT(double_.TakeReports(), IsEmpty());
}

TEST_F(DoubleTest, LongCopiesComeBackAsTheyWere) {
  auto stream = context_->CreateStream().value();
  std::vector<uint32_t> numbers((2 * Staging::kBlockBytes + 1000) / 4), result(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<uint32_t>(i * 2654435761u);
  const size_t bytes = numbers.size() * 4;
  auto memory = context_->Allocate(*stream, bytes).value();
  Await(context_->staging().CopyToDevice(stream, memory->Bytes(0, bytes), numbers.data(), {}));
  Await(context_->staging().CopyToHost(stream, result.data(), memory->Bytes(0, bytes), {}));
  EXPECT_EQ(result, numbers);
}

TEST_F(DoubleTest, RegisteredMemoryIsUsedInPlace) {
  auto stream = context_->CreateStream().value();
  std::vector<float> numbers(4096, 1.0f);
  bool released = false;
  auto host = context_->Register(numbers.data(), 4096 * 4, [&] { released = true; }).value();
  ASSERT_TRUE(Add(*stream, *host, 0.5f, 4096).ok());
  host.reset();
  queue_->Quiesce();
  EXPECT_TRUE(released);
  EXPECT_THAT(numbers, testing::Each(1.5f));
}

TEST_F(DoubleTest, ArgumentsAreCheckedAsTheDriverTells) {
  auto stream = context_->CreateStream().value();
  EXPECT_EQ(stream->Launch(*add_, {}, {}).status().message(),
            "kernel 'add' takes 3 arguments, not 0");
  EXPECT_THAT(
      std::string(context_->LoadModule(std::string_view("no code\0", 8)).status().message()),
      HasSubstr("CUDA_ERROR_INVALID_IMAGE"));
}

// Last, as the device is lost with it.
TEST_F(DoubleTest, ZAnIllegalAddressNamesTheOp) {
  auto stream = context_->CreateStream().value();
  auto memory = context_->Allocate(*stream, 128).value();
  ASSERT_TRUE(stream->Fill(memory->Bytes(0, 128), 0).ok());
  const MemoryRange nowhere = {.address = 4096};
  const float x = 1;
  const uint32_t n = 1;
  {
    LaunchScope scope("tf.Relu", Location());
    LaunchArgument arguments[] = {LaunchArgument::OfAddress(nowhere), LaunchArgument::Of(x),
                                  LaunchArgument::Of(n)};
    ASSERT_TRUE(stream->Launch(*add_, {}, arguments).ok());
  }
  AsyncValueRef<Chain> chain = stream->Synchronize();
  AsyncValue* value = chain.GetAsyncValue();
  queue_->Await({&value, 1});
  ASSERT_TRUE(chain.IsError());
  EXPECT_THAT(std::string(chain.GetError().message()),
              testing::AllOf(HasSubstr("tf.Relu"), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS")));
  EXPECT_EQ(stream->Fill(memory->Bytes(0, 4), 0).status().code(), StatusCode::kUnavailable);
  (void)double_.TakeReports();  // it says so, too
}

}  // namespace
}  // namespace tfrt::gpu
