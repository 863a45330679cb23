// Sessions: records become events of a profile, soon, all of them or counted, and into a file that
// outlives the process.
#include "tfrt/profiler/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/profiler/perfetto/perfetto_writer.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/profiler/read_profile.h"
#include "tfrt/profiler/source.h"
#include "tfrt/tracing/record.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {
namespace {

using testing::HasSubstr;
using tracing::ArgumentSpec;

constexpr tracing::RecordType kRun = {.name = "test.run", .level = StackLevel::kModel};
constexpr tracing::RecordType kOp = {.name = "test.op",
                                     .level = StackLevel::kOp,
                                     .is_op = true,
                                     .arguments = {{{"number", ArgumentSpec::Type::kInteger},
                                                    {"size", ArgumentSpec::Type::kReal},
                                                    {"device", ArgumentSpec::Type::kName}}}};
constexpr tracing::RecordType kKernel = {.name = "test.kernel", .level = StackLevel::kKernel};

void RunOp(int64_t number, std::string_view device) {
  tracing::RecordScope op(kOp, "add", {.correlation_id = 5}, number, 0.5, device);
  tracing::RecordEvent(kKernel, "kernel", {});
}

class ProfilerSessionTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  }
  std::unique_ptr<Session> Start(SessionOptions options = {}) {
    options.buffer_bytes = std::min(options.buffer_bytes, size_t{4} << 20);
    auto session = Session::Start(options, std::make_unique<ForwardingConsumer>(&builder_));
    EXPECT_TRUE(session.ok()) << session.status().ToString();
    return *std::move(session);
  }
  static std::string PathOf(const std::string& name) { return testing::TempDir() + name; }

  ProfileBuilder builder_;
};

TEST_F(ProfilerSessionTest, RecordsBecomeEvents) {
  auto session = Start({.properties = {{"model", "lenet"}}});
  {
    tracing::RecordScope run(kRun, "main");
    prctl(PR_SET_NAME, "caller");
    RunOp(-7, "cpu:0");
    std::thread([] {
      prctl(PR_SET_NAME, "other");
      RunOp(8, "sim:0");
    }).join();
  }
  session->SetProperty("batch", "3");
  ASSERT_TRUE(session->Stop().ok());
  EXPECT_EQ(session->counts().num_events, 5u);
  Profile profile = builder_.Build();

  EXPECT_TRUE(profile.problems().empty());
  EXPECT_EQ(profile.Property("model"), "lenet");
  EXPECT_EQ(profile.Property("batch"), "3");
  EXPECT_EQ(profile.Property(property::kLevel), "kernel");
  EXPECT_THAT(std::string(profile.Property(property::kProducer)), HasSubstr("tfrt "));
  EXPECT_THAT(std::string(profile.Property(property::kCommand)),
              HasSubstr("unit_profiler_session"));
  EXPECT_GT(profile.NumberProperty(property::kWallClockOffsetNs, 0), 0);
  EXPECT_GE(profile.NumberProperty(property::kNumProcessors, 0), 1);
  auto ops = profile.OfType("test.op");
  ASSERT_EQ(ops.size(), 2u);
  const Event* run = profile.OfType("test.run").at(0);
  const Event& op = *ops[0];
  EXPECT_EQ(profile.ParentOf(op), run);
  EXPECT_TRUE(profile.TypeOf(op).is_op);
  EXPECT_EQ(profile.TypeOf(op).arguments.size(), 3u);
  EXPECT_EQ(profile.NameOf(op), "add");
  EXPECT_EQ(profile.Integer(op, "number"), -7);
  EXPECT_EQ(profile.Real(op, "size"), 0.5);
  EXPECT_EQ(profile.Text(op, "device"), "cpu:0");
  EXPECT_EQ(op.correlation_id, 5u);
  EXPECT_EQ(op.ready_ns, op.end_ns);
  EXPECT_GE(op.begin_ns, run->begin_ns);
  EXPECT_LE(op.end_ns, run->end_ns);
  EXPECT_EQ(profile.TrackOf(op).number, getpid());
  EXPECT_EQ(profile.TrackOf(op).name, "caller");
  EXPECT_NE(profile.TrackOf(*ops[1]).number, getpid());
  auto kernels = profile.OfType("test.kernel");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(profile.ParentOf(*kernels[0]), &op);
  EXPECT_EQ(kernels[0]->op_id, op.op_id);
}

