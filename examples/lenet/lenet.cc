#include "lenet.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/cpu_kernels.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace lenet {
namespace {

using tfrt::DenseHostTensor;
using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::TensorShape;
using Value = tfrt::RCReference<tfrt::AsyncValue>;

template <typename T>
StatusOr<Value> MakeTensor(const TensorShape& shape, std::span<const T> elements,
                           tfrt::HostContext& host) {
  if (elements.size() != static_cast<size_t>(shape.num_elements())) {
    return tfrt::InvalidArgumentError(
        StrCat(elements.size(), " elements for a tensor of the shape ", shape.ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(auto tensor, DenseHostTensor::CreateUninitialized(
                                         {tfrt::DTypeOf<T>(), shape}, host.allocator()));
  TFRT_ASSIGN_OR_RETURN(auto view, tfrt::MutableDenseView<T>::Create(tensor, "the tensor"));
  std::copy(elements.begin(), elements.end(), view.data());
  return tfrt::MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(tensor)).ReleaseRCRef();
}

template <typename T>
StatusOr<std::vector<T>> TakeElements(const Value& result, std::string_view name) {
  TFRT_ASSIGN_OR_RETURN(auto view,
                        tfrt::DenseView<T>::Create(result->get<DenseHostTensor>(), name));
  return std::vector<T>(view.elements().begin(), view.elements().end());
}

}  // namespace

Network::Network(std::unique_ptr<tfrt::ConcurrentWorkQueue> queue)
    : host_(
          [](const tfrt::DecodedDiagnostic& diagnostic) {
            std::fprintf(stderr, "%s: %s\n", diagnostic.location.ToString().c_str(),
                         diagnostic.status.ToString().c_str());
          },
          tfrt::CreateMallocAllocator(), std::move(queue)) {}

StatusOr<std::unique_ptr<Network>> Network::Create(tfrt::BefImage program,
                                                   std::span<const float> weights,
                                                   const std::string& work_queue_type) {
  TFRT_ASSIGN_OR_RETURN(auto queue, tfrt::CreateWorkQueue(work_queue_type));
  std::unique_ptr<Network> network(new Network(std::move(queue)));
  tfrt::KernelRegistry* registry = &network->host_.kernel_registry();
  tfrt::RegisterBasicKernels(registry);
  tfrt::RegisterControlFlowKernels(registry);
  tfrt::RegisterTensorKernels(registry);
  tfrt::RegisterEigenKernels(registry);
  tfrt::RegisterContractionKernels(registry);
  tfrt::RegisterCpuKernels(registry);
  TFRT_ASSIGN_OR_RETURN(network->file_, tfrt::BefFile::Open(std::move(program), &network->host_));
  if (weights.size() != kNumWeights) {
    return tfrt::InvalidArgumentError(StrCat(weights.size(), " weights, expected ", kNumWeights));
  }
  for (const TensorShape& shape : WeightShapes()) {
    auto count = static_cast<size_t>(shape.num_elements());
    TFRT_ASSIGN_OR_RETURN(Value tensor, MakeTensor(shape, weights.first(count), network->host_));
    network->weights_.push_back(std::move(tensor));
    weights = weights.subspan(count);
  }
  return network;
}

StatusOr<std::vector<Value>> Network::Run(const std::string& function,
                                          const std::vector<Value>& inputs) {
  TFRT_ASSIGN_OR_RETURN(const tfrt::Function* code, file_->FindFunction(function));
  std::vector<tfrt::AsyncValue*> arguments;
  for (const Value& input : inputs) arguments.push_back(input.get());
  for (const Value& weight : weights_) arguments.push_back(weight.get());
  std::vector<Value> results(2);
  tfrt::ExecutionContext exec_ctx(
      tfrt::RequestContextBuilder(&host_, /*resource_context=*/nullptr).Build());
  code->Execute(exec_ctx, arguments, results);
  tfrt::AsyncValue* pending[] = {results[0].get(), results[1].get()};
  host_.Await(pending);
  for (const Value& result : results) {
    if (const tfrt::Status* error = result->GetErrorIfPresent()) return *error;
  }
  return results;
}

StatusOr<Answers> Network::Classify(std::span<const float> images) {
  auto batch = static_cast<int64_t>(images.size() / kPixels);
  TFRT_ASSIGN_OR_RETURN(Value input, MakeTensor({batch, 28, 28, 1}, images, host_));
  TFRT_ASSIGN_OR_RETURN(auto results, Run(StrCat("classify_", batch), {std::move(input)}));
  Answers answers;
  TFRT_ASSIGN_OR_RETURN(answers.logits, TakeElements<float>(results[0], "the logits"));
  TFRT_ASSIGN_OR_RETURN(answers.classes, TakeElements<int32_t>(results[1], "the classes"));
  return answers;
}

StatusOr<float> Network::TrainStep(std::span<const float> images, std::span<const int32_t> labels) {
  TFRT_ASSIGN_OR_RETURN(Value input, MakeTensor({kTrainBatch, 28, 28, 1}, images, host_));
  TFRT_ASSIGN_OR_RETURN(Value truth, MakeTensor({kTrainBatch}, labels, host_));
  TFRT_ASSIGN_OR_RETURN(auto results, Run("train_step", {std::move(input), std::move(truth)}));
  TFRT_ASSIGN_OR_RETURN(auto loss, TakeElements<float>(results[0], "the loss"));
  return loss.at(0);
}

}  // namespace lenet
