// Programs on a sim device under the order checker: what is right has no report, and each planted
// defect has one, although the timing is made kind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/devices/sim/accelerator.h"
#include "test/support/order_checker/order_checker.h"
#include "test/unit/sim/gate.h"

namespace tfrt::sim {
namespace {

using Use = Operand::Use;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr size_t kSize = 256;

class CheckedTest : public testing::Test {
 protected:
  void* Allocate(Stream& stream, const char* name) {
    auto block = stream.Allocate(name, kSize);
    EXPECT_TRUE(block.ok()) << block.status().ToString();
    return block.ok() ? *block : nullptr;
  }
  void UseOnHost(const char* operation, const void* bytes, Use use) {
    TimelineObserver::Access access[] = {{TimelineObserver::kHostMemory, use, bytes, kSize}};
    checker_.Use(TimelineObserver::kCallingThread, operation, access);
  }
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
  std::unique_ptr<Accelerator> device_ = *Accelerator::Create({.observer = &checker_});
  Stream& compute_ = device_->compute();
  Stream& h2d_ = device_->h2d();
  Stream& d2h_ = device_->d2h();
};

// Copies in, computes and copies out, on a stream each. Wait number `dropped` is left out; all that
// it would have waited for has happened nevertheless. Returns the number of waits.
int CopyComputeCopy(Accelerator& device, OrderChecker& checker, int dropped) {
  int num_waits = 0;
  auto is_dropped = [&](const Event& event) {
    if (num_waits++ != dropped) return false;
    AwaitByLuck(event);
    return true;
  };
  auto wait_for = [&](Stream& stream, const Event& event) {
    if (!is_dropped(event)) stream.WaitFor(event);
  };
  std::vector<char> in(kSize, 1), out(kSize);
  void* x = *device.h2d().Allocate("x", kSize);
  device.h2d().CopyToDevice("copy in", x, in.data(), kSize);
  wait_for(device.compute(), device.h2d().Record());
  void* y = *device.compute().Allocate("y", kSize);
  device.compute().Launch("double", {{x, kSize, Use::kRead}, {y, kSize, Use::kWrite}},
                          [](std::span<std::byte* const> addresses) {
                            for (size_t i = 0; i < kSize; ++i) {
                              addresses[1][i] = addresses[0][i] << 1;
                            }
                            return OkStatus();
                          });
  Event computed = device.compute().Record();
  wait_for(device.h2d(), computed);
  EXPECT_TRUE(device.h2d().Free("free x", x).ok());
  wait_for(device.d2h(), computed);
  device.d2h().CopyToHost("copy out", out.data(), y, kSize);
  Event copied = device.d2h().Record();
  wait_for(device.compute(), copied);
  EXPECT_TRUE(device.compute().Free("free y", y).ok());
  if (!is_dropped(copied)) {
    EXPECT_TRUE(copied.Wait().ok());
  }
  TimelineObserver::Access look[] = {
      {TimelineObserver::kHostMemory, Use::kRead, out.data(), kSize}};
  checker.Use(TimelineObserver::kCallingThread, "look", look);
  for (char byte : out) EXPECT_EQ(byte, 2);
  // Host memory that copies have used comes back from here.
  EXPECT_TRUE(device.Synchronize().ok());
  return num_waits;
}

TEST_F(CheckedTest, EachWaitThatIsDroppedIsFoundHoweverKindTheTiming) {
  const int num_waits = CopyComputeCopy(*device_, checker_, -1);
  EXPECT_EQ(num_waits, 5);
  EXPECT_THAT(Reports(), IsEmpty());
  const char* wanted[] = {"'double' on sim:0/compute reads", "'free x' on sim:0/h2d frees",
                          "'copy out' on sim:0/d2h reads", "'free y' on sim:0/compute frees",
                          "'look' on host reads"};
  for (int dropped = 0; dropped < num_waits; ++dropped) {
    CopyComputeCopy(*device_, checker_, dropped);
    EXPECT_THAT(Reports(), Contains(HasSubstr(wanted[dropped]))) << dropped;
    CopyComputeCopy(*device_, checker_, -1);
    EXPECT_THAT(Reports(), IsEmpty()) << "behind " << dropped;
  }
}

TEST_F(CheckedTest, AReportNamesBothSidesAndTheBytes) {
  void* block = Allocate(compute_, "x");
  Touch(compute_, "relu", {{block, kSize, Use::kWrite}});
  AwaitByLuck(compute_.Record());
  Touch(d2h_, "sum", {{static_cast<std::byte*>(block) + 64, 64, Use::kRead}});
  EXPECT_THAT(Reports(),
              ElementsAre("unordered: 'sum' on sim:0/d2h reads bytes 0x40 to 0x80 of sim:0, which "
                          "'relu' on sim:0/compute writes; nothing orders the two"));
  d2h_.WaitFor(compute_.Record());
  EXPECT_TRUE(d2h_.Free("x", block).ok());
}

TEST_F(CheckedTest, AHostWaitOrdersAndSoDoesAnEventThatWasSeen) {
  void* block = Allocate(compute_, "x");
  Touch(compute_, "relu", {{block, kSize, Use::kWrite}});
  Event event = compute_.Record();
  AwaitByLuck(event);
  EXPECT_TRUE(event.Poll());
  Touch(d2h_, "sum", {{block, kSize, Use::kReadWrite}});
  EXPECT_TRUE(d2h_.Synchronize().ok());
  EXPECT_TRUE(compute_.Free("x", block).ok());
  EXPECT_THAT(Reports(), IsEmpty());
}

TEST_F(CheckedTest, UseBeforeAllocationInTheOrderOfTheUser) {
  void* block = Allocate(compute_, "x");
  AwaitByLuck(compute_.Record());
  Touch(h2d_, "fill", {{block, kSize, Use::kWrite}});
  EXPECT_THAT(Defects(), ElementsAre(Defect::kUseBeforeAllocation));
  EXPECT_TRUE(h2d_.Free("x", block).ok());
}

TEST_F(CheckedTest, UseAfterFree) {
  void* block = Allocate(compute_, "x");
  EXPECT_TRUE(compute_.Free("free x", block).ok());
  Touch(compute_, "relu", {{block, kSize, Use::kRead}});
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("use after free: 'relu' on sim:0/compute"),
                                           HasSubstr("'free x' on sim:0/compute frees"))));
}