TEST_F(ProfilerSessionTest, KnowsWhenResultsCome) {
  auto session = Start();
  uint64_t id;
  {
    tracing::RecordScope late(kRun, "late");
    late.SetReadyLater();
    id = late.id();
  }
  {
    tracing::RecordScope never(kRun, "never");
    never.SetReadyLater();
  }
  tracing::RecordReady(id);
  ASSERT_TRUE(session->Stop().ok());
  Profile profile = builder_.Build();
  auto runs = profile.OfType("test.run");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_GE(runs[0]->ready_ns, runs[1]->end_ns);
  EXPECT_FALSE(runs[0]->is_ready_missing);
  EXPECT_TRUE(runs[1]->is_ready_missing);
}

TEST_F(ProfilerSessionTest, LevelsSayHowDeep) {
  for (auto [level, num_events] : {std::pair(Level::kModel, 1u), std::pair(Level::kLayer, 2u),
                                   std::pair(Level::kKernel, 3u)}) {
    auto session = Start({.level = level});
    {
      tracing::RecordScope run(kRun, "main");
      RunOp(0, "");
    }
    ASSERT_TRUE(session->Stop().ok());
    Profile profile = builder_.Build();
    EXPECT_EQ(profile.events().size(), num_events);
    EXPECT_EQ(profile.Property(property::kLevel), LevelName(level));
  }
}

