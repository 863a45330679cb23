#include "lib/profiler/perfetto/perfetto_reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "lib/profiler/perfetto/perfetto_writer.h"
#include "profile_log.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {
namespace {

using testing::HasSubstr;

// The bytes of a random profile.
std::string Written(uint64_t seed, size_t num_events, ProfileLog* log) {
  const int file = memfd_create("profile", MFD_CLOEXEC);
  auto writer = PerfettoWriter::ToDescriptor(file, "profile");
  TellRandomProfile(seed, num_events, {writer.get(), log});
  EXPECT_TRUE(writer->Finish().ok());
  std::string bytes(writer->num_bytes(), '\0');
  EXPECT_EQ(pread(file, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  close(file);
  return bytes;
}

Status ReadBytes(std::string_view bytes, ProfileConsumer& consumer) {
  return ReadPerfetto(*ProfileSource::OfBytes(bytes, "t"), consumer);
}

TEST(PerfettoReaderTest, CutAnywhereItGivesAllThatIsComplete) {
  ProfileLog written;
  const std::string bytes = Written(3, 25, &written);
  size_t num_before = 0;
  for (size_t size = 1; size <= bytes.size(); ++size) {
    ProfileLog log;
    const Status status = ReadBytes(std::string_view(bytes).substr(0, size), log);
    if (!status.ok()) {  // within the first packet
      EXPECT_THAT(std::string(status.message()), HasSubstr("no packet of a Perfetto trace"));
      EXPECT_LT(size, 16u);
      continue;
    }
    const bool is_whole = size == bytes.size();
    EXPECT_EQ(std::ranges::count(log.problems, Problem::Kind::kUnfinished, &Problem::kind),
              is_whole ? 0 : 1);
    // At most: cut between packets, and between the begin and the end of a slice.
    std::erase_if(log.lines,
                  [](const std::string& line) { return line.find(" t: ") != line.npos; });
    ASSERT_LE(log.lines.size(), written.lines.size());
    EXPECT_TRUE(std::ranges::equal(log.lines.begin(), log.lines.end(), written.lines.begin(),
                                   written.lines.begin() + log.lines.size()));
    EXPECT_GE(log.lines.size(), num_before);
    num_before = log.lines.size();
  }
  EXPECT_EQ(num_before, written.lines.size());
}

TEST(PerfettoReaderTest, WhereAFileEndsInTheMiddleIsSaid) {
  ProfileLog written, log;
  const std::string bytes = Written(3, 10, &written);
  ASSERT_TRUE(ReadBytes(std::string_view(bytes).substr(0, bytes.size() - 1), log).ok());
  ASSERT_EQ(log.problems.size(), 2u);
  EXPECT_EQ(log.problems[0].kind, Problem::Kind::kTruncated);
  EXPECT_THAT(log.problems[0].text, HasSubstr("the file ends in the middle"));
  EXPECT_THAT(log.problems[0].text, HasSubstr("t: offset "));
}

TEST(PerfettoReaderTest, ChangedBytesAreSurvived) {
  ProfileLog written;
  const std::string bytes = Written(5, 20, &written);
  std::mt19937_64 random(1);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(random());
    if (i % 2 == 0) changed[random() % changed.size()] ^= static_cast<char>(1 << (i % 8));
    ProfileBuilder builder;
    Status status = ReadBytes(changed, builder);
    if (!status.ok()) EXPECT_THAT(std::string(status.message()), HasSubstr("t: offset "));
    builder.Build();
  }
}

TEST(PerfettoReaderTest, WhatIsNoProfileIsAnError) {
  ProfileLog log;
  EXPECT_EQ(ReadBytes("", log).message(), "t: offset 0: no packet of a Perfetto trace");
  EXPECT_EQ(ReadBytes("\x07", log).message(), "t: offset 0: no packet of a Perfetto trace");
  EXPECT_THAT(std::string(ReadPerfetto("/no/such/file", log).message()),
              HasSubstr("cannot read '/no/such/file': No such file"));
  EXPECT_THAT(std::string(ReadPerfetto("/", log).message()), HasSubstr("Is a directory"));
  EXPECT_EQ(log.num_finished, 0);
}

TEST(PerfettoReaderTest, LargePacketsAreRefused) {
  ProfileLog log;
  // 0x0a, length 2^31 - 1.
  const Status status = ReadBytes("\x0a\xff\xff\xff\xff\x07...", log);
  EXPECT_EQ(status.message(), "t: offset 0: a packet of 2147483647 bytes, more than 67108864");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
}

TEST(PerfettoReaderTest, LengthsInsideOfPacketsAreChecked) {
  ProfileLog written;
  std::string bytes = Written(3, 0, &written);
  // A track event that says it has 2^28 bytes; one in one in one.
  bytes += std::string("\x0a\x06\x5a\xff\xff\xff\x7f\x00", 8);
  for (int depth = 1; depth < 100; ++depth) {
    std::string bomb;
    for (int i = 0; i < depth; ++i) bomb = StrCat(std::string_view("\x5a\x7f", 2), bomb);
    bytes +=
        StrCat('\x0a', static_cast<char>(bomb.size() & 0x7f), bomb.substr(0, 0x7f & bomb.size()));
  }
  ProfileLog log;
  ASSERT_TRUE(ReadBytes(bytes, log).ok());
  const auto& problems = log.problems;
  ASSERT_GE(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, Problem::Kind::kUnreadable);
  EXPECT_THAT(problems[0].text, HasSubstr("packets are not what they should be: left out"));
}

TEST(PerfettoReaderTest, WhatFollowsNoFieldIsLeftOut) {
  ProfileLog written, log;
  const std::string bytes = Written(3, 5, &written);
  ASSERT_TRUE(ReadBytes(bytes + "\x07" + bytes, log).ok());
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].text,
            StrCat("t: offset ", bytes.size(), ": no packet; what follows is left out"));
}

