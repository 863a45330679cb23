// ProfiledDoubleTest: a program on the doubles of the driver and of CUPTI, under a session.
#ifndef TFRT_TEST_GPU_UNIT_PROFILER_DOUBLE_FIXTURE_H_
#define TFRT_TEST_GPU_UNIT_PROFILER_DOUBLE_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/profiler/cupti_collector.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/wrapper/cuda_driver.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/session.h"
#include "tfrt/tracing/record.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::gpu {

inline constexpr tracing::RecordType kTestOp = {
    .name = "test.op", .level = tracing::StackLevel::kOp, .is_op = true};

class ProfiledDoubleTest : public testing::Test {
 protected:
  static void SetUpTestSuite();
  void SetUp() override;
  void TearDown() override;

  // Sessions that start later find a library with these settings of the double (its control.h), and
  // of this version.
  void Configure(const char* settings, int version = 130001);
  // A context, a stream, the kernel "add", 64 numbers.
  void MakeContext();
  void DropContext();
  void StartSession(profiler::Level level = profiler::Level::kKernel);
  profiler::Profile StopSession();
  // An op that fills, launches and copies.
  void RunOp(const char* name);
  Status Launch();

  const cuda::Driver* driver_ = nullptr;
  std::unique_ptr<ConcurrentWorkQueue> queue_;
  RCReference<Context> context_;
  RCReference<Stream> stream_;
  RCReference<Memory> memory_;
  const Function* add_ = nullptr;
  std::unique_ptr<profiler::Session> session_;
  profiler::ProfileBuilder builder_;
  int (*configure_)(const char*) = nullptr;
  int64_t (*num_pushed_)() = nullptr;
  std::vector<uint64_t> op_ids_;  // of RunOp, in order
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_PROFILER_DOUBLE_FIXTURE_H_
