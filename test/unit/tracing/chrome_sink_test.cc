#include "lib/base/tracing/chrome_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace tfrt::tracing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

TEST(ChromeSinkTest, WritesBeginEndAndInstantEvents) {
  ChromeSink sink;
  sink.PushScope("f");
  sink.RecordEvent("e");
  sink.PopScope();
  EXPECT_THAT(sink.ToJson(),
              MatchesRegex("\\{\"traceEvents\":\\[\n"
                           "\\{\"name\":\"f\",\"ph\":\"B\",\"ts\":[0-9]+\\.[0-9]+,\"pid\":[0-9]+,"
                           "\"tid\":[0-9]+\\},\n"
                           "\\{\"name\":\"e\",\"ph\":\"i\",[^\n]*,\"s\":\"t\"\\},\n"
                           "\\{\"name\":\"\",\"ph\":\"E\",[^\n]*\\}\n"
                           "\\]\\}\n"));
}

TEST(ChromeSinkTest, EscapesNames) {
  ChromeSink sink;
  sink.RecordEvent("a\"b\\c\nd");
  EXPECT_THAT(sink.ToJson(), HasSubstr("\"name\":\"a\\\"b\\\\c\\u000ad\""));
}

TEST(ChromeSinkTest, KeepsThreadsApart) {
  ChromeSink sink;
  sink.RecordEvent("here");
  std::thread([&] { sink.RecordEvent("there"); }).join();
  std::string json = sink.ToJson();
  size_t first = json.find("\"tid\":"), second = json.find("\"tid\":", first + 1);
  EXPECT_NE(std::stoi(json.substr(first + 6)), std::stoi(json.substr(second + 6)));
}

TEST(ChromeSinkTest, WritesAFile) {
  ChromeSink sink;
  sink.RecordEvent("x");
  std::string path = ::testing::TempDir() + "/chrome_sink_test.json";
  ASSERT_TRUE(sink.WriteFile(path).ok());
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), sink.ToJson());
}

TEST(ChromeSinkTest, ReportsAnUnwritableFile) {
  Status status = ChromeSink().WriteFile("/no/such/folder/trace.json");
  EXPECT_THAT(std::string(status.message()),
              StartsWith("cannot write '/no/such/folder/trace.json': No such file"));
}

}  // namespace
}  // namespace tfrt::tracing
