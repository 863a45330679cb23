// What every HostAllocator promises, written once: instantiate with functions that make one.
#ifndef TFRT_TEST_SUPPORT_ALLOCATOR_CONFORMANCE_H_
#define TFRT_TEST_SUPPORT_ALLOCATOR_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "tfrt/host_context/host_allocator.h"

namespace tfrt {

using AllocatorFactory = std::unique_ptr<HostAllocator> (*)();

class AllocatorConformance : public testing::TestWithParam<AllocatorFactory> {
 protected:
  std::unique_ptr<HostAllocator> allocator_ = GetParam()();
};

TEST_P(AllocatorConformance, BlocksAreAlignedAndWritable) {
  for (size_t alignment : {1, 2, 8, 16, 64, 256}) {
    for (size_t size : {1, 3, 32, 33, 64, 200}) {
      void* block = allocator_->AllocateBytes(size, alignment);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
      std::memset(block, 0xab, size);
      allocator_->DeallocateBytes(block, size);
    }
  }
}

TEST_P(AllocatorConformance, EmptyRequestsSucceed) {
  void* block = allocator_->AllocateBytes(0, 8);
  EXPECT_NE(block, nullptr);
  allocator_->DeallocateBytes(block, 0);
}

TEST_P(AllocatorConformance, ImpossibleRequestsReturnNull) {
  EXPECT_EQ(allocator_->AllocateBytes(SIZE_MAX - 4, 64), nullptr);
  EXPECT_FALSE(allocator_->ReportLeaks());
}

TEST_P(AllocatorConformance, DeallocatingNullDoesNothing) {
  allocator_->DeallocateBytes(nullptr, 100);
  EXPECT_FALSE(allocator_->ReportLeaks());
}

TEST_P(AllocatorConformance, ThreadsMayShareIt) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < 500; ++i) {
        void* block = allocator_->AllocateBytes(16, 16);
        ASSERT_NE(block, nullptr);
        std::memset(block, i, 16);
        allocator_->DeallocateBytes(block, 16);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(allocator_->ReportLeaks());
}

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_ALLOCATOR_CONFORMANCE_H_
