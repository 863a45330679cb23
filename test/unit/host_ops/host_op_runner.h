// Runs eager ops on the host by name and waits for their results.
#ifndef TFRT_TEST_UNIT_HOST_OPS_HOST_OP_RUNNER_H_
#define TFRT_TEST_UNIT_HOST_OPS_HOST_OP_RUNNER_H_

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/compat/handles/core_runtime.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "lib/ops/op_call/op_defaults.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

using Handles = std::vector<TensorHandle>;

class HostOpRunner {
 public:
  // `queue` as for CreateWorkQueue: "s", "mstd:4", ... The ops are the host's eager ones, or `ops`.
  explicit HostOpRunner(std::string_view queue = "s",
                        std::unique_ptr<HostAllocator> allocator = CreateMallocAllocator(),
                        const OpRegistry* ops = nullptr)
      : host_([this](const DecodedDiagnostic& diagnostic) { ++num_diagnostics_; },
              std::move(allocator), *CreateWorkQueue(queue)),
        exec_ctx_(RequestContextBuilder(&host_, nullptr).Build()),
        own_ops_(ops) {
    CoreRuntime& runtime = CoreRuntime::Of(&host_);
    OpHandler* null_handler = runtime.TakeOpHandler(CreateNullOpHandler());
    cpu_ = runtime.TakeOpHandler(
        CreateCpuOpHandler(&host_, ops ? *ops : this->ops(), host_.GetHostDevice(), null_handler));
  }

  HostContext& host() { return host_; }
  const ExecutionContext& exec_ctx() const { return exec_ctx_; }
  const OpRegistry& ops() { return host_.GetOrCreateSharedContext<CpuOps>().ops(); }
  int num_diagnostics() const { return num_diagnostics_; }

  // Waits for the results. The arguments keep their tensors, unless they are moved in.
  Handles Run(std::string_view op, Handles arguments, const OpAttrsRef& attrs = {},
              size_t num_results = 1) {
    Handles results = Start(op, std::move(arguments), attrs, num_results);
    std::vector<AsyncValue*> values;
    for (const TensorHandle& result : results) values.push_back(result.async_tensor());
    host_.Await(values);
    host_.Quiesce();
    return results;
  }
  // `chain`: as OpInvocation's.
  Handles Start(std::string_view op, Handles arguments, const OpAttrsRef& attrs = {},
                size_t num_results = 1, AsyncValueRef<Chain>* chain = nullptr) {
    Handles results(num_results);
    // The host's ops take what is left out as it is.
    const OpDefinition* own = own_ops_ ? own_ops_->Find(op) : nullptr;
    OpAttrs complete;
    CoreRuntime::Of(&host_).Execute(op, cpu_,
                                    {.exec_ctx = exec_ctx_,
                                     .arguments = arguments,
                                     .attrs = own ? WithDefaults(*own, attrs, complete) : attrs,
                                     .results = results,
                                     .chain = chain});
    return results;
  }
  // Result 0.
  TensorHandle Run1(std::string_view op, Handles arguments, const OpAttrsRef& attrs = {}) {
    return Run(op, std::move(arguments), attrs)[0];
  }
  // The text of result 0, or its error's message.
  std::string Text(std::string_view op, Handles arguments, const OpAttrsRef& attrs = {}) {
    TensorHandle result = Run1(op, std::move(arguments), attrs);
    if (result.IsError()) return std::string(result.async_tensor()->GetError().message());
    return result.tensor()->ToString();
  }
  // The message of the error, which must have been reported once.
  std::string Error(std::string_view op, Handles arguments, const OpAttrsRef& attrs = {},
                    size_t num_results = 1) {
    const int before = num_diagnostics_;
    Handles results = Run(op, std::move(arguments), attrs, num_results);
    for (const TensorHandle& result : results) {
      if (!result.IsError()) return "(no error) " + result.ToString();
    }
    EXPECT_EQ(num_diagnostics_, before + 1) << op;
    return num_results == 0 ? "" : std::string(results[0].async_tensor()->GetError().message());
  }

  DenseHostTensor Uninitialized(TensorMetadata metadata) {
    auto tensor = DenseHostTensor::CreateUninitialized(std::move(metadata), host_.allocator());
    EXPECT_TRUE(tensor.ok());
    return *std::move(tensor);
  }
  template <typename T>
  TensorHandle Handle(T tensor) {
    TensorMetadata metadata = tensor.metadata();
    return TensorHandle(
        host_.GetHostDevice(), std::move(metadata),
        AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<T>(std::move(tensor)).ReleaseRCRef()));
  }
  template <typename T>
  TensorHandle Dense(TensorShape shape, const std::vector<T>& elements) {
    DenseHostTensor tensor = Uninitialized({DTypeOf<T>(), std::move(shape)});
    EXPECT_EQ(tensor.num_elements(), static_cast<int64_t>(elements.size()));
    std::copy(elements.begin(), elements.end(), static_cast<T*>(*tensor.MutableData()));
    return Handle(std::move(tensor));
  }
  TensorHandle Zeros(DType dtype, TensorShape shape) {
    DenseHostTensor tensor = Uninitialized({dtype, std::move(shape)});
    std::fill_n(static_cast<char*>(*tensor.MutableData()), tensor.size_bytes(), 0);
    return Handle(std::move(tensor));
  }
  TensorHandle Floats(TensorShape shape) { return Zeros(DType::kF32, std::move(shape)); }
  TensorHandle Ints(const std::vector<int32_t>& elements) {
    return Dense<int32_t>({static_cast<int64_t>(elements.size())}, elements);
  }
  template <typename T>
  TensorHandle Scalar(TensorShape shape, T value) {
    return Handle(ScalarHostTensor<T>(std::move(shape), value));
  }
  TensorHandle Strings(TensorShape shape, const std::vector<std::string>& strings) {
    auto tensor = StringHostTensor::CreateEmpty(std::move(shape), host_.allocator());
    std::copy(strings.begin(), strings.end(), tensor->MutableStrings().begin());
    return Handle(*std::move(tensor));
  }

 private:
  std::atomic<int> num_diagnostics_ = 0;
  HostContext host_;
  ExecutionContext exec_ctx_;
  const OpRegistry* own_ops_;
  OpHandler* cpu_;
};

inline const DenseHostTensor& DenseOf(const TensorHandle& handle) {
  return static_cast<const DenseHostTensor&>(*handle.tensor());
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_HOST_OPS_HOST_OP_RUNNER_H_
