// Recording takes no memory beyond what its session has taken.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "lib/base/tracing/tracing.h"
#include "tfrt/tracing/session.h"

namespace {
thread_local constinit int num_allocations = 0;
}  // namespace

void* operator new(size_t size) {
  ++num_allocations;
  if (void* block = std::malloc(size != 0 ? size : 1)) return block;
  std::abort();
}
void* operator new(size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }

namespace tfrt::tracing {
namespace {

constexpr RecordType kWork = {
    .name = "test.work",
    .level = StackLevel::kKernel,
    .arguments = {{{"i", ArgumentSpec::Type::kInteger}, {"what", ArgumentSpec::Type::kName}}}};
constexpr RecordType kMark = {
    .name = "test.mark", .level = StackLevel::kOp, .kind = RecordKind::kEvent};

TEST(AllocationsTest, RecordingTakesNone) {
  if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
  constexpr int kRecords = 5000;
  // Room for a part of them: neither a new chunk nor a dropped record takes memory.
  auto session = Session::Start({.buffer_bytes = 256 << 10});
  ASSERT_TRUE(session.ok());
  auto record = [](int i) {
    RecordScope scope(kWork, "work", {}, i, "a text");
    RecordEvent(kMark, "mark", {});
    RecordReady(scope.id());
  };
  record(0);  // the texts are interned, the thread has a number
  int before = num_allocations;
  for (int i = 1; i < kRecords; ++i) record(i);
  EXPECT_EQ(num_allocations, before);
  EXPECT_GT((*session)->Read().num_dropped, 0u);
}

}  // namespace
}  // namespace tfrt::tracing
