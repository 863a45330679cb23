// Order: which uses of the same bytes the checker finds ordered, and which not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "test/support/order_checker/order_checker.h"

namespace tfrt {
namespace {

using Kind = TimelineObserver::AccessKind;
using Timeline = TimelineObserver::Timeline;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Timeline kHost = TimelineObserver::kCallingThread;

class OrderTest : public testing::Test {
 protected:
  // An address of the device. Nobody looks at what is there.
  static const void* At(uintptr_t offset) { return reinterpret_cast<void*>(kBegin + offset); }
  static constexpr uintptr_t kBegin = 0x10000;

  void Use(Timeline timeline, const char* operation, Kind kind, uintptr_t begin = 0,
           size_t size_bytes = 256) {
    TimelineObserver::Access access[] = {{space_, kind, At(begin), size_bytes}};
    checker_.Use(timeline, operation, access);
  }
  void Read(Timeline timeline, const char* operation) { Use(timeline, operation, Kind::kRead); }
  void Write(Timeline timeline, const char* operation) { Use(timeline, operation, Kind::kWrite); }

  std::vector<std::string> Reports() {
    std::vector<std::string> texts;
    for (const OrderReport& report : checker_.TakeReports()) texts.push_back(report.ToString());
    return texts;
  }
  std::vector<Defect> Defects() {
    std::vector<Defect> defects;
    for (const OrderReport& report : checker_.TakeReports()) defects.push_back(report.defect);
    return defects;
  }

  OrderChecker checker_;
  TimelineObserver::Space space_ = checker_.AddSpace("dev", At(0), 0x10000);
  Timeline a_ = checker_.AddTimeline("a");
  Timeline b_ = checker_.AddTimeline("b");
  Timeline c_ = checker_.AddTimeline("c");

  void SetUp() override { checker_.Allocate(kHost, "block", space_, At(0), 0x1000); }
};

TEST_F(OrderTest, WhatIsOnOneTimelineIsOrdered) {
  Write(a_, "w1");
  Read(a_, "r");
  Write(a_, "w2");
  Use(a_, "rw", Kind::kReadWrite);
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(OrderTest, AMissingWaitIsNamedWithBothSides) {
  Write(a_, "copy x");
  Read(b_, "relu");
  EXPECT_THAT(Reports(),
              ElementsAre("unordered: 'relu' on b reads bytes 0x0 to 0x100 of dev, which "
                          "'copy x' on a writes; nothing orders the two"));
}

TEST_F(OrderTest, EachPairWithAChangeConflicts) {
  for (Kind first : {Kind::kRead, Kind::kWrite, Kind::kReadWrite}) {
    for (Kind second : {Kind::kRead, Kind::kWrite, Kind::kReadWrite}) {
      checker_.Wait(a_, checker_.Record(b_));
      Use(a_, "first", first);
      Use(b_, "second", second);
      bool conflict = first != Kind::kRead || second != Kind::kRead;
      EXPECT_THAT(Reports(), SizeIs(conflict ? 1 : 0));
    }
  }
}

TEST_F(OrderTest, OnlyBytesOfBothConflict) {
  Use(a_, "w", Kind::kWrite, 0, 256);
  Use(b_, "behind", Kind::kWrite, 256, 256);
  EXPECT_THAT(Reports(), IsEmpty());
  Use(c_, "across", Kind::kWrite, 255, 2);
  std::vector<OrderReport> reports = checker_.TakeReports();
  ASSERT_THAT(reports, SizeIs(2));
  EXPECT_EQ(reports[0].earlier_operation, "w");
  EXPECT_EQ(reports[0].begin, 255u);
  EXPECT_EQ(reports[0].size_bytes, 1u);
  EXPECT_EQ(reports[1].earlier_operation, "behind");
  EXPECT_EQ(reports[1].begin, 256u);
}

TEST_F(OrderTest, OneStretchIsOneReport) {
  Use(a_, "w", Kind::kWrite, 0, 1000);
  Use(a_, "inner", Kind::kRead, 300, 100);
  Use(a_, "inner", Kind::kRead, 500, 100);
  Use(b_, "w2", Kind::kWrite, 100, 800);
  std::vector<OrderReport> reports = checker_.TakeReports();
  ASSERT_THAT(reports, SizeIs(3));
  EXPECT_EQ(reports[0].earlier_operation, "w");
  EXPECT_EQ(reports[0].begin, 100u);
  EXPECT_EQ(reports[0].size_bytes, 800u);
}

TEST_F(OrderTest, OneOperationMayUseBytesTwice) {
  TimelineObserver::Access in_place[] = {{space_, Kind::kRead, At(0), 64},
                                         {space_, Kind::kWrite, At(0), 64}};
  checker_.Use(a_, "in place", in_place);
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(OrderTest, AnEventOrdersWhatIsBeforeItWithWhatWaits) {
  Write(a_, "w");
  auto event = checker_.Record(a_);
  checker_.Wait(b_, event);
  Read(b_, "r");
  EXPECT_THAT(Reports(), IsEmpty());
  Write(a_, "w2");
  EXPECT_THAT(Reports(), SizeIs(1)) << "an event orders nothing the other way round";
}

TEST_F(OrderTest, AnEventDoesNotOrderWhatIsBehindIt) {
  auto event = checker_.Record(a_);
  Write(a_, "w");
  checker_.Wait(b_, event);
  Read(b_, "r");
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUnordered));
}

TEST_F(OrderTest, AWaitThatComesTooLateOrdersNothing) {
  Write(a_, "w");
  auto event = checker_.Record(a_);
  Read(b_, "r");
  checker_.Wait(b_, event);
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUnordered));
}

