// Plug-ins with sources: found by name, opened once, complained about.
#include "tfrt/profiler/source_plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/profiler/session.h"
#include "tfrt/tracing/record.h"

namespace tfrt::profiler {
namespace {

using testing::HasSubstr;

struct Seen {
  std::vector<Problem> problems;
  std::vector<std::string> types;
};

class Watch : public ProfileConsumer {
 public:
  explicit Watch(Seen* seen) : seen_(*seen) {}
  void AddProperty(std::string_view, std::string_view) override {}
  void AddString(std::string_view) override {}
  void AddType(const EventType& type) override { seen_.types.push_back(type.name); }
  void AddTrack(const Track&) override {}
  void AddEvent(const EventFields&) override {}
  void AddReady(uint64_t, int64_t) override {}
  void AddProblem(const Problem& problem) override { seen_.problems.push_back(problem); }
  Status Finish() override { return OkStatus(); }

 private:
  Seen& seen_;
};

Seen RunSession(const char* plugins) {
  setenv("TFRT_PROFILER_PLUGINS", plugins, 1);
  Seen seen;
  auto session = Session::Start({.buffer_bytes = size_t{1} << 20}, std::make_unique<Watch>(&seen));
  EXPECT_TRUE(session.ok()) << session.status().ToString();
  if (session.ok()) EXPECT_TRUE((*session)->Stop().ok());
  return seen;
}

class SourcePluginTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  }
};

TEST_F(SourcePluginTest, SourcesComeFromPlugIns) {
  EXPECT_TRUE(RunSession("").types.empty());
  for (int i = 0; i < 2; ++i) {
    Seen seen = RunSession(":" TFRT_TEST_PLUGIN ":");
    EXPECT_TRUE(seen.problems.empty());
    // Registered once: the plug-in numbers its sources.
    EXPECT_THAT(seen.types, testing::ElementsAre("plugin.event.1"));
  }
}

TEST_F(SourcePluginTest, WhatIsWrongIsTold) {
  Seen seen = RunSession("/nowhere/x.so:" TFRT_TEST_OTHER_LIBRARY);
  ASSERT_EQ(seen.problems.size(), 2u);
  EXPECT_EQ(seen.problems[0].kind, Problem::Kind::kUnavailable);
  EXPECT_THAT(seen.problems[0].text,
              HasSubstr("cannot open the plug-in /nowhere/x.so: /nowhere/x.so: cannot open"));
  EXPECT_THAT(seen.problems[1].text, HasSubstr("has no function RegisterProfilerSources"));
}

// This program exports nothing.
TEST_F(SourcePluginTest, ToolsNeedAProgramThatSharesItsSymbols) {
  StatusOr<const DeviceTools*> tools = OpenDeviceTools();
  EXPECT_EQ(tools.status().message(),
            "tfrt_gpu_profiler.so finds nothing in a program that does not export its symbols");
}

}  // namespace
}  // namespace tfrt::profiler