TEST_F(CheckedTest, AFreeThatIsNotOrderedBehindAUse) {
  void* block = Allocate(compute_, "x");
  d2h_.WaitFor(compute_.Record());
  Touch(d2h_, "look", {{block, kSize, Use::kRead}});
  AwaitByLuck(d2h_.Record());
  EXPECT_TRUE(compute_.Free("free x", block).ok());
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("use after free: 'free x' on sim:0/compute"),
                                           HasSubstr("'look' on sim:0/d2h reads"))));
}

TEST_F(CheckedTest, OneByteBehindABlock) {
  void* block = *compute_.Allocate("x", 100);
  Touch(compute_, "relu", {{block, 101, Use::kRead}});
  EXPECT_THAT(Defects(), ElementsAre(Defect::kOutOfBounds));
  EXPECT_TRUE(compute_.Free("x", block).ok());
}

TEST_F(CheckedTest, AddressesOfTheWrongMemory) {
  char on_host[kSize] = {};
  void* block = Allocate(compute_, "x");
  h2d_.WaitFor(compute_.Record());
  Touch(compute_, "host", {{on_host, kSize, Use::kRead}});
  h2d_.CopyToDevice("device", block, block, kSize);
  EXPECT_THAT(Reports(),
              ElementsAre(AllOf(HasSubstr("wrong memory: 'host' on sim:0/compute reads"),
                                HasSubstr("of host memory where an address of sim:0 is needed")),
                          AllOf(HasSubstr("wrong memory: 'device' on sim:0/h2d reads"),
                                HasSubstr("of sim:0 where an address of host memory is needed"))));
  EXPECT_FALSE(compute_.Synchronize().ok()) << "the device finds it, too";
  EXPECT_FALSE(h2d_.Synchronize().ok());
  EXPECT_TRUE(compute_.Free("x", block).ok());
}

TEST_F(CheckedTest, DoubleFree) {
  void* block = Allocate(compute_, "x");
  EXPECT_TRUE(compute_.Free("x", block).ok());
  EXPECT_FALSE(compute_.Free("x", block).ok());
  EXPECT_THAT(Defects(), ElementsAre(Defect::kDoubleFree));
}

