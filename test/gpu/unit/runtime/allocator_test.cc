// The device allocator, against a model that knows what it may hand out.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test/gpu/unit/runtime/gpu_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using AllocatorTest = GpuTest;

constexpr size_t kMiB = size_t{1} << 20;

TEST_F(AllocatorTest, SizeClassesCoverAndWasteLittle) {
  uint32_t last = 0;
  for (size_t bytes = 1; bytes < 100 * kMiB; bytes += 1 + bytes / 97) {
    SizeClass size_class = SizeClass::Of(bytes);
    ASSERT_GE(size_class.block_bytes, bytes);
    ASSERT_EQ(size_class.block_bytes % DeviceAllocator::kAlignment, 0u);
    if (bytes > SizeClass::kMinBytes) {
      ASSERT_LE(size_class.block_bytes - bytes, bytes / 8);
    }
    ASSERT_GE(size_class.index, last);
    last = size_class.index;
    // Exactly the sizes up to the block's are of its class.
    ASSERT_EQ(SizeClass::Of(size_class.block_bytes).index, size_class.index);
    ASSERT_EQ(SizeClass::Of(size_class.block_bytes + 1).index, size_class.index + 1);
  }
  EXPECT_LT(SizeClass::Of(SizeClass::kMaxBytes).index, SizeClass::kNumClasses);
}

TEST_F(AllocatorTest, TheSameStreamGetsItsBlockBackWithoutACall) {
  auto stream = MakeStream();
  cuda::CUdeviceptr address = Allocate(*stream, 5000)->address();
  gpu_.ForgetCalls();
  for (int i = 0; i < 100; ++i) {
    auto memory = Allocate(*stream, 5000 + i % 8);
    EXPECT_EQ(memory->address(), address);
    EXPECT_EQ(memory->size_bytes(), 5000u + i % 8);
    ASSERT_TRUE(Increment(*stream, *memory).ok());
  }
  EXPECT_EQ(gpu_.NumCalls(), gpu_.NumCalls("cuLaunchKernel"));
}

TEST_F(AllocatorTest, AddressesAreAlignedAndApart) {
  auto stream = MakeStream();
  std::vector<RCReference<Memory>> memories;
  for (size_t bytes : {1, 255, 256, 257, 5000, 100000, 1}) {
    memories.push_back(Allocate(*stream, bytes));
    EXPECT_EQ(memories.back()->address() % 256, 0u);
    EXPECT_EQ(memories.back()->host_address(), nullptr);
  }
  std::ranges::sort(memories, {}, [](auto& memory) { return memory->address(); });
  for (size_t i = 1; i < memories.size(); ++i) {
    EXPECT_GE(memories[i]->address(), memories[i - 1]->address() + memories[i - 1]->size_bytes());
  }
}

