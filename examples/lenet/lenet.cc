#include "lenet.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/cpu_kernels.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace lenet {
namespace {

using tfrt::DenseHostTensor;
using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::TensorShape;
using Value = tfrt::RCReference<tfrt::AsyncValue>;

const TensorShape kWeightShapes[] = {{5, 5, 1, 6}, {6},       {5, 5, 6, 16}, {16},     {400, 120},
                                     {120},        {120, 84}, {84},          {84, 10}, {10}};

// Reads `count` little-endian values; the file must hold exactly those.
template <typename T>
StatusOr<std::vector<T>> ReadValues(const std::string& path, size_t count) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  auto size = static_cast<size_t>(file.tellg());
  if (size != count * sizeof(T)) {
    return tfrt::DataLossError(StrCat(path, " has ", size, " bytes, expected ", count * sizeof(T)));
  }
  std::vector<T> values(count);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size));
  if (!file) return tfrt::DataLossError(StrCat("cannot read ", path));
  return values;
}

// [N,8,8] with grey levels 0 to 16 -> [N,28,28], 0 to 1: each pixel becomes 3x3, with a margin
// of 2.
std::vector<float> Enlarge(const std::vector<uint8_t>& images, size_t count) {
  std::vector<float> large(count * kPixels);
  for (size_t n = 0; n < count; ++n) {
    for (size_t y = 0; y < 24; ++y) {
      for (size_t x = 0; x < 24; ++x) {
        large[n * kPixels + (y + 2) * kSide + x + 2] =
            static_cast<float>(images[n * 64 + y / 3 * 8 + x / 3]) / 16;
      }
    }
  }
  return large;
}

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

StatusOr<Data> ReadData(const std::string& folder, const std::string& digits_folder) {
  Data data;
  TFRT_ASSIGN_OR_RETURN(auto images,
                        ReadValues<uint8_t>(digits_folder + "/images.u8", kNumImages * 64));
  data.images = Enlarge(images, kNumImages);
  TFRT_ASSIGN_OR_RETURN(data.labels,
                        ReadValues<int32_t>(digits_folder + "/labels.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.classes, ReadValues<int32_t>(folder + "/classes.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.logits,
                        ReadValues<float>(folder + "/logits.f32", kNumImages * kNumClasses));
  TFRT_ASSIGN_OR_RETURN(data.weights, ReadValues<float>(folder + "/weights.f32", kNumWeights));
  TFRT_ASSIGN_OR_RETURN(data.losses, ReadValues<float>(folder + "/losses.f32", kTrainSteps));
  return data;
}

std::vector<float> InitialWeights() {
  std::vector<float> weights;
  uint32_t state = 1;
  for (const TensorShape& shape : kWeightShapes) {
    const int64_t count = shape.num_elements();
    if (shape.rank() == 1) {
      weights.resize(weights.size() + static_cast<size_t>(count));
      continue;
    }
    int64_t inputs = count / shape.dim(shape.rank() - 1);
    float bound = std::sqrt(6.0f / static_cast<float>(inputs));
    for (int64_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      weights.push_back((static_cast<float>(state >> 8) / 8388608.0f - 1.0f) * bound);
    }
  }
  return weights;
}

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
  for (const TensorShape& shape : kWeightShapes) {
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
