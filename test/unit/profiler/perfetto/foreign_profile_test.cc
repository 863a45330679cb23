// Perfetto traces of other producers, put together field by field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profiler/perfetto/perfetto_reader.h"
#include "profile_log.h"

namespace tfrt::profiler {
namespace {

using testing::ElementsAre;

std::string Varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
std::string Number(uint32_t field, uint64_t value) { return Varint(field << 3) + Varint(value); }
std::string Bytes(uint32_t field, std::string_view bytes) {
  return StrCat(Varint(field << 3 | 2), Varint(bytes.size()), bytes);
}
std::string Packet(std::string_view fields) { return Bytes(1, fields); }
std::string Slice(uint64_t time, uint64_t type, std::string_view more = "") {
  return Packet(StrCat(Number(8, time), Number(10, 3), Bytes(11, StrCat(Number(9, type), more))));
}

std::unique_ptr<ProfileLog> Read(std::string_view bytes) {
  auto log = std::make_unique<ProfileLog>();
  EXPECT_TRUE(ReadPerfetto(*ProfileSource::OfBytes(bytes, "t"), *log).ok());
  return log;
}

// Thread 12 of process 5 on track 77, the default of sequence 3.
std::string Head() {
  const std::string thread = Number(1, 5) + Number(2, 12) + Bytes(5, "main");
  return Packet(StrCat(Number(10, 3), Number(13, 1), Bytes(59, Bytes(11, Number(11, 77))))) +
         Packet(StrCat(Number(10, 3), Bytes(60, StrCat(Number(1, 77), Bytes(4, thread)))));
}

TEST(ForeignProfileTest, SlicesArePairedAndNamed) {
  const std::string interned =
      Packet(StrCat(Number(10, 3), Bytes(12, StrCat(Bytes(1, Number(1, 4) + Bytes(2, "cat")),
                                                    Bytes(2, Number(1, 9) + Bytes(2, "inner"))))));
  const auto log = Read(Head() + interned + Slice(100, 1, Bytes(23, "outer") + Bytes(22, "c")) +
                        Slice(110, 1, Number(10, 9) + Number(3, 4)) + Slice(115, 3) +
                        Slice(120, 2) + Slice(130, 2));
  EXPECT_THAT(log->lines,
              ElementsAre("type slice 0 1 0 category:3", "type instant 0 2 0 category:3",
                          "string cat", "string inner", "string outer", "string c", "string ",
                          "track 0 main 5 12", "event 1 4 0 3 2 0 0 115 115 0 4",
                          "event 0 1 0 2 1 0 0 110 120 0 0", "event 0 2 0 1 0 0 0 100 130 0 3"));
}

TEST(ForeignProfileTest, WhatIsNotReadIsCounted) {
  const auto log =
      Read(Head() + Slice(100, 4) + Slice(100, 2) + Slice(100, 1) + Packet(Bytes(50, "zip")) +
           Packet(Bytes(11, "\x0f")) + Packet(Bytes(1, "scheduler")) + Packet(Bytes(2, "tree")) +
           Packet(Bytes(1, "more") + Number(79, 3)));
  std::vector<std::string> texts;
  for (const Problem& problem : log->problems) texts.push_back(problem.text);
  EXPECT_THAT(texts,
              ElementsAre("t: 1 packets are not what they should be: left out",
                          "t: 2 packets are counters, or of other kinds that are not read",
                          "t: 3 packets have data that is not read: 2 of field 1, 1 of field 2",
                          "t: 1 ends of slices have no begin: left out",
                          "t: 1 slices have no end: left out"));
}

TEST(ForeignProfileTest, ClocksOfSequencesAreFollowed) {
  // Clock 64 counts microseconds from the one before; 1000 ns of the profile's are its zero.
  const std::string clocks =
      Bytes(1, Number(1, 64) + Number(2, 0) + Number(3, 1) + Number(4, 1000)) +
      Bytes(1, Number(1, 6) + Number(2, 1000));
  const auto log = Read(
      Packet(StrCat(Number(10, 3), Number(41, 1), Bytes(59, Number(58, 64)), Bytes(6, clocks))) +
      Slice(2, 1) + Slice(3, 2) + Packet(Number(58, 65) + Number(8, 1) + Bytes(11, Number(9, 3))));
  EXPECT_EQ(log->lines[4], "event 0 0 0 1 0 0 0 3000 6000 0 0");
  ASSERT_EQ(log->problems.size(), 1u);  // of clock 65 nothing is known
}

TEST(ForeignProfileTest, ThereAreNotMoreSequencesThanSome) {
  std::string bytes;
  for (uint64_t i = 0; i < 66000; ++i) bytes += Packet(Number(10, i));
  const auto log = Read(bytes);
  ASSERT_EQ(log->problems.size(), 1u);
  EXPECT_EQ(log->problems[0].kind, Problem::Kind::kDropped);
  EXPECT_EQ(log->problems[0].text,
            "t: 464 packets or names are left out: too many tracks, names or open slices");
}

TEST(ForeignProfileTest, OpenSlicesOfAllTracksAreCounted) {
  std::string bytes = Head();
  for (uint64_t i = 0; i < 2000; ++i) bytes += Slice(i, 1, Number(11, i * 1000));
  const auto log = Read(bytes);
  ASSERT_EQ(log->problems.size(), 1u);
  EXPECT_EQ(log->problems[0].count, 2000u);
}

}  // namespace
}  // namespace tfrt::profiler
