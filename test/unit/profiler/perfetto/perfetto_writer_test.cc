#include "lib/profiler/perfetto/perfetto_writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "lib/base/support/read_file.h"
#include "lib/profiler/perfetto/perfetto_reader.h"
#include "profile_log.h"

namespace tfrt::profiler {
namespace {

using testing::HasSubstr;

std::string TempPath(const char* name) {
  return StrCat(testing::TempDir(), "/tfrt_perfetto_writer_", getpid(), '_', name);
}

std::unique_ptr<ProfileLog> Read(const std::string& path) {
  auto log = std::make_unique<ProfileLog>();
  EXPECT_TRUE(ReadPerfetto(path, *log).ok());
  EXPECT_EQ(log->num_finished, 1);
  return log;
}

TEST(PerfettoWriterTest, WhatIsReadIsWhatWasWritten) {
  const std::string path = TempPath("random");
  for (uint64_t seed = 0; seed < 60; ++seed) {
    auto writer = PerfettoWriter::Create(path, seed % 2 == 0 ? 100 : 1 << 20);
    ASSERT_TRUE(writer.ok());
    ProfileLog written;
    TellRandomProfile(seed, seed * 10, {writer->get(), &written});
    ASSERT_TRUE((*writer)->Finish().ok());
    EXPECT_EQ((*writer)->num_bytes(), ReadFile(path)->size());
    ASSERT_EQ(Read(path)->lines, written.lines) << "seed " << seed;
  }
  unlink(path.c_str());
}

TEST(PerfettoWriterTest, WhatWasFlushedIsThereWhenTheProgramIsKilled) {
  const std::string path = TempPath("killed");
  const pid_t child = fork();
  if (child == 0) {
    auto writer = PerfettoWriter::Create(path);
    (*writer)->AddString("name");
    (*writer)->AddType({.name = "type"});
    (*writer)->AddTrack({});
    for (int64_t i = 0; i < 1000; ++i) (*writer)->AddEvent({.begin_ns = i, .end_ns = i + 1});
    (*writer)->Flush();
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  auto log = Read(path);
  EXPECT_EQ(log->num_events, 1000u);
  ASSERT_EQ(log->problems.size(), 1u);
  EXPECT_EQ(log->problems[0].kind, Problem::Kind::kUnfinished);
  EXPECT_THAT(log->problems[0].text, HasSubstr("the program did not finish the profile"));
  unlink(path.c_str());
}

TEST(PerfettoWriterTest, TextsWithoutEventsAreThere) {
  const std::string path = TempPath("texts");
  {
    auto writer = PerfettoWriter::Create(path);
    ASSERT_TRUE(writer.ok());
    (*writer)->AddString(std::string(3 << 20, 'x'));
    (*writer)->AddString("");
    ASSERT_TRUE((*writer)->Finish().ok());
    ASSERT_TRUE((*writer)->Finish().ok());
  }
  auto log = Read(path);
  ASSERT_EQ(log->lines.size(), 2u);
  EXPECT_EQ(log->lines[0].size(), (3u << 20) + 7);
  EXPECT_EQ(log->lines[1], "string ");
  unlink(path.c_str());
}

TEST(PerfettoWriterTest, FilesThatCannotBeWrittenAreErrors) {
  auto none = PerfettoWriter::Create("/no/such/folder/x.pftrace");
  EXPECT_EQ(none.status().message(),
            "cannot write '/no/such/folder/x.pftrace': No such file or directory");
  const int full = open("/dev/full", O_WRONLY);
  auto writer = PerfettoWriter::ToDescriptor(full, "full.pftrace");
  writer->AddString("name");
  EXPECT_EQ(writer->Finish().message(), "cannot write 'full.pftrace': No space left on device");
  close(full);
}

// The error of a profile with one bad event.
std::string ErrorOf(const EventFields& event) {
  const int null = open("/dev/null", O_WRONLY);
  auto writer = PerfettoWriter::ToDescriptor(null, "x");
  writer->AddString("name");
  writer->AddType({.name = "type", .arguments = {{"a", ArgumentType::kName}}});
  writer->AddTrack({});
  writer->AddEvent(event);
  writer->AddEvent(event);
  const Status status = writer->Finish();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  close(null);
  return std::string(status.message());
}

TEST(PerfettoWriterTest, EventsOfWhatIsNotThereAreErrors) {
  const std::array<uint64_t, 1> arguments = {0}, wrong = {9};
  EXPECT_EQ(ErrorOf({.type = 3, .arguments = arguments}),
            "cannot write 'x': an event has type 3, but there are 1");
  EXPECT_EQ(ErrorOf({.name = 4, .arguments = arguments}),
            "cannot write 'x': an event has name 4, but there are 1");
  EXPECT_EQ(ErrorOf({.track = 5, .arguments = arguments}),
            "cannot write 'x': an event has track 5, but there are 1");
  EXPECT_EQ(ErrorOf({}), "cannot write 'x': an event of type 0 has 0 arguments instead of 1");
  EXPECT_EQ(ErrorOf({.arguments = wrong}),
            "cannot write 'x': an event has an argument with the name 9, but there are 1");
}

TEST(PerfettoWriterTest, TypesWithTooManyArgumentsAreErrors) {
  const int null = open("/dev/null", O_WRONLY);
  auto writer = PerfettoWriter::ToDescriptor(null, "x");
  writer->AddType({.name = "wide", .arguments = std::vector<EventType::Argument>(17)});
  EXPECT_EQ(writer->Finish().message(),
            "cannot write 'x': type 'wide' has 17 arguments, more than 16");
  close(null);
}

TEST(PerfettoWriterTest, TextsThatCouldNotBeReadAreErrors) {
  const int null = open("/dev/null", O_WRONLY);
  auto writer = PerfettoWriter::ToDescriptor(null, "x");
  writer->AddString(std::string(65 << 20, 'x'));
  EXPECT_THAT(std::string(writer->Finish().message()),
              testing::MatchesRegex("cannot write 'x': a packet of 6815[0-9]* bytes, more than "
                                    "67108864"));
  close(null);
}

}  // namespace
}  // namespace tfrt::profiler