// Longer than the buffer; what finds no room is counted.
TEST_F(ProfilerSessionTest, LosesNothingUncounted) {
  constexpr uint64_t kThreads = 2, kRecords = 50'000;
  auto session = Start({.buffer_bytes = size_t{256} << 10});
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([] {
      for (uint64_t i = 0; i < kRecords; ++i) tracing::RecordEvent(kKernel, "kernel", {});
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(session->Stop().ok());
  const Session::Counts counts = session->counts();
  EXPECT_EQ(counts.num_events + counts.num_dropped, kThreads * kRecords);
  Profile profile = builder_.Build();
  EXPECT_EQ(profile.events().size(), counts.num_events);
  if (counts.num_dropped > 0) {
    ASSERT_EQ(profile.problems().size(), 1u);
    EXPECT_EQ(profile.problems()[0].kind, Problem::Kind::kDropped);
    EXPECT_EQ(profile.problems()[0].count, counts.num_dropped);
    EXPECT_THAT(profile.problems()[0].text, HasSubstr("found no room: ask for a larger buffer"));
  }
}

TEST_F(ProfilerSessionTest, WritesFilesThatReadersUnderstand) {
  const std::string path = PathOf("session.pftrace");
  auto session = Session::Start({.path = path, .buffer_bytes = size_t{1} << 20});
  ASSERT_TRUE(session.ok()) << session.status().ToString();
  {
    tracing::RecordScope run(kRun, "main");
    for (int i = 0; i < 1000; ++i) RunOp(i, "cpu:0");
  }
  ASSERT_TRUE((*session)->Stop().ok());
  StatusOr<Profile> profile = LoadProfile(path);
  ASSERT_TRUE(profile.ok()) << profile.status().ToString();
  EXPECT_TRUE(profile->problems().empty());
  auto ops = profile->OfType("test.op");
  ASSERT_EQ(ops.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(profile->Integer(*ops[static_cast<size_t>(i)], "number"), i);
  }
}

size_t NumEvents(const std::string& path) {
  StatusOr<Profile> profile = LoadProfile(path);
  EXPECT_TRUE(profile.ok()) << profile.status().ToString();
  return profile.ok() ? profile->events().size() : 0;
}

// What has been recorded is left as it is by sessions that cannot be, in this process and in
// others.
TEST_F(ProfilerSessionTest, DestroysNoFileThatIsBeingWritten) {
  const std::string path = PathOf("kept.pftrace");
  auto session = Session::Start({.path = path, .buffer_bytes = size_t{1} << 20});
  ASSERT_TRUE(session.ok());
  RunOp(1, "");
  EXPECT_FALSE(Session::Start({.path = path}).ok());
  auto writer = PerfettoWriter::Create(path);
  EXPECT_EQ(writer.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(writer.status().message()), HasSubstr("': it is being written"));
  ASSERT_TRUE((*session)->Stop().ok());
  EXPECT_EQ(NumEvents(path), 2u);
  session->reset();
  EXPECT_FALSE(Session::Start({.path = path, .buffer_bytes = 1}).ok());
  EXPECT_EQ(NumEvents(path), 2u);
}

// A program that a recorded program runs inherits its environment.
TEST_F(ProfilerSessionTest, ProcessesOfOneEnvironmentWriteFilesOfTheirOwn) {
  const std::string path = PathOf("parent.pftrace");
  auto other = PerfettoWriter::Create(path);  // of another process, as far as the lock goes
  ASSERT_TRUE(other.ok());
  setenv("TFRT_RECORD", path.c_str(), 1);
  auto session = Session::StartFromEnvironment();
  unsetenv("TFRT_RECORD");
  ASSERT_TRUE(session.ok()) << session.status().ToString();
  RunOp(1, "");
  ASSERT_TRUE((*session)->Stop().ok());
  EXPECT_EQ(NumEvents(PathOf("parent." + std::to_string(getpid()) + ".pftrace")), 2u);
}

TEST_F(ProfilerSessionTest, ForksNeitherWriteNorWait) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer knows no threads of processes that were forked";
#endif
  const std::string path = PathOf("forked.pftrace");
  auto session = Session::Start({.path = path, .buffer_bytes = size_t{1} << 20});
  ASSERT_TRUE(session.ok());
  for (int i = 0; i < 100; ++i) RunOp(i, "");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RunOp(0, "");
    const bool is_right = (*session)->Stop().code() == StatusCode::kFailedPrecondition;
    session->reset();
    _exit(is_right ? 0 : 1);
  }
  int state = 0;
  waitpid(child, &state, 0);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  RunOp(100, "");
  ASSERT_TRUE((*session)->Stop().ok());
  EXPECT_EQ(NumEvents(path), 2u * 101);
}

TEST_F(ProfilerSessionTest, ThereIsOneAtATime) {
  auto session = Start();
  auto second = Session::Start({}, std::make_unique<ForwardingConsumer>(&builder_));
  EXPECT_EQ(second.status().code(), StatusCode::kFailedPrecondition);
  ASSERT_TRUE(session->Stop().ok());
  EXPECT_TRUE(session->Stop().ok());
}

TEST_F(ProfilerSessionTest, SaysWhyAFileCannotBeMade) {
  auto session = Session::Start({.path = "/nowhere/run.pftrace"});
  ASSERT_FALSE(session.ok());
  EXPECT_THAT(std::string(session.status().message()),
              HasSubstr("cannot write '/nowhere/run.pftrace': No such file or directory"));
  // The session that did not start is not in the way of others.
  EXPECT_TRUE(Start()->Stop().ok());
}

TEST_F(ProfilerSessionTest, TheEnvironmentMayAskForIt) {
  auto start = [](const char* path, const char* level, const char* megabytes) {
    for (auto [name, value] :
         {std::pair("TFRT_RECORD", path), std::pair("TFRT_RECORD_LEVEL", level),
          std::pair("TFRT_RECORD_BUFFER_MB", megabytes)}) {
      value ? setenv(name, value, 1) : unsetenv(name);
    }
    return Session::StartFromEnvironment();
  };
  const std::string path = PathOf("environment.pftrace");
  auto none = start(nullptr, "kernel", nullptr);
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(*none, nullptr);
  EXPECT_EQ(start(path.c_str(), "op", nullptr).status().message(),
            "TFRT_RECORD_LEVEL: there is no level 'op': it is model, layer, kernel or metrics");
  for (const char* megabytes : {"", "0", "1025", "8x", "-1"}) {
    EXPECT_EQ(
        start(path.c_str(), nullptr, megabytes).status().message(),
        std::string("TFRT_RECORD_BUFFER_MB is '") + megabytes + "', not a number from 1 to 1024");
  }
  auto session = start(path.c_str(), "layer", "1");
  ASSERT_TRUE(session.ok()) << session.status().ToString();
  RunOp(0, "");
  ASSERT_TRUE((*session)->Stop().ok());
  StatusOr<Profile> profile = LoadProfile(path);
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->events().size(), 1u);
  (void)start(nullptr, nullptr, nullptr);
}

