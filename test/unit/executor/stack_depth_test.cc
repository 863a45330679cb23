#include "lib/runtime/executor/stack_depth.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>
#include <cstdlib>

namespace tfrt::internal {
namespace {

// Runs `function` on a thread with a stack of exactly this size: the system would give a larger one
// that an earlier thread has left.
template <typename F>
void OnStack(size_t size_bytes, F function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  void* stack = std::aligned_alloc(4096, size_bytes);
  ASSERT_EQ(pthread_attr_setstack(&attributes, stack, size_bytes), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* argument) -> void* {
                  (*static_cast<F*>(argument))();
                  return nullptr;
                },
                &function),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  std::free(stack);
}

// Goes deeper until the reserve would be touched; returns how far that is below `begin`.
[[gnu::noinline]] size_t DepthWithReserve(uintptr_t begin) {
  volatile char frame[512];
  frame[0] = 0;
  if (HasStackReserve()) return DepthWithReserve(begin) + 0 * static_cast<size_t>(frame[0]);
  return begin - reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

size_t DepthOnStack(size_t size_bytes) {
  size_t depth = 0;
  OnStack(size_bytes, [&] {
    depth = DepthWithReserve(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  });
  return depth;
}

constexpr size_t kKilobyte = 1024;
// Of the thread's own data and of what runs before the test's function, which differ by system and
// build.
constexpr size_t kSlack = 48 * kKilobyte;

TEST(StackDepthTest, LargeStacksKeep256KilobytesBack) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer takes stack of its own";
#endif
  for (size_t kilobytes : {1024, 4096}) {
    size_t depth = DepthOnStack(kilobytes * kKilobyte);
    EXPECT_LE(depth, (kilobytes - 256) * kKilobyte + 2 * kKilobyte) << kilobytes;
    EXPECT_GE(depth, (kilobytes - 256) * kKilobyte - kSlack) << kilobytes;
  }
}

TEST(StackDepthTest, SmallStacksKeepHalfBack) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer takes stack of its own";
#endif
  for (size_t kilobytes : {256, 384}) {
    size_t depth = DepthOnStack(kilobytes * kKilobyte);
    EXPECT_LE(depth, kilobytes / 2 * kKilobyte + 2 * kKilobyte) << kilobytes;
    EXPECT_GE(depth, kilobytes / 2 * kKilobyte - kSlack) << kilobytes;
  }
}

TEST(StackDepthTest, TheReserveIsThereAgainAfterReturning) {
  OnStack(4096 * kKilobyte, [] {
    EXPECT_TRUE(HasStackReserve());
    DepthWithReserve(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
    EXPECT_TRUE(HasStackReserve());
  });
}

TEST(StackDepthTest, TheMainThreadHasOneToo) { EXPECT_TRUE(HasStackReserve()); }

}  // namespace
}  // namespace tfrt::internal
