#include "lib/ops/op_call/op_runner.h"

#include <gtest/gtest.h>

#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

class NpuOpRunner final : public OpRunner {
 public:
  bool Has(const OpDefinition&) const override { return false; }
  bool Accepts(const OpDefinition&, const Tensor&) const override { return false; }
  OpOutcome Run(const OpRun&) const override { return {}; }
};

TEST(OpRunnerRegistryTest, OnePerKind) {
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   CreateSingleThreadedWorkQueue());
  auto& runners = host.GetOrCreateSharedContext<OpRunnerRegistry>();
  ASSERT_NE(runners.Find("cpu"), nullptr);
  EXPECT_TRUE(runners.Find("cpu")->is_direct());
  EXPECT_EQ(runners.Find("npu"), nullptr);
  auto runner = std::make_unique<NpuOpRunner>();
  const OpRunner* npu = runner.get();
  EXPECT_TRUE(runners.Add("npu", std::move(runner)).ok());
  EXPECT_EQ(runners.Find("npu"), npu);
  EXPECT_FALSE(npu->is_direct());
  EXPECT_EQ(runners.Add("npu", std::make_unique<NpuOpRunner>()),
            AlreadyExistsError("how ops run on devices of the kind 'npu' is registered twice"));
  EXPECT_EQ(runners.Find("npu"), npu);
  EXPECT_FALSE(runners.Add("cpu", std::make_unique<NpuOpRunner>()).ok());
}

}  // namespace
}  // namespace tfrt
