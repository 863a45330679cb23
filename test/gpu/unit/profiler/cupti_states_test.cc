// What can keep a session from what the GPU did: each state is a problem of the profile, with what
// to do about it.
#include <cstdlib>
#include <string>
#include <vector>

#include "lib/profiler/cpu_counters.h"
#include "test/gpu/unit/profiler/double_fixture.h"

namespace tfrt::gpu {
namespace {

using profiler::Level;
using profiler::Problem;
using profiler::Profile;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CuptiStatesTest : public ProfiledDoubleTest {
 protected:
  // A session of a program that launches something.
  Profile Run(const char* settings, Level level = Level::kKernel) {
    Configure(settings);
    StartSession(level);
    if (!context_) MakeContext();
    RunOp("op");
    return StopSession();
  }
  static void ExpectUnavailable(const Profile& profile, const std::string& text) {
    EXPECT_TRUE(profile.OfType("device.kernel").empty());
    EXPECT_EQ(profile.OfType("test.op").size(), 1u);  // the rest of the profile is whole
    ASSERT_EQ(profile.problems().size(), 1u);
    EXPECT_EQ(profile.problems()[0].kind, Problem::Kind::kUnavailable);
    EXPECT_EQ(profile.problems()[0].text, text);
  }
};

// A program without a GPU opens nothing, and its profile says nothing of one.
TEST_F(CuptiStatesTest, NoDeviceInUse) {
  CuptiCollector& collector = CuptiCollector::Get();
  ASSERT_TRUE(collector.Start(Level::kKernel, {}).ok());
  // In this process others may have used one.
  EXPECT_TRUE(collector.state() == CuptiCollector::State::kArmed ||
              collector.state() == CuptiCollector::State::kCollecting);
  EXPECT_EQ(collector.Start(Level::kKernel, {}).message(),
            "another session collects what the GPU does: stop it first");
  collector.Stop();
  EXPECT_EQ(collector.state(), CuptiCollector::State::kDraining);
  profiler::EventStream stream(&builder_);
  collector.Drain(stream);
  EXPECT_THAT(builder_.Build().problems(), IsEmpty());
}

TEST_F(CuptiStatesTest, NoDriver) {
  ExpectUnavailable(
      Run("subscribe=999"),
      "cupti: cuptiSubscribe_v2: CUPTI_ERROR_UNKNOWN (an error of the test double): there is no "
      "driver that it works with: install the vendor's driver of this CUDA version or newer; in a "
      "container, give it the GPU with the capability 'utility'");
}

TEST_F(CuptiStatesTest, NoPrivilege) {
  ExpectUnavailable(
      Run("enable=10:35"),
      "cupti: cuptiActivityEnable of kernels: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (an error of the "
      "test double): the driver lets only the administrator profile: load it with "
      "NVreg_RestrictProfilingToAdminUsers=0, or run with the capability CAP_SYS_ADMIN");
  // The next session finds all as it was.
  EXPECT_THAT(Run("").problems(), IsEmpty());
}

TEST_F(CuptiStatesTest, OtherTool) {
  ExpectUnavailable(
      Run("subscribe=39,other=Nsight Systems"),
      "cupti: cuptiSubscribe_v2: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (an error of the "
      "test double): end the other tool, or run without it: one at a time can profile a process; "
      "the other tool is 'Nsight Systems'");
}

TEST_F(CuptiStatesTest, AKindIsMissing) {
  Profile profile = Run("enable=17:27");
  EXPECT_EQ(profile.OfType("device.kernel").size(), 1u);
  EXPECT_TRUE(profile.OfType("device.overhead").empty());
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0].kind, Problem::Kind::kUnavailable);
  EXPECT_EQ(profile.problems()[0].text,
            "cupti: cuptiActivityEnable of overhead: CUPTI_ERROR_NOT_SUPPORTED (an error of the "
            "test double)");
}

TEST_F(CuptiStatesTest, CountersAreNotReadYet) {
  Profile profile = Run("", Level::kMetrics);
  EXPECT_EQ(profile.OfType("device.kernel").size(), 1u);
  std::vector<std::string> problems;
  for (const Problem& problem : profile.problems()) {
    // Which counters the processor has is not this test's matter.
    if (!problem.text.starts_with(profiler::kCountersProblem)) problems.push_back(problem.text);
  }
  EXPECT_THAT(problems, ElementsAre("cupti: counters of the GPU's hardware are not read yet: the "
                                    "profile has what level kernel has"));
}

TEST_F(CuptiStatesTest, BuffersAreExhausted) {
  MakeContext();
  CuptiCollector& collector = CuptiCollector::Get();
  ASSERT_TRUE(collector.Start(Level::kKernel, {.buffer_bytes = 4096, .max_buffers = 1}).ok());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Launch().ok());
  ASSERT_TRUE(stream_->Wait().ok());
  collector.Stop();
  profiler::EventStream stream(&builder_);
  collector.Drain(stream);
  Profile profile = builder_.Build();
  ASSERT_FALSE(profile.problems().empty());
  const Problem& dropped = profile.problems().back();
  EXPECT_EQ(dropped.kind, Problem::Kind::kDropped);
  EXPECT_GT(dropped.count, 100u);  // most calls and kernels
  EXPECT_THAT(dropped.text, HasSubstr(" records of what the GPU did found no room in 0 MiB"));
  EXPECT_THAT(dropped.text, HasSubstr("give more with TFRT_GPU_PROFILE_BUFFER_MB"));
}

TEST_F(CuptiStatesTest, TheEnvironmentSaysHowMuchRoom) {
  EXPECT_EQ(CuptiCollector::OptionsFromEnvironment().max_buffers, 16u);
  setenv("TFRT_GPU_PROFILE_BUFFER_MB", "256", 1);
  EXPECT_EQ(CuptiCollector::OptionsFromEnvironment().max_buffers, 64u);
  setenv("TFRT_GPU_PROFILE_BUFFER_MB", "1", 1);
  EXPECT_EQ(CuptiCollector::OptionsFromEnvironment().max_buffers, 1u);
  setenv("TFRT_GPU_PROFILE_BUFFER_MB", "many", 1);
  EXPECT_EQ(CuptiCollector::OptionsFromEnvironment().max_buffers, 16u);
}

// The source that sessions get without a test between.
TEST_F(CuptiStatesTest, TheSourceOfThePlugin) {
  Configure("");
  std::unique_ptr<profiler::Source> source = MakeCuptiSource();
  ASSERT_TRUE(source->Start(Level::kKernel).ok());
  MakeContext();
  ASSERT_TRUE(Launch().ok());
  ASSERT_TRUE(stream_->Wait().ok());
  source->Stop();
  profiler::EventStream stream(&builder_);
  source->Drain(stream);
  EXPECT_EQ(builder_.Build().OfType("device.kernel").size(), 1u);
}

}  // namespace
}  // namespace tfrt::gpu
