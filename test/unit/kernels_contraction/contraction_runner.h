// Runs matrix products and convolutions on a chosen backend and number of threads.
#ifndef TFRT_TEST_UNIT_KERNELS_CONTRACTION_CONTRACTION_RUNNER_H_
#define TFRT_TEST_UNIT_KERNELS_CONTRACTION_CONTRACTION_RUNNER_H_

#include <random>
#include <string>
#include <vector>

#include "test/unit/kernels_tensor/kernel_runner.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

// True if the module is built here; its absence skips tests, it does not pass them.
#ifdef TFRT_TEST_ONEDNN
inline constexpr bool kHasOneDnn = true;
#else
inline constexpr bool kHasOneDnn = false;
#endif

struct Setting {
  ComputeBackend backend = ComputeBackend::kEigen;
  int threads = 1;
};

inline std::string SettingName(const testing::TestParamInfo<Setting>& info) {
  constexpr const char* kNames[] = {"Auto", "Eigen", "OneDnn"};
  return StrCat(kNames[static_cast<int>(info.param.backend)], info.param.threads);
}
inline auto AllSettings() {
  return testing::Values(Setting{ComputeBackend::kEigen, 1}, Setting{ComputeBackend::kEigen, 2},
                         Setting{ComputeBackend::kEigen, 4}, Setting{ComputeBackend::kOneDnn, 1},
                         Setting{ComputeBackend::kOneDnn, 2}, Setting{ComputeBackend::kOneDnn, 4},
                         Setting{ComputeBackend::kAuto, 1}, Setting{ComputeBackend::kAuto, 2});
}

class ContractionRunner : public KernelRunner {
 public:
  explicit ContractionRunner(Setting setting = {})
      : KernelRunner(CreateMallocAllocator(),
                     setting.threads == 1 ? CreateSingleThreadedWorkQueue()
                                          : CreateMultiThreadedWorkQueue(setting.threads, 1)) {
    RegisterContractionKernels(&host().kernel_registry());
    EXPECT_TRUE(host().kernel_registry().first_error().ok());
    EXPECT_TRUE(SetComputeBackend(&host(), setting.backend).ok());
  }
};

class ContractionTest : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    if (GetParam().backend != ComputeBackend::kEigen && !kHasOneDnn) {
      GTEST_SKIP() << "built without oneDNN";
    }
    runner_ = std::make_unique<ContractionRunner>(GetParam());
  }
  std::unique_ptr<ContractionRunner> runner_;
};

// Numbers of either sign whose sums of products are exact in f32 while there are few of them.
inline std::vector<float> RandomFloats(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> eighths(-8, 8);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(eighths(random)) / 8;
  return values;
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_KERNELS_CONTRACTION_CONTRACTION_RUNNER_H_
