#include "lib/base/tracing/simple_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace tfrt::tracing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// What a thread that runs `body` logs by its end.
template <typename F>
std::string LogOfThread(F body) {
  ::testing::internal::CaptureStderr();
  std::thread(body).join();
  return ::testing::internal::GetCapturedStderr();
}

TEST(SimpleSinkTest, LogsScopesAndEventsAtThreadEnd) {
  std::string log = LogOfThread([] {
    SimpleSink sink;
    sink.PushScope("outer");
    sink.PushScope("inner");
    sink.RecordEvent("tick");
    sink.PopScope();
    sink.PopScope();
  });
  EXPECT_THAT(log, ContainsRegex("\\] ::: \\[outer\\]: [0-9]+ us -- [0-9]+ \\([0-9]+ ns\\)\n"));
  EXPECT_THAT(log, ContainsRegex("\\] ::: \\[inner\\]: [0-9]+ us -- [0-9]+ \\([0-9]+ ns\\)\n"));
  EXPECT_THAT(log, ContainsRegex("\\] ::: \\[tick\\]: [0-9]+ us\n"));
  EXPECT_THAT(log, HasSubstr("] Total activities collected: 3\n"));
  EXPECT_LT(log.find("outer"), log.find("inner"));
}

TEST(SimpleSinkTest, KeepsTheFirstHundredActivities) {
  std::string log = LogOfThread([] {
    SimpleSink sink;
    sink.PushScope("all");
    for (int i = 1; i <= 150; ++i) {
      sink.PushScope("scope " + std::to_string(i) + ".");
      sink.PopScope();
    }
    sink.PopScope();
  });
  EXPECT_THAT(log, HasSubstr("scope 99."));
  EXPECT_THAT(log, Not(HasSubstr("scope 100.")));
  EXPECT_THAT(log, ContainsRegex("\\[all\\]: [0-9]+ us -- "));
  EXPECT_THAT(log, HasSubstr("Total activities collected: 100\n"));
}

TEST(SimpleSinkTest, SilentThreadLogsNothing) {
  EXPECT_EQ(LogOfThread([] {}), "");
}

TEST(SimpleSinkTest, IgnoresEndsOfScopesItDidNotSeeBegin) {
  std::string log = LogOfThread([] {
    SimpleSink sink;
    sink.PopScope();
    sink.RecordEvent("later");
  });
  EXPECT_THAT(log, HasSubstr("Total activities collected: 1\n"));
}

}  // namespace
}  // namespace tfrt::tracing
