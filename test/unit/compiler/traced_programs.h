// Programs that are traced, compiled by the service and run, as traced functions are.
#ifndef TFRT_TEST_UNIT_COMPILER_TRACED_PROGRAMS_H_
#define TFRT_TEST_UNIT_COMPILER_TRACED_PROGRAMS_H_

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "lib/format/bef/bef_reader.h"
#include "lib/format/traced_graph/compiler_service.h"
#include "lib/format/traced_graph/traced_graph.h"
#include "lib/ops/op_call/host_callbacks.h"
#include "lib/ops/op_call/run_resources.h"
#include "test/unit/traced_graph/function_tracer.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::function {

using Answer = std::unique_ptr<TfrtCompileAnswer, void (*)(TfrtCompileAnswer*)>;

inline Answer Compile(const TfrtCompileRequest& request) {
  const TfrtCompilerService* service = tfrt_compiler_service(TFRT_COMPILER_SERVICE_VERSION);
  return Answer(service->compile(&request), service->release);
}

inline Answer Compile(const TracedGraph& graph, uint32_t output = TFRT_OUTPUT_BEF,
                      uint32_t flags = 0) {
  const EncodedGraph encoded = Encode(graph);
  std::vector<TfrtBytes> blobs;
  for (auto blob : encoded.blobs) blobs.push_back({blob.data(), blob.size()});
  return Compile({.struct_size = sizeof(TfrtCompileRequest),
                  .input_kind = TFRT_INPUT_TRACED_GRAPH,
                  .output_kind = output,
                  .flags = flags,
                  .input = {encoded.bytes.data(), encoded.bytes.size()},
                  .blobs = blobs.data(),
                  .num_blobs = blobs.size()});
}

inline std::string TextOf(const TfrtCompileAnswer& answer) {
  return std::string(reinterpret_cast<const char*>(answer.output), answer.output_size);
}

using Floats = std::vector<float>;

template <typename T>
DenseHostTensor TensorOf(HostContext* host, DType dtype, const std::vector<int64_t>& dims,
                         const std::vector<T>& elements) {
  auto shape = TensorShape::Create(dims);
  auto tensor = DenseHostTensor::CreateUninitialized({dtype, *shape}, host->allocator());
  EXPECT_EQ(tensor->size_bytes(), elements.size() * sizeof(T));
  if (!elements.empty()) std::memcpy(*tensor->MutableData(), elements.data(), tensor->size_bytes());
  return *std::move(tensor);
}

template <typename T>
std::vector<T> ElementsOf(const DenseHostTensor& tensor) {
  EXPECT_EQ(DTypeSize(tensor.dtype()), sizeof(T));
  auto* first = static_cast<const T*>(tensor.data());
  return std::vector<T>(first, first + tensor.num_elements());
}

// An argument of a call.
using Input = std::shared_ptr<DenseHostTensor>;

// A compiled program and where it runs.
class Program {
 public:
  explicit Program(const TracedGraph& graph, uint32_t flags = 0)
      : host_([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
              CreateMultiThreadedWorkQueue(2, 2)) {
    RegisterGraphKernels(&host_.kernel_registry());
    answer_ = Compile(graph, TFRT_OUTPUT_BEF, flags);
    EXPECT_EQ(answer_->code, 0u) << answer_->message << "\n" << ToString(graph);
    if (answer_->code != 0) return;
    auto file = BefFile::Open(FileBytes::Borrow({answer_->output, answer_->output_size}), &host_);
    EXPECT_TRUE(file.ok()) << file.status().ToString();
    if (file.ok()) file_ = *std::move(file);
  }

  HostContext* host() { return &host_; }
  Input F32(const std::vector<int64_t>& dims, const Floats& elements) {
    return std::make_shared<DenseHostTensor>(TensorOf(&host_, DType::kF32, dims, elements));
  }
  Input Bool(bool value) {
    return std::make_shared<DenseHostTensor>(
        TensorOf<uint8_t>(&host_, DType::kI1, {}, {static_cast<uint8_t>(value)}));
  }

  void SetCallbacks(std::vector<HostCallback> callbacks) {
    callbacks_ = std::make_shared<const std::vector<HostCallback>>(std::move(callbacks));
  }

  // All results, or the first error among them.
  StatusOr<std::vector<DenseHostTensor>> Run(const std::vector<Input>& inputs) {
    if (!file_) return InternalError("the program has not been compiled");
    RequestContextBuilder builder(&host_, nullptr);
    builder.AddData(RunResources{.weights = file_->view().weights()});
    if (callbacks_) builder.AddData(HostCallbacks{callbacks_});
    const ExecutionContext exec_ctx(std::move(builder).Build());
    std::vector<RCReference<AsyncValue>> arguments;
    for (const Input& input : inputs) {
      arguments.push_back(
          MakeAvailableAsyncValueRef<DenseHostTensor>(input->ShareBuffer()).ReleaseRCRef());
    }
    TFRT_ASSIGN_OR_RETURN(auto loaded, Execute("load", exec_ctx, {}));
    arguments.insert(arguments.end(), loaded.begin(), loaded.end());
    TFRT_ASSIGN_OR_RETURN(auto results, Execute("main", exec_ctx, arguments));
    std::vector<DenseHostTensor> tensors;
    for (const auto& result : results)
      tensors.push_back(result->get<DenseHostTensor>().ShareBuffer());
    return tensors;
  }
  // The elements of a result that is f32.
  Floats RunForFloats(const std::vector<Input>& inputs, size_t result = 0) {
    auto results = Run(inputs);
    EXPECT_TRUE(results.ok()) << results.status().ToString();
    return results.ok() ? ElementsOf<float>((*results)[result]) : Floats();
  }

  const TfrtCompileAnswer& answer() const { return *answer_; }
  BefFile& file() { return *file_; }

 private:
  StatusOr<std::vector<RCReference<AsyncValue>>> Execute(
      std::string_view name, const ExecutionContext& exec_ctx,
      const std::vector<RCReference<AsyncValue>>& arguments) {
    TFRT_ASSIGN_OR_RETURN(const Function* function, file_->FindFunction(name));
    std::vector<AsyncValue*> borrowed, awaited;
    for (const auto& argument : arguments) borrowed.push_back(argument.get());
    std::vector<RCReference<AsyncValue>> results(function->num_results());
    if (borrowed.size() != function->num_arguments()) {
      return InvalidArgumentError("@" + std::string(name) + " takes " +
                                  std::to_string(function->num_arguments()) + " arguments");
    }
    function->Execute(exec_ctx, borrowed, results);
    for (const auto& result : results) awaited.push_back(result.get());
    host_.Await(awaited);
    for (const auto& result : results) {
      if (result->IsError()) return result->GetError();
    }
    return results;
  }

  HostContext host_;
  Answer answer_{nullptr, nullptr};
  RCReference<BefFile> file_;
  std::shared_ptr<const std::vector<HostCallback>> callbacks_;
};

}  // namespace tfrt::function

#endif  // TFRT_TEST_UNIT_COMPILER_TRACED_PROGRAMS_H_
