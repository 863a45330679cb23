// Probes: asked at the begin and the end of kernels, whatever becomes of these.
#include "lib/base/tracing/scope_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/base/tracing/past_scope.h"
#include "lib/base/tracing/tracing.h"
#include "tfrt/tracing/record.h"
#include "tfrt/tracing/session.h"

namespace tfrt::tracing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr RecordType kOp = {.name = "test.op", .level = StackLevel::kOp, .is_op = true};
constexpr RecordType kKernel = {
    .name = "test.kernel", .level = StackLevel::kKernel, .sink_level = Level::kVerbose};
constexpr RecordType kDetail = {
    .name = "test.detail", .level = StackLevel::kKernel, .is_detail = true};
constexpr RecordType kStall = {
    .name = "test.stall", .level = StackLevel::kKernel, .kind = RecordKind::kStall};
constexpr RecordType kWork = {.name = "test.work",
                              .level = StackLevel::kKernel,
                              .kind = RecordKind::kEvent,
                              .arguments = {{{"units", ArgumentSpec::Type::kInteger}}}};
constexpr RecordType kReads = {.name = "test.reads",
                               .level = StackLevel::kKernel,
                               .kind = RecordKind::kEvent,
                               .arguments = {{{"reads", ArgumentSpec::Type::kInteger}}}};

// What the thread has done, as a counter would say; set by tests.
thread_local uint64_t units = 0;

class TestProbe : public ScopeProbe {
 public:
  bool Read(ProbeSample* sample) override {
    ++num_reads;
    if (is_blind) return false;
    *sample = {.source = source.load(), .values = {units, num_reads.load()}};
    return true;
  }
  size_t Compare(const ProbeSample& begin, const ProbeSample& end,
                 std::span<ProbeRecord, kMaxProbeRecords> records) override {
    records[0] = {.type = &kWork, .arguments = {end.values[0] - begin.values[0]}};
    records[1] = {.type = &kReads, .arguments = {end.values[1] - begin.values[1]}};
    return num_records;
  }

  std::atomic<uint64_t> num_reads{0}, source{1};
  std::atomic<size_t> num_records{1};
  std::atomic<bool> is_blind{false};
};

class ScopeProbeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
    probe().num_reads = 0;
    probe().source = 1;
    probe().num_records = 1;
    probe().is_blind = false;
    SetScopeProbe(&probe());
  }
  void TearDown() override { SetScopeProbe(nullptr); }

  // As probes are, never destroyed.
  static TestProbe& probe() {
    static auto& made = *new TestProbe;
    return made;
  }
  static std::unique_ptr<Session> Start(SessionOptions options = {}) {
    options.buffer_bytes = std::min(options.buffer_bytes, size_t{1} << 20);
    auto session = Session::Start(options);
    EXPECT_TRUE(session.ok()) << session.status().message();
    return *std::move(session);
  }
  // The units of each scope that was told of, by the scopes' ends.
  static std::vector<std::pair<std::string, int64_t>> Told(const Profile& profile) {
    std::vector<std::pair<std::string, int64_t>> told;
    for (const Span* event : profile.OfType("test.work")) {
      told.emplace_back(event->name, event->Integer("units"));
    }
    return told;
  }
};

void Kernel(const char* name, uint64_t work, const std::function<void()>& inside = {}) {
  RecordScope kernel(kKernel, name);
  units += work;
  if (inside) inside();
}

TEST_F(ScopeProbeTest, TellsOfEachKernelWhatHappenedInIt) {
  auto session = Start();
  {
    RecordScope op(kOp, "add");
    Kernel("outer", 3, [] {
      Kernel("inner", 4);
      units += 1;
    });
    units += 100;
  }
  session->Stop();
  const Profile profile = session->Read();
  EXPECT_THAT(Told(profile), ElementsAre(std::pair("inner", 4), std::pair("outer", 8)));
  const Span& inner = *profile.OfType("test.work")[0];
  const Span* kernel = profile.Find(inner.parent_id);
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->name, "inner");
  EXPECT_EQ(kernel->type, &kKernel);
  EXPECT_EQ(inner.op_id, kernel->op_id);
  EXPECT_NE(inner.op_id, 0u);
  EXPECT_EQ(inner.begin_ns, kernel->end_ns);
  EXPECT_EQ(inner.duration_ns(), 0);
  EXPECT_EQ(inner.ready_ns, inner.end_ns);
  std::set<uint64_t> ids;
  for (const Span& span : profile.spans) EXPECT_TRUE(ids.insert(span.id).second);
}

