#include "gpu/libraries/handle_pool.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "test/gpu/unit/runtime/double_test_base.h"

namespace tfrt::gpu {
namespace {

struct TestHandle {
  Context* context;
};

// A library of which everything can be seen and steered.
struct TestTraits {
  using Handle = TestHandle*;
  static inline int num_made = 0, num_destroyed = 0, num_failures = 0;
  static StatusOr<Handle> Create(Context& context) {
    cuda::CUcontext current = nullptr;
    (void)context.driver().cuCtxGetCurrent(&current);
    EXPECT_EQ(current, context.handle());
    if (num_failures > 0) {
      --num_failures;
      return ResourceExhaustedError("testCreate: TEST_STATUS_ALLOC_FAILED");
    }
    ++num_made;
    // Libraries may leave any context current.
    (void)context.driver().cuCtxSetCurrent(nullptr);
    return new TestHandle{&context};
  }
  static void Destroy(Context& context, Handle handle) {
    cuda::CUcontext current = nullptr;
    (void)context.driver().cuCtxGetCurrent(&current);
    EXPECT_EQ(current, context.handle());
    EXPECT_EQ(handle->context, &context);
    ++num_destroyed;
    delete handle;
  }
};
using TestPool = HandlePool<TestTraits>;

class HandlePoolTest : public DoubleTest {
 protected:
  void SetUp() override {
    TestTraits::num_made = TestTraits::num_destroyed = TestTraits::num_failures = 0;
    DoubleTest::SetUp();
  }
};

TEST_F(HandlePoolTest, HandlesAreReusedAndEndWithTheContext) {
  TestPool& pool = context_->Part<TestPool>();
  EXPECT_EQ(&pool, &context_->Part<TestPool>());
  {
    std::optional<TestPool::Lease> first = pool.Take().value();
    std::optional<TestPool::Lease> second = pool.Take().value();
    EXPECT_NE(first->get(), second->get());
    TestHandle* handle = first->get();
    first.reset();
    EXPECT_EQ(pool.Take().value().get(), handle);
    TestPool::Lease moved = *std::move(second);
    EXPECT_EQ(TestTraits::num_made, 2);
  }
  EXPECT_EQ(TestTraits::num_destroyed, 0);
  RCReference<Context> other =
      Context::Create(driver().table(), driver().FindDevice(0).value(), {.queue = queue_.get()})
          .value();
  EXPECT_NE(&other->Part<TestPool>(), &pool);
  (void)other->Part<TestPool>().Take().value();
  other.reset();
  EXPECT_EQ(TestTraits::num_destroyed, 1);
  context_.reset();
  EXPECT_EQ(TestTraits::num_destroyed, 3);
}

TEST_F(HandlePoolTest, CachedMemoryIsGivenBackForAHandle) {
  TestPool& pool = context_->Part<TestPool>();
  TestTraits::num_failures = 1;
  EXPECT_EQ(pool.Take().status().message(), "testCreate: TEST_STATUS_ALLOC_FAILED");

  RCReference<Stream> stream = context_->CreateStream().value();
  (void)context_->Allocate(*stream, 4096).value();  // cached from now on
  TestTraits::num_failures = 1;
  EXPECT_TRUE(pool.Take().ok());
  EXPECT_EQ(context_->allocator().statistics().bytes_reserved, 0u);
}

}  // namespace
}  // namespace tfrt::gpu
