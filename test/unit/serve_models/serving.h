// Requests to a small model whose kernels tests control.
#ifndef TFRT_TEST_UNIT_SERVE_MODELS_SERVING_H_
#define TFRT_TEST_UNIT_SERVE_MODELS_SERVING_H_

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/serve/models/served_model.h"
#include "test/unit/model/test_model.h"

namespace tfrt::serve {

// Gives its argument, unless an element is above 1000.
inline StatusOr<DenseHostTensor> TestPicky(const DenseHostTensor& a) {
  const auto* elements = static_cast<const float*>(a.data());
  for (int64_t i = 0; i < a.num_elements(); ++i) {
    if (elements[i] > 1000) return InvalidArgumentError("an element is above 1000");
  }
  return a.ShareBuffer();
}

// Gives the first row.
inline StatusOr<DenseHostTensor> TestFirstRow(const DenseHostTensor& a) {
  return DenseHostTensor::CreateFromBuffer({a.dtype(), TensorShape{1, a.shape().dim(1)}},
                                           HostBuffer::CreateSlice(a.buffer(), 0, 12));
}

// Gives its argument when the run is cancelled.
inline DenseHostTensor TestEndless(const DenseHostTensor& a, const ExecutionContext& exec_ctx) {
  while (!exec_ctx.request_ctx()->IsCancelled()) std::this_thread::yield();
  return a.ShareBuffer();
}

// The answer to a request, which comes once: a second one ends the program.
class Reply {
 public:
  InferCallback callback() {
    return [promise = promise_](StatusOr<InferResult> result) {
      promise->set_value(std::move(result));
    };
  }
  StatusOr<InferResult>& Await() {
    if (!result_) result_ = std::make_unique<StatusOr<InferResult>>(promise_->get_future().get());
    return *result_;
  }
  // The elements of a result; empty after an error.
  std::vector<float> Floats(size_t index = 0) {
    StatusOr<InferResult>& result = Await();
    EXPECT_TRUE(result.ok()) << result.status().ToString();
    return result.ok() ? FloatsOf(result->outputs[index].tensor) : std::vector<float>();
  }
  Status status() { return Await().status(); }

 private:
  std::shared_ptr<std::promise<StatusOr<InferResult>>> promise_ =
      std::make_shared<std::promise<StatusOr<InferResult>>>();
  std::unique_ptr<StatusOr<InferResult>> result_;
};

// "y" = op(x + [10, 20, 30]) + x for x: f32 [batch,3], with z: f32 [batch,?] beside it.
class ServingTest : public testing::Test {
 protected:
  ServingTest() {
    host_->kernel_registry().AddKernel("t.picky", TFRT_KERNEL(TestPicky));
    host_->kernel_registry().AddKernel("t.first_row", TFRT_KERNEL(TestFirstRow));
    host_->kernel_registry().AddKernel("t.endless", TFRT_KERNEL(TestEndless));
    gate = gate_.GetAsyncValue();
  }
  ~ServingTest() override {
    OpenGate();
    host_->Quiesce();
    model_ = nullptr;
  }
  void OpenGate() {
    if (!std::exchange(is_open_, true)) gate_.emplace(Chain());
  }
  // With max_batch_size 4 and one session, unless changed before.
  void Load(const char* op) { LoadModel(TestModelBuilder(op)); }
  void LoadModel(const TestModelBuilder& builder) {
    limits_.max_warm_up = {};
    StatusOr<Model> model = Model::FromBytes(builder.Build(), host_.get());
    ASSERT_TRUE(model.ok()) << model.status().ToString();
    auto served = ServedModel::Create(*model, config_, limits_);
    ASSERT_TRUE(served.ok()) << served.status().ToString();
    model_ = *std::move(served);
  }
  // Rows of x whose elements are all `value`, and of z with `width` columns.
  InferRequest Rows(int64_t num_rows, float value, int64_t width = 1) {
    InferRequest request;
    const auto fill = [&](int64_t columns) {
      const size_t size = static_cast<size_t>(num_rows * columns);
      return MakeFloats(*host_, TensorShape{num_rows, columns}, std::vector<float>(size, value));
    };
    request.inputs.push_back({"x", fill(3)});
    request.inputs.push_back({"z", fill(width)});
    request.outputs = {"y"};
    return request;
  }
  Reply Submit(InferRequest request) {
    Reply reply;
    model_->Submit(std::move(request), reply.callback());
    return reply;
  }
  // Runs by number of rows.
  std::vector<std::pair<int64_t, uint64_t>> Runs() {
    std::vector<std::pair<int64_t, uint64_t>> runs;
    const ModelStatistics statistics = model_->statistics();
    for (const auto& [rows, counts] : statistics.runs) {
      runs.emplace_back(rows, counts.compute_infer.count);
    }
    return runs;
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost("mstd:2");
  AsyncValueRef<Chain> gate_ = MakeUnconstructedAsyncValueRef<Chain>();
  bool is_open_ = false;
  ModelConfig config_{.max_batch_size = 4};
  ModelLimits limits_;
  std::shared_ptr<ServedModel> model_;
};

}  // namespace tfrt::serve

#endif  // TFRT_TEST_UNIT_SERVE_MODELS_SERVING_H_
