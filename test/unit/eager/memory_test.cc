// Memory that runs out becomes an error, and what is used is given back.

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "lib/api/eager/op_function.h"
#include "lib/api/eager/small_block_allocator.h"
#include "test/unit/eager/eager_fixture.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
namespace {

// Fails while it `fails`, and counts.
class FailingAllocator final : public HostAllocator {
 public:
  explicit FailingAllocator(std::atomic<int64_t>* allocated) : allocated_(*allocated) {}
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    if (fails) return nullptr;
    ++allocated_;
    return memory_->AllocateBytes(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    --allocated_;
    memory_->DeallocateBytes(block, size_bytes);
  }
  std::atomic<bool> fails = false;

 private:
  std::unique_ptr<HostAllocator> memory_ = CreateMallocAllocator();
  std::atomic<int64_t>& allocated_;
};

class EagerMemoryTest : public EagerModesTest {
 protected:
  void SetUp() override {
    auto memory = std::make_unique<FailingAllocator>(&allocated_);
    memory_ = memory.get();
    host_ = std::make_unique<HostContext>([](const DecodedDiagnostic&) {}, std::move(memory),
                                          *CreateWorkQueue("mstd:2"));
    ASSERT_TRUE(devices_.Register(*host_).ok());
    context_ = MakeContext(Options({.host = host_.get()}));
  }
  void TearDown() override { context_.reset(); }  // before its host
  static HostArray Large() {
    const int64_t dims[] = {1000};
    return HostArray::Take(std::span<const int64_t>(dims), std::vector<float>(1000, 2));
  }
  std::atomic<int64_t> allocated_{0};
  FailingAllocator* memory_;
  std::unique_ptr<HostContext> host_;
};

TEST_P(EagerMemoryTest, ResultsThatDoNotFit) {
  Scope scope(*context_, On("cpu:0"));
  Tensor x = Tensor::FromArray(Large());
  ASSERT_TRUE(x.status().ok());
  memory_->fails = true;
  Tensor y = Relu(x);
  uint32_t line = __LINE__ - 1;
  Status status = y.status();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(TFRT_MESSAGE_AT(status, line),
            "tf.Relu: Cannot allocate tensor: 4000 bytes for f32 [1000]");
  EXPECT_EQ(Relu(y).status(), status);
  memory_->fails = false;
  EXPECT_TRUE(Relu(x).status().ok());
}

TEST_P(EagerMemoryTest, CopiesThatDoNotFitAreTriedAgain) {
  Tensor x;
  {
    Scope scope(*context_, On(device()));
    x = Tensor::FromArray(Large());
    ASSERT_TRUE(x.status().ok());
  }
  Scope scope(*context_, On("cpu:0"));
  const char* kNoCopy = "Copy: Cannot allocate tensor: 4000 bytes for f32 [1000]";
  memory_->fails = true;
  Status status = Relu(x).status();
  EXPECT_EQ(TFRT_MESSAGE_AT(status, __LINE__ - 1), kNoCopy);
  EXPECT_EQ(TFRT_MESSAGE_AT(x.CopyTo("cpu:0").status(), __LINE__), kNoCopy);
  EXPECT_EQ(TFRT_MESSAGE_AT(x.Values<float>().status(), __LINE__), kNoCopy);
  memory_->fails = false;
  EXPECT_EQ((*x.Values<float>())[999], 2);
  EXPECT_TRUE(Relu(x).status().ok());
  EXPECT_EQ(x.CopyTo("cpu:0").state(), x.CopyTo("cpu:0").state());
}

TEST_P(EagerMemoryTest, ResultsOfUnknownShapeThatDoNotFit) {
  Scope scope(*context_, On("cpu:0"));
  memory_->fails = true;
  HostArray million({1}, {1 << 20});
  EXPECT_EQ(TFRT_MESSAGE_AT(Tile(HostArray({1}, {1.0f}), million).status(), __LINE__),
            "tf.Tile: Cannot allocate tensor: 4194304 bytes for f32 [1048576]");
  memory_->fails = false;
}

TEST_P(EagerMemoryTest, AllIsGivenBack) {
  {
    Scope scope(*context_, On("cpu:0"));
    Tensor x = Tensor::FromArray(Large());
    for (int i = 0; i < 10; ++i) x = Relu(Add(x, x));
    Tensor there = x.CopyTo(device());
    EXPECT_TRUE(there.status().ok());
    EXPECT_GT(allocated_, 0);
  }
  context_->Wait();
  host_->Quiesce();
  EXPECT_EQ(allocated_, 0);
}

TEST_P(EagerMemoryTest, ConstantsOfMoreThanFourGigabytes) {
  // Address space only: nobody looks at it.
  constexpr size_t kBytes = size_t{1} << 32;
  void* memory =
      mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no address space";
  {
    const int64_t dims[] = {int64_t{kBytes}};
    HostArray array = HostArray::Borrow(DType::kUI8, dims,
                                        {static_cast<const std::byte*>(memory), kBytes}, nullptr);
    OpAttrs attrs;
    EXPECT_EQ(SetDense(attrs, "value", array).message(),
              "the attribute 'value' takes 4294967296 bytes; constants have at most 4294963199");
  }
  munmap(memory, kBytes);
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerMemoryTest, testing::ValuesIn(kAllModesOnDevices), ModeName);

TEST(SmallBlockAllocatorTest, SmallBlocksHaveAnyAlignment) {
  auto large = CreateMallocAllocator();
  SmallBlockAllocator allocator(large.get());
  for (size_t size : {1, 100, 192, 193, 1000}) {
    for (size_t alignment = 8; alignment <= 4096; alignment *= 2) {
      void* block = allocator.AllocateBytes(size, alignment);
      ASSERT_NE(block, nullptr) << size << " bytes, aligned to " << alignment;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
      std::memset(block, 1, size);
      allocator.DeallocateBytes(block, size);
    }
  }
}

}  // namespace
}  // namespace tfrt::eager
