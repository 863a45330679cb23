// The libraries that products and convolutions are tested with, on one and on several threads.
#ifndef TFRT_TEST_UNIT_GRAPH_KERNELS_BACKENDS_H_
#define TFRT_TEST_UNIT_GRAPH_KERNELS_BACKENDS_H_

#include <memory>

#include "graph_op_runner.h"
#include "tfrt/maths/compute_backend.h"

namespace tfrt {

// True if the module is built here; its absence skips tests, it does not pass them.
#ifdef TFRT_TEST_ONEDNN
inline constexpr bool kHasOneDnn = true;
#else
inline constexpr bool kHasOneDnn = false;
#endif

struct BackendSetting {
  const char* name;
  ComputeBackend backend;
  const char* queue;
};

class BackendTest : public testing::TestWithParam<BackendSetting> {
 protected:
  void SetUp() override {
    if (GetParam().backend != ComputeBackend::kEigen && !kHasOneDnn) {
      GTEST_SKIP() << "built without oneDNN";
    }
    runner_ = std::make_unique<GraphOpRunner>(GetParam().queue);
    ASSERT_TRUE(SetComputeBackend(&runner_->host(), GetParam().backend).ok());
  }

  // Of numbers that T holds, if need be after rounding to f32.
  template <typename T>
  TensorHandle Make(TensorShape shape, const std::vector<double>& values) {
    std::vector<T> elements;
    for (double value : values) elements.push_back(static_cast<T>(static_cast<float>(value)));
    return runner_->Dense<T>(std::move(shape), elements);
  }
  template <typename T>
  static void ExpectNear(const TensorHandle& handle, const std::vector<double>& expected,
                         double tolerance) {
    ASSERT_FALSE(handle.IsError()) << handle.async_tensor()->GetError().message();
    const DenseHostTensor& tensor = DenseOf(handle);
    ASSERT_EQ(tensor.num_elements(), static_cast<int64_t>(expected.size()));
    const T* actual = static_cast<const T*>(tensor.data());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(actual[i]), expected[i], tolerance) << i;
    }
  }

  std::unique_ptr<GraphOpRunner> runner_;
};

inline auto AllBackends() {
  return testing::Values(BackendSetting{"Eigen", ComputeBackend::kEigen, "s"},
                         BackendSetting{"EigenThreads", ComputeBackend::kEigen, "mstd:2"},
                         BackendSetting{"OneDnn", ComputeBackend::kOneDnn, "s"},
                         BackendSetting{"OneDnnThreads", ComputeBackend::kOneDnn, "mstd:2"},
                         BackendSetting{"Auto", ComputeBackend::kAuto, "s"},
                         BackendSetting{"AutoThreads", ComputeBackend::kAuto, "mstd:2"});
}
inline std::string BackendName(const testing::TestParamInfo<BackendSetting>& info) {
  return info.param.name;
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_GRAPH_KERNELS_BACKENDS_H_
