#include "lib/base/tracing/debug_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace tfrt::tracing {
namespace {

std::string Contents(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  return text;
}

TEST(DebugSinkTest, WritesScopesAndEventsWhenItGoes) {
  std::FILE* file = std::tmpfile();
  {
    DebugSink sink(file);
    AddSink(&sink, Level::kVerbose);
    {
      Scope outer(Level::kDefault, "outer");
      RecordEvent(Level::kDefault, "now");
      {
        Scope inner(Level::kVerbose, [] { return std::string("inner"); });
      }
      {
        Scope ignored(Level::kDebug, "too deep");
      }
    }
    RemoveSink(&sink);
    EXPECT_EQ(Contents(file), "");
  }
  EXPECT_EQ(Contents(file), "Scope:outer\nEvent:now\nScope:inner\nEnd Scope\nEnd Scope\n");
  std::fclose(file);
}

TEST(DebugSinkTest, SeveralSinksSeeTheSameScopes) {
  std::FILE* file_a = std::tmpfile();
  std::FILE* file_b = std::tmpfile();
  DebugSink a(file_a), b(file_b);
  AddSink(&a, Level::kDefault);
  AddSink(&b, Level::kVerbose);
  {
    Scope scope(Level::kDefault, "both");
  }
  {
    Scope scope(Level::kVerbose, "one");
  }
  RemoveSink(&a);
  RemoveSink(&b);
  {
    Scope scope(Level::kDefault, "nobody");
  }
  a.Flush();
  b.Flush();
  EXPECT_EQ(Contents(file_a), "Scope:both\nEnd Scope\n");
  EXPECT_EQ(Contents(file_b), "Scope:both\nEnd Scope\nScope:one\nEnd Scope\n");
  std::fclose(file_a);
  std::fclose(file_b);
}

TEST(DebugSinkTest, LevelsThatAreNotCompiledInAreLowered) {
  if (kMaxLevel == Level::kDebug) GTEST_SKIP() << "all levels are compiled in";
  DebugSink sink(stdout);
  ::testing::internal::CaptureStderr();
  AddSink(&sink, Level::kDebug);
  RemoveSink(&sink);
  if (kMaxLevel == Level::kVerbose) {
    EXPECT_THAT(::testing::internal::GetCapturedStderr(),
                ::testing::EndsWith("] Tracing level 'debug' clamped to TFRT_MAX_TRACING_LEVEL "
                                    "('verbose')\n"));
  } else {
    EXPECT_NE(::testing::internal::GetCapturedStderr(), "");
  }
}

TEST(DebugSinkTest, WritesLongProfilesInPieces) {
  std::FILE* file = std::tmpfile();
  {
    DebugSink sink(file);
    std::string name(1000, 'x');
    for (int i = 0; i < 2000; ++i) sink.RecordEvent(name);
    EXPECT_GE(Contents(file).size(), size_t{1} << 20);
  }
  EXPECT_EQ(Contents(file).size(), 2000 * (1000 + sizeof("Event:\n") - 1));
  std::fclose(file);
}

}  // namespace
}  // namespace tfrt::tracing
