// Streams and events: order, asynchrony, copies, errors.

#include "lib/devices/sim/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "lib/devices/sim/accelerator.h"
#include "test/support/deadline.h"
#include "test/unit/sim/gate.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/tracing/record.h"
#include "tfrt/tracing/session.h"

namespace tfrt::sim {
namespace {

using Use = Operand::Use;
using testing::HasSubstr;

std::unique_ptr<Accelerator> MakeAccelerator(Accelerator::Options options = {}) {
  auto accelerator = Accelerator::Create(std::move(options));
  EXPECT_TRUE(accelerator.ok()) << accelerator.status().ToString();
  return *std::move(accelerator);
}

class StreamTest : public testing::Test {
 protected:
  void* Allocate(Stream& stream, size_t size_bytes) {
    auto block = stream.Allocate("block", size_bytes);
    EXPECT_TRUE(block.ok()) << block.status().ToString();
    blocks_.push_back(*block);
    return *block;
  }
  void TearDown() override {
    for (void* block : blocks_) EXPECT_TRUE(device_->compute().Free("free", block).ok());
  }

  std::unique_ptr<Accelerator> device_ = MakeAccelerator();
  Stream& compute_ = device_->compute();
  Stream& h2d_ = device_->h2d();
  Stream& d2h_ = device_->d2h();
  std::vector<void*> blocks_;
};

std::byte* Behind(void* address, size_t offset) {
  return static_cast<std::byte*>(address) + offset;
}

TEST_F(StreamTest, HasTheNameOfItsDevice) {
  EXPECT_EQ(compute_.name(), "sim:0/compute");
  EXPECT_EQ(device_->AddStream("more").name(), "sim:0/more");
}

// Whoever enqueues an operation finds it in the profile, as a part of what it did then.
TEST_F(StreamTest, OperationsAreRecordedForTheirCallers) {
  if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  constexpr tracing::RecordType kCall = {
      .name = "call", .level = tracing::StackLevel::kOp, .is_op = true};
  void* block = Allocate(compute_, 64);
  std::byte bytes[64] = {};
  auto session = tracing::Session::Start({.buffer_bytes = 1 << 20});
  ASSERT_TRUE(session.ok()) << session.status().ToString();
  {
    tracing::RecordScope call(kCall, "first");
    compute_.set_delay({.at_least = std::chrono::milliseconds(2)});
    compute_.Launch("fill", {{block, 64, Use::kWrite}}, [](auto) { return OkStatus(); });
  }
  compute_.set_delay({});
  {
    tracing::RecordScope call(kCall, "second");
    compute_.CopyToHost("read", bytes, block, 64);
  }
  compute_.CopyOnDevice("move", Behind(block, 32), block, 32);
  bool called = false;
  compute_.Call("host", [&](auto) {
    called = true;
    return OkStatus();
  });
  EXPECT_TRUE(compute_.Synchronize().ok());
  EXPECT_TRUE(called);
  tracing::Profile profile = (*session)->Read();
  auto calls = profile.OfType("call"), kernels = profile.OfType("device.kernel"),
       copies = profile.OfType("device.copy");
  ASSERT_EQ(calls.size(), 2u);
  ASSERT_EQ(kernels.size(), 1u) << "no function of the host";
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(kernels[0]->name, "fill");
  EXPECT_EQ(kernels[0]->Text("stream"), "sim:0/compute");
  EXPECT_EQ(kernels[0]->op_id, calls[0]->op_id);
  EXPECT_EQ(kernels[0]->parent_id, calls[0]->id);
  EXPECT_GE(kernels[0]->duration_ns(), 2'000'000) << "the delay is a part of it";
  EXPECT_EQ(copies[0]->name, "read");
  EXPECT_EQ(copies[0]->op_id, calls[1]->op_id);
  EXPECT_EQ(copies[0]->Integer("bytes"), 64);
  EXPECT_EQ(copies[0]->Text("from"), "sim:0");
  EXPECT_EQ(copies[0]->Text("to"), "host");
  EXPECT_EQ(copies[1]->op_id, 0u);
  EXPECT_EQ(copies[1]->Text("from"), copies[1]->Text("to"));
  EXPECT_GE(copies[0]->begin_ns, kernels[0]->end_ns);
}

TEST_F(StreamTest, OperationsRunInOrderBehindTheBackOfTheHost) {
  Gate gate;
  std::vector<int> ran;
  gate.Hold(compute_);
  for (int i = 0; i < 100; ++i) {
    compute_.Launch("count", {}, [&ran, i](auto) {
      ran.push_back(i);
      return OkStatus();
    });
  }
  Event event = compute_.Record();
  EXPECT_FALSE(event.Poll());
  EXPECT_FALSE(event.done().IsAvailable());
  gate.Open();
  EXPECT_TRUE(event.Wait().ok());
  EXPECT_TRUE(event.Poll());
  EXPECT_TRUE(event.done().IsConcrete());
  std::vector<int> wanted(100);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(ran, wanted);
}

TEST_F(StreamTest, StreamsRunAtTheSameTime) {
  Gate gate;
  gate.Hold(compute_);
  h2d_.Launch("open", {}, [gate](auto) mutable {
    gate.Open();
    return OkStatus();
  });
  EXPECT_TRUE(compute_.Synchronize().ok());
}

TEST_F(StreamTest, KernelsGetTheAddressesOfTheStream) {
  void* block = Allocate(compute_, 100);
  compute_.Launch("fill", {{Behind(block, 10), 50, Use::kWrite}, {nullptr, 0, Use::kRead}},
                  [](std::span<std::byte* const> addresses) {
                    EXPECT_EQ(addresses.size(), 2u);
                    EXPECT_EQ(addresses[1], nullptr);
                    std::memset(addresses[0], 7, 50);
                    return OkStatus();
                  });
  char bytes[50];
  compute_.CopyToHost("look", bytes, Behind(block, 10), 50);
  ASSERT_TRUE(compute_.Synchronize().ok());
  for (char byte : bytes) EXPECT_EQ(byte, 7);
}

TEST_F(StreamTest, CopiesGoThroughTheDevice) {
  char from[64], to[64] = {};
  std::iota(from, from + 64, char{1});
  void* x = Allocate(h2d_, 64);
  void* y = Allocate(h2d_, 64);
  h2d_.CopyToDevice("copy in", x, from, 64);
  device_->d2d().WaitFor(h2d_.Record());
  device_->d2d().CopyOnDevice("copy over", y, x, 64);
  device_->d2d().CopyOnDevice("overlapping", Behind(y, 8), y, 32);
  d2h_.WaitFor(device_->d2d().Record());
  d2h_.CopyToHost("copy out", to, y, 64);
  d2h_.CopyToHost("nothing", nullptr, y, 0);
  ASSERT_TRUE(d2h_.Synchronize().ok());
  EXPECT_EQ(std::memcmp(to, from, 8), 0);
  EXPECT_EQ(std::memcmp(to + 8, from, 32), 0);
  EXPECT_EQ(std::memcmp(to + 40, from + 40, 24), 0);
}

TEST_F(StreamTest, CopiesBetweenDevices) {
  auto other = MakeAccelerator({.name = "sim:1"});
  char from[] = "across", to[sizeof(from)] = {};
  void* x = Allocate(h2d_, sizeof(from));
  auto y = other->d2d().Allocate("y", sizeof(from));
  ASSERT_TRUE(y.ok());
  h2d_.CopyToDevice("in", x, from, sizeof(from));
  other->d2d().WaitFor(h2d_.Record());
  other->d2d().CopyFromPeer("across", *y, *device_, x, sizeof(from));
  other->d2d().CopyToHost("out", to, *y, sizeof(from));
  ASSERT_TRUE(other->d2d().Synchronize().ok());
  EXPECT_STREQ(to, "across");
  other->d2d().CopyFromPeer("wrong", *y, *device_, *y, 1);
  EXPECT_THAT(std::string(other->d2d().Synchronize().message()),
              HasSubstr("is not a device address of sim:0"));
  EXPECT_TRUE(other->d2d().Free("y", *y).ok());
  EXPECT_FALSE(other->Close().ok());
}

TEST_F(StreamTest, AWaitHoldsAStreamAndNotTheHost) {
  Gate gate;
  bool first = false, second = false;
  gate.Hold(compute_);
  compute_.Launch("first", {}, [&](auto) {
    first = true;
    return OkStatus();
  });
  d2h_.WaitFor(compute_.Record());
  d2h_.Launch("second", {}, [&](auto) {
    EXPECT_TRUE(first);
    second = true;
    return OkStatus();
  });
  EXPECT_FALSE(d2h_.Record().Poll());
  gate.Open();
  EXPECT_TRUE(d2h_.Synchronize().ok());
  EXPECT_TRUE(second);
}

// A later record, or later work, is nothing to who waits for an earlier one.
TEST_F(StreamTest, AnEventIsThePlaceOfItsRecord) {
  Gate gate;
  Event event = compute_.Record();
  Event first = event;
  d2h_.WaitFor(event);
  gate.Hold(compute_);
  event = compute_.Record();
  EXPECT_TRUE(first.Wait().ok());
  EXPECT_TRUE(d2h_.Synchronize().ok());
  EXPECT_FALSE(event.Poll());
  d2h_.WaitFor(event);
  EXPECT_FALSE(d2h_.Record().Poll());
  gate.Open();
  EXPECT_TRUE(d2h_.Synchronize().ok());
}

TEST_F(StreamTest, AnEmptyEventHasHappened) {
  Event event;
  EXPECT_FALSE(event);
  EXPECT_TRUE(event.Wait().ok());
  EXPECT_TRUE(event.Poll());
  EXPECT_TRUE(event.done().IsConcrete());
  compute_.WaitFor(event);
  EXPECT_TRUE(compute_.Synchronize().ok());
}

TEST_F(StreamTest, AStreamMayWaitForItself) {
  compute_.WaitFor(compute_.Record());
  EXPECT_TRUE(compute_.Synchronize().ok());
}

TEST_F(StreamTest, WaitersRunWhenTheEventHasHappened) {
  Gate gate, waited;
  gate.Hold(compute_);
  bool ran = false;
  compute_.Launch("run", {}, [&](auto) {
    ran = true;
    return OkStatus();
  });
  Event event = compute_.Record();
  event.done().AndThen([&] {
    EXPECT_TRUE(ran);
    EXPECT_TRUE(event.Poll());
    waited.Open();
  });
  gate.Open();
  waited.Await();
}

TEST_F(StreamTest, AKernelIsDestroyedOnceItHasRun) {
  auto owned = std::make_shared<int>(1);
  std::weak_ptr<int> watched = owned;
  compute_.Launch("own", {}, [owned = std::move(owned)](auto) { return OkStatus(); });
  compute_.Launch("look", {}, [&](auto) {
    EXPECT_TRUE(watched.expired());
    return OkStatus();
  });
  EXPECT_TRUE(compute_.Synchronize().ok());
}

TEST_F(StreamTest, AFailureStopsTheStreamAndNamesItself) {
  Event before = compute_.Record();
  compute_.Launch("relu f32", {}, [](auto) { return InternalError("no units left"); });
  bool ran = false;
  compute_.Launch("next", {}, [&](auto) {
    ran = true;
    return OkStatus();
  });
  Event behind = compute_.Record();
  Status wanted = InternalError("sim:0/compute: operation 2, 'relu f32': no units left");
  EXPECT_EQ(behind.Wait(), wanted);
  EXPECT_FALSE(ran);
  EXPECT_TRUE(before.Wait().ok());
  EXPECT_EQ(behind.done().GetError(), wanted);
  EXPECT_EQ(compute_.status(), wanted);
  EXPECT_EQ(compute_.Synchronize(), wanted) << "it stays";
  EXPECT_TRUE(h2d_.Synchronize().ok()) << "other streams go on";
  h2d_.WaitFor(before);
  EXPECT_TRUE(h2d_.Synchronize().ok());
  d2h_.WaitFor(behind);
  EXPECT_EQ(d2h_.Synchronize(), wanted) << "but for those that wait for it";
  EXPECT_EQ(device_->Synchronize(), wanted);
}

// The error of a stream that gets one bad operation.
template <typename F>
std::string ErrorOf(F enqueue) {
  auto device = MakeAccelerator();
  enqueue(*device, device->compute());
  return std::string(device->compute().Synchronize().message());
}

TEST(StreamErrorTest, BadAddressesAreNamed) {
  char on_host[16] = {};
  EXPECT_THAT(ErrorOf([&](Accelerator&, Stream& stream) {
                Touch(stream, "relu", {{on_host, 16, Use::kRead}});
              }),
              testing::MatchesRegex("sim:0/compute: operation 1, 'relu': 0x[0-9a-f]+ is not a "
                                    "device address of sim:0"));
  EXPECT_THAT(ErrorOf([&](Accelerator&, Stream& stream) {
                stream.CopyToDevice("in", on_host, on_host, 16);
              }),
              HasSubstr("'in': 0x"));
  EXPECT_THAT(ErrorOf([&](Accelerator& device, Stream& stream) {
                std::byte* end = device.memory().begin() + device.memory().size_bytes();
                stream.CopyToDevice("in", end - 8, on_host, 16);
              }),
              HasSubstr("'in': 16 bytes at offset 1073741816 of sim:0 go past its end "
                        "(1073741824 bytes)"));
  constexpr const char* kHostNeeded =
      ": an address of sim:0 is given where one of the host is needed";
  EXPECT_THAT(ErrorOf([&](Accelerator& device, Stream& stream) {
                std::byte* begin = device.memory().begin();
                stream.CopyToDevice("in", begin, begin, 16);
              }),
              HasSubstr(kHostNeeded));
  EXPECT_THAT(ErrorOf([&](Accelerator& device, Stream& stream) {
                std::byte* begin = device.memory().begin();
                stream.CopyToHost("out", begin, begin, 16);
              }),
              HasSubstr(kHostNeeded));
}

TEST(DelayTest, FollowsFromTheSeedAlone) {
  using std::chrono::microseconds;
  Delay delay{.at_least = microseconds(10), .at_most = microseconds(20), .seed = 3};
  Delay same = delay, other = delay;
  other.seed = 4;
  int num_different = 0;
  std::vector<int> seen(21);
  for (uint32_t stream = 0; stream < 4; ++stream) {
    for (uint64_t operation = 0; operation < 100; ++operation) {
      auto time = delay.Of(stream, operation);
      ASSERT_GE(time.count(), 10);
      ASSERT_LE(time.count(), 20);
      ++seen[time.count()];
      EXPECT_EQ(time, same.Of(stream, operation));
      num_different += time != other.Of(stream, operation);
    }
  }
  EXPECT_GT(num_different, 300);
  for (int i = 10; i <= 20; ++i) EXPECT_GT(seen[i], 0) << i;
  Delay fixed{.at_least = microseconds(5)};
  EXPECT_EQ(fixed.Of(1, 2), microseconds(5));
}

// Sleeping never ends early, so that this holds on every machine.
TEST(DelayTest, OperationsTakeThatLong) {
  using std::chrono::milliseconds;
  auto device = MakeAccelerator({.delay = {.at_least = milliseconds(2)}});
  for (int each : {2, 4}) {
    device->compute().set_delay({.at_least = milliseconds(each)});
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 5; ++i) Touch(device->compute(), "wait", {});
    EXPECT_TRUE(device->compute().Synchronize().ok());
    EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(5 * each));
  }
  auto begin = std::chrono::steady_clock::now();
  Touch(device->d2h(), "wait", {});
  EXPECT_TRUE(device->d2h().Synchronize().ok());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(2));
}

