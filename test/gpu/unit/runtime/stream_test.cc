// Commands, points and waits: none missing, none twice.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "gpu/runtime/event.h"
#include "test/gpu/unit/runtime/gpu_test_base.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using StreamTest = GpuTest;

TEST_F(StreamTest, LaunchesAreNumberedAndNeedNothingElse) {
  auto stream = MakeStream();
  const uint64_t first = stream->tail().number;
  gpu_.ForgetCalls();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Idle(*stream).ok());
  EXPECT_EQ(stream->tail().number, first + 1000);
  EXPECT_EQ(gpu_.NumCalls("cuLaunchKernel"), 1000u);
  EXPECT_EQ(gpu_.NumCalls(), 1000u);
}

TEST_F(StreamTest, AWaitIsARecordAndAWaitOnce) {
  auto a = MakeStream(), b = MakeStream();
  ASSERT_TRUE(Idle(*a).ok());
  Point point = a->tail();
  ASSERT_TRUE(Idle(*a).ok());
  gpu_.ForgetCalls();
  EXPECT_FALSE(b->HasSeen(point));
  ASSERT_TRUE(b->WaitFor(point).ok());
  EXPECT_TRUE(b->HasSeen(point));
  EXPECT_EQ(gpu_.NumCalls("cuEventRecord"), 1u);
  EXPECT_EQ(gpu_.NumCalls("cuStreamWaitEvent"), 1u);
  // The record came behind both commands.
  ASSERT_TRUE(b->WaitFor(point).ok());
  ASSERT_TRUE(b->WaitFor(a->tail()).ok());
  EXPECT_EQ(gpu_.NumCalls("cuEventRecord"), 1u);
  EXPECT_EQ(gpu_.NumCalls("cuStreamWaitEvent"), 1u);
  EXPECT_TRUE(gpu_.IsOrdered(a->handle(), b->handle()));
}

TEST_F(StreamTest, AnEarlierRecordServesThoseWhoNeedNoMore) {
  auto a = MakeStream(), b = MakeStream();
  ASSERT_TRUE(Idle(*a).ok());
  Point point = a->Record().value();
  ASSERT_TRUE(Idle(*a).ok());
  gpu_.ForgetCalls();
  ASSERT_TRUE(b->WaitFor(point).ok());
  EXPECT_EQ(gpu_.NumCalls("cuEventRecord"), 0u);
  EXPECT_FALSE(gpu_.IsOrdered(a->handle(), b->handle()));  // the second command need not be awaited
  EXPECT_FALSE(b->HasSeen(a->tail()));
}

TEST_F(StreamTest, WhatAnAwaitedStreamHasSeenIsSeen) {
  auto a = MakeStream(), b = MakeStream(), c = MakeStream();
  ASSERT_TRUE(Idle(*a).ok());
  ASSERT_TRUE(b->WaitFor(a->tail()).ok());
  ASSERT_TRUE(Idle(*b).ok());
  ASSERT_TRUE(c->WaitFor(b->tail()).ok());
  gpu_.ForgetCalls();
  EXPECT_TRUE(c->HasSeen(a->tail()));
  ASSERT_TRUE(c->WaitFor(a->tail()).ok());
  EXPECT_EQ(gpu_.NumCalls(), 0u);
  EXPECT_TRUE(gpu_.IsOrdered(a->handle(), c->handle()));
}

