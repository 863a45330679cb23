#include "tfrt/tracing/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/tracing/past_scope.h"
#include "lib/base/tracing/tracing.h"
#include "tfrt/tracing/session.h"

namespace tfrt::tracing {
namespace {

using Type = ArgumentSpec::Type;
using ::testing::ElementsAre;

std::string LabelText(const RecordText& text) {
  return std::string(text.name) + "#id=" + std::to_string(text.op_id) +
         "#place=" + std::string(text.NameArgument(0)) +
         (text.extra ? *static_cast<const std::string*>(text.extra) : "");
}
constexpr RecordType kModel = {.name = "test.model", .level = StackLevel::kModel};
constexpr RecordType kOp = {.name = "test.op",
                            .level = StackLevel::kOp,
                            .sink_level = Level::kDefault,
                            .text = &LabelText,
                            .arguments = {{{"place", Type::kName}}}};
constexpr RecordType kKernel = {
    .name = "test.kernel",
    .level = StackLevel::kKernel,
    .arguments = {{{"n", Type::kInteger}, {"x", Type::kReal}, {"what", Type::kName}}}};
constexpr RecordType kMark = {
    .name = "test.mark", .level = StackLevel::kOp, .kind = RecordKind::kEvent};
constexpr RecordType kDepth = {.name = "test.depth",
                               .level = StackLevel::kDevice,
                               .kind = RecordKind::kQueue,
                               .arguments = {{{"depth", Type::kInteger}}}};

class RecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kRecordsExist) GTEST_SKIP() << "built without tracing";
  }
};

std::unique_ptr<Session> StartSession(SessionOptions options = {.buffer_bytes = 1 << 20}) {
  auto session = Session::Start(options);
  EXPECT_TRUE(session.ok()) << session.status().message();
  return *std::move(session);
}

TEST_F(RecordTest, ScopesNestAndCarryTheirArguments) {
  auto session = StartSession();
  {
    RecordScope model(kModel, "net");
    {
      RecordScope op(kOp, "MatMul", {.op_id = 7}, "cpu:0");
      RecordScope kernel(kKernel, InternName("gemm"), {.correlation_id = 5}, -3, 2.5, "fast");
    }
    RecordEvent(kMark, "now", {});
  }
  session->Stop();
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 4u);
  const Span &model = profile.spans[0], &op = profile.spans[1], &kernel = profile.spans[2],
             &mark = profile.spans[3];
  EXPECT_EQ(model.name, "net");
  EXPECT_EQ(model.parent_id, 0u);
  EXPECT_EQ(model.level(), StackLevel::kModel);
  EXPECT_EQ(op.name, "MatMul");
  EXPECT_EQ(op.type, &kOp);
  EXPECT_EQ(op.parent_id, model.id);
  EXPECT_EQ(op.op_id, 7u);
  EXPECT_EQ(op.Text("place"), "cpu:0");
  EXPECT_EQ(op.ToString(), "MatMul#id=7#place=cpu:0");
  EXPECT_EQ(kernel.parent_id, op.id);
  EXPECT_EQ(kernel.op_id, 7u) << "the op around it";
  EXPECT_EQ(kernel.correlation_id, 5u);
  EXPECT_EQ(kernel.Integer("n"), -3);
  EXPECT_EQ(kernel.Real("x"), 2.5);
  EXPECT_EQ(kernel.Text("what"), "fast");
  EXPECT_EQ(kernel.Integer("x"), 0) << "of another kind";
  EXPECT_EQ(kernel.ToString(), "gemm");
  EXPECT_EQ(mark.parent_id, model.id);
  EXPECT_EQ(mark.op_id, 0u);
  EXPECT_EQ(mark.begin_ns, mark.end_ns);
  EXPECT_LE(model.begin_ns, op.begin_ns);
  EXPECT_LE(op.begin_ns, kernel.begin_ns);
  EXPECT_LE(kernel.begin_ns, kernel.end_ns);
  EXPECT_LE(kernel.end_ns, op.end_ns);
  EXPECT_LE(op.end_ns, mark.begin_ns);
  EXPECT_LE(mark.end_ns, model.end_ns);
  EXPECT_EQ(kernel.ready_ns, kernel.end_ns);
}