TEST(StreamThreadsTest, ThreadsShareAStream) {
  auto device = MakeAccelerator();
  constexpr int kThreads = 4, kEach = 300;
  std::vector<std::vector<int>> ran(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        device->compute().Launch("note", {}, [&ran, t, i](auto) {
          ran[t].push_back(i);  // the stream is one thread
          return OkStatus();
        });
        if (i % 50 == 0) device->d2h().WaitFor(device->compute().Record());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(device->Synchronize().ok());
  for (const auto& of_thread : ran) {
    ASSERT_EQ(of_thread.size(), size_t{kEach});
    for (int i = 0; i < kEach; ++i) EXPECT_EQ(of_thread[i], i);
  }
}

// The stream waits for what has queued up behind the waiter that waits for the stream.
TEST_F(StreamTest, AWaiterDeepInAChainMayWaitForAnEvent) {
  const Deadline deadline("a wait for an event deep in a chain", std::chrono::seconds(20));
  Gate gate;
  gate.Hold(compute_);
  auto first = MakeUnconstructedAsyncValueRef<int>();
  auto last = first.CopyRef();
  for (int i = 1; i < 400; ++i) last = last.Map([](int x) { return x + 1; });
  bool waited = false;
  last.AndThen([&] {
    auto opens = MakeUnconstructedAsyncValueRef<int>();
    opens.AndThen([gate]() mutable { gate.Open(); });
    opens.emplace(1);
    waited = compute_.Record().Wait().ok();
  });
  first.emplace(0);
  EXPECT_TRUE(waited);
}

// A limit of the user, which does not hold for root.
TEST(StreamDeathTest, AStreamWithoutAThreadIsStopped) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        auto device = MakeAccelerator();
        constexpr uid_t kNobody = 65534;
        if (getuid() == 0 && setuid(kNobody) != 0) _exit(1);
        rlimit one;
        one.rlim_cur = one.rlim_max = 1;
        if (setrlimit(RLIMIT_NPROC, &one) != 0) _exit(2);
        Stream& stream = device->AddStream("more");
        stream.Launch("nothing", {}, [](auto) { return OkStatus(); });
        fprintf(stderr, "%s", stream.Synchronize().ToString().c_str());
        _exit(device->compute().Synchronize().ok() ? 0 : 3);
      },
      testing::ExitedWithCode(0), "RESOURCE_EXHAUSTED: the system has no thread for sim:0/more");
}

}  // namespace
}  // namespace tfrt::sim
