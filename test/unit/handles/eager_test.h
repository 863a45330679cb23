// A host for tests of eager ops, with what it reports, and tensors by a few words.
#ifndef TFRT_TEST_UNIT_HANDLES_EAGER_TEST_H_
#define TFRT_TEST_UNIT_HANDLES_EAGER_TEST_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lib/compat/handles/core_runtime.h"
#include "lib/compat/handles/execute_op.h"
#include "lib/compat/handles/tensor_handle.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

class EagerTest : public testing::Test {
 protected:
  explicit EagerTest(const std::string& queue = "s") {
    auto work_queue = CreateWorkQueue(queue);
    EXPECT_TRUE(work_queue.ok());
    host_ = std::make_unique<HostContext>(
        [this](const DecodedDiagnostic& diagnostic) {
          std::lock_guard lock(mutex_);
          diagnostics_.emplace_back(diagnostic.status.message());
        },
        CreateMallocAllocator(), *std::move(work_queue));
    request_ = RequestContextBuilder(host_.get(), nullptr).Build();
  }

  HostContext* host() { return host_.get(); }
  ExecutionContext exec_ctx() { return ExecutionContext(request_); }
  RequestContext* request() { return request_.get(); }
  CoreRuntime& runtime() { return CoreRuntime::Of(host()); }
  const RCReference<Device>& device() { return runtime().host_device(); }
  OpPlace place() { return *OpPlace::On(host(), device()); }
  // What has been reported since the last call.
  std::vector<std::string> TakeDiagnostics() {
    std::lock_guard lock(mutex_);
    return std::move(diagnostics_);
  }

  DenseHostTensor Floats(TensorShape shape, std::vector<float> values) {
    auto tensor =
        DenseHostTensor::CreateUninitialized({DType::kF32, std::move(shape)}, host()->allocator());
    std::ranges::copy(values, static_cast<float*>(*tensor->MutableData()));
    return *std::move(tensor);
  }
  AsyncValueRef<Tensor> FloatValue(std::vector<float> values) {
    auto size = static_cast<int64_t>(values.size());
    return MakeAvailableAsyncValueRef<DenseHostTensor>(Floats({size}, std::move(values)));
  }
  // A handle for a vector.
  TensorHandle Handle(std::vector<float> values) {
    return TensorHandle(device(), FloatValue(std::move(values)));
  }
  TensorHandle ScalarHandle(float value, TensorShape shape = {}) {
    return TensorHandle(device(),
                        AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<ScalarHostTensor<float>>(
                            std::move(shape), value)));
  }
  TensorHandle StringHandle(const std::string& value) {
    auto tensor = StringHostTensor::CreateEmpty({1}, host()->allocator());
    tensor->MutableStrings()[0] = value;
    return TensorHandle(
        device(),
        AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<StringHostTensor>(*std::move(tensor))));
  }
  static std::vector<float> ValuesOf(const Tensor& tensor) {
    const auto& dense = static_cast<const DenseHostTensor&>(tensor);
    auto* data = static_cast<const float*>(dense.data());
    return {data, data + dense.num_elements()};
  }
  static std::vector<float> ValuesOf(const TensorHandle& handle) {
    if (!handle.tensor().IsConcrete()) {
      ADD_FAILURE() << handle.ToString();
      return {};
    }
    return ValuesOf(*handle.tensor());
  }
  static std::string ErrorOf(const TensorHandle& handle) {
    return handle.IsError() ? std::string(handle.tensor().GetError().message()) : "(no error)";
  }

  void Await(AsyncValue* value) { host()->Await(std::span<AsyncValue* const>(&value, 1)); }

  // A vector handle whose tensor, and metadata, come with Resolve().
  struct Later {
    RCReference<IndirectAsyncValue> tensor;
    TensorHandle handle;
    void Resolve(AsyncValueRef<Tensor> value) { tensor->ForwardTo(value.ReleaseRCRef()); }
    void Fail(std::string message) {
      tensor->ForwardTo(MakeErrorAsyncValue(InternalError(std::move(message))));
    }
  };
  Later MakeLater() {
    RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
    return {tensor, TensorHandle(device(), AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)))};
  }
  Later MakeLater(TensorMetadata metadata) {
    RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
    return {tensor, TensorHandle(device(), std::move(metadata),
                                 AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)))};
  }

  // Runs an op with so many results.
  std::vector<TensorHandle> Run(const OpDefinition& op, std::vector<TensorHandle> arguments,
                                size_t num_results = 1, AsyncValueRef<Chain>* chain = nullptr,
                                OpAttrsRef attrs = {}) {
    std::vector<TensorHandle> results(num_results);
    ExecutionContext context = exec_ctx();
    ExecuteOp(op, place(),
              {.exec_ctx = context,
               .arguments = arguments,
               .attrs = std::move(attrs),
               .results = results,
               .chain = chain});
    return results;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> diagnostics_;
  std::unique_ptr<HostContext> host_;
  RCReference<RequestContext> request_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_HANDLES_EAGER_TEST_H_
