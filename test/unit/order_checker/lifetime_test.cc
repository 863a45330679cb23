// Lifetimes: allocation, free, reuse, and addresses of the wrong memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "test/support/order_checker/order_checker.h"

namespace tfrt {
namespace {

using Kind = TimelineObserver::AccessKind;
using Space = TimelineObserver::Space;
using Timeline = TimelineObserver::Timeline;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Timeline kHost = TimelineObserver::kCallingThread;
constexpr Space kHostMemory = TimelineObserver::kHostMemory;

class LifetimeTest : public testing::Test {
 protected:
  static const void* At(uintptr_t offset) { return reinterpret_cast<void*>(0x10000 + offset); }

  void Use(Timeline timeline, const char* operation, uintptr_t begin, size_t size_bytes,
           Kind kind = Kind::kWrite) {
    UseAddress(timeline, operation, space_, At(begin), size_bytes, kind);
  }
  void UseAddress(Timeline timeline, const char* operation, Space space, const void* address,
                  size_t size_bytes, Kind kind = Kind::kWrite) {
    TimelineObserver::Access access[] = {{space, kind, address, size_bytes}};
    checker_.Use(timeline, operation, access);
  }
  void Allocate(Timeline timeline, uintptr_t begin, size_t size_bytes) {
    checker_.Allocate(timeline, "allocate", space_, At(begin), size_bytes);
  }
  void Free(Timeline timeline, uintptr_t begin) {
    checker_.Free(timeline, "free", space_, At(begin));
  }
  void Order(Timeline before, Timeline behind) { checker_.Wait(behind, checker_.Record(before)); }

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
  Space space_ = checker_.AddSpace("dev", At(0), 0x10000);
  Timeline a_ = checker_.AddTimeline("a");
  Timeline b_ = checker_.AddTimeline("b");
};

TEST_F(LifetimeTest, ABlockLivesInTheOrderOfItsStream) {
  Allocate(a_, 0x100, 64);
  Use(a_, "w", 0x100, 64);
  Free(a_, 0x100);
  Allocate(a_, 0x100, 128);
  Use(a_, "w", 0x100, 128);
  Order(a_, b_);
  Use(b_, "w", 0x100, 128);
  Free(b_, 0x100);
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(LifetimeTest, UseBeforeAllocation) {
  Use(a_, "w", 0x100, 16);
  Allocate(a_, 0x100, 64);
  Use(b_, "w2", 0x100, 16);
  EXPECT_THAT(
      Reports(),
      ElementsAre("use before allocation: 'w' on a writes bytes 0x100 to 0x110 of dev, where "
                  "no block is allocated",
                  "use before allocation: 'w2' on b writes bytes 0x100 to 0x110 of dev, "
                  "which 'allocate' on a allocates; nothing orders this behind that"));
}

TEST_F(LifetimeTest, UseAfterFree) {
  Allocate(a_, 0x100, 64);
  Free(a_, 0x100);
  Use(a_, "w", 0x110, 16);
  EXPECT_THAT(Reports(), ElementsAre("use after free: 'w' on a writes bytes 0x110 to 0x120 of dev, "
                                     "which 'free' on a frees; no wait makes the free the last of "
                                     "the two"));
}

TEST_F(LifetimeTest, AFreeThatDoesNotWaitForAUse) {
  Allocate(a_, 0x100, 64);
  Order(a_, b_);
  Use(b_, "r", 0x100, 64, Kind::kRead);
  Free(a_, 0x100);
  EXPECT_THAT(Reports(),
              ElementsAre("use after free: 'free' on a frees bytes 0x100 to 0x140 of dev, "
                          "which 'r' on b reads; no wait makes the free the last of the "
                          "two"));
}

TEST_F(LifetimeTest, ReuseMustComeBehindTheFree) {
  Allocate(a_, 0x100, 64);
  Free(a_, 0x100);
  Allocate(b_, 0x120, 8);
  EXPECT_THAT(Reports(), ElementsAre("reused too early: 'allocate' on b allocates bytes 0x120 to "
                                     "0x128 of dev, which 'free' on a frees; nothing orders this "
                                     "behind that"));
  Order(a_, b_);
  Allocate(b_, 0x130, 8);
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(LifetimeTest, ABlockInUseIsNotFree) {
  Allocate(a_, 0x100, 64);
  Allocate(a_, 0x13f, 64);
  EXPECT_THAT(Defects(), ElementsAre(Defect::kReusedTooEarly));
}

// Whatever has been freed stays known, also where a smaller block has come up in its midst.
TEST_F(LifetimeTest, TheRestOfAFreeBlockStaysFree) {
  Allocate(a_, 0x100, 0x100);
  Free(a_, 0x100);
  Allocate(a_, 0x140, 0x10);
  Use(a_, "before", 0x130, 8);
  Use(a_, "in", 0x140, 0x10);
  Use(a_, "behind", 0x150, 8);
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUseAfterFree, Defect::kUseAfterFree));
}

TEST_F(LifetimeTest, OutOfBounds) {
  Allocate(a_, 0x100, 64);
  Use(a_, "w", 0x100, 65);
  EXPECT_THAT(Reports(),
              ElementsAre("out of bounds: 'w' on a writes bytes 0x100 to 0x141 of dev, of "
                          "which the last are not in its block"));
  Allocate(a_, 0xffc0, 64);
  Use(a_, "w", 0xffe0, 64);
  EXPECT_THAT(Defects(), ElementsAre(Defect::kOutOfBounds)) << "at the end of the memory, too";
}

TEST_F(LifetimeTest, DoubleFreeAndFreeOfNoBlock) {
  Allocate(a_, 0x100, 64);
  Free(a_, 0x110);
  Free(a_, 0x100);
  Free(b_, 0x100);
  EXPECT_THAT(Reports(), ElementsAre("free of no block: 'free' on a frees bytes 0x110 to 0x111 of "
                                     "dev, where no block begins",
                                     "double free: 'free' on b frees bytes 0x100 to 0x140 of dev, "
                                     "which 'free' on a frees already"));
}

TEST_F(LifetimeTest, EmptyBlocksAndUsesAreNothing) {
  Allocate(a_, 0x100, 0);
  Use(b_, "w", 0x100, 0);
  UseAddress(b_, "w", space_, nullptr, 0);
  Free(a_, 0x100);
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(LifetimeTest, WrongMemory) {
  Space other = checker_.AddSpace("other", At(0x20000), 0x1000);
  char bytes[8];
  Allocate(a_, 0x100, 64);
  UseAddress(a_, "host for device", space_, bytes, sizeof(bytes));
  UseAddress(a_, "device for host", kHostMemory, At(0x100), 8);
  UseAddress(a_, "device for other", other, At(0x100), 8);
  checker_.Free(a_, "free host", space_, bytes);
  std::vector<OrderReport> reports = checker_.TakeReports();
  ASSERT_EQ(reports.size(), 4u);
  for (const OrderReport& report : reports) EXPECT_EQ(report.defect, Defect::kWrongMemory);
  EXPECT_EQ(reports[0].memory, "host memory");
  EXPECT_EQ(reports[0].needed_memory, "dev");
  EXPECT_EQ(reports[1].ToString(),
            "wrong memory: 'device for host' on a writes bytes 0x100 to 0x108 of dev where an "
            "address of host memory is needed");
  EXPECT_EQ(reports[2].needed_memory, "other");
  EXPECT_EQ(reports[3].memory, "host memory");
}

TEST_F(LifetimeTest, HostMemoryNeedNotBeToldOf) {
  char bytes[8];
  UseAddress(a_, "copy", kHostMemory, bytes, sizeof(bytes), Kind::kRead);
  EXPECT_THAT(Reports(), IsEmpty());
  UseAddress(kHost, "fill", kHostMemory, bytes, sizeof(bytes));
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUnordered));
}

TEST_F(LifetimeTest, HostMemoryIsNotFreedUnderACopy) {
  char bytes[8];
  checker_.Allocate(kHost, "new", kHostMemory, bytes, sizeof(bytes));
  UseAddress(a_, "copy", kHostMemory, bytes, sizeof(bytes), Kind::kRead);
  checker_.Free(kHost, "delete", kHostMemory, bytes);
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUseAfterFree));
  // Its next owner is somebody else, who tells nothing.
  UseAddress(b_, "copy", kHostMemory, bytes, sizeof(bytes));
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(LifetimeTest, HostMemoryThatIsFreeIsForgotten) {
  char bytes[8];
  checker_.Allocate(a_, "new", kHostMemory, bytes, sizeof(bytes));
  checker_.Free(a_, "delete", kHostMemory, bytes);
  UseAddress(b_, "its next owner", kHostMemory, bytes, sizeof(bytes));
  EXPECT_THAT(Reports(), IsEmpty());
  checker_.Free(a_, "delete", kHostMemory, bytes);
  EXPECT_THAT(Defects(), ElementsAre(Defect::kFreeOfNoBlock));
}

