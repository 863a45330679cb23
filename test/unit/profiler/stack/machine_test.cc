// Peaks of processors that are known, of this one, and its counters or why there are none.
#include "tfrt/profiler/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/profiler/stack/processor.h"

namespace tfrt::profiler {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = VectorUnits::Kind;

TEST(MachineTest, OperationsFollowFromVectors) {
  EXPECT_EQ(OperationsPerCycleOf({Kind::kAvx512}).f32, 64);
  EXPECT_EQ(OperationsPerCycleOf({Kind::kAvx512}).f64, 32);
  EXPECT_EQ(OperationsPerCycleOf({Kind::kAvx512, true}).f32, 32);
  EXPECT_EQ(OperationsPerCycleOf({Kind::kAvx512, false, true}).int8, 256);
  EXPECT_EQ(OperationsPerCycleOf({Kind::kAvx2}).f32, 32);
  EXPECT_EQ(OperationsPerCycleOf({Kind::kAvx2}).int8, 0);
  EXPECT_EQ(OperationsPerCycleOf({Kind::kSse}).f32, 8);
  EXPECT_EQ(OperationsPerCycleOf({Kind::kNeon}).f64, 8);
  EXPECT_EQ(OperationsPerCycleOf({}).f32, 2);
  EXPECT_EQ(VectorUnitsName(Kind::kAvx512), "AVX-512");
}

TEST(MachineTest, ComputesPeaksAndSaysHow) {
  const Processor processor = {.name = "two cores",
                               .num_cores = 2,
                               .num_threads = 4,
                               .units = {Kind::kAvx2},
                               .clock_hz = 2.5e9,
                               .clock_source = "measured"};
  const Peaks peaks = ComputePeaks(processor);
  EXPECT_EQ(peaks.f32, 160e9);
  EXPECT_EQ(peaks.f64, 80e9);
  EXPECT_EQ(peaks.bandwidth, 0);
  EXPECT_THAT(
      peaks.notes,
      ElementsAre("2 cores of 2.50 GHz (measured), 32 operations a cycle in f32 (AVX2)",
                  "no peak for int8: the processor has no instructions for its dot products"));
  const Peaks measured = {.f32 = 150e9, .bandwidth = 20e9, .source = "measured"};
  std::vector<std::string> names;
  for (const Chart::Roof& roof : RoofsOf(measured, peaks)) {
    names.push_back(roof.name);
    EXPECT_EQ(roof.bandwidth, 20);
  }
  EXPECT_THAT(names, ElementsAre("f32, measured", "f32, computed", "f64, computed"));
  EXPECT_EQ(RoofsOf(measured, peaks)[0].peak, 150);
  EXPECT_THAT(RoofsOf({}, peaks), IsEmpty());
}

TEST(MachineTest, KnowsAndMeasuresThisOne) {
  const Processor processor = DescribeProcessor();
  EXPECT_FALSE(processor.name.empty());
  EXPECT_FALSE(processor.clock_source.empty());
  EXPECT_GE(processor.num_cores, 1u);
  EXPECT_GE(processor.num_threads, processor.num_cores);
  const Peaks peaks =
      MeasurePeaks(processor, {.num_threads = 2, .seconds = 0.02, .memory_bytes = 1 << 20});
  EXPECT_EQ(peaks.source, "measured");
  EXPECT_GT(peaks.f32, 0);
  EXPECT_GT(peaks.f64, 0);
  EXPECT_GT(peaks.bandwidth, 0);
  // Loops that a compiler has seen through would take no time. Clocks may rise, so there is room.
  const Peaks computed = ComputePeaks(processor);
  if (computed.f32 > 0) {
    EXPECT_LT(peaks.f32, 3 * computed.f32 * 2);
  }
  EXPECT_THAT(peaks.notes[0], HasSubstr("2 threads"));
  if (processor.last_level_cache_bytes > 0) {
    EXPECT_THAT(peaks.notes.back(), HasSubstr("its bandwidth is partly the cache's"));
  }
}

TEST(MachineTest, PeaksAreOfWhatTheQuotaGives) {
  Processor processor = {.num_cores = 64,
                         .num_threads = 64,
                         .units = {Kind::kAvx2},
                         .cpu_quota = 1.5,
                         .clock_hz = 2e9,
                         .clock_source = "measured"};
  const Peaks peaks = ComputePeaks(processor);
  EXPECT_EQ(peaks.f32, 1.5 * 2e9 * 32);
  EXPECT_EQ(peaks.num_threads, 2u);
  EXPECT_THAT(peaks.notes[0], HasSubstr("64 cores, of which a quota gives 1.50 of 2.00 GHz"));
  EXPECT_THAT(MeasurePeaks(processor, {.seconds = 0.02, .memory_bytes = 1 << 20}).notes[0],
              HasSubstr("2 threads, of which"));
  processor.cpu_quota = 100;  // no limit for so few cores
  EXPECT_EQ(ComputePeaks(processor).f32, 64 * 2e9 * 32);
}

class QuotaTest : public testing::Test {
 protected:
  ~QuotaTest() override { std::filesystem::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  const std::string root_ = testing::TempDir() + "quota_test";
};

TEST_F(QuotaTest, OfVersion2IsTheLeastOnTheWay) {
  Write("/proc/self/cgroup", "0::/system.slice/docker-1.scope\n");
  EXPECT_EQ(ReadCpuQuota(root_), 0);
  Write("/sys/fs/cgroup/system.slice/docker-1.scope/cpu.max", "max 100000\n");
  EXPECT_EQ(ReadCpuQuota(root_), 0);
  Write("/sys/fs/cgroup/system.slice/cpu.max", "400000 100000\n");
  EXPECT_EQ(ReadCpuQuota(root_), 4);
  Write("/sys/fs/cgroup/system.slice/docker-1.scope/cpu.max", "150000 100000\n");
  EXPECT_EQ(ReadCpuQuota(root_), 1.5);
}

// In a container the group is the root of what it sees.
TEST_F(QuotaTest, OfAContainerIsAtTheRoot) {
  Write("/proc/self/cgroup", "0::/\n");
  Write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(ReadCpuQuota(root_), 2);
}

TEST_F(QuotaTest, OfVersion1IsThatOfTheController) {
  Write("/proc/self/cgroup", "5:memory:/docker/1\n4:cpu,cpuacct:/docker/1\n");
  Write("/sys/fs/cgroup/memory/docker/1/cpu.cfs_quota_us", "1\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(ReadCpuQuota(root_), 0.5);
  Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(ReadCpuQuota(root_), 0);
  Write("/proc/self/cgroup", "text without colons\n4:cpu\n::::\n");
  EXPECT_EQ(ReadCpuQuota(root_), 0);
}

TEST(MachineTest, EachCounterHasAValueOrAReason) {
  const ProcessCounters counters;
  const std::vector<CounterValue> values = counters.Read();
  ASSERT_GE(values.size(), 5u);
  EXPECT_EQ(values[0].name, "cycles");
  for (const CounterValue& value : values) {
    EXPECT_EQ(value.value.has_value(), value.reason.empty()) << value.name << ": " << value.reason;
  }
  if (!counters.is_available()) {
    EXPECT_THAT(values, Each(Field(&CounterValue::value, std::nullopt)));
  }
}

TEST(MachineTest, FailuresNameTheRemedy) {
  EXPECT_THAT(CounterFailureText(ENOENT), HasSubstr("no such event"));
  EXPECT_THAT(CounterFailureText(EACCES), HasSubstr("perf_event_paranoid"));
  EXPECT_THAT(CounterFailureText(ENOSYS), HasSubstr("no perf_event_open"));
  EXPECT_THAT(CounterFailureText(EMFILE), HasSubstr("too many files"));
  EXPECT_THAT(CounterFailureText(EIO), HasSubstr("error 5"));
}

TEST(MachineTest, FlopsAreAllOrNone) {
  EXPECT_EQ(CountedFlops(std::vector<CounterValue>{
                {"cycles", 5, ""}, {"flops.a", 6, ""}, {"flops.b", 7, ""}}),
            13);
  EXPECT_EQ(CountedFlops(std::vector<CounterValue>{{"flops.a", 6, ""}, {"flops.b", {}, "why"}}),
            std::nullopt);
  EXPECT_EQ(CountedFlops({}), std::nullopt);
}

}  // namespace
}  // namespace tfrt::profiler
