// The limit of a session's memory, which results may outlive.

#include "lib/serve/models/limited_allocator.h"

#include <gtest/gtest.h>

namespace tfrt::serve {
namespace {

TEST(LimitedAllocatorTest, RefusesWhatIsAboveTheLimit) {
  const std::unique_ptr<HostAllocator> upstream = CreateLeakCheckAllocator();
  auto allocator = LimitedAllocator::Create(upstream.get(), 1000);
  void* const a = allocator->AllocateBytes(600, 64);
  void* const b = allocator->AllocateBytes(400, 64);
  EXPECT_TRUE(a && b);
  EXPECT_FALSE(allocator->TakeRefused());
  EXPECT_EQ(allocator->AllocateBytes(1, 64), nullptr);
  EXPECT_EQ(allocator->AllocateBytes(SIZE_MAX, 64), nullptr);
  EXPECT_TRUE(allocator->TakeRefused());
  EXPECT_FALSE(allocator->TakeRefused());
  allocator->DeallocateBytes(b, 400);
  void* const c = allocator->AllocateBytes(400, 64);
  EXPECT_TRUE(c);
  allocator->DeallocateBytes(nullptr, 0);
  // Blocks outlive the owner.
  LimitedAllocator* const late = allocator.get();
  allocator = nullptr;
  late->DeallocateBytes(a, 600);
  late->DeallocateBytes(c, 400);
  EXPECT_FALSE(upstream->ReportLeaks());
}

TEST(LimitedAllocatorTest, MemoryThatTheSystemRefusesIsNotCounted) {
  const std::unique_ptr<HostAllocator> upstream = CreateFixedSizeAllocator(100);
  auto allocator = LimitedAllocator::Create(upstream.get(), 1000);
  EXPECT_EQ(allocator->AllocateBytes(500, 64), nullptr);
  EXPECT_FALSE(allocator->TakeRefused());
  void* const block = allocator->AllocateBytes(80, 64);
  EXPECT_TRUE(block);
  allocator->DeallocateBytes(block, 80);
}

}  // namespace
}  // namespace tfrt::serve