TEST_F(ScopeProbeTest, MayTellOfAScopeInSeveralEventsOrInNone) {
  auto session = Start();
  probe().num_records = 2;
  Kernel("two", 5);
  probe().num_records = 0;
  Kernel("none", 5);
  session->Stop();
  const Profile profile = session->Read();
  EXPECT_THAT(Told(profile), ElementsAre(std::pair("two", 5)));
  ASSERT_EQ(profile.OfType("test.reads").size(), 1u);
  EXPECT_EQ(profile.OfType("test.reads")[0]->Integer("reads"), 1);
}

TEST_F(ScopeProbeTest, IsAskedAboutKernelsAlone) {
  auto session = Start();
  {
    RecordScope op(kOp, "op");
    RecordScope detail(kDetail, "detail");
    RecordScope stall(kStall, "stall");
    RecordEvent(kWork, "event", {}, 1);
    RecordPastScope(kKernel, {.name = InternName("past"), .begin = Now(), .end = Now()});
  }
  EXPECT_EQ(probe().num_reads, 0u);
  Kernel("kernel", 1);
  EXPECT_EQ(probe().num_reads, 2u);
  session->Stop();
}

TEST_F(ScopeProbeTest, IsNotAskedWhereNobodyRecordsKernels) {
  Kernel("no session", 1);
  {
    auto session = Start({.max_level = StackLevel::kOp});
    Kernel("too deep", 1);
    session->Stop();
    Kernel("too late", 1);
  }
  EXPECT_EQ(probe().num_reads, 0u);
  SetScopeProbe(nullptr);
  auto session = Start();
  Kernel("no probe", 1);
  session->Stop();
  EXPECT_EQ(probe().num_reads, 0u);
  EXPECT_THAT(Told(session->Read()), IsEmpty());
}

// Sinks and sessions open the same gates, in any order.
TEST_F(ScopeProbeTest, OutlivesSinksThatComeAndGo) {
  class Silent : public Sink {
    void PushScope(std::string_view) override {}
    void PopScope() override {}
    void RecordEvent(std::string_view) override {}
  } sink;
  AddSink(&sink, Level::kVerbose);
  Kernel("for the sink alone", 1);
  EXPECT_EQ(probe().num_reads, 0u);
  auto session = Start();
  Kernel("both", 2);
  RemoveSink(&sink);
  Kernel("session", 3);
  session->Stop();
  EXPECT_THAT(Told(session->Read()), ElementsAre(std::pair("both", 2), std::pair("session", 3)));
}

TEST_F(ScopeProbeTest, ScopesThatAreDroppedAreForgotten) {
  auto session = Start();
  Kernel("outer", 1, [] {
    RecordScope dropped(kKernel, "dropped");
    units += 1;
    dropped.Drop();
  });
  Kernel("next", 5);
  session->Stop();
  EXPECT_THAT(Told(session->Read()), ElementsAre(std::pair("outer", 2), std::pair("next", 5)));
}

TEST_F(ScopeProbeTest, ScopesTooDeepHaveNone) {
  auto session = Start();
  std::function<void(size_t)> nest = [&](size_t depth) {
    if (depth > 0) Kernel(std::to_string(depth).c_str(), 1, [&] { nest(depth - 1); });
  };
  nest(kMaxProbedScopes + 4);
  Kernel("after", 7);
  session->Stop();
  const auto told = Told(session->Read());
  ASSERT_EQ(told.size(), kMaxProbedScopes + 1);
  EXPECT_EQ(told[0], std::pair(std::string("5"), int64_t{5}));
  EXPECT_EQ(told[kMaxProbedScopes - 1], std::pair(std::string("20"), int64_t{20}));
  EXPECT_EQ(told.back(), std::pair(std::string("after"), int64_t{7}));
}