// An event object that is recorded again: who waited before has waited for the first record.
TEST_F(OrderTest, ANewRecordIsANewEvent) {
  auto first = checker_.Record(a_);
  checker_.Wait(b_, first);
  Write(a_, "w");
  auto second = checker_.Record(a_);
  EXPECT_NE(first, second);
  Read(b_, "r");
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUnordered));
  checker_.Wait(c_, first);
  Read(c_, "r");
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUnordered));
  checker_.Wait(c_, second);
  Read(c_, "r");
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(OrderTest, OrderIsTransitive) {
  Write(a_, "w");
  checker_.Wait(b_, checker_.Record(a_));
  checker_.Wait(c_, checker_.Record(b_));
  Write(c_, "w2");
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(OrderTest, OrderGoesThroughManyTimelines) {
  std::vector<Timeline> timelines;
  for (int i = 0; i < 200; ++i) timelines.push_back(checker_.AddTimeline(std::to_string(i)));
  Write(timelines[0], "w");
  for (int i = 1; i < 200; ++i) checker_.Wait(timelines[i], checker_.Record(timelines[i - 1]));
  Write(timelines[199], "last");
  EXPECT_THAT(Reports(), IsEmpty());
  Read(timelines[198], "r");
  EXPECT_THAT(Reports(), ElementsAre("unordered: 'r' on 198 reads bytes 0x0 to 0x100 of dev, which "
                                     "'last' on 199 writes; nothing orders the two"));
}

TEST_F(OrderTest, TheHostIsOrderedBeforeWhatItEnqueuesAndNotBehindIt) {
  Write(kHost, "fill");
  Read(a_, "copy");
  EXPECT_THAT(Reports(), IsEmpty());
  Write(kHost, "fill again");
  EXPECT_THAT(Reports(),
              ElementsAre("unordered: 'fill again' on host writes bytes 0x0 to 0x100 of dev, which "
                          "'copy' on a reads; nothing orders the two"));
}

TEST_F(OrderTest, AHostThatWaitsOrdersStreams) {
  Write(a_, "w");
  checker_.Wait(kHost, checker_.Record(a_));
  Read(kHost, "look");
  Write(b_, "w2");
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(OrderTest, AWaitForAnUnknownEventIsReported) {
  auto event = checker_.Record(a_);
  checker_.Forget(event);
  checker_.Wait(b_, event);
  EXPECT_THAT(Reports(), ElementsAre("unknown event: 'wait for event 1' on b"));
}

TEST_F(OrderTest, ReportsBeyondTheLimitAreCounted) {
  for (size_t i = 0; i < OrderChecker::kMaxReports + 5; ++i) {
    Write(i % 2 == 0 ? a_ : b_, "w");
    Write(i % 2 == 0 ? b_ : a_, "w");
  }
  EXPECT_GT(checker_.num_found(), OrderChecker::kMaxReports);
  EXPECT_THAT(checker_.TakeReports(), SizeIs(OrderChecker::kMaxReports));
  EXPECT_EQ(checker_.num_found(), 0u);
}

TEST(OrderCheckerDeathTest, ReportsThatNobodyTakesAbort) {
  auto forget = [] {
    OrderChecker checker;
    checker.Wait(kHost, 7);
  };
  EXPECT_DEATH(forget(),
               "order checker: 1 reports that nobody has taken\n"
               "  unknown event: 'wait for event 7' on host");
}

// Host threads, each of which is a timeline.
class HostThreadsTest : public testing::Test {
 protected:
  void Touch(const char* operation, Kind kind) {
    TimelineObserver::Access access[] = {{TimelineObserver::kHostMemory, kind, &bytes_, 8}};
    checker_.Use(kHost, operation, access);
  }

  OrderChecker checker_{{.host_threads = OrderCheckerOptions::HostThreads::kEach}};
  uint64_t bytes_ = 0;
};

TEST_F(HostThreadsTest, KnowNothingOfEachOther) {
  std::thread([&] { Touch("w", Kind::kWrite); }).join();
  std::thread([&] { Touch("r", Kind::kRead); }).join();
  std::vector<OrderReport> reports = checker_.TakeReports();
  ASSERT_THAT(reports, SizeIs(1));
  EXPECT_EQ(reports[0].timeline, "host thread 2");
  EXPECT_EQ(reports[0].earlier_timeline, "host thread 1");
}

TEST_F(HostThreadsTest, AreOrderedByAnEventThatIsHandedOver) {
  TimelineObserver::Event event = 0;
  std::thread([&] {
    Touch("w", Kind::kWrite);
    event = checker_.Record(kHost);
  }).join();
  std::thread([&] {
    checker_.Wait(kHost, event);
    Touch("r", Kind::kRead);
  }).join();
  EXPECT_THAT(checker_.TakeReports(), IsEmpty());
}

// What one thread has waited for is nothing that another knows, whenever that was.
TEST_F(HostThreadsTest, DoNotShareTheirWaits) {
  Timeline a = checker_.AddTimeline("a"), b = checker_.AddTimeline("b");
  TimelineObserver::Access write[] = {
      {TimelineObserver::kHostMemory, Kind::kWrite, &bytes_, sizeof(bytes_)}};
  checker_.Use(a, "w", write);
  auto event = checker_.Record(a);
  std::thread([&] { checker_.Wait(kHost, event); }).join();
  std::thread([&] { checker_.Use(b, "w2", write); }).join();
  EXPECT_THAT(checker_.TakeReports(), SizeIs(1));
}

}  // namespace
}  // namespace tfrt