TEST(PerfettoReaderTest, ASecondProfileIsLeftOut) {
  ProfileLog written, log;
  const std::string bytes = Written(3, 5, &written);
  ASSERT_TRUE(ReadBytes(bytes + bytes, log).ok());
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].kind, Problem::Kind::kUnknown);
  EXPECT_EQ(log.problems[0].text,
            StrCat("t: offset ", bytes.size(), ": another profile begins, which is left out"));
}

TEST(PerfettoReaderTest, NewerFormatsAreReadAsFarAsTheyAreKnown) {
  ProfileLog written, log;
  std::string bytes = Written(3, 5, &written);
  // The first packet ends with the field `format`, 1.
  const size_t at = bytes.find(std::string("\x08\x01", 2));
  ASSERT_LT(at, 16u);
  bytes[at + 1] = 7;
  ASSERT_TRUE(ReadBytes(bytes, log).ok());
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].kind, Problem::Kind::kUnknown);
  EXPECT_EQ(log.problems[0].text,
            "t: the profile has format 7, this program knows formats up to 1");
  EXPECT_EQ(log.num_events, written.num_events);
}

TEST(PerfettoReaderTest, PacketsOfOthersAreCounted) {
  ProfileLog written, log;
  std::string bytes = Written(3, 5, &written);
  bytes += std::string("\x0a\x02\x50\x09", 4);  // of sequence 9
  ASSERT_TRUE(ReadBytes(bytes, log).ok());
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].kind, Problem::Kind::kUnknown);
  EXPECT_EQ(log.problems[0].text, "t: 1 packets or fields are of kinds that are not known");
}

TEST(PerfettoReaderTest, TheConsumersErrorIsTheReaders) {
  ProfileLog written, log;
  const std::string bytes = Written(3, 5, &written);
  log.finish_status = InternalError("full");
  EXPECT_EQ(ReadBytes(bytes, log).message(), "full");
}

}  // namespace
}  // namespace tfrt::profiler