// What becomes the memory of a device was given back by whoever had it, and so it is afterwards.
TEST_F(LifetimeTest, HostMemoryUnderThatOfADeviceIsForgotten) {
  UseAddress(a_, "w", kHostMemory, At(0x20000), 8);
  checker_.RemoveSpace(checker_.AddSpace("other", At(0x20000), 0x1000));
  UseAddress(b_, "w", kHostMemory, At(0x20000), 8);
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(LifetimeTest, ARemovedMemoryIsForgotten) {
  Allocate(a_, 0x100, 64);
  Use(a_, "w", 0x100, 64);
  checker_.RemoveSpace(space_);
  UseAddress(b_, "w", kHostMemory, At(0x100), 64);
  space_ = checker_.AddSpace("next", At(0), 0x10000);
  Allocate(b_, 0x100, 64);
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST(ReadOfUnwrittenTest, IsReportedIfAskedFor) {
  OrderChecker checker({.report_reads_of_unwritten = true});
  void* block = reinterpret_cast<void*>(0x10000);
  void* second_half = reinterpret_cast<void*>(0x10020);
  Space space = checker.AddSpace("dev", block, 0x1000);
  Timeline a = checker.AddTimeline("a");
  checker.Allocate(a, "allocate", space, block, 64);
  TimelineObserver::Access write[] = {{space, Kind::kWrite, block, 32}};
  TimelineObserver::Access read[] = {{space, Kind::kRead, block, 64}};
  TimelineObserver::Access write_rest[] = {{space, Kind::kWrite, second_half, 32}};
  checker.Use(a, "w", write);
  checker.Use(a, "r", read);
  std::vector<OrderReport> reports = checker.TakeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].ToString(),
            "read of unwritten: 'r' on a reads bytes 0x20 to 0x40 of dev, which 'allocate' on a "
            "allocates; nothing has written them since");
  checker.Use(a, "w2", write_rest);
  checker.Use(a, "r", read);
  EXPECT_THAT(checker.TakeReports(), IsEmpty());
}

}  // namespace
}  // namespace tfrt
