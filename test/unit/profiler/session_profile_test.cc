// What a session has recorded becomes a profile: names, types, threads, links, and what was lost.
#include "lib/profiler/session_profile.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tfrt/profiler/profile_properties.h"
#include "tfrt/tracing/record.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {
namespace {

using tracing::ArgumentSpec;
using tracing::RecordScope;

constexpr tracing::RecordType kRun = {
    .name = "test.run",
    .level = StackLevel::kOp,
    .is_op = true,
    .arguments = {{{"", ArgumentSpec::Type::kName}, {"bytes", ArgumentSpec::Type::kInteger}}}};
constexpr tracing::RecordType kPart = {.name = "test.part", .level = StackLevel::kKernel};

class SessionProfileTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  }
};

TEST_F(SessionProfileTest, HoldsWhatWasRecorded) {
  auto session = tracing::Session::Start({.buffer_bytes = 1 << 20});
  ASSERT_TRUE(session.ok()) << session.status().ToString();
  {
    RecordScope run(kRun, "first", {.correlation_id = 5}, "cpu:0", -3);
    RecordScope part(kPart, "late");
    part.SetReadyLater();
  }
  std::thread([] { RecordScope run(kRun, "second", {}, "", 7); }).join();
  const tracing::Profile recorded = (*session)->Read();
  Profile profile = ProfileFromSession(recorded);

  ASSERT_EQ(profile.events().size(), 3u);
  EXPECT_TRUE(profile.problems().empty());
  EXPECT_EQ(profile.Property(property::kProducer), "tfrt");
  EXPECT_EQ(profile.tracks().size(), 2u);
  auto runs = profile.OfType("test.run");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(profile.NameOf(*runs[0]), "first");
  EXPECT_EQ(profile.Text(*runs[0], ""), "cpu:0");
  EXPECT_EQ(profile.Integer(*runs[0], "bytes"), -3);
  EXPECT_EQ(runs[0]->correlation_id, 5u);
  EXPECT_EQ(runs[0]->begin_ns, recorded.OfType("test.run")[0]->begin_ns);
  EXPECT_EQ(runs[0]->ready_ns, runs[0]->end_ns);
  EXPECT_TRUE(profile.TypeOf(*runs[0]).is_op);
  EXPECT_EQ(profile.Text(*runs[1], ""), "");
  EXPECT_NE(runs[0]->track, runs[1]->track);
  EXPECT_NE(runs[0]->op_id, runs[1]->op_id);
  EXPECT_EQ(profile.TrackOf(*runs[0]).number, recorded.threads[0].system_id);
  auto parts = profile.OfType("test.part");
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(profile.ParentOf(*parts[0]), runs[0]);
  EXPECT_EQ(parts[0]->op_id, runs[0]->op_id);
  EXPECT_TRUE(parts[0]->is_ready_missing);
}

TEST_F(SessionProfileTest, SaysWhatFoundNoRoom) {
  tracing::Profile recorded;
  recorded.num_dropped = 4;
  Profile profile = ProfileFromSession(recorded);
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0],
            (Problem{.kind = Problem::Kind::kDropped,
                     .count = 4,
                     .text = "4 records found no room: give the session more "
                             "(SessionOptions::buffer_bytes)"}));
}

}  // namespace
}  // namespace tfrt::profiler
