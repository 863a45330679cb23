// Host allocators and host buffers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "lib/runtime/host/pooled_allocator.h"
#include "test/support/allocator_conformance.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_buffer.h"

namespace tfrt {
namespace {

using testing::HasSubstr;

// With what it takes its blocks from.
class PoolOverMalloc : public HostAllocator {
 public:
  void* AllocateBytes(size_t size, size_t alignment) override {
    return pool_->AllocateBytes(size, alignment);
  }
  void DeallocateBytes(void* block, size_t size) override { pool_->DeallocateBytes(block, size); }

 private:
  std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
  PooledAllocator::Owner pool_ = PooledAllocator::Create(malloc_.get());
};

INSTANTIATE_TEST_SUITE_P(Allocators, AllocatorConformance,
                         testing::Values(
                             &CreateMallocAllocator, &CreateProfiledAllocator,
                             &CreateLeakCheckAllocator, +[] { return CreateFixedSizeAllocator(); },
                             +[]() -> std::unique_ptr<HostAllocator> {
                               return std::make_unique<PoolOverMalloc>();
                             }));

#if defined(__linux__)
// The flags of the mapping that has the address, as /proc/self/smaps prints them.
std::string FlagsOfMapping(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  std::ifstream mappings("/proc/self/smaps");
  bool is_inside = false;
  for (std::string line; std::getline(mappings, line);) {
    std::istringstream head(line);
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (head >> std::hex >> begin >> dash >> end && dash == '-') {
      is_inside = begin <= wanted && wanted < end;
    } else if (is_inside && line.starts_with("VmFlags:")) {
      return line;
    }
  }
  return "";
}

TEST(MallocAllocatorTest, LargeBlocksAskForLargePages) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "this kernel has no large pages";
  }
  constexpr size_t kBytes = size_t{64} << 20;
  auto allocator = CreateMallocAllocator();
  auto* block = static_cast<char*>(allocator->AllocateBytes(kBytes, 64));
  ASSERT_NE(block, nullptr);
  EXPECT_THAT(FlagsOfMapping(block + kBytes / 2), HasSubstr(" hg"));
  block[0] = block[kBytes - 1] = 1;
  allocator->DeallocateBytes(block, kBytes);
}
#endif

TEST(ProfiledAllocatorTest, PrintsItsProfileWhenDestroyed) {
  testing::internal::CaptureStdout();
  auto allocator = CreateProfiledAllocator();
  void* a = allocator->AllocateBytes(100, 8);
  void* b = allocator->AllocateBytes(50, 64);
  allocator->DeallocateBytes(a, 100);
  void* c = allocator->AllocateBytes(10, 8);
  allocator->DeallocateBytes(b, 50);
  EXPECT_FALSE(allocator->ReportLeaks());
  allocator.reset();
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "HostAllocator profile:\n"
            "Current number of allocations = 1\n"
            "Max number of allocations = 2\n"
            "Total number of allocations = 3\n"
            "Current number of bytes allocated = 10\n"
            "Max number of bytes allocated = 150\n");
  std::free(c);
}

TEST(LeakCheckAllocatorTest, IsSilentWithoutALeak) {
  testing::internal::CaptureStdout();
  auto allocator = CreateLeakCheckAllocator();
  allocator->DeallocateBytes(allocator->AllocateBytes(100, 8), 100);
  EXPECT_FALSE(allocator->ReportLeaks());
  allocator.reset();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(LeakCheckAllocatorTest, ReportsProfileAndLeak) {
  testing::internal::CaptureStdout();
  auto allocator = CreateLeakCheckAllocator();
  void* a = allocator->AllocateBytes(100, 8);
  void* b = allocator->AllocateBytes(20, 8);
  EXPECT_TRUE(allocator->ReportLeaks());
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "HostAllocator profile:\n"
            "Current number of allocations = 2\n"
            "Max number of allocations = 2\n"
            "Total number of allocations = 2\n"
            "Current number of bytes allocated = 120\n"
            "Max number of bytes allocated = 120\n"
            "Memory leak detected: 2 alive allocations, 120 alive bytes\n");
  allocator->DeallocateBytes(a, 100);
  allocator->DeallocateBytes(b, 20);
}

// What the system refuses costs no capacity.
TEST(FixedSizeAllocatorTest, KeepsItsCapacityWhenTheSystemHasNoMemory) {
  auto allocator = CreateFixedSizeAllocator(SIZE_MAX);
  EXPECT_EQ(allocator->AllocateBytes(SIZE_MAX - 40, 64), nullptr);
  void* block = allocator->AllocateBytes(1000, 8);
  ASSERT_NE(block, nullptr);
  allocator->DeallocateBytes(block, 1000);
}