TEST_F(RecordTest, NothingIsMadeWhenNobodyListens) {
  auto no_name = [] {
    ADD_FAILURE() << "the name was asked for";
    return "";
  };
  EXPECT_FALSE(IsActive(kKernel));
  RecordScope scope(kKernel, no_name);
  EXPECT_EQ(scope.id(), 0u);
  EXPECT_FALSE(IsRecording());
  RecordReady(0);
}

TEST_F(RecordTest, ASessionTakesLevelsAndQueueEventsAsAsked) {
  auto session = StartSession({.max_level = StackLevel::kOp, .queue_events = false});
  EXPECT_TRUE(IsActive(kModel));
  EXPECT_TRUE(IsActive(kOp));
  EXPECT_FALSE(IsActive(kKernel));
  EXPECT_FALSE(IsActive(kDepth));
  session.reset();
  session = StartSession({.max_level = StackLevel::kModel, .queue_events = true});
  EXPECT_TRUE(IsActive(kDepth));
  EXPECT_FALSE(IsActive(kOp));
  session.reset();
  EXPECT_FALSE(IsActive(kModel));
  EXPECT_FALSE(IsActive(kDepth));
}

TEST_F(RecordTest, ResultsMayBeReadyLater) {
  auto session = StartSession();
  uint64_t later = 0;
  {
    RecordScope scope(kKernel, "async");
    scope.SetReadyLater();
    later = scope.id();
  }
  {  // Never ready.
    RecordScope scope(kKernel, "lost");
    scope.SetReadyLater();
  }
  EXPECT_EQ(session->Read().spans.at(0).ready_ns, 0);
  std::thread([&] { RecordReady(later); }).join();
  std::thread([&] { RecordReady(later); }).join();
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 2u) << "what tells that results are ready is no span";
  EXPECT_GT(profile.spans[0].ready_ns, profile.spans[0].end_ns);
  EXPECT_EQ(profile.spans[1].ready_ns, 0);
}

TEST_F(RecordTest, AScopeMayEndBeforeItsObject) {
  auto session = StartSession();
  RecordScope scope(kKernel, "short");
  scope.End();
  EXPECT_EQ(session->Read().spans.size(), 1u);
  RecordScope next(kKernel, "beside");
  next.End();
  EXPECT_EQ(session->Read().spans.at(1).parent_id, 0u);
}

TEST_F(RecordTest, AScopeThatIsDroppedIsNoRecord) {
  auto session = StartSession();
  {
    RecordScope outer(kOp, "outer", {.op_id = 9}, "");
    {
      RecordScope none(kKernel, "none");
      none.Drop();
      RecordEvent(kMark, "inside", {});
    }
  }
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 2u);
  EXPECT_EQ(profile.spans[1].name, "inside");
  EXPECT_EQ(profile.spans[1].parent_id, profile.spans[0].id);
}

TEST_F(RecordTest, PastScopesAreRecorded) {
  const Name name = InternName("past"), what = InternName("argument");
  EXPECT_EQ(RecordPastScope(kOp, {.name = name, .begin = Now(), .end = Now()}), 0u)
      << "there is no session";
  auto session = StartSession({.max_level = StackLevel::kOp, .buffer_bytes = 1 << 20});
  {
    RecordScope around(kModel, "around");
    const Ticks begin = Now(), inner_begin = Now(), end = Now();
    const uint64_t id = RecordPastScope(
        kOp, {.name = name, .op_id = 9, .begin = begin, .end = end, .argument = what});
    EXPECT_NE(id, 0u);
    RecordPastScope(kOp,
                    {.name = name, .op_id = 9, .parent_id = id, .begin = inner_begin, .end = end});
    EXPECT_EQ(RecordPastScope(kKernel, {.name = name, .begin = begin, .end = end}), 0u)
        << "below the level";
  }
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 3u);
  const Span &around = profile.spans[0], &past = profile.spans[1], &inner = profile.spans[2];
  EXPECT_EQ(past.parent_id, around.id);
  EXPECT_EQ(past.name, "past");
  EXPECT_EQ(past.op_id, 9u);
  EXPECT_EQ(past.Text("place"), "argument");
  EXPECT_EQ(inner.parent_id, past.id);
  EXPECT_LE(past.begin_ns, inner.begin_ns);
  EXPECT_EQ(past.end_ns, inner.end_ns);
  EXPECT_EQ(past.ready_ns, past.end_ns);
}

