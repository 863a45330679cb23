// The life of an accelerator.

#include "lib/devices/sim/accelerator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "test/unit/sim/gate.h"

namespace tfrt::sim {
namespace {

using testing::HasSubstr;

TEST(AcceleratorTest, HasStreamsForKernelsAndCopies) {
  auto device = *Accelerator::Create({.name = "sim:3"});
  EXPECT_EQ(device->name(), "sim:3");
  EXPECT_EQ(device->compute().name(), "sim:3/compute");
  EXPECT_EQ(device->h2d().name(), "sim:3/h2d");
  EXPECT_EQ(device->d2h().name(), "sim:3/d2h");
  EXPECT_EQ(device->d2d().name(), "sim:3/d2d");
  EXPECT_EQ(device->memory().size_bytes(), size_t{1} << 30);
  EXPECT_TRUE(device->Close().ok());
}

TEST(AcceleratorTest, NoMemoryIsAnError) {
  EXPECT_EQ(Accelerator::Create({.memory_bytes = SIZE_MAX / 4}).status().code(),
            StatusCode::kResourceExhausted);
}

TEST(AcceleratorTest, SynchronizeWaitsForAllStreams) {
  auto device = *Accelerator::Create();
  Stream& more = device->AddStream("more");
  Gate gate;
  int ran = 0;
  gate.Hold(device->d2d());
  more.WaitFor(device->d2d().Record());
  more.Launch("run", {}, [&](auto) {
    ran = 1;
    return OkStatus();
  });
  device->h2d().Launch("open", {}, [&](auto) {
    gate.Open();
    return OkStatus();
  });
  EXPECT_TRUE(device->Synchronize().ok());
  EXPECT_EQ(ran, 1);
}

TEST(AcceleratorTest, DestructionWaitsForAllWork) {
  int ran = 0;
  Event event;
  {
    auto device = *Accelerator::Create({.delay = {.at_least = std::chrono::milliseconds(1)}});
    for (int i = 0; i < 5; ++i) {
      device->compute().Launch("run", {}, [&](auto) {
        ++ran;
        return OkStatus();
      });
      device->d2h().WaitFor(device->compute().Record());
      device->compute().WaitFor(device->d2h().Record());
    }
    event = device->d2h().Record();
  }
  EXPECT_EQ(ran, 5);
  EXPECT_TRUE(event.Poll()) << "events may outlive their device";
  EXPECT_TRUE(event.Wait().ok());
  EXPECT_TRUE(event.done().IsConcrete());
}

// Work of a stream that another one made while all were closed.
TEST(AcceleratorTest, DestructionWaitsForWhatOperationsEnqueue) {
  int ran = 0;
  auto device = *Accelerator::Create({.delay = {.at_least = std::chrono::milliseconds(2)}});
  Gate gate;
  gate.Hold(device->compute());
  device->compute().Launch("enqueue", {}, [&](auto) {
    for (int i = 0; i < 3; ++i) {
      device->d2d().Launch("run", {}, [&](auto) {
        ++ran;
        return OkStatus();
      });
    }
    device->d2d().Launch("fail", {}, [](auto) { return InternalError("broken"); });
    return OkStatus();
  });
  EXPECT_TRUE(device->d2d().Synchronize().ok());
  gate.Open();
  EXPECT_EQ(device->Close(), InternalError("sim:0/d2d: operation 6, 'fail': broken"));
  EXPECT_EQ(ran, 3);
}

TEST(AcceleratorTest, CloseNamesBlocksThatAreStillAllocated) {
  auto device = *Accelerator::Create();
  void* weights = *device->h2d().Allocate("weights", 1024);
  void* x = *device->compute().Allocate("x", 16);
  Status status = device->Close();
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "sim:0: 2 blocks are still allocated: 'weights' (1024 bytes), 'x' (16 bytes)");
  EXPECT_TRUE(device->Close().ok()) << "it has been said";
  EXPECT_TRUE(device->h2d().Free("late", weights).ok());
  EXPECT_TRUE(device->h2d().Free("late", x).ok());
  EXPECT_EQ(device->memory_statistics().num_blocks, 0u);
}

TEST(AcceleratorTest, ManyLeaksAreCut) {
  auto device = *Accelerator::Create();
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(device->h2d().Allocate("x", 1).ok());
  std::string message(device->Close().message());
  EXPECT_THAT(message, HasSubstr("6 blocks are still allocated: 'x' (1 bytes), "));
  EXPECT_THAT(message, testing::EndsWith("'x' (1 bytes), ..."));
}

TEST(AcceleratorTest, CloseReportsErrorsOfStreams) {
  auto device = *Accelerator::Create();
  EXPECT_TRUE(device->compute().Allocate("x", 1).ok());
  device->d2h().Launch("fail", {}, [](auto) { return InternalError("broken"); });
  Status status = device->Close();
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_EQ(status.message(),
            "sim:0/d2h: operation 1, 'fail': broken; "
            "sim:0: 1 block is still allocated: 'x' (1 bytes)");
}

TEST(AcceleratorTest, DestructionLogsWhatNobodyAskedFor) {
  testing::internal::CaptureStderr();
  {
    auto device = *Accelerator::Create();
    EXPECT_TRUE(device->compute().Allocate("x", 1).ok());
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("sim:0: 1 block is still allocated: 'x' (1 bytes)"));
}

TEST(AcceleratorTest, AClosedStreamRefusesWork) {
  auto device = *Accelerator::Create();
  EXPECT_TRUE(device->Close().ok());
  bool ran = false;
  device->compute().Launch("late", {}, [&](auto) {
    ran = true;
    return OkStatus();
  });
  Status wanted = FailedPreconditionError("sim:0/compute is closed");
  EXPECT_EQ(device->compute().Synchronize(), wanted);
  EXPECT_EQ(device->compute().Record().done().GetError(), wanted);
  EXPECT_EQ(device->compute().Allocate("x", 1).status(), wanted);
  EXPECT_EQ(device->AddStream("more").Synchronize(),
            FailedPreconditionError("sim:0/more is closed"));
  EXPECT_FALSE(ran);
}

// Streams whose operations wait for those of another device, closed in either order.
TEST(AcceleratorTest, DevicesThatWaitForEachOther) {
  for (bool first : {false, true}) {
    auto x = *Accelerator::Create({.name = "sim:0"});
    auto y = *Accelerator::Create({.name = "sim:1"});
    for (int i = 0; i < 50; ++i) {
      x->compute().WaitFor(y->compute().Record());
      y->compute().WaitFor(x->compute().Record());
    }
    if (first) x.reset();
    y.reset();
  }
}

}  // namespace
}  // namespace tfrt::sim
