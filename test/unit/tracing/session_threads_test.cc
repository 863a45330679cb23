// Sessions that begin, are read and end while threads record, begin and end.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "lib/base/tracing/chunks.h"
#include "lib/base/tracing/tracing.h"
#include "tfrt/tracing/session.h"

namespace tfrt::tracing {
namespace {

constexpr RecordType kOuter = {.name = "test.outer",
                               .level = StackLevel::kOp,
                               .arguments = {{{"i", ArgumentSpec::Type::kInteger}}}};
constexpr RecordType kInner = {.name = "test.inner",
                               .level = StackLevel::kKernel,
                               .arguments = {{{"i", ArgumentSpec::Type::kInteger}}}};

void Work(int64_t i) {
  RecordScope outer(kOuter, "outer", {.op_id = static_cast<uint64_t>(i) + 1}, i);
  RecordScope inner(kInner, "inner", {}, i);
}

// A profile that is read at any time holds together. `late`: the session may have begun between
// outer and inner scopes.
void Check(const Profile& profile, bool late = false) {
  int64_t last = 0;
  for (const Span& span : profile.spans) {
    ASSERT_GE(span.begin_ns, last);
    ASSERT_GE(span.end_ns, span.begin_ns);
    last = span.begin_ns;
    ASSERT_TRUE(span.type == &kOuter || span.type == &kInner);
    ASSERT_EQ(span.name, span.type == &kOuter ? "outer" : "inner");
    bool alone = late && span.type == &kInner && span.parent_id == 0;
    ASSERT_EQ(span.op_id, alone ? 0 : static_cast<uint64_t>(span.Integer("i")) + 1);
    if (!alone) ASSERT_EQ(span.parent_id == 0, span.type == &kOuter);
  }
}

TEST(SessionThreadsTest, OneReadsWhileOthersRecord) {
  if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
  constexpr int kThreads = 3, kRounds = 2000;
  auto session = Session::Start({.buffer_bytes = size_t{64} << 16});
  ASSERT_TRUE(session.ok());
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) Work(i);
      running.fetch_sub(1);
    });
  }
  size_t last = 0;
  while (running.load() > 0) {
    Profile profile = (*session)->Read();
    Check(profile);
    ASSERT_GE(profile.spans.size(), last);
    last = profile.spans.size();
  }
  for (std::thread& thread : threads) thread.join();
  Profile profile = (*session)->Read();
  Check(profile);
  EXPECT_EQ(profile.num_dropped, 0u);
  EXPECT_EQ(profile.spans.size(), size_t{2} * kThreads * kRounds);
}

TEST(SessionThreadsTest, SessionsComeAndGoWhileThreadsDo) {
  if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int64_t i = 0; !done.load(std::memory_order_relaxed); ++i) {
        Work(i);
        if (i % 64 == 0) std::thread([i] { Work(i); }).join();
      }
    });
  }
  for (int round = 0; round < 60; ++round) {
    // Few chunks, so that they are used again and again.
    auto session = Session::Start({.buffer_bytes = (1 + round % 5) * internal::kChunkBytes});
    ASSERT_TRUE(session.ok());
    if (round % 3 == 0) std::this_thread::yield();
    Check((*session)->Read(), true);
    if (round % 2 == 0) (*session)->Stop();
    Check((*session)->Read(), true);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

// Each thread's records in order, none twice; those that are missing were counted.
TEST(SessionThreadsTest, OneDrainsWhileOthersRecord) {
  if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
  constexpr int kThreads = 3, kShortThreads = 20;
  constexpr int64_t kRounds = 20000;
  // Far less room than there are records.
  auto session = Session::Start({.buffer_bytes = 8 * internal::kChunkBytes});
  ASSERT_TRUE(session.ok());
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int64_t i = 0; i < kRounds; ++i) {
        RecordEvent(kInner, "inner", {}, i);
        if (i % 100 == 0) std::this_thread::yield();
      }
      // Chunks of threads that end are used again.
      for (int i = 0; i < kShortThreads; ++i) {
        std::thread([] { RecordEvent(kInner, "inner", {}, 0); }).join();
      }
      running.fetch_sub(1);
    });
  }
  std::map<uint32_t, int64_t> last;  // by thread
  uint64_t num_read = 0;
  auto read = [&](std::span<const Record> records, const ProfileThread& thread) {
    for (const Record& record : records) {
      ASSERT_EQ(record.type, &kInner);
      ASSERT_FALSE(IsReadyRecord(record));
      auto [at, is_first] = last.try_emplace(thread.number, -1);
      ASSERT_GT(static_cast<int64_t>(record.arguments[0]), at->second);
      at->second = static_cast<int64_t>(record.arguments[0]);
      ++num_read;
    }
  };
  while (running.load() > 0) (*session)->Drain(read);
  for (std::thread& thread : threads) thread.join();
  (*session)->Stop();
  (*session)->Drain(read);
  EXPECT_EQ(num_read + (*session)->num_dropped(), kThreads * (kRounds + kShortThreads));
  EXPECT_GT(num_read, kThreads * 600u);
}

TEST(SessionThreadsTest, DrainedSessionsComeAndGoWhileThreadsDo) {
  if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int64_t i = 0; !done.load(std::memory_order_relaxed); ++i) {
        Work(i);
        if (i % 64 == 0) std::thread([i] { Work(i); }).join();
      }
    });
  }
  std::set<uint64_t> ids;
  for (int round = 0; round < 60; ++round) {
    auto session = Session::Start({.buffer_bytes = (1 + round % 5) * internal::kChunkBytes});
    ASSERT_TRUE(session.ok());
    auto read = [&](std::span<const Record> records, const ProfileThread& thread) {
      for (const Record& record : records) {
        ASSERT_TRUE(record.type == &kOuter || record.type == &kInner);
        ASSERT_TRUE(ids.insert(record.id).second);
      }
    };
    for (int i = 0; i < 20; ++i) {
      (*session)->Drain(read);
      std::this_thread::yield();
    }
    if (round % 2 == 0) (*session)->Stop();
    (*session)->Drain(read);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

TEST(SessionThreadsTest, SinksComeAndGoWhileThreadsRecord) {
  if (kMaxLevel < Level::kVerbose) GTEST_SKIP() << "built without tracing";
  class Balance : public Sink {
   public:
    void PushScope(std::string_view) override { ++Depth(); }
    void PopScope() override { EXPECT_GE(--Depth(), 0); }
    void RecordEvent(std::string_view) override {}
    static int& Depth() {
      thread_local int depth = 0;
      return depth;
    }
  };
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (!done.load(std::memory_order_relaxed)) {
        Balance::Depth() = 0;  // scopes that were open when the sink went are not closed
        Scope outer(Level::kDefault, "outer");
        Scope inner(Level::kVerbose, "inner");
      }
    });
  }
  for (int round = 0; round < 300; ++round) {
    Balance sink;
    AddSink(&sink, round % 2 == 0 ? Level::kDefault : Level::kVerbose);
    std::this_thread::yield();
    RemoveSink(&sink);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tfrt::tracing