TEST_F(RecordTest, OpIdsAreUniqueAcrossThreads) {
  std::vector<uint64_t> ids[2];
  auto take = [](std::vector<uint64_t>& taken) {
    for (int i = 0; i < 1000; ++i) taken.push_back(NewOpId());
  };
  std::thread other([&] { take(ids[1]); });
  take(ids[0]);
  other.join();
  std::set<uint64_t> all(ids[0].begin(), ids[0].end());
  all.insert(ids[1].begin(), ids[1].end());
  EXPECT_EQ(all.size(), 2000u);
  EXPECT_FALSE(all.contains(0));
}

TEST_F(RecordTest, ContextsTravel) {
  auto session = StartSession();
  RecordContext carried;
  {
    RecordScope op(kOp, "op", {.op_id = 9}, "");
    carried = CurrentContext();
    EXPECT_EQ(carried.record_id, op.id());
  }
  std::thread([&] {
    ContextScope context(carried);
    {
      RecordScope kernel(kKernel, "elsewhere");
    }
    {
      ContextScope none{RecordContext()};
      RecordEvent(kMark, "outside", {});
    }
    RecordEvent(kMark, "inside", {});
  }).join();
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 4u);
  EXPECT_EQ(profile.spans[1].parent_id, profile.spans[0].id);
  EXPECT_EQ(profile.spans[1].op_id, 9u);
  EXPECT_NE(profile.spans[1].thread, profile.spans[0].thread);
  EXPECT_EQ(profile.spans[2].parent_id, 0u);
  EXPECT_EQ(profile.spans[3].parent_id, profile.spans[0].id);
  EXPECT_EQ(profile.threads.size(), 2u);
}

TEST_F(RecordTest, AContextEndsWithItsSession) {
  auto session = StartSession();
  RecordContext old;
  {
    RecordScope op(kOp, "op", {.op_id = 9}, "");
    old = CurrentContext();
    session.reset();
    session = StartSession();
    // The scope around is of the other session.
    RecordEvent(kMark, "new", {});
  }
  {
    ContextScope context(old);
    EXPECT_EQ(CurrentContext().record_id, 0u);
    RecordEvent(kMark, "newer", {});
  }
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 2u) << "the scope began before the session";
  for (const Span& span : profile.spans) {
    EXPECT_EQ(span.parent_id, 0u);
    EXPECT_EQ(span.op_id, 0u);
  }
}

TEST_F(RecordTest, CorrelationIdsAreUnique) { EXPECT_NE(NewCorrelationId(), NewCorrelationId()); }

class TextSink : public Sink {
 public:
  explicit TextSink(Level level) { AddSink(this, level); }
  ~TextSink() override { RemoveSink(this); }
  void PushScope(std::string_view name) override { texts.push_back("(" + std::string(name)); }
  void PopScope() override { texts.push_back(")"); }
  void RecordEvent(std::string_view name) override { texts.push_back("!" + std::string(name)); }
  std::vector<std::string> texts;
};

TEST_F(RecordTest, SinksGetTextsAndSessionsRecordsOfTheSame) {
  for (bool with_session : {false, true}) {
    TextSink sink(Level::kDefault);
    auto session = with_session ? StartSession() : nullptr;
    {
      std::string extra = "#more";
      RecordScope op(kOp, [] { return "Relu"; }, {.op_id = 3, .extra = &extra}, "cpu:1");
      RecordScope kernel(kKernel, "without a level of sinks");
    }
    EXPECT_THAT(sink.texts, ElementsAre("(Relu#id=3#place=cpu:1#more", ")"));
    if (session) EXPECT_EQ(session->Read().spans.size(), 2u);
  }
}

TEST_F(RecordTest, ScopesOfProgramsAreRecordedToo) {
  auto session = StartSession();
  {
    Scope scope(Level::kDefault, [] { return "step " + std::to_string(4); });
    RecordEvent(Level::kDefault, "tick");
  }
  Profile profile = session->Read();
  ASSERT_EQ(profile.spans.size(), 2u);
  EXPECT_EQ(profile.spans[0].name, "step 4");
  EXPECT_EQ(profile.spans[1].name, "tick");
  EXPECT_EQ(profile.spans[1].parent_id, profile.spans[0].id);
}

TEST_F(RecordTest, LevelsThatAreNotCompiledInAreNotRecorded) {
  auto session = StartSession();
  {
    Scope scope(Level::kDebug, "deep");
  }
  EXPECT_EQ(session->Read().spans.size(), kMaxLevel == Level::kDebug ? 1u : 0u);
}

}  // namespace
}  // namespace tfrt::tracing