TEST(FixedSizeAllocatorTest, LogsAndLimitsWhatIsCounted) {
  auto allocator = CreateFixedSizeAllocator();
  testing::internal::CaptureStderr();
  void* large = allocator->AllocateBytes(1000, 8);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("Allocating 1000 bytes. 24 remaining."));
  ASSERT_NE(large, nullptr);

  testing::internal::CaptureStderr();
  EXPECT_EQ(allocator->AllocateBytes(33, 8), nullptr);
  std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(log.front(), 'E');
  EXPECT_THAT(log,
              HasSubstr("Attempted to allocate 33 bytes. However current capacity is only 24."));

  testing::internal::CaptureStderr();
  void* small = allocator->AllocateBytes(32, 8);
  EXPECT_NE(small, nullptr);
  allocator->DeallocateBytes(small, 32);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");

  testing::internal::CaptureStderr();
  allocator->DeallocateBytes(large, 1000);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("Freeing 1000 bytes. 1024 available."));
}

TEST(HostBufferTest, ComesFromTheAllocatorAndGoesBack) {
  auto allocator = CreateLeakCheckAllocator();
  {
    auto buffer = HostBuffer::CreateUninitialized(100, 64, allocator.get());
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->size(), 100u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
    EXPECT_TRUE(buffer->IsExclusiveDataOwner());
    EXPECT_FALSE(buffer->is_read_only());
    std::memset(buffer->data(), 1, buffer->size());
  }
  EXPECT_FALSE(allocator->ReportLeaks());
}

TEST(HostBufferTest, IsNullWhenTheAllocatorFails) {
  auto allocator = CreateFixedSizeAllocator(64);
  EXPECT_FALSE(HostBuffer::CreateUninitialized(65, 8, allocator.get()));
  EXPECT_FALSE(HostBuffer::CreateUninitialized(65, 128, allocator.get()));
  EXPECT_FALSE(HostBuffer::CreateUninitialized(SIZE_MAX, 8, allocator.get()));
  EXPECT_FALSE(HostBuffer::CreateUninitialized(SIZE_MAX - 63, 64, allocator.get()));
}

// Remembers what it was asked for.
class RecordingAllocator : public HostAllocator {
 public:
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    sizes.push_back(size_bytes);
    return malloc_allocator_->AllocateBytes(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    EXPECT_EQ(size_bytes, sizes.back());
    sizes.pop_back();
    malloc_allocator_->DeallocateBytes(block, size_bytes);
  }
  std::vector<size_t> sizes;

 private:
  std::unique_ptr<HostAllocator> malloc_allocator_ = CreateMallocAllocator();
};

TEST(HostBufferTest, OneBlockHoldsTheBufferAndItsData) {
  RecordingAllocator allocator;
  for (size_t alignment : {1, 8, 16, 32, 64}) {
    for (size_t size : {0, 1, 100}) {
      auto buffer = HostBuffer::CreateUninitialized(size, alignment, &allocator);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % alignment, 0u);
      ASSERT_EQ(allocator.sizes.size(), 1u);
      EXPECT_GE(allocator.sizes[0], sizeof(HostBuffer) + size);
      EXPECT_LE(allocator.sizes[0], 64 + size);
      std::memset(buffer->data(), 1, size);
      buffer.reset();
      EXPECT_TRUE(allocator.sizes.empty());
    }
  }
}

TEST(HostBufferTest, LiesInMemoryThatIsThereAlready) {
  struct Memory final : HostAllocator {
    void* AllocateBytes(size_t, size_t) override { return nullptr; }
    void DeallocateBytes(void* block, size_t size_bytes) override {
      given_back = block;
      size = size_bytes;
    }
    alignas(64) char bytes[HostBuffer::kMaxInlineAlignment + 12];
    void* given_back = nullptr;
    size_t size = 0;
  } memory;
  auto buffer = HostBuffer::CreateInline(memory.bytes, 12, &memory);
  EXPECT_EQ(buffer->data(), memory.bytes + HostBuffer::kMaxInlineAlignment);
  EXPECT_EQ(buffer->size(), 12u);
  EXPECT_TRUE(buffer->IsExclusiveDataOwner());
  buffer.reset();
  EXPECT_EQ(memory.given_back, memory.bytes);
  EXPECT_EQ(memory.size, sizeof(memory.bytes));
  // Or the owner of the memory ends it.
  memory.given_back = nullptr;
  HostBuffer::CreateInline(memory.bytes, 12, &memory).release()->EndInline();
  EXPECT_EQ(memory.given_back, nullptr);
}

