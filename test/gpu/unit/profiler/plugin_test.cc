// A program that links nothing of a GPU runs a program of one, and its profile says what that did.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/read_profile.h"
#include "tfrt/tracing/record.h"

namespace tfrt {
namespace {

TEST(GpuProfilerPluginTest, SessionsOfProgramsFindIt) {
  if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  const std::string path = testing::TempDir() + "plugin.pftrace";
  setenv("TFRT_GPU_LIBRARY_PATH", TFRT_TEST_GPU_DOUBLE_DIR, 1);
  const std::string command = std::string(TFRT_TEST_BEF_EXECUTOR) + " --record=" + path + " " +
                              TFRT_TEST_PROGRAM + " > /dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  StatusOr<profiler::Profile> profile = profiler::LoadProfile(path);
  ASSERT_TRUE(profile.ok()) << profile.status().ToString();
  for (const profiler::Problem& problem : profile->problems()) ADD_FAILURE() << problem.text;
  auto kernels = profile->OfType("device.kernel");
  EXPECT_FALSE(kernels.empty());
  for (const profiler::Event* kernel : kernels) {
    ASSERT_NE(profile->ParentOf(*kernel), nullptr);
    // The kernel of the BEF function that launched it: one of two, by whether sizes are constant.
    EXPECT_EQ(profile->TypeOf(*profile->ParentOf(*kernel)).name, "kernel");
    const std::string_view name = profile->NameOf(*profile->ParentOf(*kernel));
    EXPECT_TRUE(name.starts_with("tfrt_gpu.function.launch")) << name;
    EXPECT_EQ(profile->Text(*kernel, "op"), "tfrt_gpu.function.launch");
  }
  // One that uses no GPU opens nothing of a vendor's.
  const std::string plain = testing::TempDir() + "plain.pftrace";
  setenv("TFRT_GPU_LIBRARY_PATH", "/nowhere", 1);
  ASSERT_EQ(std::system((std::string(TFRT_TEST_BEF_EXECUTOR) + " --record=" + plain + " " +
                         TFRT_TEST_PLAIN_PROGRAM + " > /dev/null 2>&1")
                            .c_str()),
            0);
  profile = profiler::LoadProfile(plain);
  ASSERT_TRUE(profile.ok()) << profile.status().ToString();
  EXPECT_TRUE(profile->problems().empty());
}

}  // namespace
}  // namespace tfrt