TEST_F(StreamTest, AHostThatHasWaitedNeedsNoWaitOfTheDevice) {
  auto a = MakeStream(), b = MakeStream(), c = MakeStream();
  ASSERT_TRUE(Idle(*a).ok());
  ASSERT_TRUE(b->WaitFor(a->tail()).ok());
  ASSERT_TRUE(Idle(*b).ok());
  EXPECT_FALSE(IsKnownDone(b->tail()));
  ASSERT_TRUE(b->Wait().ok());
  // And what it had waited for.
  EXPECT_TRUE(IsKnownDone(b->tail()));
  EXPECT_TRUE(IsKnownDone(a->tail()));
  gpu_.ForgetCalls();
  ASSERT_TRUE(c->WaitFor(a->tail()).ok());
  ASSERT_TRUE(b->Wait().ok());
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_F(StreamTest, ACopyIsFollowedByItsRecord) {
  auto stream = MakeStream(), other = MakeStream();
  auto to = Allocate(*stream, 100), from = context_->AllocatePinned(100).value();
  gpu_.ForgetCalls();
  Point point = stream->Copy(to->bytes(), from->bytes()).value();
  EXPECT_THAT(gpu_.CommandsOf(stream->handle()), ElementsAre("h2d 100", "record"));
  EXPECT_EQ(point, stream->tail());
  ASSERT_TRUE(Idle(*stream).ok());
  ASSERT_TRUE(other->WaitFor(point).ok());
  EXPECT_EQ(gpu_.NumCalls("cuEventRecord"), 1u);
}

// Also where another thread enqueues in between: then the tail is not the command's point.
TEST_F(StreamTest, ACommandReturnsItsOwnPoint) {
  constexpr int kThreads = 2, kCommands = 400;
  auto stream = MakeStream();
  auto memory = Allocate(*stream, 8);
  const uint64_t first = stream->tail().number + 1;
  std::vector<Point> points[kThreads];
  {
    std::vector<std::thread> threads;
    for (std::vector<Point>& own : points) {
      threads.emplace_back([&] {
        for (int i = 0; i < kCommands; i += 4) {
          own.push_back(stream->Launch(*idle_, {}, {}).value());
          own.push_back(stream->Fill(memory->bytes(), 1).value());
          own.push_back(stream->Copy(memory->Bytes(0, 4), memory->Bytes(4, 4)).value());
          own.push_back(stream->Enqueue("call", {}, [] { return OkStatus(); }).value());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::vector<uint64_t> numbers;
  for (const std::vector<Point>& own : points) {
    for (size_t i = 0; i < own.size(); ++i) {
      EXPECT_EQ(own[i].stream, stream->id());
      numbers.push_back(own[i].number);
      if (i > 0) EXPECT_LT(own[i - 1].number, own[i].number);
    }
  }
  std::ranges::sort(numbers);
  for (size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], first + i);
  // A call that needs no command returns an empty point, which has always been reached.
  EXPECT_FALSE(stream->Copy({}, {}).value());
  EXPECT_FALSE(stream->Fill({}, 1).value());
}

TEST_F(StreamTest, CopiesInEveryDirectionMoveTheBytes) {
  auto stream = MakeStream();
  auto device = Allocate(*stream, 4), other = Allocate(*stream, 4);
  auto source = context_->AllocatePinned(4).value(), target = context_->AllocatePinned(4).value();
  std::memcpy(source->host_address(), "abcd", 4);
  std::memset(target->host_address(), 0, 4);
  ASSERT_TRUE(stream->Copy(device->Bytes(0, 4), source->Bytes(0, 4)).ok());
  ASSERT_TRUE(stream->Copy(other->Bytes(0, 3), device->Bytes(1, 3)).ok());
  ASSERT_TRUE(stream->Copy(target->Bytes(1, 3), other->Bytes(0, 3)).ok());
  ASSERT_TRUE(stream->Copy(target->Bytes(0, 1), target->Bytes(2, 1)).ok());
  ASSERT_TRUE(stream->Wait().ok());
  EXPECT_EQ(std::string_view(static_cast<char*>(target->host_address()), 4), "cbcd");
}

TEST_F(StreamTest, ACopyThatDoesNotFitIsRefused) {
  auto stream = MakeStream();
  auto a = Allocate(*stream, 100), b = Allocate(*stream, 50);
  gpu_.ForgetCalls();
  Status status = stream->Copy(a->Bytes(0, 43), b->Bytes(8, 43)).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "a copy of 43 bytes from byte 8 on of memory that has 50 bytes");
  EXPECT_FALSE(stream->Copy(b->Bytes(0, 51), a->Bytes(0, 51)).ok());
  EXPECT_FALSE(stream->Copy(b->Bytes(-1, 1), a->Bytes(0, 1)).ok());
  EXPECT_TRUE(stream->Copy(a->Bytes(100, 0), b->Bytes(0, 0)).ok());
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_F(StreamTest, AFillReachesTheLastByte) {
  auto stream = MakeStream();
  for (size_t size : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 11u}) {
    auto memory = context_->AllocatePinned(size + 1).value();
    auto* bytes = static_cast<unsigned char*>(memory->host_address());
    std::memset(bytes, 0xee, size + 1);
    ASSERT_TRUE(stream->Fill(memory->Bytes(0, size), 0x04030201).ok());
    ASSERT_TRUE(stream->Wait().ok());
    for (size_t i = 0; i < size; ++i) EXPECT_EQ(bytes[i], i % 4 + 1) << i << " of " << size;
    EXPECT_EQ(bytes[size], 0xee);
  }
  auto memory = Allocate(*stream, 16);
  EXPECT_EQ(stream->Fill(memory->Bytes(2, 4), 0).status().message(),
            "a fill with four bytes begins at an address that is no multiple of 4");
  EXPECT_FALSE(stream->Fill(memory->Bytes(8, 9), 0).ok());
}

TEST_F(StreamTest, AnyOfTheStreamsThatNobodyHasMayBeIdle) {
  gpu_.set_mode(FakeGpu::Mode::kReleased);
  std::vector<RCReference<Stream>> streams;
  for (int i = 0; i < 5; ++i) {
    streams.push_back(MakeStream());
    ASSERT_TRUE(Idle(*streams.back()).ok());
  }
  Stream* idle = streams[3].get();
  gpu_.Release(idle->handle(), 1);
  streams.clear();
  EXPECT_EQ(MakeStream().get(), idle);
  gpu_.Release();
}

TEST_F(StreamTest, WhereThereAreNoMoreStreamsOneAtWorkIsGiven) {
  gpu_.set_mode(FakeGpu::Mode::kReleased);
  std::vector<RCReference<Stream>> streams;
  for (;;) {
    StatusOr<RCReference<Stream>> stream = context_->CreateStream();
    if (!stream.ok()) {
      EXPECT_THAT(std::string(stream.status().message()), HasSubstr("up to 4095 streams"));
      break;
    }
    ASSERT_LE(streams.size(), 5000u);
    ASSERT_TRUE(Idle(**stream).ok());
    streams.push_back(*std::move(stream));
  }
  Stream* dropped = streams[7].get();
  streams[7].reset();
  StatusOr<RCReference<Stream>> stream = context_->CreateStream();
  ASSERT_TRUE(stream.ok()) << stream.status().message();
  EXPECT_EQ(stream->get(), dropped);
  gpu_.Release();
}

TEST_F(StreamTest, ArgumentsAreChecked) {
  gpu_.AddKernel("two", {.parameter_sizes = {8, 4}, .max_threads = 256, .shared_bytes = 1000});
  const Function* two = module_->GetFunction(std::string_view("two\0more", 8)).value();
  EXPECT_EQ(two, module_->GetFunction("two").value());
  auto stream = MakeStream();
  const uint64_t eight = 0;
  const uint32_t four = 0;
  LaunchArgument good[] = {LaunchArgument::Of(eight), LaunchArgument::Of(four)};
  LaunchArgument bad[] = {LaunchArgument::Of(eight), LaunchArgument::Of(eight)};
  EXPECT_TRUE(stream->Launch(*two, {}, good).ok());
  EXPECT_EQ(stream->Launch(*two, {}, std::span(good).first(1)).status().message(),
            "kernel 'two' takes 2 arguments, not 1");
  EXPECT_EQ(stream->Launch(*two, {}, bad).status().message(),
            "argument 1 of kernel 'two' has 4 bytes, not 8");
  EXPECT_EQ(stream->Launch(*two, {.grid = {1, 0, 1}}, good).status().message(),
            "kernel 'two' has a grid without blocks");
  EXPECT_EQ(stream->Launch(*two, {.block = {0, 1, 1}}, good).status().message(),
            "kernel 'two' has blocks without threads");
  EXPECT_EQ(stream->Launch(*two, {.block = {16, 16, 2}}, good).status().message(),
            "kernel 'two' runs in blocks of up to 256 threads, not 16 x 16 x 2");
  EXPECT_EQ(stream->Launch(*two, {.block = {~0u, ~0u, ~0u}}, good).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(stream->Launch(*two, {.shared_bytes = 99001}, good).status().message(),
            "kernel 'two' can have up to 99000 bytes of dynamic shared memory, not 99001");
  // More than each kernel may have is asked for once.
  EXPECT_EQ(gpu_.NumCalls("cuFuncSetAttribute"), 0u);
  EXPECT_TRUE(stream->Launch(*two, {.shared_bytes = 60000}, good).ok());
  EXPECT_TRUE(stream->Launch(*two, {.shared_bytes = 99000}, good).ok());
  EXPECT_EQ(gpu_.NumCalls("cuFuncSetAttribute"), 1u);
  std::vector<LaunchArgument> many(20, LaunchArgument::Of(four));
  gpu_.AddKernel("many", {.parameter_sizes = std::vector<uint32_t>(20, 4)});
  EXPECT_TRUE(stream->Launch(*module_->GetFunction("many").value(), {}, many).ok());
}

TEST_F(StreamTest, AStreamThatNobodyHasIsGivenOutAgainWhenItIsIdle) {
  Stream* first;
  {
    auto stream = MakeStream();
    first = stream.get();
    ASSERT_TRUE(Idle(*stream).ok());
  }
  gpu_.set_mode(FakeGpu::Mode::kReleased);
  auto busy = MakeStream();
  EXPECT_NE(busy.get(), first);
  gpu_.Release();
  busy.reset();
  auto idle = MakeStream();
  EXPECT_EQ(gpu_.NumCalls("cuStreamCreateWithPriority"), 2u);
}

TEST_F(StreamTest, AnEventStandsForItsLastRecord) {
  auto a = MakeStream(), b = MakeStream();
  auto event = MakeRef<Event>(FormRef(context_.get()));
  EXPECT_TRUE(event->Synchronize().IsConcrete());  // nothing is recorded
  EXPECT_TRUE(event->MakeWait(*b).ok());
  ASSERT_TRUE(Idle(*a).ok());
  ASSERT_TRUE(event->Record(*a).ok());
  ASSERT_TRUE(event->MakeWait(*b).ok());
  EXPECT_TRUE(gpu_.IsOrdered(a->handle(), b->handle()));
  AsyncValueRef<Chain> done = event->Synchronize();
  Await(done);
  EXPECT_TRUE(done.IsConcrete());
  auto other = Context::Create(gpu_.table(), 0, {.name = "gpu:0"}).value();
  auto elsewhere = other->CreateStream().value();
  EXPECT_EQ(event->Record(*elsewhere).code(), StatusCode::kInvalidArgument);
  // But streams of other contexts wait for it.
  ASSERT_TRUE(Idle(*a).ok());
  ASSERT_TRUE(event->Record(*a).ok());
  ASSERT_TRUE(event->MakeWait(*elsewhere).ok());
  EXPECT_TRUE(gpu_.IsOrdered(a->handle(), elsewhere->handle()));
}

TEST_F(StreamTest, WhatBelongsToAnotherContextIsRefused) {
  auto other = Context::Create(gpu_.table(), 0, {}).value();
  auto stream = other->CreateStream().value();
  const std::string text =
      " belongs to another context than " + stream->name() + ", which is to use it";
  EXPECT_EQ(Idle(*stream).message(), "kernel 'idle'" + text);
  EXPECT_EQ(context_->Allocate(*stream, 100).status().message(), "an allocator" + text);
}

// Random waits against the transitive closure of what the driver was told: a wait is enqueued
// exactly if the point was not seen.
TEST_F(StreamTest, RandomWaitsAreExact) {
  constexpr size_t kStreams = 5;
  std::mt19937 random(7);
  std::vector<RCReference<Stream>> streams;
  for (size_t i = 0; i < kStreams; ++i) streams.push_back(MakeStream());
  // The model: what each command is behind, and what each stream has seen.
  using Clock = std::vector<uint64_t>;
  std::vector<Clock> seen(kStreams, Clock(kStreams));
  std::vector<std::vector<std::pair<uint64_t, Clock>>> records(kStreams);
  std::vector<uint64_t> base, last(kStreams);
  for (auto& stream : streams) base.push_back(stream->tail().number);
  Clock host(kStreams);
  auto join = [](Clock& a, const Clock& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
  };
  // The first record behind a command, or a new one; 0: known to be done.
  auto record_behind = [&](size_t s, uint64_t number) {
    std::erase_if(records[s], [&](const auto& record) { return record.first <= host[s]; });
    for (auto& record : records[s]) {
      if (record.first >= number) return record;
    }
    Clock clock = seen[s];
    clock[s] = last[s];
    records[s].push_back({last[s], clock});
    return records[s].back();
  };
  uint64_t waits = 0;
  gpu_.ForgetCalls();
  for (int step = 0; step < 20000; ++step) {
    size_t a = random() % kStreams, b = random() % kStreams;
    switch (random() % 8) {
      case 0: {  // a waits for some command of b
        if (last[b] == 0) break;
        uint64_t number = last[b] - std::min<uint64_t>(last[b] - 1, random() % 4);
        bool needs_wait = a != b && host[b] < number && seen[a][b] < number;
        ASSERT_EQ(streams[a]->HasSeen({streams[b]->id(), base[b] + number}), !needs_wait);
        ASSERT_TRUE(streams[a]->WaitFor({streams[b]->id(), base[b] + number}).ok());
        if (needs_wait) {
          ++waits;
          auto record = record_behind(b, number);
          join(seen[a], record.second);
          ++last[a];
        }
        break;
      }
      case 1:
        if (random() % 16 == 0 && host[a] < last[a]) {
          auto record = record_behind(a, last[a]);
          ASSERT_TRUE(streams[a]->Wait().ok());
          join(host, record.second);
        }
        break;
      default:
        ASSERT_TRUE(Idle(*streams[a]).ok());
        ++last[a];
    }
    ASSERT_EQ(streams[a]->tail().number, base[a] + last[a]);
    ASSERT_EQ(gpu_.NumCalls("cuStreamWaitEvent"), waits);
  }
  EXPECT_GT(waits, 500u);
}

class ThreadsTest : public GpuTest {
 protected:
  ThreadsTest() : GpuTest(FakeGpu::Mode::kAtCall) {}
};

// Order on a stream is the order of the numbers that commands get.
TEST_F(ThreadsTest, ManyThreadsLaunchOnSharedAndOwnStreams) {
  constexpr int kThreads = 8;
  constexpr int kLaunches = 100'000;  // of each thread, half of them on its own stream
  // Each launch says who it is, in the order in which the device gets it.
  std::vector<uint32_t> order;
  order.reserve(kThreads * kLaunches);
  gpu_.AddKernel("note", {.parameter_sizes = {4}, .run = [&](const auto& parameters) {
                            uint32_t value;
                            std::memcpy(&value, parameters[0], sizeof(value));
                            order.push_back(value);
                          }});
  const Function* note = module_->GetFunction("note").value();
  auto shared = MakeStream();
  const uint64_t first = shared->tail().number;
  auto memory = Allocate(*shared, 64);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      auto own = context_->CreateStream().value();
      for (int i = 0; i < kLaunches / 2; ++i) {
        const uint32_t value = static_cast<uint32_t>(t) << 24 | static_cast<uint32_t>(i);
        LaunchArgument arguments[] = {LaunchArgument::Of(value)};
        arguments[0].memory = memory.get();
        EXPECT_TRUE(shared->Launch(*note, {}, arguments).ok());
        EXPECT_TRUE(own->Launch(*idle_, {}, {}).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(order.size(), size_t{kThreads} * kLaunches / 2);
  EXPECT_EQ(shared->tail().number, first + order.size());
  std::vector<uint32_t> next(kThreads);
  for (uint32_t value : order) ASSERT_EQ(value & 0xffffff, next[value >> 24]++);
  uint64_t noted = 0;
  memory->uses().ForEach([&](Point point) {
    if (point.stream == shared->id()) noted = point.number;
  });
  EXPECT_EQ(noted, shared->tail().number);
}

TEST_F(StreamTest, CopiesThatOverlapAreRefused) {
  auto stream = MakeStream();
  auto memory = Allocate(*stream, 512);
  for (int64_t distance : {0, 4, -4, 99, -99}) {
    Status status =
        stream->Copy(memory->Bytes(100 + distance, 100), memory->Bytes(100, 100)).status();
    EXPECT_EQ(status.message(), StrCat("a copy of 100 bytes to a place ", std::abs(distance),
                                       " bytes from its source: they overlap"));
  }
  EXPECT_TRUE(stream->Copy(memory->Bytes(0, 100), memory->Bytes(100, 100)).ok());
  EXPECT_TRUE(stream->Wait().ok());
}

TEST_F(StreamTest, RowsAreCopiedInEveryDirection) {
  auto stream = MakeStream();
  auto device = Allocate(*stream, 12), other = Allocate(*stream, 12);
  auto source = context_->AllocatePinned(12).value(), target = context_->AllocatePinned(12).value();
  std::memcpy(source->host_address(), "abcdefghijkl", 12);
  std::memset(target->host_address(), '.', 12);
  gpu_.ForgetCalls();
  auto copy = [&](const RCReference<Memory>& to, const RCReference<Memory>& from,
                  const CopyRows& rows) {
    Status status = stream->Copy2D(to->bytes(), from->bytes(), rows).status();
    EXPECT_TRUE(status.ok()) << status.ToString();
  };
  copy(device, source, {.num_rows = 3, .row_bytes = 2, .to_pitch_bytes = 3, .from_pitch_bytes = 4});
  copy(other, device, {.num_rows = 3, .row_bytes = 2, .to_pitch_bytes = 2, .from_pitch_bytes = 3});
  copy(target, other, {.num_rows = 2, .row_bytes = 3, .to_pitch_bytes = 5, .from_pitch_bytes = 3});
  // Between the rows that are there already.
  MemoryRange gaps = target->Bytes(3, 9);
  ASSERT_TRUE(stream->Copy2D(gaps, target->bytes(), {2, 1, 5, 5}).ok());
  ASSERT_TRUE(stream->Wait().ok());
  EXPECT_EQ(std::string_view(static_cast<char*>(target->host_address()), 12), "abea.fijf...");
  EXPECT_EQ(gpu_.NumCalls("cuMemcpy2DAsync_v2"), 3u);
  EXPECT_EQ(gpu_.NumCalls("cuLaunchHostFunc"), 1u);
  EXPECT_EQ(gpu_.NumCalls("cuEventRecord"), 4u);
}

TEST_F(StreamTest, RowsWithoutGapsAreOneCopy) {
  auto stream = MakeStream();
  auto a = Allocate(*stream, 64), b = Allocate(*stream, 64);
  gpu_.ForgetCalls();
  EXPECT_TRUE(stream->Copy2D(a->bytes(), b->bytes(), {4, 16, 16, 16}).value());
  EXPECT_TRUE(stream->Copy2D(a->bytes(), b->bytes(), {1, 64, 0, SIZE_MAX}).value());
  EXPECT_EQ(gpu_.NumCalls("cuMemcpyDtoDAsync_v2"), 2u);
  // There is nothing to do.
  EXPECT_FALSE(stream->Copy2D(a->bytes(), b->bytes(), {0, 16, 16, 16}).value());
  EXPECT_FALSE(stream->Copy2D(a->bytes(), b->bytes(), {4, 0, 16, 16}).value());
  EXPECT_EQ(gpu_.NumCalls("cuMemcpy2DAsync_v2"), 0u);
}

TEST_F(StreamTest, RowsThatCannotBeCopiedAreRefused) {
  auto stream = MakeStream();
  auto a = Allocate(*stream, 100), b = Allocate(*stream, 4 << 20);
  gpu_.ForgetCalls();
  auto error = [&](const MemoryRange& to, const MemoryRange& from, const CopyRows& rows) {
    Status status = stream->Copy2D(to, from, rows).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_EQ(error(a->bytes(), b->bytes(), {4, 16, 8, 32}),
            "a copy of rows of 16 bytes that begin 8 bytes apart");
  EXPECT_EQ(error(b->bytes(), a->bytes(), {4, 16, 32, 8}),
            "a copy of rows of 16 bytes that begin 8 bytes apart");
  EXPECT_EQ(error(a->bytes(), b->bytes(), {4, 16, 29, 16}),
            "a copy of 4 rows of 16 bytes, 29 bytes apart, in 100 bytes");
  EXPECT_EQ(error(b->bytes(), a->Bytes(0, 99), {4, 16, 32, 28}),
            "a copy of 4 rows of 16 bytes, 28 bytes apart, in 99 bytes");
  // Sizes whose product or sum is too large for a number.
  const size_t half = size_t{1} << 63;
  EXPECT_THAT(error(a->bytes(), b->bytes(), {half, half, half, half}), HasSubstr("in 100 bytes"));
  EXPECT_THAT(error(a->bytes(), b->bytes(), {2, half, half, half}), HasSubstr("in 100 bytes"));
  EXPECT_THAT(error(a->bytes(), b->bytes(), {half, 1, 2, 2}), HasSubstr("in 100 bytes"));
  EXPECT_EQ(error(b->Bytes((4 << 20) - 4, 8), a->bytes(), {2, 2, 4, 4}),
            "a copy of 8 bytes from byte 4194300 on of memory that has 4194304 bytes");
  EXPECT_EQ(error(b->bytes(), a->bytes(), {2, 2, (1 << 20) + 1, 4}),
            "a copy of rows that begin 1048577 bytes apart; gpu:0 allows 1048576");
  EXPECT_EQ(error(b->bytes(), b->Bytes(45, 400), {4, 8, 20, 30}),
            "a copy of 4 rows that share bytes with their source");
  // The last row alone does, from either side.
  EXPECT_THAT(error(b->bytes(), b->Bytes(67, 400), {4, 8, 20, 30}), HasSubstr("share bytes"));
  EXPECT_THAT(error(b->Bytes(67, 400), b->bytes(), {4, 8, 30, 20}), HasSubstr("share bytes"));
  auto context = Context::Create(gpu_.table(), 0, {.name = "gpu:1"}).value();
  auto foreign = context->CreateStream().value();
  auto other = context->Allocate(*foreign, 100).value();
  EXPECT_EQ(error(other->bytes(), b->bytes(), {2, 2, 4, 4}),
            "a copy of rows from gpu:0 to gpu:1: copy them within one of them first");
  EXPECT_EQ(gpu_.NumCalls("cuMemcpy2DAsync_v2"), 0u);
}

// As ranks of a collective do: a library's call returns once the other rank has made its own, which
// comes behind what the first one's stream has done.
TEST_F(StreamTest, LibrariesMayWaitForOneAnother) {
  for (bool has_record : {false, true}) {
    auto a = MakeStream(), b = MakeStream();
    ASSERT_TRUE(Idle(*a).ok());
    const Point before = has_record ? a->Record().value() : a->tail();
    std::atomic<int> num_ranks{0};
    auto meet = [&]() -> Status {
      num_ranks.fetch_add(1);
      while (num_ranks.load() < 2) std::this_thread::yield();
      return OkStatus();
    };
    std::thread first([&] { EXPECT_TRUE(a->Enqueue("all_reduce", {}, meet).ok()); });
    while (num_ranks.load() < 1) std::this_thread::yield();
    EXPECT_TRUE(b->WaitFor(before).ok());
    EXPECT_TRUE(b->Enqueue("all_reduce", {}, meet).ok());
    first.join();
    EXPECT_EQ(a->tail().number, before.number + 1);
    EXPECT_TRUE(a->Wait().ok());
    EXPECT_TRUE(b->Wait().ok());
  }
}

// As a group of a collective needs it, which has commands for several streams.
TEST_F(StreamTest, CallsForSeveralStreamsNest) {
  auto a = MakeStream(), b = MakeStream();
  auto memory = Allocate(*a, 8);
  const Memory* memories[] = {memory.get()};
  bool is_called = false;
  auto group = [&]() -> Status {
    is_called = true;
    return OkStatus();
  };
  const Point before_a = a->tail(), before_b = b->tail();
  EXPECT_TRUE(a->Enqueue("group", memories, [&] {
                 return b->Enqueue("group", memories, group).status();
               }).ok());
  EXPECT_TRUE(is_called);
  EXPECT_EQ(a->tail().number, before_a.number + 1);
  EXPECT_EQ(b->tail().number, before_b.number + 1);
  EXPECT_THAT(memory->UsesOfBytes(), ElementsAre(a->tail(), b->tail()));
  EXPECT_TRUE(a->Wait().ok());
  EXPECT_TRUE(b->Wait().ok());
}

// Nobody's command comes between those of a library.
TEST_F(StreamTest, CommandsWaitForTheEndOfALibrarysCall) {
  auto stream = MakeStream();
  const uint64_t first = stream->tail().number;
  std::atomic<bool> has_begun{false}, may_end{false}, has_launched{false};
  std::thread library([&] {
    EXPECT_TRUE(stream
                    ->Enqueue("call", {},
                              [&] {
                                has_begun.store(true);
                                while (!may_end.load()) std::this_thread::yield();
                                EXPECT_FALSE(has_launched.load());
                                return OkStatus();
                              })
                    .ok());
  });
  while (!has_begun.load()) std::this_thread::yield();
  std::thread launches([&] {
    EXPECT_TRUE(Idle(*stream).ok());
    has_launched.store(true);
  });
  for (int i = 0; i < 100; ++i) std::this_thread::yield();
  may_end.store(true);
  library.join();
  launches.join();
  EXPECT_EQ(stream->tail().number, first + 2);
  EXPECT_TRUE(stream->Wait().ok());
}

}  // namespace
}  // namespace tfrt::gpu