TEST_F(CheckedTest, HostMemoryThatACopyStillReads) {
  std::vector<char> in(kSize);
  void* block = Allocate(h2d_, "x");
  UseOnHost("fill", in.data(), Use::kWrite);
  h2d_.CopyToDevice("copy in", block, in.data(), kSize);
  AwaitByLuck(h2d_.Record());
  UseOnHost("fill again", in.data(), Use::kWrite);
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("'fill again' on host writes"),
                                           HasSubstr("'copy in' on sim:0/h2d reads"))));
  EXPECT_TRUE(h2d_.Free("x", block).ok());
}

TEST_F(CheckedTest, CopiesBetweenDevicesAreOrderedLikeOthers) {
  auto other = *Accelerator::Create({.name = "sim:1", .observer = &checker_});
  void* x = Allocate(compute_, "x");
  void* y = Allocate(other->d2d(), "y");
  Touch(compute_, "fill", {{x, kSize, Use::kWrite}});
  Event filled = compute_.Record();
  AwaitByLuck(filled);
  other->d2d().CopyFromPeer("unordered", y, *device_, x, kSize);
  EXPECT_THAT(Reports(), ElementsAre(AllOf(HasSubstr("'unordered' on sim:1/d2d reads"),
                                           HasSubstr("of sim:0, which 'fill' on sim:0/compute"))));
  other->d2d().WaitFor(filled);
  other->d2d().CopyFromPeer("ordered", y, *device_, x, kSize);
  EXPECT_TRUE(other->Synchronize().ok());
  EXPECT_TRUE(compute_.Free("x", x).ok());
  EXPECT_TRUE(other->d2d().Free("y", y).ok());
  EXPECT_THAT(Reports(), IsEmpty());
}

// The system may give these addresses to anybody once the memory is gone.
TEST_F(CheckedTest, TheMemoryOfADestroyedDeviceIsNobodys) {
  auto other = *Accelerator::Create({.name = "sim:1", .observer = &checker_});
  const void* begin = other->memory().begin();
  UseOnHost("early", begin, Use::kRead);
  EXPECT_THAT(Defects(), ElementsAre(Defect::kWrongMemory));
  other.reset();
  UseOnHost("late", begin, Use::kRead);
  EXPECT_THAT(Reports(), IsEmpty());
}

// Counts what a checker would have to remember.
class EventCounter final : public TimelineObserver {
 public:
  Timeline AddTimeline(std::string_view) override { return 1; }
  Space AddSpace(std::string_view, const void*, size_t) override { return 1; }
  void RemoveSpace(Space) override {}
  void Use(Timeline, std::string_view, std::span<const Access>) override {}
  void Allocate(Timeline, std::string_view, Space, const void*, size_t) override {}
  void Free(Timeline, std::string_view, Space, const void*) override {}
  Event Record(Timeline) override {
    std::lock_guard lock(mutex_);
    ++num_remembered_;
    return ++last_;
  }
  void Wait(Timeline, Event) override {}
  void Forget(Event) override {
    std::lock_guard lock(mutex_);
    --num_remembered_;
  }
  int num_remembered() const {
    std::lock_guard lock(mutex_);
    return num_remembered_;
  }

 private:
  mutable std::mutex mutex_;
  TimelineObserver::Event last_ = 0;
  int num_remembered_ = 0;
};

TEST(ObserverTest, EventsThatNobodyHoldsAreForgotten) {
  EventCounter counter;
  Event held;
  {
    auto device = *Accelerator::Create({.observer = &counter});
    for (int i = 0; i < 100; ++i) {
      void* block = *device->compute().Allocate("x", kSize);
      device->d2h().WaitFor(device->compute().Record());
      EXPECT_TRUE(device->compute().Free("x", block).ok());
    }
    EXPECT_TRUE(device->Synchronize().ok());
    held = device->compute().Record();
    EXPECT_TRUE(device->Close().ok());
    // This one, and that behind which the block is free.
    EXPECT_EQ(counter.num_remembered(), 2);
  }
  EXPECT_EQ(counter.num_remembered(), 1);
  held = Event();
  EXPECT_EQ(counter.num_remembered(), 0);
}

}  // namespace
}  // namespace tfrt::sim