TEST_F(ScopeProbeTest, BothEndsMustBeOfOneSource) {
  auto session = Start();
  Kernel("outer", 1, [] {
    Kernel("inner", 1, [] { probe().source = 2; });
    Kernel("new", 4);
  });
  probe().is_blind = true;
  Kernel("blind", 1);
  Kernel("blind at begin", 1, [] { probe().is_blind = false; });
  Kernel("blind at end", 1, [] { probe().is_blind = true; });
  probe().is_blind = false;
  Kernel("last", 2);
  session->Stop();
  EXPECT_THAT(Told(session->Read()), ElementsAre(std::pair("new", 4), std::pair("last", 2)));
}

// A probe, or a session, that comes or goes while a scope is open.
TEST_F(ScopeProbeTest, ScopesThatItDidNotSeeAsAWholeHaveNone) {
  SetScopeProbe(nullptr);
  auto session = Start();
  Kernel("begun before the probe", 1, [] { SetScopeProbe(&probe()); });
  Kernel("ends after the probe", 1, [] { SetScopeProbe(nullptr); });
  SetScopeProbe(&probe());
  Kernel("whole", 3);
  std::optional<RecordScope> across;
  across.emplace(kKernel, "ends after the session");
  Kernel("inside", 2);
  session->Stop();
  EXPECT_THAT(Told(session->Read()), ElementsAre(std::pair("whole", 3), std::pair("inside", 2)));
  session.reset();
  session = Start();
  Kernel("of the next one", 4);
  across.reset();
  Kernel("again", 5);
  session->Stop();
  EXPECT_THAT(Told(session->Read()),
              ElementsAre(std::pair("of the next one", 4), std::pair("again", 5)));
}

TEST_F(ScopeProbeTest, ThreadsHaveScopesOfTheirOwnAndMayEnd) {
  constexpr int kThreads = 4, kKernels = 200;
  auto session = Start();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < kKernels; ++i) Kernel("kernel", static_cast<uint64_t>(t) + 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  session->Stop();
  const Profile profile = session->Read();
  int64_t sum = 0;
  for (const Span* event : profile.OfType("test.work")) {
    sum += event->Integer("units");
    const Span* kernel = profile.Find(event->parent_id);
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->thread, event->thread);
  }
  EXPECT_EQ(sum, kKernels * (1 + 2 + 3 + 4));
}

// Whatever comes when, each event has its scope's units: sessions and probes change under threads
// that record.
TEST_F(ScopeProbeTest, MayChangeWhileThreadsRecord) {
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      while (!is_over) {
        Kernel("outer", 1, [] { Kernel("inner", 2); });
        std::this_thread::yield();
      }
    });
  }
  uint64_t num_told = 0;
  for (int round = 0; round < 10; ++round) {
    auto session = Start({.buffer_bytes = size_t{256} << 10});
    if (round % 3 == 0) SetScopeProbe(nullptr);
    std::this_thread::yield();
    SetScopeProbe(&probe());
    const uint64_t before = probe().num_reads;
    while (probe().num_reads < before + 20) std::this_thread::yield();
    session->Stop();
    for (const auto& [name, count] : Told(session->Read())) {
      EXPECT_EQ(count, name == "inner" ? 2 : 3);
      ++num_told;
    }
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(num_told, 0u);
}

// What finds no room is counted as ever.
TEST_F(ScopeProbeTest, EventsThatFindNoRoomAreCounted) {
  auto session = Start({.buffer_bytes = size_t{64} << 10});
  constexpr uint64_t kKernels = 1000;
  for (uint64_t i = 0; i < kKernels; ++i) Kernel("kernel", 1);
  session->Stop();
  const Profile profile = session->Read();
  EXPECT_GT(profile.num_dropped, 0u);
  EXPECT_EQ(profile.spans.size() + profile.num_dropped, 2 * kKernels);
}

TEST_F(ScopeProbeTest, ForksHaveNone) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer knows no threads of processes that were forked";
#endif
  auto session = Start();
  pid_t child = -1;
  Kernel("parent", 1, [&] {
    const uint64_t before = probe().num_reads;
    child = fork();
    if (child != 0) return;
    Kernel("child", 1);
    _exit(probe().num_reads == before ? 0 : 1);
  });
  int state = 0;
  waitpid(child, &state, 0);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  session->Stop();
  EXPECT_THAT(Told(session->Read()), ElementsAre(std::pair("parent", 1)));
}

}  // namespace
}  // namespace tfrt::tracing