// A program that is killed leaves all that was written, which it learns from counts().
TEST_F(ProfilerSessionTest, FilesOutliveTheProcess) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer knows no threads of processes that were forked";
#endif
  const std::string path = PathOf("killed.pftrace");
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto session = Session::Start({.path = path, .buffer_bytes = size_t{4} << 20});
    if (!session.ok()) _exit(1);
    // Some full chunks and a part of one.
    constexpr uint64_t kRecords = 5000;
    for (uint64_t i = 0; i < kRecords; ++i) tracing::RecordEvent(kKernel, "kernel", {});
    while ((*session)->counts().num_events < kRecords) std::this_thread::yield();
    // The file has what is counted when it is counted the next time.
    tracing::RecordEvent(kKernel, "kernel", {});
    while ((*session)->counts().num_events == kRecords) std::this_thread::yield();
    (void)!write(pipe_ends[1], "x", 1);
    pause();
  }
  close(pipe_ends[1]);
  char byte;
  EXPECT_EQ(read(pipe_ends[0], &byte, 1), 1);
  close(pipe_ends[0]);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  StatusOr<Profile> profile = LoadProfile(path);
  ASSERT_TRUE(profile.ok()) << profile.status().ToString();
  EXPECT_GE(profile->events().size(), 5000u);
  ASSERT_EQ(profile->problems().size(), 1u);
  EXPECT_EQ(profile->problems()[0].kind, Problem::Kind::kUnfinished);
}

// A source that gives one event when it is asked, and one that is not there.
class OneEvent : public Source {
 public:
  Status Start(Level level) override {
    level_ = level;
    return OkStatus();
  }
  void Drain(EventStream& stream) override {
    if (!has_stopped_) return;
    const TypeId type = stream.Type({.name = "test.device", .level = StackLevel::kDevice});
    const TrackId track = stream.TrackOf({.kind = Track::Kind::kStream, .number = 4});
    stream.consumer().AddEvent(
        {.type = type, .name = stream.String(LevelName(level_)), .track = track, .end_ns = 1});
  }
  void Stop() override { has_stopped_ = true; }

 private:
  Level level_ = Level::kModel;
  bool has_stopped_ = false;
};
class Missing : public Source {
 public:
  Status Start(Level) override { return NotFoundError("no driver: install one"); }
  void Drain(EventStream&) override { FAIL(); }
  void Stop() override { FAIL(); }
};

TEST_F(ProfilerSessionTest, SourcesGiveEventsOrSayWhyNot) {
  RegisterSource("test", [] { return std::unique_ptr<Source>(new Missing); });
  RegisterSource("missing", [] { return std::unique_ptr<Source>(new Missing); });
  RegisterSource("test", [] { return std::unique_ptr<Source>(new OneEvent); });
  auto session = Start({.level = Level::kLayer});
  ASSERT_TRUE(session->Stop().ok());
  Profile profile = builder_.Build();
  auto events = profile.OfType("test.device");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(profile.NameOf(*events[0]), "layer");
  EXPECT_EQ(profile.TrackOf(*events[0]).kind, Track::Kind::kStream);
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0].kind, Problem::Kind::kUnavailable);
  EXPECT_EQ(profile.problems()[0].text, "missing: no driver: install one");
}

}  // namespace
}  // namespace tfrt::profiler
