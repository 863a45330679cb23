// Which backend computes, what happens when its module is missing, and whose threads run.

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "gmock/gmock.h"
#include "test/unit/kernels_contraction/contraction_runner.h"

namespace tfrt {
namespace {

using Floats = std::vector<float>;
using testing::HasSubstr;

TEST(ComputeBackendTest, HasNames) {
  EXPECT_EQ(*ParseComputeBackend("auto"), ComputeBackend::kAuto);
  EXPECT_EQ(*ParseComputeBackend("eigen"), ComputeBackend::kEigen);
  EXPECT_EQ(*ParseComputeBackend("onednn"), ComputeBackend::kOneDnn);
  EXPECT_EQ(ParseComputeBackend("mkl").status().message(),
            "unknown compute backend 'mkl'; there are auto, eigen and onednn");
}

// Sets TFRT_MODULE_PATH while it lives.
class ModulePath {
 public:
  explicit ModulePath(const char* path) { setenv("TFRT_MODULE_PATH", path, 1); }
  ~ModulePath() { unsetenv("TFRT_MODULE_PATH"); }
};

Values Multiply(ContractionRunner& runner, RCReference<AsyncValue> out, int64_t size) {
  auto a = runner.Tensor<float>({size, size}, RandomFloats(size * size, 1));
  return runner.Run("eigen.matmul.f32", {Scalar(1.0f), a, a, Scalar(0.0f), out, ChainValue()});
}

TEST(ComputeBackendTest, WithoutTheModuleEigenComputesAfterAWarning) {
  ModulePath path("/nonexistent");
  ContractionRunner runner({ComputeBackend::kAuto, 1});
  auto out = runner.Tensor<float>({1, 1}, {0});
  testing::internal::CaptureStderr();
  Values results = Multiply(runner, out, 1);
  EXPECT_FALSE(results[0]->IsError());
  Multiply(runner, out, 1);
  std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("matrix products and convolutions use Eigen, which is slower: cannot "
                             "load the module tfrt_onednn.so: /nonexistent/tfrt_onednn.so"));
  EXPECT_EQ(log.find("Eigen"), log.rfind("Eigen")) << "warns once: " << log;
}

TEST(ComputeBackendTest, OneDnnThatIsAskedForAndMissingIsAnError) {
  ModulePath path("/nonexistent");
  ContractionRunner runner({ComputeBackend::kOneDnn, 1});
  for (int i = 0; i < 2; ++i) {
    Values results = Multiply(runner, runner.Tensor<float>({1, 1}, {0}), 1);
    ASSERT_TRUE(results[0]->IsError());
    EXPECT_EQ(results[0]->GetError().code(), StatusCode::kUnavailable);
    EXPECT_THAT(std::string(results[0]->GetError().message()),
                HasSubstr("cannot load the module tfrt_onednn.so"));
  }
}

TEST(ComputeBackendTest, CannotBeChosenAnewOnceItIsUsed) {
  ContractionRunner runner({ComputeBackend::kEigen, 1});
  EXPECT_TRUE(SetComputeBackend(&runner.host(), ComputeBackend::kAuto).ok());
  EXPECT_TRUE(SetComputeBackend(&runner.host(), ComputeBackend::kEigen).ok());
  EXPECT_FALSE(Multiply(runner, runner.Tensor<float>({1, 1}, {0}), 1)[0]->IsError());
  Status status = SetComputeBackend(&runner.host(), ComputeBackend::kOneDnn);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "cannot choose the compute backend onednn: kernels of this host use eigen already");
  EXPECT_TRUE(SetComputeBackend(&runner.host(), ComputeBackend::kEigen).ok());
}

// Also when the backend that kernels asked for could not be loaded.
TEST(ComputeBackendTest, CannotBeChosenAnewAfterAFailure) {
  ModulePath path("/nonexistent");
  ContractionRunner runner({ComputeBackend::kOneDnn, 1});
  EXPECT_TRUE(Multiply(runner, runner.Tensor<float>({1, 1}, {0}), 1)[0]->IsError());
  EXPECT_EQ(SetComputeBackend(&runner.host(), ComputeBackend::kEigen).message(),
            "cannot choose the compute backend eigen: kernels of this host use onednn already");
}

// A data race, if the choice were not synchronised: the thread sanitizer sees it.
TEST(ComputeBackendTest, IsChosenWhileKernelsAskForIt) {
  ContractionRunner runner({ComputeBackend::kEigen, 1});
  std::thread chooser([&] {
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(SetComputeBackend(&runner.host(), ComputeBackend::kEigen).ok());
    }
  });
  EXPECT_FALSE(Multiply(runner, runner.Tensor<float>({1, 1}, {0}), 1)[0]->IsError());
  chooser.join();
}

// The threads of this process.
size_t NumThreads() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/self/task")) {
    ++count;
  }
  return count;
}

class ThreadsTest : public ContractionTest {};
INSTANTIATE_TEST_SUITE_P(Settings, ThreadsTest, AllSettings(), SettingName);

TEST_P(ThreadsTest, KernelsRunOnTheThreadsOfTheQueueAlone) {
  constexpr int64_t kSize = 300;  // split
  auto out = runner_->Tensor<float>({kSize, kSize}, Floats(kSize * kSize));
  size_t before = NumThreads();
  Multiply(*runner_, out, kSize);
  // The queue starts its threads with its first tasks; the single-threaded one has none.
  size_t of_queue = GetParam().threads == 1 ? 0 : static_cast<size_t>(GetParam().threads);
  EXPECT_LE(NumThreads(), before + of_queue);
}

TEST_P(ThreadsTest, ResultsDoNotDependOnTheRun) {
  constexpr int64_t kSize = 300;
  auto first = runner_->Tensor<float>({kSize, kSize}, Floats(kSize * kSize));
  auto second = runner_->Tensor<float>({kSize, kSize}, Floats(kSize * kSize));
  Multiply(*runner_, first, kSize);
  Multiply(*runner_, second, kSize);
  EXPECT_EQ(Elements<float>(first), Elements<float>(second));
}

}  // namespace
}  // namespace tfrt
