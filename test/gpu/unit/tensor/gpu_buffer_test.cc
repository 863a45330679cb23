#include "gpu/tensor/gpu_buffer.h"

#include <atomic>
#include <thread>
#include <vector>

#include "test/gpu/unit/runtime/gpu_test_base.h"

namespace tfrt::gpu {
namespace {

using testing::MatchesRegex;

class GpuBufferTest : public GpuTest {
 protected:
  GpuBuffer MakeBuffer(size_t size_bytes) { return GpuBuffer(Allocate(*stream_, size_bytes)); }
  size_t bytes_in_use() { return context_->allocator().statistics().bytes_in_use; }

  RCReference<Stream> stream_ = MakeStream();
};

TEST_F(GpuBufferTest, IsAllOfAMemory) {
  RCReference<Memory> memory = Allocate(*stream_, 64);
  GpuBuffer buffer(memory);
  GpuBuffer::Use use(buffer);
  EXPECT_EQ(use->memory, memory.get());
  EXPECT_EQ(use->address, memory->address());
  EXPECT_EQ(use->size_bytes, 64u);
  EXPECT_FALSE(use.is_empty());
  EXPECT_EQ(use->host_address(), nullptr);
  EXPECT_THAT(buffer.ToString(),
              MatchesRegex("GpuBuffer<pointer=0x[0-9a-f]+ \\(CUDA\\), size=64>"));
}

TEST_F(GpuBufferTest, OfNoBytesIsEmpty) {
  GpuBuffer buffer = MakeBuffer(0);
  GpuBuffer::Use use(buffer);
  EXPECT_TRUE(use.is_empty());
  EXPECT_FALSE(use->MemoryRef());
  EXPECT_EQ(buffer.ToString(), "GpuBuffer<pointer=0x0 (NONE), size=0>");
}

TEST_F(GpuBufferTest, MovesWithItsReference) {
  GpuBuffer first = MakeBuffer(64);
  GpuBuffer second(std::move(first));
  EXPECT_TRUE(GpuBuffer::Use(first).is_empty());
  EXPECT_EQ(GpuBuffer::Use(second)->size_bytes, 64u);
  EXPECT_NE(bytes_in_use(), 0u);
}

TEST_F(GpuBufferTest, ViewsAreParts) {
  GpuBuffer buffer = MakeBuffer(64);
  GpuBuffer view = buffer.View(16, 8).value();
  EXPECT_EQ(GpuBuffer::Use(view)->address, GpuBuffer::Use(buffer)->address + 16);
  EXPECT_EQ(GpuBuffer::Use(view)->size_bytes, 8u);
  GpuBuffer part_of_view = view.View(4, 4).value();
  EXPECT_EQ(GpuBuffer::Use(part_of_view)->address, GpuBuffer::Use(buffer)->address + 20);
  EXPECT_TRUE(GpuBuffer::Use(buffer.View(64, 0).value()).is_empty());
  EXPECT_EQ(GpuBuffer::Use(buffer.View(0, 64).value())->size_bytes, 64u);
}

TEST_F(GpuBufferTest, ViewsStayInside) {
  GpuBuffer buffer = MakeBuffer(8);
  EXPECT_EQ(buffer.View(4, 5).status().message(),
            "buffer size (8) is smaller than offset (4) plus size (5)");
  EXPECT_FALSE(buffer.View(9, 0).ok());
  EXPECT_FALSE(buffer.View(1, UINT64_MAX).ok());
  EXPECT_FALSE(buffer.View(UINT64_MAX, 1).ok());
  GpuBuffer view = buffer.View(4, 4).value();
  EXPECT_FALSE(view.View(0, 5).ok());
}

TEST_F(GpuBufferTest, AViewKeepsWhatItsParentGivesUp) {
  GpuBuffer buffer = MakeBuffer(64);
  {
    GpuBuffer view = buffer.View(16, 8).value();
    buffer.Release();
    EXPECT_NE(bytes_in_use(), 0u);
    EXPECT_EQ(GpuBuffer::Use(view)->size_bytes, 8u);
  }
  EXPECT_EQ(bytes_in_use(), 0u);
}

TEST_F(GpuBufferTest, IsEmptyOnceReleased) {
  GpuBuffer buffer = MakeBuffer(64);
  buffer.Release();
  EXPECT_EQ(bytes_in_use(), 0u);
  EXPECT_TRUE(GpuBuffer::Use(buffer).is_empty());
  EXPECT_EQ(buffer.ToString(), "GpuBuffer<pointer=0x0 (NONE), size=0>");
  EXPECT_FALSE(buffer.View(0, 1).ok());
  buffer.Release();
  EXPECT_EQ(bytes_in_use(), 0u);
}

TEST_F(GpuBufferTest, AUseOutlastsTheRelease) {
  GpuBuffer buffer = MakeBuffer(64);
  {
    GpuBuffer::Use use(buffer);
    buffer.Release();
    EXPECT_NE(bytes_in_use(), 0u);
    EXPECT_EQ(use->size_bytes, 64u);
    EXPECT_TRUE(GpuBuffer::Use(buffer).is_empty());
    // A use behind the release ends nothing.
    EXPECT_NE(bytes_in_use(), 0u);
  }
  EXPECT_EQ(bytes_in_use(), 0u);
}

TEST_F(GpuBufferTest, AReferenceOutlastsTheUse) {
  GpuBuffer buffer = MakeBuffer(64);
  RCReference<Memory> memory = GpuBuffer::Use(buffer)->MemoryRef();
  buffer.Release();
  EXPECT_NE(bytes_in_use(), 0u);
  memory.reset();
  EXPECT_EQ(bytes_in_use(), 0u);
}

TEST_F(GpuBufferTest, TheHostReadsWhereItCan) {
  GpuBuffer buffer(context_->AllocatePinned(64).value());
  GpuBuffer view = buffer.View(16, 8).value();
  EXPECT_EQ(GpuBuffer::Use(view)->host_address(),
            static_cast<std::byte*>(GpuBuffer::Use(buffer)->host_address()) + 16);
}

// Whoever uses it while another thread gives it up has all of it, or nothing.
TEST_F(GpuBufferTest, ReleasedAmongUses) {
  constexpr int kRounds = 200, kThreads = 4;
  for (int round = 0; round < kRounds; ++round) {
    GpuBuffer buffer = MakeBuffer(64);
    const cuda::CUdeviceptr address = GpuBuffer::Use(buffer)->address;
    std::atomic<int> num_ready{0};
    std::atomic<int> num_wrong{0};
    auto start_together = [&] {
      num_ready.fetch_add(1);
      while (num_ready.load() != kThreads + 1) std::this_thread::yield();
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        start_together();
        for (int k = 0; k < 20; ++k) {
          GpuBuffer::Use use(buffer);
          const bool is_whole = use->address == address && use->memory->size_bytes() == 64;
          if (!use.is_empty() && !is_whole) num_wrong.fetch_add(1);
        }
      });
    }
    start_together();
    buffer.Release();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(num_wrong.load(), 0);
    EXPECT_EQ(bytes_in_use(), 0u);
  }
}

}  // namespace
}  // namespace tfrt::gpu
