// A host with several threads, and tensors whose memory tells when it is freed.
#ifndef TFRT_TEST_UNIT_MATHS_MATHS_FIXTURE_H_
#define TFRT_TEST_UNIT_MATHS_MATHS_FIXTURE_H_

#include <algorithm>
#include <atomic>
#include <latch>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

class MathsTest : public testing::Test {
 protected:
  static constexpr int kThreads = 4;

  MathsTest()
      : host_([this](const DecodedDiagnostic& d) { reported_ = d.status.message(); },
              CreateMallocAllocator(), CreateMultiThreadedWorkQueue(kThreads, 1)),
        exec_ctx_(RequestContextBuilder(&host_, nullptr).Build()) {
    EXPECT_TRUE(SetComputeBackend(&host_, ComputeBackend::kEigen).ok());
  }
  ~MathsTest() override { Release(); }

  template <typename T>
  DenseHostTensor Tensor(TensorShape shape, const std::vector<T>& elements) {
    DenseHostTensor tensor =
        *DenseHostTensor::CreateUninitialized({DTypeOf<T>(), std::move(shape)}, host_.allocator());
    std::copy(elements.begin(), elements.end(), static_cast<T*>(*tensor.MutableData()));
    return tensor;
  }
  // All elements are `value`. Its memory counts in freed(), and holds NaN afterwards.
  DenseHostTensor Watched(TensorShape shape, float value) {
    memory_.emplace_back(shape.num_elements(), value);
    std::vector<float>& memory = memory_.back();
    auto buffer = HostBuffer::CreateFromExternal(
        memory.data(), memory.size() * sizeof(float), [this](void* data, size_t size_bytes) {
          std::fill_n(static_cast<float*>(data), size_bytes / sizeof(float),
                      std::numeric_limits<float>::quiet_NaN());
          // relaxed: who reads it has seen the result, which is set after the memory is let go.
          freed_.fetch_add(1, std::memory_order_relaxed);
        });
    return *DenseHostTensor::CreateFromBuffer({DType::kF32, std::move(shape)}, std::move(buffer));
  }
  int freed() const { return freed_.load(std::memory_order_relaxed); }

  // No task runs before Release.
  void HoldWorkers() {
    auto held = std::make_shared<std::latch>(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      EnqueueWork(exec_ctx_, [this, held] {
        held->count_down();
        release_.wait(false, std::memory_order_acquire);
      });
    }
    held->wait();
  }
  void Release() {
    release_.store(true, std::memory_order_release);
    release_.notify_all();
  }

  // The error of the operands; "" if there is none.
  static std::string Error(const Completion& done) {
    return done.ok() ? "" : std::string(done.status().message());
  }

  std::vector<std::vector<float>> memory_;
  std::atomic<int> freed_{0};
  std::atomic<bool> release_{false};
  std::string reported_;
  HostContext host_;
  ExecutionContext exec_ctx_;
};

}  // namespace tfrt::maths

#endif  // TFRT_TEST_UNIT_MATHS_MATHS_FIXTURE_H_