TEST(HostBufferTest, DataOfLargerAlignmentLieApart) {
  RecordingAllocator allocator;
  auto buffer = HostBuffer::CreateUninitialized(100, 4096, &allocator);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 4096, 0u);
  EXPECT_EQ(allocator.sizes, std::vector<size_t>{100});
  auto slice = HostBuffer::CreateSlice(buffer, 50, 50);
  buffer.reset();
  std::memset(slice->data(), 1, 50);
  EXPECT_TRUE(slice->IsExclusiveDataOwner());
  slice.reset();
  EXPECT_TRUE(allocator.sizes.empty());
}

TEST(HostBufferTest, ExternalMemoryIsGivenBackOnce) {
  char memory[8];
  int calls = 0;
  {
    auto buffer = HostBuffer::CreateFromExternal(memory, 8, [&](void* data, size_t size) {
      EXPECT_EQ(data, memory);
      EXPECT_EQ(size, 8u);
      ++calls;
    });
    auto copy = buffer;
    EXPECT_FALSE(buffer->IsExclusiveDataOwner());
    copy.reset();
    EXPECT_TRUE(buffer->IsExclusiveDataOwner());
    EXPECT_EQ(calls, 0);
  }
  EXPECT_EQ(calls, 1);
}

TEST(HostBufferTest, SliceKeepsItsParent) {
  char memory[8];
  bool freed = false;
  auto parent = HostBuffer::CreateFromExternal(memory, 8, [&](void*, size_t) { freed = true; });
  auto slice = HostBuffer::CreateSlice(parent, 2, 6);
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->data(), memory + 2);
  EXPECT_EQ(slice->size(), 6u);
  EXPECT_FALSE(slice->IsExclusiveDataOwner());
  parent.reset();
  EXPECT_FALSE(freed);
  EXPECT_TRUE(slice->IsExclusiveDataOwner());
  slice.reset();
  EXPECT_TRUE(freed);
}

TEST(HostBufferTest, SlicesOfSlicesMakeNoChain) {
  auto allocator = CreateMallocAllocator();
  RCReference<HostBuffer> buffer = HostBuffer::CreateUninitialized(16, 8, allocator.get());
  for (int i = 0; i < 1000000; ++i) buffer = HostBuffer::CreateSlice(std::move(buffer), 0, 16);
  EXPECT_TRUE(buffer->IsExclusiveDataOwner());
  RCReference<HostBuffer> slice = HostBuffer::CreateSlice(buffer.CopyRef(), 8, 8);
  EXPECT_EQ(slice->data(), static_cast<char*>(buffer->data()) + 8);
  EXPECT_FALSE(slice->IsExclusiveDataOwner());
}

TEST(HostBufferTest, SliceOutsideItsParentIsNull) {
  char memory[8];
  auto parent = HostBuffer::CreateFromExternal(memory, 8, nullptr);
  EXPECT_TRUE(HostBuffer::CreateSlice(parent, 8, 0));
  EXPECT_FALSE(HostBuffer::CreateSlice(parent, 9, 0));
  EXPECT_FALSE(HostBuffer::CreateSlice(parent, 4, 5));
  EXPECT_FALSE(HostBuffer::CreateSlice(parent, 1, SIZE_MAX));
}

TEST(HostBufferTest, ConstantsMayBeGivenBack) {
  const char memory[4] = {};
  int calls = 0;
  auto constant = HostBuffer::CreateFromConstant(memory, 4, [&](void* data, size_t) {
    EXPECT_EQ(data, memory);
    ++calls;
  });
  auto slice = HostBuffer::CreateSlice(std::move(constant), 1, 2);
  EXPECT_TRUE(slice->is_read_only());
  EXPECT_FALSE(slice->IsExclusiveDataOwner());
  EXPECT_EQ(calls, 0);
  slice.reset();
  EXPECT_EQ(calls, 1);
}

TEST(HostBufferTest, ConstantsAreNeverExclusive) {
  const char memory[4] = {};
  auto constant = HostBuffer::CreateFromConstant(memory, 4);
  EXPECT_TRUE(constant->is_read_only());
  EXPECT_FALSE(constant->IsExclusiveDataOwner());
  auto slice = HostBuffer::CreateSlice(std::move(constant), 1, 2);
  EXPECT_TRUE(slice->is_read_only());
  EXPECT_FALSE(slice->IsExclusiveDataOwner());
}

}  // namespace
}  // namespace tfrt
