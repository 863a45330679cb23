// Peaks of this processor, and its counters or why there are none.
#include "lib/profiler/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/profiler/analyses/processor.h"

namespace tfrt::profiler {
namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;

TEST(MachineTest, KnowsAndMeasuresThisOne) {
  const Processor processor = DescribeProcessor();
  EXPECT_FALSE(processor.name.empty());
  EXPECT_GE(processor.num_cores, 1u);
  EXPECT_GE(processor.num_threads, processor.num_cores);
  const Peaks peaks =
      MeasurePeaks(processor, {.num_threads = 2, .seconds = 0.02, .memory_bytes = 1 << 20});
  EXPECT_EQ(peaks.source, "measured");
  EXPECT_GT(peaks.f32, 0);
  EXPECT_GT(peaks.f64, 0);
  EXPECT_GT(peaks.bandwidth, 0);
#if defined(__x86_64__)
  const VectorUnits& units = processor.units;
  EXPECT_EQ(peaks.int8 > 0, units.kind != VectorUnits::Kind::kSse);
  EXPECT_EQ(peaks.bf16 > 0, units.has_bf16_tiles || units.has_bf16_dot_products);
  if (peaks.bf16 > 0) EXPECT_GE(peaks.bf16, peaks.f32);
#endif
  // Loops that a compiler has seen through would take no time. No two cores are as fast as this.
  EXPECT_LT(peaks.f32, 1e13);
  EXPECT_LT(peaks.int8, 1e14);
  EXPECT_THAT(peaks.notes[0], HasSubstr("2 threads"));
  if (processor.last_level_cache_bytes > 0) {
    EXPECT_THAT(peaks.notes.back(), HasSubstr("its bandwidth is partly the cache's"));
  }
}

TEST(MachineTest, PeaksAreOfWhatTheQuotaGives) {
  Processor processor = {.num_cores = 64, .num_threads = 64, .cpu_quota = 1.5};
  const MeasureOptions brief{.seconds = 0.02, .memory_bytes = 1 << 20};
  const Peaks peaks = MeasurePeaks(processor, brief);
  EXPECT_EQ(peaks.num_threads, 2u);
  EXPECT_THAT(peaks.notes[0], HasSubstr("2 threads, of which a quota gives 1.50, no vectors"));
  processor.num_cores = 2;
  processor.cpu_quota = 100;  // no limit for so few cores
  EXPECT_THAT(MeasurePeaks(processor, brief).notes[0], HasSubstr("2 threads, no vectors"));
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

TEST(MachineTest, EachCounterIsNamed) {
  const std::vector<ProcessCounter> counters = ExamineProcessCounters();
  ASSERT_GE(counters.size(), 5u);
  EXPECT_EQ(counters[0].name, "cycles");
  EXPECT_EQ(counters[3].name, "cache misses");
}

TEST(MachineTest, FailuresNameTheRemedy) {
  EXPECT_THAT(CounterFailureText(ENOENT), HasSubstr("no such event"));
  EXPECT_THAT(CounterFailureText(EACCES), HasSubstr("perf_event_paranoid"));
  EXPECT_THAT(CounterFailureText(ENOSYS), HasSubstr("no perf_event_open"));
  EXPECT_THAT(CounterFailureText(EMFILE), HasSubstr("too many files"));
  EXPECT_THAT(CounterFailureText(EIO), HasSubstr("error 5"));
}

}  // namespace
}  // namespace tfrt::profiler