TEST_F(AllocatorTest, NoBytesHaveNoAddress) {
  auto stream = MakeStream();
  gpu_.ForgetCalls();
  auto memory = Allocate(*stream, 0);
  EXPECT_EQ(memory->address(), 0u);
  EXPECT_EQ(memory->size_bytes(), 0u);
  memory.reset();
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_F(AllocatorTest, SegmentsHaveTwoSizes) {
  auto stream = MakeStream();
  auto small = Allocate(*stream, 1);
  EXPECT_EQ(gpu_.bytes_allocated(), 2 * kMiB);
  auto large = Allocate(*stream, kMiB + 1);
  EXPECT_EQ(gpu_.bytes_allocated(), 34 * kMiB);
  auto huge = Allocate(*stream, 40 * kMiB);
  EXPECT_EQ(gpu_.bytes_allocated(), 98 * kMiB);
  auto more = Allocate(*stream, 20 * kMiB);  // what is left of the others
  EXPECT_EQ(gpu_.bytes_allocated(), 98 * kMiB);
  MemoryStatistics statistics = context_->allocator().statistics();
  EXPECT_EQ(statistics.bytes_reserved, 98 * kMiB);
  EXPECT_EQ(statistics.num_segments, 3u);
  EXPECT_EQ(statistics.num_segment_allocations, 3u);
  EXPECT_EQ(statistics.bytes_in_use,
            SizeClass::Of(1).block_bytes + SizeClass::Of(kMiB + 1).block_bytes + 60 * kMiB);
}

TEST_F(AllocatorTest, ABlockOfAnotherStreamComesWhenThatWasAwaited) {
  auto a = MakeStream(), b = MakeStream();
  auto memory = Allocate(*a, 5000);
  cuda::CUdeviceptr address = memory->address();
  ASSERT_TRUE(Increment(*a, *memory).ok());
  memory.reset();
  EXPECT_NE(Allocate(*b, 5000)->address(), address);
  ASSERT_TRUE(b->WaitFor(a->tail()).ok());
  gpu_.ForgetCalls();
  // Of the two that b may use now, its own comes first.
  auto first = Allocate(*b, 5000), second = Allocate(*b, 5000);
  EXPECT_NE(first->address(), address);
  EXPECT_EQ(second->address(), address);
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_F(AllocatorTest, ABlockGoesToTheStreamThatUsedItLast) {
  auto a = MakeStream(), b = MakeStream();
  auto memory = Allocate(*a, 5000);
  cuda::CUdeviceptr address = memory->address();
  ASSERT_TRUE(b->WaitFor(a->tail()).ok());
  ASSERT_TRUE(Increment(*b, *memory).ok());
  memory.reset();
  EXPECT_NE(Allocate(*a, 5000)->address(), address);
  EXPECT_EQ(Allocate(*b, 5000)->address(), address);
}

TEST_F(AllocatorTest, ABlockThatTwoStreamsUseComesBehindBoth) {
  gpu_.set_mode(FakeGpu::Mode::kReleased);
  auto a = MakeStream(), b = MakeStream();
  auto memory = Allocate(*a, 5000);
  cuda::CUdeviceptr address = memory->address();
  ASSERT_TRUE(Increment(*a, *memory).ok());
  ASSERT_TRUE(Increment(*b, *memory).ok());
  memory.reset();
  EXPECT_NE(Allocate(*a, 5000)->address(), address);
  EXPECT_NE(Allocate(*b, 5000)->address(), address);
  ASSERT_TRUE(a->WaitFor(b->tail()).ok());
  auto first = Allocate(*a, 5000), second = Allocate(*a, 5000);
  EXPECT_TRUE(first->address() == address || second->address() == address);
  gpu_.Release();
}

// Who gives memory up on a stream that has not used it need not have ordered anything.
TEST_F(AllocatorTest, ABlockGoesToNoStreamThatIsNotBehindItsLastLife) {
  gpu_.set_mode(FakeGpu::Mode::kReleased);
  auto a = MakeStream(), b = MakeStream();
  auto memory = Allocate(*a, 5000);
  cuda::CUdeviceptr address = memory->address();
  ASSERT_TRUE(Increment(*a, *memory).ok());
  memory.reset();
  ASSERT_TRUE(Idle(*b).ok());
  memory = Allocate(*a, 5000);
  ASSERT_EQ(memory->address(), address);
  memory->NoteUse(b->tail());
  memory.reset();
  EXPECT_NE(Allocate(*b, 5000)->address(), address);
  ASSERT_TRUE(b->WaitFor(a->tail()).ok());
  ASSERT_TRUE(a->WaitFor(b->tail()).ok());
  auto first = Allocate(*a, 5000), second = Allocate(*a, 5000);
  EXPECT_TRUE(first->address() == address || second->address() == address);
  gpu_.Release();
}

TEST_F(AllocatorTest, WhatTheHostHasAwaitedIsForEveryStream) {
  auto a = MakeStream(), b = MakeStream();
  auto memory = Allocate(*a, 5000);
  cuda::CUdeviceptr address = memory->address();
  ASSERT_TRUE(Increment(*a, *memory).ok());
  memory.reset();
  ASSERT_TRUE(a->Wait().ok());
  gpu_.ForgetCalls();
  EXPECT_EQ(Allocate(*b, 5000)->address(), address);
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_F(AllocatorTest, NeighboursBecomeOneBlock) {
  auto stream = MakeStream();
  {
    std::vector<RCReference<Memory>> pieces;
    for (int i = 0; i < 16; ++i) pieces.push_back(Allocate(*stream, 2 * kMiB));
  }
  auto whole = Allocate(*stream, 32 * kMiB);
  EXPECT_EQ(gpu_.bytes_allocated(), 32 * kMiB);
}

// Launches are followed by no record.
TEST_F(AllocatorTest, AnIdleStreamWithoutRecordsGivesItsMemory) {
  auto stream = MakeStream(), other = MakeStream();
  auto memory = Allocate(*stream, 30 * kMiB);
  const cuda::CUdeviceptr address = memory->address();
  ASSERT_TRUE(Increment(*stream, *memory).ok());
  memory.reset();
  gpu_.ForgetCalls();
  EXPECT_EQ(Allocate(*other, 30 * kMiB)->address(), address);
  EXPECT_EQ(gpu_.NumCalls("cuMemAlloc_v2"), 0u);
  EXPECT_EQ(gpu_.NumCalls("cuStreamWaitEvent"), 0u);
}

// What a library is about to enqueue is not done when the stream is empty.
TEST_F(AllocatorTest, AStreamWithALibraryIsNotIdle) {
  auto stream = MakeStream(), other = MakeStream();
  auto memory = Allocate(*stream, 30 * kMiB);
  const cuda::CUdeviceptr address = memory->address();
  auto call = [&]() -> Status {
    memory->NoteUse(stream->tail());
    memory.reset();
    EXPECT_NE(Allocate(*other, 30 * kMiB)->address(), address);
    return OkStatus();
  };
  EXPECT_TRUE(stream->Enqueue("call", {}, call).ok());
}

// Classes of sizes round up, by nine parts of a hundred here; the device has less than that.
TEST_F(AllocatorTest, WhatAClassRoundsUpIsNotMissing) {
  gpu_.set_memory_bytes(76 * kMiB);
  auto stream = MakeStream();
  for (size_t extra : {0, 1000}) {
    StatusOr<RCReference<Memory>> memory = context_->Allocate(*stream, 73 * kMiB - extra);
    ASSERT_TRUE(memory.ok()) << memory.status().message();
    const cuda::CUdeviceptr address = (*memory)->address();
    ASSERT_TRUE(stream->Fill((*memory)->bytes(), 0).ok());
    memory->reset();
    // It is kept for the next request of its size, without a wait.
    gpu_.ForgetCalls();
    EXPECT_EQ(Allocate(*stream, 73 * kMiB - extra)->address(), address);
    EXPECT_EQ(gpu_.NumCalls("cuMemAlloc_v2"), 0u);
    EXPECT_EQ(gpu_.NumCalls("cuEventSynchronize"), 0u);
  }
  // Not for a larger one of the same class.
  auto larger = Allocate(*stream, 75 * kMiB);
  ASSERT_TRUE(stream->Fill(larger->Bytes(0, 75 * kMiB), 0).ok());
  ASSERT_TRUE(stream->Wait().ok());
  EXPECT_FALSE(context_->Allocate(*stream, 77 * kMiB).ok());
}

class LimitTest : public GpuTest {
 protected:
  LimitTest() : GpuTest(FakeGpu::Mode::kReleased, {.memory_limit_bytes = 64 * kMiB}) {}
  ~LimitTest() override { gpu_.Release(); }
};

// It would wait for the call that it is in.
TEST_F(LimitTest, ALibrarysCallWaitsForNoMemory) {
  auto stream = MakeStream(), other = MakeStream();
  auto all = Allocate(*stream, 60 * kMiB);
  auto call = [&] {
    EXPECT_EQ(context_->Allocate(*other, 60 * kMiB).status().code(),
              StatusCode::kResourceExhausted);
    return OkStatus();
  };
  EXPECT_TRUE(stream->Enqueue("call", {}, call).ok());
  EXPECT_EQ(context_->allocator().statistics().num_host_waits, 0u);
}

// A stream that is given a block in use may have to wait for a library's call; others need not.
TEST_F(LimitTest, NobodyWaitsForAnothersWait) {
  auto mine = MakeStream(), user = MakeStream(), other = MakeStream();
  auto busy = Allocate(*user, 60 * kMiB);
  ASSERT_TRUE(Increment(*user, *busy).ok());
  busy.reset();
  std::atomic<bool> has_begun{false}, may_end{false};
  std::thread library([&] {
    EXPECT_TRUE(mine->Enqueue("call", {},
                              [&] {
                                has_begun.store(true);
                                while (!may_end.load()) std::this_thread::yield();
                                return OkStatus();
                              })
                    .ok());
  });
  while (!has_begun.load()) std::this_thread::yield();
  std::thread waits([&] { EXPECT_TRUE(context_->Allocate(*mine, 60 * kMiB).ok()); });
  while (context_->allocator().statistics().num_device_waits == 0) std::this_thread::yield();
  std::promise<bool> allocated;
  std::thread allocates([&] { allocated.set_value(context_->Allocate(*other, 1000).ok()); });
  std::future<bool> result = allocated.get_future();
  EXPECT_EQ(result.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  may_end.store(true);
  library.join();
  waits.join();
  allocates.join();
  EXPECT_TRUE(result.get());
}

TEST_F(LimitTest, BeyondItStandsAnErrorThatSaysAll) {
  auto stream = MakeStream();
  auto memory = Allocate(*stream, 40 * kMiB);
  StatusOr<RCReference<Memory>> more = context_->Allocate(*stream, 30 * kMiB);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(more.status().message(),
            "Out of memory trying to allocate 30.00MiB (960.00MiB of 1.00GiB available) on GPU 0 "
            "(CUDA). In use: 40.00MiB, cached: 24.00MiB, limit: 64.00MiB");
  EXPECT_EQ(context_->Allocate(*stream, size_t{1} << 60).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_TRUE(context_->Allocate(*stream, 24 * kMiB).ok());
}

TEST_F(LimitTest, AStreamWaitsOnTheDeviceForABlockOfAnother) {
  auto a = MakeStream(), b = MakeStream();
  auto memory = Allocate(*a, 60 * kMiB);
  cuda::CUdeviceptr address = memory->address();
  ASSERT_TRUE(Increment(*a, *memory).ok());
  memory.reset();
  gpu_.ForgetCalls();
  EXPECT_EQ(Allocate(*b, 60 * kMiB)->address(), address);
  EXPECT_EQ(gpu_.NumCalls("cuStreamWaitEvent"), 1u);
  EXPECT_EQ(gpu_.NumCalls("cuEventSynchronize"), 0u);
  EXPECT_TRUE(gpu_.IsOrdered(a->handle(), b->handle()));
  EXPECT_EQ(context_->allocator().statistics().num_device_waits, 1u);
}

TEST_F(LimitTest, PiecesOfSeveralStreamsAreJoinedWhenTheHostHasWaited) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  auto a = MakeStream(), b = MakeStream(), c = MakeStream();
  {
    auto first = Allocate(*a, 32 * kMiB), second = Allocate(*b, 32 * kMiB);
    ASSERT_TRUE(Increment(*a, *first).ok());
    ASSERT_TRUE(Increment(*b, *second).ok());
  }
  EXPECT_TRUE(context_->Allocate(*c, 60 * kMiB).ok());
  MemoryStatistics statistics = context_->allocator().statistics();
  EXPECT_EQ(statistics.num_host_waits, 1u);
  EXPECT_EQ(statistics.num_segment_allocations, 3u);
  EXPECT_EQ(statistics.bytes_reserved, 64 * kMiB);
  EXPECT_EQ(statistics.peak_bytes_reserved, 64 * kMiB);
}

// What a call of the driver does before it frees memory; a table's functions have no state.
std::function<void()> before_free;
cuda::CUresult (*free_memory)(cuda::CUdeviceptr);

// Memory on its way to the driver is neither free nor in use: whoever asks then waits for it.
TEST_F(LimitTest, MemoryOnItsWayIsNotMissed) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  auto a = MakeStream(), b = MakeStream();
  {
    auto first = Allocate(*a, 32 * kMiB), second = Allocate(*a, 32 * kMiB);
    ASSERT_TRUE(Increment(*a, *first).ok());
    ASSERT_TRUE(Increment(*a, *second).ok());
  }
  std::future<StatusOr<RCReference<Memory>>> small;
  free_memory = std::exchange(
      gpu_.mutable_table().cuMemFree_v2, +[](cuda::CUdeviceptr address) {
        if (before_free) std::exchange(before_free, nullptr)();
        return free_memory(address);
      });
  before_free = [&] {
    small = std::async(std::launch::async, [&] { return context_->Allocate(*b, 16 * kMiB); });
    // It waits for this thread, so that nobody can wait for it; long enough to get it wrong.
    small.wait_for(std::chrono::milliseconds(100));
  };
  EXPECT_TRUE(context_->Allocate(*a, 40 * kMiB).ok());
  ASSERT_TRUE(small.valid());
  StatusOr<RCReference<Memory>> result = small.get();
  EXPECT_TRUE(result.ok()) << result.status().ToString();
  gpu_.mutable_table().cuMemFree_v2 = free_memory;
}

TEST_F(AllocatorTest, SegmentsGoBackWhenTheDeviceIsFull) {
  gpu_.set_memory_bytes(70 * kMiB);
  auto stream = MakeStream();
  for (size_t bytes : {30 * kMiB, 50 * kMiB, kMiB, 64 * kMiB}) {
    EXPECT_TRUE(context_->Allocate(*stream, bytes).ok()) << bytes;
  }
  EXPECT_LE(gpu_.bytes_allocated(), 70 * kMiB);
  ASSERT_TRUE(context_->allocator().Trim().ok());
  EXPECT_EQ(gpu_.bytes_allocated(), 0u);
}

TEST_F(AllocatorTest, MemoryMayOutliveAllElse) {
  auto context = Context::Create(gpu_.table(), 0, {}).value();
  auto stream = context->CreateStream().value();
  auto memory = context->Allocate(*stream, 100).value();
  auto pinned = context->AllocatePinned(100).value();
  auto empty = context->Allocate(*stream, 0).value();
  stream.reset();
  context.reset();
  memory.reset();
  empty.reset();
  pinned.reset();  // and now the context goes, as the driver's destructor checks
}

// The last of each stream.
std::vector<Point> LastOf(std::vector<Point> points) {
  std::ranges::sort(points, [](Point a, Point b) {
    return a.stream != b.stream ? a.stream < b.stream : a.number > b.number;
  });
  auto same = std::ranges::unique(points, {}, &Point::stream);
  points.erase(same.begin(), same.end());
  return points;
}

// The simplest allocator with the same promise: one range of addresses that grows by 2 MiB, from
// which a request takes the first free bytes that are enough and all of whose users the stream has
// seen.
class NaiveAllocator {
 public:
  struct Grant {
    size_t begin;
    std::vector<Point> before;  // who used the bytes
  };
  Grant Allocate(const Stream& stream, size_t size) {
    for (auto it = free_.begin(); it != free_.end();) {
      // A run of neighbours that may be used.
      auto last = it;
      size_t begin = it->first, end = begin;
      while (last != free_.end() && last->first == end && HasSeen(stream, last->second.uses)) {
        end = last++->second.end;
        if (end - begin >= size) return Take(begin, begin + size);
      }
      it = last == it ? std::next(it) : last;
    }
    size_t begin = end_;
    end_ += size;
    return {begin, {}};
  }
  void Free(size_t begin, size_t size, std::vector<Point> uses) {
    free_[begin] = {begin + size, LastOf(std::move(uses))};
  }
  size_t peak_bytes() const { return (end_ + 2 * kMiB - 1) / (2 * kMiB) * (2 * kMiB); }

 private:
  struct Piece {
    size_t end;
    std::vector<Point> uses;
  };
  static bool HasSeen(const Stream& stream, const std::vector<Point>& uses) {
    return std::ranges::all_of(uses, [&](Point point) { return stream.HasSeen(point); });
  }
  Grant Take(size_t begin, size_t end) {
    Grant grant{begin, {}};
    auto it = free_.find(begin);
    while (it != free_.end() && it->first < end) {
      Piece piece = std::move(it->second);
      it = free_.erase(it);
      grant.before.insert(grant.before.end(), piece.uses.begin(), piece.uses.end());
      if (piece.end > end) {
        free_[end] = std::move(piece);
        break;
      }
    }
    return grant;
  }

  std::map<size_t, Piece> free_;  // by begin
  size_t end_ = 0;
};

// A million operations. Each block in use, and each use of it that its next user must be behind, is
// in the model; what streams have seen is asked of the driver's own record of waits.
class RandomTest : public GpuTest {
 protected:
  RandomTest() : GpuTest(FakeGpu::Mode::kAtCall) {}
  // With `is_compared`, which takes long, the naive allocator gets the same requests.
  void Run(int num_operations, bool is_compared);
};

void RandomTest::Run(int num_operations, bool is_compared) {
  gpu_.set_memory_bytes(size_t{8} << 30);
  constexpr int kStreams = 4;
  std::mt19937_64 random(11);
  std::vector<RCReference<Stream>> streams;
  for (int i = 0; i < kStreams; ++i) streams.push_back(MakeStream());
  struct Live {
    RCReference<Memory> memory;
    Point allocated;  // what uses on other streams must be behind
    std::vector<Point>
        before;  // uses of the bytes in earlier lives, as long as there are no others
    std::vector<Point> uses;
    NaiveAllocator::Grant naive;
  };
  std::vector<Live> live;
  // By address: what a block that has been freed was used by, until its bytes are given out again.
  struct Freed {
    cuda::CUdeviceptr end;
    std::vector<Point> uses;
  };
  std::map<cuda::CUdeviceptr, cuda::CUdeviceptr> in_use;  // begin to end
  std::map<cuda::CUdeviceptr, Freed> freed;
  NaiveAllocator naive;
  size_t live_bytes = 0, peak_live_bytes = 0;
  size_t reused = 0;
  auto bytes = [&] {
    // From a few bytes to some MiB, as likely in each power of two.
    return size_t{1} + (random() & ((size_t{1} << (4 + random() % 21)) - 1));
  };
  for (int step = 0; step < num_operations; ++step) {
    Stream& stream = *streams[random() % kStreams];
    switch (random() % 16) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5: {
        if (live.size() > 500) break;
        size_t size = bytes();
        auto memory = context_->Allocate(stream, size);
        ASSERT_TRUE(memory.ok()) << memory.status().ToString();
        cuda::CUdeviceptr begin = (*memory)->address(), end = begin + size;
        ASSERT_EQ(begin % 256, 0u);
        auto behind = in_use.lower_bound(begin);
        ASSERT_TRUE(behind == in_use.end() || behind->first >= end);
        ASSERT_TRUE(behind == in_use.begin() || std::prev(behind)->second <= begin);
        // All that used these bytes before precedes what the stream does next.
        auto old = freed.upper_bound(begin);
        if (old != freed.begin() && std::prev(old)->second.end > begin) --old;
        std::vector<Point> before;
        while (old != freed.end() && old->first < end) {
          for (Point point : old->second.uses) {
            ASSERT_TRUE(stream.HasSeen(point)) << step;
            before.push_back(point);
          }
          ++reused;
          old = freed.erase(old);
        }
        in_use[begin] = end;
        live_bytes += size;
        peak_live_bytes = std::max(peak_live_bytes, live_bytes);
        live.push_back({*std::move(memory),
                        stream.tail(),
                        LastOf(std::move(before)),
                        {},
                        is_compared ? naive.Allocate(stream, (size + 255) / 256 * 256)
                                    : NaiveAllocator::Grant()});
        break;
      }
      case 6:
      case 7:
      case 8:
      case 9: {
        if (live.empty()) break;
        std::swap(live[random() % live.size()], live.back());
        Live gone = std::move(live.back());
        live.pop_back();
        cuda::CUdeviceptr begin = gone.memory->address();
        size_t size = gone.memory->size_bytes();
        in_use.erase(begin);
        // Pieces of older ones below it are what its own users were behind.
        freed[begin] = {begin + size, gone.uses.empty() ? gone.before : gone.uses};
        live_bytes -= size;
        if (is_compared) {
          naive.Free(gone.naive.begin, (size + 255) / 256 * 256,
                     gone.uses.empty() ? gone.naive.before : gone.uses);
        }
        gone.memory.reset();
        break;
      }
      case 10:
      case 11:
      case 12:
      case 13: {
        if (live.empty()) break;
        Live& used = live[random() % live.size()];
        // As programs must: behind what used it before.
        ASSERT_TRUE(stream.WaitFor(used.allocated).ok());
        for (Point point : used.uses) ASSERT_TRUE(stream.WaitFor(point).ok());
        ASSERT_TRUE(Idle(stream).ok());
        used.memory->NoteUse(stream.tail());
        used.uses.push_back(stream.tail());
        if (used.uses.size() > 4) used.uses.erase(used.uses.begin());
        break;
      }
      case 14:
        if (random() % 64 == 0) ASSERT_TRUE(stream.Wait().ok());
        break;
      default:
        ASSERT_TRUE(Idle(stream).ok());
    }
  }
  EXPECT_GT(reused, static_cast<size_t>(num_operations) / 10);
  live.clear();
  EXPECT_EQ(context_->allocator().statistics().bytes_in_use, 0u);
  if (!is_compared) return;
  MemoryStatistics statistics = context_->allocator().statistics();
  std::printf("peak: %zu MiB reserved, %zu MiB by the naive one, %zu MiB live; %llu segments\n",
              statistics.peak_bytes_reserved / kMiB, naive.peak_bytes() / kMiB,
              peak_live_bytes / kMiB,
              static_cast<unsigned long long>(statistics.num_segment_allocations));
  EXPECT_LE(statistics.peak_bytes_reserved, naive.peak_bytes() * 115 / 100);
}

TEST_F(RandomTest, AMillionOperationsAreRight) { Run(1'000'000, false); }
TEST_F(RandomTest, PeaksAreLikeThoseOfTheNaiveAllocator) { Run(30'000, true); }

TEST_F(AllocatorTest, ThreadsShareIt) {
  gpu_.set_mode(FakeGpu::Mode::kAtCall);
  gpu_.set_memory_bytes(size_t{4} << 30);
  std::vector<RCReference<Stream>> streams;
  for (int i = 0; i < 3; ++i) streams.push_back(MakeStream());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      std::vector<RCReference<Memory>> memories;
      for (int i = 0; i < 20'000; ++i) {
        Stream& stream = *streams[random() % streams.size()];
        if (memories.size() < 20 && random() % 2) {
          memories.push_back(
              context_->Allocate(stream, 1 + random() % (size_t{1} << (8 + random() % 12)))
                  .value());
          ASSERT_TRUE(Increment(stream, *memories.back()).ok());
        } else if (!memories.empty()) {
          std::swap(memories[random() % memories.size()], memories.back());
          memories.pop_back();
        }
        if (random() % 256 == 0) ASSERT_TRUE(stream.WaitFor(streams[0]->tail()).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(context_->allocator().statistics().bytes_in_use, 0u);
}

}  // namespace
}  // namespace tfrt::gpu
