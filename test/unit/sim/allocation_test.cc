// Allocation and free in the order of streams. That nothing is used too early is what the order
// checker looks at in all of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lib/devices/sim/accelerator.h"
#include "test/support/order_checker/order_checker.h"
#include "test/unit/sim/gate.h"

namespace tfrt::sim {
namespace {

constexpr size_t kMemory = 64 * 1024;
constexpr size_t kHalf = kMemory / 2;

class AllocationTest : public testing::Test {
 protected:
  void* Allocate(Stream& stream, size_t size_bytes) {
    auto block = stream.Allocate("block", size_bytes);
    EXPECT_TRUE(block.ok()) << block.status().ToString();
    return block.ok() ? *block : nullptr;
  }
  void Free(Stream& stream, void* block) {
    Status status = stream.Free("free", block);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  void TearDown() override {
    Status status = device_->Close();
    EXPECT_TRUE(status.ok()) << status.ToString();
    for (const OrderReport& report : checker_.TakeReports()) ADD_FAILURE() << report;
  }

  OrderChecker checker_;
  std::unique_ptr<Accelerator> device_ =
      *Accelerator::Create({.memory_bytes = kMemory, .observer = &checker_});
  Stream& a_ = device_->compute();
  Stream& b_ = device_->h2d();
  Stream& c_ = device_->d2h();
};

TEST_F(AllocationTest, BlocksAreAlignedAndApart) {
  std::vector<std::byte*> blocks;
  for (size_t size : {0, 1, 255, 256, 257, 0, 1000}) {
    blocks.push_back(static_cast<std::byte*>(Allocate(a_, size)));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(blocks.back()) % 256, 0u);
    EXPECT_TRUE(device_->memory().Contains(blocks.back()));
  }
  std::sort(blocks.begin(), blocks.end());
  for (size_t i = 1; i < blocks.size(); ++i) EXPECT_LT(blocks[i - 1], blocks[i]);
  for (std::byte* block : blocks) Free(a_, block);
}

TEST_F(AllocationTest, TheSameStreamReusesAtOnce) {
  Gate gate;
  gate.Hold(a_);
  void* block = Allocate(a_, 1000);
  Touch(a_, "use", {{block, 1000, Operand::Use::kWrite}});
  Free(a_, block);
  void* next = Allocate(a_, 900);
  EXPECT_EQ(next, block) << "although nothing of this has run";
  Touch(a_, "use", {{next, 900, Operand::Use::kWrite}});
  Free(a_, next);
  gate.Open();
}

TEST_F(AllocationTest, AnotherStreamReusesWhatItIsOrderedBehind) {
  void* block = Allocate(a_, 1000);
  Event too_early = a_.Record();
  Free(a_, block);
  Event freed = a_.Record();
  b_.WaitFor(too_early);
  void* fresh = Allocate(b_, 1000);
  EXPECT_NE(fresh, block);
  b_.WaitFor(freed);
  void* reused = Allocate(b_, 1000);
  EXPECT_EQ(reused, block);
  Free(b_, fresh);
  Free(b_, reused);
}

TEST_F(AllocationTest, OrderIsTransitive) {
  void* block = Allocate(a_, 1000);
  Free(a_, block);
  b_.WaitFor(a_.Record());
  c_.WaitFor(b_.Record());
  void* reused = Allocate(c_, 1000);
  EXPECT_EQ(reused, block);
  Free(c_, reused);
}

TEST_F(AllocationTest, WhatTheHostHasWaitedForIsReused) {
  void* block = Allocate(a_, 1000);
  Free(a_, block);
  Event freed = a_.Record();
  AwaitByLuck(freed);
  void* fresh = Allocate(b_, 1000);
  EXPECT_NE(fresh, block) << "nobody knows that it is free";
  EXPECT_TRUE(freed.Poll());
  void* reused = Allocate(b_, 1000);
  EXPECT_EQ(reused, block);
  Free(b_, fresh);
  Free(b_, reused);
}

TEST_F(AllocationTest, AStreamWaitsForMemoryOnlyIfThereIsNoOther) {
  Gate gate;
  void* first = Allocate(a_, kHalf);
  gate.Hold(a_);
  bool freed = false;
  a_.Launch("use", {{first, kHalf, Operand::Use::kWrite}}, [&](auto) {
    freed = true;
    return OkStatus();
  });
  Free(a_, first);
  void* second = Allocate(b_, kHalf);
  EXPECT_NE(second, first);
  EXPECT_TRUE(b_.Synchronize().ok()) << "b does not wait for a";
  void* third = Allocate(b_, kHalf);
  EXPECT_EQ(third, first);
  b_.Launch("use", {{third, kHalf, Operand::Use::kWrite}}, [&](auto) {
    EXPECT_TRUE(freed);
    return OkStatus();
  });
  EXPECT_FALSE(b_.Record().Poll());
  gate.Open();
  EXPECT_TRUE(b_.Synchronize().ok());
  Free(b_, second);
  Free(b_, third);
}

TEST_F(AllocationTest, MemoryOfAStoppedStreamIsGood) {
  void* block = Allocate(a_, kMemory);
  a_.Launch("fail", {}, [](auto) { return InternalError("broken"); });
  Free(a_, block);
  void* reused = Allocate(b_, kMemory);
  EXPECT_TRUE(b_.Synchronize().ok());
  Free(b_, reused);
  EXPECT_FALSE(device_->Close().ok());
}

TEST_F(AllocationTest, NeighboursOfOneStreamBecomeOne) {
  std::vector<void*> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(Allocate(a_, kMemory / 8));
  EXPECT_EQ(device_->memory_statistics().num_free_stretches, 0u);
  for (int i : {3, 0, 1, 2, 7, 5, 6, 4}) Free(a_, blocks[i]);
  EXPECT_EQ(device_->memory_statistics().num_free_stretches, 1u);
  void* all = Allocate(a_, kMemory);
  EXPECT_EQ(all, blocks[0]);
  Free(a_, all);
}

TEST_F(AllocationTest, NeighboursOfSeveralStreamsServeWhoIsBehindAll) {
  void* x = Allocate(a_, kHalf);
  b_.WaitFor(a_.Record());
  void* y = Allocate(a_, kHalf);
  Free(a_, y);
  Free(b_, x);
  c_.WaitFor(a_.Record());
  void* all = Allocate(c_, kMemory);  // waits for b
  EXPECT_EQ(all, x);
  Free(c_, all);
}

TEST_F(AllocationTest, NoMemoryIsAnErrorThatSaysWhoHasIt) {
  void* block = Allocate(a_, kHalf + 1);
  Status status = b_.Allocate("weights", kHalf).status();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(),
            "sim:0/h2d: cannot allocate 32768 bytes for 'weights': 32769 of 65536 "
            "bytes are in use, by 1 blocks");
  EXPECT_EQ(b_.Allocate("all", SIZE_MAX).status().code(), StatusCode::kResourceExhausted);
  EXPECT_TRUE(b_.Synchronize().ok()) << "the stream goes on";
  Free(a_, block);
}

TEST_F(AllocationTest, Statistics) {
  void* x = Allocate(a_, 100);
  void* y = Allocate(a_, 1000);
  Free(a_, x);
  Accelerator::MemoryStatistics statistics = device_->memory_statistics();
  EXPECT_EQ(statistics.num_blocks, 1u);
  EXPECT_EQ(statistics.bytes_in_use, 1000u);
  EXPECT_EQ(statistics.peak_bytes_in_use, 1100u);
  Free(a_, y);
}

TEST_F(AllocationTest, BadFreesAreErrors) {
  auto* block = static_cast<std::byte*>(Allocate(a_, 1000));
  int on_host = 0;
  const Status wanted =
      InvalidArgumentError("sim:0/compute: 'free' frees an address where no block begins");
  EXPECT_EQ(a_.Free("free", block + 256), wanted);
  EXPECT_EQ(a_.Free("free", &on_host), wanted);
  EXPECT_EQ(a_.Free("free", nullptr), wanted);
  Free(a_, block);
  EXPECT_EQ(a_.Free("free", block), wanted);
  EXPECT_TRUE(a_.Synchronize().ok()) << "the stream goes on";
  std::vector<Defect> defects;
  for (const OrderReport& report : checker_.TakeReports()) defects.push_back(report.defect);
  EXPECT_THAT(defects, testing::ElementsAre(Defect::kFreeOfNoBlock, Defect::kWrongMemory,
                                            Defect::kWrongMemory, Defect::kDoubleFree));
}

// Streams that allocate, order themselves at random and free, in a memory that is always nearly
// full. Blocks that live overlap nowhere, and the checker sees each reuse in order.
TEST_F(AllocationTest, RandomRequestsOfManyStreams) {
  std::mt19937 random(17);
  std::vector<Stream*> streams = {&a_, &b_, &c_, &device_->d2d(), &device_->AddStream("more")};
  auto any_stream = [&]() -> Stream& { return *streams[random() % streams.size()]; };
  struct Block {
    size_t size_bytes;
    Stream* stream;
  };
  std::map<std::byte*, Block> blocks;
  size_t in_use = 0;
  for (int i = 0; i < 4000; ++i) {
    if (random() % 3 == 0) any_stream().WaitFor(any_stream().Record());
    Stream& stream = any_stream();
    size_t size = random() % (kMemory / 8);
    auto block = stream.Allocate(std::to_string(i), size);
    if (block.ok()) {
      auto* begin = static_cast<std::byte*>(*block);
      auto next = blocks.lower_bound(begin);
      if (next != blocks.end()) {
        ASSERT_LE(begin + size, next->first);
      }
      if (next != blocks.begin()) {
        auto before = std::prev(next);
        ASSERT_LE(before->first + std::max<size_t>(before->second.size_bytes, 1), begin);
      }
      Touch(stream, "use", {{begin, size, Operand::Use::kWrite}});
      blocks[begin] = {size, &stream};
      in_use += size;
    } else {
      ASSERT_FALSE(blocks.empty());
    }
    bool refused = !block.ok();
    while (!blocks.empty() && (refused || in_use > kMemory * 3 / 4)) {
      refused = false;
      auto victim = std::next(blocks.begin(), static_cast<long>(random() % blocks.size()));
      Stream* owner = victim->second.stream;
      if (random() % 2 == 0) {  // freed elsewhere, behind its last use
        Stream& other = any_stream();
        other.WaitFor(owner->Record());
        owner = &other;
      }
      Free(*owner, victim->first);
      in_use -= victim->second.size_bytes;
      blocks.erase(victim);
    }
    ASSERT_EQ(device_->memory_statistics().bytes_in_use, in_use);
  }
  for (const auto& [begin, block] : blocks) Free(*block.stream, begin);
}

}  // namespace
}  // namespace tfrt::sim
